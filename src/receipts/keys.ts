/**
 * The key layout of receipts. Each UTC day has a partition of its own, `receipts/<YYYY-MM-DD>` (store/days.ts):
 *
 * | key                          | value                   | read by                                              |
 * | ---------------------------- | ----------------------- | ---------------------------------------------------- |
 * | `r` · time · id              | a receipt (record.ts)   | lists, the search for an address, the search for one |
 * | `day`                        | DayRow                  | `not_kept`; missing while everything was kept        |
 *
 * An accepted message is one row and no other. The id is two numbers, the upper and the lower half of its 128 bits.
 */
import { halvesOfId, idOfHalves, isId } from '../lib/ids.js'
import { key, keyParts, prefixRange } from '../store/keys.js'
import { partitionOfDay } from '../store/days.js'

export interface DayRow {
  /** Attempts whose receipt was left out by a limit. */
  notKept: number
}

/** Of its partitions. */
export const NAME = 'receipts'
export const dayPartition = (day: string): string => partitionOfDay(NAME, day)

export const dayRowKey = key('day')
export const receiptsRange = prefixRange('r')
export const receiptKey = (at: number, id: string): Uint8Array => key('r', at, ...halvesOfId(id))
/** Bytes of a key in front of the id. */
const ID_AT = receiptKey(0, `rcp_${'0'.repeat(26)}`).length - 18
export const timeKey = (at: number): Uint8Array => key('r', at)

/** When the attempt ended, and the id. */
export function placeOf(row: Uint8Array): { at: number; id: string } {
  const [, at, upper, lower] = keyParts(row)
  return { at: Number(at), id: idOfHalves('rcp', BigInt(upper ?? 0), BigInt(lower ?? 0)) }
}

/** @returns whether a row is that of the receipt with this id */
export function isOf(id: string): (row: Uint8Array) => boolean {
  const end = receiptKey(0, id).subarray(ID_AT)
  return (row) => Buffer.compare(row.subarray(ID_AT), end) === 0
}

/** Whether a text can be the id of a receipt: a ULID has 128 bits, so its first character is 7 at the most. */
export function isReceiptId(text: string): boolean {
  return isId('rcp', text) && text.charAt('rcp_'.length) <= '7'
}
