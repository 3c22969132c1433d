/**
 * SASL messages with an access token of OAuth, for AUTH and for IMAP: OAUTHBEARER (RFC 7628), and XOAUTH2, which came before it and which no RFC describes.
 * A refusal is a challenge with its reason in JSON, which the client answers with an empty message before it is refused (RFC 7628 §3.2.3).
 */
import { isUtf8 } from 'node:buffer'

export type TokenMechanism = 'OAUTHBEARER' | 'XOAUTH2'

/** Where tokens come from, as a refusal tells it. */
export interface TokenOffer {
  /** The scope that opens this service (RFC 7628 §3.2.2: a single one). */
  scope: string
  /** URL of the authorization server's metadata (RFC 8414). */
  configuration: string
}

export interface SentToken {
  /** Address; undefined: that of the token's mailbox. */
  name: string | undefined
  /** Empty: the client has none, and asks where to get one. */
  token: string
}

/** RFC 6750 §3.1. */
export type TokenProblem = 'invalid_token' | 'insufficient_scope'

export interface TokenSasl {
  /** As they are announced. */
  mechanisms: readonly TokenMechanism[]
  /** @returns undefined for a message of another form */
  read: (mechanism: TokenMechanism, message: Buffer) => SentToken | undefined
  /** The challenge that refuses a token, in base64. */
  refusal: (mechanism: TokenMechanism, problem: TokenProblem) => string
}

/** Names, hosts and tokens of all servers fit. */
const MAX_BYTES = 4096
const SEPARATOR = '\x01'
/** RFC 5801 §4: no channel binding, and in `a=` the name, with `=2C` for a comma and `=3D` for an equals sign. */
const GS2_HEADER = /^[ny],(?:a=((?:[^,=\0]|=2C|=3D)+))?,$/
const KEY = /^[A-Za-z]+$/
/** RFC 7628 §3.1. */
const VALUE = /^[\t\n\r -~]*$/
const PORT = /^\d{1,5}$/
/** RFC 6750 §2.1. */
const BEARER = /^bearer(?: +([A-Za-z0-9._~+/-]+=*))? *$/i

/**
 * Host and port of an OAUTHBEARER message are not compared with those of this server, which may be behind a proxy or have several names: a token says itself what
 * it is for.
 */
function readToken(mechanism: TokenMechanism, message: Buffer): SentToken | undefined {
  if (message.length > MAX_BYTES || !isUtf8(message)) return undefined
  const parts = message.toString().split(SEPARATOR)
  // Each part ends with a separator, and so does the whole.
  if (parts.length < 3 || parts.splice(-2).join('') !== '') return undefined
  const name = mechanism === 'OAUTHBEARER' ? nameInHeader(parts.shift() ?? '') : undefined
  if (name === null) return undefined
  const fields = fieldsOf(parts, mechanism)
  if (!fields || !PORT.test(fields.get('port') ?? '0')) return undefined
  const sent = BEARER.exec(fields.get('auth') || 'bearer')
  const user = mechanism === 'XOAUTH2' ? fields.get('user') : name
  if (!sent || user === '' || (mechanism === 'XOAUTH2' && user === undefined)) return undefined
  return { name: user, token: sent[1] ?? '' }
}

/** @returns null for another header */
function nameInHeader(header: string): string | undefined | null {
  const found = GS2_HEADER.exec(header)
  return found ? found[1]?.replaceAll('=2C', ',').replaceAll('=3D', '=') : null
}

/** @returns undefined for parts that are no fields, and where a name is repeated */
function fieldsOf(parts: readonly string[], mechanism: TokenMechanism): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  for (const part of parts) {
    const at = part.indexOf('=')
    const [key, value] = [part.slice(0, Math.max(at, 0)), part.slice(at + 1)]
    const isName = mechanism === 'XOAUTH2' && key === 'user'
    if (!KEY.test(key) || fields.has(key) || (isName ? value.includes('\0') : !VALUE.test(value))) return undefined
    fields.set(key, value)
  }
  return fields
}

/** What a server needs that takes tokens. */
export function takingTokens({ scope, configuration }: TokenOffer): TokenSasl {
  const where = { scope, 'openid-configuration': configuration }
  return {
    mechanisms: ['OAUTHBEARER', 'XOAUTH2'],
    read: readToken,
    refusal(mechanism, problem) {
      const status = mechanism === 'OAUTHBEARER' ? { status: problem } : { status: '401', schemes: 'bearer' }
      return Buffer.from(JSON.stringify({ ...status, ...where })).toString('base64')
    },
  }
}
