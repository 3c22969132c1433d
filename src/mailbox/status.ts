/** States of an outbound message: transitions, how they follow from recipients' states, and their events. */
import { timestamp } from '../lib/clock.js'
import type { Transaction } from '../store/types.js'
import { appendEvent } from './events.js'
import { type MessageState, shownRecipients } from './message.js'
import { saveMessage } from './message-rows.js'
import type { MessageStatus, Recipient, RecipientStatus } from './objects/objects.js'
import type { MailboxRecord } from './mailbox-record.js'

/**
 * Transitions of a message's status. A message that is `sending` or `sent` stays there while results come in; it ends when all recipients have.
 *
 * | from       | to                                        | by                                              |
 * | ---------- | ----------------------------------------- | ----------------------------------------------- |
 * | `checking` | `queued`, `held`, `blocked`               | the guard's decision                            |
 * | `scheduled` | `queued`, `held`, `blocked`              | its time, and the guard's decision then         |
 * | `scheduled`, `checking`, `held`, `queued` | `cancelled` | its sender, or what stands in its way when its time comes |
 * | `held`     | `queued`, `blocked`                       | a person's approval or rejection                |
 * | `blocked`  | `queued`                                  | a person's approval of what the guard blocked   |
 * | `queued`   | `sending`                                 | the relay's first try                           |
 * | `sending`  | `sent`                                    | some recipients have it, others are still tried |
 * | `sending`, `sent` | `delivered`, `partially_delivered` | all have ended, and all or some have it         |
 * | `sending`  | `bounced`                                 | all have ended, and nobody has it               |
 * | `sent`     | `sending`, `bounced`                      | a report: who had it does not have it after all |
 * | `delivered`, `partially_delivered` | `partially_delivered`, `bounced` | such a report after the end (mailbox/sending/late-reports.ts) |
 */
export const TRANSITIONS: Record<MessageStatus, readonly MessageStatus[]> = {
  received: [],
  checking: ['queued', 'held', 'blocked', 'cancelled'],
  scheduled: ['queued', 'held', 'blocked', 'cancelled'],
  cancelled: [],
  held: ['queued', 'blocked', 'cancelled'],
  blocked: ['queued'],
  queued: ['sending', 'cancelled'],
  sending: ['sent', 'delivered', 'partially_delivered', 'bounced'],
  sent: ['delivered', 'partially_delivered', 'sending', 'bounced'],
  delivered: ['partially_delivered', 'bounced'],
  partially_delivered: ['bounced'],
  bounced: [],
}

/** @throws Error for a transition outside the table: a bug */
export function moved(state: MessageState, status: MessageStatus): MessageState {
  if (!TRANSITIONS[state.status].includes(status)) {
    throw new Error(`Message ${state.id} can't go from ${state.status} to ${status}`)
  }
  if (status !== 'sending') return { ...state, status }
  // Mail that left is not refunded.
  const { fresh: _fresh, freshCountedOn: _day, ...left } = state
  return { ...left, status }
}

/** True if no further attempt follows. */
export function hasEnded(status: RecipientStatus): boolean {
  switch (status) {
    case 'queued':
    case 'deferred':
    case 'checking':
    case 'scheduled':
    case 'held':
      return false
    case 'delivered':
    case 'bounced':
    case 'complained':
    case 'blocked':
    case 'cancelled':
      return true
  }
}

/** Status from the recipients', after the first attempt began. A complaint counts as delivered. */
export function statusFrom(recipients: Recipient[]): MessageStatus {
  const have = recipients.filter(({ status }) => status === 'delivered' || status === 'complained').length
  if (!recipients.every(({ status }) => hasEnded(status))) return have > 0 ? 'sent' : 'sending'
  if (have === 0) return 'bounced'
  return have === recipients.length ? 'delivered' : 'partially_delivered'
}

/** Stores a new state with its `message.status` event. @param before as stored */
export async function saveStatus(
  tx: Transaction,
  mailbox: MailboxRecord,
  before: MessageState,
  after: MessageState,
  now: number,
): Promise<void> {
  await saveMessage(tx, before, { ...after, updatedAt: now })
  appendStatus(mailbox, after, now)
}

/** What becomes of a send; their events say who asked for it. */
const DECIDED: ReadonlySet<MessageStatus> = new Set(['queued', 'held', 'blocked'])

export function appendStatus(mailbox: MailboxRecord, state: MessageState, now: number): void {
  appendEvent(mailbox, now, 'message.status', {
    message_id: state.id,
    thread_id: state.threadId,
    direction: state.direction,
    status: state.status,
    recipients: shownRecipients(state).map(({ address, status, smtp_code, detail, next_attempt_at }) => ({
      address,
      status,
      smtp_code,
      detail,
      next_attempt_at,
    })),
    check: state.check,
    ...(state.requestedBy && DECIDED.has(state.status) && { requested_by: state.requestedBy }),
    ...(state.sendAt !== undefined && { send_at: timestamp(state.sendAt) }),
    ...(state.cancelled && { cancelled: state.cancelled }),
  })
}
