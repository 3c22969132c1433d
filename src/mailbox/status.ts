/** The states of an outbound message: which follow on which, how they come from its recipients' states, and the event of each change. */
import { timestamp } from '../lib/clock.js'
import type { Transaction } from '../store/types.js'
import { appendEvent } from './events.js'
import type { MessageState } from './message.js'
import { saveMessage } from './message-rows.js'
import type { MessageStatus, Recipient, RecipientStatus } from './objects/objects.js'
import { shownRecipients } from './objects/shown-recipients.js'
import type { MailboxRecord } from './mailbox-record.js'

/**
 * What may follow on what. A message that is `sending` or `sent` stays there while results come in; it ends when all recipients have.
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

/** @throws Error when the step is not in the table: a fault of ours */
export function moved(state: MessageState, status: MessageStatus): MessageState {
  if (!TRANSITIONS[state.status].includes(status)) {
    throw new Error(`Message ${state.id} can't go from ${state.status} to ${status}`)
  }
  if (status !== 'sending') return { ...state, status }
  // What leaves gives nothing back.
  const { fresh: _fresh, freshCountedOn: _day, ...left } = state
  return { ...left, status }
}

/** Whether nothing more will be tried for a recipient. */
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

/** The status that follows from the recipients' once the first try has begun. Who complained has received. */
export function statusFrom(recipients: Recipient[]): MessageStatus {
  const have = recipients.filter(({ status }) => status === 'delivered' || status === 'complained').length
  if (!recipients.every(({ status }) => hasEnded(status))) return have > 0 ? 'sent' : 'sending'
  if (have === 0) return 'bounced'
  return have === recipients.length ? 'delivered' : 'partially_delivered'
}

/** Stores an outbound message's new state together with the `message.status` event that tells of it. @param before as it is stored */
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

/** The event of a state. */
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
    ...(state.sendAt !== undefined && { send_at: timestamp(state.sendAt) }),
    ...(state.cancelled && { cancelled: state.cancelled }),
  })
}
