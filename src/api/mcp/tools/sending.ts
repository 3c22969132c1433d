/** Tools that send: send_email, reply, forward, cancel_send. */
import { z } from 'zod'
import type { Accepted, DryRun, Waiting } from '../../../mailbox/sending/requests.js'
import { reviewUrl, sendingAs } from '../../v1/approval.js'
import type { Caller } from '../../../accounts/types.js'
import { checkAttachments, howOf } from '../../v1/mail/send.js'
import { forwardRequireTlsSchema, subjectSchema } from '../../v1/schemas.js'
import { hidingRecipients } from '../../v1/shown.js'
import { files, fromAddress, recipients, requireTls, requireWords, sendAt, textField, words } from './composing.js'
import { STATE } from '../text/states.js'
import { CHANGES, defineTool, idempotencyKey, messageId, SENDS } from '../tool.js'

export const sentOutput = z.strictObject({
  message_id: z.string().optional(),
  draft_id: z.string().optional(),
  thread_id: z.string().optional(),
  status: z.string(),
  review_url: z.string().optional(),
})

export const requiresApproval = z.boolean().optional()

/** Options common to all tools that send. */
const how = {
  send_at: sendAt.describe('As in send_email').optional(),
  from: fromAddress.optional(),
  requires_approval: requiresApproval,
  idempotency_key: idempotencyKey,
}

export function sent(answer: Accepted | DryRun | Waiting, baseUrl: string) {
  if ('object' in answer) return waiting(answer, reviewUrl(baseUrl, answer))
  if (!('id' in answer)) throw new Error('a send without dry run answered a dry run')
  const structured = { message_id: answer.id, thread_id: answer.thread_id, status: answer.status }
  const text = `Accepted as ${answer.id} in ${answer.thread_id} (${answer.status}). ${whatFollows(answer.status)}`
  return { text, structured, untrusted: false }
}

function waiting({ id, thread_id: threadId }: Waiting, url: string) {
  const structured = {
    draft_id: id,
    ...(threadId !== null && { thread_id: threadId }),
    status: 'waiting_for_approval',
    review_url: url,
  }
  const text = `Not sent yet: it waits as ${id} for your human, who decides at ${url}. Do not send it again; list_drafts with draft_id shows whether it was returned, with a note.`
  return { text, structured, untrusted: false }
}

function whatFollows(status: Accepted['status']): string {
  switch (status) {
    case 'held':
      return 'It is not sent yet: staff review it first. Do not send it again; get_message_status shows the reasons and the outcome.'
    case 'blocked':
      return 'It is not sent: the classifier blocked it. get_message_status shows the reasons; fix them before you send it again.'
    case 'scheduled':
      return 'It is scheduled; cancel_send stops it.'
    default:
      return 'It is checked, then delivered; get_message_status shows the outcome.'
  }
}

const asked = (caller: Caller, input: { requires_approval?: boolean | undefined }) =>
  sendingAs(caller, input.requires_approval)

export const sendEmail = defineTool({
  name: 'send_email',
  title: 'Send email',
  description: 'Sends a new mail to people who expect it; a classifier checks it first.',
  input: z.strictObject({
    ...recipients,
    subject: subjectSchema,
    ...words,
    attachments: files,
    require_tls: requireTls,
    ...how,
    send_at: sendAt.optional(),
  }),
  output: sentOutput,
  ...SENDS,
  async run(deps, input, { caller, asker, requestId }) {
    requireWords(input)
    checkAttachments(deps.limits, input.attachments)
    const { to, cc = [], bcc = [], subject, text, html = null, attachments } = input
    const request = { to, cc, bcc, replyTo: [], subject, text, html, attachments, labels: [], ...howOf(input) }
    const options = { idempotencyKey: input.idempotency_key, requestId, asker, ...asked(caller, input) }
    return sent(await deps.mailboxes.sending.send(caller.mailboxId, request, options), deps.baseUrl)
  },
})

export const reply = defineTool({
  name: 'reply',
  title: 'Reply',
  description: 'Answers the sender of a message, or everybody.',
  input: z.strictObject({
    message_id: messageId,
    reply_all: z.boolean().default(false).describe('To and Cc too'),
    ...words,
    attachments: files,
    require_tls: requireTls,
    ...how,
  }),
  output: sentOutput,
  ...SENDS,
  async run(deps, input, { caller, asker, requestId }) {
    requireWords(input)
    checkAttachments(deps.limits, input.attachments)
    const { text, html = null, attachments, reply_all: all } = input
    const request = { text, html, attachments, all, ...howOf(input) }
    const options = { idempotencyKey: input.idempotency_key, requestId, asker, ...asked(caller, input) }
    const replied = deps.mailboxes.sending.reply(caller.mailboxId, input.message_id, request, options)
    return sent(await hidingRecipients(caller, replied), deps.baseUrl)
  },
})

export const forward = defineTool({
  name: 'forward',
  title: 'Forward',
  description: 'Forwards a message with its attachments.',
  input: z.strictObject({
    message_id: messageId,
    ...recipients,
    text: textField.default('').describe('Your words above it'),
    include_attachments: z.boolean().default(true),
    require_tls: forwardRequireTlsSchema.describe('Default: as the message asked'),
    ...how,
  }),
  output: sentOutput,
  ...SENDS,
  // The recipient can read what is forwarded.
  scope: ['mail:send', 'mail:read'],
  async run(deps, input, { caller, asker, requestId }) {
    const { to, cc = [], bcc = [], text, include_attachments: includeAttachments, require_tls: requireTls } = input
    const tls = requireTls === undefined ? {} : { requireTls }
    const request = { to, cc, bcc, text, includeAttachments, ...tls, ...howOf(input) }
    const options = { idempotencyKey: input.idempotency_key, requestId, asker, ...asked(caller, input) }
    const forwarded = await deps.mailboxes.sending.forward(caller.mailboxId, input.message_id, request, options)
    return sent(forwarded, deps.baseUrl)
  },
})

export const cancelSend = defineTool({
  name: 'cancel_send',
  title: 'Cancel sending',
  description: 'Cancels a mail that is still scheduled, checking, held or queued.',
  input: z.strictObject({ message_id: messageId }),
  output: z.strictObject({ message_id: z.string(), status: z.string() }),
  annotations: { ...CHANGES.annotations, destructiveHint: true },
  scope: 'mail:send',
  async run({ mailboxes }, input, { caller }) {
    const message = await mailboxes.sending.cancel(caller.mailboxId, input.message_id)
    const structured = { message_id: message.id, status: message.status }
    return { text: `${message.id} ${STATE[message.status]}; it is not sent.`, structured, untrusted: false }
  },
})
