/** Replies to mail programs, with enhanced status codes (RFC 3463, RFC 5248). Programs show them to people. */
import type { ErrorCode, ServiceError } from '../lib/errors.js'
import { cut } from '../lib/text.js'
import type { Accepted, Waiting } from '../mailbox/sending/requests.js'
import { reply, type Reply } from '../smtp/replies.js'

/** RFC 5321 §4.5.3.1.5: 512 octets with codes and line end. */
const MAX_TEXT_CHARS = 400

/** RFC 4954 §6. */
export const WRONG_PASSWORD = reply(
  535,
  '5.7.8',
  'name or password is wrong: the name is the address of the mailbox, the password an app password of it',
  'wrong_password',
)
export const WRONG_TOKEN = reply(
  535,
  '5.7.8',
  'the access token is wrong or has expired, or is not for this mailbox',
  'wrong_token',
)
export const WRONG_TOO_OFTEN = reply(
  421,
  '4.7.0',
  'too many wrong passwords from your network, wait a minute',
  'wrong_too_often',
)
export const WRONG_AGAIN = reply(421, '4.7.0', 'too many wrong passwords, connect again', 'wrong_again')
export const SIGN_IN_FAILED = reply(454, '4.7.0', 'signing in fails now, try again later', 'sign_in_failed')
export const ACCESS_ENDED = reply(421, '4.7.0', 'your access has just ended, sign in again', 'access_ended')
export const ACCOUNT_CONNECTIONS = reply(
  421,
  '4.7.0',
  'too many connections of your account, use those you have',
  'account_connections',
)
export const NO_ADDRESS = reply(501, '5.1.3', 'that is no address to which mail can be sent', 'no_address')
export const ONE_RECEIPT = reply(
  452,
  '4.5.3',
  'a message from <> is a read receipt, which has one recipient',
  'one_receipt',
)

/** RFC 4954 §6 has no code of its own for an account that is barred; 525 is that of X.7.13 in the registry of RFC 5248. */
export const barred = (why: ServiceError): Reply => reply(525, '5.7.13', textOf(why), why.code)

export function notYours(allowed: readonly string[]): Reply {
  return reply(
    550,
    '5.7.1',
    oneLine(`write as ${allowed.join(' or ')}; other addresses are not yours`),
    'foreign_author',
  )
}

export function notAReceipt(allowed: readonly string[]): Reply {
  return reply(
    550,
    '5.7.1',
    oneLine(`from <> comes only a read receipt to one recipient, with From ${allowed.join(' or ')}`),
    'not_a_receipt',
  )
}

/** The refusal of a send. Codes that are not here are about the message or its recipients, and final. */
const CODES: Partial<Record<ErrorCode, [number, string]>> = {
  payload_too_large: [552, '5.3.4'],
  quota_exceeded: [452, '4.2.2'],
  new_recipient_limit: [452, '4.5.3'],
  rate_limited: [450, '4.7.1'],
  unavailable: [451, '4.3.0'],
  invalid_request: [550, '5.6.0'],
}

export function refusalOf(error: ServiceError): Reply {
  const [code, enhanced] = CODES[error.code] ?? [550, '5.7.1']
  return reply(code, enhanced, textOf(error), error.code)
}

/** Said only once the message is stored. @param reasons why it is blocked */
export function answerTo(sent: Accepted | Waiting, reasons: readonly string[], sendAt: string | undefined): Reply {
  const accepted = (more = ''): Reply => reply(250, '2.0.0', `accepted as ${sent.id}${more}`)
  if ('object' in sent) return accepted(", a draft that waits for the approval of the mailbox's owner")
  switch (sent.status) {
    case 'held':
      return accepted(', and held: a person of this server looks at it before it is sent')
    case 'checking':
      return accepted(', and is checked before it is sent')
    case 'scheduled':
      return accepted(sendAt === undefined ? '' : `, to be sent at ${sendAt}`)
    case 'blocked':
      return reply(550, '5.7.1', oneLine(`${sent.id} is blocked: ${reasons.join('; ') || 'it is not sent'}`), 'blocked')
    default:
      return accepted()
  }
}

/** The problem, and what its fields say; hints are for callers of the API. */
function textOf({ message, fields }: ServiceError): string {
  const more = (fields ?? []).map(({ problem }) => problem)
  return oneLine([message, ...more].join(' '))
}

function oneLine(text: string): string {
  return cut(text.replace(/[^\x20-\x7e]+/g, '?'), MAX_TEXT_CHARS)
}
