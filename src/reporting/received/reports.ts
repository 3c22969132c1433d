/** Received reports: stored once, listed, summarized, dropped by day. Everything strangers can add is limited per reporter and day. */
import { z } from 'zod'
import { type Clock, DAY, SECOND, timestamp, utcDay } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { clearPartition } from '../../mailbox/record.js'
import { daysOf, endOfDay } from '../../store/days.js'
import { decode, encode } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import * as keys from './keys.js'
import type { DayRow } from './keys.js'
import { summed, type OwnAddress, type Summary } from './summary.js'
import type { DmarcRow, KeptReport, Proof, ReadReport, Refusal, TlsFailure } from './types.js'

export interface ReportsDeps {
  store: Store
  clock: Clock
  retentionMs: number
  /** @param domain lower-case ASCII */
  isLocalDomain: (domain: string) => boolean
}

export interface Arrived {
  report: ReadReport
  proof: Proof
  /** Message id of its mail: a redelivery of the same mail is not counted as a duplicate. */
  messageId: string
}

export interface ReportQuery {
  domain?: string | undefined
  kind?: 'dmarc' | 'tls' | undefined
  limit: number
  cursor?: string | undefined
}

export interface SummaryQuery {
  days: number
  domain?: string | undefined
  isOwn: OwnAddress
}

export type Reports = ReturnType<typeof createReports>
type Keeping = { kind: 'kept'; id: string } | { kind: 'refused'; refusal: Refusal }

const MAX_REPORTS_A_DAY = 1000
const MAX_ROWS_A_DAY = 10_000
/** Per reporter, so that none takes the room of others. */
const MAX_REPORTS_OF_ONE = 300
const MAX_ROWS_OF_ONE = 3000
/** RFC 7489 §7.2: reports are daily; some cover a week. */
const MAX_SPAN_MS = 35 * DAY
/** Max delay after its end; limits how many days can be filled at once. */
const MAX_AGE_MS = 14 * DAY
/** Clocks differ, and some days end at a local midnight. */
const MAX_AHEAD_MS = 2 * DAY
const PAGE = 100

const cursorSchema = z.tuple([z.string().max(10), z.string().max(64)])

