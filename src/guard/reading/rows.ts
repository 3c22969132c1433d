/** Letters in the cells of a row: read across they are words, though the markup has them in columns; and items that stand in another order than written. */
import type { Place } from './defaults.js'

const MIN_CELLS = 3
/** Layout tables have long rows, which are left alone. */
const MAX_PIECES = 2000
const MAX_CHARS = 8000
const MAX_LETTERS = 3

export interface Cell {
  /** Index of its first piece. */
  from: number
  place: Place | undefined
}

export type Flow = 'row' | 'row-reverse' | 'column-reverse'

/**
 * @param shown pieces of text; the last cell ends with the pieces
 * @param isReversed the letters of a row stand from right to left
 * @returns the row as it is read; undefined for one that is read cell by cell, as written
 */
export function rowAsDisplayed(
  shown: readonly string[],
  cells: readonly Cell[],
  flow: Flow,
  isReversed: boolean,
): string | undefined {
  const first = cells[0]?.from ?? 0
  if (cells.length < MIN_CELLS || shown.length - first > MAX_PIECES) return undefined
  const isPlaced = cells.filter(({ place }) => place !== undefined).length >= MIN_CELLS
  const isMoved = isPlaced || flow !== 'row'
  let chars = 0
  for (let i = first; i < shown.length; i++) {
    const piece = shown[i] ?? ''
    chars += piece.length
    if (chars > MAX_CHARS || (!isMoved && piece.length > MAX_LETTERS && isWords(piece))) return undefined
  }
  const items = cells.map(({ from, place }, i): Item => {
    const text = shown.slice(from, cells[i + 1]?.from ?? shown.length).join('')
    return {
      text,
      lines: linesOf(text),
      isPlaced: place !== undefined,
      row: place?.row ?? 0,
      column: place?.column ?? 0,
    }
  })
  if (isPlaced) items.sort((a, b) => a.row - b.row || a.column - b.column)
  if (flow === 'column-reverse') items.reverse()
  const rows: Item[][] = []
  for (const item of items) {
    const last = rows.at(-1)
    if (last && last[0]?.row === item.row) last.push(item)
    else rows.push([item])
  }
  // What stands between items that have a place is no cell.
  const cellsOf = (row: Item[]): Item[] => (isPlaced ? row.filter((one) => one.isPlaced || one.lines.length > 0) : row)
  const read = rows.map((row) => letterRow(cellsOf(row), isReversed))
  if (!isMoved) return read[0]
  const all = rows.map((row, at) => read[at] ?? wordRow(row, flow))
  return `${all.join('\n')} `
}

interface Item {
  text: string
  lines: string[]
  isPlaced: boolean
  row: number
  column: number
}

/** A line, of which a part is no letter. */
function isWords(piece: string): boolean {
  return piece.trim().length > MAX_LETTERS && !piece.includes('\n')
}

/** Text between items that have a place of their own is one piece. */
function wordRow(row: readonly Item[], flow: Flow): string {
  const items = flow === 'row-reverse' ? [...row].reverse() : row
  let read = ''
  for (const [at, { text, lines, isPlaced }] of items.entries()) {
    const isPiece = flow === 'row' && !isPlaced && items[at - 1]?.isPlaced === false
    if (at > 0 && !isPiece) read += flow === 'column-reverse' ? '\n' : ' '
    read += isPlaced || flow !== 'row' ? lines.join('\n') : text
  }
  return read
}

function letterRow(row: readonly Item[], isReversed: boolean): string | undefined {
  const texts = row.map(({ lines }) => lines)
  if (isReversed) texts.reverse()
  const filled = texts.filter((lines) => lines.length > 0)
  const count = Math.max(...texts.map((lines) => lines.length))
  if (filled.length < MIN_CELLS || filled.some((lines) => lines.some((line) => line.length > MAX_LETTERS)))
    return undefined
  const all = filled.flat().filter((line) => line !== GAP)
  const letters = all.filter((line) => line.length === 1 && LETTER.test(line)).length
  if (letters < LETTERS_SHARE * all.length || (count > 1 && filled.some((lines) => lines.length !== count)))
    return undefined
  return Array.from({ length: count }, (_, at) => texts.map((lines) => lines[at] ?? GAP).join('')).join('\n')
}

const LETTER = /\p{L}/u
const LETTERS_SHARE = 0.8
/** A cell with nothing to be seen is a gap between words. */
const GAP = '\u00a0'

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/^[ \t\r\f]+|[ \t\r\f]+$/g, ''))
    .filter((line) => line !== '')
}
