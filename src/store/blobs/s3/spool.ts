/**
 * An object on its way to a reader: fetched in pieces into a file without a name, compared as a whole, and then read from there. So a reader gets the very
 * bytes that were compared, a slow one holds no memory and no connection, and each piece is tried again by itself.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, opendir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { HOUR } from '../../../lib/clock.js'
import { ifExists } from '../../../lib/files.js'
import { S3Error } from './errors.js'
import type { S3Client } from './client.js'
import { addTo } from './hashing.js'
import { readPiece, type Piece } from './objects.js'

/** Max bytes of an object per request. With the client's limit of concurrent requests it bounds the memory of all readers. */
const PIECE_BYTES = 4 * 1024 * 1024

/** The object piece by piece; nothing if there is none. An empty object is one empty piece. @throws S3Error */
export async function* piecesOf(client: S3Client, key: string): AsyncGenerator<Piece> {
  for (let at = 0, total = 1; at < total;) {
    const piece = await readPiece(client, key, at, PIECE_BYTES)
    if (!piece && at === 0) return
    if (!piece || (at > 0 && piece.total !== total) || (piece.body.length === 0 && piece.total > 0))
      throw new S3Error(`S3 object ${key} changed while it was read`, { mayPass: true })
    yield piece
    total = piece.total
    at += piece.body.length
  }
}

export interface Spooled {
  bytes: number
  sha256: string
  /** A stream of the bytes; it closes the file. */
  content(): Readable
  close(): Promise<void>
}

export interface Spool {
  /** @param check throws for a length that is wrong, before the rest is fetched @returns undefined if there is no such object */
  fetch(key: string, check?: (bytes: number) => void): Promise<Spooled | undefined>
  /** Removes files that a crash left. */
  tidy(now: number): Promise<void>
}

/** @param dir a local folder, created (mode 0700) when missing */
export function createSpool(client: S3Client, dir: string): Spool {
  async function unnamed(): Promise<FileHandle> {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const path = join(dir, randomUUID())
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  }
  return {
    async fetch(key, check) {
      const hash = createHash('sha256')
      let file: FileHandle | undefined
      let bytes = 0
      try {
        for await (const { body, total } of piecesOf(client, key)) {
          if (!file) check?.(total)
          file ??= await unnamed()
          await addTo(hash, body)
          await file.writeFile(body)
          bytes += body.length
        }
      } catch (error) {
        await file?.close()
        throw error
      }
      if (!file) return undefined
      const sha256 = hash.digest('hex')
      if (bytes > 0) return { bytes, sha256, content: contentOf(file, bytes), close: () => file.close() }
      await file.close()
      return { bytes, sha256, content: () => Readable.from([]), close: async () => undefined }
    },
    async tidy(now) {
      for await (const { name } of (await ifExists(opendir(dir))) ?? []) {
        const left = await ifExists(stat(join(dir, name)))
        if (left && left.mtimeMs < now - HOUR) await ifExists(unlink(join(dir, name)))
      }
    },
  }
}

function contentOf(file: FileHandle, bytes: number): () => Readable {
  return () => file.createReadStream({ start: 0, end: bytes - 1 })
}
