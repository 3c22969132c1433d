/**
 * A message that its author's program wrote, made ready to be sent (RFC 6409 §8): every byte stays, except that Bcc is taken out (RFC 5322 §3.6.3), and what
 * is missing of the required fields is added.
 */
import { countField, prependFields, removeFields } from '../headers.js'
import { mailDate } from '../date.js'

/** Blind recipients, and fields that only the last server writes (RFC 5321 §4.4). */
const TAKEN_OUT = new Set(['bcc', 'resent-bcc', 'return-path'])

/** The message without fields that are not for its recipients. */
export const withoutHidden = (raw: Buffer): Buffer => removeFields(raw, TAKEN_OUT)

export interface Added {
  /** A whole Received field (RFC 5321 §4.4). */
  received: string
  /** For a message that has none, without angle brackets. */
  messageId: string
  /** The same for its date, in milliseconds since the epoch. */
  date: number
}

/** @returns a copy; required fields that are missing are added (RFC 6409 §8.2, §8.3) */
export function withTrace(raw: Buffer, { received, messageId, date }: Added): Buffer {
  return prependFields(raw, [
    received,
    ...(countField(raw, 'message-id') === 0 ? [`Message-ID: <${messageId}>`] : []),
    ...(countField(raw, 'date') === 0 ? [`Date: ${mailDate(date)}`] : []),
  ])
}
