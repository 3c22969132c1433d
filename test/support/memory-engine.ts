/**
 * An engine for tests that is as unpleasant as the contract allows: it answers late and out of order, others keep committing between
 * a read and its commit, and what it knows dies with it. Its dice are seeded, so a failing run can be repeated.
 */
import { setImmediate as tick } from 'node:timers/promises'
import type { Engine, Op } from '../../src/store/engine.js'
import { asBuffer, checkKey, checkPartition } from '../../src/store/keys.js'

export interface MemoryEngineOptions {
  /** Turns of the event loop an answer takes at most; 0 answers at once. */
  lateness?: number
  /** How likely it is, from 0 to 1, that somebody else commits right before a commit. */
  conflicts?: number
  seed?: number
}

interface Partition {
  version: bigint
  /** In key order. */
  rows: { key: Uint8Array; value: Uint8Array }[]
}

export function memoryEngine({ lateness = 2, conflicts = 0.1, seed = 1 }: MemoryEngineOptions = {}): Engine {
  const partitions = new Map<string, Partition>()
  const listeners = new Set<(partition: string, version: bigint) => void>()
  const chance = dice(seed)
  let pastVersions = 0n
  let closed = false

  const late = async (): Promise<void> => {
    for (let turns = Math.floor(chance() * (lateness + 1)); turns > 0; turns--) await tick()
  }

  const answer = async <T>(look: () => T): Promise<T> => {
    if (closed) throw new Error('The store is closed')
    await late()
    const seen = look()
    await late()
    return seen
  }

  const find = (name: string): Partition => {
    checkPartition(name)
    const partition = partitions.get(name) ?? { version: 0n, rows: [] }
    partitions.set(name, partition)
    return partition
  }

  const tell = async (name: string, version: bigint): Promise<void> => {
    await late()
    for (const listener of [...listeners]) listener(name, version)
  }

  return {
    version: (name) => answer(() => find(name).version),

    getMany: (name, keys) =>
      answer(() => {
        const { rows } = find(name)
        return keys.map((key) => {
          checkKey(key)
          const row = rows[place(rows, key)]
          return row && Buffer.compare(row.key, key) === 0 ? copy(row.value) : undefined
        })
      }),

    range: (name, { gte, lt, limit, reverse }) =>
      answer(() => {
        const { rows } = find(name)
        const found = rows.slice(place(rows, gte), Math.max(place(rows, gte), place(rows, lt)))
        if (reverse) found.reverse()
        return found.slice(0, limit).map((row) => [copy(row.key), copy(row.value)])
      }),

    partitions: (after, limit) =>
      answer(() => {
        const named = [...partitions].filter(([, { rows }]) => rows.length > 0).map(([name]) => Buffer.from(name))
        const later = named.filter((name) => Buffer.compare(name, Buffer.from(after)) > 0)
        return later.sort(Buffer.compare).slice(0, limit).map(String)
      }),

    async commit(name, expect, ops) {
      for (const op of ops) checkKey(op.key)
      let next = 0n
      const done = await answer(() => {
        const partition = find(name)
        // Somebody else's commit; in a partition without rows it would leave no trace.
        if (chance() < conflicts && partition.rows.length > 0) {
          partition.version += 1n
          void tell(name, partition.version)
        }
        if (partition.version !== expect) return false
        next = (expect === 0n ? pastVersions : expect) + 1n
        for (const op of ops) apply(partition, op)
        partition.version = next
        if (partition.rows.length === 0) {
          partitions.delete(name)
          if (next > pastVersions) pastVersions = next
        }
        return true
      })
      if (done) void tell(name, next)
      return done
    },

    onCommit(fn) {
      const listener = (name: string, version: bigint): void => fn(name, version)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    close: async () => {
      closed = true
    },
  }
}

function apply({ rows }: Partition, { key, value }: Op): void {
  const at = place(rows, key)
  const row = rows[at]
  const exists = row !== undefined && Buffer.compare(row.key, key) === 0
  const added = value === null ? [] : [{ key: copy(key), value: copy(value) }]
  rows.splice(at, exists ? 1 : 0, ...added)
}

/** Index of the first row that is not before `key`. */
function place(rows: Partition['rows'], key: Uint8Array): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row && Buffer.compare(row.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function copy(bytes: Uint8Array): Uint8Array {
  return Buffer.from(asBuffer(bytes))
}

/** Mulberry32. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let n = Math.imul(state ^ (state >>> 15), 1 | state)
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n
    return ((n ^ (n >>> 14)) >>> 0) / 2 ** 32
  }
}
