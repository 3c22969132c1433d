/** A call of each tool in each of its forms, with what it needs to find. */
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { DownloadedAttachment } from '../../../src/mailbox/reading/reading.js'
import { ATTACHMENT, DRAFT, MESSAGE, THREAD } from '../support/fakes.js'

export interface EveryCall {
  tool: string
  args: object
  message?: Partial<Message>
  file?: Partial<DownloadedAttachment>
}

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex')
const message_id = MESSAGE
const words = { to: ['ada@example.org'], subject: 'Hello', text: 'A word.' }
const file = { message_id, attachment_id: ATTACHMENT }
const OUT = { direction: 'outbound', auth: null, scan: null, untrusted: false } as const
const STATUSES: Message['status'][] = ['checking', 'held', 'blocked', 'sending', 'delivered', 'bounced', 'cancelled']

export const EVERY_CALL: readonly EveryCall[] = [
  { tool: 'check_inbox', args: {} },
  { tool: 'check_inbox', args: { unread_only: false, label: 'spam', limit: 5, cursor: 'c' } },
  { tool: 'read_conversation', args: { thread_id: THREAD } },
  { tool: 'read_conversation', args: { thread_id: THREAD }, message: { ...OUT, status: 'scheduled' } },
  { tool: 'search_mail', args: { query: 'x' } },
  { tool: 'wait_for_mail', args: { timeout_seconds: 1 } },
  { tool: 'send_email', args: { ...words, attachments: [{ filename: 'a.txt', text: 'x' }] } },
  { tool: 'reply', args: { message_id, text: 'A word.' } },
  {
    tool: 'reply',
    args: { message_id, text: 'A word.', reply_all: true, attachments: [{ filename: 'a.txt', text: 'x' }] },
  },
  { tool: 'read_conversation', args: { thread_id: THREAD }, message: { ...OUT, status: 'bounced' } },
  { tool: 'forward', args: { message_id, to: ['ada@example.org'] } },
  { tool: 'read_message', args: { message_id } },
  { tool: 'read_message', args: { message_id, format: 'html' } },
  { tool: 'read_message', args: { message_id, offset: 3 }, message: { truncated: true } },
  {
    tool: 'read_message',
    args: { message_id },
    message: { from: null, cc: [], reply_to: [], attachments: [], ...OUT },
  },
  { tool: 'get_attachment', args: file },
  { tool: 'get_attachment', args: { ...file, length: 2 } },
  { tool: 'get_attachment', args: file, file: { contentType: 'text/html' } },
  { tool: 'get_attachment', args: file, file: { content: PNG } },
  { tool: 'get_attachment', args: { ...file, accept_risk: true }, file: { content: PNG, scan: 'unscanned' } },
  { tool: 'get_attachment', args: { ...file, length: 4 }, file: { contentType: 'application/pdf' } },
  { tool: 'mark_read', args: { message_ids: [message_id] } },
  { tool: 'mark_read', args: { thread_id: THREAD, unread: true } },
  { tool: 'trash', args: { action: 'delete', message_id } },
  { tool: 'trash', args: { action: 'restore', thread_id: THREAD } },
  { tool: 'trash', args: { action: 'delete', thread_id: THREAD, dry_run: true } },
  { tool: 'list_trash', args: {} },
  { tool: 'list_suppressions', args: {} },
  { tool: 'remove_suppression', args: { address: 'ada@example.org' } },
  { tool: 'label', args: { message_id, add_labels: ['invoices'] } },
  { tool: 'label', args: { thread_id: THREAD, remove_labels: ['invoices'] } },
  { tool: 'list_drafts', args: {} },
  { tool: 'list_drafts', args: { draft_id: DRAFT } },
  { tool: 'save_draft', args: words },
  { tool: 'save_draft', args: { draft_id: DRAFT, text: 'Other words.', attachments: [{ attachment_id: ATTACHMENT }] } },
  { tool: 'send_draft', args: { draft_id: DRAFT } },
  { tool: 'check_before_sending', args: words },
  { tool: 'check_before_sending', args: { in_reply_to: message_id, text: 'A word.' } },
  { tool: 'check_before_sending', args: { draft_id: DRAFT } },
  ...STATUSES.map((status) => ({ tool: 'get_message_status', args: { message_id }, message: { ...OUT, status } })),
  {
    tool: 'get_message_status',
    args: { message_id },
    message: { ...OUT, status: 'scheduled', check: null, recipients: [], send_at: '2026-02-01T00:00:00.000Z' },
  },
  { tool: 'cancel_send', args: { message_id } },
  { tool: 'usage', args: {} },
  { tool: 'claim_status', args: {} },
]
