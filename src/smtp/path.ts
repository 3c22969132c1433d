/**
 * Paths of MAIL and RCPT (RFC 5321 §4.1.2). Also accepted, like Postfix: spaces after the colon, missing angle brackets, a trailing dot, underscores in a
 * domain. A source route is dropped (RFC 5321 appendix C).
 */
import { isAscii } from 'node:buffer'
import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { misleads } from '../mime/address.js'

export type PathProblem = 'syntax' | 'local part' | 'no domain' | 'domain' | 'too long'

export type PathResult =
  | {
      kind: 'path'
      /** Without brackets and route, domain in lower-case ASCII, quotes only if needed; '' for the null path. */
      address: string
      /** False needs SMTPUTF8 (RFC 6531 §3.3). */
      isAscii: boolean
      rest: string
    }
  | { kind: 'bad'; problem: PathProblem }

/** RFC 5321 §4.5.3.1.3: 256 octets with brackets. */
const MAX_PATH_BYTES = 256
const MAX_LABEL_LENGTH = 63

const ROUTE = /^@[^\s@:,<>]+(?:,@[^\s@:,<>]+)*:/
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~\\u{80}-\\u{10ffff}-]+"
const DOT_STRING = new RegExp(`^${ATOM}(?:\\.${ATOM})*`, 'iu')
const QUOTED_STRING = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e\u{80}-\u{10ffff}]|\\[\x20-\x7e])+)"/u
const DOMAIN_CHARACTERS = /^[^\s<>@"\\(),:;[\]]+/
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/

const bad = (problem: PathProblem): PathResult => ({ kind: 'bad', problem })

/**
 * @param text after `FROM:` or `TO:`
 * @param options `null`: allows `<>`; `postmaster`: allows that name without a domain (RFC 5321 §4.1.1.3); `maxLocalBytes`: of the local part
 */
export function parsePath(
  text: string,
  options: { null: boolean; postmaster: boolean; maxLocalBytes: number },
): PathResult {
  const trimmed = text.trimStart()
  const bracketed = trimmed.startsWith('<')
  // A quoted `>` ends this early; then the address's length counts.
  const end = trimmed.indexOf(bracketed ? '>' : ' ')
  if (Buffer.byteLength(end === -1 ? trimmed : trimmed.slice(bracketed ? 1 : 0, end)) > MAX_PATH_BYTES - 2)
    return bad('too long')
  const inner = bracketed ? trimmed.slice(1) : trimmed
  if (bracketed && inner.startsWith('>')) {
    return options.null ? { kind: 'path', address: '', isAscii: true, rest: inner.slice(1) } : bad('local part')
  }
  const route = bracketed ? (ROUTE.exec(inner)?.[0] ?? '') : ''
  const mailbox = inner.slice(route.length)
  const local = readLocal(mailbox)
  if (!local) return bad(mailbox.startsWith('@') || bracketed ? 'local part' : 'syntax')

  let rest = mailbox.slice(local.length)
  let domain = ''
  if (rest.startsWith('@')) {
    const read = readDomain(rest.slice(1))
    if (!read) return bad('domain')
    domain = `@${read.domain}`
    rest = rest.slice(1 + read.length)
  } else if (!(options.postmaster && local.text.toLowerCase() === 'postmaster')) {
    return bad(/^(?:[> ]|$)/.test(rest) ? 'no domain' : 'local part')
  }
  if (bracketed) {
    if (!rest.startsWith('>')) return bad('syntax')
    rest = rest.slice(1)
  }
  if (rest !== '' && !rest.startsWith(' ')) return bad('syntax')

  const written = inner.slice(0, inner.length - rest.length)
  const address = `${local.text}${domain}`
  if (Buffer.byteLength(local.text) > options.maxLocalBytes || Buffer.byteLength(address) > MAX_PATH_BYTES - 2) {
    return bad('too long')
  }
  return { kind: 'path', address, isAscii: isAscii(Buffer.from(written)), rest }
}

/** @returns the normalized local part, and its original length */
function readLocal(text: string): { text: string; length: number } | undefined {
  const plain = DOT_STRING.exec(text)?.[0]
  if (plain !== undefined) return misleads(plain) ? undefined : { text: plain, length: plain.length }
  const [written, quoted] = QUOTED_STRING.exec(text) ?? []
  if (written === undefined || quoted === undefined || misleads(quoted)) return undefined
  // RFC 5321 §4.1.2: quotes are dropped where possible, as they don't change the mailbox.
  const content = quoted.replace(/\\(.)/g, '$1')
  const isDotString = DOT_STRING.exec(content)?.[0] === content
  return { text: isDotString ? content : `"${content.replace(/["\\]/g, '\\$&')}"`, length: written.length }
}

function readDomain(text: string): { domain: string; length: number } | undefined {
  if (text.startsWith('[')) return readLiteral(text)
  const written = DOMAIN_CHARACTERS.exec(text)?.[0] ?? ''
  const domain = asciiDomain(written.replace(/\.$/, ''))
  return domain === undefined ? undefined : { domain, length: written.length }
}

/** RFC 5321 §4.1.3. */
function readLiteral(text: string): { domain: string; length: number } | undefined {
  const [written = '', content = ''] = /^\[([0-9a-z.:]{1,64})\]/i.exec(text) ?? []
  const ipv6 = /^ipv6:/i.test(content) ? content.slice(5) : undefined
  if (ipv6 === undefined ? !isIPv4(content) : !isIPv6(ipv6)) return undefined
  return { domain: ipv6 === undefined ? written : `[IPv6:${ipv6.toLowerCase()}]`, length: written.length }
}

/** RFC 5890 §2.3.2.1: A-labels must be valid. */
function asciiDomain(text: string): string | undefined {
  const isPlain = isAscii(Buffer.from(text)) && !/(?:^|\.)xn--/i.test(text)
  const domain = isPlain ? text.toLowerCase() : domainToASCII(text)
  const labels = domain.split('.')
  return labels.every((label) => LABEL.test(label) && label.length <= MAX_LABEL_LENGTH) ? domain : undefined
}
