/**
 * The key layout of receipts. Each UTC day has its own partition, `receipts/<YYYY-MM-DD>` (store/days.ts):
 *
 * | key                          | value                   | read by                                              |
 * | ---------------------------- | ----------------------- | ---------------------------------------------------- |
 * | `r` · time · id              | a receipt (record.ts)   | lists, the search for an address, the search for one |
 * | `day`                        | DayRow                  | `not_kept`; missing while everything was kept        |
 *
 * An accepted message is one row and no other. The id is its 16 bytes.
 */
import { idBytes, idOf } from '../lib/ids.js'
import { key, keyParts, prefixRange } from '../store/keys.js'
import { partitionOfDay } from '../store/days.js'

export interface DayRow {
  /** Attempts whose receipt was left out by a limit. */
  notKept: number
}

/** First part of the names of its partitions. */
export const NAME = 'receipts'
export const dayPartition = (day: string): string => partitionOfDay(NAME, day)

export const dayRowKey = key('day')
export const receiptsRange = prefixRange('r')
export const receiptKey = (at: number, id: string): Uint8Array => key('r', at, idBytes(id))
/** Bytes of a key in front of the id. */
const ID_AT = receiptKey(0, `rcp_${'0'.repeat(26)}`).length - 17
export const timeKey = (at: number): Uint8Array => key('r', at)

/** End of the attempt, and id. */
export function placeOf(row: Uint8Array): { at: number; id: string } {
  const [, at, id] = keyParts(row)
  if (typeof id !== 'object') throw new SyntaxError('A key of a receipt cannot be read')
  return { at: Number(at), id: idOf('rcp', id) }
}

/** @returns a test for the row of the receipt with this id */
export function isOf(id: string): (row: Uint8Array) => boolean {
  const end = receiptKey(0, id).subarray(ID_AT)
  return (row) => Buffer.compare(row.subarray(ID_AT), end) === 0
}
