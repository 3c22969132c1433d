/**
 * Retries of a request that makes or sends something: its answer is kept under the hash of the caller's key. A send's is in the commit of its
 * message; that of a request whose work is elsewhere is written after the work (answered-once.ts). One key stands for one request of any sort.
 */
import { ServiceError } from '../lib/errors.js'
import { sha256Hex } from '../lib/ids.js'
import { decode, encode } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { EMPTY_VALUE, expiringKey, expiryKey } from './keys.js'

/** A caller's key with what it stands for. */
export interface Retry {
  keyHash: string
  requestHash: string
}

export interface IdempotencyRecord<T> {
  requestHash: string
  answer: T
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export function retryOf(key: string, request: unknown): Retry {
  return { keyHash: sha256Hex(key), requestHash: sha256Hex(JSON.stringify(canonical(request))) }
}

/**
 * The answer that was given under this key before. The request it was given to is the same, so it is of the sort that this one gets.
 *
 * @throws ServiceError `idempotency_mismatch` when it was given to another request
 */
export async function earlierAnswer<T>(view: View, retry: Retry, now: number): Promise<T | undefined> {
  const bytes = await view.get(expiringKey('idempotency', retry.keyHash))
  const record = bytes && decode<IdempotencyRecord<T>>(bytes)
  if (!record || record.expiresAt <= now) return undefined
  if (record.requestHash === retry.requestHash) return record.answer
  throw new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for another request.',
    'Use a new key for a new request, and repeat a request unchanged.',
  )
}

export function rememberAnswer<T>(tx: Transaction, retry: Retry, answer: T, expiresAt: number): void {
  const record: IdempotencyRecord<T> = { requestHash: retry.requestHash, answer, expiresAt }
  tx.put(expiringKey('idempotency', retry.keyHash), encode(record))
  tx.put(expiryKey(expiresAt, 'idempotency', retry.keyHash), EMPTY_VALUE)
}

/** One form for one request: fields in one order, files as their hash. */
function canonical(value: unknown): unknown {
  if (value instanceof Uint8Array) return sha256Hex(value)
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([name, field]) => [name, canonical(field)])
}
