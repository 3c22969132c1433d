/**
 * One call of a function over the kept rows. What is not known is asked for together with the versions of all that was seen so far, so that a read that
 * ends with it asks for nothing more; and with what was asked of the partition lately, so that a change of it costs one round trip, not one for each row.
 */
import type { Engine, Reader } from '../engine.js'
import { asBuffer, checkKey, checkPartition } from '../keys.js'
import type { KeptPartitions } from './kept-partitions.js'
import type { KnownRows, Row } from './known-rows.js'
import { rangeName, type RangeAsk } from './recent-asks.js'

/** Max versions that are asked for with rows: a long run of many partitions asks for them once, at its end. */
const MAX_CARRIED = 64

/** The rows of a partition were changed while they were read. */
class ChangedError extends Error {
  override name = 'ChangedError'
}

export interface Run {
  reader: Reader
  /** The version of each partition of which rows were seen. */
  seen: ReadonlyMap<string, bigint>
  /** Versions that were current at one moment of the run. */
  held: ReadonlyMap<string, bigint>
  /** True if the run was told to end, whatever became of that. */
  isBroken: boolean
}

/** What is asked of one partition; a version if nothing else. */
interface Part {
  keys: Set<string>
  /** By name. */
  ranges: Map<string, RangeAsk>
}

interface PartRows {
  values: ReadonlyMap<string, Uint8Array | null>
  /** By name. */
  ranges: ReadonlyMap<string, { ask: RangeAsk; rows: readonly Row[] }>
}

interface PartAnswer extends PartRows {
  version: bigint
}

/** What a run asks the engine for in one turn: one snapshot, in one round trip. */
interface Batch {
  parts: Map<string, Part>
  answers: Promise<ReadonlyMap<string, PartAnswer>>
}

