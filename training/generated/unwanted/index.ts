/** Templates of spam, scams and phishing: what the classifier must not take for wanted because it was generated. */
import type { Template } from '../template.js'
import { dutch } from './dutch.js'
import { french } from './french.js'
import { german } from './german.js'
import { italian } from './italian.js'
import { others } from './others.js'
import { phishingEnglish } from './phishing-en.js'
import { phishingEnglishMore } from './phishing-en-more.js'
import { polish } from './polish.js'
import { portuguese } from './portuguese.js'
import { scamEnglish } from './scam-en.js'
import { scamEnglishMore } from './scam-en-more.js'
import { spamEnglish } from './spam-en.js'
import { spamEnglishMore } from './spam-en-more.js'
import { spanish } from './spanish.js'

export const unwanted: Template[] = [
  ...phishingEnglish,
  ...phishingEnglishMore,
  ...scamEnglish,
  ...scamEnglishMore,
  ...spamEnglish,
  ...spamEnglishMore,
  ...german,
  ...french,
  ...spanish,
  ...italian,
  ...portuguese,
  ...dutch,
  ...polish,
  ...others,
]
