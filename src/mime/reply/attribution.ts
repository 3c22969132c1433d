/**
 * Attributions: the line with which a mail program introduces a quote: `On Mon, 5 Jan 2026 at 10:00, Ada <ada@x.example> wrote:`.
 * It consists of a date, a name, an address and a verb of saying, and nothing else; a person's sentence has other words. So a line is an attribution
 * only if every word of it is recognized. An attribution left in by mistake is a blemish; a person's text taken out is a loss.
 */
import { LITTLE, MONTHS, NEVER_NAMES, OPENERS, PARTICLES, QUOTING, SAYING, WEEKDAYS } from './attribution-words.js'

export interface Attribution {
  /** Number of lines it is wrapped over. */
  lines: number
  /**
   * `certain`: what follows is history even if unmarked. `likely`: an attribution if a quoted line follows. `bare`: a name and a verb, which people
   * write as well.
   */
  kind: 'certain' | 'likely' | 'bare'
}

const MAX_CHARS = 400
/** `wrote:` alone, the last line of a wrapped attribution. */
const MIN_CHARS = 4
/** Max lines that end like an attribution; no correspondence has more. */
const MAX_LOOKED_AT = 1000
const MAX_LINES = 4
const MAX_NAME_WORDS = 7
/** Programs wrap lines at 72 to 80 characters; an earlier break was made by a person. */
const WRAP_CHARS = 60
const ADDRESS =
  /(?:[<([] ?)?(?:mailto:)?[^\s<>()[\],;:"“”]{1,64}(?:@| at )[^\s<>()[\],;:"“”@]{1,253}\.[\p{L}\p{N}-]{2,63}(?:[<[]mailto:[^\s<>[\]]{1,320}[>\]])?[>)\]]{0,2}/giu
/** Only these mark an address written as `ada at x.example`. */
const BRACKETED = /^[<([]/
/** `Ada <ada@x.example> [2024-01-01 10:00]:` */
const DATE_IN_BRACKETS = /\[\d[^\]]{4,40}\]:\s*$/
/** Sylpheed puts the date on a separate line. */
const DATED_LINE = /^On \w{3}, .{10,40} [+-]\d{4}(?: \(\w{1,5}\))?$/
const BROKEN_END = /^>[:：]\s*$/
const ADDRESS_MARK = '\u0001'
const BARE_ADDRESS_MARK = '\u0003'
const SAYING_MARK = '\u0002'
const DRAWN = /[-–—‐*_=~\s\u200e\u200f\u202a-\u202e]/
const NUMERIC_DATE = /^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,4}[年년]\d{1,2}[月월]\d{1,2}[日일]?)/u
const DAY = /^\d{1,2}(?:st|nd|rd|th|er|\.|º|°|日|일)?$/
const YEAR = /^(?:19|20)\d{2}(?:年|년)?$/
const TIME = /^\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:am|pm|h|z)?$|^\d{1,2}(?:am|pm|h)$/
const ZONE = /^(?:gmt|utc)?[+-]\d{1,2}:?(?:\d{2})?$/
/** Parts of dates in scripts without spaces. */
const EASTERN_DATE =
  /^(?:\d{1,4}[年月日時分년월일시분])+|^[（(]?[月火水木金土日一二三四五六월화수목금토일][)）]?$|^(?:上午|下午|午前|午後|오전|오후)|^(?:周|星期|週)./u

/** The attributions in a text, by their first line. Only lines with the right end are examined: a colon, or a verb of saying. */
export function findAttributions(lines: string[]): Map<number, Attribution> {
  const found = new Map<number, Attribution>()
  let looked = 0
  for (let at = 0; at < lines.length && looked < MAX_LOOKED_AT; at++) {
    const line = whole(lines, at)
    if (line.length < MIN_CHARS || endsPlain(line) || !mayEnd(line)) continue
    looked++
    const read = endingAt(lines, at, line)
    if (read) found.set(at - read.lines + 1, read)
  }
  return found
}

/** Joins a line that a program broke within the angle brackets, whose rest looks like a quoted line. */
function whole(lines: string[], at: number): string {
  const line = lines[at] ?? ''
  const next = lines[at + 1] ?? ''
  return line.length >= MIN_CHARS && next.startsWith('>') && BROKEN_END.test(next) ? `${line}>:` : line
}

/** True for the end of nearly all lines, and of no attribution: a letter, digit, comma or full stop, without an address. */
function endsPlain(line: string): boolean {
  const code = line.charCodeAt(line.length - 1)
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
  return (isLetter || code === 0x2e || code === 0x2c || (code >= 0x30 && code <= 0x39)) && !line.includes('@')
}

/** The last character of the line, without the rule that some programs draw around it. */
function mayEnd(line: string): boolean {
  if (line.length > MAX_CHARS || isQuotedOrBlank(line)) return false
  let end = line.length
  while (end > 0 && DRAWN.test(line.charAt(end - 1))) end--
  const last = line.charAt(end - 1)
  if (last === ':' || last === '：') return true
  // Without a colon: with a rule after it, or an address before it.
  if (end < 4 || !/[\p{L})]/u.test(last) || !(end < line.trimEnd().length || line.includes('@'))) return false
  SAYING.lastIndex = 0
  return SAYING.test(line.slice(Math.max(0, end - 16), end))
}

