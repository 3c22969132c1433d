/**
 * The key layout of a mailbox. Everything of one mailbox is in the partition `mailbox/<id>`, so that one commit moves a message,
 * its thread, the indexes, the counters and the event that tells of it together.
 *
 * | key                                      | value                  | read by                                                    |
 * | ---------------------------------------- | ---------------------- | ---------------------------------------------------------- |
 * | `mailbox`                                | MailboxRecord          | everything; holds counters and the newest event's seq      |
 * | `message` · id                           | MessageState           | what may change: status, labels, unread, recipients        |
 * | `content` · id                           | MessageContent         | what never changes: addresses, headers, text               |
 * | `raw` · id                               | octets                 | the message as it came, up to RAW_INLINE_BYTES; else a blob |
 * | `thread` · id                            | ThreadRecord           | lists and counters                                         |
 * | `thread-message` · thread · seq · id     | (empty)                | the messages of a thread in order                          |
 * | `thread-trash` · thread · seq · id      | Trashed                | its messages that are in the trash, at the same places     |
 * | `trash` · seq of the deletion · id       | TrashRow               | the list of the trash, and the sweep of what had its time   |
 * | `list` · name · seq · thread             | (empty)                | thread lists: `all`, `unread`, `label:<label>`             |
 * | `message-id` · SHA-256 of Message-ID     | thread id              | threading by References and In-Reply-To                    |
 * | `subject` · SHA-256 of base subject · SHA-256 of address | { threadId, at } | threading by subject and shared participant      |
 * | `held` · id                              | (empty)                | messages that wait for a human's review                     |
 * | `correspondent` · SHA-256 of address     | { at }                 | who wrote to this mailbox: answering them costs nothing    |
 * | `event` · seq                            | Event                  | the event log                                              |
 * | `idempotency` · SHA-256 of the key       | IdempotencyRecord      | retries of a send                                          |
 * | `draft` · id                             | DraftRecord            | drafts: all but words and files                            |
 * | `draft-words` · id                       | DraftWords             | their text and HTML                                        |
 * | `draft-file` · id of the file            | octets                 | their files up to RAW_INLINE_BYTES; empty where it is a blob |
 * | `delivery` · delivery id                 | { messageId, expiresAt } | local mail from the queue arrives once                     |
 * | `expiry` · time · kind · id              | (empty)                | when `idempotency` and `delivery` records may go           |
 * | `deletion-told`                          | time                   | which deletion of the account the event log told of        |
 * | `settings`                               | MailboxSettings        | sending and delivery; missing while nothing is set         |
 * | `entry` · direction · type · pattern     | ListEntry              | allow and block lists                                      |
 * | `entry-count` · direction · type         | number                 | their length                                               |
 *
 * Order in lists and threads is by `seq`, the number of the event that told of the (thread's last) message: unlike a time it is unique, and
 * it grows whatever the clock does.
 *
 * The search index is derived from all this and can be rebuilt. It is in the partition `search/<id>`, so that writing it wakes nobody
 * who waits for mail:
 *
 * | key                                      | value                  | read by                                                    |
 * | ---------------------------------------- | ---------------------- | ---------------------------------------------------------- |
 * | `progress`                               | IndexProgress          | the indexer: how far it has come                           |
 * | `segments`                               | SegmentList            | queries and the indexer: what the index consists of (segments.ts) |
 * | `chunk` · segment · first word           | words and posting lists | queries: messages of a segment that have a word (chunks.ts) |
 * | `place` · seq of the message             | Place                  | lists of messages: what they show (places.ts)               |
 * | `stretch` · length · number              | [oldest, newest] times | searches for mail of some time (times.ts)                   |
 * | `listed` · name · seq of the message     | (empty)                | lists of messages: `unread`, `label:<label>`, `status:<status>` |
 *
 * Webhooks with their deliveries are in the partition `webhooks/<id>` (webhooks/keys.ts), and mailboxes that may have some are listed in `meta` under
 * `webhooks` · id.
 *
 * The list of all mailboxes is in `meta` under `mailbox` · id, and who owns an address in `address/<address>` under `owner`.
 */
import { key, prefixRange } from '../store/keys.js'
import { sha256Hex } from '../lib/ids.js'

export const META_PARTITION = 'meta'
export const mailboxPartition = (mailboxId: string): string => `mailbox/${mailboxId}`
export const searchPartition = (mailboxId: string): string => `search/${mailboxId}`
export const webhooksPartition = (mailboxId: string): string => `webhooks/${mailboxId}`
export const addressPartition = (addressKey: string): string => `address/${addressKey}`

