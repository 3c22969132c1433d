/** What an account has used, what is left of it, when it resets, and what earns the next level (GET /v1/account/usage). */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../lib/clock.js'
import { timestamp, utcDay } from '../lib/clock.js'
import { dailyLimit, resetsAt } from './recipients.js'
import type { AccountRecord, Usage } from './types.js'

/** What accounts need to know of a mailbox. */
export interface AccountMailbox {
  status: 'pending' | 'claimed'
  accountId: string | null
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

const MAX_TRUST = 6

const NEXT_LEVEL =
  '7 active days within 30 days with at least 50 delivered messages, fewer than 2 % bounces, no complaint and no blocked message'

const READ_AT_ONCE = 50

export async function readUsage(deps: {
  account: AccountRecord
  /** New recipients of today. */
  used: number
  /** Of the last 30 days. */
  complaints: number
  mailboxIds: string[]
  mailbox: (mailboxId: string) => Promise<AccountMailbox | undefined>
  limits: AccountLimits
  clock: Clock
}): Promise<Usage> {
  const { account, used, complaints, mailboxIds, limits, clock } = deps
  const today = utcDay(clock.now())
  const total = { mailboxes: 0, usedBytes: 0, sent: 0, received: 0, sentToday: 0, receivedToday: 0 }
  for (let i = 0; i < mailboxIds.length; i += READ_AT_ONCE) {
    // Reads may answer within the tick: an account with thousands of mailboxes must not hold everybody else up.
    if (i > 0) await setImmediate()
    for (const mailbox of await Promise.all(mailboxIds.slice(i, i + READ_AT_ONCE).map(deps.mailbox))) {
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
    complaints: { last_30_days: complaints },
    requests_per_minute: limits.requestsPerMinute,
    limits: {
      recipients_per_message: limits.recipientsPerMessage,
      message_bytes: limits.messageBytes,
      attachments_per_message: limits.attachmentsPerMessage,
      long_poll_seconds: limits.longPollSeconds,
    },
    next_level:
      next > MAX_TRUST
        ? null
        : { level: next, new_recipients_per_day: dailyLimit(limits.newRecipientsPerDay, next), requires: NEXT_LEVEL },
  }
}
