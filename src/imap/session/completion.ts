/** How a command ends: as asked, or refused (RFC 9051 §7.1, RFC 5530). */
import { ServiceError } from '../../lib/errors.js'
import type { Refusal } from '../wire/refusal.js'

/** How a command ends; without `code` and `text` as usual. */
export interface Completion {
  status: 'OK' | 'NO' | 'BAD'
  code?: string | undefined
  text?: string
}

export const OK: Completion = { status: 'OK' }

/** A command that is not carried out, and why. */
export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(readonly refusal: Refusal) {
    super(refusal.text)
  }
}

/** How a command ends that threw this. @throws what is no answer to a client */
export function completionOf(error: unknown): Completion {
  if (error instanceof Refused) return error.refusal
  if (error instanceof ServiceError) return refusalOf(error)
  throw error
}

/** What an error of the domain is in IMAP (RFC 5530). */
export function refusalOf(error: ServiceError): Refusal {
  const { message, hint, code, retryAfterSeconds: seconds } = error
  // Hints of a limit are for callers of the API.
  const advice = code === 'rate_limited' && seconds !== undefined ? `Try again in ${seconds} seconds.` : hint
  return { status: 'NO', code: codeOf(error), text: ascii(`${message} ${advice}`) }
}

function codeOf({ code }: ServiceError): string {
  switch (code) {
    case 'not_found':
      return 'NONEXISTENT'
    case 'name_taken':
      return 'ALREADYEXISTS'
    case 'quota_exceeded':
      return 'OVERQUOTA'
    case 'payload_too_large':
      return 'TOOBIG'
    case 'limit_reached':
    case 'rate_limited':
      return 'LIMIT'
    case 'message_on_its_way':
      return 'INUSE'
    case 'unavailable':
      return 'UNAVAILABLE'
    default:
      return 'CANNOT'
  }
}

/** Texts of responses are ASCII on one line. */
export const ascii = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, '?')