/** Raw messages up to this size ride in the commit; larger ones are blobs (owner: mailbox id, id: message id). */
export const RAW_INLINE_BYTES = 64 * 1024

export type ExpiringKind = 'idempotency' | 'delivery'

export const EMPTY_VALUE = new Uint8Array(0)

export const mailboxKey = key('mailbox')
export const messageKey = (messageId: string): Uint8Array => key('message', messageId)
export const contentKey = (messageId: string): Uint8Array => key('content', messageId)
export const rawKey = (messageId: string): Uint8Array => key('raw', messageId)
export const threadKey = (threadId: string): Uint8Array => key('thread', threadId)
export const threadMessageKey = (threadId: string, seq: number, messageId: string): Uint8Array =>
  key('thread-message', threadId, seq, messageId)
export const threadTrashKey = (threadId: string, seq: number, messageId: string): Uint8Array =>
  key('thread-trash', threadId, seq, messageId)
export const trashKey = (seq: number, messageId: string): Uint8Array => key('trash', seq, messageId)
export const listKey = (name: string, seq: number, threadId: string): Uint8Array => key('list', name, seq, threadId)
export const messageIdKey = (messageId: string): Uint8Array => key('message-id', sha256Hex(messageId))
export const subjectKey = (baseSubject: string, addressHash: string): Uint8Array =>
  key('subject', sha256Hex(baseSubject), addressHash)
export const draftKey = (draftId: string): Uint8Array => key('draft', draftId)
export const draftWordsKey = (draftId: string): Uint8Array => key('draft-words', draftId)
export const draftFileKey = (fileId: string): Uint8Array => key('draft-file', fileId)
export const heldKey = (messageId: string): Uint8Array => key('held', messageId)
export const correspondentKey = (addressHash: string): Uint8Array => key('correspondent', addressHash)
export const eventKey = (seq: number): Uint8Array => key('event', seq)
export const expiringKey = (kind: ExpiringKind, id: string): Uint8Array => key(kind, id)
export const expiryKey = (at: number, kind: ExpiringKind, id: string): Uint8Array => key('expiry', at, kind, id)
export const deletionToldKey = key('deletion-told')
export const settingsKey = key('settings')
export const entryKey = (direction: string, type: string, pattern: string): Uint8Array =>
  key('entry', direction, type, pattern)
export const entryCountKey = (direction: string, type: string): Uint8Array => key('entry-count', direction, type)
export const mailboxListKey = (mailboxId: string): Uint8Array => key('mailbox', mailboxId)
export const webhookListKey = (mailboxId: string): Uint8Array => key('webhooks', mailboxId)

export const progressKey = key('progress')
export const segmentsKey = key('segments')
/** @param word as octets, a character each (chunks.ts) */
export const chunkKey = (segment: number, word: string): Uint8Array => key('chunk', segment, word)
export const firstChunkKey = (segment: number): Uint8Array => key('chunk', segment)
export const chunksRange = (segment: number): { gte: Uint8Array; lt: Uint8Array } => prefixRange('chunk', segment)
export const placeKey = (seq: number): Uint8Array => key('place', seq)
export const placesRange = prefixRange('place')
export const stretchKey = (length: number, stretch: number): Uint8Array => key('stretch', length, stretch)
export const listedKey = (name: string, seq: number): Uint8Array => key('listed', name, seq)
export const listedRange = (name: string): { gte: Uint8Array; lt: Uint8Array } => prefixRange('listed', name)

export const messagesRange = prefixRange('message')
export const draftsRange = prefixRange('draft')
export const heldRange = prefixRange('held')
export const threadsRange = prefixRange('thread')
export const eventsRange = prefixRange('event')
export const expiryRange = prefixRange('expiry')
export const mailboxListRange = prefixRange('mailbox')
export const webhookListRange = prefixRange('webhooks')
export const threadMessagesRange = (threadId: string): { gte: Uint8Array; lt: Uint8Array } =>
  prefixRange('thread-message', threadId)
export const threadTrashRange = (threadId: string): { gte: Uint8Array; lt: Uint8Array } =>
  prefixRange('thread-trash', threadId)
export const trashRange = prefixRange('trash')
export const listRange = (name: string): { gte: Uint8Array; lt: Uint8Array } => prefixRange('list', name)
