/**
 * Secrets of connections, with a prefix for their kind; only their SHA-256 is stored. A code is 256 random bits. An access or refresh token is a
 * handle, the same for all tokens of its connection, 128 random bits, and a MAC over both by a key of the connection. So earlier tokens, however old,
 * are still recognized without being stored. The handle alone (from a log that shows the beginning of tokens, say) can neither use the connection nor
 * end it.
 */
import { createHmac } from 'node:crypto'
import { base62, constantTimeEqual, randomBase62, sha256Hex } from '../lib/ids.js'

export type TokenKind = 'access' | 'refresh'

const PREFIX: Record<TokenKind, string> = { access: 'rst_at_', refresh: 'rst_rt_' }
const HANDLE_CHARS = 22
/** Some 125 bits. */
const MAC_CHARS = 21
const FORM = /^[0-9A-Za-z]{65}$/
const CODE_PREFIX = 'rst_ac_'
const CODE_FORM = /^rst_ac_[0-9A-Za-z]{43}$/

export interface Parsed {
  /** SHA-256 of the handle, the look-up key of its connection. */
  family: string
  /** SHA-256 of the whole token. */
  hash: string
}

/** The common part of a new connection's tokens. */
export function newHandle(): { handle: string; family: string } {
  const handle = randomBase62(16)
  return { handle, family: sha256Hex(handle) }
}

/** A key for the MACs of one connection's tokens. It may be stored: it can't create a valid token, since these are looked up by their hash. */
export const newMacKey = (): string => randomBase62(32)

export function newToken(kind: TokenKind, handle: string, macKey: string): { text: string; hash: string } {
  const unsigned = `${PREFIX[kind]}${handle}${randomBase62(16)}`
  const text = unsigned + macOf(unsigned, macKey)
  return { text, hash: sha256Hex(text) }
}

/** True if a token was issued with this key at any time. */
export function wasIssued(text: string, macKey: string): boolean {
  return constantTimeEqual(text.slice(-MAC_CHARS), macOf(text.slice(0, -MAC_CHARS), macKey))
}

/** The prefix is part of the signed text, so that an access token never passes for a refresh token. */
function macOf(unsigned: string, macKey: string): string {
  const mac = createHmac('sha256', macKey).update('oauth token\0').update(unsigned).digest()
  return base62(mac).slice(-MAC_CHARS)
}

/** Undefined for text that can't be a token of this kind. */
export function parseToken(kind: TokenKind, text: string): Parsed | undefined {
  const handle = handleOf(kind, text)
  return handle === undefined ? undefined : { family: sha256Hex(handle), hash: sha256Hex(text) }
}

/** The handle of a token, for later tokens. */
export function handleOf(kind: TokenKind, text: string): string | undefined {
  if (!text.startsWith(PREFIX[kind])) return undefined
  const rest = text.slice(PREFIX[kind].length)
  return FORM.test(rest) ? rest.slice(0, HANDLE_CHARS) : undefined
}

export function newCode(): { text: string; hash: string } {
  const text = CODE_PREFIX + randomBase62(32)
  return { text, hash: sha256Hex(text) }
}

export function codeHash(text: string): string | undefined {
  return CODE_FORM.test(text) ? sha256Hex(text) : undefined
}
