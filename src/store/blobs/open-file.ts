/** The file of a blob, open: read as a whole, compared with what was written, or as a stream. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { StoredBlob, WrittenBlob } from '../types.js'
import { checkSize, OTHER_BYTES, type DamageOf } from './damage.js'

/** Read and hashed in one turn of the event loop: about a millisecond. */
const PIECE_BYTES = 1024 * 1024

/** The open file as a stored blob; undefined if there is none. */
export async function stored(opening: Promise<FileHandle | undefined>): Promise<StoredBlob | undefined> {
  const file = await opening
  if (!file) return undefined
  const { size } = await file.stat()
  if (size === 0) {
    await file.close()
    return { bytes: 0, content: Readable.from([]) }
  }
  return { bytes: size, content: file.createReadStream({ start: 0, end: size - 1, highWaterMark: PIECE_BYTES }) }
}

export async function readWhole(file: FileHandle, damage: DamageOf, wrote: WrittenBlob | undefined): Promise<Buffer> {
  const { size } = await file.stat()
  if (wrote) checkSize(size, damage, wrote)
  const bytes = Buffer.allocUnsafeSlow(size)
  const hash = wrote?.sha256 === undefined ? undefined : createHash('sha256')
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, Math.min(PIECE_BYTES, size - at), at)
    if (bytesRead === 0) throw damage('it became shorter while being read')
    hash?.update(bytes.subarray(at, at + bytesRead))
    at += bytesRead
  }
  if (hash && hash.digest('hex') !== wrote?.sha256) throw damage(OTHER_BYTES)
  return bytes
}

/** The first octets of a file, `max` at most. */
export async function readStart(
  file: FileHandle,
  max: number,
  damage: DamageOf,
  wrote: Pick<WrittenBlob, 'bytes'> | undefined,
): Promise<Buffer> {
  const { size } = await file.stat()
  if (wrote) checkSize(size, damage, wrote)
  const start = Buffer.allocUnsafe(Math.min(max, size))
  for (let at = 0; at < start.length;) {
    const { bytesRead } = await file.read(start, at, start.length - at, at)
    if (bytesRead === 0) throw damage('it became shorter while being read')
    at += bytesRead
  }
  return start
}

/** Reads and compares the whole file and keeps nothing: later reads come from the page cache. */
export async function compare(file: FileHandle, damage: DamageOf, wrote: WrittenBlob): Promise<void> {
  const { size } = await file.stat()
  checkSize(size, damage, wrote)
  if (wrote.sha256 === undefined) return
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size))
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw damage('it became shorter while being read')
    hash.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  if (hash.digest('hex') !== wrote.sha256) throw damage(OTHER_BYTES)
}
