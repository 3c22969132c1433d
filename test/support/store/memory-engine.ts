/**
 * An engine for tests that is as unpleasant as the contract allows: it answers late and out of order, others keep committing between
 * a read and its commit, answers to commits get lost, and what it knows dies with it. Its dice are seeded, so a failing run can be repeated.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { FateUnknownError } from '../../../src/store/errors.js'
import type { Engine, Op, Reader } from '../../../src/store/engine.js'
import { asBuffer, checkKey, checkPartition } from '../../../src/store/keys.js'
import { randomFrom } from '../random.js'

export interface MemoryEngineOptions {
  /** Turns of the event loop an answer takes at most; 0 answers at once. */
  lateness?: number
  /** Probability, from 0 to 1, that another writer commits right before a commit. */
  conflicts?: number
  /** Probability, from 0 to 1, that the answer to a commit is lost. Half of those commits took effect. */
  lost?: number
  /** A read is of one moment of the whole store; of each partition alone otherwise. */
  wholeStore?: boolean
  seed?: number
}

/** Never changed: a commit puts another in its place. */
interface Partition {
  version: bigint
  /** In key order. */
  rows: readonly { key: Uint8Array; value: Uint8Array }[]
}

const NOTHING: Partition = { version: 0n, rows: [] }

export function memoryEngine({
  lateness = 2,
  conflicts = 0.1,
  lost = 0,
  wholeStore = true,
  seed = 1,
}: MemoryEngineOptions = {}): Engine {
  /** As it is now. A reader keeps its own: where one is at it, a commit goes to a copy. */
  let partitions = new Map<string, Partition>()
  let readers = 0
  const marks = new Map<string, boolean>()
  const listeners = new Set<(partition: string, version: bigint) => void>()
  const chance = randomFrom(seed)
  let last = 0n
  let closed = false

  const late = async (): Promise<void> => {
    for (let turns = Math.floor(chance() * (lateness + 1)); turns > 0; turns--) await tick()
  }

  const assertOpen = (): void => {
    if (closed) throw new Error('The store is closed')
  }

  const answer = async <T>(look: () => T): Promise<T> => {
    assertOpen()
    await late()
    const seen = look()
    await late()
    return seen
  }

  const find = (known: ReadonlyMap<string, Partition>, name: string): Partition => {
    checkPartition(name)
    return known.get(name) ?? NOTHING
  }

  const change = (name: string, partition: Partition | undefined): void => {
    if (readers > 0) partitions = new Map(partitions)
    readers = 0
    if (partition) partitions.set(name, partition)
    else partitions.delete(name)
  }

  const tellNow = (name: string, version: bigint): void => {
    for (const listener of [...listeners]) listener(name, version)
  }
  const tell = async (name: string, version: bigint): Promise<void> => {
    await late()
    tellNow(name, version)
  }

  /** The whole store as it is now, or each partition as it is when it is first looked at. */
  function readerNow(): Reader {
    const moment = wholeStore ? partitions : new Map<string, Partition>()
    const seen = (name: string): Partition => {
      if (!wholeStore && !moment.has(name)) moment.set(name, find(partitions, name))
      return find(moment, name)
    }
    return {
      version: (name) => answer(() => seen(name).version),
      versions: (names) => answer(() => names.map((name) => seen(name).version)),
      getMany: (name, keys) =>
        answer(() => {
          const { rows } = seen(name)
          return keys.map((key) => {
            checkKey(key)
            const row = rows[place(rows, key)]
            return row && Buffer.compare(row.key, key) === 0 ? copy(row.value) : undefined
          })
        }),
      range: (name, { gte, lt, limit, reverse }) =>
        answer(() => {
          const { rows } = seen(name)
          const found = rows.slice(place(rows, gte), Math.max(place(rows, gte), place(rows, lt)))
          if (reverse) found.reverse()
          return found.slice(0, limit).map((row) => [copy(row.key), copy(row.value)])
        }),
      partitions: (after, limit) =>
        answer(() => {
          const names = [...(wholeStore ? moment : partitions).keys()].map((name) => Buffer.from(name))
          const later = names.filter((name) => Buffer.compare(name, Buffer.from(after)) > 0)
          return later.sort(Buffer.compare).slice(0, limit).map(String)
        }),
    }
  }

  return {
    wholeStore,

    versions: (names) => answer(() => names.map((name) => find(partitions, name).version)),
    newest: () => (wholeStore ? last : undefined),

    async read(fn) {
      assertOpen()
      await late()
      const reader = readerNow()
      const own = partitions
      readers++
      try {
        return await fn(reader)
      } finally {
        if (partitions === own) readers--
      }
    },

    async commit(checks, ops, mark) {
      for (const { partition, key } of ops) {
        checkPartition(partition)
        checkKey(key)
      }
      let told: ReadonlyMap<string, bigint> = new Map()
      const moved = await answer((): Map<string, bigint> | 'conflict' | 'lost' => {
        for (const { partition } of checks) {
          const known = partitions.get(partition)
          // Somebody else's commit; in a partition without rows it would leave no trace.
          if (!known || chance() >= conflicts) continue
          change(partition, { ...known, version: ++last })
          void tell(partition, last)
        }
        if (checks.some(({ partition, expect }) => find(partitions, partition).version !== expect)) return 'conflict'
        if (marks.has(mark)) return 'lost'
        const isLost = ops.length > 0 && chance() < lost
        if (isLost && chance() < 0.5) return 'lost'
        marks.set(mark, true)
        const versions = new Map<string, bigint>()
        const version = ops.length > 0 ? ++last : last
        for (const name of new Set(ops.map(({ partition }) => partition))) {
          const own = ops.filter(({ partition }) => partition === name)
          const rows = own.reduce(applied, find(partitions, name).rows)
          change(name, rows.length === 0 ? undefined : { version, rows })
          versions.set(name, version)
        }
        told = versions
        return isLost ? 'lost' : versions
      })
      if (moved === 'lost') {
        for (const [name, version] of told) void tell(name, version)
        throw new FateUnknownError()
      }
      for (const [name, version] of told) tellNow(name, version)
      return moved
    },

    fate: (_partition, mark) =>
      answer(() => {
        const happened = marks.get(mark) ?? false
        marks.set(mark, happened)
        return happened
      }),

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

function applied(rows: Partition['rows'], { key, value }: Op): Partition['rows'] {
  const at = place(rows, key)
  const row = rows[at]
  const exists = row !== undefined && Buffer.compare(row.key, key) === 0
  const added = value === null ? [] : [{ key: copy(key), value: copy(value) }]
  return rows.toSpliced(at, exists ? 1 : 0, ...added)
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