/** The longest attribution that ends on this line, with line breaks where programs make them. */
function endingAt(lines: string[], at: number, line: string): Attribution | undefined {
  let best = classify(line)
  let complete: Attribution | undefined = best && { lines: 1, kind: best }
  let joined = line
  for (let count = 2; count <= MAX_LINES; count++) {
    const above = lines[at - count + 1]
    const below = lines[at - count + 2] ?? ''
    if (above === undefined || isQuotedOrBlank(above) || !isWrapped(above, below)) break
    joined = `${above.trimEnd()} ${joined}`
    if (joined.length > MAX_CHARS) break
    best = classify(joined)
    if (best) complete = { lines: count, kind: best }
  }
  return complete
}

/** True if a program may have broken a line here: it was full, or the address or the last word is alone. */
function isWrapped(above: string, below: string): boolean {
  const line = above.trimEnd()
  if (/[,<(]$/.test(line)) return true
  const next = below.trimStart()
  if (DATED_LINE.test(line)) return true
  if (/^[<([]/.test(next)) return true
  const first = /^\S{1,200}/.exec(next)?.[0] ?? ''
  if (line.length + 1 + first.length > WRAP_CHARS) return true
  SAYING.lastIndex = 0
  return next.length < 24 && SAYING.exec(next)?.index === 0
}

function isQuotedOrBlank(line: string): boolean {
  return /^\s*(?:>|$)/.test(line)
}

function classify(text: string): Attribution['kind'] | undefined {
  const parts = readParts(text)
  if (!parts) return undefined
  const { words, colon, quoting } = parts
  if (quoting) return words.some(({ kind }) => isAddress(kind)) && parts.names <= MAX_NAME_WORDS ? 'likely' : undefined
  const at = words.findIndex(({ kind }) => isAddress(kind))
  const hasAddress = at !== -1
  const verb = words.findIndex(({ kind }) => kind === 'verb')
  const dateFirst = parts.day || parts.weekday ? beginsWithDate(words) : false
  const whole = parts.day && (parts.year || parts.time)
  if (verb === -1) {
    if (at > 0 && parts.day && DATE_IN_BRACKETS.test(text)) return 'likely'
    // Russian, Japanese and others: date, name and a colon.
    const ends = hasAddress && words.slice(at + 1).every(({ kind }) => kind !== 'date')
    if (!colon || !dateFirst || !whole || !ends || !parts.allNameLike) return undefined
    return parts.year && parts.time ? 'certain' : 'likely'
  }
  if (dateFirst) {
    if (hasAddress) return parts.day ? 'certain' : 'likely'
    if (parts.names === 0) return undefined
    return parts.day && parts.time && parts.year ? 'certain' : 'likely'
  }
  if (words[0]?.kind === 'date' || words[0]?.kind === 'little') return undefined
  // The name first: `Ada <ada@x.example>, 5 Oca 2026 Pzt, 10:00 tarihinde şunu yazdı:`, `Ada wrote on 05.01.2026 10:00:`.
  if (!colon) return undefined
  // Programs put brackets around the address after a name.
  if (hasAddress && at > 0 && words[at]?.kind === 'bare address') return undefined
  if (hasAddress) return at < MAX_NAME_WORDS ? (whole ? 'certain' : 'likely') : undefined
  if (parts.names === 0 || parts.names > 4) return undefined
  if (parts.day) return whole && parts.time ? 'likely' : undefined
  return verb === words.length - 1 && verb === parts.names ? 'bare' : undefined
}

type Kind = 'address' | 'bare address' | 'verb' | 'date' | 'weekday' | 'opener' | 'little' | 'name'

interface Parts {
  words: { kind: Kind }[]
  names: number
  allNameLike: boolean
  colon: boolean
  quoting: boolean
  /** True if a day of a month, a year or a time is present. */
  day: boolean
  year: boolean
  time: boolean
  weekday: boolean
}

/** True for a line of neither a date, an address nor a verb of saying, of which every attribution has one. Dates beyond ASCII need no digits. */
function hasNothing(line: string): boolean {
  if (!/^[^\d@\x80-\uffff]*$/.test(line) || line.includes(' at ')) return false
  SAYING.lastIndex = 0
  return !SAYING.test(line)
}

/** Classifies the words of a line; undefined if one belongs to no attribution. */
function readParts(text: string): Parts | undefined {
  const line = withoutRules(text)
  if (hasNothing(line)) return undefined
  const colon = /[:：]$/.test(line)
  let addresses = 0
  const marked = line
    .replace(/[:：]$/, '')
    .replace(ADDRESS, (address) => {
      if (!address.includes('@') && !BRACKETED.test(address)) return address
      addresses++
      return ` ${BRACKETED.test(address) ? ADDRESS_MARK : BARE_ADDRESS_MARK} `
    })
    .replace(SAYING, ` ${SAYING_MARK} `)
  // Two people, or a name that is an address.
  if (addresses > 2) return undefined
  const tokens = marked.split(/[\s,，、;]+/).filter((token) => /[\p{L}\p{N}\u0001-\u0003]/u.test(token))
  const quoting = QUOTING.has((tokens[0] ?? '').toLowerCase())
  const parts: Parts = { words: [], names: 0, allNameLike: true, colon, quoting, ...NO_DATE }
  let [numbers, months, verbs, spoken] = [0, 0, 0, false]
  for (const token of quoting ? tokens.slice(1) : tokens) {
    const kind = kindOf(token)
    const last = parts.words.at(-1)?.kind
    const plain = plainWord(token)
    if (kind === 'verb' && ++verbs > 1) return undefined
    if (kind === 'name') {
      if (plain === 'you') spoken = true
      else if (NEVER_NAMES.has(plain)) return undefined
      else if (!isNameLike(token)) parts.allNameLike = false
      if (++parts.names > MAX_NAME_WORDS) return undefined
    }
    if (kind === 'date') {
      if (NUMERIC_DATE.test(plain)) parts.day = true
      if (YEAR.test(plain) || /^\d{4}|\d{4}$/.test(plain)) parts.year = true
      if (TIME.test(plain)) parts.time = true
      if (isMonth(plain)) months++
      else if (DAY.test(plain)) numbers++
      if (EASTERN_DATE.test(plain)) parts.day ||= /[日일月월]/u.test(plain)
    }
    if (kind === 'weekday') parts.weekday = true
    if (!isAddress(kind) || last === undefined || !isAddress(last)) parts.words.push({ kind })
  }
  if (months > 0 && numbers > 0) parts.day = true
  // `1. 1. 2024`, `01. 01. 24`.
  if (numbers + (parts.year ? 1 : 0) >= 3) parts.day = parts.year = true
  const exact = parts.day && parts.year && (parts.time || parts.weekday)
  // Without an address a name has a capital: programs write `On Fri, 2 Aug 2002, ada wrote:`, people `In 2002 critics wrote:`.
  if (!parts.allNameLike && addresses === 0 && !(exact && parts.names <= 2)) return undefined
  // Programs write `Monday, September 30, 2002, 5:46:11 PM, you wrote:`, people `On 30 September you wrote:`.
  return spoken && !(exact && parts.time) ? undefined : parts
}

const isAddress = (kind: Kind): boolean => kind === 'address' || kind === 'bare address'
const NO_DATE = { day: false, year: false, time: false, weekday: false }

function kindOf(token: string): Kind {
  if (token.includes(ADDRESS_MARK)) return 'address'
  if (token.includes(BARE_ADDRESS_MARK)) return 'bare address'
  if (token === SAYING_MARK) return 'verb'
  const plain = plainWord(token)
  if (isMonth(plain) || isDate(plain)) return 'date'
  // `so`, `do`, `to` are also days of the week.
  if (WEEKDAYS.has(plain)) return plain.length > 2 || !/^[a-z]/.test(plain) ? 'weekday' : 'little'
  if (OPENERS.has(plain)) return 'opener'
  if (LITTLE.has(plain)) return 'little'
  return 'name'
}

/** In Hebrew the preposition is part of the word. */
function isMonth(plain: string): boolean {
  return MONTHS.has(plain) || (plain.startsWith('ב') && MONTHS.has(plain.slice(1)))
}

function isDate(plain: string): boolean {
  return (
    NUMERIC_DATE.test(plain) ||
    DAY.test(plain) ||
    YEAR.test(plain) ||
    TIME.test(plain) ||
    ZONE.test(plain) ||
    EASTERN_DATE.test(plain)
  )
}

/** Lower case, without brackets, emphasis and the full stop of an abbreviation. */
function plainWord(token: string): string {
  return token
    .toLowerCase()
    .replace(/^["'“”«»()[\]*<\u200e\u200f\u202a-\u202e]+|^(?:[于於在]|ב-)(?=\d)/, '')
    .replace(/["'“”«»()[\]*>.\u200e\u200f\u202a-\u202e]+$/, '')
}

/** Capitalized, in a script without case, in quotes, or the `van` of a name. */
function isNameLike(token: string): boolean {
  return /^["'“”«(<*]|^[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(token) || PARTICLES.has(plainWord(token))
}

/** A date after at most three words. */
function beginsWithDate(words: { kind: Kind }[]): boolean {
  for (const { kind } of words.slice(0, 4)) {
    if (kind === 'date' || kind === 'weekday') return true
    if (kind !== 'opener' && kind !== 'little') return false
  }
  return false
}

/** Without surrounding dashes, stars and spaces. */
function withoutRules(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && DRAWN.test(text.charAt(start))) start++
  while (end > start && DRAWN.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
