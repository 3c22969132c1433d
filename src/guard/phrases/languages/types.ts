/** The phrases of one language: data, read by `phrases.ts`. */
import type { FindingCode } from '../../reason-codes.js'

/**
 * By code, patterns that must all match words in the form of `plainWords`: lower case, Latin letters without accents.
 * The most telling pattern is first and is shown to staff. Every gap is bounded, so each pattern is linear in the text.
 */
export type Phrases = Partial<Record<FindingCode, RegExp[]>>

export interface Language {
  /** BCP 47. */
  language: string
  phrases: Phrases
}
