/** Text as a reader sees it, so that no rule is passed by writing the same words with other characters. */
import { nfkc } from '../lib/normalize.js'
import { decodeReferences } from '../mime/html.js'
import { hiddenInWords } from '../mime/visible.js'

/** Rules look at so much of a text: enough for what people read, and a bound on the time it takes. */
export const MAX_CHARS = 32 * 1024

/** Letters of other scripts that look like Latin ones (from Unicode's confusables, UTS #39 §4). */
// prettier-ignore
const LOOKALIKES: Record<string, string> = {
  а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o', р: 'p', ԛ: 'q', ѕ: 's', т: 't',
  ѵ: 'v', ԝ: 'w', х: 'x', у: 'y', ё: 'e', ї: 'i', α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't',
  υ: 'u', χ: 'x', γ: 'y',
}

// Soft hyphen, zero-width and joining characters, direction marks, variation selectors, byte order mark.
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g

const ASCII = /^[\x00-\x7f]*$/
/** Runs of white space; single spaces, which are nearly all of them, stay as they are. */
const OTHER_THAN_ONE_SPACE = /\s{2,}|[^\S ]/g

/** Lower-cased, compatibility characters made plain, invisible ones removed, look-alike letters in Latin words made Latin, one space between words. */
export function readable(text: string): string {
  const cut = text.slice(0, MAX_CHARS)
  const plain = ASCII.test(cut) ? cut.toLowerCase() : nfkc(cut).replace(INVISIBLE, '').toLowerCase()
  return foldMixedWords(plain).replace(OTHER_THAN_ONE_SPACE, ' ').trim()
}

/**
 * The words of HTML, roughly. Layout is lost, which no rule needs, and so the time is linear in the length whatever the markup: tags
 * within a line vanish, since `Ver<b></b>ify` is read as one word, and all others are spaces.
 */
export function wordsOfHtml(html: string): string {
  return decodeReferences(
    html
      .slice(0, MAX_CHARS)
      .replace(/<(?:style|script|title)\b[^<]*/gi, ' ')
      .replace(
        /<!--[^<>]*-->|<\/?(?:a|abbr|b|big|em|font|i|s|small|span|strong|sub|sup|tt|u|wbr)(?:[\s/][^<>]*)?>/gi,
        '',
      )
      .replace(/<[^<>]*>/g, ' '),
  )
}

/** How many words hide an invisible character between two Latin letters, where no language needs one. */
export function brokenWords(text: string): number {
  return hiddenInWords(text.slice(0, MAX_CHARS))
}

/** How many words put look-alike letters among Latin ones. Short ones don't count: `μs` and `Δt` are units and symbols. */
export function disguisedWords(text: string): number {
  const words = OTHER_SCRIPT.test(text) ? (nfkc(text.slice(0, MAX_CHARS)).match(WORD) ?? []) : []
  return words.filter((word) => word.length >= 4 && isMixed(word) && /^[a-z]+$/.test(skeleton(word))).length
}

const OTHER_SCRIPT = /[\u0370-\u052f]/
const WORD = /\p{L}+/gu

function isMixed(word: string): boolean {
  return OTHER_SCRIPT.test(word) && /[a-z]/i.test(word)
}

function foldMixedWords(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text
  return text.replace(WORD, (word) => (isMixed(word) ? skeleton(word) : word))
}

/** A word with its look-alike letters made Latin. */
function skeleton(word: string): string {
  return [...word.toLowerCase()].map((letter) => LOOKALIKES[letter] ?? letter).join('')
}

/** Whether a label of a host name is there to be taken for another one: scripts mixed, or Latin in look but not in letters. */
export function isLookalikeLabel(label: string): boolean {
  if (!OTHER_SCRIPT.test(label)) return false
  return isMixed(label) || /^[a-z0-9-]+$/.test(skeleton(label))
}
