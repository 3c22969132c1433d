/**
 * Text as a reader sees it, so that other characters, split HTML or invisible words evade no rule. Training and classification both use `normalised`.
 */
import { nfkc } from '../../lib/normalize.js'
import { withoutHistory } from '../../mime/reply/reply.js'
import { hiddenInWords } from '../../mime/html/visible.js'
import { asciiWords, isAscii } from './ascii.js'
import { disguisedIn, foldWords, withoutMarks } from './confusables.js'
import { htmlWords } from './html-words.js'
import type { GuardSubject } from '../types.js'

/** Max characters that rules read: enough for what people read, and a bound on the time. */
export const MAX_CHARS = 32 * 1024
/** Subjects are one line; readers are not shown more. */
const MAX_TITLE_CHARS = 500
/** Min length for judging the text above quoted history alone: a mark of history at the top hides nothing. */
const MIN_NEW_CHARS = 80
/** Max lines of the plain part that are searched in the HTML before all of the plain part is taken. */
const MAX_LINES_MISSED = 30

// Soft hyphen, zero-width and joining characters, direction marks, variation selectors, byte order mark.
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]|\udb40[\udc00-\uddef]/g
/** Letters in circles and squares that NFKC leaves alone. */
const BOXED = /\ud83c[\udd50-\udd69\udd70-\udd89]/g

/** Runs of white space; single spaces, the common case, stay. */
const OTHER_THAN_ONE_SPACE = /\s{2,}|[^\S ]/g

export interface Reading {
  title: string
  /** The new words of the body, at most 32 Ki characters. */
  words: string
  /** Title and words in one line, for rules. */
  all: string
  /** Quoted words below or between the new ones; '' for none. */
  history: string
  /** Text hidden by style. */
  hidden: string
  /** The original text without tags, to find the original spelling of matches. */
  written: string
}

const readings = new WeakMap<GuardSubject, Reading>()

export function readingOf(subject: GuardSubject): Reading {
  const known = readings.get(subject)
  if (known) return known
  const parts = read(subject)
  const reading = { ...parts, all: `${parts.title} ${parts.words}`.trim() }
  readings.set(subject, reading)
  return reading
}

/** Title and new words in the form for rules and models: lower case, Latin letters without accents, single spaces. */
export function normalised(subject: GuardSubject): { title: string; words: string } {
  const { title, words } = readingOf(subject)
  return { title, words }
}

function read(subject: GuardSubject): Omit<Reading, 'all'> {
  const title = subject.subject.slice(0, MAX_TITLE_CHARS)
  const text = subject.text.slice(0, MAX_CHARS)
  const { fresh, history } = partsOf(text, subject)
  const plainTitle = plainWords(title)
  if (subject.html === null) {
    return {
      title: plainTitle,
      words: plainWords(fresh),
      history: plainWords(history),
      hidden: '',
      written: `${title}\n${text}`,
    }
  }
  const { shown, hidden } = htmlWords(subject.html.slice(0, MAX_CHARS))
  const shownWords = plainWords(shown)
  const hiddenPlain = hidden.trim() === '' ? '' : plainWords(hidden)
  const alone = linesMissing(fresh, `${shownWords} ${hiddenPlain}`)
  return {
    title: plainTitle,
    words: (alone === '' ? shownWords : `${shownWords} ${plainWords(alone)}`.trim()).slice(0, MAX_CHARS),
    history: plainWords(history),
    hidden: hiddenPlain,
    written: `${title}\n${shown}\n${text}`,
  }
}

function partsOf(
  text: string,
  { text: whole, newText, isAnswer = false }: GuardSubject,
): { fresh: string; history: string } {
  if (text === whole && newText !== undefined && isAllOf(newText, text)) return { fresh: text, history: '' }
  const fresh = withoutHistory(text)
  if (fresh.length >= text.trimEnd().length - 1) return { fresh: text, history: '' }
  if (!isAnswer && fresh.trim().length < MIN_NEW_CHARS) return { fresh: text, history: '' }
  const kept = new Set(fresh.split('\n'))
  const history = text.split('\n').filter((line) => !kept.has(line))
  return { fresh, history: history.join('\n').replace(/^[> ]+/gm, '') }
}

