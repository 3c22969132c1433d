/**
 * Text as a reader sees it, so that other characters, split HTML or invisible words evade no rule. Training and classification both use `normalised`.
 */
import { nfkc } from '../../lib/normalize.js'
import { asDisplayed } from '../../mime/html/direction.js'
import { hiddenInWords } from '../../mime/html/visible.js'
import { displayedOf } from '../reading/displayed.js'
import { linesOfParent, partsByMarks, partsByParent, type Parts } from '../reading/history.js'
import { htmlText, isShownToo, type HtmlText } from '../reading/html.js'
import { withJoinedLetters, withoutLeet, type Joined } from '../reading/letters.js'
import { MAX_CHARS } from '../reading/samples.js'
import { withMendedWords, withoutSigns, withUprightLetters } from '../reading/torn.js'
import { disguisedIn, foldWords, withoutMarks } from './confusables.js'
import { unboxed } from './boxed.js'
import { asciiWords, INVISIBLE, isAscii, isByCharacter, plainByCharacter } from './plain.js'
import type { GuardSubject } from '../types.js'

export { MAX_CHARS } from '../reading/samples.js'
/** Subjects are one line; readers are not shown more. */
const MAX_TITLE_CHARS = 500
/** Max lines of the plain part that are searched in the HTML before all of the plain part is taken. */
const MAX_LINES_MISSED = 30
/** The text model judges the beginning of files: a long document has every word somewhere. */
const MAX_FILE_CHARS = 4096
/** Quoted history is compared with as much of the parent. */
const MAX_PARENT_CHARS = 128 * 1024

/** Runs of white space; single spaces, the common case, stay. */
const OTHER_THAN_ONE_SPACE = /\s{2,}|[^\S ]/g

export interface Reading {
  title: string
  /** The new words of the body, at most 32 Ki characters. */
  words: string
  /** Title and words in one line, for rules. */
  all: string
  /** Further texts of which the text model takes the worst: a text part that differs from the HTML, files, and what only programs read. */
  others: string[]
  /** Quoted words below or between the new ones; '' for none. */
  history: string
  /** Text hidden by style. */
  hidden: string
  /** The original text without tags, to find the original spelling of matches. */
  written: string
  /** Facts about the HTML; null without it. */
  html: Omit<HtmlText, 'shown' | 'hidden' | 'partly'> | null
  /** Characters that were not read. */
  unread: number
  /** Share of the words of the text part that the HTML lacks, 0 to 1. */
  differing: number
  /** Words written with letters set apart or digits for letters. */
  torn: number
  /** The words of attached files; '' for none. */
  files: string
}

const readings = new WeakMap<GuardSubject, Reading>()

export function readingOf(subject: GuardSubject): Reading {
  const known = readings.get(subject)
  if (known) return known
  const { parentText } = subject
  const parent = parentText === undefined ? undefined : plainWords(parentText.slice(0, MAX_PARENT_CHARS), Infinity)
  const parts = read(subject, parent)
  const inFiles = ofFiles(subject, parent)
  const files = inFiles.fresh === '' ? '' : plainWords(inFiles.fresh)
  const { words, hidden } = parts
  const unseen = isShownToo(hidden, words) ? '' : hidden
  const more = [files, unseen].filter((text) => text !== '').map((text) => text.slice(0, MAX_FILE_CHARS))
  const others = [...parts.others, ...more]
  const history = inFiles.history === '' ? parts.history : `${parts.history} ${plainWords(inFiles.history)}`.trim()
  const reading = { ...parts, others, files, history, all: `${parts.title} ${parts.words}`.trim() }
  readings.set(subject, reading)
  return reading
}

/** Takes a reading that was made elsewhere, in a thread. */
export function keepReading(subject: GuardSubject, reading: Reading): void {
  readings.set(subject, reading)
}

/** Title and new words in the form for rules and models: lower case, Latin letters without accents, single spaces. */
export function normalised(subject: GuardSubject): { title: string; words: string } {
  const { title, words } = readingOf(subject)
  return { title, words }
}

/** Written text of files, for the original spelling of matches. */
export function writtenInFiles({ attachments }: GuardSubject): string {
  return attachments
    .flatMap(({ file }) => file?.text ?? [])
    .join('\n')
    .slice(0, MAX_CHARS)
}

/** Attached text that stands in the parent is history, as a quote is. */
function ofFiles(subject: GuardSubject, parent = ''): Parts {
  const written = writtenInFiles(subject)
  return written === '' ? { fresh: '', history: '' } : linesOfParent(written, parent, plainWords)
}

function read(subject: GuardSubject, parent: string | undefined): Omit<Reading, 'all' | 'files'> {
  const title = asDisplayed(subject.subject.slice(0, MAX_TITLE_CHARS))
  const { text, html, unread } = subject.displayed ?? displayedOf(subject)
  const { fresh, history } = partsOf(text, subject, parent)
  const plainTitle = plainWords(title)
  if (!html) {
    const { words, torn } = plainAndTorn(fresh)
    return {
      title: plainTitle,
      words,
      others: [],
      history: plainWords(history),
      hidden: '',
      written: `${title}\n${text}`,
      html: null,
      unread,
      differing: 0,
      torn,
    }
  }
  const { shown, hidden, partly, ...facts } = html
  const own = parent === undefined ? { fresh: shown, history: '' } : linesOfParent(shown, parent, plainWords)
  const { words: shownWords, torn } = plainAndTorn(own.fresh)
  const hiddenPlain = hidden.trim() === '' ? '' : plainWords(hidden)
  const partlyPlain = partly === '' ? '' : linesMissing(partly, shownWords)
  const alone = fresh.trim() === '' ? '' : linesMissing(fresh, `${shownWords} ${hiddenPlain}`)
  const aloneWords = alone === '' ? '' : plainWords(alone)
  const words = [shownWords, aloneWords, plainWords(partlyPlain)].filter((part) => part !== '').join(' ')
  return {
    title: plainTitle,
    words: words.slice(0, MAX_CHARS),
    others: aloneWords === '' || shownWords === '' ? [] : [shownWords, plainWords(fresh)],
    history: plainWords(`${history}\n${own.history}`),
    hidden: hiddenPlain,
    written: `${title}\n${shown}${partly}\n${text}`,
    html: facts,
    unread,
    differing: aloneWords === '' ? 0 : differingShare(plainWords(fresh), aloneWords, shownWords),
    torn: facts.joinedRows + torn,
  }
}

