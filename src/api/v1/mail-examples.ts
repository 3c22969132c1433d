/** Examples of messages and conversations in the API description. */
import type { Message, Thread } from '../../mailbox/objects/objects.js'

export const MAILBOX_ID = 'mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNB'
export const THREAD_ID = 'thr_01K7E8GQ5M1T9Q4Y7RZV3B2XNC'
export const MESSAGE_ID = 'msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'
export const OTHER_MESSAGE_ID = 'msg_01K7E8M3V0C6D2B8F5H4J9K1PQ'
export const OTHER_THREAD_ID = 'thr_01K7E8M3V0C6D2B8F5H4J9K1PR'
export const ATTACHMENT_ID = 'att_01K7E8GQ5M1T9Q4Y7RZV3B2XND'

const ADA = { address: 'ada@example.org', name: 'Ada Byron' }
const ARRIVED = '2026-11-20T09:30:00.000Z'
const DELETED = '2026-11-21T16:05:00.000Z'

export const messageExample: Message = {
  id: MESSAGE_ID,
  object: 'message',
  mailbox_id: MAILBOX_ID,
  thread_id: THREAD_ID,
  direction: 'inbound',
  status: 'received',
  from: ADA,
  to: [{ address: 'weather.agent@agents.example', name: null }],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Invoice 2026-114',
  preview: 'Here is the invoice for October.',
  text: 'Here is the invoice for October.\n\nAda\n',
  html: null,
  extracted_text: 'Here is the invoice for October.',
  extracted: { codes: [], links: [] },
  labels: ['inbox', 'invoices'],
  unread: false,
  size_bytes: 48_213,
  message_id: '5f2c1d@example.org',
  in_reply_to: null,
  references: [],
  headers: { subject: 'Invoice 2026-114' },
  automation: null,
  report: null,
  auth: {
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
    arc: 'none',
    spf_domain: 'example.org',
    dkim_domain: 'example.org',
    dkim_selector: 's1',
    dmarc_policy: 'reject',
  },
  scan: { virus: 'clean', spam: { score: 0.1, verdict: 'ham', reasons: [] } },
  untrusted: true,
  attachments: [
    {
      id: ATTACHMENT_ID,
      object: 'attachment',
      filename: 'invoice.pdf',
      content_type: 'application/pdf',
      size_bytes: 34_112,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      disposition: 'attachment',
      content_id: null,
      scan: 'clean',
      risk: [],
    },
  ],
  require_tls: false,
  composed_by: null,
  requested_by: null,
  check: null,
  recipients: [],
  sent_at: ARRIVED,
  created_at: ARRIVED,
  updated_at: ARRIVED,
}

export const threadExample: Thread = {
  id: THREAD_ID,
  object: 'thread',
  mailbox_id: MAILBOX_ID,
  subject: 'Invoice 2026-114',
  preview: 'Here is the invoice for October.',
  participants: [ADA],
  labels: ['inbox', 'invoices'],
  unread_count: 0,
  message_count: 1,
  has_attachments: true,
  last_message_id: MESSAGE_ID,
  last_direction: 'inbound',
  last_message_at: ARRIVED,
  created_at: ARRIVED,
}

/** Times of the deleted example message. */
export const trashTimesExample = { deleted_at: DELETED, purge_at: '2026-11-28T16:05:00.000Z' }
