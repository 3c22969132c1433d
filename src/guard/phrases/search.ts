/** One search in a text for all phrases and lures. */
import { LANGUAGES } from './languages/languages.js'
import { patternsOf } from './languages/types.js'
import { LURES } from './lure-patterns.js'
import { createRules, type Matches } from './rules.js'

/** The rules of all languages. */
export const PHRASE_RULES = Object.entries(LANGUAGES).flatMap(([language, phrases]) =>
  patternsOf(phrases).map(([code, patterns]) => ({ language, code, patterns })),
)

const matchesIn = createRules([...PHRASE_RULES, ...LURES].map(({ patterns }) => patterns))

/** @returns matches by the number of a rule of `PHRASE_RULES` */
export const phrasesIn: (text: string) => Matches = matchesIn

/** @returns matches by the number of a lure */
export function luresIn(text: string): Matches {
  const matches = matchesIn(text)
  return (lure, ...options) => matches(PHRASE_RULES.length + lure, ...options)
}
