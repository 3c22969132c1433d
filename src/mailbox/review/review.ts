/**
 * A person decides about what the guard held or blocked. One commit makes it true: the message with its event, the tasks that deliver it, its new
 * recipients, the account's count of blocks, its place in the list, and the log. Whoever comes first wins that commit, and the other is told. That the
 * guard learns from it comes right after, or at the next start.
 */
import { accountPartition } from '../../accounts/record.js'
import { NO_OUTCOMES } from '../../accounts/outcomes.js'
import type { Suppressions } from '../../accounts/suppressions.js'
import type { AccountRecord, Accounts } from '../../accounts/types.js'
import type { GuardReason, GuardSubject, GuardVerdict } from '../../guard/types.js'
import { timestamp } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import { addressKey, domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import { encode } from '../../store/keys.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Transaction } from '../../store/types.js'
import { storedSubject } from '../decisions/guard-check.js'
import { relabelled } from '../decisions/release.js'
import type { MessageState } from '../message.js'
import { readStored } from '../message-rows.js'
import { chargeFresh } from '../decisions/new-recipients.js'
import type { Recipient } from '../objects/objects.js'
import { changeWithAccount } from '../record.js'
import { createReviewCare } from './upkeep.js'
import type { ReviewCare } from './upkeep.js'
import type { ReviewOutcome } from './objects.js'
import { createReviewReading, isWaiting, notInReview } from './reading.js'
import type { Reviewable, ReviewReading, ReviewReadingDeps } from './reading.js'
import { logDecision, logKey, readPlace, readReview, REVIEW_PARTITION } from './rows.js'
import type { ReviewPlace, ReviewRow } from './rows.js'
import { isSimulatorAddress, simulatedDecision } from '../decisions/simulator.js'
import { hasEnded, moved, saveStatus } from '../status.js'
import { blocksOf } from '../decisions/counted-outcomes.js'
import type { OwnDomain } from '../decisions/counted-outcomes.js'
import { priorityOf, relayTasks, sentToday } from '../tasks.js'
import type { MailboxRecord } from '../types.js'
import { createReviewEnds } from './feedback.js'

/** What learns from decisions; told after the commit, at least once. */
export interface Reviewed {
  messageId: string
  accountId: string | null
  decision: 'approve' | 'reject'
  by: string
  at: number
  /** Nobody but the simulator was to get it. */
  isTrial: boolean
  subject: GuardSubject
  /** What the guard had said. */
  verdict: GuardVerdict
}

export interface ReviewingDeps extends ReviewReadingDeps {
  queue: Pick<WorkQueue, 'add'>
  accounts: Pick<Accounts, 'get' | 'suspend' | 'countWithin'>
  suppressions: Pick<Suppressions, 'among'>
  isLocalDomain: OwnDomain
  /** Name of the operator's rule that holds a task back, if one does. */
  heldBy?:
    ((task: { id: string; messageId: string; mailboxId: string; domain: string }) => string | undefined) | undefined
  onReviewed?: ((review: Reviewed) => Promise<void>) | undefined
  /** How long the log is kept. */
  logMs: number
  log: Pick<Log, 'info' | 'error'>
}

export interface Decision {
  /** Email of a person of the staff, or `cli:` and a user of the machine; 1 to 320 characters. */
  by: string
}

export interface Reviewing extends Pick<ReviewReading, 'list' | 'read' | 'log' | 'counts' | 'oldest'>, ReviewCare {
  /**
   * Lets a message go. Recipients on the account's suppression list are left out. Again it changes nothing.
   *
   * @throws ServiceError `not_found`, `account_suspended`, `account_deletion_pending`, `recipient_suppressed` when nobody would be left
   */
  approve(messageId: string, decision: Decision): Promise<ReviewOutcome>
  /** It is not sent. @param decision `note` is for the sender to read @throws ServiceError `not_found`, `invalid_request` for such a note */
  reject(messageId: string, decision: Decision & { note?: string | undefined }): Promise<ReviewOutcome>
  /** Rejects it, and suspends the account of its sender. @param decision `reason` is for its owner to read @throws ServiceError as both */
  suspend(messageId: string, decision: Decision & { reason: string }): Promise<ReviewOutcome>
}

/** What agents and owners are told of who decided; the person is in the review log alone. */
export const REVIEWED_BY = 'staff'
const REJECTED = 'rejected_by_staff'
const MAX_NOTE_CHARS = 500

type Kind = ReviewRow['decision']

export function createReviewing(deps: ReviewingDeps): Reviewing {
  const { store, queue, clock, accounts, log } = deps
  const reading = createReviewReading(deps)
  const ends = createReviewEnds({ ...deps, reading, reviewedOf: (...args) => reviewedOf(...args, deps.isLocalDomain) })

  async function decide(messageId: string, decision: Kind, by: string, note: string | null): Promise<ReviewOutcome> {
    const found = await reading.mustFind(messageId)
    const earlier = await earlierOf(found)
    if (earlier) return earlier
    await store.read(REVIEW_PARTITION, async (view) => waitsSince(found, await readPlace(view, messageId)))
    const account = found.mailbox.accountId === null ? undefined : await accounts.get(found.mailbox.accountId)
    const leftOut = decision === 'approve' ? await mustBeSendable(found, account) : new Set<string>()

    const commit = async (tx: Transaction, mailbox: MailboxRecord): Promise<ReviewRow | undefined> => {
      const stored = await readStored(tx, messageId)
      if (!stored) throw notInReview(messageId)
      if (stored.state.reviewId !== undefined) return undefined
      const review = tx.in(REVIEW_PARTITION)
      const message = { ...stored, mailbox }
      const since = waitsSince(message, await readPlace(review, messageId))
      const now = clock.now()
      const row = rowFor(message, { decision, by, note, now })
      const isApproved = decision === 'approve'
      const { accountId } = mailbox
      let state = decided(stored.state, { row, leftOut, now })
      if (isApproved) for (const task of approvalTasks({ ...message, state }, now)) addTask(tx, task, now)
      if (accountId !== null) {
        if (isApproved) state = await chargeFresh(tx.in(accountPartition(accountId)), state, clock)
        await countBlock(tx, accountId, { state: stored.state, since, isApproved })
      }
      await saveStatus(tx, mailbox, stored.state, await relabelled(tx, mailbox, state, now), now)
      await logDecision(review, row)
      return row
    }
    const row = await changeWithAccount(store, found.mailbox.id, commit, { also: [REVIEW_PARTITION] })
    if (!row) return present(await earlierOf(await reading.mustFind(messageId)))
    log.info(
      { message_id: messageId, mailbox_id: row.mailboxId, review_id: row.id, decision, by },
      'a held message was reviewed',
    )
    await ends.tell(row)
    return outcomeOf(await reading.mustFind(messageId), row, true)
  }

  function addTask(
    tx: Transaction,
    { kind, id, payload, priority }: ReturnType<typeof relayTasks>[number],
    now: number,
  ) {
    queue.add(tx, kind, { id, payload, due: now, lane: payload.mailbox_id, priority })
  }

  /** What became of a message that a person has decided about. */
  async function earlierOf(message: Reviewable): Promise<ReviewOutcome | undefined> {
    const { state } = message
    if (state.reviewId === undefined) return undefined
    const row = await reading.decidedOf(message)
    if (row) return outcomeOf(message, row, false)
    // Its row has had its time.
    const at = state.check?.reviewed_at ?? timestamp(state.updatedAt)
    const decision = isRejected(state) ? 'reject' : 'approve'
    return { ...outcomeOf(message, { decision, by: REVIEWED_BY, at: 0 }, false), at }
  }

  /** @throws ServiceError when nobody has to decide about it */
  function waitsSince(message: Reviewable, place: ReviewPlace | undefined): number {
    const { id, status, trashed } = message.state
    if (trashed || status === 'cancelled') throw notInReview(id)
    const at = place?.at ?? 0
    if ((status === 'held' || status === 'blocked') && isWaiting(message, status, at, clock.now())) return at
    throw status === 'blocked' ? tooLate(id) : notInReview(id)
  }

  /** A rejection counts as a block, and an approval takes back the one that was counted when the guard blocked it. */
  async function countBlock(
    tx: Transaction,
    accountId: string,
    { state, since, isApproved }: { state: MessageState; since: number; isApproved: boolean },
  ): Promise<void> {
    if (isTrial(state, deps.isLocalDomain)) return
    const addresses = state.recipients.map(({ address }) => address)
    const simulated = simulatedDecision(addresses, deps.isLocalDomain)
    const before =
      state.status === 'blocked' ? blocksOf({ decision: 'block' }, simulated, addresses, deps.isLocalDomain).blocks : 0
    const blocks = (isApproved ? 0 : 1) - before
    await accounts.countWithin(tx, accountId, { ...NO_OUTCOMES, blocks }, before > 0 ? since : clock.now())
  }

  /** @returns the recipients who are left out @throws ServiceError when it can't be sent */
  async function mustBeSendable({ state }: Reviewable, account: AccountRecord | undefined): Promise<Set<string>> {
    if (!account) throw notInReview(state.id)
    refuseStopped(account)
    const addresses = state.recipients.map(({ address }) => address)
    const leftOut = new Set(await deps.suppressions.among(account.id, addresses))
    if (!addresses.every((address) => leftOut.has(addressKey(address)))) return leftOut
    throw new ServiceError(
      'recipient_suppressed',
      'Every recipient of this message has come onto the suppression list of its account since, so nobody would get it.',
      'Reject it; its sender sees the list with GET /v1/suppressions, and can send again to whom it takes off.',
    )
  }

  function outcomeOf(
    { state, mailbox }: Reviewable,
    { decision, by, at }: Pick<ReviewRow, 'decision' | 'by' | 'at'>,
    isFirst: boolean,
  ): ReviewOutcome {
    const isPending = state.status === 'queued' || state.status === 'sending'
    const heldBy = state.recipients.map(({ address }) => {
      const domain = domainOf(address)
      return deps.heldBy?.({ id: `${state.id}:${domain}`, messageId: state.id, mailboxId: mailbox.id, domain })
    })
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

  return {
    list: reading.list,
    read: reading.read,
    log: reading.log,
    counts: reading.counts,
    oldest: reading.oldest,
    ...createReviewCare({ ...deps, reading, ends }),

    approve: (messageId, { by }) => decide(messageId, 'approve', checkedBy(by), null),

    reject: async (messageId, { by, note }) =>
      decide(messageId, 'reject', checkedBy(by), note === undefined || note.trim() === '' ? null : checkedNote(note)),

    async suspend(messageId, { by, reason }) {
      const found = await reading.mustFind(messageId)
      const { accountId } = found.mailbox
      const earlier = await earlierOf(found)
      if (earlier?.decision === 'approve') return earlier
      if (!earlier)
        await store.read(REVIEW_PARTITION, async (view) => waitsSince(found, await readPlace(view, messageId)))
      if (accountId === null) throw notInReview(messageId)
      // First, since it is what refuses a reason, or an account that can't be suspended.
      await accounts.suspend(accountId, reason)
      const note = checkedNote(reason)
      if (!earlier) return decide(messageId, 'suspend', checkedBy(by), note)
      // Of the same message, which those who learn were told of before.
      const row = rowFor(found, { decision: 'suspend', by: checkedBy(by), note, now: clock.now() })
      await store.write(REVIEW_PARTITION, async (tx) => {
        const before = await readReview(tx, found.state.reviewId ?? '')
        if (before?.decision !== 'suspend') tx.put(logKey(row.id), encode(row))
      })
      return { ...earlier, account_suspended: true }
    },
  }
}

/** A task for each domain that somebody still waits at. */
function approvalTasks({ mailbox, state, content }: Reviewable, now: number): ReturnType<typeof relayTasks> {
  const pending = state.recipients.filter(({ status }) => !hasEnded(status)).map(({ address }) => address)
  const isReply = content.in_reply_to !== null
  const priority = priorityOf({ recipients: pending.length, isReply, sentToday: sentToday(mailbox, now) })
  return relayTasks(mailbox.id, state.id, pending, priority)
}

const LEFT_OUT = '5.7.1 not sent: on the suppression list of the account since it was held'

interface Change {
  row: ReviewRow
  /** Keys of the addresses that are left out. */
  leftOut: ReadonlySet<string>
  now: number
}

/** The message as it is after the decision. What the guard decided stays with it; that a person looked is said beside. */
function decided(state: MessageState, { row, leftOut, now }: Change): MessageState {
  const check = state.check && { ...state.check, reviewed_by: REVIEWED_BY, reviewed_at: timestamp(now) }
  if (row.decision === 'approve') {
    const recipients = state.recipients.map((recipient) =>
      leftOut.has(addressKey(recipient.address)) ? ended(recipient, now) : recipient,
    )
    return { ...moved(state, 'queued'), recipients, check, reviewId: row.id }
  }
  const reason: GuardReason = {
    code: REJECTED,
    detail:
      row.decision === 'reject' && row.note !== null
        ? row.note
        : 'A person looked at it and decided that it is not sent',
  }
  const blocked = state.status === 'blocked' ? state : moved(state, 'blocked')
  return { ...blocked, check: check && { ...check, reasons: [reason, ...check.reasons] }, reviewId: row.id }
}

function ended(recipient: Recipient, now: number): Recipient {
  return { ...recipient, status: 'bounced', detail: LEFT_OUT, next_attempt_at: null, at: timestamp(now) }
}

const isRejected = ({ check }: MessageState): boolean => check?.reasons[0]?.code === REJECTED

function rowFor(
  { state, mailbox }: Reviewable,
  { decision, by, note, now }: Pick<ReviewRow, 'decision' | 'by' | 'note'> & { now: number },
): ReviewRow {
  const reasons = (state.check?.reasons ?? []).filter(({ code }) => code !== REJECTED)
  return {
    id: newId('rev', now),
    messageId: state.id,
    mailboxId: mailbox.id,
    accountId: mailbox.accountId,
    decision,
    by,
    at: now,
    note,
    guard: {
      category: state.check?.category ?? 'legitimate',
      decision: state.check?.decision ?? 'hold',
      codes: [...new Set(reasons.map(({ code }) => code))],
    },
  }
}

/** Nobody but the simulator was to get it, which speaks neither for its account nor against it. */
function isTrial({ recipients }: MessageState, isLocalDomain: OwnDomain): boolean {
  return recipients.every(({ address }) => isSimulatorAddress(address, isLocalDomain))
}

/** What is told of a decision. */
function reviewedOf(row: ReviewRow, message: Reviewable, trust: number, isLocalDomain: OwnDomain): Reviewed {
  const check = message.state.check
  return {
    messageId: row.messageId,
    accountId: row.accountId,
    decision: row.decision === 'approve' ? 'approve' : 'reject',
    by: row.by,
    at: row.at,
    isTrial: isTrial(message.state, isLocalDomain),
    subject: storedSubject(message, trust),
    verdict: {
      category: row.guard.category,
      scores: check?.scores ?? {},
      decision: row.guard.decision,
      reasons: (check?.reasons ?? []).filter(({ code }) => code !== REJECTED),
    },
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
      'Reject it, or leave it: it goes with the account.',
    )
  }
}

/** @throws ServiceError `invalid_request` */
function checkedNote(given: string): string {
  const note = given.trim()
  if (note.length <= MAX_NOTE_CHARS && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(note)) return note
  throw invalidRequest("The note can't be used.", `Give one line of at most ${MAX_NOTE_CHARS} characters.`, [
    { field: 'note', problem: `at most ${MAX_NOTE_CHARS} characters on one line` },
  ])
}

function checkedBy(by: string): string {
  if (by.length >= 1 && by.length <= 320 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(by)) return by
  throw invalidRequest('It is not said who decides.', 'Give an email address, or a name on one line.', [
    { field: 'by', problem: '1 to 320 characters on one line' },
  ])
}

function tooLate(messageId: string): ServiceError {
  return invalidRequest(
    `${messageId} was blocked more than 7 days ago.`,
    'Its sender can send it again; when it is blocked again, approve that one.',
  )
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a decision without its row')
  return value
}
