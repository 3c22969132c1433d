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
    /(?:enter|provide|submit|confirm) your (?!new )(?:(?!new )[a-z0-9-]{1,30} ){0,3}(?:password|passcode|pin|cvv|ssn|social security number|card number|card details|seed phrase|recovery phrase|private key)\b/,
  secret_by_mail:
    /(?:send|reply with|share|give)(?: us| me)? your (?:[a-z0-9-]{1,30} ){0,3}(?:password|passcode|pin|cvv|ssn|social security number|card number|card details|seed phrase|recovery phrase|private key)\b/,
  wallet_phrase_request:
    /(?:enter|provide|submit|confirm|import|validate|send) your (?:[a-z0-9-]{1,30} ){0,3}(?:seed|recovery|secret) phrase\b/,
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
  ignore_instructions: [
    /\b(?:ignore|disregard|forget|override|bypass|discard) (?:all |any |every )?(?:of )?(?:the |these |those |your )?(?:(?:previous|prior|earlier|above|preceding|former|original|initial|existing|system|safety|other) ){1,2}(?:instructions?|rules|guidelines|guidance|prompts?|directives|orders|restrictions)\b|\b(?:ignore|disregard|forget|override|bypass|discard|drop|suspend) (?:all |any |every )?(?:of )?your (?:[a-z]{1,14} ){0,3}(?:instructions|rules|guidelines|guidance|prompts?|directives|guardrails|restrictions|safeguards|limits|training)\b|\b(?:instructions|rules|guidelines|limits|restrictions|safeguards)(?: [a-z]{1,10}){0,4} (?:no longer apply|do not apply|don't apply|are (?:now )?(?:off|void|suspended|lifted|out of date|revoked|disabled|replaced))\b|\byour (?:policy|rules|limits?|role) (?:has|have|was|were) (?:been )?(?:changed|lifted|updated|relaxed|removed)\b|\b(?:rules|instructions|guidelines|orders) (?:that )?you (?:were|have been|got|had been) given\b|\beverything you (?:were|have been) told (?:before|above|so far|earlier|until)|\byou are now (?:in )?(?:a |an )?(?:maintenance|developer|debug|admin|unrestricted|dan\b|root)|\b(?:developer|debug|god|unrestricted) mode (?:is )?(?:on|active|enabled|engaged)\b|\bnew (?:system )?(?:instructions|prompt|directives) (?:for (?:you|the (?:assistant|agent|model|ai))|follow)\b|\brefusals? (?:count|counts|are counted|will be treated) as\b|\bearlier guidance on how to\b/,
    /\b(?:ai|assistants?|agents?|bots?|models?|llms?|prompt|system|tools?|software|program|machines?|automat\w{1,6}|test|task|mode|send|forward|reply|print|reveal|rate|mark|you are)\b/,
  ],
  order_to_machine: [
    /\b(?:(?:note|message|instructions?|attention|hint|directive|notice|p\.?s\.?)(?: [a-z]{1,12}){0,2}? (?:to|for)(?: the| any| all| an?| your| whatever| every)? (?:[a-z]{1,12} )?(?:ai|automat\w{1,6}|assistants?|agents?|bots?|llms?|language models?|machines?|readers|software|program)\b|(?:if|as|when) (?:(?:you are|you're|this is (?:being )?read by|read by|you,? as) (?:an? |the )?(?:[a-z]{1,12} )?(?:ai|assistant|agent|bot|llm|language model|machine|automat\w{1,6})|an? (?:ai|machine|bot|assistant|agent|language model) (?:is )?read(?:s|ing)|whoever writes the answer)\b|(?:to|for|hello|hi|dear) (?:the |any |all )?(?:[a-z]{1,12} )?(?:ai|assistants?|agents?|bots?|llms?|automat\w{1,6})\b(?: [a-z]{1,12}){0,7}? ?[:,]|\b(?:assistants?|agents?|ai|bots?|llms?|copilots?)(?: (?:reading|that|which|who|systems?)(?: [a-z]{1,12}){0,4})? ?:|(?:coding|mail|ai) assistants? (?:should|must|can|fix))[^!?]{0,220}\b(?:forward|send|reply with|answer|approve|release|delete|remove|reveal|print|paste|export|include|attach|copy|ignore|mark|rate|book|skip|open|fetch|run|execute|install|grant|share|refund|pay|set|change|add|disclose|list|accept|carry|look up|show|give|post|put)\b/,
    /\b(?:without (?:asking|confirmation|approval|a question)|(?:do not|don't|no need to) (?:ask|mention|tell|show|report|wait|bother)|(?:owner|user|house|side|management|line)(?: [a-z]{1,8}){0,2} (?:agreed|approved|knows|said|consented|allowed)|(?:it is|was|has been|already) (?:agreed|approved|arranged)|all (?:of the |the |your |other )?(?:mails?|e-?mails|messages|contacts|applications|customers|files|keys|invoices|guests)|(?:last|latest|newest) (?:\w{1,5} )?(?:mails?|e-?mails|messages|threads?|invoices)|api keys?|tokens?|passwords?|credentials|secrets?|your system prompt|address book|contact list|phone numbers?|other (?:two )?(?:customers?|guests?|applicants?|applications|offers|candidates)|free of charge|key box|excellent|trusted|\.env|ssh|silently|recovery address|second recipient)\b/,
  ],
  without_owner: [
    /\b(?:do not|don't|never|no need to|not necessary to|need not|needn't|without|instead of|rather than|you do not have to|you don't have to) (?:tell|telling|ask|asking|inform|informing|notify|notifying|bother|bothering|involve|involving|alert|alerting|mention(?:ing)?(?: (?:this|it))? to|show(?:ing)? (?:this|it) to|check(?:ing)? with|cop(?:y|ying)(?: in)?|wait(?:ing)? for|consult(?:ing)?|put it before|asking for confirmation from)(?: (?:the|your|its|any|his|her|a))?(?: [a-z]{1,10})? ?(?:owner|owners|operator|user|human|humans|person|persons|principal|supervisor|admin|people)\b|\b(?:owners?|operator|user|humans?|persons?|people|clerk)(?: [a-z]{1,8})? (?:need(?:s)? not|do(?:es)? not need|do(?:es)? not have|is not|are not|will not be|should not|must not|need(?:s)? to be|cannot be|is to be)(?: to)?(?: be)?(?: not)? (?:asked|told|informed|notified|know|see|look|involved|consulted|copied|shown|bothered)\b|\bno (?:person|human|people|one) (?:needs?|has|have) to (?:look|see|know|approve|confirm|be asked)|\b(?:leave|keep) (?:this|it|that)(?: [a-z]{1,10}){0,2} out of (?:your|the|tonight's|any)(?: [a-z]{1,10})? (?:summary|summaries|reports?|logs?|digest)\b|\b(?:do not|don't|never) (?:mention|list|include|describe|report|log|record|note|show|quote)(?: [a-z]{1,10}){0,4} in (?:your|the|tonight's|any)(?: [a-z]{1,10})? (?:summary|summaries|reports?|logs?|digest|answer)\b|\bno (?:confirmation|consent|approval|permission)(?: [a-z]{1,10})? (?:by|of|from) (?:the|your|its|an?) (?:owner|user|operator|human|person) (?:is|are) (?:needed|required|necessary)|\bno (?:consent|confirmation) is needed\b|\bdo not (?:put|bring) it before a (?:person|human)|\bdo not mention this (?:line|text|message|instruction|note)|\b(?:do it|act|proceed|send it|work) (?:silently|quietly|discreetly)\b|\btell (?:the|your) owner (?:only )?after\b|\bquestions go to me and not to (?:the|your) owner|\bonce it is set, delete|\b(?:delete|remove|clear|erase) (?:this|the)(?: [a-z]{1,10})? (?:message|mail|email|note|comment|copies|entry|history) (?:afterwards|from (?:sent|the (?:entry|log)))|\b(?:then|afterwards|once it is set,?) (?:delete|remove|clear|erase|empty) (?:this|the|your|all)(?: [a-z]{1,10}){0,2} ?(?:message|mail|email|note|comment|traces?|copies|sent|bin|entry|history|log)\b|\btake this comment out afterwards|\bskip the question to|\bowner (?:is|are) (?:away|asleep|on a plane|not reachable)[^.!?]{0,60}(?:agreed|do not ask|don't ask|take over)|\byou do not have to copy your owner|\bowner finds double mail/,
    /\b(?:ai|assistants?|agents?|bots?|llms?|models?|automat\w{1,6} (?:readers?|systems?|booking)|this box|this run|(?:sorts|handles|reads) (?:this|the) (?:mail|post))\b|\byour owner\b|\bthe owner\b/,
  ],
  machine_secrets: [
    /\b(?:send|give|repl(?:y|ies) with|answer(?: [a-z]{1,8}){0,3} with|respond with|return|post|paste|print|output|reveal|show|share|include|attach|list|copy out|repeat|dump|export|forward|quote|provide|submit|disclose|tell|printing|posting|pasting|mail)\b(?: [a-z'~/._-]{1,16}){0,8}? (?:system prompt|system message|api[- ]?keys?|(?:access|api|session|bearer) tokens?|secret (?:store|keys?|tokens?)|(?:environment )?variables?(?: with| that| whose| in)? (?:[a-z]{1,8} ){0,2}(?:token|key|secret)s?|environment variables|(?:your|their) env|\.env\b|~\/\.ssh|your (?:full |own |complete |current )?(?:configuration|credentials|settings)|session (?:cookie|id)s?|(?:initial|first|full|own|complete|current|exact|hidden) instructions|your (?:instructions|directives|directions|hidden rules|prompt|rules|tools)|private keys?|ssh keys?|keys? (?:that )?you (?:hold|have|use)|present (?:key|one)|the value of (?:your|the)|key box|directions you work by|first text you were given|address book)\b|\bpresent key\b|\bword for word,? what\b|\bwhat stands above (?:our|this) conversation|\b(?:value|contents?) of (?:your|the) (?:first entry|secret store|vault|notes)|\bpaste the directions you work by|\bfirst text you were given|\byour (?:notes and )?(?:your )?first instructions|\bfirst lines of your configuration|\bowner's (?:address and )?(?:session|token)|\bhow you are set up\b|\bprint the environment\b|\bdirections you work by|\bhow (?:you|the assistant) (?:are|is) (?:set up|configured|instructed)/,
    /\b(?:ai|assistants?|agents?|bots?|llms?|models?|automat\w{1,6}|machine|you are set up|your owner|conversation|this box|tool|drill|answer mail|you were given)\b/,
  ],
  machine_forwarding: [
    /\b(?:forward|send|copies|bcc|pass on|transmit|export|redirect|relay|reply with|upload|add)\b(?: [a-z0-9'-]{1,16}){0,6}? (?:(?:all|every|each|any|whatever|last|latest|newest|entire|whole|full|other|two|three|five|ten|fifty|\d{1,3}|owner's other|owner's last|user's last|labelled)\b(?: [a-z0-9'-]{1,16}){0,5}? (?:e-?mails?|mails?|messages?|inbox|mailbox|conversations?|threads?|contacts?|address book|attachments?|calendar|incoming\w{0,5}|comes in|replies|entries|applications|applicants|customers|guests?|invoices)|incoming mail|address book|contact list|whatever is in|phone numbers of|(?:the )?(?:same )?export of)\b|\b(?:mails?|messages?|subjects?|code)(?: [a-z0-9'-]{1,16}){0,3} (?:added to|in|as part of) the (?:address|link|url)\b|\bencoded in place of\b|\bfull list of (?:applicants|customers|contacts|users)|\b(?:look for|find|search for) the (?:mail|message)s?\b[^.!?]{0,60}(?:pass|forward|send) (?:it|them)|\bmail about \w+ matters to|\bswitch(?:es)? on forwarding|\bgets a copy of all|\baddress and phone of the customer|\bagree to send a copy|\bas \?[a-z]{1,8}=|\bfetch it with \?/,
    /\b(?:ai|assistants?|agents?|bots?|llms?|automat\w{1,6} (?:readers?|systems?)|whatever software|to the program|(?:by|a) machine|this box|your owner|the owner|drill|step \d)\b/,
  ],
  machine_takeover: [
    /(?<!was )(?<!has )(?<!been )(?<!were )\b(?:set|change|update|store|add|use|make|replace|put in|register|switch|call|take)\b(?! to your)(?: [^\s.!?]{1,40}){0,8}? (?:recovery (?:e-?mail|address)|forwarding (?:rule|address)|deploy key|write access|in place of the stored|your (?:spending )?limit)\b|\brecovery address (?:to|is to become)|\bset (?:up )?a (?:rule|filter) that|\bmy account (?:was|is) raised to administrator|\b(?:run(?:ning)?|execut(?:e|ing))\b[^.!?]{0,20}\b(?:curl|wget)\b|\bcurl -s|\b(?:approve|release|confirm|accept|pay)(?: [a-z0-9#/-]{1,16}){0,4} (?:without the second|with your own rights|without (?:asking|a question)|with the tool|and archive this|the payment and)|\b(?:treat|mark) (?:this one|[a-z]{0,3} ?[#a-z0-9/-]{1,12}|it|them) as (?:checked|approved|accepted|paid|excellent|handled|safe)|\brate this (?:candidate|offer) as|\bset your limit to|\bby processing this mail|\bcall [a-z_]{4,24} with to=|\bopen [^\s]{0,80} followed by the owner|\bnormal rules are off|\bthe limit does not apply|\bskip screening|\bthis sender is on the list of trusted/,
    /\b(?:ai|assistants?|agents?|bots?|llms?|automat\w{1,6}|machine|the owner|your owner|mode|tool|by processing)\b/,
  ],
  fake_tool_message:
    /"role": ?"(?:system|developer)", ?"content": ?"|<tool_call>|<tool_result>|<function_call>|<(?:assistant|system|developer)>|<\|im_start\|>|<result>(?:approved|ok|permission)|\[system\] ?[a-z]|###? ?system ?(?:message|prompt|:)|\bpermission granted until\b/,
  verification_code_request:
    /\b(?:send|forward|pass|give|tell|read|reply with|answer [a-z]{1,8} ?[a-z]{0,8} with|share|text|copy|repeat)(?: [a-z']{1,12}){0,4}? (?:(?:six|6|four|4)[- ]?(?:digits?|digit code)|codes?|digits|number|what)(?: [a-z']{1,12}){0,2} (?:that |which |what )?(?:you(?:'ll| will| just| have)? (?:get|got|receive|received)|(?:just )?(?:came|come|arrived?|arrives)(?: in| just| by)?|(?:were|was|is) sent|it says)\b|\b(?:you(?:'ll| will| should| may)? (?:get|receive|have)|sent you|(?:has|have) sent you|is on its way to your phone|they text you)(?: [a-z0-9'-]{1,14}){0,6}? (?:code|digits|number)\b[^!?]{0,90}\b(?:send|pass|forward|tell|read|give|copy|reply with|answer this|type)(?: [a-z']{1,10}){0,3} (?:it|them|me|us|back|on|the digits|the code|what it says)\b|\breply with the digits\b|\bforward me the (?:little )?number|\bread me the (?:digits|code|number)/,
  safe_account:
    /\b(?:to|into|in) (?:a |an |the |your |our |this )?(?:new )?(?:safe|secure|secured|protected|security|holding|vault) (?:account|wallet|vault)\b|\b(?:money|balance|funds|savings|coins|assets) (?:in)?to (?:safety|the vault|our vault)\b/,
  toll_fee:
    /\b(?:unpaid|outstanding|open|overdue|owed?|due|open sum|balance)\b[^.!?]{0,60}\b(?:tolls?|toll road|traffic fine|parking (?:fine|charge|penalty))\b|\btolls?\b[^!?]{0,80}\b(?:unpaid|outstanding|open|overdue|owed?|final notice|penalty|late fee|licen[cs]e)\b/,
  protection_off:
    /\b(?:choose|select|click(?: on)?|press|pick|use)\b[^.!?]{0,24}"?(?:run anyway|keep anyway|install anyway|open anyway)|\b(?:turn|switch)(?:ing)? off[^.!?]{0,30}(?:antivirus|anti-virus|virus (?:scanner|protection)|defender|firewall|guard)|\b(?:antivirus|virus scanner|defender) off\b|\bdisable[^.!?]{0,24}(?:antivirus|anti-virus|defender|firewall|protection)|\b(?:enable|activate|press|click)[^.!?]{0,16}(?:enable content|enable macros|content"|macros)\b|\benable (?:content|macros|editing)\b|\ballow[^.!?]{0,16}unknown sources?|\bswitch on developer mode|\bif (?:your|the|windows) ?(?:guard|antivirus|defender|browser|computer|scanner)?[^.!?]{0,24}(?:stops|warns|complains|blocks|asks)[^.!?]{0,60}(?:anyway|ignore|allow|keep|continue|close)|\bcover the screen when/,
  invoice_redirect: [
    /\b(?:old|previous|usual|other|others|former|current|existing|regular|client) (?:bank )?(?:accounts?|iban|number|one)?(?: [a-z']{1,12}){0,3} (?:closed|blocked|under (?:review|audit)|being audited|audited|frozen|sends? money back|cannot receive|can't receive|no longer (?:valid|in use|accepts?|used))\b|\b(?:the details in my next mail|take the account i texted|landlord's own account this time)/,
    /\b[a-z]{2}\d{2}(?: ?\d{4}){3}|\biban\b|\baccounts?\b|\bsheet\b|\btransfer\b/,
    /\b(?:pay|paid|payment|payments|invoice|transfer|deposit|due|sum|remit|money)\b/,
  ],
  payroll_change: [
    /\bmy (?:pay|salary|wages?|paychecks?|payroll|direct deposit)\b[^!?]{0,120}\b(?:new|another|different|other|changed?|switch|update|go to)\b|\b(?:new|another|different|changed?|switch(?:ed)?|update)\b[^!?]{0,100}\b(?:my (?:pay|salary|wages?|paychecks?|payroll)|direct deposit)\b/,
    /\b(?:account|bank|iban|routing|deposit)\b/,
    /\b[a-z]{2}\d{2}(?: ?\d{4}){3}|\b(?:portal|own address|private address|personal (?:address|mail)|before the (?:next|run)|next (?:pay|run)|payday|make the run|in time for|what (?:do you need|details)|reply here|confirm here|effective|travelling)\b/,
  ],
  private_channel: [
    /\b(?:write|text|message|messages|chat|contact|reach|find|continue|move|talk|go on|switch|add)\b(?: [a-z']{1,12}){0,6}? (?:on|to|over|via|by|in|through) (?:me on |my )?(?:whatsapp|telegram|signal|wechat|viber|hangouts|google chat|the chat app|my private|my own)\b|\b(?:whatsapp|telegram|signal)\b[^.!?]{0,30}(?:\+?\d[\d ()-]{7,}|@[a-z0-9_]{4,})/,
    /\b(?:don't|do not|no need to|need not|never|better not) (?:tell|mention|explain|say|ask|discuss|show)\b|\bbetween us\b|\bnobody (?:else )?(?:needs?|has) to know|\bkeep (?:it|this)(?: [a-z]{1,8}){0,2} (?:to yourself|between us|private|secret|quiet)|\b(?:site|app|platform|portal|bank|banks|company)\b[^.!?]{0,24}(?:swallows|reads|blocks?|slow|stops?|makes trouble|takes a cut|doesn't understand)|\bnot (?:here|through|by|on) (?:the )?(?:site|app|portal|platform)\b|\b(?:rarely|seldom) (?:here|read|open)\b/,
  ],
  untraceable_donation: [
    /\b(?:donat(?:e|es|ed|ion|ions)|relief fund|victims|charity|orphan\w{0,5}|flood|earthquake|refugees|shelter|appeal for|collecting for)\b/,
    /\b(?:gift cards?|bitcoin|btc|crypto(?:currency)?|usdt|coins|prepaid (?:cards?|codes?)|(?:steam|itunes|apple|google play|amazon) (?:gift )?cards?)\b|\bbc1q[a-z0-9]{20}|\b0x[0-9a-f]{30}/,
    /\b(?:send|buy|give|transfer|help|photo|codes?|today|now|urgent\w{0,2})\b/,
  ],
  new_number_plea: [
    /\b(?:mum|mom|mummy|mommy|mam|dad|daddy|grandma|grandpa|nan|gran)\b[^!?]{0,160}(?:new (?:number|phone|mobile)|(?:phone|mobile) (?:broke|is broken|fell|died|got|went|is gone)|dropped my|lost my (?:phone|mobile)|friend's phone)/,
    /\b(?:pay|transfer|send|lend|bill|rent|invoice|money)\b/,
    /[$€£] ?\d|\b[a-z]{2}\d{2}(?: ?\d{4}){3}|\b(?:can't|cannot|don't|do not|no) (?:call|calls|talk|speak)|microphone/,
  ],
  no_calls: [
    /\b(?:don't|do not|can't|cannot|can not|please do not|no need to) (?:ring|call|phone)(?! (?:on|us if|this number back))|\b(?:hard|difficult|not possible|impossible|unable) to (?:reach|get)(?: me| us)?(?: [a-z]{1,8}){0,2} by phone|\b(?:phones?|telephones?|phone lines?|lines in the new hall) (?:are|is)(?: [a-z]{1,10}){0,2} (?:being moved|down|off|not (?:yet )?(?:connected|working))|\bphone is off\b|\binto the void\b|\bno calls\b|\b(?:answer|reply|write|confirm) (?:here|only (?:here|to this)|to this (?:mail|address) only)|\bmail is best\b|\bnot by phone\b|\bcan't (?:ring|call) back\b|\bso write, don't ring|\bplease confirm here\b|\bdo not answer on the site|\bmicrophone (?:is broken|does not|doesn't)/,
    /\b(?:pay|paid|payment|payments|invoice|transfer|deposit|rent|money|bill|fee)\b/,
    /[$€£] ?\d|\b[a-z]{2}\d{2}(?: ?\d{4}){3}|\biban\b/,
  ],
  ransom: [
    /\b(?:pay|send|transfer|deposit|move)\b(?:[^.!?]|\.\d){0,70}\b(?:bitcoin|btc|monero|xmr|usdt|crypto|coins?|wallet|bc1q[a-z0-9]{10}|0x[0-9a-f]{10})|\b(?:bitcoin|btc|monero|crypto|coins)\b[^.!?]{0,60}\b(?:to|into) (?:this|the|my|our|bc1q|0x)/,
    /\b(?:\d{1,3} (?:hours?|days?)|deadline|by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|midnight|noon)|until|or else|otherwise|if (?:you do not|you don't|not|nothing)|before)\b/,
    /\b(?:publish|release|leak|expose|everyone (?:you know|gets)|to all (?:of )?your|your (?:contacts|family|friends|wife|husband|boss|customers|clients|colleagues|neighbours|subscribers)|take (?:it|your (?:site|shop)|you) (?:down|off)|attack|flood|bad reviews|one star|encrypted|hear (?:from|of) (?:me|us)|goes up|police)\b/,
  ],
  task_job: [
    /\b(?:like|liking|rate|rating|review|reviewing|click|clicking|follow|following|boost|boosting|optimi[sz]e|optimi[sz]ing|give|giving)\b(?! to)(?: (?!most|popular)[a-z'-]{1,15}){0,3}? (?:videos|hotels?|products|apps|accounts|posts|channels|ads|listings|stars|restaurants|pages)\b/,
    /\b(?:per|a|an|each|every) (?:day|task|click|review|video|like|week|hour|set)\b|\bdaily\b|\bcommission\b|\bpaid (?:each|every|in the evening)/,
    /\b(?:top[- ]?up|deposit|recharge|prepaid|next level|telegram|whatsapp|chat app|mentor|put in \S{1,12} (?:first|of your))\b/,
  ],
  courier_payment: [
    /\b(?:courier|driver|carrier|shipping (?:company|agent|service)|delivery (?:man|service|company)|mover)\b[^!?]{0,120}\b(?:collects?|picks? (?:it )?up|pick-?up|fetch(?:es)?|brings? you|man who collects|comes for)\b/,
    /\b(?:enter|put in|fill in|confirm|choose|select|add|give)\b[^.!?]{0,50}\b(?:card|bank|iban|cvv|account|balance)\b|\b(?:receive|get|release|accept|releases) (?:the |your )?(?:money|payment|funds)\b|\bthe difference to\b|\bsend the rest on\b/,
  ],
  deposit_unseen: [
    /\b(?:keys?)\b[^.!?]{0,60}\b(?:by courier|by post|by mail|is sent|are sent|sends the keys|delivered|come by|ups|dhl)\b|\b(?:abroad|another country|overseas|out of (?:the )?country|moved to another)\b[^!?]{0,120}\b(?:show|viewing|view|meet)\b|\b(?:can't|cannot|can not|unable to) (?:show|come to show|meet)\b[^!?]{0,120}\b(?:keys|deposit|agency)|\bdeposit\b[^.!?]{0,60}\b(?:before|holds?|to hold|reserve)\b[^.!?]{0,40}\b(?:viewing|view|flat|apartment|house|unit)/,
    /\b(?:flat|apartment|house|rooms?|property|lease|rent|unit|studio)\b/,
    /\b(?:deposit|first month|transfer|pay|reservation)\b/,
  ],
  personal_threat:
    /\byou(?:'ll| will) (?:be sorry|regret (?:it|this))|\bi know where you (?:live|work|sleep)|\b(?:look|watch) (?:behind you|your back)|\bnobody would miss you|\bif i can't have you|\byou are (?:filth|worthless|pathetic|too stupid|disgusting|a (?:disgrace|waste))|\bthinks you are filth|\bkill yourself|\bi(?:'ll| will| am going to|'m going to) (?:hurt|kill|destroy|ruin) you|\bgo back to (?:the hole|where you)|\byou (?:will|'re going to) pay for this|\bi know when you (?:come|leave|are)|\bi was outside (?:your|yesterday)|\bpeople laugh when you|\bi will write to you each day|\byou people do not belong|\bthe way your (?:girl|son|daughter|child)/,
}
