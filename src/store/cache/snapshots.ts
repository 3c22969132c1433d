/**
 * What the runs of a cache ask the engine for, gathered: while one snapshot is read, all that is asked for meanwhile waits for the next. So twenty
 * functions at once that need the rows of a changed mailbox, or the versions of what they have read, take a round trip or two together, and what several
 * ask for is read once.
 */
import type { Engine, Reader } from '../engine.js'
import { asBuffer } from '../keys.js'
import type { KeptPartitions } from './kept-partitions.js'
import type { KnownRows, Row } from './known-rows.js'
import { rangeName, type RangeAsk } from './recent-asks.js'

/** Max time that asks wait for the snapshot before theirs: it may read much, or its connection be lost. */
const MAX_WAIT_MS = 5

/** What is asked of one partition; a version if nothing else. */
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

/** It began after it was asked for. */
export interface Snapshot {
  versions: ReadonlyMap<string, bigint>
  rows: ReadonlyMap<string, PartRows>
}

interface Gathered {
  parts: Parts
  /** Partitions of which only the version is asked for. */
  names: Set<string>
  snapshot: Promise<Snapshot>
}

export interface Snapshots {
  /**
   * Rows, with what was asked lately of their partitions, and versions; the rows are kept.
   *
   * @param names partitions whose versions are asked for as well; left out where the engine has no snapshot of the whole store
   */
  take(parts: Parts, names: Iterable<string>): Promise<Snapshot>
  /** The current versions of valid names, in their order. */
  versions(names: readonly string[]): Promise<bigint[]>
}

export function createSnapshots(engine: Engine, kept: KeptPartitions): Snapshots {
  let waiting: Gathered | undefined
  let before: Promise<unknown> = Promise.resolve()

  /** Opens the next snapshot, which is read when the one before it has ended, at the end of this turn at the earliest. */
  function open(): Gathered {
    const parts: Parts = new Map()
    const names = new Set<string>()
    const snapshot = atMost(MAX_WAIT_MS, before).then(() => {
      waiting = undefined
      return parts.size > 0 ? read(parts, names) : versionsOf(names)
    })
    // Whoever asked gets the error.
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
      const [found, ...read] = await engine.read((under) =>
        Promise.all([
          // Without a snapshot of the whole store only a partition's own statement belongs to its rows.
          engine.wholeStore ? under.versions(names) : Promise.all(names.map((name) => under.version(name))),
          ...fetches.map(async ({ own, part }) => ({ own, rows: await readPart(under, own.partition, part) })),
        ]),
      )
      const versions = new Map(names.map((name, i) => [name, found[i] ?? 0n]))
      for (const { own, rows } of read)
        kept.learn(own, versions.get(own.partition) ?? 0n, (known) => addTo(known, rows))
      return { versions, rows: new Map(read.map(({ own, rows }) => [own.partition, rows])) }
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
      // With rows they would be several statements there.
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

async function readPart(under: Reader, partition: string, { keys, ranges }: Part): Promise<PartRows> {
  const names = [...keys]
  const [values, ...found] = await Promise.all([
    names.length > 0 ? under.getMany(partition, names.map(keyOf)) : [],
    ...[...ranges.values()].map(({ from, to, limit, reverse }) =>
      under.range(partition, { gte: keyOf(from), lt: keyOf(to), limit, reverse }),
    ),
  ])
  return {
    values: new Map(names.map((name, i) => [name, values[i] ?? null])),
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
