/** Decisions by staff on held and blocked messages, each in one commit. The first decision wins. The guard learns from it afterwards, or at the next start. */
import { accountPartition } from '../../accounts/record.js'
import { learn } from '../../accounts/story.js'
import { NO_OUTCOMES } from '../../accounts/outcomes.js'
import type { Suppressions } from '../../accounts/suppressions.js'
import type { AccountRecord, Accounts } from '../../accounts/types.js'
import { timestamp } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { addressKey, domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import { encode } from '../../store/keys.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Transaction } from '../../store/types.js'
import { relabelled } from '../decisions/release.js'
import type { MessageState } from '../message.js'
import { readStored } from '../message-rows.js'
import { chargeFresh } from '../decisions/new-recipients.js'
import { changeWithAccount } from '../record.js'
import { createAppeals } from './appeal.js'
import { createReviewCare } from './upkeep.js'
import type { ReviewOutcome } from './objects.js'
import { ReviewReading, isWaiting, notInReview, type Reviewable, type ReviewReadingDeps } from './reading.js'
import {
  isLine,
  logDecision,
  logKey,
  MAX_LINE_CHARS,
  readPlace,
  readReview,
  REVIEW_PARTITION,
  type ReviewPlace,
  type ReviewRow,
} from './rows.js'
import { simulatedDecision } from '../decisions/simulator.js'
import { toldOf } from '../decisions/traits.js'
import { hasEnded, saveStatus } from '../status.js'
import { blocksOf, type OwnDomain } from '../decisions/counted-outcomes.js'
import { priorityOf, relayTasks, sentToday } from '../tasks.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { decided, isRejected, isTrial, LEFT_OUT, REVIEWED_BY, rowFor, type Reviewed } from './decided.js'
import { createReviewEnds, type ReviewEnds } from './feedback.js'

export interface ReviewingDeps extends ReviewReadingDeps {
  queue: Pick<WorkQueue, 'add'>
  accounts: Pick<Accounts, 'get' | 'suspend' | 'countWithin'>
  suppressions: Pick<Suppressions, 'among'>
  isLocalDomain: OwnDomain
  /** Name of the operator's hold rule for a task. */
  heldBy?:
    | ((task: { id: string; messageId: string; mailboxId: string; domain: string }) => Promise<string | undefined>)
    | undefined
  onReviewed?: ((review: Reviewed) => Promise<void>) | undefined
  logMs: number
  log: Pick<Log, 'info' | 'error'>
}

export interface Decision {
  /** Email of a staff member, or `cli:` and a user of the machine; 1 to 320 characters. */
  by: string
}

type Kind = ReviewRow['decision']

export type Reviewing = ReturnType<typeof createReviewing>

export function createReviewing(deps: ReviewingDeps) {
  const reading = new ReviewReading(deps)
  const ends = createReviewEnds({ ...deps, reading })
  const deciding = new Deciding(deps, reading, ends)
  return {
    list: reading.list.bind(reading),
    read: reading.read.bind(reading),
    log: reading.log.bind(reading),
    counts: reading.counts.bind(reading),
    oldest: reading.oldest.bind(reading),
    ...createAppeals(deps, reading),
    ...createReviewCare({ ...deps, reading, ends }),
    approve: deciding.approve.bind(deciding),
    reject: deciding.reject.bind(deciding),
    suspend: deciding.suspend.bind(deciding),
  }
}

export class Deciding {
  readonly #deps: ReviewingDeps
  readonly #reading: ReviewReading
  readonly #ends: ReviewEnds

  constructor(deps: ReviewingDeps, reading: ReviewReading, ends: ReviewEnds) {
    this.#deps = deps
    this.#reading = reading
    this.#ends = ends
  }

  /**
   * Releases a message. Recipients on the account's suppression list are left out. Idempotent.
   *
   * @throws ServiceError `not_found`, `account_suspended`, `account_deletion_pending`, `recipient_suppressed` if nobody would be left
   */
  async approve(messageId: string, { by }: Decision): Promise<ReviewOutcome> {
    return this.#decide(messageId, 'approve', checkedBy(by), null)
  }

  /** @param decision `note` is shown to the sender @throws ServiceError `not_found`, `invalid_request` */
  async reject(messageId: string, { by, note = '' }: Decision & { note?: string | undefined }): Promise<ReviewOutcome> {
    return this.#decide(messageId, 'reject', checkedBy(by), note.trim() === '' ? null : checkedNote(note))
  }

  /** Rejects a message and suspends its account. @param decision `reason` is shown to the owner @throws ServiceError as both */
  async suspend(messageId: string, { by, reason }: Decision & { reason: string }): Promise<ReviewOutcome> {
    const found = await this.#reading.mustFind(messageId)
    const { accountId } = found.mailbox
    const earlier = await this.#earlierOf(found)
    if (earlier?.decision === 'approve') return earlier
    if (!earlier)
      await this.#deps.store.read(REVIEW_PARTITION, async (view) =>
        this.#waitsSince(found, await readPlace(view, messageId)),
      )
    if (accountId === null) throw notInReview(messageId)
    // First, since it validates the reason and the account.
    await this.#deps.accounts.suspend(accountId, reason)
    const note = checkedNote(reason)
    if (!earlier) return this.#decide(messageId, 'suspend', checkedBy(by), note)
    // The rejection of the same message was already reported to learners.
    const row = rowFor(found, { decision: 'suspend', by: checkedBy(by), note, now: this.#deps.clock.now() })
    await this.#deps.store.write(REVIEW_PARTITION, async (tx) => {
      const before = await readReview(tx, found.state.reviewId ?? '')
      if (before?.decision !== 'suspend') tx.put(logKey(row.id), encode(row))
    })
    return { ...earlier, account_suspended: true }
  }

  async #decide(messageId: string, decision: Kind, by: string, note: string | null): Promise<ReviewOutcome> {
    const found = await this.#reading.mustFind(messageId)
    const earlier = await this.#earlierOf(found)
    if (earlier) return earlier
    await this.#deps.store.read(REVIEW_PARTITION, async (view) =>
      this.#waitsSince(found, await readPlace(view, messageId)),
    )
    const account =
      found.mailbox.accountId === null ? undefined : await this.#deps.accounts.get(found.mailbox.accountId)
    const leftOut = decision === 'approve' ? await this.#mustBeSendable(found, account) : new Set<string>()

    const commit = async (tx: Transaction, mailbox: MailboxRecord): Promise<ReviewRow | undefined> => {
      const stored = await readStored(tx, messageId)
      if (!stored) throw notInReview(messageId)
      if (stored.state.reviewId !== undefined) return undefined
      const review = tx.in(REVIEW_PARTITION)
      const message = { ...stored, mailbox }
      const since = this.#waitsSince(message, await readPlace(review, messageId))
      const now = this.#deps.clock.now()
      const row = rowFor(message, { decision, by, note, now })
      const isApproved = decision === 'approve'
      const { accountId } = mailbox
      let state = decided(stored.state, { row, leftOut, now })
      if (isApproved) for (const task of approvalTasks({ ...message, state }, now)) this.#addTask(tx, task, now)
      if (accountId !== null) {
        if (isApproved) {
          const own = tx.in(accountPartition(accountId))
          state = await chargeFresh(own, state, this.#deps.clock)
          if (!isTrial(stored.state, this.#deps.isLocalDomain)) await learn(own, accountId, toldOf(stored), now)
        }
        await this.#countBlock(tx, accountId, { state: stored.state, since, isApproved })
      }
      await saveStatus(tx, mailbox, stored.state, await relabelled(tx, mailbox, state, now), now)
      await logDecision(review, row)
      return row
    }
    const row = await changeWithAccount(this.#deps.store, found.mailbox.id, commit, { also: [REVIEW_PARTITION] })
    if (!row) return present(await this.#earlierOf(await this.#reading.mustFind(messageId)))
    this.#deps.log.info(
      { message_id: messageId, mailbox_id: row.mailboxId, review_id: row.id, decision, by },
      'a held message was reviewed',
    )
    await this.#ends.tell(row)
    return this.#outcomeOf(await this.#reading.mustFind(messageId), row, true)
  }

  #addTask(tx: Transaction, { kind, id, payload, priority }: ReturnType<typeof relayTasks>[number], now: number): void {
    this.#deps.queue.add(tx, kind, { id, payload, due: now, lane: payload.mailbox_id, priority })
  }

  async #earlierOf(message: Reviewable): Promise<ReviewOutcome | undefined> {
    const { state } = message
    if (state.reviewId === undefined) return undefined
    const row = await this.#reading.decidedOf(message)
    if (row) return this.#outcomeOf(message, row, false)
    // Its log row has expired.
    const at = state.check?.reviewed_at ?? timestamp(state.updatedAt)
    const decision = isRejected(state) ? 'reject' : 'approve'
    return { ...(await this.#outcomeOf(message, { decision, by: REVIEWED_BY, at: 0 }, false)), at }
  }

  /** @throws ServiceError if there is nothing to decide */
  #waitsSince(message: Reviewable, place: ReviewPlace | undefined): number {
    const { id, status, trashed } = message.state
    if (trashed || status === 'cancelled') throw notInReview(id)
    const at = place?.at ?? 0
    if ((status === 'held' || status === 'blocked') && isWaiting(message, status, at, this.#deps.clock.now())) return at
    if (status !== 'blocked') throw notInReview(id)
    throw invalidRequest(
      `${id} was blocked more than 7 days ago.`,
      'Its sender can send it again; when it is blocked again, approve that one.',
    )
  }

  /** A rejection counts as a block; an approval uncounts the guard's block. */
  async #countBlock(
    tx: Transaction,
    accountId: string,
    { state, since, isApproved }: { state: MessageState; since: number; isApproved: boolean },
  ): Promise<void> {
    if (isTrial(state, this.#deps.isLocalDomain)) return
    const addresses = state.recipients.map(({ address }) => address)
    const simulated = simulatedDecision(addresses, this.#deps.isLocalDomain)
    const before =
      state.status === 'blocked'
        ? blocksOf({ decision: 'block' }, simulated, addresses, this.#deps.isLocalDomain).blocks
        : 0
    const blocks = (isApproved ? 0 : 1) - before
    await this.#deps.accounts.countWithin(
      tx,
      accountId,
      { ...NO_OUTCOMES, blocks },
      before > 0 ? since : this.#deps.clock.now(),
    )
  }

  /** @returns recipients left out @throws ServiceError if it cannot be sent */
  async #mustBeSendable({ state }: Reviewable, account: AccountRecord | undefined): Promise<Set<string>> {
    if (!account) throw notInReview(state.id)
    refuseStopped(account)
    const addresses = state.recipients.map(({ address }) => address)
    const leftOut = new Set(await this.#deps.suppressions.among(account.id, addresses))
    if (!addresses.every((address) => leftOut.has(addressKey(address)))) return leftOut
    throw new ServiceError(
      'recipient_suppressed',
      'Every recipient of this message was added to the suppression list of its account since, so nobody would get it.',
      'Reject it. Its sender sees the list with GET /v1/suppressions, and can remove addresses and send again.',
    )
  }

  async #outcomeOf(
    { state, mailbox }: Reviewable,
    { decision, by, at }: Pick<ReviewRow, 'decision' | 'by' | 'at'>,
    isFirst: boolean,
  ): Promise<ReviewOutcome> {
    const isPending = state.status === 'queued' || state.status === 'sending'
    const heldBy = await Promise.all(
      state.recipients.map(({ address }) => {
        const domain = domainOf(address)
        return this.#deps.heldBy?.({ id: `${state.id}:${domain}`, messageId: state.id, mailboxId: mailbox.id, domain })
      }),
    )
    return {
      message_id: state.id,
      status: state.status,
      is_first: isFirst,
      decision,
      by,
      at: timestamp(at),
      left_out: state.recipients
        .filter(({ detail }) => decision === 'approve' && detail === LEFT_OUT)
        .map(({ address }) => ({ address, why: LEFT_OUT })),
      held_by: (isPending ? heldBy.find((name) => name !== undefined) : undefined) ?? null,
      account_suspended: decision === 'suspend',
    }
  }
}

function refuseStopped({ id, status }: AccountRecord): void {
  if (status === 'suspended') {
    throw new ServiceError(
      'account_suspended',
      'The account of its sender is suspended, and sends nothing.',
      `Reject it, or reinstate the account first: restante account reinstate ${id}`,
    )
  }
  if (status === 'deletion_pending') {
    throw new ServiceError(
      'account_deletion_pending',
      'The account of its sender is about to be deleted, and sends nothing.',
      'Reject it, or leave it: it is deleted with the account.',
    )
  }
}

/** @throws ServiceError `invalid_request` */
function checkedNote(given: string): string {
  const note = given.trim()
  if (isLine(note)) return note
  throw invalidRequest("The note can't be used.", `Give one line of at most ${MAX_LINE_CHARS} characters.`, [
    { field: 'note', problem: `at most ${MAX_LINE_CHARS} characters on one line` },
  ])
}

function checkedBy(by: string): string {
  if (by.length >= 1 && by.length <= 320 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(by)) return by
  throw invalidRequest('The reviewer is missing or invalid.', 'Give an email address, or a name on one line.', [
    { field: 'by', problem: '1 to 320 characters on one line' },
  ])
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a decision without its row')
  return value
}

/** One task for each domain with waiting recipients. */
function approvalTasks({ mailbox, state, content }: Reviewable, now: number): ReturnType<typeof relayTasks> {
  const pending = state.recipients.filter(({ status }) => !hasEnded(status)).map(({ address }) => address)
  const isReply = content.in_reply_to !== null
  const priority = priorityOf({ recipients: pending.length, isReply, sentToday: sentToday(mailbox, now) })
  return relayTasks(mailbox.id, state.id, pending, priority)
}
