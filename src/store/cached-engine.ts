/**
 * Rows of a shared store kept in memory, each partition at one version. Whatever was read from them counts only if the versions still hold: a
 * transaction is told by its commit, a read asks for the versions at its end. So a read of what is known takes one round trip, however many rows it
 * needs, and a transaction only its commit.
 * A commit of this process moves the kept rows on; those of others are found by the versions.
 */
import type { Engine, Reader } from './engine.js'
import { KnownRows } from './known-rows.js'
import { asBuffer } from './keys.js'

export interface CachedEngineOptions {
  /** Max size of all rows. */
  maxBytes: number
}

/** Max share of one partition. */
const SHARE = 8
/** Runs of a read whose partitions others keep changing; then one snapshot is read, without the cache. */
const MAX_RUNS = 3

/** The rows of a partition were changed while they were read. */
class ChangedError extends Error {
  override name = 'ChangedError'
}

/** What a run has seen. */
interface Run {
  reader: Reader
  /** The version of each partition of which rows were seen. */
  seen: Map<string, bigint>
  /** Number of reads of rows that were answered by the engine. */
  fetched: number
  /** True if the run was told to end, whatever became of that. */
  isBroken: boolean
}

/** @param engine closed with the cache */
export function cachedEngine(engine: Engine, { maxBytes }: CachedEngineOptions): Engine {
  // The most recently used partition is last.
  const kept = new Map<string, KnownRows>()
  let bytes = 0

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

  /** Adds what was read at a version. */
  function learn(partition: string, version: bigint, add: (rows: KnownRows) => void): void {
    const known = kept.get(partition)
    // An older answer came late.
    if (known && known.version > version && version !== 0n) return
    const rows = known?.version === version ? known : new KnownRows(version)
    drop(partition)
    add(rows)
    keep(partition, rows)
  }

  function begin(): Run {
    const seen = new Map<string, bigint>()
    /** Versions that come with rows which were asked for. */
    const asked = new Map<string, Promise<bigint>>()

    function see(partition: string, version: bigint): void {
      const before = seen.get(partition)
      if (before === undefined) seen.set(partition, version)
      else if (before !== version) {
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
        return asked.get(partition) ?? fetch(partition, () => undefined).then(([version]) => version)
      },

      getMany(partition, keys) {
        const names = keys.map((key) => asBuffer(key).toString('latin1'))
        const rows = known(partition)
        const found = rows ? names.map((name) => rows.get(name)) : []
        if (rows && found.every((value) => value !== undefined)) {
          see(partition, rows.version)
          return found.map((value) => (value ? Buffer.from(value) : undefined))
        }
        return fetch(partition, (under) => under.getMany(partition, keys)).then(([version, values]) => {
          learn(partition, version, (own) => names.forEach((name, i) => own.learn(name, copied(values?.[i]))))
          return values ?? []
        })
      },

      range(partition, { gte, lt, limit, reverse = false }) {
        const [from, to] = [gte, lt].map((bound) => asBuffer(bound).toString('latin1'))
        if (from === undefined || to === undefined || from >= to || limit <= 0) return []
        const rows = known(partition)
        const found = rows?.range(from, to, limit, reverse)
        if (rows && found) {
          see(partition, rows.version)
          return found.map(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value)])
        }
        return fetch(partition, (under) => under.range(partition, { gte, lt, limit, reverse })).then(
          ([version, read]) => {
            const rows = (read ?? []).map(
              ([key, value]) => [asBuffer(key).toString('latin1'), Buffer.from(value)] as [string, Uint8Array],
            )
            learn(partition, version, (own) => own.learnRange(from, to, limit, reverse, rows))
            return read ?? []
          },
        )
      },

      partitions: (after, limit) => engine.read((under) => under.partitions(after, limit)),
    }

    /** Rows with the version that they have. */
    async function fetch<T>(
      partition: string,
      rows: (under: Reader) => T | Promise<T>,
    ): Promise<[bigint, T | undefined]> {
      run.fetched++
      const reading = engine.read((under) => Promise.all([under.version(partition), rows(under)]))
      const version = reading.then(([version]) => version)
      // Whoever asked for the rows gets the error.
      version.catch(() => undefined)
      asked.set(partition, version)
      const answer = await reading
      see(partition, answer[0])
      return answer
    }

    const run: Run = { reader, seen, fetched: 0, isBroken: false }
    return run
  }

  /** True if all that a run has seen was there at one moment, now or when its only answer came. */
  async function holds({ seen, fetched, isBroken }: Run): Promise<boolean> {
    if (isBroken) return false
    if (fetched === 1 && seen.size === 1) return true
    const names = [...seen.keys()]
    const now = names.length === 0 ? [] : await engine.versions(names)
    const changed = names.filter((name, i) => now[i] !== seen.get(name))
    changed.forEach(drop)
    return changed.length === 0
  }

  return {
    ...engine,

    // What it returns counts if the versions hold; what it throws as well.
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

    // After the kept rows have moved on.
    onCommit: (fn) => engine.onCommit((partition, version) => void setImmediate(fn, partition, version)),

    async commit(checks, ops, mark) {
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
        for (const partition of changes.keys()) drop(partition)
        throw error
      }
      if (moved === 'conflict') {
        for (const { partition } of checks) drop(partition)
        return moved
      }
      for (const [partition, version] of moved) {
        const rows = kept.get(partition)
        if (!rows || rows.version === version) continue
        const expected = checks.find((check) => check.partition === partition)?.expect
        // Otherwise others may have written in between.
        if (rows.version === expected) {
          drop(partition)
          rows.moveOn(version, changes.get(partition) ?? [])
          keep(partition, rows)
        } else if (rows.version < version) drop(partition)
      }
      return moved
    },

    async close() {
      kept.clear()
      bytes = 0
      await engine.close()
    },
  }
}

function copied(value: Uint8Array | undefined): Uint8Array | null {
  return value ? Buffer.from(value) : null
}
