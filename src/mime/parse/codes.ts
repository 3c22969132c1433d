/**
 * Finds one-time codes, which an agent needs to sign up or in. A code is digits, capitals or a few words joined by dashes, next to a word for a code,
 * on the same line or alone on a line near it; or text to type to sign in. Numbers without such a word (years, prices, telephone and order numbers)
 * are none.
 */
import {
  AFTER_ARTICLE,
  ARTICLE,
  BEFORE_PURPOSE,
  COMMON_PARTS,
  DIRECT,
  KEYWORD,
  MAY_ANNOUNCE,
  MAY_ANNOUNCE_OR_BE_TYPED,
  NOT_A_CODE,
  OF_SIGN_IN,
  OTHER_CODE,
  OTHER_CODE_AFTER,
  OTHER_NUMBER,
  PURPOSE,
  TYPE,
  TYPED_ARTICLE,
} from './code-words.js'

const MAX_CHARS = 20_000
const MAX_LINE_CHARS = 1000
const MAX_CODES = 10
/** Max distance after the announcing word, in characters on the same line. */
const REACH_AFTER = 80
const REACH_BEFORE = 50
/** Max distance of a code on its own line, in non-empty lines. */
const LINES_AFTER = 4
const LINES_BEFORE = 2

/** Characters that may not touch a code: it would be part of something longer, or an amount. */
/** Scripts with spaces between words; in others, letters may touch a code. */
const LETTER = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}'
const NOT_BEFORE = `(?<![${LETTER}\\p{N}@#/_.,:&?%+€$£¥-])`
const NOT_AFTER = `(?![${LETTER}\\p{N}@/_%€$£¥=&-]|[.,:]\\d| ?(?:USD|EUR|GBP|CHF|JPY|dollars?|euros?|minutes?|min|hours?|days?|lines?|words?|Uhr|h)(?!\\p{L})| ?[€$£¥]|[ \\u00a0]\\d)`
const CANDIDATE = new RegExp(
  `${NOT_BEFORE}(?:[A-Z]{1,2}-(?=\\d{4,8}(?!\\d)))?(?:(?<digits>\\d{3}[ \\u00a0-]\\d{3}|\\d{4}[ \\u00a0-]\\d{4}|\\d{2}([ \\u00a0-])\\d{2}\\2\\d{2}|\\d([ \\u00a0-])\\d(?:\\3\\d){2,6}|\\d{4,8})|(?<groups>[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})|(?<mixed>(?=[A-Z]*\\d)(?=\\d*[A-Z])[A-Z0-9]{5,8})|(?<letters>[A-Z]{5,8})|(?<small>(?=[a-z]{0,7}\\d)(?=\\d{0,7}[a-z])[a-z0-9]{5,8})|(?<words>[a-z]{3,10}(?:-[a-z]{3,10}){1,4}(?:-\\d{1,4})?))${NOT_AFTER}`,
  'gu',
)
/** Cheap pre-test that skips most lines. */
const MAY_HOLD_CODE = /\d|[A-Z]{3,5}-[A-Z]{3}|[A-Z]{5}|[a-z]-[a-z]{3,10}-/
/** In a text without any of these, only a line with a digit contains one. */
const MAY_HOLD_WORD = /[A-Z](?:[A-Z]{4}|[^\S\n]{0,9}\n)/
const MAY_HOLD_DASHED = /[A-Z]{3}-[A-Z]{3}|[a-z]-[a-z]{3,10}-/
/** A line with more than a candidate. */
const SENTENCE = /[a-z]\s+[a-z\d]|\d\s+[a-z]/i
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const FULL_WIDTH = /[\uff10-\uff19\uff21-\uff3a\uff0d]/g
/** A code with each character in a table cell. */
const ONE_CHARACTER = /^[A-Z0-9]$/
const MIN_CELLS = 4
const MAX_CELLS = 8

