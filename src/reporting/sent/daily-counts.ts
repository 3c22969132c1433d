/**
 * Counts by UTC day and domain, for the next day's reports: collected in memory and stored in batches, so that no mail waits for them; a crash loses the last
 * seconds. Each day has a partition `<name>/<YYYY-MM-DD>` (store/days.ts):
 *
 * - `day` → DayRow
 * - `domain` · domain → what the counter stores for it
 * - `row` · domain · … → further rows of it, if any
 */
import { type Clock, SECOND, utcDay } from '../../lib/clock.js'
import { createFlusher } from '../../lib/flusher.js'
import { clearPartition } from '../../mailbox/record.js'
import type { Log } from '../../observe/log.js'
import { daysOf, partitionOfDay } from '../../store/days.js'
import { decode, encode, key, keyAfter, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'

export interface DayRow {
  domains: number
  reports: number
  rows?: number
}

export interface Counted<T> {
  item: T
  count: number
}

export interface DailyCountsDeps<T> {
  store: Store
  clock: Clock
  log: Pick<Log, 'warn' | 'error'>
  /** First part of partition names. */
  name: string
  /** For the log. */
  what: string
  /** Adds collected counts of a domain to its rows, within the day's limits. No side effects: may run again. */
  put(tx: Transaction, day: DayRow, domain: string, collected: Counted<T>[]): Promise<void>
}

export type DailyCounts<T> = ReturnType<typeof createDailyCounts<T>>

export const domainKey = (domain: string): Uint8Array => key('domain', domain)
export const rowKey = (domain: string, id: string): Uint8Array => key('row', domain, id)
export const rowsRange = (domain: string): { gte: Uint8Array; lt: Uint8Array } => prefixRange('row', domain)
const dayRowKey = key('day')

const COLLECT_MS = 10 * SECOND
const RETRY_MS = 30 * SECOND
/** Max counts in memory; further ones are dropped. */
const MAX_COLLECTED = 5000
const DOMAINS_A_COMMIT = 50
const EMPTY_DAY: DayRow = { domains: 0, reports: 0 }

interface Collected<T> extends Counted<T> {
  day: string
  domain: string
}

export function createDailyCounts<T>(deps: DailyCountsDeps<T>) {
  const { store, clock, log, name, what } = deps
  const partitionOf = (day: string): string => partitionOfDay(name, day)
  let collected = new Map<string, Collected<T>>()
  let leftOut = 0
  const { flush, flushIn, stop } = createFlusher(write)

  /** Never rejects. */
  async function write(): Promise<void> {
    if (leftOut > 0) log.warn({ results: leftOut }, `too many ${what} came at once; some are in no report`)
    leftOut = 0
    while (collected.size > 0) {
      const all = [...collected.entries()]
      const day = all[0]?.[1].day ?? ''
      const domains = new Set(all.filter(([, one]) => one.day === day).map(([, { domain }]) => domain))
      const taken = [...domains].slice(0, DOMAINS_A_COMMIT)
      const batch = all.filter(([, one]) => one.day === day && taken.includes(one.domain))
      for (const [id] of batch) collected.delete(id)
      try {
        await writeBatch(day, batch)
      } catch (err) {
        for (const [id, one] of batch) addOne(id, one)
        log.warn({ err }, `${what} cannot be written now; they are tried again`)
        return flushIn(RETRY_MS)
      }
    }
  }

  async function writeBatch(day: string, batch: [id: string, Collected<T>][]): Promise<void> {
    await store.write(partitionOf(day), async (tx) => {
      const row = await dayRow(tx)
      for (const domain of new Set(batch.map(([, one]) => one.domain))) {
        const own = batch.map(([, one]) => one).filter((one) => one.domain === domain)
        await deps.put(tx, row, domain, own)
      }
      tx.put(dayRowKey, encode(row))
    })
  }

  function addOne(id: string, one: Collected<T>): void {
    const before = collected.get(id)
    if (before) before.count += one.count
    else if (collected.size < MAX_COLLECTED) collected.set(id, one)
    else leftOut += one.count
  }

  /** Days with counts, oldest first, including collected ones. */
  async function days(): Promise<string[]> {
    await flush()
    return daysOf(store, name)
  }

  return {
    add(domain: string, item: T): void {
      const day = utcDay(clock.now())
      addOne(JSON.stringify([day, domain, item]), { day, domain, item, count: 1 })
      flushIn(COLLECT_MS)
    },

    days,

    async endedDays(): Promise<string[]> {
      const today = utcDay(clock.now())
      return (await days()).filter((day) => day < today)
    },

    /** Domains with counts on a day, after `after`. */
    async domains(day: string, after: string | undefined, limit: number): Promise<string[]> {
      const { gte, lt } = prefixRange('domain')
      const from = after === undefined ? gte : keyAfter(domainKey(after))
      const rows = await store.read(partitionOf(day), (view) => view.range({ gte: from, lt, limit }))
      return rows.map(([bytes]) => String(keyParts(bytes)[1]))
    },

    read: <R>(day: string, look: (view: View) => R | Promise<R>): Promise<R> => store.read(partitionOf(day), look),

    /** Removes the counts. `reported` counts against the day's limit of reports. */
    async finish(day: string, domain: string, reported: boolean): Promise<void> {
      await store.write(partitionOf(day), async (tx) => {
        if (!(await tx.get(domainKey(domain)))) return
        tx.delete(domainKey(domain))
        for (const [row] of await tx.range(rowsRange(domain))) tx.delete(row)
        const row = await dayRow(tx)
        if (reported) tx.put(dayRowKey, encode({ ...row, reports: row.reports + 1 }))
      })
    },

    reports: async (day: string): Promise<number> =>
      store.read(partitionOf(day), async (view) => (await dayRow(view)).reports),

    /** Removes a day without counts left, or expired. */
    dropDay: (day: string): Promise<void> => clearPartition(store, partitionOf(day)),

    flush,

    async stop(): Promise<void> {
      await stop()
      if (collected.size > 0) log.error({ lost: collected.size }, `${what} could not be written`)
      collected = new Map()
    },
  }
}

async function dayRow(view: Pick<Transaction, 'get'>): Promise<DayRow> {
  const bytes = await view.get(dayRowKey)
  return bytes ? decode<DayRow>(bytes) : { ...EMPTY_DAY }
}
