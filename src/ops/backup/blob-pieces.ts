/**
 * Blobs as parts of a tar, wherever they are stored. One that was deleted since the database was copied is in the trash, which is kept while a backup runs;
 * those are gathered and looked for together, since a trash has to be gone through from its beginning to its end.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Blobs, StoredBlob } from '../../store/types.js'
import type { BlobRef } from './blob-refs.js'
import { tarHeader, tarPadding } from './tar.js'

/** Max moved files that are searched together. */
const MAX_GATHERED = 10_000
const PIECE_BYTES = 256 * 1024

export interface BlobPiecesDeps {
  blobs: Pick<Blobs, 'read' | 'findInTrash'>
  at: number
  /** Told of each file that is in the backup. */
  onBlob: (line: string, bytes: number) => Promise<void>
  onMissing: (blob: BlobRef) => void
}

export async function* blobPieces(deps: BlobPiecesDeps, blobs: AsyncIterable<BlobRef>): AsyncGenerator<Buffer> {
  const elsewhere = new Map<string, BlobRef>()
  for await (const blob of blobs) {
    const stored = await deps.blobs.read(blob.owner, blob.id)
    if (stored) yield* onePiece(deps, blob, stored)
    else elsewhere.set(`${blob.owner}.${blob.id}`, blob)
    if (elsewhere.size >= MAX_GATHERED) yield* fromTrash(deps, elsewhere)
  }
  if (elsewhere.size > 0) yield* fromTrash(deps, elsewhere)
}

async function* fromTrash(deps: BlobPiecesDeps, wanted: Map<string, BlobRef>): AsyncGenerator<Buffer> {
  const found = await deps.blobs.findInTrash(new Set(wanted.keys()))
  for (const [name, blob] of wanted) {
    const stored = await found.get(name)?.()
    if (stored) yield* onePiece(deps, blob, stored)
    else deps.onMissing(blob)
  }
  wanted.clear()
}

async function* onePiece(
  { at, onBlob }: BlobPiecesDeps,
  blob: BlobRef,
  { bytes, content }: StoredBlob,
): AsyncGenerator<Buffer> {
  const name = `blobs/${blob.owner}/${blob.id}`
  const hash = createHash('sha256')
  let left = bytes
  try {
    yield tarHeader({ name, bytes }, at)
    for await (const piece of content) {
      if (!Buffer.isBuffer(piece)) throw new TypeError('a stream without an encoding gives octets')
      hash.update(piece)
      left -= piece.length
      yield piece
    }
    // A tar has exactly as many octets as its header announces.
    if (left !== 0) throw new Error('A file became shorter while it was read')
    yield tarPadding(bytes)
    await onBlob(`${hash.digest('hex')}  ${name}\n`, bytes)
  } finally {
    content.destroy()
  }
}

/** Exactly as many octets as the header announces. */
export async function* contentOf(
  file: FileHandle,
  bytes: number,
  look: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes;) {
    const { buffer, bytesRead } = await file.read(
      Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at)),
      0,
      Math.min(PIECE_BYTES, bytes - at),
      at,
    )
    if (bytesRead === 0) throw new Error('A file became shorter while it was read')
    at += bytesRead
    const piece = buffer.subarray(0, bytesRead)
    look(piece)
    yield piece
  }
}
