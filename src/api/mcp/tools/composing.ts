/** Inputs of tools that write mail: addresses, text, files, and the time to send. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import type { Address } from '../../../mime/types.js'
import type { SendAttachment } from '../../../mailbox/sending/requests.js'
import { parseAddress } from '../../../mime/address.js'
import { attachmentUpload, fileContent, requireTlsSchema } from '../../v1/schemas.js'
import { MAX_ADDRESSES } from '../schema.js'

const MAX_TEXT = 1_000_000
/** Larger than fits into a request. */
const MAX_FILE = 10_000_000
const MAX_FILES = 20

/** Accepts a single address as a list. */
export const addresses = z.preprocess(
  (given) => (typeof given === 'string' ? [given] : given),
  z
    .array(z.string().max(1000))
    .max(MAX_ADDRESSES)
    .transform((list, context) =>
      list.flatMap((text, i): Address[] => {
        const address = parseAddress(text)
        if (address) return [address]
        context.addIssue({
          code: 'custom',
          path: [i],
          message: 'Not an email address. Write a@example.com or Name <a@example.com>.',
        })
        return []
      }),
    ),
)
export const recipients = {
  to: addresses.describe('a@example.com or Name <a@example.com>'),
  cc: addresses.optional(),
  bcc: addresses.optional(),
}

/** An address of the mailbox; ownership is checked on sending. */
export const fromAddress = z
  .string()
  .max(1000)
  .transform((text, context): Address => {
    const address = parseAddress(text)
    if (address) return address
    context.addIssue({ code: 'custom', message: 'Not an email address. Write name@example.com.' })
    return z.NEVER
  })
  .describe('An alias or name+tag@…')

export const textField = z.string().max(MAX_TEXT)
export const words = {
  text: textField.default('').describe('Plain text'),
  html: textField.optional().describe('The same as HTML, if needed'),
}

export const requireTls = requireTlsSchema.describe('Bounce rather than send without verified TLS')

export const sendAt = z
  .string()
  .max(40)
  .transform((text, context) => {
    const parsed = z.iso.datetime({ offset: true }).safeParse(text)
    if (parsed.success) return Date.parse(text)
    context.addIssue({ code: 'custom', message: 'It must be a time such as 2026-01-31T09:30:00Z.' })
    return z.NEVER
  })
  .describe('RFC 3339, 1 minute to 30 days ahead')

/** Accepts null for an empty text; the schema shows one form. */
export function orNull<T extends z.ZodType>(schema: T) {
  return z.preprocess((given) => (given === null ? '' : given), schema)
}

/** For drafts, where an empty text removes it. */
export const changedSendAt = z
  .string()
  .max(40)
  .transform((text, context) => {
    if (text === '') return null
    const parsed = sendAt.safeParse(text)
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'It must be a time.' })
    return z.NEVER
  })
  .describe('As in send_email; empty removes it')

const fileFields = {
  filename: z.string().max(255),
  content_type: z.string().max(255).optional(),
  text: z.string().max(MAX_FILE).optional(),
  base64: fileContent.optional(),
}

interface File {
  filename?: string | undefined
  content_type?: string | undefined
  text?: string | undefined
  base64?: string | Uint8Array | undefined
}

export const files = z
  .array(z.strictObject(fileFields).transform(fileOf))
  .max(MAX_FILES)
  .default([])
  .describe('Content as text or base64')

/** The whole list of a draft's files: new ones, and ids of existing ones. */
export const draftFiles = z
  .array(
    z
      .strictObject({
        attachment_id: z.string().max(64).optional(),
        ...fileFields,
        filename: fileFields.filename.optional(),
      })
      .transform(({ attachment_id: id, ...file }, context) => {
        if (id === undefined) return fileOf(file, context)
        if (Object.values(file).every((value) => value === undefined)) return { id }
        context.addIssue({ code: 'custom', message: 'Give attachment_id alone, or a new file without it.' })
        return z.NEVER
      }),
  )
  .max(MAX_FILES)
  .optional()
  .describe('Replaces the list: new files, and attachment_id of each to keep')

/** Validates as /v1 does. */
function fileOf({ filename, content_type, text, base64 }: File, context: z.RefinementCtx): SendAttachment {
  if ((text === undefined) === (base64 === undefined)) {
    context.addIssue({ code: 'custom', path: ['text'], message: 'Give the content either as text or as base64.' })
    return z.NEVER
  }
  const parsed = attachmentUpload.safeParse({
    filename,
    content_type: content_type ?? (text === undefined ? undefined : 'text/plain'),
    content: base64 ?? '',
  })
  if (parsed.success) return text === undefined ? parsed.data : { ...parsed.data, content: Buffer.from(text) }
  for (const { path, message } of parsed.error.issues) {
    context.addIssue({ code: 'custom', path: path.map((part) => (part === 'content' ? 'base64' : part)), message })
  }
  return z.NEVER
}

/** An empty text is a mistake without files. */
export function requireWords(given: { text: string; html?: string | undefined; attachments?: unknown[] }): void {
  if (given.text.trim() !== '' || given.html?.trim() || given.attachments?.length) return
  throw invalidRequest('There is nothing to send.', 'Call the tool again and put the body in `text`.', [
    { field: 'text', problem: 'It is empty.' },
  ])
}
