/**
 * What words give away, in twelve languages. Each rule is made of patterns over words as `plainWords` gives them, linear in their length.
 * Words alone are weak evidence: honest mail speaks of passwords, deadlines and refunds too, so one finding never holds a message
 * unless no honest mail says such a thing.
 */
import { entriesOf, found } from '../reason-codes.js'
import type { FindingCode } from '../reason-codes.js'
import type { Finding } from '../finding.js'
import { CHINESE } from './languages/chinese.js'
import { DUTCH } from './languages/dutch.js'
import { ENGLISH } from './languages/english.js'
import { FRENCH } from './languages/french.js'
import { GERMAN } from './languages/german.js'
import { ITALIAN } from './languages/italian.js'
import { JAPANESE } from './languages/japanese.js'
import { POLISH } from './languages/polish.js'
import { PORTUGUESE } from './languages/portuguese.js'
import { RUSSIAN } from './languages/russian.js'
import { SPANISH } from './languages/spanish.js'
import { TURKISH } from './languages/turkish.js'
import { languagesIn } from './languages/markers.js'
import type { Language } from './languages/types.js'
import { findEnglish } from './lures.js'
import { createRules } from './rules.js'

export const LANGUAGES: readonly Language[] = [
  { language: 'en', phrases: ENGLISH },
  { language: 'de', phrases: GERMAN },
  { language: 'fr', phrases: FRENCH },
  { language: 'es', phrases: SPANISH },
  { language: 'it', phrases: ITALIAN },
  { language: 'pt', phrases: PORTUGUESE },
  { language: 'nl', phrases: DUTCH },
  { language: 'pl', phrases: POLISH },
  { language: 'tr', phrases: TURKISH },
  { language: 'ru', phrases: RUSSIAN },
  { language: 'ja', phrases: JAPANESE },
  { language: 'zh', phrases: CHINESE },
]

interface Kind {
  weight: number
  detail: string
  /** Weighs half when there is no link to follow. */
  needsLink?: true
}

const KINDS: Partial<Record<FindingCode, Kind>> = {
  credential_request: {
    weight: 0.35,
    needsLink: true,
    detail: 'asks to confirm an account, identity or means of payment',
  },
  secret_on_page: { weight: 0.4, needsLink: true, detail: 'asks to enter a secret' },
  secret_by_mail: { weight: 0.65, detail: 'asks to send a secret' },
  wallet_phrase_request: { weight: 0.5, detail: 'asks for the recovery phrase of a wallet' },
  account_threat: { weight: 0.3, needsLink: true, detail: 'threatens the loss of an account or tells of misuse' },
  payment_problem: { weight: 0.25, needsLink: true, detail: 'says that a payment failed and wants its data again' },
  urgency: { weight: 0.2, needsLink: true, detail: 'presses for time' },
  reward_lure: { weight: 0.4, needsLink: true, detail: 'promises a prize or refund that has to be claimed' },
  parcel_fee: { weight: 0.4, needsLink: true, detail: 'wants a fee or an address before a parcel comes' },
  qr_code: { weight: 0.15, detail: 'asks to scan a code, behind which no link can be seen' },
  advance_fee: { weight: 0.7, detail: 'offers a large sum from a stranger' },
  lottery: { weight: 0.5, detail: 'tells of a prize in a draw that nobody took part in' },
  gift_cards: { weight: 0.65, detail: 'wants gift cards bought and their codes sent' },
  extortion: { weight: 0.9, detail: 'threatens to publish something unless it is paid for' },
  changed_bank_details: { weight: 0.4, detail: 'says that payments go to another account from now on' },
  secrecy: { weight: 0.3, detail: 'asks to keep it secret or not to call' },
  money_in_haste: { weight: 0.3, detail: 'presses for a payment' },
  guaranteed_profit: { weight: 0.6, detail: 'promises profit without risk' },
  job_scam: { weight: 0.5, detail: 'offers pay for easy work without an application' },
  pills: { weight: 0.45, detail: 'advertises medicine' },
  gambling: { weight: 0.45, detail: 'advertises gambling' },
  counterfeit: { weight: 0.5, detail: 'advertises counterfeits' },
  easy_money: { weight: 0.4, detail: 'promises easy money' },
  list_selling: { weight: 0.45, detail: 'sells addresses, links or ranks in search engines' },
  miracle_cure: { weight: 0.4, detail: 'advertises a miracle cure' },
  hype: { weight: 0.25, detail: 'uses the words of advertisements' },
}

const ENTRIES = entriesOf(KINDS)

/** By language, what tells of a text the words that the telling pattern of a code matched, where all of its patterns did. */
const FINDERS = LANGUAGES.map(({ language, phrases }) => {
  const entries = entriesOf(phrases)
  const find = language === 'en' ? findEnglish : createRules(entries.map(([, patterns]) => patterns))
  const ruleOf = new Map(entries.map(([code], rule) => [code, rule]))
  const wordsIn = (text: string) => {
    const found = find(text)
    return (code: FindingCode): string | undefined => {
      const rule = ruleOf.get(code)
      return rule === undefined ? undefined : found(rule)?.[0]
    }
  }
  return { language, wordsIn }
})

export const PHRASE_CODES: ReadonlySet<string> = new Set(Object.keys(KINDS))

/** Phrases of quoted history, which the sender may or may not have written. */
const HISTORY_SHARE = 0.5

export interface PhraseOptions {
  hasLink: boolean
  /** The words are of quoted history. */
  isHistory?: boolean
  /** Finds words as they were written. */
  asWritten?: (words: string) => string
}

/** @param text as `plainWords` gives it */
export function phraseFindings(text: string, { hasLink, isHistory = false, asWritten }: PhraseOptions): Finding[] {
  const present = languagesIn(text)
  const spoken = FINDERS.filter(({ language }) => present.has(language)).map(({ wordsIn }) => wordsIn(text))
  const findings: Finding[] = []
  for (const [code, { weight, detail, needsLink }] of ENTRIES) {
    // In the first language that has it.
    const words = spoken.reduce<string | undefined>((known, wordsOf) => known ?? wordsOf(code), undefined)
    if (words === undefined) continue
    const share = (needsLink && !hasLink ? 0.5 : 1) * (isHistory ? HISTORY_SHARE : 1)
    const where = isHistory ? `${detail}, in what it quotes` : detail
    findings.push(found(code, weight * share, where, asWritten ? () => asWritten(words) : words))
  }
  return findings
}
