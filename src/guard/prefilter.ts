/**
 * Dozens of patterns are looked for in every message, and nearly all of them are in none. Most can only match where certain letters stand in
 * a row, so those whose letters stand nowhere are passed over: one pass over the text finds all literals of all patterns, each by a run of
 * characters within it, and of a pattern those alternatives are tried whose literals the text has. It decides nothing: what is passed over
 * could not have matched.
 */
import { unitsOf } from '../lib/units.js'
import { alternativesOf } from './needed.js'
import type { Need } from './needed.js'

/** Finds patterns in one text: the words that match. */
export interface Matcher {
  (pattern: RegExp): string | undefined
  /** False when it is plain that the pattern does not match. */
  readonly mayMatch: (pattern: RegExp) => boolean
  readonly text: string
}

const SHORT = 3
const LONG = 5
/** A hash has thirty bits. */
const HASH_BITS = 30
const SHORT_BITS = 16
const LONG_BITS = 17
/** So many alternatives are tried one by one; of more the pattern is tried as it is. */
const MAX_APART = 3

/** What a match contains. */
interface Literal {
  text: string
  /** The same for the same text in all patterns, so that it is looked for once; literals are numbered as they become known. */
  id: number
  /** How many of its characters stand up to the end of the run that it is looked for by. */
  upToRun: number
  /** The nodes that it is wanted by. */
  above: number[]
}

/**
 * What has to stand in a text for a pattern to match, as numbered nodes: each is fulfilled by so many of the literals and nodes below it, and
 * tells the one above it. So what a text lacks costs nothing.
 */
const nodes: { above: number; wanted: number }[] = []
const NO_NODE = -1

/** The literals by the hash of their run: a bit for each place that has some, since most have none. */
interface Runs {
  length: number
  /** The first bits of a hash are its place. */
  placeBits: number
  has: Uint32Array
  literals: Map<number, Literal[]>
  /** Places of several hashes. */
  shared: Set<number>
}

const createRuns = (length: number, placeBits: number): Runs => ({
  length,
  placeBits,
  has: new Uint32Array(1 << (placeBits - 5)),
  literals: new Map(),
  shared: new Set(),
})
/** A literal of some length is looked for by a long run: few of those are shared by chance. */
const SHORT_RUNS = createRuns(SHORT, SHORT_BITS)
const LONG_RUNS = createRuns(LONG, LONG_BITS)

/** @param text in the case that the patterns are written in */
export function matcherOf(text: string): Matcher {
  const fulfilled = fulfilledBy(text)
  // What became known later is tried.
  const isPossible = ({ node }: Possible): boolean =>
    node === NO_NODE || node >= fulfilled.length || fulfilled[node] === nodes[node]?.wanted
  const match = (pattern: RegExp): string | undefined => {
    const alternatives = possibleBy(pattern)?.filter(isPossible)
    if (alternatives === undefined || alternatives.length > MAX_APART) return pattern.exec(text)?.[0]
    // Of two at one place that which is written first counts, as in the whole pattern.
    let found: RegExpExecArray | null = null
    for (const { pattern: alternative } of alternatives) {
      const other = alternative.exec(text)
      if (other && (found === null || other.index < found.index)) found = other
    }
    return found?.[0]
  }
  return Object.assign(match, {
    mayMatch: (pattern: RegExp): boolean => possibleBy(pattern)?.some(isPossible) ?? true,
    text,
  })
}

/** Of each node known so far, how much of what it wants a text has. */
function fulfilledBy(text: string): Uint8Array {
  const fulfilled = new Uint8Array(nodes.length)
  const present = new Uint8Array(literals.size)
  // Of each, the places that are still of interest.
  const short = SHORT_RUNS.has.slice()
  const long = LONG_RUNS.has.slice()
  const fulfil = (first: number): void => {
    for (let node = first; node !== NO_NODE; node = nodes[node]?.above ?? NO_NODE) {
      const count = (fulfilled[node] ?? 0) + 1
      const wanted = nodes[node]?.wanted ?? 0
      if (count > wanted) return
      fulfilled[node] = count
      if (count < wanted) return
    }
  }
  const note = ({ literals, shared }: Runs, wanted: Uint32Array, place: number, hash: number, end: number): void => {
    const some = literals.get(hash)
    if (some === undefined) return
    let isDone = !shared.has(place)
    for (const { id, text: literal, upToRun, above } of some) {
      if (present[id] !== 0) continue
      if (text.startsWith(literal, end - upToRun)) {
        present[id] = 1
        above.forEach(fulfil)
      } else isDone = false
    }
    if (isDone) wanted[place >>> 5] = (wanted[place >>> 5] ?? 0) & ~(1 << (place & 31))
  }
  const units = unitsOf(text)
  let run = 0
  let earlier = 0
  let before = 0
  for (let at = 0; at < units.length; at++) {
    before = earlier
    earlier = run
    run = next(run, units[at] ?? 0)
    const ofShort = hashOfShort(run)
    const shortPlace = ofShort >>> (HASH_BITS - SHORT_BITS)
    if (((short[shortPlace >>> 5] ?? 0) & (1 << (shortPlace & 31))) !== 0)
      note(SHORT_RUNS, short, shortPlace, ofShort, at + 1)
    const ofLong = hashOfLong(run, before)
    const longPlace = ofLong >>> (HASH_BITS - LONG_BITS)
    if (((long[longPlace >>> 5] ?? 0) & (1 << (longPlace & 31))) !== 0) note(LONG_RUNS, long, longPlace, ofLong, at + 1)
  }
  return fulfilled
}

