/** The relay's view of an outbound message: loading it, starting, and recording attempts. */
import { accountPartition, readAccount } from '../../accounts/record.js'
import { type Clock, timestamp } from '../../lib/clock.js'
import { notFound } from '../../lib/errors.js'
import { addressKey } from '../../mime/address.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store, Transaction, View } from '../../store/types.js'
import type { AccountOutcomes } from './account-outcomes.js'
import { bodyKey, mailboxPartition } from '../keys.js'
import { type MessageState, toMessage } from '../message.js'
import { readState, storedFrom } from '../message-rows.js'
import { insertNotice, type Notice } from '../delivery/notice.js'
import type { Recipient } from '../objects/objects.js'
import type { RoomLimits } from '../quota.js'
import type { RawStore } from '../raw.js'
import type { RecentBodies } from '../recent-bodies.js'
import { changeMailbox, changeWithAccount, mailboxOf } from '../record.js'
import { appendStatus, hasEnded, moved, saveStatus, statusFrom } from '../status.js'
import { waitsFor } from '../pausing/waiting-mail.js'
import type { LocalDelivery } from '../delivery/deliver.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { OutboundMessage, Progress, RecipientResult } from './outbound-mail.js'

/** Max characters kept of a server's reply. */
export const MAX_DETAIL_CHARS = 500

export interface AttemptDeps {
  store: Store
  raws: RawStore
  bodies: RecentBodies
  queue: Pick<WorkQueue, 'finish'>
  clock: Clock
  accountOutcomes: AccountOutcomes
  limits: RoomLimits
}

export function createAttempts(deps: AttemptDeps) {
  const { store, raws, bodies, queue, clock, accountOutcomes, limits } = deps

  const storedOf = async (view: View, mailboxId: string, messageId: string) => {
    const state = await readState(view, messageId)
    const recent = state && bodies.get(mailboxId, state.seq)
    const body = state && !recent?.raw ? await view.get(bodyKey(state.seq)) : undefined
    return state && { state, recent, body }
  }

  return {
    /** A message to deliver; undefined if gone, not released, or finished. */
    async message(mailboxId: string, messageId: string): Promise<OutboundMessage | undefined> {
      const found = await store.read(mailboxPartition(mailboxId), async (view) => {
        const [stored, sender] = await Promise.all([storedOf(view, mailboxId, messageId), senderOf(view)])
        return stored && { ...stored, ...sender }
      })
      if (!found) return undefined
      const { state, accountId, accountStatus, paused, recent, body } = found
      if (state.status !== 'queued' && state.status !== 'sending' && state.status !== 'sent') return undefined
      const content = recent?.content ?? (body && storedFrom(state, body).content)
      if (!content) throw new Error(`Message ${messageId} of ${mailboxId} has lost its body`)
      return {
        message: toMessage(mailboxId, state, content),
        accountId,
        accountStatus,
        ...(waitsFor(paused, state) && { isPaused: true as const }),
        raw: recent?.raw ?? (await raws.read(mailboxId, state, body)),
        toldOfDelay: state.toldOfDelay,
        dsn: content.dsn,
        hasNullSender: content.null_sender,
      }
    },

    /**
     * Marks the message `sending` once, before its first attempt where another process could cancel it, or during a long one; `recordAttempt` does it
     * otherwise.
     *
     * @returns false if it was cancelled
     */
    startSending(mailboxId: string, messageId: string): Promise<boolean> {
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const state = await mustReadState(tx, messageId)
        if (state.status !== 'queued') return state.status !== 'cancelled'
        const now = clock.now()
        await saveStatus(tx, mailbox, state, { ...moved(state, 'sending'), sentAt: now }, now)
        return true
      })
    },

    /**
     * Records an attempt, updates the status and emits `message.status`; the first attempt also emits `sending`. Idempotent for ended recipients.
     *
     * @param how `begunAt`: start of the attempt, now by default. `untried`: recipients only wait longer or are given up; no attempt is counted. `notice`:
     * added to the thread in the same commit, if anything changed. `deliveries`: local copies, stored in the same commit unless their recipients have ended.
     * `follow`: queues follow-up work in the same commit, if anything changed. `accountId`: of the mailbox, as `message` returned it. `finishes`: the relay
     * task to remove in the same commit if nothing is left of it
     */
    recordAttempt(
      mailboxId: string,
      messageId: string,
      results: RecipientResult[],
      how: {
        begunAt?: number
        untried?: boolean
        notice?: Notice | undefined
        deliveries?: LocalDelivery[] | undefined
        follow?: ((tx: Transaction) => void) | undefined
        accountId?: string | null | undefined
        finishes?: string | undefined
      } = {},
    ): Promise<Progress> {
      const { begunAt, untried = false, notice, finishes, follow, accountId, deliveries = [] } = how
      const changes = async (tx: Transaction, mailbox: MailboxRecord): Promise<Progress> => {
        if (finishes !== undefined) queue.finish(tx, 'relay', finishes)
        const state = await mustReadState(tx, messageId)
        const now = clock.now()
        const recipients = withResults(state.recipients, results, now, untried ? 0 : 1)
        if (recipients.every((recipient, i) => recipient === state.recipients[i])) return shown(state)
        const status =
          untried && !recipients.some(({ status }) => hasEnded(status)) ? state.status : statusFrom(recipients)
        let begun = state
        if (state.status === 'queued' && status !== 'queued') {
          begun = { ...moved(state, 'sending'), sentAt: begunAt ?? now }
          if (status !== begun.status) appendStatus(mailbox, begun, now)
        }
        const next = { ...(status === begun.status ? begun : moved(begun, status)), recipients, updatedAt: now }
        if (notice && notice.delayed.length > 0) {
          next.toldOfDelay = [...new Set([...(state.toldOfDelay ?? []), ...notice.delayed])]
        }
        await saveStatus(tx, mailbox, state, next, now)
        if (notice) await insertNotice(tx, mailbox, notice, { threadId: state.threadId, now }, limits)
        const before = state.recipients
        await accountOutcomes(tx, mailbox, { messageId, before, after: recipients, cameBack: false })
        follow?.(tx)
        return shown(next)
      }
      const also = deliveries.map(({ delivery }) => mailboxPartition(delivery.mailboxId))
      const first = also.length === 0 ? undefined : (tx: Transaction) => deliver(tx, messageId, deliveries)
      return changeWithAccount(store, mailboxId, changes, { also, first, accountId })
    },
  }
}

