/** Finds evidence in a text however it is written: words are compared as the guard reads them, and marked as written. */
import { readable } from '../../guard/text/text.js'

export interface Piece {
  text: string
  isMarked: boolean
}

/** Limits of the work for adversarial messages. */
const MAX_EXCERPTS = 50
const MAX_EXCERPT_CHARS = 500
const MAX_MARKS_EACH = 50
const MAX_TEXT_CHARS = 64 * 1024

/** Scripts without spaces are compared by letter. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** Splits the text into marked and unmarked pieces, in order. Marks cover whole words. */
export function markEvidence(text: string, excerpts: readonly string[]): Piece[] {
  const wanted = [...new Set(excerpts.slice(0, MAX_EXCERPTS).map((each) => readable(each.slice(0, MAX_EXCERPT_CHARS))))]
    .filter((each) => each.length > 1)
    // With spaces where the text has them.
    .map((each) => wordsIn(each).line)
  if (wanted.length === 0 || text === '') return [{ text, isMarked: false }]
  return piecesOf(text, marksIn(text.slice(0, MAX_TEXT_CHARS), wanted))
}

interface Words {
  /** As the guard reads it, words separated by spaces. */
  line: string
  /** Offsets of each word, in the line and in the text. */
  places: { inLine: number; from: number; to: number }[]
}

function wordsIn(text: string): Words {
  const places: Words['places'] = []
  let line = ''
  let end = 0
  for (const match of text.matchAll(WORD)) {
    const word = readable(match[0])
    if (word === '') continue
    if (line !== '' && /\s/.test(text.slice(end, match.index))) line += ' '
    places.push({ inLine: line.length, from: match.index, to: match.index + match[0].length })
    line += word
    end = match.index + match[0].length
  }
  return { line, places }
}

function marksIn(text: string, wanted: string[]): [number, number][] {
  const { line, places } = wordsIn(text)
  const marks: [number, number][] = []
  for (const excerpt of wanted) {
    let at = line.indexOf(excerpt)
    for (let found = 0; at !== -1 && found < MAX_MARKS_EACH; found++) {
      const first = places[lastAtOrBefore(places, at)]
      const last = places[lastAtOrBefore(places, at + excerpt.length - 1)]
      if (first && last) marks.push([first.from, last.to])
      at = line.indexOf(excerpt, at + excerpt.length)
    }
  }
  return marks.sort(([a], [b]) => a - b)
}

function lastAtOrBefore(places: Words['places'], at: number): number {
  let [low, high] = [0, places.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((places[middle]?.inLine ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

function piecesOf(text: string, marks: [number, number][]): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const push = (to: number, isMarked: boolean): void => {
    if (to > end) pieces.push({ text: text.slice(end, to), isMarked })
    end = Math.max(end, to)
  }
  for (const [from, to] of marks) {
    push(from, false)
    push(to, true)
  }
  push(text.length, false)
  return pieces
}
