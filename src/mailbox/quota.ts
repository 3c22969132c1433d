/** Quota of a mailbox: sizes of raw messages in both directions, trash included. */
import { ServiceError } from '../lib/errors.js'
import type { MailboxRecord } from './mailbox-record.js'

export interface RoomLimits {
  storageBytes: number
  pendingStorageBytes: number
}

export function roomLeft(mailbox: MailboxRecord, limits: RoomLimits): number {
  return limitOf(mailbox, limits) - mailbox.usedBytes
}

export function notEnoughRoom(mailbox: MailboxRecord, limits: RoomLimits): ServiceError {
  return new ServiceError(
    'quota_exceeded',
    `The mailbox is full: ${mailbox.usedBytes} of ${limitOf(mailbox, limits)} bytes are used.`,
    mailbox.status === 'pending'
      ? 'A human has to approve the mailbox first: see GET /v1/claim/status.'
      : 'Delete mail with DELETE /v1/messages/{id}, and empty the trash with DELETE /v1/trash: what is there counts too. GET /v1/account/usage says what is used.',
  )
}

function limitOf(mailbox: MailboxRecord, limits: RoomLimits): number {
  return mailbox.status === 'pending' ? limits.pendingStorageBytes : limits.storageBytes
}
