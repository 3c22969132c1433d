/**
 * Finds many literals in a text at once, with one look into a table for each character (Aho and Corasick, "Efficient string matching", 1975): a
 * state is the longest beginning of a literal that ends at the character, and the table has the next state for each character that may follow.
 */
import { unitsOf } from '../../lib/units.js'

/** Of an entry of the table: that literals end there, and where the row of the state begins. */
const HAS_ENDS = 1 << 31
const ROW = ~HAS_ENDS

/** @returns what gives the numbers of those literals that a text has, each once */
export function createAutomaton(literals: readonly string[]): (text: string) => number[] {
  const { classes, count: width } = classesOf(literals)
  const room = 1 + literals.reduce((sum, { length }) => sum + length, 0)
  const table = new Int32Array(room * width)
  /** Literals that end at a state. */
  const ends: number[][] = [[]]
  const stateOf = new Int32Array(literals.length)
  const edge = (state: number, unit: number): number => state * width + (classes[unit] ?? 0)
  // By their length, so that a state's number is greater than those of all shorter ones.
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
  // What a state has no edge for, it takes from the state of the longest end of it that is a beginning too.
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
  /** What each code unit is to all literals alike; 0 where none has it. */
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
