/**
 * Content transfer encodings (RFC 2045 §6), decoded piece by piece, so that memory is bounded by the size of a piece. Both decoders accept common
 * errors of senders: base64 with foreign characters, missing padding or several padded blocks (RFC 2045 §6.8 says to ignore characters outside the
 * alphabet), quoted-printable with stray `=` and trailing white space.
 */
import type { TransferDecoder } from './types.js'
import { uuDecoder } from './uuencode.js'

const EMPTY = Buffer.alloc(0)
const UUENCODE = /^(?:x-uuencode|x-uue|uuencode)$/
const IDENTITY = /^(?:7bit|8bit|binary)$/

/** True if `transferDecoder` knows the encoding; others it leaves as they are. */
export function isKnownEncoding(encoding: string): boolean {
  return encoding === 'base64' || encoding === 'quoted-printable' || UUENCODE.test(encoding) || IDENTITY.test(encoding)
}

export function transferDecoder(encoding: string): TransferDecoder {
  if (encoding === 'base64') return base64Decoder()
  if (encoding === 'quoted-printable') return quotedPrintableDecoder()
  if (UUENCODE.test(encoding)) return uuDecoder()
  return { write: (piece) => piece, end: () => EMPTY }
}

const SKIP = 0xff
const PADDING = 0xfe
const BASE64_VALUES = new Uint8Array(256).fill(SKIP)
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BASE64_VALUES[char.charCodeAt(0)] = value
}
BASE64_VALUES['='.charCodeAt(0)] = PADDING

/** Max length of a line of words. */
const MAX_DOUBTED_BYTES = 1000
/** After lines that are no base64, a line counts as a further block only if it is at least this long, or padded. */
const MIN_BLOCK_CHARS = 16
const LF = 0x0a

/**
 * Text after the padding, or after an empty line, may be no base64: list servers put their footers there. Such a line is decoded only if all of it is
 * base64.
 */
function base64Decoder(): TransferDecoder {
  let bits = 0
  let count = 0
  /** `tail`: the rest of the line with the padding; `over`: text after a line that was no base64. */
  let state: 'sure' | 'tail' | 'padded' | 'doubted' | 'over' = 'sure'
  let hasData = false
  let hasLine = false
  let doubted: number[] = []

  const decode = (bytes: Uint8Array | number[], out: Buffer, from: number): number => {
    let length = from
    for (const byte of bytes) {
      const value = BASE64_VALUES[byte] ?? SKIP
      if (value === SKIP) continue
      if (value === PADDING) {
        // Ends a block; another one may follow.
        bits = count = 0
        continue
      }
      bits = ((bits << 6) | value) & 0xffff
      count += 6
      if (count >= 8) {
        count -= 8
        out[length++] = (bits >> count) & 0xff
      }
    }
    return length
  }
  /** Decodes the doubtful line, or leaves it out. */
  const settle = (out: Buffer, from: number): number => {
    const line = Buffer.from(doubted).toString('latin1').trim().replace(/^=+/, '')
    doubted = []
    if (line === '') {
      state = state === 'tail' ? 'padded' : state === 'padded' ? 'over' : state
      return from
    }
    const isWhole = line.length % 4 === 0
    const isLong = line.length >= MIN_BLOCK_CHARS
    if (!/^[A-Za-z\d+/=]+$/.test(line) || !(isLong || (isWhole && (state !== 'over' || line.endsWith('='))))) {
      state = 'over'
      return from
    }
    state = line.endsWith('=') ? 'padded' : 'sure'
    return decode(Buffer.from(line), out, from)
  }
  return {
    write(piece) {
      const out = Buffer.allocUnsafe(Math.ceil(((piece.length + doubted.length) * 3) / 4) + 3)
      let length = 0
      for (let i = 0; i < piece.length; i++) {
        const byte = piece[i] ?? 0
        if (state !== 'sure') {
          doubted.push(byte)
          if (byte === LF || doubted.length > MAX_DOUBTED_BYTES) length = settle(out, length)
          hasLine = false
          continue
        }
        const value = BASE64_VALUES[byte] ?? SKIP
        if (value === SKIP) {
          if (byte === LF) {
            if (!hasLine && hasData) state = 'doubted'
            hasLine = false
          }
          continue
        }
        if (value === PADDING) {
          if (hasData) state = 'tail'
          bits = count = 0
          continue
        }
        hasLine = hasData = true
        bits = ((bits << 6) | value) & 0xffff
        count += 6
        if (count >= 8) {
          count -= 8
          out[length++] = (bits >> count) & 0xff
        }
      }
      return out.subarray(0, length)
    },
    end() {
      const out = Buffer.allocUnsafe(Math.ceil((doubted.length * 3) / 4) + 3)
      return doubted.length === 0 ? EMPTY : out.subarray(0, settle(out, 0))
    },
  }
}

const HEX_VALUES = new Int8Array(256).fill(-1)
for (const [value, char] of [...'0123456789abcdef'].entries()) {
  HEX_VALUES[char.charCodeAt(0)] = value
  HEX_VALUES[char.toUpperCase().charCodeAt(0)] = value
}

function quotedPrintableDecoder(): TransferDecoder {
  let pending: Buffer = EMPTY
  return {
    write(piece) {
      const joined = pending.length === 0 ? piece : Buffer.concat([pending, piece])
      // An escape, a soft break or trailing white space may continue in the next piece: only whole lines, if there are any.
      const cut = joined.lastIndexOf(0x0a) + 1
      const whole = cut === 0 && joined.length > 65_536 ? joined.length - 2 : cut
      pending = joined.subarray(whole)
      return decodeQuotedPrintable(joined.subarray(0, whole))
    },
    end() {
      const rest = decodeQuotedPrintable(pending)
      pending = EMPTY
      return rest
    },
  }
}

function decodeQuotedPrintable(piece: Buffer): Buffer {
  const out = Buffer.allocUnsafe(piece.length)
  let length = 0
  /** Start of white space that must be removed if the line ends after it (RFC 2045 §6.7 rule 3). */
  let blanks = -1
  for (let i = 0; i < piece.length; i++) {
    const byte = piece[i] ?? 0
    if (byte > 0x3d) {
      // Usually a letter.
      blanks = -1
      out[length++] = byte
      continue
    }
    if (byte === 0x20 || byte === 0x09) {
      if (blanks === -1) blanks = length
      out[length++] = byte
      continue
    }
    if (blanks !== -1 && (byte === 0x0a || (byte === 0x0d && piece[i + 1] === 0x0a))) length = blanks
    blanks = -1
    if (byte !== 0x3d) {
      out[length++] = byte
      continue
    }
    const high = HEX_VALUES[piece[i + 1] ?? 0] ?? -1
    const low = HEX_VALUES[piece[i + 2] ?? 0] ?? -1
    if (high !== -1 && low !== -1) {
      out[length++] = (high << 4) | low
      i += 2
      continue
    }
    const lineEnd = softBreakEnd(piece, i + 1)
    if (lineEnd === -1) out[length++] = byte
    else i = lineEnd - 1
  }
  return out.subarray(0, length)
}

/** Just past a soft line break that starts here, including white space before the line end; -1 for none. */
function softBreakEnd(piece: Buffer, start: number): number {
  let i = start
  while (piece[i] === 0x20 || piece[i] === 0x09) i++
  if (i >= piece.length) return i
  if (piece[i] === 0x0a) return i + 1
  return piece[i] === 0x0d && piece[i + 1] === 0x0a ? i + 2 : -1
}
