/**
 * The key layout of a mailbox. Everything of one mailbox is in the partition `mailbox/<id>`, so that one commit moves a message,
 * its thread, the lists, the counters and the event about it together.
 *
 * | key                                      | value                  | read by                                                    |
 * | ---------------------------------------- | ---------------------- | ---------------------------------------------------------- |
 * | `mailbox`                                | record, JSON           | everything: what seldom changes (record.ts)                |
 * | `counters`                               | Counters               | everything: counts, and the newest event's seq             |
 * | `place` · id                             | seq                    | from a message's id to its place                           |
 * | `message` · seq                          | MessageState           | what may change, and what lists show (message-rows.ts)     |
 * | `body` · seq                             | content, raw message   | what never changes; the raw message up to RAW_INLINE_BYTES, else a blob (body-row.ts) |
 * | `thread` · id                            | ThreadRecord           | lists, counts, the places of its messages (mailbox/threads/thread-rows.ts) |
 * | `list` · name · stretch                  | bits                   | lists of threads and of messages (lists.ts)                |
 * | `trash` · seq of the deletion            | seq of the message     | the list of the trash, and the sweep of what had its time   |
 * | `message-id` · hash of Message-ID        | id of a thread         | threading by References and In-Reply-To                    |
 * | `subject` · hash of base subject · hash of address | id of a thread, time | threading by subject and shared participant   |
 * | `correspondent` · hash of address        | time                   | who wrote to this mailbox: answering them costs nothing    |
 * | `event` · last seq                       | events                 | the event log: those of one commit (event-rows.ts)         |
 * | `idempotency` · SHA-256 of the key       | IdempotencyRecord      | retries of a send                                          |
 * | `draft` · id                             | DraftRecord            | drafts: all but words and files                            |
 * | `draft-words` · id                       | DraftWords             | their text and HTML                                        |
 * | `draft-file` · id of the file            | octets                 | their files up to RAW_INLINE_BYTES; empty where it is a blob |
 * | `drafts-mark`                            | 16 random bytes        | the folder index: whether drafts have changed               |
 * | `delivery` · delivery id                 | { messageId, expiresAt } | local mail from the queue arrives once                     |
 * | `imported` · SHA-256 of message and folder | { messageId, expiresAt } | an import that is repeated brings every message once (mailbox/importing/import-once.ts) |
 * | `expiry` · time · kind · id              | (empty)                | when `idempotency`, `delivery` and `imported` records may go |
 * | `paused-task` · id of a relay task        | ParkedTask             | mail that goes on when the mailbox is resumed (mailbox/pausing/waiting-mail.ts) |
 * | `deletion-told`                          | time                   | the deletion of the account that was last announced         |
 * | `settings`                               | MailboxSettings        | sending and delivery; missing while nothing is set         |
 * | `entry` · direction · type · pattern     | ListEntry              | allow and block lists                                      |
 * | `entry-count` · direction · type         | number                 | their length                                               |
 *
 * The place of a message is the number of the event that announced it, that of a thread the place of its last message: unlike a time it is unique,
 * and it grows whatever the clock does. What every message writes is packed (store/packed.ts), with ids as their 16 bytes and hashes cut to as many; what
 * is written seldom is JSON.
 *
 * The words of messages are derived from all this and can be rebuilt. They are in the partition `search/<id>`, so that writing them wakes no long
 * poll:
 *
 * | key                                      | value                  | read by                                                    |
 * | ---------------------------------------- | ---------------------- | ---------------------------------------------------------- |
 * | `index`                                  | Index                  | queries and the indexer: how far it has come, and what it consists of (mailbox/search/segments.ts) |
 * | `chunk` · segment · first word           | words and posting lists | queries: messages of a segment that have a word (mailbox/search/chunks.ts) |
 *
 * Webhooks with their deliveries are in the partition `webhooks/<id>` (webhooks/keys.ts), and mailboxes that may have some are listed in `meta` under
 * `webhooks` · id.
 *
 * The list of all mailboxes is in `meta` under `mailbox` · id, and who owns an address in `address/<address>` under `owner`.
 */
import { idBytes } from '../lib/ids.js'
import { hashPart, key, keyParts, prefixRange } from '../store/keys.js'