function partsOf(text: string, subject: GuardSubject, parent: string | undefined): Parts {
  const { text: whole, newText, isAnswer = false } = subject
  if (text === whole && newText !== undefined && isAllOf(newText, text)) return { fresh: text, history: '' }
  return parent === undefined ? partsByMarks(text, isAnswer) : partsByParent(text, parent, plainWords)
}

/** Words that both parts of honest mail have, or one of them lacks: short ones are in any text, and addresses of links are in the text part alone. */
const COMPARED = /(?<![\p{L}\p{N}@/.:_-])\p{L}{4,24}(?![@/:_\p{N}-]|\.\p{L})/gu
const MIN_COMPARED = 25

function differingShare(text: string, alone: string, shown: string): number {
  const own = alone.match(COMPARED) ?? []
  if (own.length < MIN_COMPARED) return 0
  const ofHtml = shown.match(COMPARED) ?? []
  if (ofHtml.length < MIN_COMPARED) return 0
  const total = text.match(COMPARED)?.length ?? 0
  // HTML of pictures or links only has no words to differ from.
  if (ofHtml.length < Math.max(MIN_COMPARED, total / 2)) return 0
  const inHtml = new Set(ofHtml)
  return own.filter((word) => !inHtml.has(word)).length / Math.max(total, own.length)
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
  const plain = foldWords(nfkc(unboxed(text)).replace(INVISIBLE, ''))
  return plain.toLowerCase().replace(OTHER_THAN_ONE_SPACE, ' ').trim()
}

/** `readable` without accents, with words rejoined whose letters stand apart, and words and punctuation that a corpus separated. */
export function plainWords(text: string, most = MAX_CHARS): string {
  return plainOf(text.slice(0, most)).text
}

/** The plain words, and how many of them had to be put together: they are counted in the text as it is written. */
function plainAndTorn(text: string): { words: string; torn: number } {
  if (text.length > MAX_CHARS) {
    const whole = mendedOf(text)
    const torn = whole.words + withoutLeet(text.toLowerCase()).words
    return { words: plainWords(text), torn }
  }
  const { text: words, joined, leet } = plainOf(text)
  return { words, torn: joined + (leet ?? withoutLeet(text.toLowerCase()).words) }
}

/** With the letters of each word in one piece. */
function mendedOf(text: string): Joined {
  const upright = isAscii(text) ? { text, words: 0 } : withUprightLetters(text)
  const mended = withMendedWords(upright.text)
  const letters = withJoinedLetters(mended.text)
  return { text: letters.text, words: upright.words + mended.words + letters.words }
}

/** @returns `leet` undefined where the text was changed before these words were looked for */
function plainOf(text: string): { text: string; joined: number; leet: number | undefined } {
  const letters = mendedOf(text)
  const ascii = asciiWords(letters.text)
  const words = ascii ?? plainByCharacter(letters.text) ?? withoutMarks(readableOfOther(letters.text))
  const whole = withoutSigns(joined(words))
  const plain = withoutLeet(whole.text)
  const isAsWritten = ascii !== undefined && letters.words === 0 && whole.text === words
  return { text: plain.text, joined: letters.words + whole.words, leet: isAsWritten ? plain.words : undefined }
}

const TORN = / [.,:'] /

/** Rejoins separated words and punctuation, as in `i ' d love 5 , 000`. */
function joined(text: string): string {
  const plain = text.includes('\u2019') ? text.replaceAll('\u2019', "'") : text
  if (!TORN.test(plain)) return plain
  const contracted = plain.includes("' ") ? plain.replace(/ ?' (?=(?:s|t|d|m|ll|re|ve)(?![a-z]))/g, "'") : plain
  const linked = contracted.includes('http') ? contracted.replace(/\b(https?) ?: ?\/ ?\/ ?/g, '$1://') : contracted
  return linked
    .replace(/ ([,.;:!?%)\]])(?=[ ,.;:!?)\]]|$)/g, '$1')
    .replace(/([([$\u20ac\u00a3]) (?=[a-z\d])/g, '$1')
    .replace(/\b(\d{1,3})([,.]) (?=\d{3}(?!\d))/g, '$1$2')
}

/** All words of HTML: hidden text after the shown one. */
export function wordsOfHtml(html: string): string {
  const { shown, hidden, partly } = htmlText(html)
  return [asDisplayed(shown), partly, hidden]
    .filter((part) => part.trim() !== '')
    .join('\n')
    .slice(0, 2 * MAX_CHARS)
}

/** Number of words with an invisible character between two Latin letters, where no language needs one. */
export function brokenWords(text: string): number {
  const cut = text.slice(0, MAX_CHARS)
  return isAscii(cut) ? 0 : hiddenInWords(cut)
}

/** Number of words with look-alike letters among Latin ones. */
export function disguisedWords(text: string): number {
  const cut = text.slice(0, MAX_CHARS)
  return isAscii(cut) || isByCharacter(cut) ? 0 : disguisedIn(nfkc(cut))
}
