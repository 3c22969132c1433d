/**
 * Dozens of patterns are looked for in every message, and nearly all of them are in none. Most can only match where certain letters stand in
 * a row, so those whose letters stand nowhere are passed over: one pass over the text finds all literals of all patterns, each by a run of
 * characters within it, and a pattern is tried when the text has the literals that it needs. It decides nothing: what is passed over could
 * not have matched.
 */

/** Finds patterns in one text: the words that match. */
export interface Matcher {
  (pattern: RegExp): string | undefined
  readonly text: string
}

const RUN = 3
const PLACES = 1 << 16

/** What a match contains. */
interface Literal {
  text: string
  /** The same for the same text in all patterns, so that it is looked for once; literals are numbered as they become known. */
  id: number
  /** How many of its characters stand up to the end of the run that it is looked for by. */
  upToRun: number
}

/** What has to stand in a text for a pattern to match: a literal, all of these, or any of them. */
interface Needed {
  literal?: Literal | undefined
  isAll: boolean
  parts: Needed[]
}

/** The literals by the place of their run: a bit for each place that has some, since most have none. */
interface Runs {
  length: number
  has: Uint8Array
  literals: Map<number, Literal[]>
}

const createRuns = (length: number): Runs => ({ length, has: new Uint8Array(PLACES / 8), literals: new Map() })
/** A literal is looked for by a run as long as can be: few are shared by chance. */
const RUNS_OF_3 = createRuns(RUN)
const RUNS_OF_4 = createRuns(4)
const RUNS_OF_5 = createRuns(5)

/** @param text in the case that the patterns are written in */
export function matcherOf(text: string): Matcher {
  /** By number; what becomes known later is looked for in the text. */
  const present = new Uint8Array(literals.size)
  // Of each, the places that are still of interest.
  const of3 = RUNS_OF_3.has.slice()
  const of4 = RUNS_OF_4.has.slice()
  const of5 = RUNS_OF_5.has.slice()
  const note = ({ literals }: Runs, wanted: Uint8Array, place: number, end: number): void => {
    let isDone = true
    for (const { id, text: literal, upToRun } of literals.get(place) ?? []) {
      if (present[id] !== 0) continue
      if (text.startsWith(literal, end - upToRun)) present[id] = 1
      else isDone = false
    }
    if (isDone) wanted[place >> 3] = (wanted[place >> 3] ?? 0) & ~(1 << (place & 7))
  }
  let run = 0
  let earlier = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    before = earlier
    earlier = run
    run = next(run, text.charCodeAt(at))
    const place3 = placeOf3(run)
    if (((of3[place3 >> 3] ?? 0) & (1 << (place3 & 7))) !== 0) note(RUNS_OF_3, of3, place3, at + 1)
    const place4 = placeOf4(run)
    if (((of4[place4 >> 3] ?? 0) & (1 << (place4 & 7))) !== 0) note(RUNS_OF_4, of4, place4, at + 1)
    const place5 = placeOf5(run, before)
    if (((of5[place5 >> 3] ?? 0) & (1 << (place5 & 7))) !== 0) note(RUNS_OF_5, of5, place5, at + 1)
  }
  const holds = ({ literal, isAll, parts }: Needed): boolean => {
    if (literal) return literal.id < present.length ? present[literal.id] === 1 : text.includes(literal.text)
    for (const part of parts) if (holds(part) !== isAll) return !isAll
    return isAll
  }
  const match = (pattern: RegExp): string | undefined => {
    const needed = neededBy(pattern)
    return needed === undefined || holds(needed) ? pattern.exec(text)?.[0] : undefined
  }
  return Object.assign(match, { text })
}

/** The run of four that ends with a character, from the one that ended before it: an octet of each character. */
function next(run: number, code: number): number {
  return (run << 8) | ((code ^ (code >> 8)) & 0xff)
}

function placeOf3(run: number): number {
  return Math.imul(run & 0xff_ffff, 0x9e37_79b1) >>> 16
}

function placeOf4(run: number): number {
  return Math.imul(run, 0x85eb_ca6b) >>> 16
}

/** @param before the run that ended two characters earlier */
function placeOf5(run: number, before: number): number {
  return (Math.imul(run, 0x85eb_ca6b) ^ Math.imul(before & 0xff_ffff, 0xc2b2_ae35)) >>> 16
}

const known = new WeakMap<RegExp, Needed | undefined>()
const literals = new Map<string, Literal>()

/** What every match of a pattern contains; undefined when nothing can be said. */
function neededBy(pattern: RegExp): Needed | undefined {
  if (known.has(pattern)) return known.get(pattern)
  const need = needOf(pattern)
  const needed = need === undefined ? undefined : prepared(need)
  known.set(pattern, needed)
  return needed
}

function prepared(need: Need): Needed {
  if (typeof need === 'string') return { literal: literalOf(need), isAll: true, parts: [] }
  return 'all' in need
    ? { isAll: true, parts: need.all.map(prepared) }
    : { isAll: false, parts: need.any.map(prepared) }
}

function literalOf(text: string): Literal {
  const known = literals.get(text)
  if (known) return known
  const runs = text.length === RUN ? RUNS_OF_3 : text.length === RUNS_OF_4.length ? RUNS_OF_4 : RUNS_OF_5
  const { place, upToRun } = leastShared(runs, runsIn(text, runs.length))
  const literal = { text, id: literals.size, upToRun }
  literals.set(text, literal)
  runs.has[place >> 3] = (runs.has[place >> 3] ?? 0) | (1 << (place & 7))
  runs.literals.set(place, [...(runs.literals.get(place) ?? []), literal])
  return literal
}

