/**
 * Words that people read though they are not written in one piece: letters below each other, in brackets, apart by thin spaces or slashes, words that
 * are joined by signs. Each form is looked for only where a text has its signs; all patterns are linear.
 */
import { LURES, type Joined } from './letters.js'

const THIN = /[\u2004-\u200a\u202f\u205f]/
const APART_BY_THIN_SPACES = /(?<![\p{L}\p{N}])\p{L}(?:[\u2004-\u200a\u202f\u205f]\p{L}){2,60}(?![\p{L}\p{N}])/gu
const APART_BY_SLASHES = /(?<![\p{L}\p{N}@/:.\-_])\p{L}(?:\/\p{L}){3,60}(?![\p{L}\p{N}@/\-_])/gu
const IN_BRACKETS = /(?:\[\p{L}\]|\(\p{L}\)|\{\p{L}\}|<\p{L}>){4,60}/gu
const BELOW = /\n\S{1,2}\n\S{1,2}\n\S{1,2}(?:\n|$)/
const HYPHENATED = /(?<=\p{L}\p{L})-\n(?=\p{Ll}\p{Ll})/gu
/** Names in code have fewer words, hosts and files have fewer parts. */
const BY_UNDERSCORES =
  /(?<![\p{L}\p{N}@/.:_+-])[\p{L}\p{N}]+(?:([_+])(?=[\p{L}\p{N}]))(?:[\p{L}\p{N}]+\1){2,200}[\p{L}\p{N}]+(?![@/:])/gu
const BY_DOTS =
  /(?<![\p{L}\p{N}@/.:_+-])\p{L}+(?:[.](?=[\p{L}\p{N}]))(?:[\p{L}\p{N}]+[.]){4,200}[\p{L}\p{N}]+(?![@/:\p{L}\p{N}])/gu
