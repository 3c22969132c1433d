/**
 * Proof of work in place of an account: challenges need no storage, because they carry their terms and a MAC over them. Only used ones are recorded,
 * until they would have expired anyway.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MINUTE } from '../../lib/clock.js'
import { encode, key, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'

const CHALLENGE_LIFE_MS = 10 * MINUTE

const VERSION = 1
const RANDOM_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 32
const TERMS_BYTES = 1 + RANDOM_BYTES + TIME_BYTES + TIME_BYTES + 1
const TEXT_LENGTH = Math.ceil(((TERMS_BYTES + MAC_BYTES) * 4) / 3)

export interface Terms {
  random: Buffer
  issuedAt: number
  expiresAt: number
  difficulty: number
}

/** version ‖ random ‖ issued ‖ expires ‖ difficulty ‖ HMAC-SHA-256 of it all, in base64url. */
export function issueChallenge(
  secret: Uint8Array,
  difficulty: number,
  now: number,
): { challenge: string; terms: Terms } {
  const terms = { random: randomBytes(RANDOM_BYTES), issuedAt: now, expiresAt: now + CHALLENGE_LIFE_MS, difficulty }
  const bytes = Buffer.alloc(TERMS_BYTES)
  bytes.writeUInt8(VERSION, 0)
  terms.random.copy(bytes, 1)
  bytes.writeUIntBE(terms.issuedAt, 1 + RANDOM_BYTES, TIME_BYTES)
  bytes.writeUIntBE(terms.expiresAt, 1 + RANDOM_BYTES + TIME_BYTES, TIME_BYTES)
  bytes.writeUInt8(terms.difficulty, TERMS_BYTES - 1)
  return { challenge: Buffer.concat([bytes, mac(secret, bytes)]).toString('base64url'), terms }
}

/** The terms of a challenge issued with this secret; undefined for any other text. Does not check expiry or use. */
export function readChallenge(secret: Uint8Array, challenge: string): Terms | undefined {
  if (challenge.length !== TEXT_LENGTH) return undefined
  const bytes = Buffer.from(challenge, 'base64url')
  // Node skips invalid characters and ignores spare bits: only the canonical text is accepted.
  if (bytes.length !== TERMS_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge) return undefined
  const terms = bytes.subarray(0, TERMS_BYTES)
  if (!timingSafeEqual(mac(secret, terms), bytes.subarray(TERMS_BYTES)) || terms.readUInt8(0) !== VERSION)
    return undefined
  return {
    random: Buffer.from(terms.subarray(1, 1 + RANDOM_BYTES)),
    issuedAt: terms.readUIntBE(1 + RANDOM_BYTES, TIME_BYTES),
    expiresAt: terms.readUIntBE(1 + RANDOM_BYTES + TIME_BYTES, TIME_BYTES),
    difficulty: terms.readUInt8(TERMS_BYTES - 1),
  }
}

// The label separates this MAC from others with the same secret.
function mac(secret: Uint8Array, terms: Uint8Array): Buffer {
  return createHmac('sha256', secret).update('claim challenge\0').update(terms).digest()
}

/** True if SHA-256("<challenge>:<nonce>") starts with `difficulty` zero bits. */
export function isSolved(challenge: string, nonce: string, difficulty: number): boolean {
  return solvedBits(challenge, nonce) >= difficulty
}

/** Number of leading zero bits of SHA-256("<challenge>:<nonce>"). */
export function solvedBits(challenge: string, nonce: string): number {
  return leadingZeroBits(createHash('sha256').update(`${challenge}:${nonce}`).digest())
}

export function leadingZeroBits(bytes: Uint8Array): number {
  let bits = 0
  for (const byte of bytes) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}

export const CHALLENGES = 'challenges'
/** Expired records that each new one removes; more than it adds, so that they can't pile up. */
const SWEPT_WITH_EACH = 4
const SWEPT_AT_ONCE = 500
const SPENT = encode(1)

const spentKey = ({ expiresAt, random }: Terms): Uint8Array => key('spent', expiresAt, random.toString('hex'))

/** Within a read. */
export async function isSpent(view: View, terms: Terms): Promise<boolean> {
  return (await view.in(CHALLENGES).get(spentKey(terms))) !== undefined
}

/** Records the use of a challenge. False if it was used before. Within a transaction of `CHALLENGES`. */
export async function spendChallenge(tx: Transaction, terms: Terms, now: number): Promise<boolean> {
  const record = spentKey(terms)
  if (await tx.get(record)) return false
  tx.put(record, SPENT)
  await removeExpired(tx, now, SWEPT_WITH_EACH)
  return true
}

/** Removes expired records of used challenges, a bounded number at a time. `more`: there may be others. */
export async function sweepChallenges(store: Store, now: number): Promise<{ removed: number; more: boolean }> {
  const removed = await store.write(CHALLENGES, (tx) => removeExpired(tx, now, SWEPT_AT_ONCE))
  return { removed, more: removed === SWEPT_AT_ONCE }
}

/** Number of recorded challenges, up to `limit`. */
export async function countChallenges(store: Store, limit: number): Promise<number> {
  return (await store.read(CHALLENGES, (view) => view.range({ ...prefixRange('spent'), limit }))).length
}

async function removeExpired(tx: Transaction, now: number, limit: number): Promise<number> {
  const expired = await tx.range({ gte: key('spent', 0), lt: key('spent', now), limit })
  for (const [record] of expired) tx.delete(record)
  return expired.length
}
