/** Letters in the cells of a row: read across they are words, though the markup has them in columns. */

const MIN_CELLS = 3
/** Layout tables have long rows, which are left alone. */
const MAX_PIECES = 600
const MAX_CHARS = 4000
const MAX_LETTERS = 3

/**
 * @param shown pieces of text; the cells begin at these indexes, and the last one ends with the pieces
 * @returns the row as it is read; undefined for one that is read cell by cell
 */
export function rowAsDisplayed(
  shown: readonly string[],
  cells: readonly number[],
  isReversed: boolean,
): string | undefined {
  const first = cells[0] ?? 0
  if (cells.length < MIN_CELLS || shown.length - first > MAX_PIECES) return undefined
  let chars = 0
  for (let i = first; i < shown.length; i++) chars += shown[i]?.length ?? 0
  if (chars > MAX_CHARS) return undefined
  const texts = cells.map((from, i) => linesOf(shown.slice(from, cells[i + 1] ?? shown.length).join('')))
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
