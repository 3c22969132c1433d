/**
 * Kept parts of many partitions: their rows, and a record of what was asked of each lately. Rows that were read are added only if no commit of this
 * process may have changed them since.
 */
import { KnownRows } from './known-rows.js'
import { RecentAsks, type Asks, type RangeAsk } from './recent-asks.js'

/** Commands write to this partition while a daemon works, also one that knows itself alone. It is read at a start and after changes only. */
const NOT_KEPT = 'cluster/vault'
/** The rows of one partition take at most this part (one eighth) of `maxBytes`. */
const SHARE = 8
/** Estimated overhead of a partition. */
const ENTRY_BYTES = 200
/** Max partitions that are read together with one that has changed. */
const MAX_TOGETHER = 16

interface Kept {
  rows: KnownRows | undefined
  asks: RecentAsks
  /** True after a hint that another process has changed the rows. */
  isStale: boolean
  /** Set when the rows were dropped: all partitions that the function had read which noticed the change. It runs again, and needs them again. */
  together: readonly string[]
}

/** A read of the engine that has not ended yet. */
export interface Fetch {
  partition: string
  /** True if a commit of this process has ended since the read began: the answer may be from before that commit. */
  isLate: boolean
}

export class KeptPartitions {
  /** In the order of their use: the most recently used partition is last. */
  readonly #kept = new Map<string, Kept>()
  readonly #maxBytes: number
  #bytes = 0
  readonly #fetches = new Set<Fetch>()
  /** Partitions to which commits of unknown fate wrote, by the mark of the commit. Their rows are not kept until the fate is known. */
  readonly #uncertain = new Map<string, readonly string[]>()

  /** @param maxBytes max size of all rows and asks */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  rows(partition: string): KnownRows | undefined {
    return this.#kept.get(partition)?.rows
  }

  /** True if a newer version than this one is known here, or a hint said that there is one. */
  isOutdated(partition: string, version: bigint): boolean {
    const { rows, isStale = false } = this.#kept.get(partition) ?? {}
    return isStale || (rows !== undefined && rows.version > version)
  }

  asked(partition: string, keys: readonly string[], values: readonly (Uint8Array | null | undefined)[]): void {
    this.#change(partition, ({ asks }) => keys.forEach((key, i) => asks.addKey(key, values[i] ?? null)))
  }

  askedRange(partition: string, ask: RangeAsk, rows: Parameters<RecentAsks['addRange']>[1]): void {
    this.#change(partition, ({ asks }) => asks.addRange(ask, rows))
  }

  /** Keys and ranges to read along with a partition: all that was asked lately of it and of the partitions in `together`, as far as the answers are not known. */
  ahead(partition: string): (readonly [partition: string, asks: Asks])[] {
    const { together = [] } = this.#kept.get(partition) ?? {}
    return [...new Set([partition, ...together])].map((name) => [name, this.#aheadOf(name)])
  }

  /** To be called before a read of the engine begins. */
  begin(partition: string): Fetch {
    const fetch = { partition, isLate: false }
    this.#fetches.add(fetch)
    return fetch
  }

  end(fetch: Fetch): void {
    this.#fetches.delete(fetch)
  }

  /** Adds rows that were read. @param version the current one when they were read */
  learn({ partition, isLate }: Fetch, version: bigint, add: (rows: KnownRows) => void): void {
    if (isLate) return
    if (this.#isUncertain(partition)) return this.drop(partition)
    this.#change(partition, (kept) => {
      const isNew = kept.rows?.version !== version
      const rows = isNew || !kept.rows ? new KnownRows(version) : kept.rows
      add(rows)
      if (isNew) replace(kept, rows)
    })
  }

  /** To be called when a commit of this process has ended: reads that began before it may have older rows. */
  outdate(partitions: Iterable<string>): void {
    const written = new Set(partitions)
    for (const fetch of this.#fetches) if (written.has(fetch.partition)) fetch.isLate = true
  }

  /** Brings a partition to a new version, after a commit of this process that changed only these rows. */
  moveOn(partition: string, version: bigint, changes: Parameters<KnownRows['moveOn']>[1]): void {
    const rows = this.rows(partition)
    if (!rows) return
    this.#change(partition, (kept) => {
      rows.moveOn(version, changes)
      replace(kept, rows)
    })
  }

  /** Takes note of a hint that another process has changed a partition. Hints may be late or lost. */
  hint(partition: string, version: bigint): void {
    const kept = this.#kept.get(partition)
    if (kept?.rows && version > kept.rows.version) kept.isStale = true
  }

  /** Forgets the rows of a partition. */
  drop(partition: string): void {
    if (this.#kept.has(partition)) this.#change(partition, (kept) => replace(kept, undefined))
  }

  /**
   * Forgets the rows of partitions that have changed, unless newer ones are known by now.
   *
   * @param changed partitions, with the versions that they had before
   * @param seen all partitions that the function has read which will now run again
   */
  dropSeen(changed: Iterable<readonly [partition: string, version: bigint]>, seen: Iterable<string>): void {
    const together = [...seen].slice(0, MAX_TOGETHER)
    for (const [partition, version] of changed) {
      const kept = this.#kept.get(partition)
      if (kept?.rows && kept.rows.version !== version) continue
      this.drop(partition)
      if (kept) kept.together = together
    }
  }

  /** Forgets all rows: any of them may have been changed. */
  dropAll(): void {
    for (const fetch of this.#fetches) fetch.isLate = true
    for (const partition of [...this.#kept.keys()]) this.drop(partition)
  }

  /** The fate of the commit with that mark is unknown: it may have changed these partitions, or may do so later. */
  doubt(mark: string, partitions: readonly string[]): void {
    this.#uncertain.set(mark, partitions)
  }

  /** The fate of the commit with that mark is known. */
  settle(mark: string): void {
    const written = this.#uncertain.get(mark) ?? []
    this.#uncertain.delete(mark)
    this.outdate(written)
    for (const partition of written) this.drop(partition)
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }

  #aheadOf(partition: string): Asks {
    const kept = this.#kept.get(partition)
    if (!kept || this.#isUncertain(partition)) return NO_ASKS
    this.#bytes -= kept.asks.bytes
    const ahead = kept.asks.ahead(kept.rows)
    this.#bytes += kept.asks.bytes
    return ahead
  }

  #isUncertain(partition: string): boolean {
    return this.#uncertain.size > 0 && [...this.#uncertain.values()].some((names) => names.includes(partition))
  }

  /** Changes what is kept of a partition, which becomes the most recently used one. */
  #change(partition: string, fn: (kept: Kept) => void): void {
    if (partition === NOT_KEPT) return
    const kept = this.#kept.get(partition) ?? {
      rows: undefined,
      asks: new RecentAsks(),
      isStale: false,
      together: [],
    }
    this.#bytes -= sizeOf(kept)
    fn(kept)
    if (kept.rows && kept.rows.bytes > this.#maxBytes / SHARE) replace(kept, undefined)
    this.#bytes += sizeOf(kept)
    this.#kept.delete(partition)
    this.#kept.set(partition, kept)
    for (const [name, oldest] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#bytes -= sizeOf(oldest)
      this.#kept.delete(name)
    }
  }
}

function replace(kept: Kept, rows: KnownRows | undefined): void {
  kept.rows = rows
  kept.isStale = false
  kept.together = []
}

const NO_ASKS: Asks = { keys: [], ranges: [] }

const sizeOf = ({ rows, asks }: Kept): number => ENTRY_BYTES + (rows?.bytes ?? 0) + asks.bytes
