/** Streams a zip archive (zip64 if needed), with bounded memory. */
import { once } from 'node:events'
import { addAbortSignal, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file in the archive. `pieces` is called when its turn has come. */
export interface Entry {
  path: string
  pieces: () => AsyncIterable<Buffer>
}

/** Low levels already halve mail; higher ones take several times as long for a few percent. */
const DEFLATE_LEVEL = 3
/** Piece size: each piece passes half a dozen streams. */
const PIECE_BYTES = 64 * 1024

/**
 * Makes the archive of the entries, and waits for each `write` before it goes on.
 *
 * @throws what an entry's pieces or `write` threw, or the signal's reason
 */
export async function writeArchive(
  write: (bytes: Buffer) => Promise<void>,
  entries: readonly Entry[],
  { at, signal }: { at: number; signal: AbortSignal },
): Promise<void> {
  const zip = new ZipFile()
  const broken = new AbortController()
  let source: Readable | undefined
  // The library hands on no errors of its sources.
  zip.on('error', (error) => broken.abort(error))
  for (const entry of entries) {
    const options = { mtime: new Date(at), mode: 0o100600, compressionLevel: DEFLATE_LEVEL }
    zip.addReadStreamLazy(entry.path, options, (give) => {
      source = Readable.from(merged(entry.pieces()), { objectMode: false, highWaterMark: PIECE_BYTES })
      source.once('error', (error) => broken.abort(error))
      give(null, source)
    })
  }
  zip.end()

  try {
    for await (const piece of readable(zip.outputStream, AbortSignal.any([signal, broken.signal]))) await write(piece)
  } catch (error) {
    signal.throwIfAborted()
    broken.signal.throwIfAborted()
    throw error
  } finally {
    await ended(source)
  }
}

function readable(stream: NodeJS.ReadableStream, signal: AbortSignal): AsyncIterable<Buffer> {
  if (!(stream instanceof Readable)) throw new TypeError('The archive is no stream')
  return addAbortSignal(signal, stream)
}

/** Resolves when the source no longer reads the store. */
async function ended(source: Readable | undefined): Promise<void> {
  if (!source || source.closed) return
  source.destroy()
  await once(source, 'close')
}

async function* merged(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}
