/** The fakes with a stranger's text in everything that strangers write. */
import type { Suppression } from '../../../src/accounts/suppressions.js'
import type { Draft } from '../../../src/mailbox/objects/draft-object.js'
import { type Address, type Message, type Thread, messageSummarySchema } from '../../../src/mailbox/objects/objects.js'
import type { DownloadedAttachment } from '../../../src/mailbox/reading/reading.js'
import type { DryRun } from '../../../src/mailbox/sending/requests.js'
import { ATTACHMENT, DRAFT, fakes, MAILBOX, MESSAGE, THREAD, type Fakes } from '../support/fakes.js'

const AT = '2026-01-01T00:00:00.000Z'

export interface Hostile extends Fakes {
  /** Changes what the next calls find. */
  change(change: { message?: Partial<Message>; file?: Partial<DownloadedAttachment> }): void
}

/** @param words what strangers write, everywhere */
export function hostileDomain(words: string, base: Fakes = fakes()): Hostile {
  const { reading, labels, trash, sending } = base.mailboxes
  const rooms = { reading: { ...reading }, labels: { ...labels }, trash: { ...trash }, sending: { ...sending } }
  const domain = { ...base, mailboxes: { ...base.mailboxes, ...rooms } }
  const person: Address = { address: `${words}@example.org`, name: words }
  const thread: Thread = {
    id: THREAD,
    object: 'thread',
    mailbox_id: MAILBOX,
    subject: words,
    preview: words,
    participants: [person, person, person, person, person],
    labels: ['inbox', 'todo'],
    unread_count: 1,
    message_count: 2,
    has_attachments: true,
    last_message_id: MESSAGE,
    last_direction: 'inbound',
    last_message_at: AT,
    created_at: AT,
  }
  let message = messageWith(words, person)
  let file: DownloadedAttachment = {
    filename: `${words}.txt`,
    contentType: `text/plain; name="${words}"`,
    sha256: 'x',
    content: Buffer.from(words),
    scan: 'clean',
    risk: [],
  }
  const draft: Draft = {
    id: DRAFT,
    object: 'draft',
    mailbox_id: MAILBOX,
    thread_id: THREAD,
    in_reply_to: MESSAGE,
    to: [person],
    cc: [person],
    bcc: [person],
    reply_to: [person],
    from: person,
    subject: words,
    preview: words,
    labels: [],
    attachments: [
      { id: ATTACHMENT, object: 'attachment', filename: words, content_type: words, size_bytes: 1, content_id: words },
    ],
    require_tls: false,
    send_at: AT,
    revision: 1,
    composed_by: 'agent',
    review: null,
    size_bytes: 100,
    created_at: AT,
    updated_at: AT,
    text: `> ${words}`,
    html: words,
  }
  const dryRun: DryRun = {
    dry_run: true,
    decision: 'hold',
    category: 'phishing',
    scores: {},
    reasons: [{ code: 'lure', detail: words }],
    new_recipients: [person.address],
    new_recipients_left: 3,
    require_tls: false,
    requires_approval: false,
  }
  const accepted = { id: MESSAGE, thread_id: THREAD, status: 'held' as const }
  const { mailboxes } = domain
  mailboxes.reading.threads = async () => ({ data: [thread, thread], has_more: true, next_cursor: 'next' })
  mailboxes.reading.messages = async () => ({
    data: [messageSummarySchema.parse(message)],
    has_more: true,
    next_cursor: 'next',
  })
  mailboxes.reading.message = async () => message
  mailboxes.reading.thread = async () => ({ ...thread, messages: [message] })
  mailboxes.reading.attachment = async () => file
  mailboxes.events = async () => ({
    data: [
      {
        seq: 8,
        id: 'evt_1',
        object: 'event',
        type: 'message.received',
        timestamp: AT,
        mailbox_id: MAILBOX,
        data: { message_id: MESSAGE },
      },
    ],
    has_more: false,
    next_after: 8,
  })
  mailboxes.labels.updateMessage = async () => message
  mailboxes.labels.updateThread = async () => thread
  mailboxes.trash.restoreThread = async () => thread
  mailboxes.trash.restoreMessage = async () => message
  mailboxes.trash.list = async () => ({
    data: [
      {
        id: MESSAGE,
        object: 'trashed_message',
        thread_id: THREAD,
        direction: 'inbound',
        from: person,
        to: [person],
        subject: words,
        preview: words,
        labels: ['spam'],
        has_attachments: true,
        size_bytes: 100,
        deleted_at: AT,
        purge_at: AT,
      },
    ],
    has_more: true,
    next_cursor: 'next',
  })
  const suppression: Suppression = {
    id: person.address,
    object: 'suppression',
    address: person.address,
    reason: 'bounce',
    message_id: MESSAGE,
    detail: words,
    created_at: AT,
  }
  domain.suppressions = {
    remove: async () => suppression,
    list: async () => ({
      data: [suppression],
      has_more: true,
      next_cursor: 'next',
    }),
  }
  mailboxes.sending.cancel = async () => ({ ...message, status: 'cancelled' })
  mailboxes.drafts = {
    check: () => undefined,
    create: async () => draft,
    update: async () => draft,
    get: async () => draft,
    delete: async () => draft,
    list: async () => {
      const { text: _text, html: _html, ...summary } = draft
      return { data: [summary], has_more: true, next_cursor: 'next' }
    },
  }
  mailboxes.sending.send = async (_id, _request, options) => (options.dryRun ? dryRun : accepted)
  mailboxes.sending.reply = async (_id, _message, _request, options) => (options.dryRun ? dryRun : accepted)
  mailboxes.sending.forward = async () => accepted
  mailboxes.sending.sendDraft = async (_id, _draft, options) => (options.dryRun ? dryRun : accepted)
  return {
    ...domain,
    change(change) {
      message = { ...message, ...change.message }
      if (change.message?.direction === 'outbound') message = { ...message, ...sentFromHere(words) }
      file = { ...file, ...change.file }
    },
  }
}

