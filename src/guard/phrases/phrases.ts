/**
 * Suspicious phrases in fourteen languages. Each rule has patterns over words in the form of `plainWords`, linear in their length. Words alone are weak
 * evidence: honest mail has passwords, deadlines and refunds too, so one finding never holds a message unless no honest mail has the phrase.
 */
import { isShownToo } from '../reading/html.js'
import { entriesOf, found, type FindingCode } from '../reason-codes.js'
import type { Finding } from '../finding.js'
import { languagesIn } from './languages/markers.js'
import type { Matches } from './rules.js'
import { PHRASE_RULES as RULES, phrasesIn } from './search.js'
import { shareOf } from './standing.js'

interface Kind {
  weight: number
  detail: string
  /** Counts half without a link to follow. */
  needsLink?: true
  /** Asks for something, so that a denial before it takes it back. */
  asks?: true
}

/**
 * The weights of rules of intent, from `ignore_instructions` on, are measured (training/by-class.ts), rounded. Rules that were
 * seen in fewer than ten scenes, and in no honest one, weigh 0.4 together: each alone was seen too seldom to be measured.
 */
const KINDS: Partial<Record<FindingCode, Kind>> = {
  credential_request: {
    weight: 0.35,
    needsLink: true,
    asks: true,
    detail: 'asks to confirm an account, identity or means of payment',
  },
  secret_on_page: { weight: 0.4, needsLink: true, asks: true, detail: 'asks to enter a secret' },
  secret_by_mail: { asks: true, weight: 0.65, detail: 'asks to send a secret' },
  wallet_phrase_request: { asks: true, weight: 0.5, detail: 'asks for the recovery phrase of a wallet' },
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
  run_command_request: { asks: true, weight: 0.45, detail: 'tells the reader to paste a command and run it' },
  callback_number: { weight: 0.4, detail: 'announces a charge and asks to call a number to stop it' },
  advance_fee: { weight: 0.7, detail: 'offers a large sum from a stranger' },
  lottery: { weight: 0.5, detail: 'announces a prize in a draw that nobody entered' },
  gift_cards: { asks: true, weight: 0.65, detail: 'asks for gift cards and their codes' },
  extortion: { weight: 0.9, detail: 'threatens to publish something unless paid' },
  changed_bank_details: { asks: true, weight: 0.4, detail: 'says that payments go to another account from now on' },
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
  ignore_instructions: { weight: 0.4, asks: true, detail: 'tells a program to ignore its instructions' },
  order_to_machine: {
    weight: 0.25,
    asks: true,
    detail: 'orders the program that reads the mail to do what only its owner may',
  },
  without_owner: { weight: 0.7, detail: 'tells a program to act without its owner or to hide something' },
  machine_secrets: { weight: 0.6, asks: true, detail: 'asks a program for its keys, instructions or settings' },
  machine_forwarding: { weight: 0.55, asks: true, detail: 'tells a program to pass on mail or contacts' },
  machine_takeover: {
    weight: 0.5,
    asks: true,
    detail: 'tells a program to change access, run a command or release a payment',
  },
  fake_tool_message: { weight: 0.4, detail: 'contains a made-up message of the system or a tool' },
  verification_code_request: { weight: 0.45, asks: true, detail: 'asks for a code that the reader is sent' },
  safe_account: { weight: 0.45, asks: true, detail: 'asks to move money to an account that is said to be safe' },
  toll_fee: { weight: 0.2, needsLink: true, detail: 'demands an open toll or fine' },
  protection_off: { weight: 0.25, asks: true, detail: 'tells the reader to switch off protection or ignore a warning' },
  invoice_redirect: { weight: 0.5, detail: 'says that an account is closed and names another one' },
  no_calls: { weight: 0.5, detail: 'asks for money and not to call' },
  payroll_change: { weight: 0.15, asks: true, detail: 'asks to pay wages to another account' },
  private_channel: { weight: 0.4, asks: true, detail: 'moves to a private channel and asks for secrecy' },
  untraceable_donation: { weight: 0.4, asks: true, detail: 'asks for donations by gift card or crypto currency' },
  new_number_plea: { weight: 0.4, detail: 'writes as a relative with a new number who has to pay' },
  ransom: { weight: 0.4, asks: true, detail: 'demands crypto currency by a deadline' },
  task_job: { weight: 0.5, detail: 'offers pay for clicks and likes' },
  courier_payment: { weight: 0.2, asks: true, detail: 'the courier of a buyer collects, and the seller enters a card' },
  deposit_unseen: { weight: 0.15, detail: 'asks for a deposit before a viewing' },
  personal_threat: { weight: 0.4, detail: 'threatens or degrades the reader' },
}

const ENTRIES = entriesOf(KINDS)
const WEIGHTS = new Map<string, number>(ENTRIES.map(([code, { weight }]) => [code, weight]))

