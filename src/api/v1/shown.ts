/**
 * Mail in responses, by the caller's scopes. Reading takes `mail:read`, also when a changing call returns mail: without that scope the caller sees the object's
 * state, but no text or addresses.
 */
import { z } from 'zod'
import type { Caller } from '../../accounts/types.js'
import { ServiceError } from '../../lib/errors.js'
import { linkedDraftSchema } from './approval.js'
import { messageSchema, threadSchema, timeSchema, type Message, type Thread } from '../../mailbox/objects/objects.js'

const messageStateSchema = messageSchema
  .pick({
    id: true,
    object: true,
    mailbox_id: true,
    thread_id: true,
    direction: true,
    status: true,
    labels: true,
    unread: true,
    send_at: true,
    created_at: true,
    updated_at: true,
  })
  .meta({ id: 'MessageState', description: 'A message as a key without `mail:read` sees it' })

const threadStateSchema = threadSchema
  .pick({ id: true, object: true, mailbox_id: true, labels: true, unread_count: true, message_count: true })
  .meta({ id: 'ThreadState', description: 'A conversation as a key without `mail:read` sees it' })

const draftStateSchema = z
  .object({
    id: z.string(),
    object: z.literal('draft'),
    mailbox_id: z.string(),
    thread_id: linkedDraftSchema.shape.thread_id,
    in_reply_to: linkedDraftSchema.shape.in_reply_to,
    send_at: linkedDraftSchema.shape.send_at,
    revision: linkedDraftSchema.shape.revision,
    review: linkedDraftSchema.shape.review,
    review_url: linkedDraftSchema.shape.review_url,
    size_bytes: linkedDraftSchema.shape.size_bytes,
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'DraftState', description: 'A draft as a key without `mail:read` sees it' })

export const shownMessageSchema = z.union([messageSchema, messageStateSchema])
export const shownThreadSchema = z.union([threadSchema, threadStateSchema])
export const shownDraftSchema = z.union([linkedDraftSchema, draftStateSchema])

/** Description of calls that return mail without requiring `mail:read`. */
export const WITHOUT_READING =
  'A key without `mail:read` is answered with its state alone: nothing of its text, subject or people.'

type Reader = Pick<Caller, 'scopes'>

export function mayRead({ scopes }: Reader): boolean {
  return scopes.includes('mail:read')
}

// Parsing by the state's schema drops all other fields.
export const shownMessage = (message: Message, caller: Reader): z.output<typeof shownMessageSchema> =>
  mayRead(caller) ? message : messageStateSchema.parse(message)

export const shownThread = (thread: Thread, caller: Reader): z.output<typeof shownThreadSchema> =>
  mayRead(caller) ? thread : threadStateSchema.parse(thread)

export const shownDraft = (
  draft: z.output<typeof linkedDraftSchema>,
  caller: Reader,
): z.output<typeof shownDraftSchema> => (mayRead(caller) ? draft : draftStateSchema.parse(draft))

/** @param why for the message: `a dry run shows …` @throws ServiceError `insufficient_scope` */
export function requireReading(caller: Reader, why: string): void {
  if (mayRead(caller)) return
  throw new ServiceError(
    'insufficient_scope',
    `This key lacks the scope mail:read, and ${why}.`,
    'Ask your human for a key with mail:read.',
  )
}

/** Why dry runs of existing content need `mail:read`. */
export const DRY_RUN_SHOWS = 'the dry run of an answer or a draft shows whom it goes to and what was found in it'

/** Callers without `mail:read` may not send others' text to chosen recipients. @throws ServiceError `insufficient_scope` */
export function refuseNewRecipients(
  caller: Reader,
  { to, cc, bcc }: { to?: unknown; cc?: unknown; bcc?: unknown },
  isThere: boolean,
): void {
  if (isThere && [to, cc, bcc].some((list) => list !== undefined))
    requireReading(caller, 'a draft that is there, or answers a message, would be read by the recipients you choose')
}

const NAMES_RECIPIENTS: ReadonlySet<string> = new Set([
  'recipient_suppressed',
  'recipient_blocked',
  'recipient_not_allowed',
])

/** Sends to recipients that the caller did not name: errors don't reveal them without `mail:read`. */
export async function hidingRecipients<T>(caller: Reader, sending: Promise<T>): Promise<T> {
  try {
    return await sending
  } catch (error) {
    if (mayRead(caller) || !(error instanceof ServiceError) || !NAMES_RECIPIENTS.has(error.code)) throw error
    throw new ServiceError(
      error.code,
      'One of its recipients is refused.',
      'The recipient and the reason are shown to a key with mail:read. Ask your human for one, or to check the lists of this mailbox.',
    )
  }
}
