/**
 * Rows of a shared store kept in memory, each partition at one version. Whatever was read from them counts only if the versions still hold: a
 * transaction is told by its commit, a read asks for the versions at its end. So a read of what is known takes one round trip, however many rows it
 * needs, and a transaction only its commit. While no other process can write, a read of what is known takes none.
 * A commit of this process moves the kept rows on; those of others are found by the versions. That they are said to have happened only saves asking.
 */
import type { Maybe } from '../../lib/maybe.js'
import type { Engine, Hearing } from '../engine.js'
import { FateUnknownError } from '../errors.js'
import { asBuffer, checkPartition } from '../keys.js'
import { KeptPartitions } from './kept-partitions.js'
import { beginRun, type Run } from './run.js'
import { createSnapshots } from './snapshots.js'

export interface CachedEngineOptions {
  /** Max size of all rows, and of the record of what was asked lately. */
  maxBytes: number
  /**
   * Since when no other process can have written, in milliseconds as `performance.now`: another number each time that others may have before.
   * Undefined while others can.
   */
  soleSince?: () => number | undefined
}

/** Runs of a read whose partitions others keep changing; then one snapshot is read, without the cache. */
const MAX_RUNS = 8

/** @param engine closed with the cache */
export function cachedEngine(engine: Engine, { maxBytes, soleSince = () => undefined }: CachedEngineOptions): Engine {
  const kept = new KeptPartitions(maxBytes)
  const snapshots = createSnapshots(engine, kept)
  let knownSince = soleSince()

  const stopHints = engine.onCommit((partition, version, byOther) => {
    if (byOther) kept.hint(partition, version)
  })

  /** True while no other process can write. What is kept from before is dropped: the last commits of the others may not have been found. */
  function isSole(): boolean {
    const since = soleSince()
    if (since === undefined) return false
    if (since !== knownSince) {
      kept.dropAll()
      knownSince = since
    }
    return true
  }

  /** True if everything that a run read was current at one moment: now, or when it last asked for rows. */
  async function holds({ seen, held, isBroken }: Run): Promise<boolean> {
    if (isBroken) return false
    const names = [...seen.keys()]
    if (names.every((name) => held.get(name) === seen.get(name))) return true
    const outdated = [...seen].filter(([name, version]) => kept.isOutdated(name, version))
    const now = outdated.length > 0 ? [] : await versions(names)
    const changed = outdated.length > 0 ? outdated : [...seen].filter(([, version], i) => now[i] !== version)
    kept.dropSeen(changed, names)
    return changed.length === 0
  }

  /** The current versions: those of the cache while no other process can write, else those of the engine. */
  function versions(names: readonly string[]): Maybe<bigint[]> {
    names.forEach(checkPartition)
    if (names.length === 0) return []
    const known = isSole() ? names.flatMap((name) => kept.rows(name)?.version ?? []) : []
    return known.length === names.length ? known : snapshots.versions(names)
  }

  const { hears } = engine

  return {
    ...engine,

    versions,

    known: (partition) => kept.rows(partition)?.version,

    // A result, or an error, counts if the versions are still current.
    async read(fn) {
      for (let runs = 1; runs <= MAX_RUNS; runs++) {
        const run = beginRun({ engine, kept, snapshots })
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
        const run = beginRun({ engine, kept, snapshots })
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
        const isOneMoment = engine.wholeStore || isSole()
        if (isOneMoment && checks.every(({ expect }, i) => now[i] === expect)) return new Map()
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
        if (error instanceof FateUnknownError) kept.doubt(mark, [...changes.keys()])
        kept.outdate(changes.keys())
        for (const partition of changes.keys()) kept.drop(partition)
        throw error
      }
      kept.outdate(changes.keys())
      if (moved === 'conflict') {
        const seen = checks.map(({ partition, expect }) => [partition, expect] as const)
        kept.dropSeen(
          seen,
          seen.map(([partition]) => partition),
        )
        return moved
      }
      for (const [partition, version] of moved) {
        const rows = kept.rows(partition)
        if (!rows || rows.version === version) continue
        const expected = checks.find((check) => check.partition === partition)?.expect
        const own = changes.get(partition) ?? []
        // Without rows left it has no version any more.
        const mayBeEmpty = own.every(([, value]) => value === null)
        const isNewer = rows.version > version
        if (isNewer && !mayBeEmpty) continue
        // Otherwise others may have written in between.
        if (rows.version === expected && !mayBeEmpty) kept.moveOn(partition, version, own)
        else kept.drop(partition)
      }
      return moved
    },

    async fate(partition, mark) {
      const happened = await engine.fate(partition, mark)
      kept.settle(mark)
      return happened
    },

    async close() {
      stopHints()
      kept.clear()
      await engine.close()
    },
  }
}
