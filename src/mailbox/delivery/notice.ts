/** A notice of the service to a mailbox, stored in the commit of the change it reports, so it is never lost or repeated. */
import { newId } from '../../lib/ids.js'
import type { Transaction } from '../../store/types.js'
import { receivedEvent } from './deliver.js'
import { appendEvent } from '../events.js'
import { insertMessage } from './insert.js'
import { RAW_INLINE_BYTES } from '../keys.js'
import { kindLabels } from '../labels.js'
import { contentOf } from '../message.js'
import { roomLeft, type RoomLimits } from '../quota.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { ParsedMessage } from '../../mime/types.js'

export interface Notice {
  raw: Buffer
  parsed: ParsedMessage
  /** Recipients whose delay it reports; each is reported once. */
  delayed: string[]
  /** It only says that the message arrived, as was asked for. */
  isConfirmation?: boolean
}

/** Adds it to the thread of its message. A full mailbox gets none: the message's status says the same. */
export async function insertNotice(
  tx: Transaction,
  mailbox: MailboxRecord,
  { raw, parsed, isConfirmation }: Notice,
  at: { threadId: string; now: number },
  limits: RoomLimits,
): Promise<void> {
  if (raw.length > RAW_INLINE_BYTES || roomLeft(mailbox, limits) < raw.length) return
  const { threadId, now } = at
  const content = contentOf(parsed, now)
  content.automation = isConfirmation ? 'auto-reply' : 'bounce'
  const state = await insertMessage(
    tx,
    mailbox,
    {
      state: {
        id: newId('msg', now),
        direction: 'inbound',
        status: 'received',
        labels: ['inbox', ...kindLabels(content)],
        unread: true,
        rawBytes: raw.length,
        rawIn: 'store',
        recipients: [],
        check: null,
        holdReasons: [],
        newRecipientCount: 0,
        sentAt: parsed.date,
        createdAt: now,
        updatedAt: now,
      },
      content,
      raw,
      threadId,
    },
    limits,
  )
  appendEvent(mailbox, now, 'message.received', receivedEvent(state, content))
}