/** The words that the telling pattern of a code matched, and the share of its weight that they are worth. */
interface Told {
  words: string
  share: number
}

/** Numbers of the rules of a code, in the order of the languages. */
const RULES_OF = new Map(
  ENTRIES.map(([code]) => [code, [...RULES.keys()].filter((rule) => RULES[rule]?.code === code)]),
)

/** Hidden text that is read for orders; previews of newsletters are shorter. */
const MAX_HIDDEN_CHARS = 4096
const CONTEXT_CHARS = 1000
const SPEAKS_TO_MACHINE =
  /\b(?:(?:ai|automatic|automated|machine) (?:assistants?|readers?|agents?|systems?)|(?:booking|mail|coding|support|screening|hiring) (?:agents?|assistants?|bots?)|(?:for|to|if you are|if you're|as) (?:the |an? |any |all )?(?:ai|assistants?|agents?|llms?|language models?|bots?)|(?:assistants?|agents?|ai|llms?|bots?|model|system|asistente|assistente|asisten|asistan|assistent|agent|agente|agen|systeme|sistema|systeem)(?: [a-z]{2,10})? ?:)|(?:ки|ии|ассистент|агент)[а-яё-]{0,12}:|(?:ki-systeme|l'assistant|al asistente|eres una ia|ai-assistent|till ai|modelu ai|yapay zeka|ии-помощник)|(?:アシスタント|エージェント|ai)(?:へ|に|:)|(?:助手|智能体|ai)[^。]{0,6}(?:注意|:)|\b(?:ia|ki|llms?|bots?|modelos?|modeles?|modell\p{L}{0,5}|modelul|modelu|modele|modelli|agentes?|agentul|agenten|agenti|agentovi|agenta|assistent\p{L}{0,3}|assistente|asistent\p{L}{0,4}|asystent\p{L}{0,3}|asisten|asistan\p{L}{0,4}|avustaj\p{L}{0,4}|agentille|tekoaly\p{L}{0,4}|asszisztens\p{L}{0,3}|botnak|modellnek|programnak)(?: \p{L}{2,12}){0,3} ?:/u

/** Text that a reader does not see and a program does, with an order to it. */
export function hiddenOrder(hidden: string, shown: string): Finding[] {
  if (hidden === '') return []
  const text = hidden.slice(0, MAX_HIDDEN_CHARS)
  if (isShownToo(text, shown)) return []
  const order = phraseFindings(text, { hasLink: false, context: shown.slice(0, CONTEXT_CHARS) }).find(
    ({ code, class: of, weight }) => of === 'orders' && weight >= (WEIGHTS.get(code) ?? 1),
  )
  const words = order?.excerpt ?? SPEAKS_TO_MACHINE.exec(text)?.[0]
  if (words === undefined) return []
  return [found('order_in_hidden_text', HIDDEN_WEIGHT, 'hidden text speaks to the program that reads the mail', words)]
}

export const PHRASE_CODES: ReadonlySet<string> = new Set(Object.keys(KINDS))

const HIDDEN_WEIGHT = 0.6

/** Weight of phrases in quoted history, which the sender may or may not have written. */
const HISTORY_SHARE = 0.5

export interface PhraseOptions {
  hasLink: boolean
  /** True for the words of quoted history. */
  isHistory?: boolean
  /** More text in the languages of this one, where it is short. */
  context?: string
  /** Finds words in their original spelling. */
  asWritten?: (words: string) => string
}

/** @param text as `plainWords` gives it */
export function phraseFindings(
  text: string,
  { hasLink, isHistory = false, context, asWritten }: PhraseOptions,
): Finding[] {
  const present = languagesIn(context === undefined ? text : `${text} ${context}`)
  const matched = phrasesIn(text)
  const findings: Finding[] = []
  for (const [code, { weight, detail, needsLink, asks = false }] of ENTRIES) {
    const told = toldIn(text, { code, asks, present, matched })
    if (told === undefined) continue
    const { words } = told
    const share = told.share * (needsLink && !hasLink ? 0.5 : 1) * (isHistory ? HISTORY_SHARE : 1)
    const where = isHistory ? `${detail}, in quoted text` : told.share < 1 ? `${detail}, as quoted or told of` : detail
    findings.push(found(code, weight * share, where, asWritten ? () => asWritten(words) : words))
  }
  return findings
}

/** What the telling pattern of a code matched in the first language in which all of its patterns match. */
function toldIn(
  text: string,
  {
    code,
    asks,
    present,
    matched,
  }: { code: FindingCode; asks: boolean; present: ReadonlySet<string>; matched: Matches },
): Told | undefined {
  for (const rule of RULES_OF.get(code) ?? []) {
    const language = RULES[rule]?.language ?? ''
    if (!present.has(language)) continue
    const found = matched(rule, (words, at) => shareOf(language, text, at, words, asks))
    if (found !== undefined) return { words: found.words[0] ?? '', share: found.share }
  }
  return undefined
}