export function beginRun(engine: Engine, kept: KeptPartitions): Run {
  const seen = new Map<string, bigint>()
  /** Versions that come with rows which were asked for. */
  const asked = new Map<string, Promise<bigint>>()
  let batch: Batch | undefined

  function see(partition: string, version: bigint): void {
    const before = seen.get(partition)
    if (before === undefined) {
      seen.set(partition, version)
    } else if (before !== version) {
      run.isBroken = true
      throw new ChangedError(`${partition} was changed by another process`)
    }
  }

  /** Answers from the rows of the version that this run has seen, if there are any. */
  function known(partition: string): KnownRows | undefined {
    const rows = kept.rows(partition)
    const before = seen.get(partition)
    return before === undefined || rows?.version === before ? rows : undefined
  }

  async function getMany(partition: string, names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    const { values } = await fetch(partition, ({ keys }) => names.forEach((name) => keys.add(name)))
    const found = names.map((name) => values.get(name) ?? null)
    kept.asked(partition, names, found)
    return found.map(copied)
  }

  async function range(partition: string, ask: RangeAsk): Promise<[Uint8Array, Uint8Array][]> {
    const name = rangeName(ask)
    const { ranges } = await fetch(partition, (part) => part.ranges.set(name, ask))
    const rows = ranges.get(name)?.rows ?? []
    kept.askedRange(partition, ask, rows)
    return rows.map(pair)
  }

  const reader: Reader = {
    version(partition) {
      const before = seen.get(partition) ?? kept.rows(partition)?.version
      if (before !== undefined) {
        see(partition, before)
        return before
      }
      return asked.get(partition) ?? fetch(partition, () => undefined).then(({ version }) => version)
    },

    versions: (partitions) => Promise.all(partitions.map((partition) => reader.version(partition))),

    getMany(partition, keys) {
      checkPartition(partition)
      keys.forEach(checkKey)
      const names = keys.map((key) => asBuffer(key).toString('latin1'))
      const rows = known(partition)
      const found = rows ? names.map((name) => rows.get(name)) : []
      if (!rows || found.includes(undefined)) return getMany(partition, names)
      see(partition, rows.version)
      kept.asked(partition, names, found)
      return found.map(copied)
    },

    range(partition, { gte, lt, limit, reverse = false }) {
      checkPartition(partition)
      for (const bound of [gte, lt]) checkKey(bound)
      const ask = { from: asBuffer(gte).toString('latin1'), to: asBuffer(lt).toString('latin1'), limit, reverse }
      if (ask.from >= ask.to || limit <= 0) return []
      const rows = known(partition)
      const found = rows?.range(ask.from, ask.to, limit, reverse)
      if (!rows || !found) return range(partition, ask)
      see(partition, rows.version)
      kept.askedRange(partition, ask, found)
      return found.map(pair)
    },

    partitions: (after, limit) => engine.read((under) => under.partitions(after, limit)),
  }

  async function fetch(partition: string, add: (part: Part) => void): Promise<PartAnswer> {
    const together = (batch ??= openBatch())
    add(partOf(together.parts, partition))
    const answering = together.answers.then((answers) => {
      const answer = answers.get(partition)
      if (!answer) throw new Error(`${partition} was not read`)
      return answer
    })
    const versionRead = answering.then(({ version }) => version)
    // Whoever asked for the rows gets the error.
    versionRead.catch(() => undefined)
    asked.set(partition, versionRead)
    const answer = await answering
    see(partition, answer.version)
    if (run.isBroken) throw new ChangedError('Another partition was changed by another process')
    return answer
  }

  /** Begins a batch, which is sent at the end of this turn. */
  function openBatch(): Batch {
    const parts: Batch['parts'] = new Map()
    return { parts, answers: Promise.resolve().then(() => send(parts)) }
  }

  async function send(parts: Batch['parts']): Promise<ReadonlyMap<string, PartAnswer>> {
    batch = undefined
    const carried = new Set(seen.size <= MAX_CARRIED ? seen.keys() : [])
    for (const asking of [...parts.keys()])
      for (const [partition, { keys, ranges }] of kept.ahead(asking)) {
        carried.add(partition)
        if (keys.length === 0 && ranges.length === 0) continue
        const part = partOf(parts, partition)
        for (const key of keys) part.keys.add(key)
        for (const ask of ranges) part.ranges.set(rangeName(ask), ask)
      }
    const names = [...(engine.wholeStore ? new Set([...parts.keys(), ...carried]) : parts.keys())]
    const fetches = [...parts].map(([partition, part]) => ({ own: kept.begin(partition), part }))
    try {
      const [versions, ...read] = await engine.read((under) =>
        Promise.all([
          // Without a snapshot of the whole store only a partition's own statement belongs to its rows.
          engine.wholeStore ? under.versions(names) : Promise.all(names.map((name) => under.version(name))),
          ...fetches.map(async ({ own, part }) => ({ own, rows: await readPart(under, own.partition, part) })),
        ]),
      )
      const now = new Map(names.map((name, i) => [name, versions[i] ?? 0n]))
      const changed = names.filter((name) => seen.has(name) && seen.get(name) !== now.get(name))
      if (changed.length > 0) run.isBroken = true
      else if (engine.wholeStore || names.length === 1) run.held = now
      kept.dropSeen(
        changed.filter((name) => kept.rows(name)?.version === seen.get(name)),
        [...seen.keys()],
      )
      const answers = new Map<string, PartAnswer>()
      for (const { own, rows } of read) {
        const version = now.get(own.partition) ?? 0n
        kept.learn(own, version, (known) => addTo(known, rows))
        answers.set(own.partition, { version, ...rows })
      }
      return answers
    } finally {
      for (const { own } of fetches) kept.end(own)
    }
  }

  const run: Run = { reader, seen, held: new Map(), isBroken: false }
  return run
}

function partOf(parts: Batch['parts'], partition: string): Part {
  const part = parts.get(partition) ?? { keys: new Set(), ranges: new Map() }
  parts.set(partition, part)
  return part
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

const keyOf = (name: string): Buffer => Buffer.from(name, 'latin1')

/** What is kept stays as it is, whatever the caller does with the copy. */
const copied = (value: Uint8Array | null | undefined): Buffer | undefined => (value ? Buffer.from(value) : undefined)

const pair = ([name, value]: Row): [Uint8Array, Uint8Array] => [keyOf(name), Buffer.from(value)]
