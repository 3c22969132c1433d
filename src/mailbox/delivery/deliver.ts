/** Stores incoming mail: message, thread, counters and event in one commit. */
import { DAY, type Clock } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { encode } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { autoLabelsFor } from '../settings/auto-labels.js'
import { appendEvent } from '../events.js'
import { expiringKey, expiryKey, EMPTY_VALUE, mailboxPartition, RAW_INLINE_BYTES } from '../keys.js'
import { insertMessage, type NewMessage } from './insert.js'
import { INBOX_LABEL, isSpam, kindLabels, MAX_LABELS, SPAM_LABEL } from '../labels.js'
import { authOf, contentOf, type MessageContent, type MessageState, shownAddress, toMessage } from '../message.js'
import { readStored, shownOf } from '../message-rows.js'
import type { Message } from '../objects/objects.js'
import { notEnoughRoom, roomLeft, type RoomLimits } from '../quota.js'
import type { RawStore } from '../raw.js'
import type { RecentBodies } from '../recent-bodies.js'
import { rememberCorrespondent } from '../recipients.js'
import { changeWithin, readMailbox } from '../record.js'
import { readSettings } from '../settings/settings.js'
import { quotedParent, type Quoting } from '../threads/parent.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { AuthenticationResults } from '../../authentication/types.js'
import type { SpamReason } from '../../guard/types.js'
import type { ParsedMessage } from '../../mime/types.js'
import type { Admission, Sender } from '../objects/set-types.js'

export interface Delivery {
  mailboxId: string
  raw: Buffer
  parsed: ParsedMessage
  auth: AuthenticationResults | null
  virus: 'clean' | 'unscanned'
  spam: { score: number; verdict: 'ham' | 'spam'; reasons: SpamReason[] }
  labels: string[]
  /** Reverse-path, '' for the null sender. */
  envelopeFrom: string
  /** Deliveries with the same id are stored once, even after crashes: set for local mail from the queue only. */
  deliveryId?: string
  /** Id for the message, if queued work already refers to it. */
  messageId?: string
  /** All envelope recipients that share the message. */
  recipients?: string[]
  /** RFC 8689. */
  requireTls?: boolean
  /** Index words, one a line (mail-work/words.ts), if they were computed with the message. */
  words?: string | undefined
  /** Further writes in the transaction that stores the message; skipped if it is already stored. */
  also?: (tx: Transaction) => void
}

/** A delivery ready to be stored; a large raw message is already on disk, and swept if unused. */
export interface PreparedDelivery {
  mailboxId: string
  /** Runs within a transaction that includes the mailbox's partition. @throws ServiceError `quota_exceeded`, `not_found` */
  store(tx: Transaction): Promise<Message>
}

/** A recipient's copy of a message between two local mailboxes, with the addresses that lead there. */
export interface LocalDelivery {
  addresses: string[]
  delivery: PreparedDelivery
}

export interface Deliveries {
  admission(mailboxId: string, sender: Sender): Promise<Admission>
  /** Text of the stored message that a message answers, '' for none; undefined where nothing is quoted. Spam proves nothing, and counts as none. */
  parentOf(mailboxId: string, content: Quoting): Promise<string | undefined>
  /** Stores message, thread and event in one commit; resolves when durable. @throws ServiceError `quota_exceeded` */
  deliver(delivery: Delivery): Promise<Message>
  /** `deliver` up to its commit. @throws ServiceError `quota_exceeded` */
  prepare(delivery: Delivery): Promise<PreparedDelivery>
}

/** Local deliveries are repeated only by their task, and no task lives longer. */
const DELIVERY_ID_MS = 30 * DAY

export interface DeliverDeps {
  store: Store
  raws: RawStore
  bodies: RecentBodies
  clock: Clock
  limits: RoomLimits
}

