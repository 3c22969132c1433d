/** The claimed author of an Authentication-Results field (RFC 8601 §2.2). */
import { domainToASCII } from 'node:url'

/**
 * True if the field's `authserv-id` is `name`, however spelled: after comments and folds, quoted, in any case, with a final dot or a version, as
 * A-labels or U-labels.
 *
 * @param value the text after the field's colon, as latin1
 */
export function claimsToBe(value: string, name: string): boolean {
  return comparable(authservId(value)) === comparable(name)
}

/** The first token, after comments and white space, plain or quoted. An unterminated quotation is read as plain text. */
function authservId(value: string): string {
  const id = Buffer.from(skipComments(value), 'latin1').toString('utf8')
  const quoted = /^"((?:[^"\\]|\\[^])*)"/.exec(id)?.[1]
  return quoted?.replace(/\\([^])/g, '$1') ?? /^"?([^\s;()"/=]*)/.exec(id)?.[1] ?? ''
}

/** A comparable form of names: domainToASCII also maps wide letters and other dots, and fails for invalid names. */
function comparable(id: string): string {
  const plain = id.replace(/\s+/g, '').replace(/\.+$/, '').toLowerCase()
  return domainToASCII(plain).replace(/\.+$/, '') || plain
}

function skipComments(value: string): string {
  let depth = 0
  let at = 0
  for (; at < value.length; at++) {
    const char = value[at]
    if (char === '\\' && depth > 0) at++
    else if (char === '(') depth++
    else if (char === ')' && depth > 0) depth--
    else if (depth === 0 && !/\s/.test(char ?? '')) break
  }
  return value.slice(at)
}