/** A mail of the mailbox itself, which forwards what a stranger wrote. */
function sentFromHere(words: string): Pick<Message, 'text' | 'extracted_text'> {
  return {
    text: `Our own words.\n\n---------- Forwarded message ----------\nFrom: ${words}\n\n${words}\n> ${words}`,
    extracted_text: `Our own words.\n\n> ${words}`,
  }
}

function messageWith(words: string, person: Address): Message {
  return {
    id: MESSAGE,
    object: 'message',
    mailbox_id: MAILBOX,
    thread_id: THREAD,
    direction: 'inbound',
    status: 'received',
    from: person,
    to: [person, person],
    cc: [person],
    bcc: [person],
    reply_to: [person],
    subject: words,
    preview: words,
    text: `${words}\n> ${words}`,
    html: `<p>${words}</p>`,
    html_safe: `<p>${words}</p><img src="cid:x" alt="${words}">`,
    extracted_text: words,
    extracted: { codes: [words], links: [`https://evil.example/${words}`] },
    labels: ['inbox', 'todo'],
    unread: true,
    size_bytes: 100,
    message_id: words,
    in_reply_to: words,
    references: [words],
    headers: { 'x-note': words, subject: words },
    automation: 'list',
    report: {
      kind: 'delivery',
      original_message_id: words,
      reported_by: words,
      feedback_type: words,
      recipients: [
        {
          address: words,
          final_address: words,
          action: 'failed',
          permanent: true,
          status: words,
          diagnostic: words,
          remote_mta: words,
        },
      ],
    },
    auth: {
      spf: 'fail',
      dkim: 'none',
      dmarc: 'fail',
      arc: 'none',
      spf_domain: words,
      dkim_domain: words,
      dkim_selector: words,
      dmarc_policy: null,
    },
    scan: {
      virus: 'clean',
      spam: { score: 7, verdict: 'spam', reasons: [{ code: 'links', score: 7, detail: words }] },
    },
    untrusted: true,
    attachments: [
      {
        id: ATTACHMENT,
        object: 'attachment',
        filename: words,
        content_type: words,
        size_bytes: 10,
        sha256: 'x',
        disposition: 'attachment',
        content_id: words,
        scan: 'unscanned',
        risk: [{ code: 'program_attached', detail: words }],
      },
    ],
    require_tls: false,
    composed_by: null,
    requested_by: null,
    check: {
      category: 'phishing',
      scores: {},
      decision: 'hold',
      reasons: [{ code: 'lure', detail: words }],
      reviewed_by: 'staff',
      reviewed_at: AT,
    },
    recipients: [
      {
        address: person.address,
        status: 'deferred',
        smtp_code: 451,
        detail: `4.7.1 ${words}`,
        attempts: 2,
        next_attempt_at: AT,
        at: AT,
      },
    ],
    cancelled: { code: 'recipient_suppressed', detail: words },
    sent_at: null,
    created_at: AT,
    updated_at: AT,
  }
}