async function senderOf(
  view: View,
): Promise<Pick<OutboundMessage, 'accountId' | 'accountStatus'> & Pick<MailboxRecord, 'paused'>> {
  const mailbox = await mailboxOf(view)
  const accountId = mailbox?.accountId ?? null
  const account = accountId === null ? undefined : await readAccount(view.in(accountPartition(accountId)))
  return { accountId, accountStatus: account?.status, ...(mailbox?.paused && { paused: mailbox.paused }) }
}

async function deliver(tx: Transaction, messageId: string, deliveries: readonly LocalDelivery[]): Promise<void> {
  const { recipients } = await mustReadState(tx, messageId)
  const open = new Set(recipients.filter(({ status }) => !hasEnded(status)).map(({ address }) => addressKey(address)))
  for (const { addresses, delivery } of deliveries)
    if (addresses.some((address) => open.has(addressKey(address)))) await delivery.store(tx)
}

async function mustReadState(view: View, messageId: string): Promise<MessageState> {
  const state = await readState(view, messageId)
  if (!state) throw notFound('message')
  return state
}

function shown({ status, recipients, sentAt, updatedAt }: MessageState): Progress {
  const sent_at = sentAt === null ? null : timestamp(sentAt)
  return { status, recipients, sent_at, updated_at: timestamp(updatedAt) }
}

/** Recipients after an attempt; ended and unaffected ones stay the same objects. */
function withResults(recipients: Recipient[], results: RecipientResult[], now: number, tries: number): Recipient[] {
  const byAddress = new Map(results.map((result) => [addressKey(result.address), result]))
  return recipients.map((recipient) => {
    const result = byAddress.get(addressKey(recipient.address))
    if (!result || hasEnded(recipient.status)) return recipient
    return {
      address: recipient.address,
      status: result.status,
      smtp_code: result.smtpCode,
      detail: result.detail.slice(0, MAX_DETAIL_CHARS),
      attempts: recipient.attempts + tries,
      next_attempt_at: result.nextAttemptAt === null ? null : timestamp(result.nextAttemptAt),
      at: timestamp(now),
    }
  })
}
