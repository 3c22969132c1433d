/** Sending: new mail, replies, forwards. 202 means accepted: each message is checked first, and events report the outcome. */
import { z } from 'zod'
import type { Caller } from '../../../accounts/types.js'
import type { HttpRequest } from '../../../http/message.js'
import { checkAll, invalidRequest } from '../../../lib/errors.js'
import type { Asker } from '../../../lib/thread-pool.js'
import { MAX_LABELS } from '../../../mailbox/labels.js'
import type { Accepted, DryRun, SendAttachment, SendOptions, Waiting } from '../../../mailbox/sending/requests.js'
import { MESSAGE_ID, THREAD_ID } from '../mail-examples.js'
import { DRY_RUN_SHOWS, requireReading, hidingRecipients } from '../shown.js'
import { requiresApprovalSchema, sendingAs, waitingAnswer, waitingSchema } from '../approval.js'
import { defineMailRoute, forKeys, type ApiLimits, type MailParts } from '../parts.js'
import type { Address } from '../../../mime/types.js'
import {
  acceptedSchema,
  addressList,
  dryRunSchema,
  flagQuery,
  idParams,
  labelSchema,
  forwardRequireTlsSchema,
  oneAddress,
  requireTlsSchema,
  sendAtSchema,
  sendAttachments,
  signatureFlag,
  subjectSchema,
  textSchema,
  tlsSchema,
} from '../schemas.js'

const text = textSchema.optional().describe('Give `text`, `html` or both')
const html = textSchema.optional().describe('Without `text` its text is made from it')

const voice = {
  from: oneAddress
    .optional()
    .describe('An address of the mailbox: an alias (GET /v1/aliases), or with a tag (`name+tag@…`)'),
  signature: signatureFlag,
  requires_approval: requiresApprovalSchema,
}

const NO_WORDS = {
  path: ['text'],
  message: 'There is nothing to send: give `text` or `html`, or at least one attachment.',
  // Reported together with other problems.
  when: ({ value, issues }: { value: unknown; issues: readonly { path?: readonly PropertyKey[] | undefined }[] }) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !issues.some(({ path }) => ['text', 'html', 'attachments'].includes(String(path?.[0]))),
}

const sendBody = z
  .strictObject({
    to: addressList,
    cc: addressList.optional(),
    bcc: addressList.optional(),
    reply_to: addressList.optional(),
    subject: subjectSchema,
    text,
    html,
    attachments: sendAttachments,
    labels: z.array(labelSchema).max(MAX_LABELS).default([]),
    require_tls: requireTlsSchema,
    tls: tlsSchema,
    send_at: sendAtSchema.optional(),
    ...voice,
  })
  .refine(hasWords, NO_WORDS)
  .meta({ id: 'SendRequest', examples: [{ to: 'Ada <ada@example.com>', subject: 'Hello', text: 'Good morning.' }] })

const replyBody = z
  .strictObject({
    text,
    html,
    attachments: sendAttachments,
    require_tls: requireTlsSchema,
    tls: tlsSchema,
    send_at: sendAtSchema.optional(),
    ...voice,
  })
  .refine(hasWords, NO_WORDS)
  .meta({ id: 'ReplyRequest', examples: [{ text: 'Thank you, that works.' }] })

const forwardBody = z
  .strictObject({
    to: addressList,
    cc: addressList.optional(),
    bcc: addressList.optional(),
    text: textSchema.default('').describe('A note above the forwarded message'),
    include_attachments: z
      .boolean()
      .default(true)
      .describe("The original's files go along; an original with more files than a message may have needs false"),
    require_tls: forwardRequireTlsSchema,
    tls: tlsSchema,
    send_at: sendAtSchema.optional(),
    ...voice,
  })
  .meta({ id: 'ForwardRequest', examples: [{ to: 'grace@example.com', text: 'For you.' }] })