export function createDeliver(deps: DeliverDeps): Pick<Deliveries, 'parentOf' | 'deliver' | 'prepare'> {
  const { store, raws, bodies, clock, limits } = deps
  /** Checked again in the commit. This early check keeps large messages for full mailboxes from filling the disk. */
  async function requireRoom(mailboxId: string, bytes: number): Promise<void> {
    if (bytes <= RAW_INLINE_BYTES) return
    const mailbox = await readMailbox(store, mailboxId)
    if (mailbox && roomLeft(mailbox, limits) < bytes) throw notEnoughRoom(mailbox, limits)
  }

  async function prepareDelivery(delivery: Delivery): Promise<PreparedDelivery> {
    const { mailboxId, parsed, raw, deliveryId } = delivery
    const now = clock.now()
    const id = delivery.messageId ?? newId('msg', now)
    const content = contentOf(parsed, now)
    content.auth = delivery.auth && authOf(delivery.auth)
    content.scan = { virus: delivery.virus, spam: delivery.spam }
    for (const attachment of content.attachments) attachment.scan = delivery.virus
    // RFC 3834 §2, RFC 5321 §4.5.5: the null sender sends notices that want no reply.
    if (delivery.envelopeFrom === '') content.automation ??= 'bounce'

    await requireRoom(mailboxId, raw.length)
    const { place, inline } = await raws.write(mailboxId, id, raw)
    const insert = async (tx: Transaction, mailbox: MailboxRecord): Promise<Message> => {
      const { autoLabels } = await readSettings(tx)
      const rules = autoLabelsFor(autoLabels, content, delivery.recipients ?? [])
      const given = new Set([INBOX_LABEL, ...delivery.labels, ...kindLabels(content), ...rules.labels])
      if (given.has(SPAM_LABEL)) given.delete(INBOX_LABEL)
      const labels = [...given]
      const arrived: NewMessage['state'] = {
        id,
        direction: 'inbound',
        status: 'received',
        labels: labels.slice(0, MAX_LABELS),
        unread: !rules.markRead,
        rawBytes: raw.length,
        ...place,
        recipients: [],
        check: null,
        holdReasons: [],
        newRecipientCount: 0,
        ...(delivery.requireTls ? { requireTls: true } : {}),
        sentAt: parsed.date,
        createdAt: now,
        updatedAt: now,
      }
      const earlier =
        deliveryId === undefined
          ? undefined
          : await readValue<{ messageId: string }>(tx, expiringKey('delivery', deliveryId))
      if (earlier) {
        const { messageId } = earlier
        const stored = await readStored(tx, messageId)
        // It was delivered, and purged since.
        const gone = { ...arrived, id: messageId, threadId: '', seq: 0, shown: shownOf(content) }
        return toMessage(mailboxId, stored?.state ?? gone, stored?.content ?? content)
      }

      const state = await insertMessage(tx, mailbox, { state: arrived, content, raw: inline }, limits)
      if (wroteFirst(delivery) && content.from) await rememberCorrespondent(tx, content.from.address, now)
      if (deliveryId !== undefined) rememberDelivery(tx, deliveryId, id, now)
      appendEvent(mailbox, now, 'message.received', receivedEvent(state, content))
      delivery.also?.(tx)
      const { words } = delivery
      const recent = { createdAt: now, ...(words === undefined ? { content } : { words }) }
      tx.afterCommit(() => bodies.add(mailboxId, state.seq, recent))
      return toMessage(mailboxId, state, content)
    }
    return { mailboxId, store: (tx) => changeWithin(tx.in(mailboxPartition(mailboxId)), insert) }
  }

  return {
    prepare: prepareDelivery,
    parentOf: (mailboxId, content) =>
      store.read(mailboxPartition(mailboxId), (view) => quotedParent(view, content, (state) => !isSpam(state))),
    async deliver(delivery) {
      const prepared = await prepareDelivery(delivery)
      return store.write(mailboxPartition(prepared.mailboxId), prepared.store)
    },
  }
}

function rememberDelivery(tx: Transaction, deliveryId: string, messageId: string, now: number): void {
  tx.put(expiringKey('delivery', deliveryId), encode({ messageId, expiresAt: now + DELIVERY_ID_MS }))
  tx.put(expiryKey(now + DELIVERY_ID_MS, 'delivery', deliveryId), EMPTY_VALUE)
}

export function receivedEvent(
  { id, threadId, labels, unread }: Pick<MessageState, 'id' | 'threadId' | 'labels' | 'unread'>,
  content: MessageContent,
): Record<string, unknown> {
  return {
    message_id: id,
    thread_id: threadId,
    direction: 'inbound',
    from: content.from && shownAddress(content.from),
    subject: content.subject,
    preview: content.preview,
    labels,
    unread,
    automation: content.automation,
    untrusted: true,
  }
}

/** True if the author becomes a known correspondent, to whom replies are free. Not if the domain disowns the message: forged mail would bypass the limit. */
function wroteFirst({ parsed, auth, labels }: Delivery): boolean {
  if (parsed.fromCount !== 1 || labels.includes(SPAM_LABEL)) return false
  if (auth === null || auth.dmarc.result === 'pass') return true
  return auth.dmarc.result !== 'fail' && (auth.spf.result !== 'fail' || auth.dkim.result === 'pass')
}
