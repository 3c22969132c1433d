/** Samples of a long text: its start, its end, and pieces from between. */
import { createHash } from 'node:crypto'

/** Max characters that are read, as displayed: enough for what people read, and a bound on the time. */
export const MAX_CHARS = 32 * 1024
const FRONT_CHARS = 16 * 1024
const TAIL_CHARS = 8 * 1024
const SAMPLES = 4
/** Separates the pieces, so that no word or phrase grows across a gap. */
const GAP = '\n\n'
const SAMPLE_CHARS = Math.floor((MAX_CHARS - FRONT_CHARS - TAIL_CHARS) / SAMPLES) - GAP.length * 2

export interface Sampled {
  text: string
  /** Characters that are not read. */
  unread: number
}

/** The pieces between are placed by a hash of the text, so that nobody can write around them. */
export function sampled(text: string): Sampled {
  if (text.length <= MAX_CHARS) return { text, unread: 0 }
  const middle = text.length - FRONT_CHARS - TAIL_CHARS
  const seed = createHash('sha256').update(text).digest()
  const pieces = [text.slice(0, FRONT_CHARS)]
  const step = middle / SAMPLES
  for (let i = 0; i < SAMPLES; i++) {
    const room = Math.max(0, Math.floor(step) - SAMPLE_CHARS)
    const from = FRONT_CHARS + Math.floor(i * step) + (room === 0 ? 0 : seed.readUInt32LE(4 * i) % room)
    pieces.push(text.slice(from, from + Math.min(SAMPLE_CHARS, Math.floor(step))))
  }
  pieces.push(text.slice(text.length - TAIL_CHARS))
  const read = pieces.join(GAP)
  return { text: read, unread: text.length - (read.length - GAP.length * (pieces.length - 1)) }
}
