/** The receiver's replies, with enhanced status codes (RFC 3463). */

export interface Reply {
  code: number
  /** RFC 3463; '' where none is allowed: greeting, HELO and EHLO (RFC 2034 §3), and 354. */
  enhanced: string
  text: string
  /** One word for the cause, for logs, metrics and receipts, if the codes don't tell. */
  reason?: string
}

/** A reply with its own reason word. */
export type Refusal = Reply & { reason: string }

export interface Refused {
  kind: 'refused'
  reply: Reply
}

export function reply(code: number, enhanced: string, text: string, reason: string): Refusal
export function reply(code: number, enhanced: string, text: string): Reply
export function reply(code: number, enhanced: string, text: string, reason?: string): Reply {
  return reason === undefined ? { code, enhanced, text } : { code, enhanced, text, reason }
}

export const NO_SUCH_MAILBOX = reply(550, '5.1.1', 'no such mailbox here', 'no_such_mailbox')
export const ONE_RETURN_PATH = reply(
  452,
  '4.5.3',
  'a return path takes a message of its own, send it in another transaction',
  'one_return_path',
)
export const RELAYING_DENIED = reply(550, '5.7.1', 'relaying denied', 'relaying_denied')
export const MAILBOX_FULL = reply(452, '4.2.2', 'mailbox is over its storage quota, try again later', 'mailbox_full')
export const TOO_LARGE = reply(552, '5.3.4', 'message is larger than the announced SIZE', 'too_large')
export const LOOP = reply(554, '5.4.6', 'message is going in circles: too many Received fields', 'loop')
export const HEADER_TOO_LARGE = reply(550, '5.6.0', 'message has too large a header', 'header_too_large')
export const DMARC_FAILED = reply(550, '5.7.1', "refused by the DMARC policy of the author's domain", 'dmarc')
export const OWN_DOMAIN = reply(
  550,
  '5.7.1',
  'mail in the name of a domain of this server has to pass SPF or DKIM for it',
  'own_domain',
)
export const DNS_FAILED = reply(
  451,
  '4.7.1',
  'the DNS records that authenticate the sender cannot be read now, try again later',
  'dns_failure',
)
export const INFECTED = reply(550, '5.7.1', 'message carries malware', 'malware')
export const NOT_SCANNED = reply(
  451,
  '4.7.1',
  'the malware scanner gives no answer now, try again later',
  'not_scanned',
)
export const SPAM = reply(550, '5.7.1', 'message looks like spam', 'spam')
export const STORAGE_FAILED = reply(452, '4.3.1', 'message cannot be stored now, try again later', 'storage')
export const BUSY = reply(452, '4.3.1', 'too much mail at once, try again later', 'busy')
export const TOO_SLOW = reply(451, '4.3.0', 'message could not be handled in time, try again later', 'handler_timeout')
export const INTERNAL = reply(451, '4.3.0', 'internal error, try again later', 'internal')
export const SESSION_TOO_LONG = reply(421, '4.4.2', 'this took too long, connect again', 'session_timeout')
export const SHUTTING_DOWN = reply(421, '4.3.2', 'server is shutting down, try again later', 'shutting_down')

export const refused = (answer: Reply): Refused => ({ kind: 'refused', reply: answer })

/** @param problem with the message's form */
export function malformed(problem: string): Reply {
  return reply(550, '5.6.0', problem, 'malformed')
}

/** Said only after everything is on disk (RFC 5321 §4.2.5). */
export function accepted(receiptId: string): Reply {
  return reply(250, '2.0.0', `accepted as ${receiptId}`)
}

/** Code and enhanced code, for logs and metrics. */
export function replyCodes({ code, enhanced }: Reply): string {
  return `${code} ${enhanced}`
}

/** A reply as sent. Its text may contain client or operator input, and must stay one line. */
export function replyLine({ code, enhanced, text }: Reply): string {
  return `${code} ${enhanced === '' ? '' : `${enhanced} `}${text.replace(/[\x00-\x1f\x7f]/g, ' ')}\r\n`
}
