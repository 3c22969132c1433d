/** Status responses: how a command ended, and what the server says unasked (RFC 9051 §7.1). */
import type { Refusal } from './refusal.js'

const LINE = /^[^\0\r\n\x80-\u{10ffff}]*$/u
const CRLF = '\r\n'

/**
 * A status response (RFC 9051 §7.1).
 *
 * @param tag undefined: untagged
 * @param response `code`: without brackets
 */
export function statusLine(
  tag: string | undefined,
  { status, code, text }: { status: 'OK' | 'PREAUTH' | 'BYE' | Refusal['status']; code?: string; text: string },
): Buffer {
  const line = `${tag ?? '*'} ${status} ${code === undefined ? '' : `[${code}] `}${text}`
  if (!LINE.test(line)) throw new Error('a status response is one line of ASCII')
  return Buffer.from(line + CRLF, 'latin1')
}
