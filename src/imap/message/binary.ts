/** Sections without their transfer encoding (RFC 9051 §6.4.5 and §7.5.2, RFC 3516), decoded in turns of the event loop. */
import { eachDecodedPiece } from '../../mime/part.js'
import { isKnownEncoding } from '../../mime/transfer.js'
import { partAt } from './section.js'
import type { Part, PartialRange } from './types.js'

const LF = 0x0a
const CR = 0x0d
const NOTHING = Buffer.alloc(0)

/** `unknown encoding` is answered with NO and UNKNOWN-CTE. */
export type Decoded<T> = { kind: 'decoded'; value: T } | { kind: 'unknown encoding' }

/**
 * The octets of `BINARY[path]<partial>`; empty when there is no such part. Multiparts and messages have no encoding (RFC 2045 §6.4), and what is in them is
 * left as it is. May contain NUL.
 *
 * @param partial of the decoded octets: only these are kept, and decoding stops behind them
 */
export async function binaryOf(
  raw: Buffer,
  root: Part,
  path: readonly number[],
  partial?: PartialRange,
): Promise<Decoded<Buffer>> {
  const { offset, length } = partial ?? { offset: 0, length: Infinity }
  const pieces: Buffer[] = []
  let at = 0
  const isKnown = await decode(raw, root, path, (piece) => {
    const kept = piece.subarray(Math.max(offset - at, 0), Math.max(offset + length - at, 0))
    if (kept.length > 0) pieces.push(kept)
    at += piece.length
    return at < offset + length
  })
  const [only] = pieces
  const value = only && pieces.length === 1 ? only : Buffer.concat(pieces)
  return isKnown ? { kind: 'decoded', value } : { kind: 'unknown encoding' }
}

/** Size of what `binaryOf` returns without `partial`, which has to be decoded for it. */
export async function binarySizeOf(raw: Buffer, root: Part, path: readonly number[]): Promise<Decoded<number>> {
  let value = 0
  const isKnown = await decode(raw, root, path, (piece) => {
    value += piece.length
    return true
  })
  return isKnown ? { kind: 'decoded', value } : { kind: 'unknown encoding' }
}

/** @param take gets the pieces in order; returning false stops @returns false for an unknown encoding */
async function decode(
  raw: Buffer,
  root: Part,
  path: readonly number[],
  take: (piece: Buffer) => boolean,
): Promise<boolean> {
  if (path.length === 0) {
    take(raw)
    return true
  }
  const part = partAt(root, path)
  const content = part ? raw.subarray(part.bodyAt, part.end) : NOTHING
  if (part?.kind !== 'text' && part?.kind !== 'basic') {
    take(content)
    return true
  }
  const encoding = part.content.encoding.toLowerCase()
  if (!isKnownEncoding(encoding)) return false
  const lines = part.kind === 'text' ? crlfLines() : (piece: Buffer): Buffer => piece
  await eachDecodedPiece({ content, encoding }, (piece) => take(lines(piece)))
  return true
}

/** RFC 9051 §7.5.2: lines of text end with CRLF, whatever they end with where they are encoded. */
function crlfLines(): (piece: Buffer) => Buffer {
  let previous = 0
  return (piece) => {
    const bare = bareLineFeeds(piece, previous)
    const out = bare === 0 ? piece : Buffer.allocUnsafe(piece.length + bare)
    let length = 0
    if (bare > 0)
      for (const octet of piece) {
        if (octet === LF && previous !== CR) out[length++] = CR
        out[length++] = previous = octet
      }
    previous = piece.at(-1) ?? previous
    return out
  }
}

function bareLineFeeds(piece: Buffer, before: number): number {
  let count = 0
  for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, at + 1))
    if ((at === 0 ? before : piece[at - 1]) !== CR) count++
  return count
}
