/**
 * Brings a copy of a store up to date, from one snapshot of the source: partition by partition, only those whose version moved since the last time, and
 * of them only rows that differ. What was written is read again and compared. Ended anywhere, the next call goes on behind the last record.
 */
import { createHash } from 'node:crypto'
import { isOfNodes, rowsAt } from './copy.js'
import {
  commitAlone,
  COPY_PARTITION,
  headerOp,
  recordOp,
  recordsOf,
  sourceOfCopy,
  type PartitionRecord,
  type Sum,
} from './copy-records.js'
import type { Engine, Op, Reader } from '../engine.js'
import { prefixRange } from '../keys.js'
import { viewOf } from '../overlay.js'
import { rowsOf } from '../pages.js'
import type { Store } from '../types.js'

/** Names of partitions read at once, and max partitions of a commit. */
const PAGE = 500
const COMMIT_BYTES = 1024 * 1024

export interface CaughtUp {
  /** In the copy, with their rows and the octets of these. */
  partitions: number
  rows: number
  bytes: number
  /** Partitions that were copied this time, new or changed. */
  copied: number
  /** Partitions that were removed this time. */
  removed: number
}

export interface CatchUpOptions {
  /** Identifies the source, with the history of its versions. */
  source: string
  /** Called for each commit and each page of unchanged partitions, with what is done so far. */
  onProgress?: (done: CaughtUp) => void
}

/** The database to copy to has rows that are not of a copy from this source. Nothing was changed. */
export class ForeignTargetError extends Error {
  override name = 'ForeignTargetError'
}

/**
 * The target stays marked as incomplete: see `removeRecords`.
 *
 * @param to an empty engine, or one that this was called for before
 * @throws ForeignTargetError for any other
 * @throws Error if the copy differs from the source, or another process writes to it
 */
export function catchUp(
  from: Pick<Engine, 'read'>,
  to: Pick<Engine, 'read' | 'commit'>,
  { source, onProgress = () => undefined }: CatchUpOptions,
): Promise<CaughtUp> {
  // All state is made in here: an engine repeats a read whose connection was lost.
  return from.read(async (reader) => {
    const done: CaughtUp = { partitions: 0, rows: 0, bytes: 0, copied: 0, removed: 0 }
    const target = await openTarget(to, source, () => onProgress(done))
    for (let after = ''; ;) {
      const page = await reader.partitions(after, PAGE)
      const last = page.length < PAGE ? undefined : page.at(-1)
      const names = page.filter((name) => !isOfNodes(name))
      const versions = await reader.versions(names)
      const known = await target.known(names)
      for (const [i, name] of names.entries()) {
        const version = versions[i] ?? 0n
        const { record, isThere = false } = known[i] ?? {}
        const isSame = record?.source === String(version)
        const sum = isSame ? record : await target.copy(reader, { name, version, isThere })
        if (!isSame) done.copied++
        done.partitions++
        done.rows += sum.rows
        done.bytes += sum.bytes
      }
      done.removed += await target.removeOthers(new Set(names), after, last)
      onProgress(done)
      if (last === undefined) break
      after = last
    }
    await target.end()
    return done
  })
}

interface Source {
  name: string
  version: bigint
  /** True if the target has rows of that partition. */
  isThere: boolean
}

interface Copied {
  name: string
  /** In the source. */
  version: bigint
  sum: Sum
}

