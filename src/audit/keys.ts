/**
 * The key layout of the audit log. Each UTC day has a partition of its own, `audit/<YYYY-MM-DD>`:
 *
 * | key                  | value        | read by                                                       |
 * | -------------------- | ------------ | ------------------------------------------------------------- |
 * | `entry` · time · id  | StoredEntry  | lists                                                         |
 * | `made` · who         | number       | the limit on what one account or network can leave in a day   |
 * | `day`                | DayRow       | `not_kept`, and counting                                      |
 *
 * Which days there are is in the partition `audit` under `day` · `YYYY-MM-DD`, written before the day's first entry.
 */
import { DAY } from '../lib/clock.js'
import { key, prefixRange } from '../store/keys.js'
import type { AuditEntry } from './types.js'

/** An entry of which nobody has written yet how it went has no `result`. */
export type StoredEntry = Omit<AuditEntry, 'result'> & { result: Exclude<AuditEntry['result'], 'unknown'> | null }

export interface DayRow {
  kept: number
  notKept: number
}

export const EMPTY_DAY: DayRow = { kept: 0, notKept: 0 }

export const DAYS_PARTITION = 'audit'
export const dayPartition = (day: string): string => `audit/${day}`
export const dayKey = (day: string): Uint8Array => key('day', day)
export const daysRange = prefixRange('day')
export const dayRowKey = key('day')
export const entryKey = (at: number, id: string): Uint8Array => key('entry', at, id)
export const timeKey = (at: number): Uint8Array => key('entry', at)
export const entriesRange = prefixRange('entry')
export const madeKey = (who: string): Uint8Array => key('made', who)
export const everythingRange = { gte: new Uint8Array(0), lt: Uint8Array.of(0xff) }

/** When a day ends; it begins one day before. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) + DAY
}
