/**
 * uuencode as a transfer encoding (`x-uuencode`, in no RFC; the format is POSIX.1-2017 `uuencode`), which programs older than MIME's base64 still
 * write. A part without the beginning of the format is left unchanged.
 */
import type { TransferDecoder } from './types.js'

const LF = 0x0a
const CR = 0x0d
/** Longer than any uuencoded line, and than any that SMTP carries. */
const MAX_LINE_BYTES = 4096
const EMPTY = Buffer.alloc(0)

export function uuDecoder(): TransferDecoder {
  let state: 'before' | 'within' | 'after' | 'plain' = 'before'
  let pending: Buffer = EMPTY

  const isPlain = (): boolean => state === 'plain'

  /** Only blank lines may precede the begin line. */
  function line(octets: Buffer): Buffer {
    if (state === 'before') {
      if (/^begin [0-7]{3,4} /.test(octets.toString('latin1', 0, 20))) state = 'within'
      else if (octets.length > 0) state = 'plain'
      return EMPTY
    }
    if (state === 'after') return EMPTY
    const length = ((octets[0] ?? 0x20) - 0x20) & 0x3f
    if (length === 0 || octets.equals(END)) {
      state = 'after'
      return EMPTY
    }
    return decodeLine(octets, length)
  }

  return {
    write(piece) {
      if (state === 'plain') return piece
      const joined = pending.length === 0 ? piece : Buffer.concat([pending, piece])
      const out: Buffer[] = []
      let at = 0
      for (let end = joined.indexOf(LF); end !== -1; end = joined.indexOf(LF, at)) {
        const octets = joined.subarray(at, end > at && joined[end - 1] === CR ? end - 1 : end)
        out.push(line(octets))
        if (isPlain()) {
          pending = EMPTY
          return joined
        }
        at = end + 1
      }
      pending = joined.subarray(at)
      if (pending.length > MAX_LINE_BYTES) {
        // Not a line of uuencode: the rest is returned unchanged.
        state = 'plain'
        out.push(pending)
        pending = EMPTY
      }
      return Buffer.concat(out)
    },
    end() {
      const rest = state === 'within' ? line(pending) : state === 'before' ? pending : EMPTY
      pending = EMPTY
      return rest
    },
  }
}

const END = Buffer.from('end')

/** Four characters encode three octets; trailing spaces that were lost in transit are zeros. */
function decodeLine(octets: Buffer, length: number): Buffer {
  const out = Buffer.alloc(length)
  const six = (at: number): number => ((octets[at] ?? 0x20) - 0x20) & 0x3f
  for (let from = 1, to = 0; to < length; from += 4) {
    const bits = (six(from) << 18) | (six(from + 1) << 12) | (six(from + 2) << 6) | six(from + 3)
    for (const shift of [16, 8, 0]) if (to < length) out[to++] = (bits >> shift) & 0xff
  }
  return out
}
