/** Answers kept for retries under the hash of the idempotency key. One key stands for one request of any kind. */
import { ServiceError } from '../../../lib/errors.js'
import { sha256Hex } from '../../../lib/ids.js'
import { asBuffer, encode } from '../../../store/keys.js'
import type { Transaction, View } from '../../../store/types.js'
import { readValue } from '../../../store/values.js'
import { EMPTY_VALUE, expiringKey, expiryKey } from '../../keys.js'
import { sha256InTurns } from '../../raw.js'

export interface Retry {
  keyHash: string
  requestHash: string
}

export interface IdempotencyRecord<T> {
  requestHash: string
  answer: T
  expiresAt: number
}

export async function retryOf(key: string, request: unknown): Promise<Retry> {
  const hashes = new Map<Uint8Array, string>()
  for (const file of filesIn(request)) hashes.set(file, await sha256InTurns(asBuffer(file)))
  return { keyHash: sha256Hex(key), requestHash: sha256Hex(JSON.stringify(canonical(request, hashes))) }
}

/** The earlier answer under this key. @throws ServiceError `idempotency_mismatch` for another request */
export async function earlierAnswer<T>(view: View, retry: Retry, now: number): Promise<T | undefined> {
  const record = await readValue<IdempotencyRecord<T>>(view, expiringKey('idempotency', retry.keyHash))
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

function* filesIn(value: unknown): Generator<Uint8Array> {
  if (value instanceof Uint8Array) yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* filesIn(inner)
}

/** Canonical form of a request: sorted fields, files as hashes. */
function canonical(value: unknown, hashes: ReadonlyMap<Uint8Array, string>): unknown {
  if (value instanceof Uint8Array) return hashes.get(value)
  if (Array.isArray(value)) return value.map((inner) => canonical(inner, hashes))
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([name, field]) => [name, canonical(field, hashes)])
}
