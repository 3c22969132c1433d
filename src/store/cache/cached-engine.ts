/**
 * Rows of a shared store kept in memory, each partition at one version. Whatever was read from them counts only if the versions still hold: a
 * transaction is told by its commit, a read asks for the versions at its end. So a read of what is known takes one round trip, however many rows it
 * needs, and a transaction only its commit. While no other process can write, a read of what is known takes none.
 * What is not known is asked for together with the versions of all that was seen so far, so that a read that ends with it asks for nothing more.
 * A commit of this process moves the kept rows on; those of others are found by the versions.
 */
import type { Maybe } from '../../lib/maybe.js'
import type { Engine, Hearing, Reader } from '../engine.js'
import { FateUnknownError } from '../errors.js'
import { KnownRows } from './known-rows.js'
import { asBuffer, checkKey, checkPartition } from '../keys.js'

export interface CachedEngineOptions {
  /** Max size of all rows. */
  maxBytes: number
  /**
   * Since when no other process can have written, in milliseconds as `performance.now`: another number each time that others may have before.
   * Undefined while others can.
   */
  soleSince?: () => number | undefined
}

/** Commands write there beside a daemon, also beside a single one. It is read at a start and after changes only. */
const NOT_KEPT = 'cluster/vault'
/** Max share of one partition. */
const SHARE = 8
/** Runs of a read whose partitions others keep changing; then one snapshot is read, without the cache. */
const MAX_RUNS = 3
/** Max versions that are asked for with rows: a long run of many partitions asks for them once, at its end. */
const MAX_CARRIED = 64

/** The rows of a partition were changed while they were read. */
class ChangedError extends Error {
  override name = 'ChangedError'
}

/** One call of a function over the cached rows. */
interface Run {
  reader: Reader
  /** The version of each partition of which rows were seen. */
  seen: Map<string, bigint>
  /** Partitions whose seen versions were current at one moment of the run. */
  held: ReadonlySet<string>
  /** True if the run was told to end, whatever became of that. */
  isBroken: boolean
}

/** What a run asks the engine for in one turn: one snapshot, in one round trip. */
interface Batch {
  partitions: Set<string>
  reads: ((under: Reader) => Promise<void>)[]
  /** By partition. */
  versions: Promise<ReadonlyMap<string, bigint>>
}

