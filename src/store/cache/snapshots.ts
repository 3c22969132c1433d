/**
 * Gathers what the runs of a cache ask the engine for: all that is asked for while one snapshot is read waits for the next one. So twenty functions that
 * need the rows of a changed mailbox at once, or the versions of what they have read, take a round trip or two together, and what several of them ask for
 * is read once. The next one begins a turn of the event loop later, so that those whose answers have just come can ask for more.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Answered, Ask, Engine } from '../engine.js'
import { asBuffer } from '../keys.js'
import type { KeptPartitions } from './kept-partitions.js'
import type { KnownRows, Row } from './known-rows.js'
import { rangeName, type RangeAsk } from './recent-asks.js'

/** Max time that asks wait for the snapshot before theirs, which may read much, or have lost its connection. */
const MAX_WAIT_MS = 5

/** Asks of one partition: keys and ranges, or only its version if there are none. */
export interface Part {
  keys: Set<string>
  /** By name. */
  ranges: Map<string, RangeAsk>
}

/** By partition. */
export type Parts = Map<string, Part>

export interface PartRows {
  values: ReadonlyMap<string, Uint8Array | null>
  /** By name. */
  ranges: ReadonlyMap<string, { ask: RangeAsk; rows: readonly Row[] }>
}

/** Answers of the engine from one moment, which is later than all asks that it answers. */
export interface Snapshot {
  versions: ReadonlyMap<string, bigint>
  rows: ReadonlyMap<string, PartRows>
}

interface Gathered {
  parts: Parts
  /** Partitions whose versions are asked for. */
  names: Set<string>
  snapshot: Promise<Snapshot>
}

export interface Snapshots {
  /**
   * Reads rows, what was asked lately of their partitions, and versions. The rows are kept.
   *
   * @param names partitions whose versions are asked for as well; left out where the engine has no snapshot of the whole store
   */
  take(parts: Parts, names: Iterable<string>): Promise<Snapshot>
  /** The current versions of partitions, in their order. @param names valid names */
  versions(names: readonly string[]): Promise<bigint[]>
}

export function createSnapshots(engine: Engine, kept: KeptPartitions): Snapshots {
  let waiting: Gathered | undefined
  let before: Promise<unknown> = Promise.resolve()
  const look = engine.look ?? lookThrough(engine)

  /** Opens the next snapshot. It is read a turn of the event loop after the one before it has ended, or after this turn. */
  function open(): Gathered {
    const parts: Parts = new Map()
    const names = new Set<string>()
    const snapshot = (async () => {
      await atMost(MAX_WAIT_MS, before)
      await nextTurn()
      waiting = undefined
      return parts.size > 0 ? read(parts, names) : versionsOf(names)
    })()
    // The error is thrown to the callers that asked.
    before = snapshot.catch(() => undefined)
    return { parts, names, snapshot }
  }

  async function versionsOf(names: ReadonlySet<string>): Promise<Snapshot> {
    const asked = [...names]
    const versions = await engine.versions(asked)
    return { versions: new Map(asked.map((name, i) => [name, versions[i] ?? 0n])), rows: new Map() }
  }

  async function read(parts: Parts, carried: ReadonlySet<string>): Promise<Snapshot> {
    const also = new Set(carried)
    for (const asking of [...parts.keys()])
      for (const [partition, { keys, ranges }] of kept.ahead(asking)) {
        also.add(partition)
        if (keys.length === 0 && ranges.length === 0) continue
        const part = partOf(parts, partition)
        for (const key of keys) part.keys.add(key)
        for (const ask of ranges) part.ranges.set(rangeName(ask), ask)
      }
    const names = [...(engine.wholeStore ? new Set([...parts.keys(), ...also]) : parts.keys())]
    const fetches = [...parts].map(([partition, part]) => ({ own: kept.begin(partition), part }))
    try {
      const found = await look(
        names,
        [...parts].map(([partition, part]) => askOf(partition, part)),
      )
      const versions = new Map(names.map((name, i) => [name, found.versions[i] ?? 0n]))
      const rows = new Map<string, PartRows>()
      fetches.forEach(({ own, part }, i) => {
        const answered = rowsOf(part, found.answers[i])
        kept.learn(own, versions.get(own.partition) ?? 0n, (known) => addTo(known, answered))
        rows.set(own.partition, answered)
      })
      return { versions, rows }
    } finally {
      for (const { own } of fetches) kept.end(own)
    }
  }

  return {
    take(parts, names) {
      waiting ??= open()
      for (const [partition, { keys, ranges }] of parts) {
        const part = partOf(waiting.parts, partition)
        for (const key of keys) part.keys.add(key)
        for (const [name, ask] of ranges) part.ranges.set(name, ask)
      }
      for (const name of names) waiting.names.add(name)
      return waiting.snapshot
    },

    async versions(names) {
      // Gathered with rows they would take several statements there.
      if (!engine.wholeStore) return engine.versions(names)
      waiting ??= open()
      for (const name of names) waiting.names.add(name)
      const { versions } = await waiting.snapshot
      return names.map((name) => versions.get(name) ?? 0n)
    },
  }
}

export function partOf(parts: Parts, partition: string): Part {
  const part = parts.get(partition) ?? { keys: new Set(), ranges: new Map() }
  parts.set(partition, part)
  return part
}

/** Waits for a promise that never rejects. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([promise, elapsed])
  clearTimeout(timer)
}

/** `look` by the reads of an engine that has none. */
function lookThrough({ read, wholeStore }: Engine): NonNullable<Engine['look']> {
  return (names, asks) =>
    read(async (under) => {
      const [versions, ...answers] = await Promise.all([
        // Without a snapshot of the whole store, only a version from the same statement belongs to the rows of a partition.
        wholeStore ? under.versions(names) : Promise.all(names.map((name) => under.version(name))),
        ...asks.map(async ({ partition, keys, ranges }): Promise<Answered> => {
          const [values, ...found] = await Promise.all([
            keys.length > 0 ? under.getMany(partition, keys) : [],
            ...ranges.map((range) => under.range(partition, range)),
          ])
          return { values, ranges: found }
        }),
      ])
      return { versions, answers }
    })
}

function askOf(partition: string, { keys, ranges }: Part): Ask {
  return {
    partition,
    keys: [...keys].map(keyOf),
    ranges: [...ranges.values()].map(({ from, to, ...rest }) => ({ gte: keyOf(from), lt: keyOf(to), ...rest })),
  }
}

function rowsOf({ keys, ranges }: Part, { values, ranges: found }: Answered = { values: [], ranges: [] }): PartRows {
  return {
    values: new Map([...keys].map((name, i) => [name, values[i] ?? null])),
    ranges: new Map(
      [...ranges].map(([name, ask], i) => [
        name,
        { ask, rows: (found[i] ?? []).map(([key, value]) => [asBuffer(key).toString('latin1'), value]) },
      ]),
    ),
  }
}

function addTo(known: KnownRows, { values, ranges }: PartRows): void {
  for (const [name, value] of values) known.learn(name, value)
  for (const { ask, rows } of ranges.values()) known.learnRange(ask.from, ask.to, ask.limit, ask.reverse, rows)
}

export const keyOf = (name: string): Buffer => Buffer.from(name, 'latin1')
