/** Message data after 354 (RFC 5321 §4.5.2): CRLF line ends, dots doubled. */

const SLICE_BYTES = 64 * 1024
const CR = 0x0d
const LF = 0x0a
const DOT = 0x2e
const CRLF_BYTES = Buffer.from('\r\n')
const LF_BYTES = Buffer.from('\n')
const DOT_BYTES = Buffer.from('.')

/** A bare LF or CR becomes CRLF, so that servers can't disagree on line ends. */
export function* dataOf(raw: Buffer): Generator<Buffer> {
  let previous = LF
  for (let from = 0; from < raw.length; from += SLICE_BYTES) {
    const slice = raw.subarray(from, from + SLICE_BYTES)
    const pieces: Buffer[] = []
    let kept = 0
    const insert = (at: number, piece: Buffer): void => {
      pieces.push(slice.subarray(kept, at), piece)
      kept = at
    }
    for (let i = 0; i < slice.length; i++) {
      const byte = slice[i] ?? 0
      if (byte === LF) {
        if (previous !== CR) insert(i, CRLF_BYTES.subarray(0, 1))
      } else {
        if (previous === CR) insert(i, LF_BYTES)
        if (byte === DOT && (previous === CR || previous === LF)) insert(i, DOT_BYTES)
      }
      previous = byte
    }
    pieces.push(slice.subarray(kept))
    yield pieces.length === 1 ? slice : Buffer.concat(pieces)
  }
  if (previous === CR) yield LF_BYTES
  else if (previous !== LF) yield CRLF_BYTES
}
