/**
 * What is known of mail beyond the corpora: words and phrases by topic, from which the trainer makes lists of words that belong together. They
 * teach the model vocabulary that no corpus here has; they are no messages, and nothing is ever measured on them.
 */
import type { Label } from '../sample.js'

export interface Topic {
  label: Label
  /** ISO 639-1. */
  language: string
  name: string
  /** Words and phrases, divided by commas; lower case. */
  words: string
}
