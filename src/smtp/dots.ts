/**
 * Decodes message data (RFC 5321 §4.5.2): finds its end and removes doubled dots. Only CRLF, dot, CRLF ends it, however packets are cut: never with a bare LF
 * or CR in place of a CRLF, which would enable SMTP smuggling.
 */

export type DotDecoder = ReturnType<typeof createDotDecoder>

const CR = 0x0d
const LF = 0x0a
const DOT = 0x2e
const LINE_WITH_DOT = Buffer.from('\r\n.')
const HELD_CR = Buffer.from('\r')

/**
 * Last input: within a line, its CR, its end (or nothing yet), a dot at the start of a line, CR after such a dot. The dot and what follows are held back until
 * decided.
 */
type State = 'within a line' | 'CR' | 'start of a line' | 'dot' | 'dot, CR'

export function createDotDecoder() {
  let state: State = 'start of a line'

  return {
    /** Decodes the next bytes. @returns message bytes, and after the end the rest of the chunk */
    push(chunk: Buffer): { data: Buffer; rest: Buffer | undefined } {
      const pieces: Buffer[] = []
      let from = 0
      let at = 0
      const take = (end: number): void => {
        if (end > from) pieces.push(chunk.subarray(from, end))
      }
      while (at < chunk.length) {
        const byte = chunk[at]
        switch (state) {
          case 'within a line': {
            const found = chunk.indexOf(LINE_WITH_DOT, at)
            if (found === -1) {
              state = stateAfter(chunk, at)
              at = chunk.length
            } else {
              take(found + 2)
              from = at = found + 3
              state = 'dot'
            }
            break
          }
          case 'CR':
            if (byte === CR || byte === LF) at++
            state = byte === CR ? 'CR' : byte === LF ? 'start of a line' : 'within a line'
            break
          case 'start of a line':
            if (byte === DOT) {
              take(at)
              from = ++at
            }
            state = byte === DOT ? 'dot' : 'within a line'
            break
          case 'dot':
            if (byte === CR) from = ++at
            state = byte === CR ? 'dot, CR' : 'within a line'
            break
          case 'dot, CR':
            if (byte === LF) return { data: joined(pieces), rest: chunk.subarray(at + 1) }
            pieces.push(HELD_CR)
            state = 'CR'
            break
        }
      }
      take(chunk.length)
      return { data: joined(pieces), rest: undefined }
    },
  }
}

/** State after bytes from `at` on without dotted lines. */
function stateAfter(chunk: Buffer, at: number): State {
  const last = chunk.length - 1
  if (chunk[last] === CR) return 'CR'
  return chunk[last] === LF && last > at && chunk[last - 1] === CR ? 'start of a line' : 'within a line'
}

function joined(pieces: Buffer[]): Buffer {
  const [only] = pieces
  return pieces.length === 1 && only ? only : Buffer.concat(pieces)
}
