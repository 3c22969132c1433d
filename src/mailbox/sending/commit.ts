/** Stores an accepted message in one transaction. A large raw message is written before; if the commit fails, a sweep deletes it. */
import { dayOf } from '../../accounts/outcomes.js'
import { charge } from '../../accounts/recipients.js'
import { accountPartition } from '../../accounts/record.js'
import type { Note } from '../../audit/types.js'
import type { GuardVerdict } from '../../guard/types.js'
import { timestamp } from '../../lib/clock.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Transaction } from '../../store/types.js'
import { blocksOf } from '../decisions/counted-outcomes.js'
import { codesOf } from '../decisions/decision.js'
import { THREAD_RATE } from '../decisions/guard-check.js'
import { freshAmong } from '../decisions/new-recipients.js'
import { simulatedDecision } from '../decisions/simulator.js'
import { insertMessage } from '../delivery/insert.js'
import { DraftChangedError, dropDraft, filesOf, mustReadDraft, type DraftRecord, type Requester } from '../draft.js'
import { appendEvent } from '../events.js'
import { mailboxPartition } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Recipient, RequestedBy } from '../objects/objects.js'
import type { WrittenRaw } from '../raw.js'
import { changeWithin } from '../record.js'
import { enterReview, REVIEW_PARTITION } from '../review/rows.js'
import { appendStatus } from '../status.js'
import { addTasks, checkTask, priorityOf, relayTasks, SCHEDULED_KIND, sentToday } from '../tasks.js'
import { sendsTooOften } from '../threads/thread.js'
import { fateOf, isSame, judged, stateOf, type Counted, type Fate } from './fate.js'
import { earlierAnswer, rememberAnswer, type Retry } from './retries/idempotency.js'
import { isAnswer, type Prepared } from './prepare.js'
import type { Accepted } from './requests.js'
import { endReview } from './review-tasks.js'
import { MAX_SCHEDULED, tooManyScheduled } from './scheduled.js'
import { refusePaused } from './send-checks.js'
import type { SendDeps } from './send-deps.js'

/** The message turned out held or blocked, but the transaction does not include the review partition. */
class ReviewNeeded extends Error {}

interface Asked {
  /** Undefined for the mailbox's human. */
  by: Requester | undefined
  retry: Retry | undefined
  requestId: string | undefined
  /** A human has approved its draft. */
  isApproved: boolean
  note: Pick<Note, 'write'> | undefined
}

export async function commit(deps: SendDeps, prepared: Prepared, asked: Asked): Promise<Accepted> {
  const { mailbox, id, seen } = prepared
  const verdict = await judged(deps, prepared, seen)
  const written = await deps.contents.raws.write(mailbox.id, id, prepared.raw)
  const decided = { ...asked, written, verdict }
  try {
    return await insert(deps, prepared, decided, verdict.decision !== 'send')
  } catch (error) {
    if (!(error instanceof ReviewNeeded)) throw error
    return insert(deps, prepared, decided, true)
  }
}

interface Decided extends Asked {
  /** The raw message, if stored in the commit. */
  written: WrittenRaw
  verdict: GuardVerdict
}

/**
 * The transaction of a send: counts recipients, deletes the draft, adds message, thread, events, task and answer for retries.
 *
 * @param review true if it may hold or block the message
 * @throws ReviewNeeded if it would and may not
 */
