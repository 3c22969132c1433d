/**
 * Finds many literals in a text at once, with one table lookup per character (Aho and Corasick, "Efficient string matching", 1975): a state is the
 * longest prefix of a literal that ends at the character, and the table has the next state for each possible character.
 */
import { unitsOf } from '../../lib/units.js'

/** Bit of a table entry: literals end there. The other bits are the offset of the state's row. */
const HAS_ENDS = 1 << 31
const ROW = ~HAS_ENDS

/** @returns a function from a text to the distinct numbers of the literals in it */
export function createAutomaton(literals: readonly string[]): (text: string) => number[] {
  const { classes, count: width } = classesOf(literals)
  const room = 1 + literals.reduce((sum, { length }) => sum + length, 0)
  const table = new Int32Array(room * width)
  /** Literals that end at each state. */
  const ends: number[][] = [[]]
  const stateOf = new Int32Array(literals.length)
  const edge = (state: number, unit: number): number => state * width + (classes[unit] ?? 0)
  // By length, so that a state has a greater number than all shorter ones.
  const longest = Math.max(...literals.map(({ length }) => length))
  for (let at = 0; at < longest; at++) {
    for (const [id, literal] of literals.entries()) {
      if (at >= literal.length) continue
      const place = edge(stateOf[id] ?? 0, literal.charCodeAt(at))
      const state = table[place] || ends.push([]) - 1
      table[place] = stateOf[id] = state
      if (at === literal.length - 1) ends[state]?.push(id)
    }
  }
  // A missing edge is inherited from the state of the longest suffix that is a prefix too.
  const shorter = new Int32Array(ends.length)
  for (let state = 0; state < ends.length; state++) {
    for (let place = state * width; place < (state + 1) * width; place++) {
      const other = state === 0 ? 0 : (table[place + ((shorter[state] ?? 0) - state) * width] ?? 0)
      const next = table[place] ?? 0
      if (next === 0) table[place] = other
      else {
        shorter[next] = other
        ends[next]?.push(...(ends[other] ?? []))
      }
    }
  }
  const rows = table
    .slice(0, ends.length * width)
    .map((state) => (ends[state]?.length ? HAS_ENDS : 0) | (state * width))
  return (text) => literalsIn(text, { classes, rows, width, ends }, literals.length)
}

interface Tables {
  /** Character class of each code unit; 0 when no literal has it. */
  classes: Uint8Array
  rows: Int32Array
  width: number
  ends: number[][]
}

function literalsIn(text: string, { classes, rows, width, ends }: Tables, count: number): number[] {
  const units = unitsOf(text)
  const isFound = new Uint8Array(count)
  const found: number[] = []
  let state = 0
  for (let at = 0; at < units.length; at++) {
    state = rows[(state & ROW) + (classes[units[at] ?? 0] ?? 0)] ?? 0
    if (state >= 0) continue
    for (const id of ends[(state & ROW) / width] ?? []) {
      if (isFound[id] === 1) continue
      isFound[id] = 1
      found.push(id)
    }
  }
  return found
}

function classesOf(literals: readonly string[]): { classes: Uint8Array; count: number } {
  const units = new Set(literals.flatMap((literal) => Array.from(literal, (_, at) => literal.charCodeAt(at))))
  const classes = new Uint8Array(1 << 16)
  let count = 1
  for (const unit of units) classes[unit] = count++
  if (count > 256) throw new Error(`${count} characters are too many for the table of literals`)
  return { classes, count }
}