export const sending = {
  ...forKeys('Sending', 'mail:send'),
  bodyLimit: ({ limits }: MailParts) => limits.bodyBytes,
  query: z.strictObject({ dry_run: flagQuery('1: only report what would happen') }),
  idempotent: 'own' as const,
  responses: {
    200: {
      description: 'With `dry_run`',
      schema: dryRunSchema,
      example: {
        dry_run: true,
        decision: 'send',
        category: 'legitimate',
        scores: { legitimate: 0.98, spam: 0.02 },
        reasons: [{ code: 'no_risk_found', detail: 'nothing suspicious found' }],
        new_recipients: ['ada@example.org'],
        new_recipients_left: 21,
        require_tls: false,
        requires_approval: false,
      },
    },
    202: {
      description: 'Stored: `message.status` events report the outcome. A draft waits for your human',
      schema: z.union([acceptedSchema, waitingSchema]),
      example: { id: MESSAGE_ID, object: 'message', thread_id: THREAD_ID, status: 'queued' },
    },
  },
}
export const SEND_ERRORS = [
  'sending_stopped',
  'recipient_suppressed',
  'recipient_blocked',
  'recipient_not_allowed',
  'new_recipient_limit',
  'quota_exceeded',
] as const

/** Well-formed fields of the three bodies. */
interface Given {
  from?: Address | undefined
  to?: Address[] | undefined
  cc?: Address[] | undefined
  bcc?: Address[] | undefined
  labels?: string[] | undefined
  attachments?: SendAttachment[] | undefined
  text?: string | undefined
  html?: string | undefined
  send_at?: number | undefined
  signature?: false | undefined
  tls?: 'required' | 'optional' | undefined
  require_tls?: boolean | undefined
}

/** Checks beyond the schemas. */
const refusing = {
  check(given: Given, { limits }: MailParts): void {
    const { to, cc = [], bcc = [], attachments = [] } = given
    checkAll(
      () => to && checkRecipients(limits, to, cc, bcc),
      () => checkAttachments(limits, attachments),
      () => tlsOf(given),
    )
  },
  otherProblems: ({ send_at: sendAt, ...given }: Given, { mailboxes }: MailParts, { mailboxId }: Caller) =>
    mailboxes.sending.check(mailboxId, { ...given, sendAt }),
}

export const sendRoutes = [
  defineMailRoute({
    ...sending,
    method: 'POST',
    path: '/v1/send',
    operationId: 'sendMessage',
    summary: 'Send a message',
    description:
      'To try things out, write to the simulator: `simulator.` before your own domain, where delivered@, bounce@, defer@, defer-forever@, complaint@, late-bounce@, hold@ and block@ make that outcome happen, with its events. A tag (`bounce+run7@`) distinguishes runs. It does not count towards new recipients.',
    body: sendBody,
    example: {
      body: { to: 'Ada Byron <ada@example.org>', subject: 'Friday', text: 'Shall we say ten?', labels: ['meetings'] },
    },
    errors: [...SEND_ERRORS],
    ...refusing,
    async handler(input, { mailboxes, baseUrl }) {
      const { body, caller } = input
      const {
        to,
        cc = [],
        bcc = [],
        reply_to: replyTo = [],
        subject,
        text = '',
        html = null,
        attachments,
        labels,
      } = body
      const message = { to, cc, bcc, replyTo, subject, text, html, attachments, labels, ...howOf(body) }
      const sent = await mailboxes.sending.send(caller.mailboxId, message, optionsOf(input, body.requires_approval))
      return outcome(sent, baseUrl)
    },
  }),
  ...[false, true].map((all) =>
    defineMailRoute({
      ...sending,
      method: 'POST',
      path: all ? '/v1/messages/{id}/reply-all' : '/v1/messages/{id}/reply',
      operationId: all ? 'replyToAll' : 'replyToMessage',
      summary: all ? 'Answer everybody on a message' : 'Answer a message',
      description: 'A dry run also needs `mail:read`, as it shows the recipients of the answer.',
      params: idParams,
      body: replyBody,
      example: { params: { id: MESSAGE_ID }, body: { text: 'Thank you, ten it is.' } },
      errors: [...SEND_ERRORS],
      ...refusing,
      async handler(input, { mailboxes, baseUrl }) {
        const { params, body, query, caller } = input
        const { text = '', html = null, attachments } = body
        if (query.dry_run) requireReading(caller, DRY_RUN_SHOWS)
        const options = optionsOf(input, body.requires_approval)
        const answer = { text, html, attachments, all, ...howOf(body) }
        return outcome(
          await hidingRecipients(caller, mailboxes.sending.reply(caller.mailboxId, params.id, answer, options)),
          baseUrl,
        )
      },
    }),
  ),
  defineMailRoute({
    ...sending,
    method: 'POST',
    path: '/v1/messages/{id}/forward',
    operationId: 'forwardMessage',
    // The recipient can read what is forwarded.
    scope: ['mail:send', 'mail:read'],
    summary: 'Forward a message',
    params: idParams,
    body: forwardBody,
    example: { params: { id: MESSAGE_ID }, body: { to: 'grace@example.org', text: 'For your records.' } },
    errors: [...SEND_ERRORS],
    ...refusing,
    async handler(input, { mailboxes, baseUrl }) {
      const { params, body, caller } = input
      const { to, cc = [], bcc = [], text, include_attachments: includeAttachments, require_tls: requireTls } = body
      // `false` counts: the forwarded message may require TLS.
      const tls = requireTls === false ? { requireTls } : {}
      const message = { to, cc, bcc, text, includeAttachments, ...tls, ...howOf(body) }
      const options = optionsOf(input, body.requires_approval)
      return outcome(await mailboxes.sending.forward(caller.mailboxId, params.id, message, options), baseUrl)
    },
  }),
]

