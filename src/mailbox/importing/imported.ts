/**
 * A message from elsewhere as this mailbox stores it. Nobody delivered it and nobody sent it here, so it has no verdicts and no recipients, counts as neither received nor
 * sent, and teaches nothing.
 */
import { invalidRequest } from '../../lib/errors.js'
import { isOwnAddress } from '../addresses.js'
import type { NewMessage } from '../delivery/insert.js'
import { FILED_LABEL } from '../folders/flags.js'
import { type FolderKey, isFolderLabel, labelOf } from '../folders/folder.js'
import { INBOX_LABEL, kindLabels, LABEL, SENT_LABEL, SPAM_LABEL } from '../labels.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { contentOf, type MessageContent, type MessageState } from '../message.js'
import type { ReadMessage } from './read-message.js'

/** Content without verdicts. */
export function importedContent({ parsed }: ReadMessage, now: number): MessageContent {
  const content = contentOf(parsed, now)
  for (const attachment of content.attachments) attachment.scan = 'unscanned'
  return content
}

/**
 * Sent has what this mailbox sent; elsewhere its own address in From says so, but not in INBOX and Junk, where mail to oneself comes in.
 */
export function directionIn(
  folder: FolderKey,
  { from }: Pick<MessageContent, 'from'>,
  mailbox: MailboxRecord,
): MessageState['direction'] {
  if (folder === 'sent') return 'outbound'
  if (folder === 'inbox' || folder === 'junk' || !from) return 'inbound'
  return isOwnAddress(mailbox, from.address) ? 'outbound' : 'inbound'
}

/** The state of a new message in a folder, before its flags. @param now milliseconds since the epoch */
export function importedState(
  id: string,
  folder: FolderKey,
  { given, raw, parsed }: ReadMessage,
  content: MessageContent,
  direction: MessageState['direction'],
  now: number,
): Omit<NewMessage['state'], 'rawIn' | 'rawSha256'> {
  const internalDate = Math.max(0, given.internalDateMs ?? now)
  return {
    id,
    direction,
    status: direction === 'inbound' ? 'received' : 'delivered',
    labels: [...labelsIn(folder, direction), ...(direction === 'inbound' ? kindLabels(content) : [])],
    unread: true,
    rawBytes: raw.length,
    recipients: [],
    check: null,
    holdReasons: [],
    newRecipientCount: 0,
    sentAt: parsed.date,
    internalDate,
    createdAt: Math.min(internalDate, now),
    updatedAt: now,
  }
}

/** Labels that put a message into the folder, and into no other; Trash has it by what is done to it. */
function labelsIn(folder: FolderKey, direction: MessageState['direction']): string[] {
  if (folder === 'junk') return [SPAM_LABEL]
  const label = labelOf(folder)
  if (direction === 'outbound') {
    const filed = folder === 'sent' || folder === 'trash' ? [] : [FILED_LABEL]
    return [SENT_LABEL, ...filed, ...(label === undefined ? [] : [label])]
  }
  if (label !== undefined) return [label]
  return folder === 'inbox' || folder === 'trash' ? [INBOX_LABEL] : []
}

/** @throws ServiceError `invalid_request` for a folder that cannot be */
export function checkFolder(folder: FolderKey): void {
  const label = labelOf(folder)
  if (label === undefined || (LABEL.test(label) && isFolderLabel(label))) return
  throw invalidRequest('There cannot be such a folder.', 'List the folders of the mailbox.', [
    { field: 'folder', problem: 'Its label belongs to the service, or is not well-formed.' },
  ])
}