export function findCodes(subject: string, text: string): string[] {
  const whole = `${plain(subject)}\n${plain(text.slice(0, MAX_CHARS))}`
  const isInWords = MAY_HOLD_WORD.test(whole) || (whole.includes('-') && MAY_HOLD_DASHED.test(whole))
  const lines =
    (isInWords ? undefined : sentencesWithDigits(whole)) ?? joinCells(whole.split('\n').map((line) => line.trim()))
  const words = announcements(lines)
  const hints = hinted(lines)
  const codes = new Set<string>()
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LINE_CHARS || !MAY_HOLD_CODE.test(line)) continue
    if (!MAY_ANNOUNCE_OR_BE_TYPED.test(line) && (SENTENCE.test(line) || !isNear(at, hints))) continue
    for (const match of line.matchAll(CANDIDATE)) {
      if (isAnnounced(lines, at, match, words)) codes.add(normalise(match))
      if (codes.size === MAX_CODES) return [...codes]
    }
  }
  return [...codes]
}

/**
 * The lines with a digit and its purpose: where all lines with a digit are sentences, no others matter, and most texts have none.
 *
 * @returns undefined when a code may be alone on its line, so that the lines around it count too
 */
function sentencesWithDigits(text: string): string[] | undefined {
  const found: string[] = []
  const digit = /\d/g
  let isAnnounced: boolean | undefined
  for (let end = 0; end !== -1 && digit.test(text);) {
    const start = text.lastIndexOf('\n', digit.lastIndex - 1) + 1
    end = text.indexOf('\n', digit.lastIndex)
    const line = text.slice(start, end === -1 ? text.length : end).trim()
    if (!SENTENCE.test(line) && (isAnnounced ??= MAY_ANNOUNCE.test(text))) return undefined
    if (MAY_ANNOUNCE_OR_BE_TYPED.test(line)) found.push(line)
    digit.lastIndex = end
  }
  return found
}

/** True if one of the lines that are searched for a code from here matches. */
function isNear(at: number, has: (at: number) => boolean): boolean {
  for (let near = Math.max(at - LINES_AFTER, 0); near <= at + LINES_BEFORE; near++) if (has(near)) return true
  return false
}

/** Full-width digits and capitals as plain ones, without invisible characters. */
function plain(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.replace(INVISIBLE, '').replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
}

/** The non-empty lines; consecutive lines of one character each are joined. */
function joinCells(lines: string[]): string[] {
  const joined: string[] = []
  let cells: string[] = []
  const close = (): void => {
    if (cells.length >= MIN_CELLS && cells.length <= MAX_CELLS) joined.push(cells.join(''))
    else joined.push(...cells)
    cells = []
  }
  for (const line of lines) {
    if (line === '') continue
    if (line.length === 1 && ONE_CHARACTER.test(line)) {
      cells.push(line)
      continue
    }
    close()
    joined.push(line)
  }
  close()
  return joined
}

/** True if a line may announce a code; cached per line. */
function hinted(lines: string[]): (at: number) => boolean {
  const known: (boolean | undefined)[] = []
  return (at) => (known[at] ??= MAY_ANNOUNCE.test((lines[at] ?? '').slice(0, MAX_LINE_CHARS)))
}

interface Word {
  start: number
  end: number
}

/** The words in a line that announce a code; cached per line. */
function announcements(lines: string[]): (at: number) => Word[] {
  const found = new Map<number, Word[]>()
  return (at) => {
    const known = found.get(at)
    if (known) return known
    const line = lines[at] ?? ''
    const words = line.length > MAX_LINE_CHARS || !MAY_ANNOUNCE.test(line) ? [] : keywords(line)
    found.set(at, words)
    return words
  }
}

function keywords(line: string): Word[] {
  const found: Word[] = []
  for (const match of line.matchAll(KEYWORD)) {
    const end = match.index + match[0].length
    const before = line.slice(Math.max(0, match.index - 24), match.index)
    const after = line.slice(end, end + 24)
    const compound = /^(\p{L}*)(?:code|kode|kod)/iu.exec(match[0])?.[1] ?? ''
    if (OTHER_CODE_AFTER.test(after) || OTHER_CODE.test(compound)) continue
    if (OTHER_CODE.test(before) && !(ARTICLE.test(before) && isMeant(match[0], before, after))) continue
    found.push({ start: match.index, end })
  }
  return found
}

/** True if `the code` is a one-time code, and not that of a program. */
function isMeant(word: string, before: string, after: string): boolean {
  return !/^codes?$/i.test(word) || TYPED_ARTICLE.test(before) || AFTER_ARTICLE.test(after)
}

