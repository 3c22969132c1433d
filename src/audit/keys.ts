/**
 * The key layout of the audit log. Each UTC day has its own partition, `audit/<YYYY-MM-DD>` (store/days.ts):
 *
 * | key                  | value        | read by                                                       |
 * | -------------------- | ------------ | ------------------------------------------------------------- |
 * | `entry` · time · id  | StoredEntry  | lists                                                         |
 * | `day`                | DayRow       | `not_kept`; missing while everything was kept                 |
 */
import { partitionOfDay } from '../store/days.js'
import { decode, key, prefixRange } from '../store/keys.js'
import type { View } from '../store/types.js'
import type { AuditEntry } from './types.js'

/** The `result` of an unsettled entry is null. */
export type StoredEntry = Omit<AuditEntry, 'result'> & { result: Exclude<AuditEntry['result'], 'unknown'> | null }

export interface DayRow {
  /** Entries that were left out by a limit. */
  notKept: number
}

export const NAME = 'audit'
export const dayPartition = (day: string): string => partitionOfDay(NAME, day)
export const dayRowKey = key('day')
export const entryKey = (at: number, id: string): Uint8Array => key('entry', at, id)
export const timeKey = (at: number): Uint8Array => key('entry', at)
export const entriesRange = prefixRange('entry')

export async function dayOf(view: Pick<View, 'get'>): Promise<DayRow> {
  const bytes = await view.get(dayRowKey)
  return bytes ? decode<DayRow>(bytes) : { notKept: 0 }
}