async function insert(deps: SendDeps, prepared: Prepared, decided: Decided, review: boolean): Promise<Accepted> {
  const { store, queue, clock, limits, accounts } = deps
  const { id, now, mailbox, account, mail, content, recipients, counted, free, traits, seen } = prepared
  const { retry, written } = decided
  const partitions = [mailboxPartition(mailbox.id), accountPartition(account.id), ...(review ? [REVIEW_PARTITION] : [])]
  const isReply = content.in_reply_to !== null
  const priority = priorityOf({ recipients: recipients.length, isReply, sentToday: sentToday(mailbox, now) })

  const { answer, fate } = await store.write(partitions, (own) =>
    changeWithin(own, async (tx, record) => {
      const earlier = retry && (await earlierAnswer<Accepted>(tx, retry, now))
      if (earlier) return { answer: earlier, fate: undefined }
      refusePaused(record, decided.by)
      if (mail.draft) await take(tx, record, mail.draft)
      const accountTx = tx.in(accountPartition(account.id))
      const isLater = mail.sendAt !== undefined && decided.verdict.decision !== 'block'
      const found: Counted = isLater ? seen : await accounts.countMessage(accountTx, account.id, counted, free, traits)
      // The account sent other messages since the guard was asked.
      const verdict = isSame(found, seen) ? decided.verdict : await judged(deps, prepared, found)
      let fate = fateOf(deps, prepared, verdict, [])
      if (fate.sendAt !== undefined) {
        const scheduledCount = record.scheduledCount ?? 0
        if (scheduledCount >= MAX_SCHEDULED) throw tooManyScheduled()
        record.scheduledCount = scheduledCount + 1
      }
      const initial = initialState(prepared, decided, found, isLater)
      const state = await insertMessage(
        tx,
        record,
        {
          state: { ...initial, ...stateOf(fate, mail.labels) },
          content,
          raw: written.inline,
          threadId: mail.threadId,
        },
        limits,
        (fields, thread) => {
          // The thread turned out to be a loop.
          const isLoop = fate.sendAt === undefined && thread !== undefined && sendsTooOften(thread, now)
          if (isLoop) fate = fateOf(deps, prepared, verdict, [THREAD_RATE])
          const costs = initial.fresh && (fate.status === 'queued' || fate.status === 'checking')
          return { ...fields, ...stateOf(fate, mail.labels), ...(costs ? { freshCountedOn: dayOf(clock) } : {}) }
        },
      )
      const recent = { createdAt: now, content, raw: written.inline }
      tx.afterCommit(() => deps.contents.bodies.add(mailbox.id, state.seq, recent))
      const { status, sendAt, asksOthers } = fate
      appendStatus(record, { ...state, status: 'checking', check: null }, now)
      if (!asksOthers) appendStatus(record, state, now)
      if (mail.draft) endReview(queue, tx, mail.draft)
      if (mail.draft && decided.isApproved) {
        const { threadId, status } = state
        const about = { draft_id: mail.draft.id, message_id: id, thread_id: threadId, subject: mail.subject, status }
        appendEvent(record, now, 'draft.approved', about)
      }
      found.tell?.(status === 'queued' || status === 'checking')
      if (state.freshCountedOn !== undefined) await charge(accountTx, id, found.fresh, clock)
      if (status === 'held' || status === 'blocked') {
        if (!review) throw new ReviewNeeded()
        await enterReview(tx.in(REVIEW_PARTITION), { messageId: id, mailboxId: mailbox.id, list: status, at: now })
      }
      if (sendAt === undefined) {
        const simulated = simulatedDecision(recipients, deps.domains.isLocal)
        const blocks = blocksOf(fate.verdict, simulated, recipients, deps.domains.isLocal)
        await accounts.countWithin(tx, account.id, blocks)
      }
      addWork(queue, tx, prepared, fate, priority)
      decided.note?.write(tx, { subject: { message_id: id, recipients: String(recipients.length) } })
      const answer: Accepted = { id, thread_id: state.threadId, status: state.status }
      if (retry) rememberAnswer(tx, retry, answer, now + limits.idempotencyMs)
      return { answer, fate }
    }),
  )
  if (fate) await report(deps, prepared, decided, fate)
  return answer
}

function initialState(prepared: Prepared, { written, by }: Decided, found: Counted, isLater: boolean) {
  const { id, now, mail, raw, recipients } = prepared
  const envelope = recipients.map((address): Recipient => ({
    address,
    status: 'queued',
    smtp_code: null,
    detail: null,
    attempts: 0,
    next_attempt_at: null,
    at: timestamp(now),
  }))
  const fresh: ReturnType<typeof freshAmong> = isLater ? {} : freshAmong(envelope, found.fresh)
  return {
    id,
    direction: 'outbound' as const,
    unread: false,
    rawBytes: raw.length,
    ...written.place,
    recipients: envelope,
    newRecipientCount: found.fresh.length,
    ...fresh,
    ...(isAnswer(prepared) ? { isAnswer: true as const } : {}),
    ...(found.similar ? { similar: found.similar } : {}),
    ...(found.story ? { story: found.story } : {}),
    ...(mail.requireTls ? { requireTls: true as const } : {}),
    ...(mail.draft?.composedBy && { composedBy: mail.draft.composedBy }),
    requestedBy: requestedBy(by, mail.draft),
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Where the human approved a draft, who had asked them to. */
function requestedBy(by: Requester | undefined, draft: DraftRecord | undefined): RequestedBy {
  const asked = by ?? draft?.review?.by
  return asked ? { type: asked.type, key_id: asked.id } : { type: 'session', key_id: null }
}

function addWork(
  queue: WorkQueue,
  tx: Transaction,
  { id, now, mailbox, recipients }: Prepared,
  fate: Fate,
  priority: ReturnType<typeof priorityOf>,
) {
  const { status, sendAt, asksOthers } = fate
  if (sendAt !== undefined) {
    const payload = { mailbox_id: mailbox.id, message_id: id }
    queue.add(tx, SCHEDULED_KIND, { id, payload, due: sendAt, lane: mailbox.id, priority })
  } else if (asksOthers) addTasks(queue, tx, [checkTask(mailbox.id, id, priority)], now)
  else if (status === 'queued') addTasks(queue, tx, relayTasks(mailbox.id, id, recipients, priority), now)
}

async function report(
  deps: SendDeps,
  { id, mailbox, mail, recipients }: Prepared,
  { requestId }: Decided,
  { verdict, asksOthers, sendAt, status }: Fate,
): Promise<void> {
  deps.onDecision({
    messageId: id,
    mailboxId: mailbox.id,
    status,
    recipients: recipients.length,
    check: asksOthers || sendAt !== undefined ? null : codesOf(verdict),
    requestId,
  })
  // The message is accepted; leftover draft files are swept.
  for (const file of mail.draft ? filesOf(mail.draft) : [])
    if (file.in === 'blob')
      await deps.contents.blobs
        .delete(mailbox.id, file.id)
        .catch((err: unknown) => deps.log.warn({ err, message_id: id }, 'A file of a draft stays until the next sweep'))
}

/** Deletes the draft with the message's creation. @throws ServiceError if it is gone or was changed since it was composed */
async function take(tx: Transaction, mailbox: MailboxRecord, { id, revision }: DraftRecord): Promise<void> {
  const { draft } = await mustReadDraft(tx, id)
  if (draft.revision !== revision) throw new DraftChangedError()
  dropDraft(tx, mailbox, draft)
}
