/** Prefixed ULIDs: sortable by creation time, and with their kind. */
import { createHash, hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'
import { decodeTime, encodeTime, monotonicFactory } from 'ulid'

export type IdPrefix =
  | 'mbx'
  | 'thr'
  | 'msg'
  | 'drf'
  | 'att'
  | 'evt'
  | 'whk'
  | 'dlv'
  | 'acc'
  | 'clm'
  | 'inv'
  | 'key'
  | 'ses'
  | 'exp'
  | 'tsk'
  | 'req'
  | 'rcp'
  | 'rev'
  | 'con'
  | 'aud'

/** Random bytes in reserve: the library requests one at a time, which takes the system as long as a thousand. */
const pool = new Uint8Array(1024)
let taken = pool.length

function randomFraction(): number {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  return (pool[taken++] ?? 0) / 256
}

const ulid = monotonicFactory(randomFraction)

/** A new id such as `msg_01J9Z…`; ids of one process and one clock sort in the order of creation. */
export function newId(prefix: IdPrefix, now?: number): string {
  return `${prefix}_${ulid(now)}`
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_CHARS = 16

/** The id derived from a secret seed: always the same, and indistinguishable from others without the seed. */
export function derivedId(prefix: IdPrefix, seed: string, now: number): string {
  const digest = createHash('sha256').update(`${prefix} ${seed}`).digest()
  const random = Array.from(digest.subarray(0, RANDOM_CHARS), (byte) => BASE32.charAt(byte & 31)).join('')
  return `${prefix}_${encodeTime(now, 10)}${random}`
}

/** The smallest id of that time or later; for ranges. */
export function firstId(prefix: IdPrefix, at: number): string {
  return `${prefix}_${encodeTime(Math.max(0, at), 10)}${'0'.repeat(RANDOM_CHARS)}`
}

/** Creation time of an id. */
export function idTime(id: string): number {
  return decodeTime(id.slice(-26))
}

/** True if a string has the form of an id of this kind, whether or not it exists. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(`${prefix}_`) &&
    // A ULID has 128 bits, but 26 characters hold 130.
    /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(value.slice(-26))
  )
}

const ID_BYTES = 16
/** The value of each character of BASE32 by its code; `NO_VALUE` for others. */
const NO_VALUE = 0xff
const VALUES = new Uint8Array(128).fill(NO_VALUE)
for (const [value, char] of [...BASE32].entries()) VALUES[char.charCodeAt(0)] = value
const CODES = Uint8Array.from(BASE32, (char) => char.charCodeAt(0))

/** The 16 bytes of an id's ULID without the prefix, which sort like its text. @throws RangeError for an invalid id */
export function idBytes(id: string): Buffer {
  const bytes = Buffer.allocUnsafe(ID_BYTES)
  const start = id.length - 26
  let held = 0
  let bits = -2
  let at = 0
  for (let i = start; i < id.length; i++) {
    const value = VALUES[id.charCodeAt(i)] ?? NO_VALUE
    if (value === NO_VALUE || (i === start && value > 7)) throw new RangeError(`Not an id: ${id.slice(0, 64)}`)
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = held >>> bits
    }
  }
  if (at !== ID_BYTES) throw new RangeError(`Not an id: ${id.slice(0, 64)}`)
  return bytes
}

const written = Buffer.alloc(64)

/** The id whose ULID has these bytes, at most 16. */
export function idOf(prefix: IdPrefix, bytes: Uint8Array): string {
  let at = 0
  let held = 0
  let bits = 2
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0x1fff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      written[at++] = CODES[(held >>> bits) & 31] ?? 0
    }
  }
  return `${prefix}_${written.toString('latin1', 0, at)}`
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `bytes` random bytes as base62 text. */
export function randomBase62(bytes: number): string {
  return base62(randomBytes(bytes))
}

/** Bytes as base62 text, big-endian; the length depends only on theirs. */
export function base62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / Math.log2(62))
  let n = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let out = ''
  for (let i = 0; i < length; i++) {
    out = BASE62.charAt(Number(n % 62n)) + out
    n /= 62n
  }
  return out
}

/** SHA-256 in lower-case hex. Secrets are stored and looked up in this form only. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** Compares two strings in time that does not depend on where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
