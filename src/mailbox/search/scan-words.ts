/** Messages with a word that contains some characters: the one question that sorted words don't answer, so all words of a segment are looked at. */
import { keyAfter } from '../../store/keys.js'
import type { View } from '../../store/types.js'
import { chunkKey, chunksRange, firstChunkKey } from '../keys.js'
import { appendSeqs } from '../postings.js'
import { entriesWith } from './chunks.js'
import type { Segment } from './segments.js'

/** Rows read at once. */
const CHUNKS = 32

export interface WordScan {
  /** Beginning of all words of a field; '' for words of any, which begin with no colon. */
  mark: string
  /** Bytes as characters (chunks.ts), as `mark`. */
  part: string
  /** True if the words end with it. */
  atEnd: boolean
}

/**
 * Looks at some words of a segment. Words of addresses as a whole are left out: those of their pieces are there too.
 *
 * @param from key of the next row; undefined for the first
 * @param found takes the messages
 * @param isOver ends the turn when it is true
 * @returns key of the next row; undefined at the end
 */
export async function scanWords(
  view: View,
  { id, first }: Segment,
  { mark, part, atEnd }: WordScan,
  from: Uint8Array | undefined,
  found: (seq: number) => void,
  isOver: () => boolean,
): Promise<Uint8Array | undefined> {
  const bytes = Buffer.from(part, 'latin1')
  // Any byte of UTF-8 is less than 0xff.
  const lt = mark === '' ? chunksRange(id).lt : chunkKey(id, `${mark}\xff`)
  let at = from ?? (await firstRowOf(view, id, mark))
  for (;;) {
    const rows = await view.range({ gte: at, lt, limit: CHUNKS })
    for (const [row, chunk] of rows) {
      at = keyAfter(row)
      for (const { word, postings } of entriesWith(chunk, bytes)) {
        const isOfField = mark === '' ? !word.startsWith(':') : word.startsWith(mark) && !word.includes('@')
        if (!isOfField || !(atEnd ? word.endsWith(part) : word.includes(part, mark.length))) continue
        const seqs: number[] = []
        appendSeqs(seqs, first, postings)
        for (const seq of seqs) found(seq)
      }
    }
    if (rows.length < CHUNKS) return undefined
    if (isOver()) return at
  }
}

/** The row of the first word of a field may begin with one before it. */
async function firstRowOf(view: View, id: number, mark: string): Promise<Uint8Array> {
  const start = firstChunkKey(id)
  if (mark === '') return start
  const [row] = await view.range({ gte: start, lt: keyAfter(chunkKey(id, mark)), limit: 1, reverse: true })
  return row?.[0] ?? start
}
