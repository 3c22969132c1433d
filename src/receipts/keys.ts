/**
 * The key layout of receipts. Each UTC day has a partition of its own, `receipts/<YYYY-MM-DD>`, so that nothing is read to find what is old:
 *
 * | key                               | value   | read by                                                  |
 * | --------------------------------- | ------- | -------------------------------------------------------- |
 * | `day`                             | DayRow  | the limit on what strangers can leave, and `not_kept`    |
 * | `receipt` · time · id             | Receipt | lists                                                    |
 * | `address` · address · time · id   | (empty) | lists of one address: sender, recipient, mailbox         |
 *
 * Which days there are is in the partition `receipts` under `day` · `YYYY-MM-DD`, written before the day's first receipt.
 */
import { DAY } from '../lib/clock.js'
import { key, prefixRange } from '../store/keys.js'

export interface DayRow {
  kept: number
  /** Of receipts of attempts that were not accepted. */
  refusedBytes: number
  notKept: number
}

export const EMPTY_DAY: DayRow = { kept: 0, refusedBytes: 0, notKept: 0 }

export const DAYS_PARTITION = 'receipts'
export const dayPartition = (day: string): string => `receipts/${day}`

export const dayKey = (day: string): Uint8Array => key('day', day)
export const daysRange = prefixRange('day')
export const dayRowKey = key('day')
export const everythingRange = { gte: new Uint8Array(0), lt: Uint8Array.of(0xff) }

export const receiptKey = (at: number, id: string): Uint8Array => key('receipt', at, id)
export const addressKeyOf = (address: string, at: number, id: string): Uint8Array => key('address', address, at, id)

/** Where a day's receipts are listed: all of them, or those of one address. */
export function listed(address: string | undefined): {
  from: (at: number) => Uint8Array
  before: (at: number, id?: string) => Uint8Array
  end: Uint8Array
} {
  const prefix = address === undefined ? ['receipt'] : ['address', address]
  return {
    from: (at) => key(...prefix, at),
    before: (at, id) => (id === undefined ? key(...prefix, at) : key(...prefix, at, id)),
    end: prefixRange(...prefix).lt,
  }
}

/** When a day ends; it begins one day before. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) + DAY
}
