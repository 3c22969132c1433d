/** Tools that send: send_email, reply, forward. */
import { z } from 'zod'
import { invalidRequest } from '../../lib/errors.js'
import type { Accepted, DryRun } from '../../mailbox/types.js'
import type { Address } from '../../mailbox/objects.js'
import { parseAddress } from '../../mime/address.js'
import { forwardRequireTlsSchema, requireTlsSchema, subjectSchema } from '../v1/schemas.js'
import { defineTool, idempotencyKey, SENDS } from './tool.js'

const addresses = z
  .union([z.string().max(2000), z.array(z.string().max(2000)).max(1000)])
  .describe('One address or a list: a@example.com or Name <a@example.com>')
const body = {
  text: z.string().max(1_000_000).describe('Plain text'),
  html: z.string().max(2_000_000).optional().describe('The same as HTML, where plain text is not enough'),
}
const requireTls = requireTlsSchema.describe('Only over TLS to proven servers that promise the same; else it bounces')
const sentOutput = z.object({
  message_id: z.string(),
  thread_id: z.string(),
  status: z
    .string()
    .describe(
      'queued, held or blocked at first, or checking while others are asked about it; outcomes come as events and stand on the message',
    ),
})

function parseAddresses(field: string, value: string | string[] | undefined): Address[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map((text, i) => {
    const address = parseAddress(text)
    if (!address) {
      const problem = `${JSON.stringify(text.slice(0, 100))} is not one mail address`
      throw invalidRequest(
        `The address list ${field} can't be read.`,
        'Write each address as a@example.com or Name <a@example.com>.',
        [{ field: Array.isArray(value) ? `${field}.${i}` : field, problem }],
      )
    }
    return address
  })
}

/** An empty text is a slip. */
function requireWords({ text, html }: { text: string; html?: string | undefined }): void {
  if (text.trim() !== '' || html?.trim()) return
  throw invalidRequest('There is nothing to send.', 'Call the tool again with the words in `text`.', [
    { field: 'text', problem: 'It is empty.' },
  ])
}

/** Left out when it is not asked for, so that a retry is the request it was. */
function tlsOf({ require_tls: requireTls }: { require_tls?: true | undefined }): { requireTls?: true } {
  return requireTls ? { requireTls } : {}
}

function sent(answer: Accepted | DryRun) {
  if (!('id' in answer)) throw new Error('a send without dry run answered a dry run')
  const structured = { message_id: answer.id, thread_id: answer.thread_id, status: answer.status }
  const text = `Accepted as ${answer.id} in ${answer.thread_id} (${answer.status}). ${whatFollows(answer.status)}`
  return { text, structured, untrusted: false }
}

function whatFollows(status: Accepted['status']): string {
  switch (status) {
    case 'held':
      return 'It is not sent yet: a person of the staff looks at it first. Do not send it again; read_conversation shows why, and the outcome.'
    case 'blocked':
      return 'It is not sent: the classifier refused it. read_conversation shows why; change that before you send it again.'
    case 'scheduled':
      return 'It waits for its time; nothing is sent before.'
    default:
      return 'It is checked, then delivered; see read_conversation for the outcome.'
  }
}

const sendInput = z.strictObject({
  to: addresses,
  cc: addresses.optional(),
  bcc: addresses.optional(),
  subject: subjectSchema,
  ...body,
  require_tls: requireTls,
  idempotency_key: idempotencyKey,
})
export const sendEmail = defineTool({
  name: 'send_email',
  title: 'Send email',
  description: 'Sends a new mail. Only to people who expect it; a classifier checks it before delivery.',
  input: sendInput,
  output: sentOutput,
  annotations: SENDS,
  scope: 'mail:send',
  async run(deps, input, { caller }) {
    requireWords(input)
    const request = {
      to: parseAddresses('to', input.to),
      cc: parseAddresses('cc', input.cc),
      bcc: parseAddresses('bcc', input.bcc),
      replyTo: [],
      subject: input.subject,
      text: input.text,
      html: input.html ?? null,
      attachments: [],
      labels: [],
      ...tlsOf(input),
    }
    return sent(await deps.mailboxes.send(caller.mailboxId, request, { idempotencyKey: input.idempotency_key }))
  },
})

const replyInput = z.strictObject({
  message_id: z.string().max(64).describe('msg_… of the message to answer'),
  ...body,
  reply_all: z.boolean().default(false).describe('Answer everybody in To and Cc too'),
  require_tls: requireTls,
  idempotency_key: idempotencyKey,
})
export const reply = defineTool({
  name: 'reply',
  title: 'Reply',
  description: 'Answers a message in its conversation.',
  input: replyInput,
  output: sentOutput,
  annotations: SENDS,
  scope: 'mail:send',
  async run(deps, input, { caller }) {
    requireWords(input)
    const request = {
      text: input.text,
      html: input.html ?? null,
      attachments: [],
      all: input.reply_all,
      ...tlsOf(input),
    }
    const options = { idempotencyKey: input.idempotency_key }
    return sent(await deps.mailboxes.reply(caller.mailboxId, input.message_id, request, options))
  },
})

const forwardInput = z.strictObject({
  message_id: z.string().max(64).describe('msg_… of the message to pass on'),
  to: addresses,
  cc: addresses.optional(),
  text: z.string().max(1_000_000).default('').describe('A word of your own above the forwarded message'),
  include_attachments: z.boolean().default(true),
  require_tls: forwardRequireTlsSchema.describe(
    'Only over TLS to proven servers that promise the same; left out: as the message asked; false: it may go unprotected',
  ),
  idempotency_key: idempotencyKey,
})
export const forward = defineTool({
  name: 'forward',
  title: 'Forward',
  description: 'Passes a message on to somebody else, with its attachments.',
  input: forwardInput,
  output: sentOutput,
  annotations: SENDS,
  // What is forwarded is read by its recipient.
  scope: ['mail:send', 'mail:read'],
  async run(deps, input, { caller }) {
    const request = {
      to: parseAddresses('to', input.to),
      cc: parseAddresses('cc', input.cc),
      bcc: [],
      text: input.text,
      includeAttachments: input.include_attachments,
      ...(input.require_tls !== undefined && { requireTls: input.require_tls }),
    }
    const options = { idempotencyKey: input.idempotency_key }
    return sent(await deps.mailboxes.forward(caller.mailboxId, input.message_id, request, options))
  },
})
