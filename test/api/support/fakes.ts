/** The domain as the HTTP tests need it: one mailbox with one message, and a record of what was asked. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Suppression, Suppressions } from '../../../src/accounts/suppressions.js'
import {
  SCOPES,
  type AccountRecord,
  type Accounts,
  type ApiKey,
  type Caller,
  type Usage,
} from '../../../src/accounts/types.js'
import type { Claims } from '../../../src/lifecycle/claims/types.js'
import type { CheckedRecord } from '../../../src/lifecycle/domains/dns-records.js'
import type { OwnDomains } from '../../../src/lifecycle/domains/own-domains.js'
import type { OwnDomain } from '../../../src/lifecycle/domains/record.js'
import type { AccountMailboxes } from '../../../src/lifecycle/claims/account-mailboxes.js'
import type { Removal } from '../../../src/lifecycle/deletion/mailbox-removal.js'
import type { Deletion } from '../../../src/lifecycle/deletion/types.js'
import type { Exports } from '../../../src/lifecycle/export/exports.js'
import type { ExportRecord } from '../../../src/lifecycle/export/types.js'
import { createFolders } from '../../../src/mailbox/folders/folders.js'
import { DAY, systemClock } from '../../../src/lib/clock.js'
import { notFound, ServiceError } from '../../../src/lib/errors.js'
import { sha256Hex } from '../../../src/lib/ids.js'
import { createAnswerOnce } from '../../../src/mailbox/sending/retries/idempotent-requests.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { putMailbox } from '../../../src/mailbox/mailbox-rows.js'
import type { Draft } from '../../../src/mailbox/objects/draft-object.js'
import {
  messageSummarySchema,
  type Event,
  type Message,
  type MessageSummary,
  type Thread,
} from '../../../src/mailbox/objects/objects.js'
import type { MailboxSettings } from '../../../src/mailbox/objects/set-types.js'
import type { MailboxRecord } from '../../../src/mailbox/mailbox-record.js'
import type { Mailboxes } from '../../../src/mailbox/composition/mailboxes.js'
import type { SendOptions, Waiting } from '../../../src/mailbox/sending/requests.js'
import { htmlToText } from '../../../src/mime/html/html.js'
import { createStore } from '../../../src/store/store.js'
import type { WebhookService } from '../../../src/webhooks/service.js'
import { fakeWebhooks } from './fake-webhooks.js'
import { mailboxRecord } from '../../support/store/mailbox-record.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { usageOf } from '../../support/usage.js'
import { accountRecord } from '../../support/account.js'

export const MAILBOX = 'mbx_01J9Z6Y2V5C7Q3H8K4M0N1P2R0'
export const THREAD = 'thr_01J9Z6Y2V5C7Q3H8K4M0N1P2R1'
export const MESSAGE = 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R2'
export const DRAFT = 'drf_01J9Z6Y2V5C7Q3H8K4M0N1P2R4'
export const ATTACHMENT = 'att_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'
const AT = '2026-01-01T00:00:00.000Z'
const AT_MS = Date.parse(AT)

const message: Message = {
  id: MESSAGE,
  object: 'message',
  mailbox_id: MAILBOX,
  thread_id: THREAD,
  direction: 'inbound',
  status: 'received',
  from: { address: 'ada@example.com', name: 'Ada' },
  to: [{ address: 'agent@agents.localhost', name: '' }],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Hello',
  preview: 'Good morning',
  text: 'Good morning',
  html: null,
  extracted_text: 'Good morning',
  extracted: { codes: [], links: [] },
  labels: ['inbox'],
  unread: true,
  size_bytes: 100,
  message_id: 'x@example.com',
  in_reply_to: null,
  references: [],
  headers: {},
  automation: null,
  report: null,
  auth: null,
  scan: null,
  untrusted: true,
  attachments: [],
  require_tls: false,
  composed_by: null,
  requested_by: null,
  check: null,
  recipients: [],
  sent_at: null,
  created_at: AT,
  updated_at: AT,
}

const summary: MessageSummary = messageSummarySchema.parse(message)

const thread: Thread = {
  id: THREAD,
  object: 'thread',
  mailbox_id: MAILBOX,
  subject: 'Hello',
  preview: 'Good morning',
  participants: [],
  labels: ['inbox'],
  unread_count: 1,
  message_count: 1,
  has_attachments: false,
  last_message_id: MESSAGE,
  last_direction: 'inbound',
  last_message_at: AT,
  created_at: AT,
}

const draft: Draft = {
  id: DRAFT,
  object: 'draft',
  mailbox_id: MAILBOX,
  thread_id: null,
  in_reply_to: null,
  to: [{ address: 'ada@example.com', name: 'Ada' }],
  cc: [],
  bcc: [],
  reply_to: [],
  from: null,
  subject: 'Hello',
  preview: 'Good morning',
  labels: [],
  attachments: [],
  require_tls: false,
  send_at: null,
  revision: 1,
  composed_by: 'agent',
  review: null,
  size_bytes: 100,
  created_at: AT,
  updated_at: AT,
  text: 'Good morning',
  html: null,
}

const WAITING: Waiting = {
  id: DRAFT,
  object: 'draft',
  mailbox_id: MAILBOX,
  thread_id: null,
  revision: 1,
  review: { status: 'waiting', asked_at: AT, expires_at: AT, requested_by: null, reason: null, note: null },
}

const event: Event = {
  seq: 7,
  id: 'evt_1',
  object: 'event',
  type: 'message.received',
  timestamp: AT,
  mailbox_id: MAILBOX,
  data: {},
}

export const mailbox: MailboxRecord = mailboxRecord({
  id: MAILBOX,
  address: 'agent@agents.localhost',
  status: 'claimed',
  accountId: 'acc_1',
  createdAt: AT_MS,
  claimedAt: AT_MS,
  usedBytes: 100,
  messageCount: 1,
  receivedCount: 1,
  today: { date: '2026-01-01', sent: 0, received: 1 },
  seq: 7,
})

const SETTINGS: MailboxSettings = {
  signature: null,
  autoLabels: [],
  receiveOnlyAllowed: false,
  sendOnlyAllowed: false,
  requiresApproval: false,
  approvalDays: 7,
}

export interface Call {
  name: string
  args: unknown[]
}

function unused(): never {
  throw new Error('HTTP has no business with this')
}

export interface Fakes {
  mailboxes: Mailboxes
  claims: Claims
  accounts: Accounts
  suppressions: Pick<Suppressions, 'list' | 'remove'>
  /** The real ones, over the mailbox of `store`, with a receiver that takes everything. */
  webhooks: WebhookService
  deletion: Deletion
  accountMailboxes: AccountMailboxes
  ownDomains: Pick<OwnDomains, 'add' | 'list' | 'get' | 'verify' | 'remove'>
  removal: Pick<Removal, 'request'>
  exports: Pick<Exports, 'request' | 'list' | 'get' | 'linkTo' | 'download'>
  /** The file behind the one link to an export. */
  archive: Buffer
  /** Calls to the domain layer, in order. */
  calls: Call[]
  file: { filename: string; contentType: string; content: Buffer }
  /** The next call of the domain throws it. */
  fail: (error: unknown) => void
}

