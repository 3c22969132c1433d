/**
 * Text as a reader sees it, so that no rule is passed by writing the same words with other characters, in pieces of HTML or beside words that
 * nobody sees. What a model is trained on and what it is asked about go through `normalised` alike.
 */
import { nfkc } from '../../lib/normalize.js'
import { withoutHistory } from '../../mime/reply/reply.js'
import { hiddenInWords } from '../../mime/html/visible.js'
import { asciiWords, isAscii } from './ascii.js'
import { disguisedIn, foldWords, withoutMarks } from './confusables.js'
import { htmlWords } from './html-words.js'
import type { GuardSubject } from '../types.js'

/** Rules look at so much of a text: enough for what people read, and a bound on the time it takes. */
export const MAX_CHARS = 32 * 1024
/** Subjects are a line; what comes after is nothing a reader is shown. */
const MAX_TITLE_CHARS = 500
/** What stands above quoted history is judged alone when it is at least so long: a mark of history in front of everything hides nothing. */
const MIN_NEW_CHARS = 80
/** Of the plain part of a message that has HTML too, so many lines are looked for in the HTML before all of it is taken. */
const MAX_LINES_MISSED = 30

// Soft hyphen, zero-width and joining characters, direction marks, variation selectors, byte order mark.
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]|\udb40[\udc00-\uddef]/g
/** Letters in circles and squares that NFKC leaves alone. */
const BOXED = /\ud83c[\udd50-\udd69\udd70-\udd89]/g

/** Runs of white space; single spaces, which are nearly all of them, stay as they are. */
const OTHER_THAN_ONE_SPACE = /\s{2,}|[^\S ]/g

/** A message as it is read. */
export interface Reading {
  title: string
  /** The new words of the body, at most 32 Ki characters. */
  words: string
  /** Title and words in one line, as rules look at them. */
  all: string
  /** Quoted words that the message shows below or between them; '' when there are none. */
  history: string
  /** What style hides. */
  hidden: string
  /** As it is written but for tags, for finding there what was found in the words. */
  written: string
}

const readings = new WeakMap<GuardSubject, Reading>()

/** Once for each message, whoever asks. */
export function readingOf(subject: GuardSubject): Reading {
  const known = readings.get(subject)
  if (known) return known
  const parts = read(subject)
  const reading = { ...parts, all: `${parts.title} ${parts.words}`.trim() }
  readings.set(subject, reading)
  return reading
}

/** Title and new words in the one form that rules and models look at: lower case, Latin letters without accents, one space between words. */
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

/** Whether nothing but white space was left out of a text: it has neither history nor a signature. */
function isAllOf(newText: string, text: string): boolean {
  const trimmed = text.trim()
  return newText === (trimmed.includes('\n\n\n') ? trimmed.replace(/\n{3,}/g, '\n\n') : trimmed)
}

/** Lines of the plain part that the HTML does not have: usually none, since both say the same. They are looked for in its order. */
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

/** Lower-cased, compatibility characters made plain, invisible ones removed, look-alike letters in Latin words made Latin, one space between words. */
export function readable(text: string): string {
  const cut = text.slice(0, MAX_CHARS)
  return asciiWords(cut) ?? readableOfOther(cut)
}

function readableOfOther(text: string): string {
  const plain = foldWords(unboxed(nfkc(text).replace(INVISIBLE, '')))
  return plain.toLowerCase().replace(OTHER_THAN_ONE_SPACE, ' ').trim()
}

/** `readable`, and without accents, and joined where a corpus has words and signs apart. */
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

/** Words and signs that were parted, as in `i ' d love 5 , 000`, put together again. */
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

/** All words of HTML, for those who judge a message whole: what style hides comes after what is shown. */
export function wordsOfHtml(html: string): string {
  const { shown, hidden } = htmlWords(html.slice(0, MAX_CHARS))
  return hidden.trim() === '' ? shown : `${shown}\n${hidden}`
}

/** How many words hide an invisible character between two Latin letters, where no language needs one. */
export function brokenWords(text: string): number {
  const cut = text.slice(0, MAX_CHARS)
  return isAscii(cut) ? 0 : hiddenInWords(cut)
}

/** How many words put look-alike letters among Latin ones. */
export function disguisedWords(text: string): number {
  const cut = text.slice(0, MAX_CHARS)
  return isAscii(cut) ? 0 : disguisedIn(nfkc(cut))
}
