/** What the phrases of one language are: data, read by `phrases.ts`. */
import type { FindingCode } from '../../reason-codes.js'

/**
 * By code, patterns that all have to be found in words as `plainWords` gives them: lower case, no accents on Latin letters. The one that
 * tells most stands first, for that is what a person is shown. Every gap has an end, so that each pattern is linear in the text.
 */
export type Phrases = Partial<Record<FindingCode, RegExp[]>>

export interface Language {
  /** BCP 47. */
  language: string
  phrases: Phrases
}