const MIN_LETTERS_A_WORD = 2
const RUN_TOGETHER = /(?<![\p{L}\p{N}@/_#-])(?:\p{Lu}\p{Ll}+){6,200}(?![\p{L}@/])/gu
const HUMPS = /(?:[A-Z][a-z]+[A-Z]?){3}/
const ROW_OF_WORDS = /^[ \t]*\|(?:[ \t]*[\p{L}\p{N}]{1,40}[.,:;!?]?[ \t]*\|){4,100}[ \t]*$/gmu
const RULE_OF_ROWS = /^[ \t]*\|(?:[ \t]*:?-{2,60}:?[ \t]*\|){1,100}[ \t]*$/gm

/** @param text as it is written, with its lines */
export function withMendedWords(text: string): Joined {
  let mended = text
  let words = 0
  const replace = (pattern: RegExp, whole: (word: string) => string): void => {
    mended = mended.replace(pattern, (word) => {
      const meant = whole(word)
      if (meant !== word) words++
      return meant
    })
  }
  if (THIN.test(mended)) replace(APART_BY_THIN_SPACES, (word) => word.replace(/[^\p{L}]/gu, ''))
  if (/\/[^/\s]\/[^/\s]\//.test(mended)) replace(APART_BY_SLASHES, (word) => word.replaceAll('/', ''))
  if (/[\])}>][[({<]/.test(mended)) replace(IN_BRACKETS, (word) => word.replace(/[^\p{L}]/gu, ''))
  if (BELOW.test(mended)) {
    const lines = withJoinedLines(mended)
    mended = lines.text
    words += lines.words
  }
  // Hyphens at the ends of lines are honest.
  if (mended.includes('-\n')) mended = mended.replace(HYPHENATED, '')
  if (/[_+][^_+\s]{1,40}[_+]/.test(mended)) replace(BY_UNDERSCORES, (word) => word.replace(/[_+]/g, ' '))
  if (/[.][^.\s]{1,40}[.][^.\s]{1,40}[.][^.\s]/.test(mended)) replace(BY_DOTS, (word) => (isProse(word) ? word.replaceAll('.', ' ') : word)) // prettier-ignore
  if (HUMPS.test(mended)) replace(RUN_TOGETHER, (word) => word.replace(/(?<=.)(?=\p{Lu})/gu, ' '))
  if (mended.includes('|')) {
    // Tables are honest too.
    const rows = mended.replace(ROW_OF_WORDS, (row) => row.replaceAll('|', ' '))
    if (rows !== mended) mended = rows.replace(RULE_OF_ROWS, '')
  }
  return { text: mended, words }
}

/** Words of several lengths: the parts of a host or a version are short. */
function isProse(word: string): boolean {
  const parts = word.split('.')
  return parts.length > 4 && parts.filter((part) => part.length >= MIN_LETTERS_A_WORD).length >= 0.7 * parts.length
}

const MIN_LINES = 4

/** Lines of one letter each, which are words; a blank line ends one. */
function withJoinedLines(text: string): Joined {
  const lines = text.split('\n')
  const out: string[] = []
  let words = 0
  for (let at = 0; at < lines.length;) {
    let end = at
    let letters = 0
    while (end < lines.length && (isLetter(lines[end]) || (isBlank(lines[end]) && isLetter(lines[end + 1])))) {
      if (!isBlank(lines[end])) letters++
      end++
    }
    if (letters < MIN_LINES) {
      out.push(lines[at] ?? '')
      at++
      continue
    }
    const run = lines.slice(at, end).map((line) => line.trim())
    const joined = run.map((line) => (line === '' ? ' ' : line)).join('')
    words += joined.split(/\s+/).length
    out.push(joined)
    at = end
  }
  return { text: out.join('\n'), words }
}

const isBlank = (line = ''): boolean => line.trim() === ''
const isLetter = (line = ''): boolean => {
  const text = line.trim()
  return text.length > 0 && text.length <= 3 && /^[\p{L}\p{N}][.,:;!?]?$/u.test(text)
}

const SIGNS_WITHIN = /[a-z][*_`|~^(){}[\]]{1,3}[a-z]/
const WITH_SIGNS = /(?<![a-z\d@/.*_`|~^-])[a-z]{1,24}(?:[*_`|~^(){}[\]]{1,3}[a-z]{1,24}){1,8}(?![a-z\d@/])/g
const REPEATED = /([a-z])\1\1/
const WITH_REPEATED = /(?<![a-z\d@/.-])[a-z]{4,40}(?![a-z\d@/])/g
const SHORTEST_STARRED = 5

let starred: Map<string, string> | undefined

/** Words of lures with a star for one of their letters. */
function starredLures(): Map<string, string> {
  const found = new Map<string, string>()
  for (const lure of LURES)
    for (let at = 1; lure.length >= SHORTEST_STARRED && at < lure.length - 1; at++)
      found.set(`${lure.slice(0, at)}*${lure.slice(at + 1)}`, lure)
  return found
}

/** Words that lures can't do without, in which signs stand, or a letter is written three times or more. @param text in lower case */
export function withoutSigns(text: string): Joined {
  let plain = text
  let words = 0
  if (SIGNS_WITHIN.test(plain))
    plain = plain.replace(WITH_SIGNS, (word) => {
      const bare = word.replace(/[^a-z]/g, '')
      const meant = LURES.has(bare) ? bare : (starred ??= starredLures()).get(word)
      if (meant !== undefined) words++
      return meant ?? word
    })
  if (REPEATED.test(plain))
    plain = plain.replace(WITH_REPEATED, (word) => {
      if (!REPEATED.test(word)) return word
      const meant = [word.replace(/([a-z])\1{2,}/g, '$1'), word.replace(/([a-z])\1{2,}/g, '$1$1')].find((one) =>
        LURES.has(one),
      )
      if (meant !== undefined) words++
      return meant ?? word
    })
  return { text: plain, words }
}

/** Letters that are others upside down, each parallel to the one that is meant. */
const TURNED = 'ɐqɔpǝɟƃɥᴉɾʞןɯuodbɹsʇnʌʍxʎz˙\u02d9¡¿‾ıəᵷᴚ\u2c6f'
const MEANT = 'abcdefghijklmnopqrstuvwxyz..!?_iegra'
const UPRIGHT = new Map([...TURNED].map((letter, at) => [letter, MEANT[at] ?? letter]))
/** Letters that are only written so: others are of phonetics too. */
const ONLY_TURNED = /[ǝɟƃᴉʞʇ]/
const TURNED_LETTER = /[ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ]/g
const TURNED_SHARE = 0.25

/** Lines of letters that stand upside down, and so from right to left. */
export function withUprightLetters(text: string): Joined {
  if (!ONLY_TURNED.test(text)) return { text, words: 0 }
  let words = 0
  const lines = text.split('\n').map((line) => {
    const kinds = line.match(TURNED_LETTER)
    if (!kinds || new Set(kinds).size < 3 || kinds.length < TURNED_SHARE * (line.match(/\p{L}/gu)?.length ?? 0))
      return line
    words += line.split(/\s+/).length
    return [...line]
      .reverse()
      .map((letter) => UPRIGHT.get(letter) ?? letter)
      .join('')
  })
  return { text: lines.join('\n'), words }
}
