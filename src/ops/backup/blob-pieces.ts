/**
 * The files of blobs as parts of a tar. A file that was deleted since the database was copied is in the trash, which is kept while a backup runs;
 * those are gathered and looked for together, since a trash has to be gone through from its beginning to its end.
 */
import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { hasCode } from '../../lib/thrown.js'
import { blobPath, findInTrash } from '../../store/blobs/blob-files.js'
import type { BlobRef } from './blob-refs.js'
import { tarHeader, tarPadding } from './tar.js'

/** Max moved files that are searched together. */
const MAX_GATHERED = 10_000
const PIECE_BYTES = 256 * 1024

export interface BlobPiecesDeps {
  dir: string
  at: number
  /** Told of each file that is in the backup. */
  onBlob: (line: string, bytes: number) => Promise<void>
  onMissing: (blob: BlobRef) => void
}

export async function* blobPieces(deps: BlobPiecesDeps, blobs: AsyncIterable<BlobRef>): AsyncGenerator<Buffer> {
  const elsewhere = new Map<string, BlobRef>()
  for await (const blob of blobs) {
    const file = await openIfThere(blobPath(deps.dir, blob.owner, blob.id))
    if (file) yield* onePiece(deps, blob, file)
    else elsewhere.set(`${blob.owner}.${blob.id}`, blob)
    if (elsewhere.size >= MAX_GATHERED) yield* fromTrash(deps, elsewhere)
  }
  if (elsewhere.size > 0) yield* fromTrash(deps, elsewhere)
}

async function* fromTrash(deps: BlobPiecesDeps, wanted: Map<string, BlobRef>): AsyncGenerator<Buffer> {
  const paths = await findInTrash(deps.dir, new Set(wanted.keys()))
  for (const [name, blob] of wanted) {
    const path = paths.get(name)
    const file = path === undefined ? undefined : await openIfThere(path)
    if (file) yield* onePiece(deps, blob, file)
    else deps.onMissing(blob)
  }
  wanted.clear()
}

async function* onePiece({ at, onBlob }: BlobPiecesDeps, blob: BlobRef, file: FileHandle): AsyncGenerator<Buffer> {
  const name = `blobs/${blob.owner}/${blob.id}`
  try {
    const { size } = await file.stat()
    const hash = createHash('sha256')
    yield tarHeader({ name, bytes: size }, at)
    yield* contentOf(file, size, (piece) => hash.update(piece))
    yield tarPadding(size)
    await onBlob(`${hash.digest('hex')}  ${name}\n`, size)
  } finally {
    await file.close()
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

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
