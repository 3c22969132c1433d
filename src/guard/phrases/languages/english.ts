/** Suspicious phrases in English. */
import type { Phrases } from './types.js'

export const ENGLISH: Phrases = {
  run_command_request: [
    /(?:press|hit|hold)(?: down)?(?: the| on| both)? (?:win(?:dows)?(?: key| button)?|command|cmd|⌘) ?(?:\+|-|and|plus|then) ?(?:the )?(?:r|x|space)\b|(?:open|launch|start) (?:the |your )?(?:run (?:dialog|box|window|command)|terminal|powershell|command prompt)[^.!?]{0,120}\bpaste|\bpaste (?:it|this|the (?:code|command|line|text))[^.!?]{0,60}\b(?:run (?:dialog|box|window)|(?:terminal|powershell|command prompt)[^.!?]{0,40}\b(?:press|hit) (?:enter|return))/,
    /\b(?:verify|verification|captcha|human|robot|fix|repair|restore|display|view|see|access|unlock|complete|join|hear|enable|resolve|continue)\b/,
    /\bpast(?:e|ing)\b|ctrl ?\+ ?v\b|⌘ ?\+? ?v\b/,
  ],
  callback_number: [
    /\b(?:to cancel|to dispute|if you (?:did not|didn't|do not|don't) (?:authori[sz]e|make|place|recogni[sz]e|approve|request)|for (?:a |your )?(?:refund|cancellation)|wish to cancel|want to cancel|questions about this charge)[^!?]{0,120}\b(?:call|dial|phone|contact|reach)\b[^!?]{0,120}\+?\(?\d[\d() .-]{7,16}\d/,
    /\b(?:charged|charge of|auto-?renew\w{0,3}|renewed|subscription|invoice|order|debited|deducted|purchase)\b/,
  ],
  credential_request:
    /(?:verify|confirm|update|validate|re-?activate|restore|unlock) your (?:[a-z0-9]{1,30} ){0,3}(?:accounts?|identity|password|log-?in|credentials|mailbox|bank|billing|payment|card|wallet)\b/,
  secret_on_page:
    /(?<!never )(?<!not )(?<!n't )(?:enter|provide|submit|confirm) your (?!new )(?:(?!new )[a-z0-9-]{1,30} ){0,3}(?:password|passcode|pin|cvv|ssn|social security number|card number|card details|seed phrase|recovery phrase|private key)\b/,
  secret_by_mail:
    /(?<!never )(?<!not )(?<!n't )(?:send|reply with|share|give)(?: us| me)? your (?:[a-z0-9-]{1,30} ){0,3}(?:password|passcode|pin|cvv|ssn|social security number|card number|card details|seed phrase|recovery phrase|private key)\b/,
  wallet_phrase_request:
    /(?<!never )(?<!not )(?<!n't )(?:enter|provide|submit|confirm|import|validate|send) your (?:[a-z0-9-]{1,30} ){0,3}(?:seed|recovery|secret) phrase\b/,
  account_threat:
    /(?:accounts?|mailbox|card|profile|access) (?:(?:has|have) been|is|was|will be|may be|gets) (?:temporarily |permanently |now )?(?:suspended|limited|locked|restricted|deactivated|closed|disabled|terminated|blocked|deleted)|(?:unusual|suspicious) (?:activity|sign-?in|log-?in)|unauthori[sz]ed (?:access|transaction|log-?in|payment)|(?:avoid|prevent) (?:suspension|closure|termination|deactivation)|(?:mailbox|password) (?:storage )?(?:is almost full|is full|expires today|will expire)/,
  urgency:
    /within (?:the next )?(?:2|6|12|24|48) ?(?:hours|hrs|h)\b|\bimmediate(?:ly)?\b|\burgent(?:ly)?\b|final (?:notice|warning|reminder)|last (?:chance|warning)|\bact now\b|before it is too late/,
  reward_lure:
    /you(?:'ve| have) (?:won|been selected|been chosen)|claim your (?:[a-z]{1,30} ){0,2}(?:prize|reward|refund|gift|bonus|airdrop)|eligible for (?:a|an|your) (?:[a-z]{1,30} )?(?:tax )?refund/,
  advance_fee: [
    /next of kin|inheritance|beneficiary|deceased|lottery|diplomat|late (?:client|husband|father|wife)|barrister|abandoned (?:sum|fund)|my late /,
    /(?:million|billion|(?<![\d,.])\d[\d,.]{5,19}) ?(?:us |u\.s\. |united states )?(?:dollars|usd|euros?|pounds|gbp)|(?:usd|us\$|\$|€|£|eur) ?[\d.,]{1,20} ?(?:million|billion|m\b)|(?:usd|us\$|\$|€|£|eur) ?\d{1,3}(?:,\d{3}){2,}/,
  ],
  gift_cards: [
    /(?:buy|purchase|get|pick up|need)[^.!?]{0,60}gift cards?/,
    /(?:scratch|send|share|email|text|photo|picture)[^.!?]{0,60}(?:codes?|cards?|back)/,
  ],
  extortion: [
    /(?:recorded|hacked|infected|compromised|full access|filmed)[^.!?]{0,80}\byour?\b|\byour?\b[^.!?]{0,60}(?:webcam|camera)/,
    /bitcoin|\bbtc\b|monero|cryptocurrency/,
    /(?:send|pay|transfer|publish|release|all your contacts)/,
    /contacts|friends and family|publish|release|expose|your (?:video|data) will/,
  ],
  changed_bank_details:
    /(?:new|changed|updated|different|change of|change our|changed our) (?:our )?(?:bank|account|banking|wire|payment) (?:details|account|information|instructions)|our bank(?:ing)? (?:details|information|account) (?:have|has) changed/,
  secrecy:
    /(?:keep this|strictly|treat this as) (?:between us|confidential|discreet)|(?:don't|do not) (?:call|tell|discuss|mention)|(?:i am|i'm) in a (?:meeting|conference)[^.!?]{0,40}(?:can't|cannot) (?:talk|call)/,
  money_in_haste: [
    /wire|bank transfer|transfer (?:the |of )?(?:funds|money)|\bpay(?:ment)?\b|gift card/,
    /\burgent(?:ly)?\b|right away|immediately|today before|as soon as you (?:get|see) this|within the hour/,
  ],
  guaranteed_profit:
    /(?:guaranteed|risk[- ]free) (?:daily |weekly |monthly |\d{1,4}% )?(?:returns?|profits?|income)|(?:double|triple|multiply) your (?:bitcoin|btc|money|crypto|investment|eth)\b|(?<!\d)\d{1,4}% (?:daily|weekly|per day) (?:returns?|profits?)/,
  pills:
    /\bviagra\b|\bcialis\b|\blevitra\b|erectile|male enhancement|no prescription|cheap (?:meds|pills)|online pharmacy/,
  gambling: /online casino|casino bonus|free spins|no deposit bonus|betting tips/,
  counterfeit: /replica (?:watch|bag|rolex|handbag)|(?:rolex|louis vuitton)[^.!?]{0,40}(?:replica|cheap|% off)/,
  easy_money:
    /make money (?:fast|online|from home)|earn (?:up to )?(?:\$|€|£|usd )?[\d,]{1,20} ?(?:\$|€|£|usd|dollars)? ?(?:a|per|every) (?:day|week|hour)|work from home[^.!?]{0,40}(?:earn|\$)|financial freedom|be your own boss/,
  list_selling:
    /(?:first page|rank(?:ing)? (?:#1|number one)|top) (?:of|on|in) google|seo (?:services|packages|audit)|(?:high[- ]quality|da\d{0,3}|dofollow) backlinks|guest post(?:s|ing)? (?:on|opportunit)|(?:email|contact|leads?) (?:list|database)s?[^.!?]{0,40}(?:for sale|purchase|buy|acquire|price)|(?<![\d,])[\d,]{1,20} (?:verified |targeted )(?:emails|leads|contacts)/,
  miracle_cure:
    /lose \d{1,4} ?(?:pounds|lbs|kg|kilos)|weight[- ]loss (?:secret|miracle|pill|trick)|doctors hate|miracle (?:cure|pill)/,
  hype: /100% free|no obligation|risk[- ]free|limited[- ]time offer|\bact now\b|click here now|(?:order|buy|subscribe) now|once in a lifetime|satisfaction guaranteed|this is not spam/,
  parcel_fee:
    /(?:parcel|package|shipment|delivery)[^!?]{0,120}(?:customs|redelivery|re-delivery|handling|delivery|shipping|clearance|import) (?:fee|charge|duty|duties)|(?:parcel|package|shipment)[^.!?]{0,60}(?:could not be delivered|can ?not be delivered|on hold|is held|has been held|held at|suspended|failed delivery|incomplete address)[^!?]{0,120}(?:confirm|update|pay|fee|reschedule)/,
  payment_problem:
    /(?:payment|billing|charge|subscription)[^.!?]{0,40}(?:declined|failed|unsuccessful|could not be processed|was rejected|unable to (?:process|charge))[^!?]{0,120}(?:update|payment method|payment details|billing (?:details|information))/,
  job_scam:
    /(?:earn|make|get paid)[^.!?]{0,40}(?:per day|a day|daily|per hour|an hour|per week|weekly)[^!?]{0,160}(?:whatsapp|telegram|from home|no experience|part-time|remote task)|(?:no experience|from home|part-time)[^!?]{0,160}(?:earn|make|get paid)[^.!?]{0,60}(?:per day|a day|daily|per hour|an hour|per week|weekly)[^!?]{0,160}(?:whatsapp|telegram|text me|reply)/,
  lottery: [
    /(?:lottery|sweepstakes?|lotto|e-?mail draw|promo draw)[^!?]{0,200}(?:you (?:have )?won|winner|winning|lucky)|(?:won|winner)[^!?]{0,120}(?:lottery|sweepstakes?|lotto)/,
    /(?:claim|contact|batch|ticket number|reference number|fiduciary|million)/,
  ],
  qr_code: /(?:scan|use your (?:phone|camera) to scan)[^.!?]{0,40}(?:qr ?-?code|barcode below)/,
}
