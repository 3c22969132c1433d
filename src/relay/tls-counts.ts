/**
 * Counting what sessions found of TLS, by UTC day, domain and policy, for the reports of the next day (RFC 8460 §4).
 *
 * Counted in memory and added to the store in batches: no delivery waits for it, and a process that dies takes the last seconds with it.
 * Each day has a partition, `tls-results/<YYYY-MM-DD>`:
 *
 * | key                 | value        |
 * | ------------------- | ------------ |
 * | `day`               | DayRow       |
 * | `domain` · domain   | DomainCounts |
 *
 * Which days there are is in the partition `tls-results` under `day` · `YYYY-MM-DD`, written before the day's first row.
 */
import type { Clock } from '../lib/clock.js'
import { DAY, SECOND, utcDay } from '../lib/clock.js'
import { asciiOnly } from '../lib/text.js'
import { clearPartition } from '../mailbox/record.js'
import type { Log } from '../observe/log.js'
import { decode, encode, key, keyAfter, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import type { TlsResult, TlsResults } from './tls-results.js'

export interface FailureCount {
  type: string
  mxHost: string
  receivingIp: string | null
  detail: string | null
  count: number
}

export interface PolicyCounts {
  policy: TlsResult['policy']
  successes: number
  /** All of them, also those for which there was no room in `details`. */
  failures: number
  details: FailureCount[]
}

export interface DomainCounts {
  policies: PolicyCounts[]
}

interface DayRow {
  domains: number
  /** Reports that were handed to the queue. */
  reports: number
}

export interface TlsCountsDeps {
  store: Store
  clock: Clock
  isLocalDomain: (domain: string) => boolean
  log: Pick<Log, 'warn' | 'error'>
  /** How long counts gather before they are added to the store. */
  gatherMs?: number
}

export interface TlsCounts extends TlsResults {
  /** Days of which there are counts, oldest first; what was counted until now is in the store. */
  days(): Promise<string[]>
  /** Those of them which have ended. */
  endedDays(): Promise<string[]>
  /** Domains with counts on that day, from the one after `after` on. */
  domains(day: string, after: string | undefined, limit: number): Promise<string[]>
  counts(day: string, domain: string): Promise<DomainCounts | undefined>
  /** Takes the counts away. `reported` counts against the day's limit of reports. */
  finish(day: string, domain: string, reported: boolean): Promise<void>
  /** Reports of that day that were handed to the queue. */
  reports(day: string): Promise<number>
  /** Takes a day away that has no counts left, or whose time has passed. */
  dropDay(day: string): Promise<void>
  flush(): Promise<void>
  stop(): Promise<void>
}

const DAYS_PARTITION = 'tls-results'
const partitionOf = (day: string): string => `tls-results/${day}`
const dayRowKey = key('day')
const domainKey = (domain: string): Uint8Array => key('domain', domain)

const GATHER_MS = 10 * SECOND
const RETRY_MS = 30 * SECOND
/** Counts in memory: what comes on top before they are written is left out. */
const MAX_GATHERED = 5000
/** Whom mail is sent to is for agents to say, and what is found there for strangers: both are bounded. */
const MAX_DOMAINS_A_DAY = 10_000
const MAX_POLICIES = 8
const MAX_DETAILS = 32
const MAX_STRINGS = 20
const MAX_STRING_CHARS = 300
const MAX_DETAIL_CHARS = 200
const MAX_HOST_CHARS = 255
const DOMAINS_A_COMMIT = 50
const EMPTY_DAY: DayRow = { domains: 0, reports: 0 }

interface Gathered {
  day: string
  domain: string
  result: TlsResult
  count: number
}

export function createTlsCounts({ store, clock, isLocalDomain, log, gatherMs = GATHER_MS }: TlsCountsDeps): TlsCounts {
  let gathered = new Map<string, Gathered>()
  const knownDays = new Set<string>()
  let leftOut = 0
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  const flushIn = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, ms).unref()
  }

  /** Never rejects. */
  const flush = (): Promise<void> => {
    flushing ??= write().finally(() => (flushing = undefined))
    return flushing
  }

  async function write(): Promise<void> {
    if (leftOut > 0) log.warn({ results: leftOut }, 'too many results of TLS came at once; some are in no report')
    leftOut = 0
    while (gathered.size > 0) {
      const all = [...gathered.entries()]
      const day = all[0]?.[1].day ?? ''
      const domains = new Set(all.filter(([, one]) => one.day === day).map(([, { domain }]) => domain))
      const taken = [...domains].slice(0, DOMAINS_A_COMMIT)
      const batch = all.filter(([, one]) => one.day === day && taken.includes(one.domain))
      for (const [id] of batch) gathered.delete(id)
      try {
        await writeBatch(
          day,
          batch.map(([, one]) => one),
        )
      } catch (err) {
        for (const [id, one] of batch) add(id, one)
        log.warn({ err }, 'results of TLS can not be written now; they are tried again')
        return flushIn(RETRY_MS)
      }
    }
  }

  async function writeBatch(day: string, batch: Gathered[]): Promise<void> {
    if (!knownDays.has(day)) {
      await store.write(DAYS_PARTITION, (tx) => tx.put(key('day', day), new Uint8Array(0)))
      knownDays.clear()
      knownDays.add(day)
    }
    await store.write(partitionOf(day), async (tx) => {
      const row = await dayRow(tx)
      for (const domain of new Set(batch.map((one) => one.domain))) {
        const stored = await tx.get(domainKey(domain))
        if (!stored && row.domains >= MAX_DOMAINS_A_DAY) continue
        if (!stored) row.domains++
        const counts: DomainCounts = stored ? decode(stored) : { policies: [] }
        for (const one of batch) if (one.domain === domain) addTo(counts, one)
        tx.put(domainKey(domain), encode(counts))
      }
      tx.put(dayRowKey, encode(row))
    })
  }

  function add(id: string, one: Gathered): void {
    const before = gathered.get(id)
    if (before) before.count += one.count
    else if (gathered.size < MAX_GATHERED) gathered.set(id, one)
    else leftOut += one.count
  }

  async function days(): Promise<string[]> {
    await flush()
    const rows = await store.read(DAYS_PARTITION, (view) => view.range(prefixRange('day')))
    return rows.map(([bytes]) => String(keyParts(bytes)[1]))
  }

  return {
    record(given) {
      const domain = given.domain.toLowerCase()
      if (isLocalDomain(domain)) return
      const result = bounded({ ...given, domain })
      const day = utcDay(clock.now())
      add(JSON.stringify([day, result]), { day, domain, result, count: 1 })
      flushIn(gatherMs)
    },

    days,

    async endedDays() {
      const today = utcDay(clock.now())
      return (await days()).filter((day) => day < today)
    },

    async domains(day, after, limit) {
      const { gte, lt } = prefixRange('domain')
      const from = after === undefined ? gte : keyAfter(domainKey(after))
      const rows = await store.read(partitionOf(day), (view) => view.range({ gte: from, lt, limit }))
      return rows.map(([bytes]) => String(keyParts(bytes)[1]))
    },

    async counts(day, domain) {
      const bytes = await store.read(partitionOf(day), (view) => view.get(domainKey(domain)))
      return bytes ? decode<DomainCounts>(bytes) : undefined
    },

    async finish(day, domain, reported) {
      await store.write(partitionOf(day), async (tx) => {
        if (!(await tx.get(domainKey(domain)))) return
        tx.delete(domainKey(domain))
        const row = await dayRow(tx)
        if (reported) tx.put(dayRowKey, encode({ ...row, reports: row.reports + 1 }))
      })
    },

    reports: async (day) => store.read(partitionOf(day), async (view) => (await dayRow(view)).reports),

    async dropDay(day) {
      await clearPartition(store, partitionOf(day))
      await store.write(DAYS_PARTITION, (tx) => tx.delete(key('day', day)))
      knownDays.delete(day)
    },

    flush,

    async stop() {
      // One that is under way may have begun before the last result came.
      await flush()
      await flush()
      clearTimeout(timer)
      if (gathered.size > 0) log.error({ lost: gathered.size }, 'results of TLS could not be written')
      gathered = new Map()
    },
  }
}

