/** Schemas shared by several routes. */
import { z } from 'zod'
import { LABEL } from '../../mailbox/labels.js'
import { messageStatusSchema, reasonSchema } from '../../mailbox/objects/objects.js'
import { parseAddress } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'
import { decodeBase64 } from '../../http/json/base64.js'
import { wholeNumber } from '../../http/whole-number.js'

/** Limits the work of validation; the recipient limit is far lower. */
const MAX_LISTED_ADDRESSES = 1000
const MAX_TEXT_CHARACTERS = 10_000_000
const MAX_LISTED_ATTACHMENTS = 1000

export const idParams = z.strictObject({ id: z.string().max(64) })

/** Parameters of a route for one object, and its example. */
export const byId = (id: string) => ({ params: idParams, example: { params: { id } } })

export const pageQuery = {
  limit: wholeNumber(1, 100).default(25).describe('Entries in one answer'),
  cursor: z.string().min(1).max(1000).optional().describe('`next_cursor` of the answer before'),
}

/** `1` or `true` sets a flag; `0` or `false` equals leaving it out. */
export function flagQuery(
  description: string,
): z.ZodType<boolean | undefined, '0' | '1' | 'true' | 'false' | undefined> {
  return z
    .enum(['0', '1', 'true', 'false'])
    .transform((value) => value === '1' || value === 'true' || undefined)
    .optional()
    .describe(description)
}

export const labelSchema = z.string().regex(LABEL, 'It must have 1 to 64 characters of a-z, 0-9 and - _ . / : only.')

const addressText = z
  .string()
  .max(1000)
  .transform((text, context): Address => {
    const address = parseAddress(text)
    if (address) return address
    context.addIssue({
      code: 'custom',
      message: 'Not an email address. Write `name@example.com` or `Name <name@example.com>`.',
    })
    return z.NEVER
  })

const addressObject = z
  .strictObject({ address: z.string().max(320), name: z.string().max(320).nullable().default(null) })
  .transform(({ address, name: given }, context): Address => {
    const parsed = parseAddress(address)
    const name = given ?? ''
    if (!parsed || parsed.name !== '') {
      context.addIssue({
        code: 'custom',
        path: ['address'],
        message: 'Not an email address. Write `name@example.com`.',
      })
    } else if (/\p{Cc}/u.test(name)) {
      context.addIssue({
        code: 'custom',
        path: ['name'],
        message: 'It may not hold line breaks or other control characters.',
      })
    } else return { address: parsed.address, name }
    return z.NEVER
  })

export const oneAddress = z.union([addressText, addressObject]).meta({ id: 'AddressInput' })

/** One address or many, as text or objects; normalized to a list. */
export const addressList = z
  .union([oneAddress, z.array(oneAddress).max(MAX_LISTED_ADDRESSES)])
  .transform((given): Address[] => (Array.isArray(given) ? given : [given]))
  .meta({
    id: 'AddressList',
    description: 'One address or a list: `name@example.com`, `Name <name@example.com>` or `{address, name}`',
  })

export const subjectSchema = z
  .string()
  .max(998)
  .refine((subject) => !/\p{Cc}/u.test(subject), 'It may not hold line breaks or other control characters.')

/** `false` equals leaving it out. */
export const requireTlsSchema = z
  .boolean()
  .transform((value) => value || undefined)
  .optional()
  .describe(
    'true: only over TLS, to authenticated servers that support REQUIRETLS (RFC 8689) for the rest of the way; otherwise it bounces at once',
  )

export const tlsSchema = z
  .enum(['required', 'optional'])
  .optional()
  .describe(
    '`required`: as `require_tls: true`. `optional`: in the clear where TLS fails (`TLS-Required: No`, RFC 8689 §4), for mail about broken TLS',
  )

/** RFC 3339, parsed to milliseconds. */
export const sendAtSchema = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .describe(
    '1 minute to 30 days ahead. Until then it is `scheduled` and can be cancelled; when it is due, new recipients are counted and the check decides',
  )

/** `false` is meaningful: the forwarded message may require TLS. */
export const forwardRequireTlsSchema = z
  .boolean()
  .optional()
  .describe(
    'As in `POST /v1/send`. When omitted, the forward keeps the requirement of the original (its `require_tls`); `false` removes it',
  )