/** True if only white space was left out of a text: it has neither history nor a signature. */
function isAllOf(newText: string, text: string): boolean {
  const trimmed = text.trim()
  return newText === (trimmed.includes('\n\n\n') ? trimmed.replace(/\n{3,}/g, '\n\n') : trimmed)
}

/** Lines of the plain part that the HTML does not have: usually none, since both have the same text. Searched in order. */
function linesMissing(text: string, inHtml: string): string {
  const lines = text.split('\n')
  const missing: string[] = []
  let from = 0
  for (const [index, line] of lines.entries()) {
    const plain = plainWords(line)
    if (plain === '') continue
    let at = inHtml.indexOf(plain, from)
    if (at === -1 && from > 0) at = inHtml.indexOf(plain)
    if (at !== -1) from = at
    else if (missing.push(line) > MAX_LINES_MISSED) return [...missing, ...lines.slice(index + 1)].join('\n')
  }
  return missing.join('\n')
}

/** Lower case, NFKC, without invisible characters, look-alike letters in Latin words replaced, single spaces. */
export function readable(text: string): string {
  const cut = text.slice(0, MAX_CHARS)
  return asciiWords(cut) ?? readableOfOther(cut)
}

function readableOfOther(text: string): string {
  const plain = foldWords(unboxed(nfkc(text).replace(INVISIBLE, '')))
  return plain.toLowerCase().replace(OTHER_THAN_ONE_SPACE, ' ').trim()
}

/** `readable` without accents, and with words and punctuation rejoined that a corpus separated. */
export function plainWords(text: string): string {
  const cut = text.slice(0, MAX_CHARS)
  return joined(asciiWords(cut) ?? withoutMarks(readableOfOther(cut)))
}

function unboxed(text: string): string {
  return text.replace(BOXED, (letter) => {
    const code = letter.charCodeAt(1)
    return String.fromCharCode(0x61 + code - (code >= 0xdd70 ? 0xdd70 : 0xdd50))
  })
}

const TORN = / [.,:'] /

/** Rejoins separated words and punctuation, as in `i ' d love 5 , 000`. */
function joined(text: string): string {
  const plain = text.includes('\u2019') ? text.replaceAll('\u2019', "'") : text
  if (!TORN.test(plain)) return plain
  return plain
    .replace(/ ?' (?=(?:s|t|d|m|ll|re|ve)(?![a-z]))/g, "'")
    .replace(/\b(https?) ?: ?\/ ?\/ ?/g, '$1://')
    .replace(/ ([,.;:!?%)\]])(?=[ ,.;:!?)\]]|$)/g, '$1')
    .replace(/([([$\u20ac\u00a3]) (?=[a-z\d])/g, '$1')
    .replace(/\b(\d{1,3})([,.]) (?=\d{3}(?!\d))/g, '$1$2')
}

/** All words of HTML: hidden text after the shown one. */
export function wordsOfHtml(html: string): string {
  const { shown, hidden } = htmlWords(html.slice(0, MAX_CHARS))
  return hidden.trim() === '' ? shown : `${shown}\n${hidden}`
}

/** Number of words with an invisible character between two Latin letters, where no language needs one. */
export function brokenWords(text: string): number {
  const cut = text.slice(0, MAX_CHARS)
  return isAscii(cut) ? 0 : hiddenInWords(cut)
}

/** Number of words with look-alike letters among Latin ones. */
export function disguisedWords(text: string): number {
  const cut = text.slice(0, MAX_CHARS)
  return isAscii(cut) ? 0 : disguisedIn(nfkc(cut))
}
