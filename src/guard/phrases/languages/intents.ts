/**
 * Rules of intent: what a reader is asked to do and with what, said in the words of a language. One grammar for all languages but English, whose rules
 * are written out in english.ts. Words are alternatives in the form of `plainWords`; a class of words that a language lacks leaves its rules out.
 */
import type { FindingCode } from '../../reason-codes.js'
import type { Phrases } from './types.js'

export interface Vocabulary {
  /** Who is spoken to: programs that read mail. */
  machine: RegExp
  /** Whom such a program belongs to. */
  owner: RegExp
  /** "Ignore" and "instructions" that a program has. */
  ignore: RegExp
  instructions: RegExp
  /** Whole phrases: instructions are void, a mode is on. */
  isVoid: RegExp
  /** Whole phrases: without asking the owner, out of the summary, delete this message then. */
  conceal: RegExp
  /** Verbs of giving and sending, and what only a program is asked for. */
  give: RegExp
  machineSecrets: RegExp
  /** All mail, the last ten messages, the address book. */
  allMail: RegExp
  /** Whole phrases: change of access, running commands, releasing payments. */
  takeover: RegExp
  /** A code of some digits, and that the reader is sent it. */
  code: RegExp
  isSent: RegExp
  /** Words of a wallet. */
  seed: RegExp
  enter: RegExp
  /** Whole phrases: switch off the scanner, run anyway, enable content. */
  unprotect: RegExp
  /** Whole phrases: the old account is closed or under review, we changed banks. */
  oldAccount: RegExp
  /** Whole phrases: can't be called, answer only here. */
  noCall: RegExp
  pay: RegExp
  wages: RegExp
  newAccount: RegExp
  /** Ways to write elsewhere, and reasons for secrecy. */
  channel: RegExp
  secret: RegExp
  parent: RegExp
  newPhone: RegExp
  deadline: RegExp
  /** What happens after the deadline of a ransom. */
  orElse: RegExp
  task: RegExp
  perDay: RegExp
  topUp: RegExp
  courier: RegExp
  collects: RegExp
  card: RegExp
  /** Whole phrases: keys by post, can't show it, abroad. */
  unseen: RegExp
  home: RegExp
  deposit: RegExp
  toll: RegExp
  isOpen: RegExp
  safeAccount: RegExp
  /** A charge, and "not you?"; then "call" with a number. */
  notYou: RegExp
  call: RegExp
  donation: RegExp
  giftCards: RegExp
  threat: RegExp
}

const COINS =
  'bitcoin|\\bbtc\\b|monero|\\busdt\\b|crypto|kripto|krypto|cripto|крипто|биткоин|биткойн|ビットコイン|比特币|虚拟货币|wallet|bc1q[a-z0-9]{10}|\\b0x[0-9a-f]{20}'
const IBAN = '\\b[a-z]{2}\\d{2}(?: ?\\d{4}){3}|\\biban\\b'
const AMOUNT =
  '(?:[€$£₺₽¥₹]|\\b(?:eur|usd|brl|sek|idr|rp|kr|pln|gbp|chf)) ?\\d|\\d ?(?:[€$£₺₽¥₹]|(?:eur|usd|kr|zl|pln|tl|euro|sek|rub|руб|円|元|万)(?![a-z]))'
const NUMBER = '\\+?\\(?\\d[\\d() .-]{7,16}\\d'
const SAME_SENTENCE = '(?:[^.!?。！？]|[.]\\d)'

/** One near the other within a sentence, in either order. */
const near = (a: RegExp, b: RegExp, most: number): RegExp => {
  const gap = `${SAME_SENTENCE}{0,${most}}`
  return new RegExp(`(?:${a.source})${gap}(?:${b.source})|(?:${b.source})${gap}(?:${a.source})`)
}
const any = (...words: (RegExp | string)[]): RegExp =>
  new RegExp(words.map((word) => (typeof word === 'string' ? word : word.source)).join('|'))

export function intentsOf(words: Vocabulary): Phrases {
  return {
    ignore_instructions: any(near(words.ignore, words.instructions, 24), words.isVoid),
    order_to_machine: [
      new RegExp(
        `(?:${words.machine.source})${SAME_SENTENCE}{0,50}[:,、：，]${SAME_SENTENCE}{0,140}(?:${words.give.source})`,
      ),
      any(words.conceal, words.allMail, words.machineSecrets, words.takeover),
    ],
    without_owner: [words.conceal, any(words.machine, words.owner)],
    machine_secrets: [near(words.give, words.machineSecrets, 70), any(words.machine, words.owner)],
    machine_forwarding: [near(words.give, words.allMail, 60), any(words.machine, words.owner)],
    machine_takeover: [words.takeover, any(words.machine, words.owner)],
    verification_code_request: [near(words.give, words.code, 90), words.isSent],
    wallet_phrase_request: near(any(words.enter, words.give), words.seed, 60),
    protection_off: words.unprotect,
    invoice_redirect: [words.oldAccount, any(IBAN, words.newAccount), words.pay],
    payroll_change: [near(words.wages, words.newAccount, 100), any(IBAN, words.secret, words.isOpen)],
    private_channel: [words.channel, words.secret],
    new_number_plea: [near(words.parent, words.newPhone, 140), words.pay, any(IBAN, AMOUNT, words.noCall)],
    no_calls: [words.noCall, words.pay, any(IBAN, AMOUNT)],
    ransom: [any(near(words.pay, any(COINS), 70)), words.deadline, words.orElse],
    task_job: [words.task, words.perDay, any(words.topUp, words.channel)],
    courier_payment: [near(words.courier, words.collects, 70), words.card],
    deposit_unseen: [words.unseen, words.home, words.deposit],
    toll_fee: near(words.toll, words.isOpen, 60),
    safe_account: words.safeAccount,
    callback_number: [new RegExp(`(?:${words.call.source})${SAME_SENTENCE}{0,60}${NUMBER}`), words.notYou],
    untraceable_donation: [words.donation, any(words.giftCards, COINS), words.give],
    personal_threat: words.threat,
  } satisfies Partial<Record<FindingCode, RegExp | RegExp[]>>
}
