/**
 * What a copy in progress knows of itself, in the database that is copied to: its source, and for each copied partition the versions there and here at
 * which both had the same rows. While these rows are there the copy is incomplete, and no daemon starts on it.
 */
import { randomUUID } from 'node:crypto'
import type { Engine, Op, Reader } from '../engine.js'
import { decode, encode, prefixRange } from '../keys.js'

export const COPY_PARTITION = 'copy'
/** No partition has this name. */
const HEADER = Buffer.of(0)
/** Records removed in one commit. */
const PAGE = 1_000

/** Identifies the database that is copied, with the history of its versions. */
interface Header {
  source: string
}

export interface Sum {
  rows: number
  bytes: number
  /** SHA-256 of all rows in order, hexadecimal. */
  sha256: string
}

export interface PartitionRecord extends Sum {
  /** Version of the partition in the source, in decimal. */
  source: string
  /** Version of the copied partition, in decimal. */
  target: string
}

/** True for a database that is copied to and not complete. */
export async function isIncompleteCopy(engine: Pick<Engine, 'versions'>): Promise<boolean> {
  const [version] = await engine.versions([COPY_PARTITION])
  return version !== 0n
}

/** @returns the source that the copy was begun from; undefined if none was begun */
export async function sourceOfCopy(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.getMany(COPY_PARTITION, [HEADER])
  return row && decode<Header>(row).source
}

export async function recordsOf(
  reader: Reader,
  partitions: readonly string[],
): Promise<(PartitionRecord | undefined)[]> {
  const rows = await reader.getMany(COPY_PARTITION, partitions.map(keyOf))
  return rows.map((row) => row && decode<PartitionRecord>(row))
}

export const headerOp = (source: string): Op => ({
  partition: COPY_PARTITION,
  key: HEADER,
  value: encode({ source } satisfies Header),
})

/** @param record undefined removes it */
export const recordOp = (partition: string, record: PartitionRecord | undefined): Op => ({
  partition: COPY_PARTITION,
  key: keyOf(partition),
  value: record ? encode(record) : null,
})

/** Ends a copy: from its last commit on it is a database like any other. @throws Error if another process copies to it */
export async function removeRecords(to: Pick<Engine, 'read' | 'commit'>): Promise<void> {
  for (;;) {
    const { version, rows } = await to.read(async (reader) => ({
      version: await reader.version(COPY_PARTITION),
      // The header is the first by its key, and goes last.
      rows: await reader.range(COPY_PARTITION, { ...prefixRange(), limit: PAGE, reverse: true }),
    }))
    if (rows.length === 0) return
    const ops = rows.map(([key]): Op => ({ partition: COPY_PARTITION, key, value: null }))
    await commitAlone(to, version, ops)
  }
}

/**
 * Commits unless another process has copied to the same database since `version`.
 *
 * @param version that of the partition of records
 * @param ops change at least one record
 * @returns the version of the partition of records
 * @throws Error if another process copies to it
 */
export async function commitAlone(to: Pick<Engine, 'commit'>, version: bigint, ops: Op[]): Promise<bigint> {
  const moved = await to.commit([{ partition: COPY_PARTITION, expect: version }], ops, randomUUID())
  if (moved === 'conflict') throw new Error('Another process writes to the database that is copied to')
  return moved.get(COPY_PARTITION) ?? 0n
}

function keyOf(partition: string): Uint8Array {
  return Buffer.from(partition)
}