/**
 * Keys: `good`, `pending`, `suspended`, `deleted`, `only-<scopes>`, and `good-<anything>` for further callers.
 */
export function fakes(): Fakes {
  const calls: Call[] = []
  const store = createStore(memoryEngine())
  const answerOnce = createAnswerOnce({ store, clock: systemClock, keepMs: DAY })
  let failure: { error: unknown } | undefined
  const archive = randomBytes(300_001)
  const file = { filename: 'report.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') }
  const called = (name: string, ...args: unknown[]): void => {
    calls.push({ name, args })
    const failing = failure
    failure = undefined
    if (failing) throw failing.error
  }
  const known = (id: string, expected: string, what: string): void => {
    if (id !== expected) throw notFound(what)
  }
  const accepted = (options: SendOptions) =>
    options.dryRun
      ? {
          dry_run: true as const,
          decision: 'send' as const,
          category: 'legitimate' as const,
          scores: {},
          reasons: [],
          new_recipients: [],
          new_recipients_left: 25,
          require_tls: false,
          requires_approval: false,
        }
      : options.by?.requiresApproval || options.requiresApproval
        ? WAITING
        : { id: MESSAGE, thread_id: THREAD, status: 'checking' as const }

  const mailboxes: Mailboxes = {
    // Kept answers are real, for the one mailbox.
    async answerOnce(id, request, work) {
      await store.write(mailboxPartition(MAILBOX), (tx) => putMailbox(tx, undefined, mailbox))
      return answerOnce(id, request, work)
    },
    async events(id, query, signal) {
      called('events', id, query)
      if (query.after < event.seq) return { data: [event], has_more: false, next_after: event.seq }
      if (query.waitMs > 0 && !signal.aborted) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      }
      return { data: [], has_more: false, next_after: query.after }
    },
    drafts: {
      check: () => undefined,
      async create(id, given, options) {
        called('createDraft', id, given, options)
        return draft
      },
      async list(id, page) {
        called('listDrafts', id, page)
        return { data: [draft], has_more: false, next_cursor: null }
      },
      async get(id, draftId) {
        called('getDraft', id, draftId)
        known(draftId, DRAFT, 'draft')
        return draft
      },
      async update(id, draftId, change) {
        called('updateDraft', id, draftId, change)
        known(draftId, DRAFT, 'draft')
        return draft
      },
      async delete(id, draftId) {
        called('deleteDraft', id, draftId)
        known(draftId, DRAFT, 'draft')
        return draft
      },
    },
    folders: createFolders({
      store,
      blobs: { delete: unused },
      raws: { read: unused, header: unused },
      clock: systemClock,
      draftRaw: unused,
    }),
    importing: { append: unused, appendAll: unused, prepareAll: unused, importOnce: unused },
    delivery: {
      admission: unused,
      parentOf: unused,
      deliver: unused,
      prepare: unused,
    },
    lists: {
      list: async () => ({ data: [], has_more: false, next_cursor: null }),
      add: async (_id, _list, { entry }) => ({ entry, reason: null, createdAt: AT_MS, isNew: true }),
      get: async (_id, _list, entry) => ({ entry, reason: null, createdAt: AT_MS }),
      remove: async (_id, _list, entry) => ({ entry, reason: null, createdAt: AT_MS }),
    },
    settings: {
      get: async () => SETTINGS,
      change: async () => ({ mailbox, settings: SETTINGS }),
      check: async () => undefined,
    },
    outbound: {
      envelope: unused,
      recordHold: unused,
      recordRelease: unused,
      recordDeletion: unused,
      keepDeliveries: unused,
      runScheduled: unused,
      runCheck: unused,
      subjectOf: unused,
      beginDelivery: unused,
      message: unused,
      startSending: unused,
      recordAttempt: unused,
      recordReport: unused,
      park: unused,
      parked: unused,
      unpark: unused,
    },
    pausing: {
      pause: async () => mailbox,
      resume: async () => mailbox,
      withdraw: async () => ({ withdrawn: 0, on_their_way: 0, has_more: false }),
    },
    reading: {
      held: async () => [],
      countHeld: async () => 0,
      lastActivity: async () => undefined,
      activity: async () => ({ days: [], recipients: [], completeFrom: 0 }),
      async messages(id, query) {
        called('listMessages', id, query)
        return { data: [summary], has_more: false, next_cursor: null }
      },
      async threads(id, query) {
        called('listThreads', id, query)
        return { data: [thread], has_more: false, next_cursor: null }
      },
      async thread(id, threadId) {
        called('getThread', id, threadId)
        known(threadId, THREAD, 'conversation')
        return { ...thread, messages: [message] }
      },
      stretch: async () => ({ ...thread, messages: [message], older: 0 }),
      async message(id, messageId) {
        called('getMessage', id, messageId)
        known(messageId, MESSAGE, 'message')
        return message
      },
      async raw(id, messageId) {
        called('getRaw', id, messageId)
        known(messageId, MESSAGE, 'message')
        return Buffer.from('Subject: Hello\r\n\r\nGood morning\r\n')
      },
      async attachment(id, messageId, attachmentId) {
        called('getAttachment', id, messageId, attachmentId)
        known(messageId, MESSAGE, 'message')
        known(attachmentId, ATTACHMENT, 'attachment')
        const sha256 = sha256Hex(file.content)
        return { ...file, sha256, scan: 'unscanned', risk: [{ code: 'program_attached', detail: 'it runs' }] }
      },
      htmlText: async (_id, content) => htmlToText(content.toString()),
      async parts(id, messageId) {
        called('listParts', id, messageId)
        known(messageId, MESSAGE, 'message')
        const part = { path: '1', part: 0, content_type: 'text/plain', charset: 'utf-8', encoding: null }
        return [{ ...part, disposition: null, filename: null, content_id: null, encoded_bytes: 12 }]
      },
      async part(id, messageId, part) {
        called('getPart', id, messageId, part)
        known(messageId, MESSAGE, 'message')
        known(String(part), '0', 'part')
        return { ...file, charset: 'utf-8', scan: 'clean' }
      },
    },
    directory: {
      resolve: async (address) => (address === mailbox.address ? mailbox : undefined),
      resolveFor: unused,
      get: async () => mailbox,
      hasRoom: unused,
    },
    labels: {
      async updateMessage(id, messageId, change) {
        called('updateMessage', id, messageId, change)
        known(messageId, MESSAGE, 'message')
        return message
      },
      async updateThread(id, threadId, change) {
        called('updateThread', id, threadId, change)
        known(threadId, THREAD, 'conversation')
        return thread
      },
      async updateMessages(id, messageIds, change) {
        called('updateMessages', id, messageIds, change)
        const updated = messageIds.filter((each) => each === MESSAGE)
        return {
          updated: updated.map((each) => ({
            id: each,
            object: 'message' as const,
            thread_id: THREAD,
            labels: ['inbox'],
            unread: false,
          })),
          not_found: messageIds.filter((each) => each !== MESSAGE),
        }
      },
      async updateThreads(id, threadIds, change) {
        called('updateThreads', id, threadIds, change)
        return { updated: [thread], not_found: threadIds.filter((each) => each !== THREAD) }
      },
    },
    sending: {
      check: async () => undefined,
      checkRecipients: unused,
      submit: unused,
      async send(id, request, options) {
        called('send', id, request, options)
        return accepted(options)
      },
      async reply(id, messageId, request, options) {
        called('reply', id, messageId, request, options)
        known(messageId, MESSAGE, 'message')
        return accepted(options)
      },
      async forward(id, messageId, request, options) {
        called('forward', id, messageId, request, options)
        known(messageId, MESSAGE, 'message')
        return accepted(options)
      },
      async sendDraft(id, draftId, options) {
        called('sendDraft', id, draftId, options)
        known(draftId, DRAFT, 'draft')
        return accepted(options)
      },
      async cancel(id, messageId) {
        called('cancelMessage', id, messageId)
        known(messageId, MESSAGE, 'message')
        return message
      },
      recall: unused,
    },
    writing: { start: unused, open: unused, save: unused, send: unused, discard: unused },
    deciding: {
      waiting: async () => [],
      noteTold: async () => undefined,
      async shown(id, draftId) {
        called('shownDraft', id, draftId)
        known(draftId, DRAFT, 'draft')
        return { draft, form: 'form', submitted: undefined }
      },
      file: unused,
      async approve(id, draftId, approval) {
        called('approveDraft', id, draftId, approval)
        known(draftId, DRAFT, 'draft')
        return { id: MESSAGE, thread_id: THREAD, status: 'queued' }
      },
      async discard(id, draftId, note) {
        called('discardDraft', id, draftId, note)
        known(draftId, DRAFT, 'draft')
      },
      async sendBack(id, draftId, note) {
        called('sendBackDraft', id, draftId, note)
        known(draftId, DRAFT, 'draft')
      },
      expire: async () => ({ done: true }),
    },
    trash: {
      async deleteMessage(id, messageId) {
        called('deleteMessage', id, messageId)
        known(messageId, MESSAGE, 'message')
        return { id: MESSAGE, object: 'message', deleted: true, thread_id: THREAD, deleted_at: AT, purge_at: AT }
      },
      async restoreMessage(id, messageId) {
        called('restoreMessage', id, messageId)
        known(messageId, MESSAGE, 'message')
        return message
      },
      async deleteThread(id, threadId) {
        called('deleteThread', id, threadId)
        known(threadId, THREAD, 'conversation')
        return { id: THREAD, object: 'thread', deleted: true, message_count: 1 }
      },
      async restoreThread(id, threadId) {
        called('restoreThread', id, threadId)
        known(threadId, THREAD, 'conversation')
        return thread
      },
      async list(id, page) {
        called('listTrash', id, page)
        return { data: [], has_more: false, next_cursor: null }
      },
      async purge(id, messageId) {
        called('purgeMessage', id, messageId)
        known(messageId, MESSAGE, 'message')
        return { id: MESSAGE, object: 'message', deleted: true, permanent: true }
      },
      async empty(id) {
        called('emptyTrash', id)
        return { deleted: 0, has_more: false }
      },
    },
  }

  const claims: Claims = {
    async challenge(client) {
      called('challenge', client)
      return { challenge: 'c', difficulty: 22, expires_at: AT, domains: ['agents.localhost'], algorithm: 'sha256' }
    },
    async claim(request, client) {
      called('claim', request, client)
      if (request.name === 'taken') throw new ServiceError('name_taken', 'Taken.', 'Choose another.')
      const address = `${request.name}@agents.localhost`
      return { address, api_key: 'rst_pending_x', claim_url: 'http://x/claim/t', expires_at: AT, next_steps: ['Wait.'] }
    },
    async status(mailboxId) {
      called('status', mailboxId)
      return { status: 'pending', address: mailbox.address, expires_at: AT, next_steps: [] }
    },
    list: async () => [{ address: mailbox.address, agentName: null, createdAt: AT_MS, expiresAt: AT_MS }],
    async describe(token) {
      if (token !== 'token') return undefined
      const agentName = '<script>alert(1)</script>'
      const claim = { address: mailbox.address, agentName, createdAt: AT_MS, expiresAt: AT_MS }
      return { ...claim, status: 'pending', note: null, inviteId: null }
    },
    async notify(mailboxId, { to, note = null }, client) {
      called('notify', mailboxId, to, note, client)
      return { id: 'inv_1', to, note, sent_at: AT, expires_at: AT, invites_left: 1, next_steps: [] }
    },
    async refuse(token) {
      called('refuse', token)
      return token === 'invite' ? { address: mailbox.address } : undefined
    },
    async approveAs(token, accountId) {
      called('approveAs', token, accountId)
      return { address: mailbox.address, mailboxId: MAILBOX, outcome: 'approved' }
    },
    async decline(which) {
      called('decline', which)
      return { address: mailbox.address, mailboxId: MAILBOX, outcome: 'declined' }
    },
    async approve(address, owner) {
      called('approve', address, owner)
      if (address !== mailbox.address) throw notFound('claim')
      return { address, accountId: 'acc_1', alreadyApproved: false }
    },
    expire: unused,
  }

  const usage: Usage = usageOf({
    plan: 'free',
    trust_level: 0,
    mailboxes: 1,
    storage: { used_bytes: 0, limit_bytes: 1 },
    new_recipients: { used: 0, limit: 25, left: 25, resets_at: AT },
    messages: { sent: 0, received: 1, sent_today: 0, received_today: 1 },
    complaints: { last_30_days: 0 },
    requests_per_minute: 600,
    limits: { recipients_per_message: 50, message_bytes: 1, attachments_per_message: 20, long_poll_seconds: 60 },
    next_level: null,
  })
  const apiKey: ApiKey = {
    id: 'key_1',
    mailboxId: MAILBOX,
    name: 'key',
    scopes: [...SCOPES],
    createdAt: 0,
    lastUsedAt: null,
    expiresAt: null,
    requiresApproval: false,
  }
  const accounts: Accounts = {
    findEnded: async () => [],
    async authenticate(bearer) {
      const caller = (status: AccountRecord['status']): Caller => ({
        keyId: bearer,
        mailboxId: MAILBOX,
        account: accountRecord({ status }),
        mailboxStatus: 'claimed',
        scopes: SCOPES,
      })
      if (bearer === 'pending') return { ...caller('active'), account: undefined, mailboxStatus: 'pending' }
      if (bearer === 'suspended') return caller('suspended')
      if (bearer === 'deleted') return caller('deletion_pending')
      // `only-mail.read-mail.send`: a key with these scopes.
      const only = /^only-(.*)$/
        .exec(bearer)?.[1]
        ?.split('-')
        .map((each) => each.replace('.', ':'))
      if (only) return { ...caller('active'), scopes: SCOPES.filter((scope) => only.includes(scope)) }
      return bearer === 'good' || bearer.startsWith('good-') ? caller('active') : undefined
    },
    checkKey: () => undefined,
    createKey: async () => ({ key: apiKey, text: 'rst_x' }),
    keys: async () => [apiKey],
    async changeKey(_mailboxId, keyId) {
      if (keyId !== apiKey.id) throw notFound('key')
      return apiKey
    },
    rotateKey: async () => ({ key: apiKey, text: 'rst_x' }),
    revokeKey: async () => undefined,
    onAccessEnd: () => () => undefined,
    cutOff: () => undefined,
    cutOffKey: () => undefined,
    cutOffMailbox: () => undefined,
    get: async (id) => accountRecord({ id }),
    signIn: unused,
    identities: unused,
    isStaff: () => false,
    findOwner: unused,
    list: async function* () {},
    suspend: unused,
    reinstate: unused,
    ensure: unused,
    entering: unused,
    addMailbox: unused,
    forgetMailbox: unused,
    mailboxes: async () => [MAILBOX],
    countMessage: unused,
    previewRecipients: unused,
    countWithin: unused,
    trust: unused,
    setTrust: unused,
    usage: async () => usage,
  }
  const suppression: Suppression = {
    id: 'gone@example.org',
    object: 'suppression',
    address: 'gone@example.org',
    reason: 'bounce',
    message_id: 'msg_1',
    detail: '550 5.1.1 no such user',
    created_at: AT,
  }
  const suppressions: Pick<Suppressions, 'list' | 'remove'> = {
    async list(accountId, page) {
      called('listSuppressions', accountId, page)
      return { data: [suppression], has_more: false, next_cursor: null }
    },
    async remove(accountId, address) {
      called('removeSuppression', accountId, address)
      if (address !== suppression.address) throw notFound('suppression')
      return suppression
    },
  }
  const exported: ExportRecord = {
    id: 'exp_1',
    accountId: 'acc_1',
    state: 'ready',
    progress: { messages: 1, messagesTotal: 1, bytes: 100 },
    createdAt: AT_MS,
    readyAt: AT_MS,
    expiresAt: AT_MS + 1,
    sizeBytes: 100_000,
    problem: null,
  }
  const own: OwnDomain = {
    domain: 'example.org',
    status: 'verified',
    token: 'token',
    createdAt: AT_MS,
    verifiedAt: AT_MS,
    checkedAt: AT_MS,
    misses: 0,
  }
  const record: CheckedRecord = {
    purpose: 'mx',
    name: 'example.org',
    type: 'MX',
    value: '10 agents.localhost.',
    about: 'Mail comes here.',
    state: 'differs',
    found: '10 elsewhere.example.',
  }
  const ownOf = (domain: string): OwnDomain => {
    if (domain !== own.domain) throw notFound('domain')
    return own
  }
  const ownDomains: Fakes['ownDomains'] = {
    add: async () => ({ own, isNew: true }),
    list: async () => [own],
    get: async (_account, domain) => ({ own: ownOf(domain), records: [record] }),
    verify: async (_account, domain) => ({ own: ownOf(domain), records: [record] }),
    remove: async (_account, domain) => ownOf(domain),
  }
  const accountMailboxes: AccountMailboxes = {
    mailboxes: async () => [mailbox],
    createMailbox: async () => mailbox,
    aliases: async () => [{ address: 'alias@agents.localhost', createdAt: AT_MS }],
    addAlias: async (_account, _mailbox, address) => ({ address, createdAt: AT_MS, isNew: true }),
    async removeAlias(_mailbox, address) {
      if (!address.includes('@')) throw notFound('alias')
      return { address, createdAt: AT_MS }
    },
  }
  const removal: Fakes['removal'] = {
    async request(_account, mailboxId) {
      if (mailboxId !== MAILBOX) throw notFound('mailbox')
      return { address: mailbox.address }
    },
  }
  let pending: Awaited<ReturnType<Deletion['pending']>>
  const deletion: Deletion = {
    async start(accountId, by) {
      called('startDeletion', accountId, by)
      pending = { startedAt: AT_MS, endsAt: AT_MS + 1, by }
      return pending
    },
    async cancel(accountId, by) {
      called('cancelDeletion', accountId, by)
      pending = undefined
    },
    async pending() {
      return pending
    },
  }
  const exports: Fakes['exports'] = {
    async request(accountId) {
      called('requestExport', accountId)
      return { ...exported, state: 'queued', readyAt: null, expiresAt: null, sizeBytes: null }
    },
    async list(accountId) {
      called('listExports', accountId)
      return [exported]
    },
    async get(accountId, id) {
      called('getExport', accountId, id)
      if (id !== exported.id) throw notFound('export')
      return exported
    },
    linkTo: ({ state }) => (state === 'ready' ? 'link' : undefined),
    download: async (link) =>
      link === 'link'
        ? {
            accountId: exported.accountId,
            exportId: exported.id,
            filename: 'restante-export-2026-01-01.zip',
            sizeBytes: archive.length,
            version: '1',
            open: ({ start, end } = { start: 0, end: archive.length - 1 }) =>
              Readable.from(piecesOf(archive.subarray(start, end + 1))),
          }
        : undefined,
  }
  return {
    mailboxes,
    claims,
    accounts,
    suppressions,
    webhooks: fakeWebhooks(store, mailbox),
    deletion,
    accountMailboxes,
    ownDomains,
    removal,
    exports,
    archive,
    calls,
    file,
    fail: (error) => {
      failure = { error }
    },
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
