/** The fields DKIM-Signature and ARC-Message-Signature, parsed (RFC 6376 §3.5 and §6.1.1, RFC 8301 §3.1, RFC 8463 §3, RFC 8617 §4.1.2). */
import { domainToASCII } from 'node:url'
import { valueOf, type Canonicalization, type HeaderField } from './canonical.js'
import type { KeyType } from './public-key.js'
import { itemsOf, parseTagList } from './tag-list.js'

export interface SignatureField {
  field: HeaderField
  domain: string
  selector: string
  /** `a=` as written, and its two parts. */
  algorithm: string
  keyType: KeyType
  hash: 'sha256' | 'sha1'
  headerForm: Canonicalization
  bodyForm: Canonicalization
  /** `bh=` and `b=` in base64. */
  bodyHash: string
  value: string
  /** `h=` in lower case. */
  names: string[]
  /** `l=`: number of covered octets of the body. */
  maxLength: number
  /** `t=` and `x=`, in seconds since the epoch. */
  signedAt?: number
  expiresAt?: number
  /** `i=`, its domain with A-labels in lower case. */
  identity?: { local: string; domain: string }
  /** The reason why the signature is invalid, whatever its key; the other fields may be meaningless then. */
  problem?: string
}

type Kind = 'dkim' | 'arc'

/** Max size of a field that is parsed: one From field of 256 KiB can occupy an address parser for most of a second. */
export const MAX_READ_BYTES = 16 * 1024
const REQUIRED = ['v', 'a', 'b', 'bh', 'd', 'h', 's']
/** `sha1` is parsed in order to be refused: signatures with it are not valid any more (RFC 8301 §3.1). */
const ALGORITHM = /^(rsa|ed25519)-(sha256|sha1)$/i
const FORMS = new Set(['simple', 'relaxed'])
export const TIMESTAMP = /^\d{1,12}$/
export const BODY_LENGTH = /^\d{1,76}$/
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`)
const SELECTOR = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
/** RFC 5322 §3.2.3 and §3.2.4 with the UTF-8 of RFC 6531. */
const ATOM = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\x80-\\u{10ffff}]+"
const LOCAL_PART = new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\\\r\\n]|\\\\.)*")?$`, 'u')

export function readSignature(field: HeaderField, kind: Kind): SignatureField {
  const { tags, problem } = parseTagList(utf8(valueOf(field)))
  const tag = (name: string): string => tags.get(name) ?? ''
  const seconds = (name: string): number | undefined => (tags.has(name) ? Number(tag(name)) : undefined)
  const [headerForm, bodyForm] = formsOf(tag('c'))
  const [, keyType = '', hash = ''] = ALGORITHM.exec(tag('a')) ?? []
  const signature: SignatureField = {
    field,
    domain: tag('d'),
    selector: tag('s'),
    algorithm: tag('a'),
    keyType: keyType.toLowerCase() === 'ed25519' ? 'ed25519' : 'rsa',
    hash: hash.toLowerCase() === 'sha1' ? 'sha1' : 'sha256',
    headerForm: headerForm === 'relaxed' ? 'relaxed' : 'simple',
    bodyForm: bodyForm === 'relaxed' ? 'relaxed' : 'simple',
    bodyHash: withoutSpace(tag('bh')),
    value: withoutSpace(tag('b')),
    names: itemsOf(tag('h')).filter((name) => name !== ''),
    maxLength: tags.has('l') ? Number(tag('l')) : Infinity,
    signedAt: seconds('t'),
    expiresAt: seconds('x'),
    identity: tags.has('i') ? identityOf(tag('i')) : undefined,
  }
  signature.problem = problemOf(signature, kind, tags, problem)
  return signature
}

/** The first problem: unsupported, wrong syntax, or inconsistent. */
function problemOf(
  { keyType, hash, domain, selector, names, signedAt, expiresAt, identity }: SignatureField,
  kind: Kind,
  tags: Map<string, string>,
  listProblem: string | undefined,
): string | undefined {
  // RFC 8463 and ARC have no SHA-1.
  const isKnown = ALGORITHM.test(tags.get('a') ?? '') && (hash === 'sha256' || (keyType === 'rsa' && kind === 'dkim'))
  if (!isKnown) return 'unknown algorithm'
  if (!formsOf(tags.get('c') ?? '').every((form) => FORMS.has(form))) return 'unknown canonicalization'
  if (domain === '' || selector === '') return 'signature missing required tag'
  if (kind === 'dkim') {
    if (listProblem !== undefined) return 'signature syntax error'
    if (!REQUIRED.every((name) => tags.has(name))) return 'signature missing required tag'
    if (tags.get('v') !== '1') return 'incompatible version'
    const isNumber = (name: string, format: RegExp): boolean => format.test(tags.get(name) ?? '0')
    if (!isNumber('t', TIMESTAMP) || !isNumber('x', TIMESTAMP) || !isNumber('l', BODY_LENGTH) || names.length === 0)
      return 'signature syntax error'
    if (!DOMAIN.test(ascii(domain)) || !SELECTOR.test(ascii(selector))) return 'signature syntax error'
    if (!itemsOf(tags.get('q') ?? 'dns/txt').includes('dns/txt')) return 'unsupported query method'
    if (identity) {
      if (!LOCAL_PART.test(identity.local) || !DOMAIN.test(identity.domain)) return 'signature syntax error'
      // RFC 6376 §6.1.1: it is the signing domain or one below it.
      if (!`.${identity.domain}`.endsWith(`.${ascii(domain).toLowerCase()}`)) return 'domain mismatch'
    }
  }
  if (signedAt !== undefined && expiresAt !== undefined && expiresAt <= signedAt) return 'invalid expiration'
  // RFC 6376 §5.4: it would not cover the author.
  return names.includes('from') ? undefined : 'From field not signed'
}

function formsOf(c: string): [string, string] {
  const [header = '', body = ''] = c.split('/').map((form) => form.trim().toLowerCase())
  return [header || 'simple', body || 'simple']
}

/** Without an `@` the syntax is invalid. */
function identityOf(quoted: string): { local: string; domain: string } {
  const text = unquoted(quoted)
  const at = text.lastIndexOf('@')
  return { local: text.slice(0, Math.max(at, 0)), domain: at === -1 ? '' : ascii(text.slice(at + 1)).toLowerCase() }
}

/** RFC 6376 §2.11: dkim-quoted-printable. */
function unquoted(text: string): string {
  const octets = Buffer.from(withoutSpace(text)).toString('latin1')
  return utf8(octets.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))
}

/** RFC 8616 §3: U-labels are converted to A-labels. */
function ascii(name: string): string {
  return /[^\0-\x7f]/.test(name) ? domainToASCII(name) : name
}

function withoutSpace(text: string): string {
  return text.replaceAll(' ', '')
}

/** @param latin1 octets */
export function utf8(latin1: string): string {
  return /[^\0-\x7f]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1
}