function isAnnounced(lines: string[], at: number, match: RegExpExecArray, words: (at: number) => Word[]): boolean {
  const line = lines[at] ?? ''
  const start = match.index
  const end = start + match[0].length
  const before = line.slice(Math.max(0, start - 60), start)
  // A parameter of a link, whatever its name.
  if (line[start - 1] === '=' && /[/?&_]/.test(line.slice(line.lastIndexOf(' ', start) + 1, start))) return false
  // The subject is not near the text below it.
  if (at > 0 && isAlone(line, match[0])) {
    const near = range(Math.max(at - LINES_AFTER, 0), at + LINES_BEFORE).filter(
      (place) => place !== at && words(place).length > 0,
    )
    return near.some((place) => isLikely(match, isLeadingTo(lines[place] ?? '', words(place)), lines[place] ?? ''))
  }
  const direct = words(at).find((word) => word.end <= start && start - word.end <= REACH_AFTER)
  if (direct && DIRECT.test(before)) return isLikely(match, start - direct.end <= 24, line.slice(0, direct.end))
  if (!isPlainKind(match)) return typedIn(line, start, end) && match.groups?.['groups'] !== undefined
  // Keys of tickets have this form too.
  const isKey = /^[A-Z]{2,5}-\d{2,5}$/.test(match[0])
  const isNamed = /^["'”»]? (?:is|es|est|ist|é|è) /iu.test(line.slice(end, end + 8))
  const near = isKey && !isNamed ? words(at).filter((word) => word.end <= start && start - word.end <= 2) : words(at)
  return announcedInLine(line, start, end, near) || typedIn(line, start, end)
}

/** Digits, or capitals with digits: not a word. */
function isPlainKind({ groups }: RegExpExecArray): boolean {
  const code = groups?.['groups']
  return (
    groups?.['digits'] !== undefined ||
    groups?.['mixed'] !== undefined ||
    (code !== undefined && /[A-Z]{4}-[A-Z]{4}|\d/.test(code))
  )
}

/** Words, and letters of one case, are codes only if unambiguous. */
function isLikely(match: RegExpExecArray, isClose: boolean, announcing: string): boolean {
  const { letters, small, words } = match.groups ?? {}
  if (isPlainKind(match) || match.groups?.['groups'] !== undefined) return true
  if (!isClose) return false
  if (small !== undefined) return true
  if (!OF_SIGN_IN.test(announcing.slice(0, lastKeywordStart(announcing)).trimEnd())) return false
  if (letters !== undefined) return !NOT_A_CODE.test(letters)
  return words !== undefined && (/\d$/.test(words) || words.split('-').length > 2) && !COMMON_PARTS.test(words)
}

function lastKeywordStart(text: string): number {
  return keywords(text).at(-1)?.start ?? 0
}

/** True if a line ends with an announcing word or a colon: the code follows. */
function isLeadingTo(line: string, words: Word[]): boolean {
  const last = words.at(-1)
  return last !== undefined && (/[:：]$/.test(line) || line.length - last.end <= 12)
}

function announcedInLine(line: string, start: number, end: number, near: Word[]): boolean {
  const before = line.slice(Math.max(0, start - 40), start)
  const between = near.filter((word) => word.end <= start && start - word.end <= REACH_AFTER)
  const number = line.slice(start, end)
  if (/^(?:19|20)\d{2}$/.test(number) || OTHER_NUMBER.test(before))
    return between.some((word) => /^\s*$/.test(line.slice(word.end, start)))
  return between.length > 0 || near.some((word) => word.start >= end && word.start - end <= REACH_BEFORE)
}

/** `Enter 4711 to log in`. */
function typedIn(line: string, start: number, end: number): boolean {
  const before = line.slice(Math.max(0, start - 60), start)
  if (BEFORE_PURPOSE.test(before)) return true
  return TYPE.test(before) && PURPOSE.test(line.slice(end, end + 60))
}

/** True if the line has only the candidate, apart from punctuation and emphasis. */
function isAlone(line: string, candidate: string): boolean {
  return line.replace(candidate, '').replace(/[\s*_"'“”«»()[\]<>|.:=-]/g, '') === ''
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** The code as typed: gaps between digits are only for reading, the dash between groups of letters belongs to the code. */
function normalise({ groups }: RegExpExecArray): string {
  const { digits } = groups ?? {}
  if (digits !== undefined) return digits.replace(/\D/g, '')
  return groups?.['groups'] ?? groups?.['mixed'] ?? groups?.['letters'] ?? groups?.['small'] ?? groups?.['words'] ?? ''
}