/** The TLS requirement, given as `tls` or `require_tls`; undefined without one. @throws ServiceError `invalid_request` for both */
function tlsOf({ tls, require_tls: requireTls }: Pick<Given, 'tls' | 'require_tls'>): {
  requireTls?: true
  anyTls?: true
} {
  if (tls !== undefined && requireTls !== undefined) {
    throw invalidRequest('The request sets its TLS requirement twice.', 'Give `tls` or `require_tls`, not both.', [
      { field: 'tls', problem: 'It is given beside `require_tls`.' },
    ])
  }
  if (tls === 'optional') return { anyTls: true }
  return tls === 'required' || requireTls ? { requireTls: true } : {}
}

/** TLS requirement, time and author. Missing by default, and always in this order, so that retries compare equal. */
export function howOf({ from, signature, send_at: sendAt, ...tls }: How) {
  return {
    ...tlsOf(tls),
    ...(sendAt !== undefined && { sendAt }),
    ...(from && { from }),
    ...(signature === false && { signature }),
  }
}

type How = Pick<Given, 'from' | 'signature' | 'send_at' | 'tls' | 'require_tls'>

interface Asking {
  query: { dry_run?: boolean | undefined }
  caller: Caller
  asker: Asker | undefined
  request: Pick<HttpRequest, 'requestId'>
  idempotencyKey: string | undefined
}

/** @param asks the request has `requires_approval` */
export function optionsOf({ query, caller, asker, request, idempotencyKey }: Asking, asks?: boolean): SendOptions {
  const { requestId } = request
  return { idempotencyKey, dryRun: query.dry_run, requestId, asker, ...sendingAs(caller, asks) }
}

export function outcome(result: Accepted | DryRun | Waiting, baseUrl: string) {
  if ('dry_run' in result) return { status: 200 as const, json: result }
  if ('object' in result) return { status: 202 as const, json: waitingAnswer(baseUrl, result) }
  const { id, ...accepted } = result
  return { status: 202 as const, json: { id, object: 'message' as const, ...accepted } }
}

/** An empty text is intended with files, and a mistake otherwise. Attachments are missing if the body is invalid elsewhere, before defaults. */
function hasWords({ text, html, attachments }: Pick<Given, 'text' | 'html' | 'attachments'>): boolean {
  return Boolean(text?.trim() || html?.trim() || attachments?.length)
}

function checkRecipients(limits: ApiLimits, ...lists: unknown[][]): void {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count === 0) {
    throw invalidRequest('The message has no recipient.', 'Give at least one address in `to`.', [
      { field: 'to', problem: 'It must have at least 1 entry.' },
    ])
  }
  checkRecipientCount(limits, count)
}

export function checkRecipientCount(limits: ApiLimits, count: number): void {
  if (count <= limits.recipientsPerMessage) return
  throw invalidRequest(
    `The message has ${count} recipients.`,
    'Send to fewer at once. This service is not for bulk mail.',
    [{ field: 'to', problem: `to, cc and bcc may have at most ${limits.recipientsPerMessage} entries together.` }],
  )
}

export function checkAttachments(
  { attachmentsPerMessage: most }: Pick<ApiLimits, 'attachmentsPerMessage'>,
  attachments: readonly unknown[],
): void {
  if (attachments.length <= most) return
  throw invalidRequest(
    `The message has ${attachments.length} attachments.`,
    'Put the files into one archive, or send several messages.',
    [{ field: 'attachments', problem: `It must have at most ${most} entries.` }],
  )
}
