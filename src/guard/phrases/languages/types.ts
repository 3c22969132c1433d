/** The phrases of one language: data, read by `phrases.ts`. */
import { entriesOf, type FindingCode } from '../../reason-codes.js'

/**
 * By code, a pattern, or several that must all match, over words in the form of `plainWords`: lower case, Latin letters without accents. The most telling
 * pattern is first and is shown to staff. Every gap is bounded, so each pattern is linear in the text.
 */
export type Phrases = Partial<Record<FindingCode, RegExp | RegExp[]>>

export function patternsOf(phrases: Phrases): [FindingCode, RegExp[]][] {
  return entriesOf(phrases).map(([code, patterns]) => [code, [patterns].flat()])
}
