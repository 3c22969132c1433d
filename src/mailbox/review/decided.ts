/** Effects of a review decision on a message. */
import type { GuardReason, GuardSubject, GuardVerdict } from '../../guard/types.js'
import { timestamp } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { addressKey } from '../../mime/address.js'
import type { OwnDomain } from '../decisions/counted-outcomes.js'
import { isSimulatorAddress } from '../decisions/simulator.js'
import type { MessageState } from '../message.js'
import type { Recipient } from '../objects/objects.js'
import { moved } from '../status.js'
import type { Reviewable } from './reading.js'
import type { ReviewRow } from './rows.js'

/** Reviewer as shown to agents and owners; the name is in the review log only. */
export const REVIEWED_BY = 'staff'
const REJECTED = 'rejected_by_staff'

/** Input for learning from decisions; delivered after the commit, at least once. */
export interface Reviewed {
  messageId: string
  accountId: string | null
  decision: 'approve' | 'reject'
  by: string
  at: number
  /** True if all recipients are simulated. */
  isTrial: boolean
  subject: GuardSubject
  verdict: GuardVerdict
}

export const LEFT_OUT = '5.7.1 not sent: on the suppression list of the account since it was held'

interface Change {
  row: ReviewRow
  /** Keys of the addresses left out. */
  leftOut: ReadonlySet<string>
  now: number
}

/** The message after the decision. The guard's decision stays, the review is added. */
export function decided(state: MessageState, { row, leftOut, now }: Change): MessageState {
  const check = state.check && { ...state.check, reviewed_by: REVIEWED_BY, reviewed_at: timestamp(now) }
  if (row.decision === 'approve') {
    const recipients = state.recipients.map((recipient) =>
      leftOut.has(addressKey(recipient.address)) ? ended(recipient, now) : recipient,
    )
    return { ...moved(state, 'queued'), recipients, check, reviewId: row.id }
  }
  const reason: GuardReason = {
    code: REJECTED,
    detail: row.decision === 'reject' && row.note !== null ? row.note : 'Staff reviewed the message and rejected it',
  }
  const blocked = state.status === 'blocked' ? state : moved(state, 'blocked')
  return { ...blocked, check: check && { ...check, reasons: [reason, ...check.reasons] }, reviewId: row.id }
}

function ended(recipient: Recipient, now: number): Recipient {
  return { ...recipient, status: 'bounced', detail: LEFT_OUT, next_attempt_at: null, at: timestamp(now) }
}

export const isRejected = ({ check }: MessageState): boolean => check?.reasons[0]?.code === REJECTED

export function rowFor(
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

/** True if all recipients are simulated; such mail counts neither for nor against its account. */
export function isTrial({ recipients }: MessageState, isLocalDomain: OwnDomain): boolean {
  return recipients.every(({ address }) => isSimulatorAddress(address, isLocalDomain))
}

/** @param subject the message as the guard was told of it */
export function reviewedOf(
  row: ReviewRow,
  message: Reviewable,
  subject: GuardSubject,
  isLocalDomain: OwnDomain,
): Reviewed {
  const check = message.state.check
  return {
    messageId: row.messageId,
    accountId: row.accountId,
    decision: row.decision === 'approve' ? 'approve' : 'reject',
    by: row.by,
    at: row.at,
    isTrial: isTrial(message.state, isLocalDomain),
    subject,
    verdict: {
      category: row.guard.category,
      scores: check?.scores ?? {},
      decision: row.guard.decision,
      reasons: (check?.reasons ?? []).filter(({ code }) => code !== REJECTED),
    },
  }
}