export const META_PARTITION = 'meta'
export const mailboxPartition = (mailboxId: string): string => `mailbox/${mailboxId}`
export const searchPartition = (mailboxId: string): string => `search/${mailboxId}`
/** Folders of mail programs (mailbox/folders/index-rows.ts). */
export const foldersPartition = (mailboxId: string): string => `folders/${mailboxId}`
export const webhooksPartition = (mailboxId: string): string => `webhooks/${mailboxId}`
export const addressPartition = (addressKey: string): string => `address/${addressKey}`

/** Max size of raw messages stored in the commit; larger ones are blobs (owner: mailbox id, id: message id). */
export const RAW_INLINE_BYTES = 64 * 1024

export const EXPIRING_KINDS = ['idempotency', 'delivery', 'imported'] as const
export type ExpiringKind = (typeof EXPIRING_KINDS)[number]

export const EMPTY_VALUE = new Uint8Array(0)

export const mailboxKey = key('mailbox')
export const countersKey = key('counters')
export const placeKey = (messageId: string): Uint8Array => key('place', idBytes(messageId))
export const messageKey = (seq: number): Uint8Array => key('message', seq)
/** The place in a `messageKey`. */
export const seqOf = (row: Uint8Array): number => Number(keyParts(row)[1])
export const bodyKey = (seq: number): Uint8Array => key('body', seq)
export const threadKey = (threadId: string): Uint8Array => key('thread', idBytes(threadId))
export const listKey = (name: string, stretch: number): Uint8Array => key('list', name, stretch)
export const trashKey = (seq: number): Uint8Array => key('trash', seq)
export const messageIdKey = (messageId: string): Uint8Array => key('message-id', hashPart(messageId))
/** @param address normalized by `addressKey` */
export const subjectKey = (baseSubject: string, address: string): Uint8Array =>
  key('subject', hashPart(baseSubject), hashPart(address))
export const draftKey = (draftId: string): Uint8Array => key('draft', draftId)
export const draftWordsKey = (draftId: string): Uint8Array => key('draft-words', draftId)
export const draftsMarkKey = key('drafts-mark')
export const draftFileKey = (fileId: string): Uint8Array => key('draft-file', fileId)
/** @param address normalized by `addressKey` */
export const correspondentKey = (address: string): Uint8Array => key('correspondent', hashPart(address))
export const eventKey = (seq: number): Uint8Array => key('event', seq)
export const expiringKey = (kind: ExpiringKind, id: string): Uint8Array => key(kind, id)
export const expiryKey = (at: number, kind: ExpiringKind, id: string): Uint8Array => key('expiry', at, kind, id)
export const pausedTaskKey = (taskId: string): Uint8Array => key('paused-task', taskId)
export const deletionToldKey = key('deletion-told')
export const settingsKey = key('settings')
export const entryKey = (direction: string, type: string, pattern: string): Uint8Array =>
  key('entry', direction, type, pattern)
export const entryCountKey = (direction: string, type: string): Uint8Array => key('entry-count', direction, type)
export const mailboxListKey = (mailboxId: string): Uint8Array => key('mailbox', mailboxId)
export const webhookListKey = (mailboxId: string): Uint8Array => key('webhooks', mailboxId)

export const indexKey = key('index')
/** @param word bytes, one character each (mailbox/search/chunks.ts) */
export const chunkKey = (segment: number, word: string): Uint8Array => key('chunk', segment, word)
export const firstChunkKey = (segment: number): Uint8Array => key('chunk', segment)
export const chunksRange = (segment: number): { gte: Uint8Array; lt: Uint8Array } => prefixRange('chunk', segment)

export const messagesRange = prefixRange('message')
export const draftsRange = prefixRange('draft')
export const threadsRange = prefixRange('thread')
export const eventsRange = prefixRange('event')
export const expiryRange = prefixRange('expiry')
export const mailboxListRange = prefixRange('mailbox')
export const webhookListRange = prefixRange('webhooks')
export const trashRange = prefixRange('trash')
export const listsRange = prefixRange('list')
export const pausedTasksRange = prefixRange('paused-task')
export const listRange = (name: string): { gte: Uint8Array; lt: Uint8Array } => prefixRange('list', name)
