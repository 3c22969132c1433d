/** The usage of an account, what is left, when limits reset, and the requirements of the next level (GET /v1/account/usage). */
import { setImmediate } from 'node:timers/promises'
import { type Clock, timestamp, utcDay } from '../lib/clock.js'
import { sum, within, type DayCounts } from './outcomes.js'
import { dailyLimit, resetsAt } from './recipients.js'
import { changedOn, LINE_DAYS, lineCounts, MAX_LEVEL, percent, progressOf, RAISE } from './trust.js'
import type { AccountRecord, Pause, PeriodCounts, Trust, Usage } from './types.js'

export interface AccountMailbox {
  status: 'pending' | 'claimed'
  /** Time when its claim was declined; missing otherwise. */
  declinedAt?: number
  createdAt: number
  accountId: string | null
  /** Id of its claim; null or missing for the operator's own. */
  claimId?: string | null
  paused?: Pause
  usedBytes: number
  sentCount: number
  receivedCount: number
  today: { date: string; sent: number; received: number }
}

export interface AccountLimits {
  newRecipientsPerDay: number
  storageBytes: number
  requestsPerMinute: number
  recipientsPerMessage: number
  messageBytes: number
  attachmentsPerMessage: number
  longPollSeconds: number
}

const NEXT_LEVEL = `${RAISE.activeDays} active days within ${RAISE.days} days with at least ${RAISE.delivered} delivered messages, fewer than ${RAISE.bouncePercent} % bounces, no complaint and no blocked message`

const READ_AT_ONCE = 50

export async function readUsage(deps: {
  account: AccountRecord
  used: number
  trust: Trust
  mailboxIds: string[]
  mailbox: (mailboxId: string) => Promise<AccountMailbox | undefined>
  limits: AccountLimits
  clock: Clock
}): Promise<Usage> {
  const { account, used, trust, mailboxIds, limits, clock } = deps
  const today = utcDay(clock.now())
  const total = { mailboxes: 0, usedBytes: 0, sent: 0, received: 0, sentToday: 0, receivedToday: 0 }
  for (let i = 0; i < mailboxIds.length; i += READ_AT_ONCE) {
    // Reads may resolve within the tick: an account with thousands of mailboxes must not block the event loop.
    if (i > 0) await setImmediate()
    for (const mailbox of await Promise.all(mailboxIds.slice(i, i + READ_AT_ONCE).map((id) => deps.mailbox(id)))) {
      if (!mailbox) continue
      total.mailboxes++
      total.usedBytes += mailbox.usedBytes
      total.sent += mailbox.sentCount
      total.received += mailbox.receivedCount
      if (mailbox.today.date !== today) continue
      total.sentToday += mailbox.today.sent
      total.receivedToday += mailbox.today.received
    }
  }
  const limit = dailyLimit(limits.newRecipientsPerDay, account.trust)
  const next = account.trust + 1
  return {
    plan: 'free',
    trust_level: account.trust,
    mailboxes: total.mailboxes,
    storage: { used_bytes: total.usedBytes, limit_bytes: limits.storageBytes },
    new_recipients: { used, limit, left: Math.max(0, limit - used), resets_at: timestamp(resetsAt(clock)) },
    messages: {
      sent: total.sent,
      received: total.received,
      sent_today: total.sentToday,
      received_today: total.receivedToday,
    },
    complaints: { last_30_days: sum(within(trust.days, trust.today, 30)).complaints },
    outcomes: { last_7_days: periodOf(trust, 7), last_30_days: periodOf(trust, 30) },
    requests_per_minute: limits.requestsPerMinute,
    limits: {
      recipients_per_message: limits.recipientsPerMessage,
      message_bytes: limits.messageBytes,
      attachments_per_message: limits.attachmentsPerMessage,
      long_poll_seconds: limits.longPollSeconds,
    },
    trust: {
      is_pinned: trust.state.pinned,
      last_change: lastChangeOf(trust),
    },
    next_level:
      next > MAX_LEVEL
        ? null
        : {
            level: next,
            new_recipients_per_day: dailyLimit(limits.newRecipientsPerDay, next),
            requires: NEXT_LEVEL,
            ...nextLevel(trust),
          },
    suspension_lines: suspensionLines(trust),
  }
}

function periodOf({ days, today }: { days: readonly DayCounts[]; today: number }, count: number): PeriodCounts {
  const period = within(days, today, count)
  return { ...sum(period), active_days: period.filter(({ sent }) => sent > 0).length }
}

export function lastChangeOf({ state: { last } }: Pick<Trust, 'state'>): Usage['trust']['last_change'] {
  return last && { at: timestamp(last.at), from: last.from, to: last.to, by: last.by, reason: last.why }
}

function nextLevel({ days, today, state }: Trust): Pick<NonNullable<Usage['next_level']>, 'needs' | 'progress'> {
  const progress = progressOf(days, changedOn(state), today)
  return {
    needs: {
      active_days: RAISE.activeDays,
      delivered: RAISE.delivered,
      under_bounce_percent: RAISE.bouncePercent,
      complaints: 0,
      blocks: 0,
      within_days: RAISE.days,
    },
    progress,
  }
}

export function suspensionLines({ days, today, state, lines }: Trust): Usage['suspension_lines'] {
  const { sent, bounced, complaints } = lineCounts(days, state.cleared, today)
  return {
    days: LINE_DAYS,
    recipients: sent,
    min_recipients: lines.suspendMinRecipients,
    bounce_percent: percent(bounced, sent),
    max_bounce_percent: lines.suspendBouncePercent,
    complaint_percent: percent(complaints, sent),
    max_complaint_percent: lines.suspendComplaintPercent,
  }
}
