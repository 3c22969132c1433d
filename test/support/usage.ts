/** The usage of an account that has sent nothing, with what a test changes of it. */
import type { Usage } from '../../src/accounts/types.js'

const NO_PERIOD = { sent: 0, delivered: 0, bounced: 0, complaints: 0, blocks: 0, active_days: 0 }

export function usageOf(changes: Partial<Usage> = {}): Usage {
  return {
    plan: 'free',
    trust_level: 0,
    mailboxes: 1,
    storage: { used_bytes: 0, limit_bytes: 1 },
    new_recipients: { used: 0, limit: 25, left: 25, resets_at: '2026-01-02T00:00:00.000Z' },
    messages: { sent: 0, received: 0, sent_today: 0, received_today: 0 },
    complaints: { last_30_days: 0 },
    requests_per_minute: 600,
    limits: { recipients_per_message: 50, message_bytes: 1, attachments_per_message: 20, long_poll_seconds: 60 },
    next_level: null,
    outcomes: { last_7_days: NO_PERIOD, last_30_days: NO_PERIOD },
    trust: { is_pinned: false, last_change: null },
    suspension_lines: {
      days: 7,
      recipients: 0,
      min_recipients: 100,
      bounce_percent: 0,
      max_bounce_percent: 10,
      complaint_percent: 0,
      max_complaint_percent: 0.3,
    },
    ...changes,
  }
}
