/**
 * The literals that every match of a pattern contains, read from the pattern, so that it is not tried on a text without them. Reads the syntax that
 * the guard's patterns use, and reports nothing for any other.
 */

/** Shorter literals occur in nearly every text. A digit, and a character of a script without spaces, count as two. */
const MIN_LITERAL_CHARS = 3
const FIRST_UNSPACED = 0x2e80
const DIGIT_ZERO = 0x30
const DIGIT_NINE = 0x39
/** Parts of a pattern that match at most this many texts are enumerated. */
const MAX_EXACT = 64
const MAX_CLASS = 8

/** Required literals, and how they combine. */
export type Need = string | { all: Need[] } | { any: Need[] }

/** All texts that a part of a pattern can match, or a literal that every match contains. */
type Known = { exact: string[] } | { need: Need | undefined }

/** Required literals of each alternative (one without a top-level `|`); undefined when one of them has none. */
export function needsOf(pattern: RegExp): Need[] | undefined {
  if (pattern.flags !== '') return undefined
  const reader = { source: pattern.source, at: 0 }
  try {
    const needs: Need[] = []
    for (;;) {
      const need = needOf(readSequence(reader))
      if (need === undefined) return undefined
      needs.push(need)
      if (reader.source[reader.at] !== '|') break
      reader.at++
    }
    return reader.at === reader.source.length ? needs : undefined
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined
    throw error
  }
}

function needOf(known: Known): Need | undefined {
  if (!('exact' in known)) return known.need
  if (known.exact.some((text) => sizeOf(text) < MIN_LITERAL_CHARS)) return undefined
  // If one contains another, finding the shorter is enough.
  const any = known.exact.filter((text) => !known.exact.some((other) => other !== text && text.includes(other)))
  const [first] = any
  return any.length === 1 ? first : { any }
}

function sizeOf(literal: string): number {
  let size = literal.length
  for (let at = 0; at < literal.length; at++) if (isRare(literal.charCodeAt(at))) size++
  return size
}

function isRare(unit: number): boolean {
  return unit >= FIRST_UNSPACED || (unit >= DIGIT_ZERO && unit <= DIGIT_NINE)
}

class UnknownSyntax extends Error {}

interface Reader {
  source: string
  at: number
}

function readAlternatives(reader: Reader): Known {
  const all = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    all.push(readSequence(reader))
  }
  const [only] = all
  if (only && all.length === 1) return only
  const exact = all.flatMap((known) => ('exact' in known ? known.exact : []))
  if (exact.length <= MAX_EXACT && all.every((known) => 'exact' in known)) return { exact: [...new Set(exact)] }
  const any: Need[] = []
  for (const known of all) {
    const need = needOf(known)
    if (need === undefined) return { need }
    any.push(need)
  }
  return { need: { any } }
}

/** All items must match, one after the other. */
function readSequence(reader: Reader): Known {
  const all: Need[] = []
  /** Texts that the items since the last gap can match together. */
  let exact = ['']
  let hasGap = false
  const gap = (): void => {
    const need = needOf({ exact })
    if (need !== undefined) all.push(need)
    exact = ['']
    hasGap = true
  }
  const grow = (options: string[]): void => {
    if (exact.length * options.length > MAX_EXACT) gap()
    exact = [...new Set(exact.flatMap((text) => options.map((option) => text + option)))]
  }
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const known = readItem(reader)
    const { least, most } = readQuantifier(reader)
    if (!('exact' in known)) {
      gap()
      if (known.need !== undefined && least > 0) all.push(known.need)
    } else if (most === 1) {
      grow(least === 0 ? [...known.exact, ''] : known.exact)
    } else {
      if (least > 0) grow(known.exact)
      gap()
    }
  }
  if (!hasGap) return { exact }
  gap()
  const [first] = all
  return { need: all.length > 1 ? { all } : first }
}

const NOTHING_KNOWN: Known = { need: undefined }
/** Value of a zero-width assertion. */
const NO_CHARACTER: Known = { exact: [''] }

function readItem(reader: Reader): Known {
  const { source } = reader
  const character = source[reader.at++] ?? ''
  switch (character) {
    case '\\': {
      const escaped = source[reader.at++] ?? ''
      if (/[bB]/.test(escaped)) return NO_CHARACTER
      if (/[dDsSwW]/.test(escaped)) return NOTHING_KNOWN
      // Letters and digits have meanings of their own behind a backslash.
      if (/[A-Za-z0-9]/.test(escaped)) throw new UnknownSyntax()
      return { exact: [escaped] }
    }
    case '[':
      return readClass(reader)
    case '(':
      return readGroup(reader)
    case '.':
      return NOTHING_KNOWN
    case '^':
    case '$':
      return NO_CHARACTER
    case '{':
    case '}':
    case ']':
      throw new UnknownSyntax()
    default:
      return { exact: [character] }
  }
}

function readClass(reader: Reader): Known {
  const characters: string[] = []
  let isList = reader.source[reader.at] !== '^'
  for (;;) {
    const character = reader.source[reader.at++]
    if (character === undefined) throw new UnknownSyntax()
    if (character === ']') break
    if (character === '\\') {
      reader.at++
      isList = false
    }
    // Not at an end it is a range.
    if (character === '-' && characters.length > 0 && reader.source[reader.at] !== ']') isList = false
    characters.push(character)
  }
  return isList && characters.length > 0 && characters.length <= MAX_CLASS ? { exact: characters } : NOTHING_KNOWN
}

function readGroup(reader: Reader): Known {
  const kind = /^\?(?::|<?[=!])/.exec(reader.source.slice(reader.at, reader.at + 3))?.[0]
  if (kind === undefined && reader.source[reader.at] === '?') throw new UnknownSyntax()
  reader.at += kind?.length ?? 0
  const known = readAlternatives(reader)
  if (reader.source[reader.at++] !== ')') throw new UnknownSyntax()
  // A negative lookahead, or a lookaround, is no part of the match.
  return kind === undefined || kind === '?:' ? known : NO_CHARACTER
}

function readQuantifier(reader: Reader): { least: number; most: number } {
  const match = /^(?:([*?+])|\{(\d+)(,(\d*))?\})\??/.exec(reader.source.slice(reader.at))
  if (!match) return { least: 1, most: 1 }
  const [whole, sign, least, open, most] = match
  reader.at += whole.length
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
  if (open === undefined) return { least: Number(least), most: Number(least) }
  return { least: Number(least), most: most === '' ? Infinity : Number(most) }
}
