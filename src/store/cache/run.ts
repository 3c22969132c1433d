/**
 * One call of a function over the kept rows. What is not known is asked for together with the versions of all that was seen so far, so that a read that
 * ends with it asks for nothing more; and with what was asked of the partition lately, so that a change of it costs one round trip, not one for each row.
 */
import type { Engine, Reader } from '../engine.js'
import { asBuffer, checkKey, checkPartition } from '../keys.js'
import type { KeptPartitions } from './kept-partitions.js'
import type { KnownRows, Row } from './known-rows.js'
import { rangeName, type RangeAsk } from './recent-asks.js'
import { keyOf, partOf, type Part, type PartRows, type Parts, type Snapshots } from './snapshots.js'

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

interface PartAnswer extends PartRows {
  version: bigint
}

export interface RunDeps {
  engine: Engine
  kept: KeptPartitions
  snapshots: Snapshots
}

/** What a run asks for in one turn: one snapshot. */
interface Batch {
  parts: Parts
  answers: Promise<ReadonlyMap<string, PartAnswer>>
}

export function beginRun({ engine, kept, snapshots }: RunDeps): Run {
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
    const parts: Parts = new Map()
    return { parts, answers: Promise.resolve().then(() => send(parts)) }
  }

  async function send(parts: Parts): Promise<ReadonlyMap<string, PartAnswer>> {
    batch = undefined
    const { versions, rows } = await snapshots.take(parts, seen.size <= MAX_CARRIED ? seen.keys() : [])
    const changed = [...seen].filter(([name, version]) => (versions.get(name) ?? version) !== version)
    if (changed.length > 0) run.isBroken = true
    else if (engine.wholeStore) run.held = versions
    else if (parts.size === 1) run.held = new Map([...versions].filter(([name]) => parts.has(name)))
    kept.dropSeen(changed, seen.keys())
    const answers = new Map<string, PartAnswer>()
    for (const partition of parts.keys()) {
      const own = rows.get(partition)
      const version = versions.get(partition)
      if (own && version !== undefined) answers.set(partition, { version, ...own })
    }
    return answers
  }

  const run: Run = { reader, seen, held: new Map(), isBroken: false }
  return run
}

/** What is kept stays as it is, whatever the caller does with the copy. */
const copied = (value: Uint8Array | null | undefined): Buffer | undefined => (value ? Buffer.from(value) : undefined)

const pair = ([name, value]: Row): [Uint8Array, Uint8Array] => [keyOf(name), Buffer.from(value)]