async function openTarget(to: Pick<Engine, 'read' | 'commit'>, source: string, onCommit: () => void) {
  let version = await begin(to, source)
  let ops: Op[] = []
  let size = 0
  /** Copied by `ops`, or by commits before them. */
  let copied: Copied[] = []
  const store: Pick<Store, 'read'> = { read: (partition, fn) => to.read((reader) => fn(viewOf(reader, partition))) }
  const rowsNow = (name: string) => rowsOf(store, name, prefixRange())

  async function flush(): Promise<void> {
    if (ops.length === 0 && copied.length === 0) return
    // The header with each, so that each moves the version that the next one checks.
    version = await commitAlone(to, version, [...ops, headerOp(source)])
    const records = await compare(to, copied)
    ops = records.map(([name, record]) => recordOp(name, record))
    size = 0
    copied = []
    onCommit()
  }

  async function add(op: Op): Promise<void> {
    ops.push(op)
    size += op.key.length + (op.value?.length ?? 0)
    if (size >= COMMIT_BYTES) await flush()
  }

  return {
    /** Records of partitions whose copies are as they were left, and whether there are rows. */
    known: (names: readonly string[]): Promise<{ record: PartitionRecord | undefined; isThere: boolean }[]> =>
      to.read(async (reader) => {
        const [records, versions] = [await recordsOf(reader, names), await reader.versions(names)]
        return records.map((record, i) => ({
          record: record?.target === String(versions[i]) ? record : undefined,
          isThere: versions[i] !== 0n,
        }))
      }),

    async copy(reader: Reader, { name, version, isThere }: Source): Promise<Sum> {
      const there = isThere ? rowsNow(name) : nothing()
      const sums = createSum()
      let old = await there.next()
      for await (const [key, value] of rowsAt(reader, name)) {
        sums.add(key, value)
        for (; !old.done && Buffer.compare(old.value[0], key) < 0; old = await there.next())
          await add({ partition: name, key: old.value[0], value: null })
        if (old.done || Buffer.compare(old.value[0], key) !== 0) {
          await add({ partition: name, key, value })
        } else {
          if (Buffer.compare(old.value[1], value) !== 0) await add({ partition: name, key, value })
          old = await there.next()
        }
      }
      for (; !old.done; old = await there.next()) await add({ partition: name, key: old.value[0], value: null })
      const sum = sums.end()
      copied.push({ name, version, sum })
      if (copied.length >= PAGE) await flush()
      return sum
    },

    /**
     * Removes all partitions but these.
     *
     * @param last the last of those that are looked at; undefined for no end
     * @returns their number
     */
    async removeOthers(names: ReadonlySet<string>, after: string, last: string | undefined): Promise<number> {
      let removed = 0
      for (let from = after; ;) {
        const page = await to.read((reader) => reader.partitions(from, PAGE))
        for (const name of page) {
          if (last !== undefined && Buffer.compare(Buffer.from(name), Buffer.from(last)) > 0) return removed
          if (name === COPY_PARTITION || names.has(name)) continue
          for await (const [key] of rowsNow(name)) await add({ partition: name, key, value: null })
          await add(recordOp(name, undefined))
          removed++
        }
        const end = page.at(-1)
        if (end === undefined || page.length < PAGE) return removed
        from = end
      }
    },

    async end(): Promise<void> {
      while (ops.length > 0 || copied.length > 0) await flush()
    },
  }
}

/** @returns the version of the partition of records */
async function begin(to: Pick<Engine, 'read' | 'commit'>, source: string): Promise<bigint> {
  const found = await to.read(async (reader) => ({
    source: await sourceOfCopy(reader),
    version: await reader.version(COPY_PARTITION),
    isEmpty: (await reader.partitions('', 1)).length === 0,
  }))
  if (found.source === source) return found.version
  if (found.source !== undefined)
    throw new ForeignTargetError('A copy of another database was begun in it, or of this one before it was restored')
  if (!found.isEmpty) throw new ForeignTargetError('It has rows already')
  return commitAlone(to, 0n, [headerOp(source)])
}

/** Reads the copies again. @returns what to record of them @throws Error for one that differs */
function compare(to: Pick<Engine, 'read'>, copied: readonly Copied[]): Promise<[string, PartitionRecord][]> {
  if (copied.length === 0) return Promise.resolve([])
  return to.read(async (reader) => {
    const versions = await reader.versions(copied.map(({ name }) => name))
    const records: [string, PartitionRecord][] = []
    for (const [i, { name, version, sum }] of copied.entries()) {
      const sums = createSum()
      for await (const [key, value] of rowsAt(reader, name)) sums.add(key, value)
      if (sums.end().sha256 !== sum.sha256) throw new Error(`The copy of the partition ${name} differs from its source`)
      records.push([name, { ...sum, source: String(version), target: String(versions[i]) }])
    }
    return records
  })
}

async function* nothing(): AsyncGenerator<[Uint8Array, Uint8Array]> {
  yield* []
}

function createSum() {
  const hash = createHash('sha256')
  let rows = 0
  let bytes = 0
  return {
    add(key: Uint8Array, value: Uint8Array): void {
      hash.update(`${key.length} ${value.length}\n`).update(key).update(value)
      rows++
      bytes += key.length + value.length
    },
    end: (): Sum => ({ rows, bytes, sha256: hash.digest('hex') }),
  }
}