export function createReports({ store, clock, retentionMs, isLocalDomain }: ReportsDeps) {
  /** True for a domain of ours or below one, where our policy applies. */
  function isOurs(domain: string): boolean {
    for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1))
      if (isLocalDomain(name)) return true
    return false
  }

  function problemOf({ domain, begin, end }: ReadReport): Refusal | undefined {
    if (!isOurs(domain)) return 'not_ours'
    const now = clock.now()
    const [from, until] = [begin * SECOND, end * SECOND]
    if (from > until || until - from > MAX_SPAN_MS || until > now + MAX_AHEAD_MS) return 'bad_dates'
    return until < now - Math.min(MAX_AGE_MS, retentionMs) ? 'too_old' : undefined
  }

  /** Days since that long ago, newest first. */
  async function daysSince(ms: number): Promise<string[]> {
    const first = utcDay(Math.max(0, clock.now() - Math.min(ms, retentionMs)))
    return (await daysOf(store, keys.NAME)).filter((day) => day >= first).reverse()
  }

  async function page(day: string, after: string | undefined): Promise<KeptReport[]> {
    const { gte, lt } = keys.reportsRange
    const from = after === undefined ? gte : Buffer.concat([keys.reportKey(after), Buffer.of(0)])
    const rows = await store.read(keys.dayPartition(day), (view) => view.range({ gte: from, lt, limit: PAGE }))
    return rows.map(([, value]) => decode<KeptReport>(value))
  }

  async function* reportsOf(days: readonly string[], start?: [day: string, id: string]): AsyncGenerator<KeptReport> {
    for (const day of days) {
      if (start && day > start[0]) continue
      let after = start?.[0] === day ? start[1] : undefined
      for (;;) {
        const some = await page(day, after)
        yield* some
        after = some.at(-1)?.id
        if (some.length < PAGE) break
      }
    }
  }

  async function rowsOf(id: string, day: string): Promise<(DmarcRow | TlsFailure)[]> {
    const pieces = await store.read(keys.dayPartition(day), (view) => view.range({ ...keys.rowsRange(id), limit: 100 }))
    return pieces.flatMap(([, value]) => decode<(DmarcRow | TlsFailure)[]>(value))
  }

  return {
    /** Idempotent per mail. */
    async keep({ report, proof, messageId }: Arrived): Promise<Keeping> {
      const problem = problemOf(report)
      if (problem) return { kind: 'refused', refusal: problem }
      const now = clock.now()
      const day = utcDay(report.end * SECOND)
      const id = keys.idOf(proof.domain, report, day)
      const { rows, ...head } = report
      const kept = {
        ...head,
        id,
        reporter: proof.domain,
        proven_by: proof.by,
        message_id: messageId,
        received_at: timestamp(now),
        begin: timestamp(report.begin * SECOND),
        end: timestamp(report.end * SECOND),
        rows: rows.length,
      } satisfies KeptReport
      return store.write(keys.dayPartition(day), async (tx): Promise<Keeping> => {
        const before = await tx.get(keys.reportKey(id))
        if (before && decode<KeptReport>(before).message_id === messageId) return { kind: 'kept', id }
        if (before) return { kind: 'refused', refusal: 'duplicate' }
        if (!(await hasRoom(tx, proof.domain, rows.length))) return { kind: 'refused', refusal: 'full' }
        tx.put(keys.reportKey(id), encode(kept))
        for (let at = 0; at < rows.length; at += keys.ROWS_A_PIECE)
          tx.put(keys.rowsKey(id, at / keys.ROWS_A_PIECE), encode(rows.slice(at, at + keys.ROWS_A_PIECE)))
        return { kind: 'kept', id }
      })
    },

    /** By end day, newest first. */
    async list({ domain, kind, limit, cursor }: ReportQuery) {
      const start = decodeCursor(cursor, cursorSchema)
      const data: KeptReport[] = []
      for await (const report of reportsOf(await daysSince(retentionMs), start)) {
        if ((domain !== undefined && report.domain !== domain) || (kind !== undefined && report.kind !== kind)) continue
        data.push(report)
        // One more than requested shows that there are more.
        if (data.length > limit) break
      }
      const has_more = data.length > limit
      const last = data[limit - 1]
      const next_cursor = has_more && last ? encodeCursor([keys.dayOfId(last.id), last.id]) : null
      return { data: data.slice(0, limit), has_more, next_cursor }
    },

    async show(id: string): Promise<{ report: KeptReport; rows: (DmarcRow | TlsFailure)[] } | undefined> {
      const day = keys.dayOfId(id)
      if (day === undefined) return undefined
      const bytes = await store.read(keys.dayPartition(day), (view) => view.get(keys.reportKey(id)))
      return bytes && { report: decode<KeptReport>(bytes), rows: await rowsOf(id, day) }
    },

    async summary({ days, domain, isOwn }: SummaryQuery): Promise<Summary> {
      const since = clock.now() - days * DAY
      const sum = summed({ days, since, isOwn })
      for await (const report of reportsOf(await daysSince(days * DAY))) {
        if (Date.parse(report.end) < since || (domain !== undefined && report.domain !== domain)) continue
        sum.add(report, await rowsOf(report.id, keys.dayOfId(report.id) ?? ''))
      }
      return sum.end()
    },

    async count(): Promise<number> {
      let all = 0
      for (const day of await daysOf(store, keys.NAME)) {
        const row = await store.read(keys.dayPartition(day), (view) => view.get(keys.dayRowKey))
        if (row) all += decode<DayRow>(row).reports
      }
      return all
    },

    /** Drops expired days. @returns number of reports */
    async sweep(signal: AbortSignal): Promise<number> {
      let removed = 0
      for (const day of await daysOf(store, keys.NAME)) {
        if (signal.aborted || endOfDay(day) > clock.now() - retentionMs) break
        const row = await store.read(keys.dayPartition(day), (view) => view.get(keys.dayRowKey))
        await clearPartition(store, keys.dayPartition(day))
        removed += row ? decode<DayRow>(row).reports : 0
      }
      return removed
    },
  }
}

/** Counts one more, unless the day or its reporter is at its limit. */
async function hasRoom(tx: Transaction, reporter: string, rows: number): Promise<boolean> {
  const bytes = await tx.get(keys.dayRowKey)
  const day = bytes ? decode<DayRow>(bytes) : keys.EMPTY_DAY
  const own = Object.hasOwn(day.reporters, reporter) ? day.reporters[reporter] : undefined
  const mine = { reports: (own?.reports ?? 0) + 1, rows: (own?.rows ?? 0) + rows }
  const all = { reports: day.reports + 1, rows: day.rows + rows }
  if (all.reports > MAX_REPORTS_A_DAY || all.rows > MAX_ROWS_A_DAY) return false
  if (mine.reports > MAX_REPORTS_OF_ONE || mine.rows > MAX_ROWS_OF_ONE) return false
  tx.put(keys.dayRowKey, encode({ ...all, reporters: { ...day.reporters, [reporter]: mine } } satisfies DayRow))
  return true
}
