/**
 * Finds many literals in a text at once, with one table lookup per character (Aho and Corasick, "Efficient string matching", 1975): a state is the
 * longest prefix of a literal that ends at the character, and the table has the next state for each possible character. Literals of Latin letters
 * have a table of their own, so that the one which every text needs has few columns.
 */
import { unitsOf } from '../../lib/units.js'

/** Below are the Latin letters and their punctuation. */
const FIRST_OF_OTHERS = 0x250
const MAX_CLASSES = 1 << 10
const MAX_STATES = 1 << 16

/** Longer literals are found by their first characters, and the rest is compared in place: this halves the table. */
const HEAD_CHARS = 7

/** @returns a function from a text to the distinct numbers of the literals in it */
export function createAutomaton(literals: readonly string[]): (text: string) => number[] {
  const ids = [...literals.keys()]
  const heads = literals.map((literal) => literal.slice(0, HEAD_CHARS))
  const rests = literals.map((literal) => literal.slice(HEAD_CHARS))
  const isOther = (id: number): boolean => hasOthers(heads[id] ?? '')
  const latin = tablesOf(
    heads,
    ids.filter((id) => !isOther(id)),
  )
  const others = tablesOf(heads, ids.filter(isOther))
  return (text) => {
    const units = unitsOf(text)
    const isFound = new Uint8Array(literals.length)
    const found: number[] = []
    findIn(units, rests, latin, isFound, found)
    if (hasAny(units, others)) findIn(units, rests, others, isFound, found)
    return found
  }
}

function hasOthers(literal: string): boolean {
  for (let at = 0; at < literal.length; at++) if (literal.charCodeAt(at) >= FIRST_OF_OTHERS) return true
  return false
}

interface Tables {
  /** Class of each code unit; 0 when no literal has it. */
  classes: Uint16Array
  /** The next state by state and class, in rows of a power of two. */
  rows: Uint16Array
  shift: number
  /** States from here on have literals that end there. */
  firstEnd: number
  /** These literals, from `firstEnd` on. */
  ends: number[][]
}

/** @param ids of the literals to find */
function tablesOf(literals: readonly string[], ids: readonly number[]): Tables {
  const { classes, count: width } = classesOf(ids.map((id) => literals[id] ?? ''))
  const room = 1 + ids.reduce((sum, id) => sum + (literals[id]?.length ?? 0), 0)
  const table = new Int32Array(room * width)
  /** Literals that end at each state. */
  const ends: number[][] = [[]]
  const stateOf = new Map(ids.map((id) => [id, 0]))
  // By length, so that a state has a greater number than all shorter ones.
  const longest = Math.max(0, ...ids.map((id) => literals[id]?.length ?? 0))
  for (let at = 0; at < longest; at++) {
    for (const id of ids) {
      const literal = literals[id] ?? ''
      if (at >= literal.length) continue
      const place = (stateOf.get(id) ?? 0) * width + (classes[literal.charCodeAt(at)] ?? 0)
      const state = table[place] || ends.push([]) - 1
      table[place] = state
      stateOf.set(id, state)
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
  return compact(table, width, classes, ends)
}

/** Numbers the states anew: those where a literal ends are the last. */
function compact(table: Int32Array, width: number, classes: Uint16Array, ends: number[][]): Tables {
  if (ends.length > MAX_STATES) throw new Error(`${ends.length} states are too many for the table of literals`)
  const states = [...ends.keys()]
  const order = [...states.filter((state) => !ends[state]?.length), ...states.filter((state) => ends[state]?.length)]
  const numbers = new Uint16Array(ends.length)
  for (const [number, state] of order.entries()) numbers[state] = number
  const shift = 32 - Math.clz32(width - 1)
  const rows = new Uint16Array(ends.length << shift)
  for (const [number, state] of order.entries())
    for (let at = 0; at < width; at++) rows[(number << shift) + at] = numbers[table[state * width + at] ?? 0] ?? 0
  const withEnds = ends.filter(({ length }) => length > 0)
  return { classes, rows, shift, firstEnd: ends.length - withEnds.length, ends: withEnds }
}

/** True if a text has a character beyond Latin ones that is in a literal. */
function hasAny(units: Uint16Array, { classes }: Tables): boolean {
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    if (unit >= FIRST_OF_OTHERS && classes[unit] !== 0) return true
  }
  return false
}

function findIn(
  units: Uint16Array,
  rests: readonly string[],
  { classes, rows, shift, firstEnd, ends }: Tables,
  isFound: Uint8Array,
  found: number[],
): void {
  let state = 0
  for (let at = 0; at < units.length; at++) {
    state = rows[(state << shift) + (classes[units[at] ?? 0] ?? 0)] ?? 0
    if (state < firstEnd) continue
    for (const id of ends[state - firstEnd] ?? []) {
      if (isFound[id] === 1 || !follows(units, at + 1, rests[id] ?? '')) continue
      isFound[id] = 1
      found.push(id)
    }
  }
}

function follows(units: Uint16Array, at: number, rest: string): boolean {
  for (let i = 0; i < rest.length; i++) if (units[at + i] !== rest.charCodeAt(i)) return false
  return true
}

/** The most frequent characters are the first, so that what a text needs of a row stands together. */
function classesOf(literals: readonly string[]): { classes: Uint16Array; count: number } {
  const counts = new Map<number, number>()
  for (const literal of literals)
    for (let at = 0; at < literal.length; at++)
      counts.set(literal.charCodeAt(at), (counts.get(literal.charCodeAt(at)) ?? 0) + 1)
  const classes = new Uint16Array(1 << 16)
  let count = 1
  for (const [unit] of [...counts].sort(([, a], [, b]) => b - a)) classes[unit] = count++
  if (count > MAX_CLASSES) throw new Error(`${count} characters are too many for the table of literals`)
  return { classes, count }
}
