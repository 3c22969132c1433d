/**
 * Dozens of patterns are looked for in every message, and nearly all of them are in none. Most can only match where certain letters stand in
 * a row, so those that stand nowhere are passed over: one pass over the text notes all runs of four characters, and a pattern is tried
 * when each run of one of its literals is among them. It decides nothing: what is passed over could not have matched.
 */

/** Finds patterns in one text. */
export type Matcher = (pattern: RegExp) => boolean

const RUN = 4
const BITS = 1 << 16

/** @param text in the case that the patterns are written in */
export function matcherOf(text: string): Matcher {
  const seen = new Uint8Array(BITS / 8)
  for (let at = 0; at + RUN <= text.length; at++) {
    const bit = runAt(text, at)
    seen[bit >> 3] = (seen[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  const has = (bit: number): boolean => ((seen[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  return (pattern) => {
    const needed = runsOf(pattern)
    return (needed === undefined || needed.some((runs) => runs.every(has))) && pattern.test(text)
  }
}

function runAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)
  return (((first * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) >>> 0) & (BITS - 1)
}

const known = new WeakMap<RegExp, number[][] | undefined>()

/** For each literal of a pattern of which a match has one, its runs; undefined when nothing can be said. */
function runsOf(pattern: RegExp): number[][] | undefined {
  if (known.has(pattern)) return known.get(pattern)
  const runs = literalsOf(pattern)?.map((literal) =>
    Array.from({ length: literal.length - RUN + 1 }, (_, at) => runAt(literal, at)),
  )
  known.set(pattern, runs)
  return runs
}

/**
 * Literals of at least four characters of which every match contains one; undefined when there is no such list, or when it can't be told.
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
