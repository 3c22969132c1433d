/** The phrases of all languages. */
import { CHINESE } from './chinese.js'
import { DUTCH } from './dutch.js'
import { ENGLISH } from './english.js'
import { FRENCH } from './french.js'
import { GERMAN } from './german.js'
import { INDONESIAN } from './indonesian.js'
import { ITALIAN } from './italian.js'
import { JAPANESE } from './japanese.js'
import { POLISH } from './polish.js'
import { PORTUGUESE } from './portuguese.js'
import { RUSSIAN } from './russian.js'
import { SPANISH } from './spanish.js'
import { SWEDISH } from './swedish.js'
import { TURKISH } from './turkish.js'
import type { Phrases } from './types.js'

/** By language (BCP 47). */
export const LANGUAGES: Record<string, Phrases> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
  pl: POLISH,
  tr: TURKISH,
  ru: RUSSIAN,
  ja: JAPANESE,
  zh: CHINESE,
  id: INDONESIAN,
  sv: SWEDISH,
}
