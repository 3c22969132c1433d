/**
 * The key layout of reports. Each UTC day has a partition `reports/<YYYY-MM-DD>` (store/days.ts), the day a report ends on:
 *
 * - `day` → DayRow
 * - `report` · id → StoredReport
 * - `rows` · id · number → a hundred rows of it
 *
 * An id contains the day and a hash of what identifies a report, so a duplicate is found at its place, in the commit that would store it.
 */
import { sha256Hex } from '../../lib/ids.js'
import { partitionOfDay } from '../../store/days.js'
import { key, prefixRange } from '../../store/keys.js'
import type { ReadReport } from './types.js'

export interface DayRow {
  reports: number
  rows: number
  reporters: Record<string, { reports: number; rows: number }>
}

export const EMPTY_DAY: DayRow = { reports: 0, rows: 0, reporters: {} }
export const ROWS_A_PIECE = 100

/** First part of partition names. */
export const NAME = 'reports'
export const dayPartition = (day: string): string => partitionOfDay(NAME, day)
export const dayRowKey = key('day')
export const reportKey = (id: string): Uint8Array => key('report', id)
export const reportsRange = prefixRange('report')
export const rowsKey = (id: string, piece: number): Uint8Array => key('rows', id, piece)
export const rowsRange = (id: string): { gte: Uint8Array; lt: Uint8Array } => prefixRange('rows', id)

const ID = /^rep_(\d{4})(\d{2})(\d{2})_[0-9a-f]{16}$/

export function idOf(reporter: string, { kind, domain, report_id, begin, end }: ReadReport, day: string): string {
  const same = sha256Hex(JSON.stringify([reporter, kind, domain, report_id, begin, end]))
  return `rep_${day.replaceAll('-', '')}_${same.slice(0, 16)}`
}

export function dayOfId(id: string): string | undefined {
  const [, year, month, date] = ID.exec(id) ?? []
  return year === undefined ? undefined : `${year}-${month}-${date}`
}
