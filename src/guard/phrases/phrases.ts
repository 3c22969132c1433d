/**
 * Suspicious phrases in twelve languages. Each rule has patterns over words in the form of `plainWords`, linear in their length. Words alone are weak
 * evidence: honest mail has passwords, deadlines and refunds too, so one finding never holds a message unless no honest mail has the phrase.
 */
import { entriesOf, found, type FindingCode } from '../reason-codes.js'
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
import { patternsOf, type Phrases } from './languages/types.js'
import { createRules, type Matches } from './rules.js'

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
}

interface Kind {
  weight: number
  detail: string
  /** Counts half without a link to follow. */
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
  account_threat: { weight: 0.3, needsLink: true, detail: 'threatens the loss of an account or reports its misuse' },
  payment_problem: {
    weight: 0.25,
    needsLink: true,
    detail: 'says that a payment failed and asks for payment data again',
  },
  urgency: { weight: 0.2, needsLink: true, detail: 'urges to act fast' },
  reward_lure: { weight: 0.4, needsLink: true, detail: 'promises a prize or refund that must be claimed' },
  parcel_fee: { weight: 0.4, needsLink: true, detail: 'demands a fee or an address before a parcel is delivered' },
  qr_code: { weight: 0.15, detail: 'asks to scan a code, which hides its link' },
  run_command_request: { weight: 0.45, detail: 'tells the reader to paste a command and run it' },
  callback_number: { weight: 0.4, detail: 'announces a charge and asks to call a number to stop it' },
  advance_fee: { weight: 0.7, detail: 'offers a large sum from a stranger' },
  lottery: { weight: 0.5, detail: 'announces a prize in a draw that nobody entered' },
  gift_cards: { weight: 0.65, detail: 'asks for gift cards and their codes' },
  extortion: { weight: 0.9, detail: 'threatens to publish something unless paid' },
  changed_bank_details: { weight: 0.4, detail: 'says that payments go to another account from now on' },
  secrecy: { weight: 0.3, detail: 'asks for secrecy or not to call' },
  money_in_haste: { weight: 0.3, detail: 'urges to pay' },
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

const RULES = Object.entries(LANGUAGES).flatMap(([language, phrases]) =>
  patternsOf(phrases).map(([code, patterns]) => ({ language, code, patterns })),
)
const matchesIn = createRules(RULES.map(({ patterns }) => patterns))
/** Numbers of the rules of a code, in the order of the languages. */
const RULES_OF = new Map(
  ENTRIES.map(([code]) => [code, [...RULES.keys()].filter((rule) => RULES[rule]?.code === code)]),
)

export const PHRASE_CODES: ReadonlySet<string> = new Set(Object.keys(KINDS))

/** Weight of phrases in quoted history, which the sender may or may not have written. */
const HISTORY_SHARE = 0.5

export interface PhraseOptions {
  hasLink: boolean
  /** True for the words of quoted history. */
  isHistory?: boolean
  /** Finds words in their original spelling. */
  asWritten?: (words: string) => string
}

/** @param text as `plainWords` gives it */
export function phraseFindings(text: string, { hasLink, isHistory = false, asWritten }: PhraseOptions): Finding[] {
  const present = languagesIn(text)
  const matched = matchesIn(text)
  const findings: Finding[] = []
  for (const [code, { weight, detail, needsLink }] of ENTRIES) {
    const words = wordsOf(code, present, matched)
    if (words === undefined) continue
    const share = (needsLink && !hasLink ? 0.5 : 1) * (isHistory ? HISTORY_SHARE : 1)
    const where = isHistory ? `${detail}, in quoted text` : detail
    findings.push(found(code, weight * share, where, asWritten ? () => asWritten(words) : words))
  }
  return findings
}

/** What the telling pattern of a code matched in the first language in which all of its patterns match. */
function wordsOf(code: FindingCode, present: ReadonlySet<string>, matched: Matches): string | undefined {
  for (const rule of RULES_OF.get(code) ?? []) {
    const words = present.has(RULES[rule]?.language ?? '') ? matched(rule)?.[0] : undefined
    if (words !== undefined) return words
  }
  return undefined
}
