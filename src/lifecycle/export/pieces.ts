/**
 * The archive of an export in the blob store, where every node reaches it: pieces of 8 MiB, blobs of the account named `<export>-<build>-<n>`. A build writes
 * its pieces in order and they are removed from the last to the first, so those that are there count from 0 without a gap.
 */
import { createHash } from 'node:crypto'
import { isId } from '../../lib/ids.js'
import { isRawReferenced } from '../../mailbox/raw.js'
import type { Blobs, Store } from '../../store/types.js'
import { readExport, type Archive, type StoredExport } from './record.js'

/** Held in memory by each build. */
const PIECE_BYTES = 8 * 1024 * 1024
const NAME = /^(exp_[0-9A-Z]{26})-([0-9A-Za-z]+)-\d+$/

type Named = Pick<StoredExport, 'accountId' | 'id'>

const pieceId = (id: string, build: string, n: number): string => `${id}-${build}-${n}`

export interface PieceWriter {
  write(bytes: Uint8Array): Promise<void>
  /** Writes the rest. @returns the whole archive, which is durable; a commit may reference it */
  end(): Promise<Archive>
}

/** @param pieceBytes smaller in tests */
export function createPieceWriter(
  blobs: Pick<Blobs, 'put'>,
  { accountId, id }: Named,
  build: string,
  pieceBytes = PIECE_BYTES,
): PieceWriter {
  const pieces: Archive['pieces'] = []
  const held = Buffer.allocUnsafeSlow(pieceBytes)
  let length = 0
  let hash = createHash('sha256')

  async function put(): Promise<void> {
    await blobs.put(accountId, pieceId(id, build, pieces.length), held.subarray(0, length))
    pieces.push({ bytes: length, sha256: hash.digest('hex') })
    hash = createHash('sha256')
    length = 0
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + pieceBytes - length)
        held.set(part, length)
        hash.update(part)
        length += part.length
        at += part.length
        if (length === pieceBytes) await put()
      }
    },
    async end() {
      if (length > 0) await put()
      return { build, pieces }
    },
  }
}

export function sizeOf({ pieces }: Archive): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** False if the pieces are elsewhere or lost, as after a restore. */
export async function hasPieces(
  blobs: Pick<Blobs, 'size'>,
  { accountId, id }: Named,
  { build }: Archive,
): Promise<boolean> {
  return (await blobs.size(accountId, pieceId(id, build, 0))) !== undefined
}

/**
 * The octets from `start` to `end`, both included; all by default. Each piece is compared with what was written before its first octet, and none is opened
 * before the reader has taken the previous one.
 *
 * @throws DamagedBlobError, or Error for a piece that is gone
 */
export async function* readPieces(
  blobs: Pick<Blobs, 'stream'>,
  { accountId, id }: Named,
  { build, pieces }: Archive,
  { start, end }: { start: number; end: number } = { start: 0, end: Infinity },
): AsyncGenerator<Buffer> {
  let at = 0
  for (const [n, piece] of pieces.entries()) {
    const [from, to] = [Math.max(0, start - at), Math.min(piece.bytes, end + 1 - at)]
    at += piece.bytes
    if (from >= to) continue
    const stream = await blobs.stream(accountId, pieceId(id, build, n), piece)
    if (!stream) throw new Error(`Piece ${n} of export ${id} is gone`)
    yield* partOf(stream, from, to)
  }
}

/** Octets `from` to before `to` of a stream, which is closed at the end. */
async function* partOf(stream: AsyncIterable<unknown>, from: number, to: number): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('Not a stream of octets')
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at >= to) return
  }
}

/** Removes the pieces of a build, whether it was completed or not. Idempotent. */
export async function discardPieces(
  blobs: Pick<Blobs, 'size' | 'discard'>,
  { accountId, id }: Named,
  { build, pieces }: Archive,
): Promise<void> {
  let count = pieces.length
  while ((await blobs.size(accountId, pieceId(id, build, count))) !== undefined) count++
  while (count > 0) await blobs.discard(accountId, pieceId(id, build, --count))
}

/** True if a message, a draft or an export of the owner references the blob; for the sweep of blobs. */
export async function isBlobReferenced(store: Store, owner: string, id: string): Promise<boolean> {
  if (!isId('acc', owner)) return isRawReferenced(store, owner, id)
  const [, exportId, build] = NAME.exec(id) ?? []
  return exportId !== undefined && (await readExport(store, owner, exportId))?.archive?.build === build
}