/** @param engine closed with the cache */
export function cachedEngine(engine: Engine, { maxBytes, soleSince = () => undefined }: CachedEngineOptions): Engine {
  // The most recently used partition is last.
  const kept = new Map<string, KnownRows>()
  let bytes = 0
  /** Reads of the engine that have not ended. */
  const fetches = new Set<{ partition: string; isLate: boolean }>()
  /** Partitions that commits of unknown fate wrote, by mark. Their rows are not cached until the fate is known. */
  const uncertain = new Map<string, string[]>()
  let knownSince = soleSince()

  /** A commit of this process ended: answers to what was asked before may be older. */
  function outdate(partitions: Iterable<string>): void {
    const written = new Set(partitions)
    for (const fetch of fetches) if (written.has(fetch.partition)) fetch.isLate = true
  }

  const isUncertain = (partition: string): boolean => [...uncertain.values()].some((names) => names.includes(partition))

  function drop(partition: string): void {
    bytes -= kept.get(partition)?.bytes ?? 0
    kept.delete(partition)
  }

  function keep(partition: string, rows: KnownRows): void {
    if (rows.bytes > maxBytes / SHARE) return
    kept.set(partition, rows)
    bytes += rows.bytes
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }

  /** True while no other process can write. What is kept from before is dropped: the last commits of the others may not have been found. */
  function isSole(): boolean {
    const since = soleSince()
    if (since === undefined) return false
    if (since !== knownSince) {
      for (const fetch of fetches) fetch.isLate = true
      for (const partition of [...kept.keys()]) drop(partition)
      knownSince = since
    }
    return true
  }

  function touch(partition: string): void {
    const rows = kept.get(partition)
    if (!rows) return
    kept.delete(partition)
    kept.set(partition, rows)
  }

  /** Adds what was read at a version, which was the newest when it was read. */
  function learn(partition: string, version: bigint, add: (rows: KnownRows) => void): void {
    if (partition === NOT_KEPT) return
    const known = kept.get(partition)
    if (uncertain.size > 0 && isUncertain(partition)) return drop(partition)
    const rows = known?.version === version ? known : new KnownRows(version)
    drop(partition)
    add(rows)
    keep(partition, rows)
  }

  function begin(): Run {
    const seen = new Map<string, bigint>()
    /** Versions that come with rows which were asked for. */
    const asked = new Map<string, Promise<bigint>>()
    let batch: Batch | undefined

    function see(partition: string, version: bigint): void {
      const before = seen.get(partition)
      if (before === undefined) {
        seen.set(partition, version)
        touch(partition)
      } else if (before !== version) {
        run.isBroken = true
        throw new ChangedError(`${partition} was changed by another process`)
      }
    }

    /** Answers from the rows of the version that this run has seen, if there are any. */
    function known(partition: string): KnownRows | undefined {
      const rows = kept.get(partition)
      const before = seen.get(partition)
      return before === undefined || rows?.version === before ? rows : undefined
    }

    const reader: Reader = {
      version(partition) {
        const before = seen.get(partition) ?? kept.get(partition)?.version
        if (before !== undefined) {
          see(partition, before)
          return before
        }
        return asked.get(partition) ?? fetch(partition, nothing, nothing).then(([version]) => version)
      },

      versions: (partitions) => Promise.all(partitions.map((partition) => reader.version(partition))),

      getMany(partition, keys) {
        checkPartition(partition)
        keys.forEach(checkKey)
        const names = keys.map((key) => asBuffer(key).toString('latin1'))
        const rows = known(partition)
        const found = rows ? names.map((name) => rows.get(name)) : []
        if (rows && found.every((value) => value !== undefined)) {
          see(partition, rows.version)
          return found.map((value) => (value ? Buffer.from(value) : undefined))
        }
        return fetch(
          partition,
          (under) => under.getMany(partition, keys),
          (own, values) => names.forEach((name, i) => own.learn(name, copied(values[i]))),
        ).then(([, values]) => values)
      },

      range(partition, { gte, lt, limit, reverse = false }) {
        checkPartition(partition)
        for (const bound of [gte, lt]) checkKey(bound)
        const [from, to] = [gte, lt].map((bound) => asBuffer(bound).toString('latin1'))
        if (from === undefined || to === undefined || from >= to || limit <= 0) return []
        const rows = known(partition)
        const found = rows?.range(from, to, limit, reverse)
        if (rows && found) {
          see(partition, rows.version)
          return found.map(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value)])
        }
        return fetch(
          partition,
          (under) => under.range(partition, { gte, lt, limit, reverse }),
          (own, read) => own.learnRange(from, to, limit, reverse, read.map(named)),
        ).then(([, read]) => read)
      },

      partitions: (after, limit) => engine.read((under) => under.partitions(after, limit)),
    }

    /** Rows with the version that they have. */
    async function fetch<T>(
      partition: string,
      read: (under: Reader) => Maybe<T>,
      add: (own: KnownRows, rows: T) => void,
    ): Promise<[version: bigint, rows: T]> {
      const own = { partition, isLate: false }
      fetches.add(own)
      const together = (batch ??= openBatch())
      together.partitions.add(partition)
      let take = (): T => {
        throw new Error(`${partition} was not read`)
      }
      together.reads.push(async (under) => {
        const rows = await read(under)
        take = () => rows
      })
      const versionRead = together.versions.then((versions) => versions.get(partition) ?? 0n)
      // Whoever asked for the rows gets the error.
      versionRead.catch(() => undefined)
      asked.set(partition, versionRead)
      try {
        const version = await versionRead
        const rows = take()
        if (!own.isLate) learn(partition, version, (known) => add(known, rows))
        see(partition, version)
        if (run.isBroken) throw new ChangedError('Another partition was changed by another process')
        return [version, rows]
      } finally {
        fetches.delete(own)
      }
    }

    /** Begins a batch, which is sent at the end of this turn. */
    function openBatch(): Batch {
      const partitions = new Set<string>()
      const reads: Batch['reads'] = []
      return { partitions, reads, versions: Promise.resolve().then(() => send(partitions, reads)) }
    }

    async function send(partitions: Batch['partitions'], reads: Batch['reads']): Promise<ReadonlyMap<string, bigint>> {
      batch = undefined
      if (engine.wholeStore && seen.size <= MAX_CARRIED) for (const name of seen.keys()) partitions.add(name)
      const names = [...partitions]
      // Without a snapshot of the whole store only a partition's own statement belongs to its rows.
      const versionsOf = (under: Reader): Maybe<bigint[]> =>
        engine.wholeStore ? under.versions(names) : Promise.all(names.map((name) => under.version(name)))
      const [versions] = await engine.read((under) =>
        Promise.all([versionsOf(under), ...reads.map((read) => read(under))]),
      )
      const changed = names.filter((name, i) => (seen.get(name) ?? versions[i]) !== versions[i])
      if (changed.length > 0) run.isBroken = true
      else if (engine.wholeStore || partitions.size === 1) run.held = partitions
      changed.forEach(dropSeen)
      return new Map(names.map((name, i) => [name, versions[i] ?? 0n]))
    }

    function dropSeen(partition: string): void {
      if (kept.get(partition)?.version === seen.get(partition)) drop(partition)
    }

    const run: Run = { reader, seen, held: new Set(), isBroken: false }
    return run
  }

  /** True if everything that a run read was current at one moment: now, or when it last asked for rows. */
  async function holds({ seen, held, isBroken }: Run): Promise<boolean> {
    if (isBroken) return false
    const names = [...seen.keys()]
    if (names.every((name) => held.has(name))) return true
    const now = await versions(names)
    const changed = names.filter((name, i) => now[i] !== seen.get(name))
    changed.forEach(drop)
    return changed.length === 0
  }

  /** The current versions: those of the cache while no other process can write, else those of the engine. */
  function versions(names: readonly string[]): Maybe<bigint[]> {
    if (names.length === 0) return []
    const known = isSole() ? names.flatMap((name) => kept.get(name)?.version ?? []) : []
    return known.length === names.length ? known : engine.versions(names)
  }

  const { hears } = engine

  return {
    ...engine,

    versions,

    known: (partition) => kept.get(partition)?.version,

    // A result, or an error, counts if the versions are still current.
    async read(fn) {
      for (let runs = 1; runs <= MAX_RUNS; runs++) {
        const run = begin()
        let outcome: () => Awaited<ReturnType<typeof fn>>
        try {
          const result = await fn(run.reader)
          outcome = () => result
        } catch (error) {
          outcome = () => {
            throw error
          }
        }
        if (await holds(run)) return outcome()
      }
      return engine.read(fn)
    },

    async attempt(fn) {
      for (let runs = 1; runs <= MAX_RUNS; runs++) {
        const run = begin()
        try {
          const result = await fn(run.reader)
          if (!run.isBroken) return result
        } catch (error) {
          if (!run.isBroken) throw error
        }
      }
      return engine.read(fn)
    },

    ...(hears && {
      hears(): Hearing {
        const sinceMs = soleSince()
        return sinceMs === undefined ? hears() : { state: 'alone', sinceMs }
      },
    }),

    // After the kept rows have moved on.
    onCommit: (fn) => engine.onCommit((...commit) => void setImmediate(fn, ...commit)),

    async commit(checks, ops, mark) {
      if (ops.length === 0) {
        const now = await versions(checks.map(({ partition }) => partition))
        if (isSole() && checks.every(({ expect }, i) => now[i] === expect)) return new Map()
      }
      const changes = new Map<string, (readonly [string, Uint8Array | null])[]>()
      for (const { partition, key, value } of ops) {
        const own = changes.get(partition) ?? []
        own.push([asBuffer(key).toString('latin1'), value && Buffer.from(value)])
        changes.set(partition, own)
      }
      let moved: Awaited<ReturnType<Engine['commit']>>
      try {
        moved = await engine.commit(checks, ops, mark)
      } catch (error) {
        if (error instanceof FateUnknownError) uncertain.set(mark, [...changes.keys()])
        outdate(changes.keys())
        for (const partition of changes.keys()) drop(partition)
        throw error
      }
      outdate(changes.keys())
      if (moved === 'conflict') {
        for (const { partition } of checks) drop(partition)
        return moved
      }
      for (const [partition, version] of moved) {
        const rows = kept.get(partition)
        if (!rows || rows.version === version) continue
        const expected = checks.find((check) => check.partition === partition)?.expect
        const own = changes.get(partition) ?? []
        // Without rows left it has no version any more.
        const mayBeEmpty = own.every(([, value]) => value === null)
        const isNewer = rows.version > version
        if (isNewer && !mayBeEmpty) continue
        drop(partition)
        // Otherwise others may have written in between.
        if (rows.version !== expected || mayBeEmpty) continue
        rows.moveOn(version, own)
        keep(partition, rows)
      }
      return moved
    },

    async fate(partition, mark) {
      const happened = await engine.fate(partition, mark)
      const written = uncertain.get(mark) ?? []
      uncertain.delete(mark)
      outdate(written)
      written.forEach(drop)
      return happened
    },

    async close() {
      kept.clear()
      bytes = 0
      await engine.close()
    },
  }
}

const nothing = (): void => undefined

function named([key, value]: [Uint8Array, Uint8Array]): [string, Uint8Array] {
  return [asBuffer(key).toString('latin1'), Buffer.from(value)]
}

function copied(value: Uint8Array | undefined): Uint8Array | null {
  return value ? Buffer.from(value) : null
}
