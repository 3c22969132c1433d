/**
 * The secrets of connections: 256 random bits behind a prefix that says what they are, of which only the SHA-256 is stored. Those of access and
 * refresh are a handle, the same for all tokens of one connection, and a secret of their own: so one that is not the current one is still known to be of
 * its connection, however old it is, and nothing has to be kept of those that were. Neither part can be guessed.
 */
import { randomBase62, sha256Hex } from '../lib/ids.js'

export type TokenKind = 'access' | 'refresh'

const PREFIX: Record<TokenKind, string> = { access: 'rst_at_', refresh: 'rst_rt_' }
const HANDLE_CHARS = 22
const FORM = /^[0-9A-Za-z]{65}$/
const CODE_PREFIX = 'rst_ac_'
const CODE_FORM = /^rst_ac_[0-9A-Za-z]{43}$/

export interface Parsed {
  /** SHA-256 of the handle, under which its connection is found. */
  family: string
  /** SHA-256 of all of it. */
  hash: string
}

/** What the tokens of a new connection have in common. */
export function newHandle(): { handle: string; family: string } {
  const handle = randomBase62(16)
  return { handle, family: sha256Hex(handle) }
}

export function newToken(kind: TokenKind, handle: string): { text: string; hash: string } {
  const text = `${PREFIX[kind]}${handle}${randomBase62(32)}`
  return { text, hash: sha256Hex(text) }
}

/** Undefined for what can't be a token of this kind. */
export function parseToken(kind: TokenKind, text: string): Parsed | undefined {
  const handle = handleOf(kind, text)
  return handle === undefined ? undefined : { family: sha256Hex(handle), hash: sha256Hex(text) }
}

/** The handle of a token, for the next ones. */
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
