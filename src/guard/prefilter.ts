/**
 * Dozens of patterns are looked for in every message, and nearly all of them are in none. Most can only match where certain letters stand in
 * a row, so those whose letters stand nowhere are passed over: one pass over the text notes all runs of three characters, and a pattern is
 * tried when the text has one of its literals, which is looked for only when all its runs were seen. It decides nothing: what is passed over
 * could not have matched.
 */

/** Finds patterns in one text. */
export type Matcher = (pattern: RegExp) => boolean

const RUN = 3
const BITS = 1 << 16

/** What a match contains, and the runs in it. */
interface Needed {
  literal: string
  runs: number[]
}

/** @param text in the case that the patterns are written in */
export function matcherOf(text: string): Matcher {
  const seen = new Uint8Array(BITS / 8)
  let run = 0
  for (let at = 0; at < text.length; at++) {
    run = next(run, text.charCodeAt(at))
    const bit = placeOf(run)
    seen[bit >> 3] = (seen[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  const has = (bit: number): boolean => ((seen[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  return (pattern) => {
    const needed = neededBy(pattern)
    const mayMatch = needed?.some(({ literal, runs }) => runs.every(has) && text.includes(literal)) ?? true
    return mayMatch && pattern.test(text)
  }
}

/** The run that ends with a character, from the one that ended before it: an octet of each character. */
function next(run: number, code: number): number {
  return ((run << 8) | ((code ^ (code >> 8)) & 0xff)) & 0xff_ffff
}

function placeOf(run: number): number {
  return Math.imul(run, 0x9e37_79b1) >>> 16
}

const known = new WeakMap<RegExp, Needed[] | undefined>()

/** The literals of a pattern of which a match has one; undefined when nothing can be said. */
function neededBy(pattern: RegExp): Needed[] | undefined {
  if (known.has(pattern)) return known.get(pattern)
  const needed = literalsOf(pattern)?.map((literal) => ({ literal, runs: runsOf(literal) }))
  known.set(pattern, needed)
  return needed
}

function runsOf(literal: string): number[] {
  const runs: number[] = []
  let run = 0
  for (let at = 0; at < literal.length; at++) {
    run = next(run, literal.charCodeAt(at))
    if (at >= RUN - 1) runs.push(placeOf(run))
  }
  return runs
}

/**
 * Literals of at least three characters of which every match contains one; undefined when there is no such list, or when it can't be told.
 * Reads the syntax that the patterns use and gives up on all other.
 */
export function literalsOf(pattern: RegExp): string[] | undefined {
  if (pattern.flags !== '') return undefined
  try {
    const reader = { source: pattern.source, at: 0 }
    const literals = readAlternatives(reader)
    return reader.at === reader.source.length ? literals : undefined
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

/** An empty list stands for no match at all, undefined for a match of which nothing is known. */
type Literals = string[] | undefined

function readAlternatives(reader: Reader): Literals {
  let all: Literals = []
  for (;;) {
    const literals = readSequence(reader)
    all = all && literals && [...all, ...literals]
    if (reader.source[reader.at] !== '|') return all
    reader.at++
  }
}

/** All items have to match, so the best of them stands for all. */
function readSequence(reader: Reader): Literals {
  let best: Literals
  let run = ''
  const offer = (literals: Literals): void => {
    if (literals && (!best || worth(literals) > worth(best))) best = literals
  }
  const endRun = (): void => {
    if (run.length >= RUN) offer([run])
    run = ''
  }
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const item = readItem(reader)
    const { least, exact } = readQuantifier(reader)
    if (typeof item === 'string' && least > 0) {
      run += item
      if (!exact) endRun()
    } else {
      endRun()
      if (typeof item !== 'string' && least > 0) offer(item)
    }
  }
  endRun()
  return best
}

function worth(literals: string[]): number {
  return Math.min(...literals.map((literal) => literal.length))
}

/** One character, or what is known of something else. */
function readItem(reader: Reader): string | Literals {
  const { source } = reader
  const character = source[reader.at++] ?? ''
  switch (character) {
    case '\\': {
      const escaped = source[reader.at++] ?? ''
      if (/[bBdDsSwW]/.test(escaped)) return undefined
      // Letters and digits have meanings of their own behind a backslash.
      if (/[A-Za-z0-9]/.test(escaped)) throw new UnknownSyntax()
      return escaped
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
      return character
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

function readGroup(reader: Reader): Literals {
  const kind = /^\?(?::|<?[=!])/.exec(reader.source.slice(reader.at, reader.at + 3))?.[0]
  if (kind === undefined && reader.source[reader.at] === '?') throw new UnknownSyntax()
  reader.at += kind?.length ?? 0
  const literals = readAlternatives(reader)
  if (reader.source[reader.at++] !== ')') throw new UnknownSyntax()
  // What must not stand there, or stands outside of the match, is no part of it.
  return kind === undefined || kind === '?:' ? literals : undefined
}

function readQuantifier(reader: Reader): { least: number; exact: boolean } {
  const [whole, least] = /^(?:[*?]|\+|\{(\d+)(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at)) ?? []
  if (whole === undefined) return { least: 1, exact: true }
  reader.at += whole.length
  return { least: least === undefined ? (whole.startsWith('+') ? 1 : 0) : Number(least), exact: false }
}
