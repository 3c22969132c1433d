/** Examples of accounts, usage and exports in the API description. */
import type { Suppression } from '../../../accounts/suppressions.js'
import type { Usage } from '../../../accounts/types.js'
import { MAILBOX_ID, MESSAGE_ID } from '../mail-examples.js'

const ACCOUNT_ID = 'acc_01K7E8GQ5M1T9Q4Y7RZV3B2XNE'
export const EXPORT_ID = 'exp_01K7E8GQ5M1T9Q4Y7RZV3B2XNF'
const CREATED = '2026-10-02T08:15:00.000Z'
const STARTED = '2026-11-22T10:39:23.719Z'
const ENDS = '2026-12-22T10:39:23.719Z'

export const mailboxExample = {
  id: MAILBOX_ID,
  object: 'mailbox',
  address: 'weather.agent@agents.example',
  aliases: [],
  display_name: 'Weather',
  agent_name: 'Weather helper',
  status: 'claimed',
  signature: { text: 'The weather agent of Ada Lovelace', html: null },
  auto_labels: [{ from: '*.example.org', subject_contains: 'invoice', labels: ['invoices'], mark_read: false }],
  receive_only_allowed: false,
  send_only_allowed: false,
  paused: null,
  requires_approval: false,
  approval_days: 7,
  message_count: 310,
  received_count: 214,
  sent_count: 96,
  used_bytes: 4_218_030,
  last_event_seq: 742,
  created_at: CREATED,
  claimed_at: '2026-10-02T08:21:30.000Z',
}

export const accountExample = {
  id: ACCOUNT_ID,
  object: 'account',
  owner: 'grace@example.org',
  status: 'active',
  deletion: null,
  mailboxes: [{ id: MAILBOX_ID, object: 'mailbox', address: 'weather.agent@agents.example' }],
  mailbox_count: 1,
  created_at: CREATED,
}

export const deletionExample = {
  account_id: ACCOUNT_ID,
  status: 'deletion_pending',
  started_at: STARTED,
  ends_at: ENDS,
  next_steps: [
    `Until ${ENDS} take it back with POST /v1/account/deletion/cancel and this same key, or let the owner sign in and cancel.`,
    'Do nothing, and every mailbox of the account is removed then with all mail.',
  ],
}

const WEEK = { sent: 41, delivered: 40, bounced: 0, complaints: 0, blocks: 0, active_days: 5 }
const MONTH = { sent: 96, delivered: 93, bounced: 1, complaints: 0, blocks: 0, active_days: 19 }

export const usageExample: Usage = {
  plan: 'free',
  trust_level: 0,
  mailboxes: 1,
  storage: { used_bytes: 4_218_030, limit_bytes: 1_073_741_824 },
  new_recipients: { used: 3, limit: 25, left: 22, resets_at: '2026-11-23T00:00:00.000Z' },
  messages: { sent: 96, received: 214, sent_today: 4, received_today: 11 },
  complaints: { last_30_days: 0 },
  outcomes: { last_7_days: WEEK, last_30_days: MONTH },
  requests_per_minute: 600,
  limits: {
    recipients_per_message: 50,
    message_bytes: 26_214_400,
    attachments_per_message: 50,
    long_poll_seconds: 60,
  },
  trust: { is_pinned: false, last_change: null },
  next_level: {
    level: 1,
    new_recipients_per_day: 50,
    requires:
      '7 active days within 30 days with at least 50 delivered messages, fewer than 2 % bounces, no complaint and no blocked message',
    needs: { active_days: 7, delivered: 50, under_bounce_percent: 2, complaints: 0, blocks: 0, within_days: 30 },
    progress: { active_days: 5, delivered: 40, bounce_percent: 1.1, complaints: 0, blocks: 0 },
  },
  suspension_lines: {
    days: 7,
    recipients: 40,
    min_recipients: 100,
    bounce_percent: 0,
    max_bounce_percent: 10,
    complaint_percent: 0,
    max_complaint_percent: 0.3,
  },
}

export const suppressionExample: Suppression = {
  id: 'nobody@example.org',
  object: 'suppression',
  address: 'nobody@example.org',
  reason: 'bounce',
  message_id: MESSAGE_ID,
  detail: '550 5.1.1 no such user',
  created_at: STARTED,
}

export const exportQueuedExample = {
  id: EXPORT_ID,
  object: 'export',
  state: 'queued',
  progress: { messages: 0, messages_total: 310, bytes: 0 },
  download_url: null,
  size_bytes: null,
  problem: null,
  created_at: STARTED,
  ready_at: null,
  expires_at: null,
}

export const exportReadyExample = {
  ...exportQueuedExample,
  state: 'ready',
  progress: { messages: 310, messages_total: 310, bytes: 4_218_030 },
  download_url: 'https://mail.agents.example/export/01K7E8GQ5M1T9Q4Y7RZV3B2XNF-3FBNuhm0Anhn15e8O5rBCV710QhX36UD',
  size_bytes: 1_104_233,
  ready_at: '2026-11-22T10:39:31.004Z',
  expires_at: '2026-11-29T10:39:31.004Z',
}
