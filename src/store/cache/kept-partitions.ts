/**
 * What is kept of many partitions: rows, and what was asked of each lately. Rows are added only if no commit of this process may have changed them
 * since they were read.
 */
import { KnownRows } from './known-rows.js'
import { RecentAsks, type Asks, type RangeAsk } from './recent-asks.js'

/** Commands write there beside a daemon, also beside a single one. It is read at a start and after changes only. */
const NOT_KEPT = 'cluster/vault'
/** Max share of the rows of one partition. */
const SHARE = 8
/** Estimated overhead of a partition. */
const ENTRY_BYTES = 200
/** Max partitions that are asked for with one that has changed. */
const MAX_TOGETHER = 16

interface Kept {
  rows: KnownRows | undefined
  asks: RecentAsks
  /** Another process is said to have changed them. */
  isStale: boolean
  /** After its rows were dropped: all partitions that the function had seen which found the change, since it will run again. */
  together: readonly string[]
}

/** A read of the engine that has not ended. */
export interface Fetch {
  partition: string
  /** A commit of this process ended since it began: the answer may be older. */
  isLate: boolean
}

export class KeptPartitions {
  /** The most recently used one is last. */
  readonly #kept = new Map<string, Kept>()
  readonly #maxBytes: number
  #bytes = 0
  readonly #fetches = new Set<Fetch>()
  /** Partitions that commits of unknown fate wrote, by mark. Their rows are not kept until the fate is known. */
  readonly #uncertain = new Map<string, readonly string[]>()

  /** @param maxBytes max size of all rows and asks */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  rows(partition: string): KnownRows | undefined {
    return this.#kept.get(partition)?.rows
  }

  /** True if that version is not the current one any more, as far as it is known here or was heard. */
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

  /** What to ask for with the rows of a partition: what was asked lately and is not known, of it and of those that were seen with it. */
  ahead(partition: string): (readonly [partition: string, asks: Asks])[] {
    const { together = [] } = this.#kept.get(partition) ?? {}
    return [...new Set([partition, ...together])].map((name) => [name, this.#aheadOf(name)])
  }

  /** Call it before a read of the engine begins. */
  begin(partition: string): Fetch {
    const fetch = { partition, isLate: false }
    this.#fetches.add(fetch)
    return fetch
  }

  end(fetch: Fetch): void {
    this.#fetches.delete(fetch)
  }

  /** Adds what was read at a version, which was the newest when it was read. */
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

  /** A commit of this process ended: answers to what was asked before may be older. */
  outdate(partitions: Iterable<string>): void {
    const written = new Set(partitions)
    for (const fetch of this.#fetches) if (written.has(fetch.partition)) fetch.isLate = true
  }

  /** A commit of this process changed these rows alone. */
  moveOn(partition: string, version: bigint, changes: Parameters<KnownRows['moveOn']>[1]): void {
    const rows = this.rows(partition)
    if (!rows) return
    this.#change(partition, (kept) => {
      rows.moveOn(version, changes)
      replace(kept, rows)
    })
  }

  /** A hint that another process changed a partition; it may be old, or missing. */
  hint(partition: string, version: bigint): void {
    const kept = this.#kept.get(partition)
    if (kept?.rows && version > kept.rows.version) kept.isStale = true
  }

  /** Forgets its rows. */
  drop(partition: string): void {
    if (this.#kept.has(partition)) this.#change(partition, (kept) => replace(kept, undefined))
  }

  /**
   * Forgets the rows of partitions that have changed, unless newer ones are known by now.
   *
   * @param changed with the versions that they do not have any more
   * @param seen all that the function has seen which will now run again
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

  /** The commit with that mark may have changed them, or may do so later. */
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

  /** The partition becomes the most recently used one. */
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