/** `true` equals leaving it out. */
export const signatureFlag = z
  .boolean()
  .transform((value) => (value ? undefined : (false as const)))
  .optional()
  .describe("false: without the mailbox's signature")

export const textSchema = z.string().max(MAX_TEXT_CHARACTERS)

/** A file as base64, or as already decoded by the thread for large bodies. */
export const fileContent = z
  .custom<string | Uint8Array>((given) => typeof given === 'string' || given instanceof Uint8Array, {
    error: ({ input }) => (input === undefined ? 'It is missing; give a string.' : 'It must be a string.'),
  })
  .meta({ type: 'string' })

const decodedContent = fileContent.transform((given, context) => {
  const bytes = decodeBase64(given)
  if (bytes) return bytes
  context.addIssue({
    code: 'custom',
    message: 'It is not base64; use the alphabet with + and /, padded with =, without line breaks.',
  })
  return z.NEVER
})

export const attachmentUpload = z
  .strictObject({
    filename: z
      .string()
      .min(1)
      .max(255)
      .refine(
        (name) => !/[\p{Cc}/\\]/u.test(name),
        'It may not hold slashes, backslashes, line breaks or other control characters.',
      ),
    content_type: z
      .string()
      .max(255)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, 'It must be a media type such as `application/pdf`, without parameters.')
      .default('application/octet-stream'),
    content: decodedContent.describe('The file in base64'),
    content_id: z
      .string()
      .max(255)
      .regex(/^[\w.!#$%&'*+/=?^`{|}~@-]+$/, 'It must be like `logo@example.com`, without angle brackets.')
      .optional()
      .describe('Under which the HTML shows it, as `cid:…`'),
  })
  .transform(({ filename, content_type, content, content_id }) => ({
    filename,
    contentType: content_type.toLowerCase(),
    content,
    contentId: content_id,
  }))
  .meta({ id: 'AttachmentUpload' })

export const sendAttachments = z.array(attachmentUpload).max(MAX_LISTED_ATTACHMENTS).default([])

/** All attachments of a changed draft; files that stay are given by id. */
export const changedAttachments = z
  .array(z.union([z.strictObject({ id: z.string().max(64).describe('att_… of a file that stays') }), attachmentUpload]))
  .max(MAX_LISTED_ATTACHMENTS)
  .optional()
  .describe('The whole list: files that are not listed are removed')

export const acceptedSchema = z
  .object({ id: z.string(), object: z.literal('message'), thread_id: z.string(), status: messageStatusSchema })
  .meta({
    id: 'Accepted',
    examples: [
      {
        id: 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
        object: 'message',
        thread_id: 'thr_01J9Z6Y2V5C7Q3H8K4M0N1P2R4',
        status: 'queued',
      },
    ],
  })

export const dryRunSchema = z
  .object({
    dry_run: z.literal(true),
    decision: z.enum(['send', 'hold', 'block']).describe('The verdict of the guard; `hold` waits for review'),
    category: z.enum(['legitimate', 'bulk', 'spam', 'phishing', 'scam', 'malware']),
    scores: z
      .partialRecord(z.enum(['legitimate', 'bulk', 'spam', 'phishing', 'scam', 'malware']), z.number())
      .describe("Each category's share, 0 to 1"),
    reasons: z.array(reasonSchema),
    new_recipients: z.array(z.string()).describe('Addresses that would count as new today'),
    new_recipients_left: z.int().describe('New recipients left today, before these'),
    require_tls: z.boolean().describe('True if the message would be sent over TLS only'),
    requires_approval: z.boolean().describe('It would wait'),
  })
  .meta({ id: 'DryRun' })

/** A list that is never continued on another page. */
export const wholeList = <T>(data: T[]) => ({ data, has_more: false, next_cursor: null })

/** The response with a page of entries. */
export function listResponse<T extends z.ZodType>(description: string, id: string, entry: T, example: unknown) {
  const schema = z.object({ data: z.array(entry), has_more: z.boolean(), next_cursor: z.string().nullable() })
  return { 200: { description, schema: schema.meta({ id }), example: wholeList([example]) } }
}