/** The run of four that ends with a character, from the one that ended before it: an octet of each character. */
function next(run: number, code: number): number {
  return (run << 8) | ((code ^ (code >> 8)) & 0xff)
}

function hashOfShort(run: number): number {
  return Math.imul(run & 0xff_ffff, 0x9e37_79b1) >>> 2
}

/** @param before the run that ended two characters earlier */
function hashOfLong(run: number, before: number): number {
  return (Math.imul(run, 0x85eb_ca6b) ^ Math.imul(before & 0xff_ffff, 0xc2b2_ae35)) >>> 2
}

/** An alternative of a pattern, and the node that has to be fulfilled for it to match. */
interface Possible {
  pattern: RegExp
  node: number
}

const known = new WeakMap<RegExp, Possible[] | undefined>()
const literals = new Map<string, Literal>()

function possibleBy(pattern: RegExp): Possible[] | undefined {
  if (known.has(pattern)) return known.get(pattern)
  const alternatives = alternativesOf(pattern)?.map(({ source, need }, _, all) => ({
    pattern: all.length === 1 ? pattern : new RegExp(source),
    node: need === undefined ? NO_NODE : nodeFor(need, NO_NODE),
  }))
  known.set(pattern, alternatives)
  return alternatives
}

function nodeFor(need: Need, above: number): number {
  const isAll = typeof need !== 'string' && 'all' in need
  const parts = typeof need === 'string' ? [need] : 'all' in need ? need.all : need.any
  const node = nodes.push({ above, wanted: isAll ? parts.length : 1 }) - 1
  for (const part of parts) {
    if (typeof part === 'string') wantedBy(part, node)
    else nodeFor(part, node)
  }
  return node
}

function wantedBy(text: string, node: number): void {
  const known = literals.get(text)
  if (known) {
    known.above.push(node)
    return
  }
  const runs = text.length < LONG ? SHORT_RUNS : LONG_RUNS
  const { hash, upToRun } = rarest(runs, runsIn(text, runs.length))
  const literal = { text, id: literals.size, upToRun, above: [node] }
  literals.set(text, literal)
  const place = hash >>> (HASH_BITS - runs.placeBits)
  const others = runs.literals.get(hash)
  if (!others && ((runs.has[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0) runs.shared.add(place)
  runs.has[place >>> 5] = (runs.has[place >>> 5] ?? 0) | (1 << (place & 31))
  runs.literals.set(hash, [...(others ?? []), literal])
}

interface PlacedRun {
  hash: number
  upToRun: number
  /** How many of its characters are such as stand in every other word. */
  common: number
}

const COMMON = new Set('etaoinsr ')

function runsIn(literal: string, length: number): PlacedRun[] {
  const runs: PlacedRun[] = []
  const ended: number[] = []
  let run = 0
  for (let at = 0; at < literal.length; at++) {
    run = next(run, literal.charCodeAt(at))
    ended.push(run)
    if (at < length - 1) continue
    const hash = length === SHORT ? hashOfShort(run) : hashOfLong(run, ended[at - 2] ?? 0)
    const common = [...literal.slice(at + 1 - length, at + 1)].filter((character) => COMMON.has(character)).length
    runs.push({ hash, upToRun: at + 1, common })
  }
  return runs
}

/** The run that is found most seldom where its literal is not. */
function rarest({ literals }: Runs, runs: PlacedRun[]): PlacedRun {
  const cost = ({ hash, common }: PlacedRun): number => 2 * common + (literals.get(hash)?.length ?? 0)
  return runs.reduce((rarest, other) => (cost(other) < cost(rarest) ? other : rarest))
}
