/**
 * What words give away. Each rule is a pattern over readable text (lower case, one space between words), linear in its length.
 * Words alone are weak evidence: honest mail speaks of passwords, deadlines and refunds too, so one finding never holds a message
 * unless no honest mail says such a thing.
 */
import type { Finding } from './finding.js'
import type { Matcher } from './prefilter.js'
import type { Category } from './types.js'

interface Phrase {
  code: string
  category: Exclude<Category, 'legitimate'>
  weight: number
  /** All have to be found; a plain word that the others need goes first, since it is found missing fastest. */
  patterns: RegExp[]
  detail: string
  /** Weighs half when there is no link to follow. */
  needsLink?: true
}

const PHRASES: Phrase[] = [
  {
    code: 'credential_request',
    category: 'phishing',
    weight: 0.35,
    needsLink: true,
    detail: 'asks to confirm an account, identity or means of payment',
    patterns: [
      / your /,
      /(?:verify|confirm|update|validate|re-?activate|restore|unlock) your (?:[a-z0-9]{1,30} ){0,3}(?:accounts?|identity|password|log-?in|credentials|mailbox|bank|billing|payment|card|wallet)\b/,
    ],
  },
  {
    code: 'secret_on_page',
    category: 'phishing',
    weight: 0.4,
    needsLink: true,
    detail: 'asks to enter a secret',
    patterns: [
      / your /,
      /(?<!never )(?<!not )(?<!n't )(?:enter|provide|submit|confirm) your (?!new )(?:(?!new )[a-z0-9-]{1,30} ){0,3}(?:password|passcode|pin|cvv|ssn|social security number|card number|card details|seed phrase|recovery phrase|private key)\b/,
    ],
  },
  {
    code: 'secret_by_mail',
    category: 'phishing',
    weight: 0.65,
    detail: 'asks to send a secret',
    patterns: [
      / your /,
      /(?<!never )(?<!not )(?<!n't )(?:send|reply with|share|give)(?: us| me)? your (?:[a-z0-9-]{1,30} ){0,3}(?:password|passcode|pin|cvv|ssn|social security number|card number|card details|seed phrase|recovery phrase|private key)\b/,
    ],
  },
  {
    code: 'wallet_phrase_request',
    category: 'phishing',
    weight: 0.5,
    detail: 'asks for the recovery phrase of a wallet',
    patterns: [
      / phrase/,
      /(?<!never )(?<!not )(?<!n't )(?:enter|provide|submit|confirm|import|validate|send) your (?:[a-z0-9-]{1,30} ){0,3}(?:seed|recovery|secret) phrase\b/,
    ],
  },
  {
    code: 'account_threat',
    category: 'phishing',
    weight: 0.3,
    needsLink: true,
    detail: 'threatens the loss of an account or tells of misuse',
    patterns: [
      /(?:accounts?|mailbox|card|profile|access) (?:(?:has|have) been|is|was|will be|may be|gets) (?:temporarily |permanently |now )?(?:suspended|limited|locked|restricted|deactivated|closed|disabled|terminated|blocked|deleted)|(?:unusual|suspicious) (?:activity|sign-?in|log-?in)|unauthori[sz]ed (?:access|transaction|log-?in|payment)|(?:avoid|prevent) (?:suspension|closure|termination|deactivation)|(?:mailbox|password) (?:storage )?(?:is almost full|is full|expires today|will expire)/,
    ],
  },
  {
    code: 'urgency',
    category: 'phishing',
    weight: 0.25,
    needsLink: true,
    detail: 'presses for time',
    patterns: [
      /within (?:the next )?(?:2|6|12|24|48) ?(?:hours|hrs|h)\b|\bimmediate(?:ly)?\b|\burgent(?:ly)?\b|final (?:notice|warning|reminder)|last (?:chance|warning)|\bact now\b|before it is too late/,
    ],
  },
  {
    code: 'reward_lure',
    category: 'phishing',
    weight: 0.4,
    needsLink: true,
    detail: 'promises a prize, refund or parcel that has to be claimed',
    patterns: [
      /you(?:'ve| have) (?:won|been selected|been chosen)|claim your (?:[a-z]{1,30} ){0,2}(?:prize|reward|refund|gift|bonus|airdrop)|eligible for (?:a|an|your) (?:[a-z]{1,30} )?(?:tax )?refund|(?:parcel|package|shipment)[^.!?]{0,60}(?:customs|redelivery|handling|delivery) (?:fee|charge)/,
    ],
  },
  {
    code: 'advance_fee',
    category: 'scam',
    weight: 0.7,
    detail: 'offers a large sum from a stranger',
    patterns: [
      /(?:million|billion|(?<![\d,.])\d[\d,.]{5,19}) ?(?:us |u\.s\. |united states )?(?:dollars|usd|euros?|pounds|gbp)|(?:usd|us\$|\$|€|£|eur) ?[\d.,]{1,20} ?(?:million|billion|m\b)|(?:usd|us\$|\$|€|£|eur) ?\d{1,3}(?:,\d{3}){2,}/,
      /next of kin|inheritance|beneficiary|deceased|lottery|diplomat|late (?:client|husband|father|wife)|barrister|abandoned (?:sum|fund)|my late /,
    ],
  },
  {
    code: 'gift_cards',
    category: 'scam',
    weight: 0.65,
    detail: 'wants gift cards bought and their codes sent',
    patterns: [
      /(?:buy|purchase|get|pick up|need)[^.!?]{0,60}gift cards?/,
      /(?:scratch|send|share|email|text|photo|picture)[^.!?]{0,60}(?:codes?|cards?|back)/,
    ],
  },
  {
    code: 'extortion',
    category: 'scam',
    weight: 0.9,
    detail: 'threatens to publish something unless it is paid for',
    patterns: [
      /(?:recorded|hacked|infected|compromised|full access|filmed)[^.!?]{0,80}\byour?\b|\byour?\b[^.!?]{0,60}(?:webcam|camera)/,
      /bitcoin|\bbtc\b|monero|cryptocurrency/,
      /(?:send|pay|transfer|publish|release|all your contacts)/,
      /contacts|friends and family|publish|release|expose|your (?:video|data) will/,
    ],
  },
  {
    code: 'changed_bank_details',
    category: 'scam',
    weight: 0.4,
    detail: 'says that payments go to another account from now on',
    patterns: [
      /(?:new|changed|updated|different|change of|change our|changed our) (?:our )?(?:bank|account|banking|wire|payment) (?:details|account|information|instructions)|our bank(?:ing)? (?:details|information|account) (?:have|has) changed/,
    ],
  },
  {
    code: 'secrecy',
    category: 'scam',
    weight: 0.3,
    detail: 'asks to keep it secret or not to call',
    patterns: [
      /(?:keep this|strictly|treat this as) (?:between us|confidential|discreet)|(?:don't|do not) (?:call|tell|discuss|mention)|(?:i am|i'm) in a (?:meeting|conference)[^.!?]{0,40}(?:can't|cannot) (?:talk|call)/,
    ],
  },
  {
    code: 'money_in_haste',
    category: 'scam',
    weight: 0.3,
    detail: 'presses for a payment',
    patterns: [
      /wire|bank transfer|transfer (?:the |of )?(?:funds|money)|\bpay(?:ment)?\b|gift card/,
      /\burgent(?:ly)?\b|right away|immediately|today before|as soon as you (?:get|see) this|within the hour/,
    ],
  },
  {
    code: 'guaranteed_profit',
    category: 'scam',
    weight: 0.6,
    detail: 'promises profit without risk',
    patterns: [
      /(?:guaranteed|risk[- ]free) (?:daily |weekly |monthly |\d{1,4}% )?(?:returns?|profits?|income)|(?:double|triple|multiply) your (?:bitcoin|btc|money|crypto|investment|eth)\b|(?<!\d)\d{1,4}% (?:daily|weekly|per day) (?:returns?|profits?)/,
    ],
  },
  {
    code: 'pills',
    category: 'spam',
    weight: 0.45,
    detail: 'advertises medicine',
    patterns: [
      /\bviagra\b|\bcialis\b|\blevitra\b|erectile|male enhancement|no prescription|cheap (?:meds|pills)|online pharmacy/,
    ],
  },
  {
    code: 'gambling',
    category: 'spam',
    weight: 0.45,
    detail: 'advertises gambling',
    patterns: [/online casino|casino bonus|free spins|no deposit bonus|betting tips/],
  },
  {
    code: 'counterfeit',
    category: 'spam',
    weight: 0.5,
    detail: 'advertises counterfeits',
    patterns: [/replica (?:watch|bag|rolex|handbag)|(?:rolex|louis vuitton)[^.!?]{0,40}(?:replica|cheap|% off)/],
  },
  {
    code: 'easy_money',
    category: 'spam',
    weight: 0.4,
    detail: 'promises easy money',
    patterns: [
      /make money (?:fast|online|from home)|earn (?:up to )?(?:\$|€|£|usd )?[\d,]{1,20} ?(?:\$|€|£|usd|dollars)? ?(?:a|per|every) (?:day|week|hour)|work from home[^.!?]{0,40}(?:earn|\$)|financial freedom|be your own boss/,
    ],
  },
  {
    code: 'list_selling',
    category: 'spam',
    weight: 0.45,
    detail: 'sells addresses, links or ranks in search engines',
    patterns: [
      /(?:first page|rank(?:ing)? (?:#1|number one)|top) (?:of|on|in) google|seo (?:services|packages|audit)|(?:high[- ]quality|da\d{0,3}|dofollow) backlinks|guest post(?:s|ing)? (?:on|opportunit)|(?:email|contact|leads?) (?:list|database)s?[^.!?]{0,40}(?:for sale|purchase|buy|acquire|price)|(?<![\d,])[\d,]{1,20} (?:verified |targeted )(?:emails|leads|contacts)/,
    ],
  },
  {
    code: 'miracle_cure',
    category: 'spam',
    weight: 0.4,
    detail: 'advertises a miracle cure',
    patterns: [
      /lose \d{1,4} ?(?:pounds|lbs|kg|kilos)|weight[- ]loss (?:secret|miracle|pill|trick)|doctors hate|miracle (?:cure|pill)/,
    ],
  },
  {
    code: 'hype',
    category: 'spam',
    weight: 0.25,
    detail: 'uses the words of advertisements',
    patterns: [
      /100% free|no obligation|risk[- ]free|limited[- ]time offer|\bact now\b|click here now|(?:order|buy|subscribe) now|once in a lifetime|satisfaction guaranteed|this is not spam/,
    ],
  },
]

export const PHRASE_CODES: ReadonlySet<string> = new Set(PHRASES.map(({ code }) => code))

/** @param matches tells of readable text of subject and body */
export function phraseFindings(matches: Matcher, hasLink: boolean): Finding[] {
  return PHRASES.filter(({ patterns }) => patterns.every(matches)).map(
    ({ code, category, weight, detail, needsLink }) => ({
      code,
      category,
      detail,
      weight: needsLink && !hasLink ? weight / 2 : weight,
    }),
  )
}