interface PlacedRun {
  place: number
  upToRun: number
  /** Where words begin and end there are more words that have it. */
  isWithinWord: boolean
}

function runsIn(literal: string, length: number): PlacedRun[] {
  const runs: PlacedRun[] = []
  const ended: number[] = []
  let run = 0
  for (let at = 0; at < literal.length; at++) {
    run = next(run, literal.charCodeAt(at))
    ended.push(run)
    if (at < length - 1) continue
    const place = length === RUN ? placeOf3(run) : length === 4 ? placeOf4(run) : placeOf5(run, ended[at - 2] ?? 0)
    runs.push({ place, upToRun: at + 1, isWithinWord: !literal.slice(at + 1 - length, at + 1).includes(' ') })
  }
  return runs
}

function leastShared({ literals }: Runs, runs: PlacedRun[]): PlacedRun {
  const sharing = ({ place, isWithinWord }: PlacedRun): number =>
    (literals.get(place)?.length ?? 0) + (isWithinWord ? 0 : 3)
  return runs.reduce((least, other) => (sharing(other) < sharing(least) ? other : least))
}

/** Literals of at least three characters, and how they have to come together. */
type Need = string | { all: Need[] } | { any: Need[] }

/** Literals of at least three characters of which every match contains one; undefined when there is no such list, or when it can't be told. */
export function literalsOf(pattern: RegExp): string[] | undefined {
  const need = needOf(pattern)
  return need === undefined ? undefined : bestOf(need)
}

function bestOf(need: Need): string[] {
  if (typeof need === 'string') return [need]
  if ('any' in need) return need.any.flatMap(bestOf)
  return need.all.map(bestOf).reduce((best, other) => (worth(other) > worth(best) ? other : best))
}

function worth(some: string[]): number {
  return Math.min(...some.map((literal) => literal.length))
}

/** Reads the syntax that the patterns use and gives up on all other. */
function needOf(pattern: RegExp): Need | undefined {
  if (pattern.flags !== '') return undefined
  try {
    const reader = { source: pattern.source, at: 0 }
    const need = readAlternatives(reader)
    return reader.at === reader.source.length ? need : undefined
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined
    throw error
  }
}

class UnknownSyntax extends Error {}

interface Reader {
  source: string
  at: number
}

function readAlternatives(reader: Reader): Need | undefined {
  const any: Need[] = []
  let isKnown = true
  for (;;) {
    const need = readSequence(reader)
    if (need === undefined) isKnown = false
    else any.push(need)
    if (reader.source[reader.at] !== '|') break
    reader.at++
  }
  const [first] = any
  if (!isKnown || first === undefined) return undefined
  return any.length === 1 ? first : { any }
}

/** All items have to match. */
function readSequence(reader: Reader): Need | undefined {
  const all: Need[] = []
  let run = ''
  const endRun = (): void => {
    if (run.length >= RUN) all.push(run)
    run = ''
  }
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const item = readItem(reader)
    const { least, exact } = readQuantifier(reader)
    if (item?.character !== undefined && least > 0) {
      run += item.character
      if (!exact) endRun()
    } else {
      endRun()
      if (item?.need !== undefined && least > 0) all.push(item.need)
    }
  }
  endRun()
  const [first] = all
  return first === undefined || all.length === 1 ? first : { all }
}

/** One character, or what is known of something else. */
interface Item {
  character?: string
  need?: Need
}

function readItem(reader: Reader): Item | undefined {
  const { source } = reader
  const character = source[reader.at++] ?? ''
  switch (character) {
    case '\\': {
      const escaped = source[reader.at++] ?? ''
      if (/[bBdDsSwW]/.test(escaped)) return undefined
      // Letters and digits have meanings of their own behind a backslash.
      if (/[A-Za-z0-9]/.test(escaped)) throw new UnknownSyntax()
      return { character: escaped }
    }
    case '[':
      return readClass(reader)
    case '(':
      return readGroup(reader)
    case '.':
    case '^':
    case '$':
      return undefined
    case '{':
    case '}':
    case ']':
      throw new UnknownSyntax()
    default:
      return { character }
  }
}

function readClass(reader: Reader): undefined {
  for (;;) {
    const character = reader.source[reader.at++]
    if (character === undefined) throw new UnknownSyntax()
    if (character === '\\') reader.at++
    if (character === ']') return undefined
  }
}

function readGroup(reader: Reader): Item | undefined {
  const kind = /^\?(?::|<?[=!])/.exec(reader.source.slice(reader.at, reader.at + 3))?.[0]
  if (kind === undefined && reader.source[reader.at] === '?') throw new UnknownSyntax()
  reader.at += kind?.length ?? 0
  const need = readAlternatives(reader)
  if (reader.source[reader.at++] !== ')') throw new UnknownSyntax()
  // What must not stand there, or stands outside of the match, is no part of it.
  return need !== undefined && (kind === undefined || kind === '?:') ? { need } : undefined
}

function readQuantifier(reader: Reader): { least: number; exact: boolean } {
  const [whole, least] = /^(?:[*?]|\+|\{(\d+)(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at)) ?? []
  if (whole === undefined) return { least: 1, exact: true }
  reader.at += whole.length
  return { least: least === undefined ? (whole.startsWith('+') ? 1 : 0) : Number(least), exact: false }
}