/** When a day began, in milliseconds since the epoch. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

export function endOfDay(day: string): number {
  return startOfDay(day) + DAY
}

async function dayRow(view: Pick<Transaction, 'get'>): Promise<DayRow> {
  const bytes = await view.get(dayRowKey)
  return bytes ? decode<DayRow>(bytes) : { ...EMPTY_DAY }
}

function bounded({ domain, policy, mxHost, receivingIp, outcome, detail }: TlsResult): TlsResult {
  const list = (texts: string[]): string[] =>
    texts.slice(0, MAX_STRINGS).map((text) => asciiOnly(text, MAX_STRING_CHARS))
  return {
    domain,
    policy: { type: policy.type, strings: list(policy.strings), mxHosts: list(policy.mxHosts) },
    // A success is counted by policy alone.
    mxHost: outcome === 'success' ? '' : asciiOnly(mxHost, MAX_HOST_CHARS),
    receivingIp: outcome === 'success' ? null : receivingIp,
    outcome,
    detail: outcome === 'success' || detail === null ? null : asciiOnly(detail, MAX_DETAIL_CHARS),
  }
}

function addTo({ policies }: DomainCounts, { result, count }: Gathered): void {
  const text = JSON.stringify(result.policy)
  let found = policies.find(({ policy }) => JSON.stringify(policy) === text)
  if (!found) {
    if (policies.length >= MAX_POLICIES) return
    found = { policy: result.policy, successes: 0, failures: 0, details: [] }
    policies.push(found)
  }
  if (result.outcome === 'success') {
    found.successes += count
    return
  }
  found.failures += count
  const { outcome: type, mxHost, receivingIp, detail } = result
  const same = found.details.find(
    (one) => one.type === type && one.mxHost === mxHost && one.receivingIp === receivingIp && one.detail === detail,
  )
  if (same) same.count += count
  else if (found.details.length < MAX_DETAILS) found.details.push({ type, mxHost, receivingIp, detail, count })
}
