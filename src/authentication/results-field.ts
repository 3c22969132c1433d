/** Writes the value of an Authentication-Results field (RFC 8601 §2.2). */

export interface MethodResult {
  /** `x-own-domain` is specific to this server (mx/judging/own-domain.ts). */
  method: 'spf' | 'dkim' | 'dmarc' | 'arc' | 'x-own-domain'
  result: string
  /** Text by us or the library, never from the message. */
  reason?: string
  /** `[ptype.property, value]`; an empty value is left out. Values may come from strangers. */
  properties: [name: string, value: string][]
}

// RFC 2045 §5.1 token, RFC 5322 §3.2.3 dot-atom.
const TOKEN = /^[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]+$/
const DOT_ATOM = /^[!#$%&'*+\-/=?^_`{|}~0-9A-Za-z]+(?:\.[!#$%&'*+\-/=?^_`{|}~0-9A-Za-z]+)*$/
const DOMAIN = /^[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?(?:\.[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?)*$/
const LINE_LENGTH = 78
/** A value can't be folded, and no line may exceed 998 octets (RFC 5322 §2.1.1): a longer one is left out. */
const MAX_VALUE_OCTETS = 800

/**
 * @param authservId name of the server that judged (RFC 8601 §2.5)
 * @returns the value, folded with CRLF, without the field's name; `; none` without results
 */
export function authenticationResults(authservId: string, results: MethodResult[]): string {
  const id = TOKEN.test(authservId) ? authservId : quoted(authservId)
  if (results.length === 0) return `${id}; none`
  return `${id};\r\n ${results.map(resinfo).join(';\r\n ')}`
}

/** Adds a result to a value with at least one result, as written by `authenticationResults`. */
export function addResult(value: string, result: MethodResult): string {
  return `${value};\r\n ${resinfo(result)}`
}

function resinfo({ method, result, reason, properties }: MethodResult): string {
  const words = [`${method}=${result}`]
  if (reason !== undefined) words.push(`reason=${quoted(reason)}`)
  for (const [name, value] of properties) {
    const text = pvalue(value)
    if (text !== '' && Buffer.byteLength(text) <= MAX_VALUE_OCTETS) words.push(`${name}=${text}`)
  }
  return folded(words)
}

/** pvalue = value / [ [ local-part ] "@" ] domain-name, where value is a token or a quoted-string. */
function pvalue(value: string): string {
  if (value === '' || TOKEN.test(value)) return value
  const at = value.lastIndexOf('@')
  const domain = value.slice(at + 1)
  if (at === -1 || !DOMAIN.test(domain)) return quoted(value)
  const local = value.slice(0, at)
  return `${local === '' || DOT_ATOM.test(local) || isQuoted(local) ? local : quoted(local)}@${domain}`
}

function isQuoted(text: string): boolean {
  return /^"(?:[^"\\\p{Cc}]|\\[ -~])*"$/u.test(text)
}

/** RFC 5322 §3.2.4. Control characters, which no quoting makes valid, become spaces. */
function quoted(text: string): string {
  return `"${text.replace(/\p{Cc}+/gu, ' ').replace(/["\\]/g, '\\$&')}"`
}

function folded(words: string[]): string {
  let text = ''
  let column = 1
  for (const [i, word] of words.entries()) {
    if (i > 0 && column + 1 + word.length > LINE_LENGTH) {
      text += `\r\n  ${word}`
      column = 2 + word.length
    } else {
      text += i === 0 ? word : ` ${word}`
      column += word.length + 1
    }
  }
  return text
}
