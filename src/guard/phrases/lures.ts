/**
 * Lures: phrases of strangers who want something from a reader, rare among people who know each other. Only for incoming mail: an agent that writes
 * about mortgages is no reason for a hold. Each is weak evidence, so no weight reaches the spam line alone unless no honest mail has the phrase.
 */
import { entriesOf, found, type FindingCode } from '../reason-codes.js'
import type { Finding } from '../finding.js'
import { ENGLISH } from './languages/english.js'
import { createRules } from './rules.js'

interface Lure {
  code: FindingCode
  weight: number
  /** All must match the readable text; the pattern that fails fastest is first. */
  patterns: RegExp[]
  detail: string
}

const ASKS = /\b(?:click|log-?in|sign-?in|verify|validate|confirm|upgrade|update|re-?activate|restore|follow)\b/

export const LURES: readonly Lure[] = [
  {
    code: 'mailbox_full',
    weight: 0.5,
    detail: 'says that a mailbox is full or at its limit, and what to do about it',
    patterns: [
      /(?:mail ?box|e-?mail|inbox|storage|quota)[^.!?]{0,60}(?:exceeded|almost full|is full|running out|over ?quota|limit (?:is )?reached)|exceeded (?:its|your|the) (?:[a-z]{1,20} ){0,3}(?:limit|quota|storage)/,
      ASKS,
    ],
  },
  {
    code: 'password_expires',
    weight: 0.5,
    detail: 'says that a password expires, and where to keep it',
    patterns: [
      / password/,
      /password (?:(?:will|is|has|about|set|due|to|be) ){0,4}expir/,
      /\b(?:click|keep|validate|re-?validate|retain)\b/,
    ],
  },
  {
    code: 'mailbox_to_validate',
    weight: 0.45,
    detail: 'asks to validate or upgrade a mailbox',
    patterns: [
      /mail/,
      /\b(?:re-?)?(?:validate|verify|upgrade|confirm|update) (?:(?:your|the|of|our) ){0,2}(?:[a-z]{1,20} )?(?:e-?mail|mail ?box|webmail)(?: accounts?)?\b(?! address)/,
      /\b(?:click|log-?in|password|account|administrator|help ?desk|quota)\b/,
    ],
  },
  {
    code: 'messages_withheld',
    weight: 0.45,
    detail: 'says that messages are held back until something is done',
    patterns: [
      /(?:pending|undelivered|incoming|blocked|unread|suspended|important) (?:e-?mails?|mails|messages?)[^.!?]{0,80}(?:pending|delay|release|hold|server|retrieve|deliver)/,
      /\b(?:click|log-?in|sign-?in|release|retrieve)\b/,
    ],
  },
  {
    code: 'account_data_request',
    weight: 0.4,
    detail: 'asks to check or complete account data',
    patterns: [
      /\b(?:check|update|verify|confirm|complete|review|restore|re-?confirm) (?:your |the |my )(?:[a-z]{1,20} ){0,2}(?:account|information|details|identity|profile|data|records?|access)\b/,
      /\b(?:click|link below|log-?in|sign-?in|bank|security|suspend|suspended|limited|inaccurate|unverified|unusual)\b/,
    ],
  },
  {
    code: 'impersonal_greeting',
    weight: 0.15,
    detail: 'greets a customer instead of a person',
    patterns: [
      /\b(?:dear|attention:?|hello|attn:?) (?:our |valued |esteemed )?(?:customer|client|user|e-?mail user|member|card ?holder|account (?:holder|owner|user)|web ?mail|beneficiary|friend|winner)\b/,
    ],
  },
  {
    code: 'click_here',
    weight: 0.1,
    detail: 'tells the reader to click here',
    patterns: [/\bclick (?:here|below|the link|on the link|this link)\b/],
  },
  {
    code: 'removal_by_reply',
    weight: 0.3,
    detail: 'offers removal from a list that the recipient did not join',
    patterns: [
      /\bremove/,
      /(?:wish|want|prefer|like) (?:not )?to be (?:removed|taken off)|(?:be|get) removed from (?:our|this|future|the|all)|"?remove"? (?:in|as) (?:the|your) subject|(?:type|word|reply with|put) "?remove\b|removal instructions|received (?:this|it) in error[^.!?]{0,60}remove/,
    ],
  },
  {
    code: 'law_quoted',
    weight: 0.45,
    detail: 'cites a law to show that it is no spam',
    patterns: [
      /(?:bill s\.? ?1618|section 301[^.!?]{0,80}(?:mail|s\. ?1618)|cannot be considered spam|not (?:be )?considered spam)/,
    ],
  },
  {
    code: 'loan_offer',
    weight: 0.4,
    detail: 'offers loans or debt relief',
    patterns: [
      /refinanc|lowest (?:mortgage |interest )?rates|mortgage (?:rates?|loans?|quotes?|lenders?)|consolidat(?:e|ion)[^.!?]{0,30}(?:debts?|bills)|out of debt|debt[- ](?:free|relief)|bad credit|low rate|pre-?approved/,
      /\b(?:apply|free|no (?:cost|obligation)|approved|approval|save|qualify|quote|click|today)\b/,
    ],
  },
  {
    code: 'insurance_offer',
    weight: 0.4,
    detail: 'offers insurance or a warranty',
    patterns: [
      /(?:life|auto|health|car) insurance|extended warranty/,
      /free (?:\w{1,20} ){0,2}quote|save up to|lowest|save (?:hundreds|thousands)/,
    ],
  },
  {
    code: 'body_promises',
    weight: 0.45,
    detail: 'promises a better body or love life',
    patterns: [
      /\bpenis\b|enlarge(?:ment)? (?:your|pills?|patch)|increase your (?:size|sperm|sex)|sexual (?:performance|desire|stamina)|human growth hormone|\bhgh\b|lose weight (?:fast|while)|burn fat|anti-?aging|all[- ]natural (?:formula|herbal|product)|herbal (?:viagra|remed|supplement)/,
    ],
  },
  {
    code: 'adult_offer',
    weight: 0.5,
    detail: 'advertises sex',
    patterns: [
      /\bxxx\b|hard ?core|porn|\bsex\b|nude|naked|horny|singles|adult (?:site|movies?|dvds?|entertainment)/,
      /(?:hot|nude|naked|horny|sexy|young|live) (?:girls|teens|women|wives|babes|moms|singles|sex)|\bxxx\b[^.!?]{0,40}(?:site|video|free|hot|action|movies?|pics|dvds?)|(?:hot|free)(?: hard ?core)? (?:porn|xxx)|lonely (?:wives|housewives)|meet (?:local )?singles|over 18|must be (?:at least )?(?:18|21)/,
      /\b(?:click|free|join|visit|site|here|http|www)/,
    ],
  },
  {
    code: 'stock_tip',
    weight: 0.45,
    detail: 'promotes a stock',
    patterns: [
      /\b(?:stock|shares?|otc|symbol)\b/,
      /strong buy|(?:price target|target price|current(?:ly)?(?: price)?|trading at)[^.!?]{0,20}\$ ?\d?\.|hot stock|stock (?:alert|pick)|penny stocks?|otc ?bb|pink ?sheets?|forward[- ]looking statements/,
      /\b(?:alert|breakout|explosive|undervalued|about to|huge|massive|don't miss|paid|compensated)\b/,
    ],
  },
  {
    code: 'cheap_software',
    weight: 0.45,
    detail: 'sells software far below its price',
    patterns: [
      /software/,
      /\boem\b|(?:photoshop|acrobat|windows xp|office (?:xp|20\d\d|pro)|norton|autocad)[^!?]{0,60}\$ ?\d{1,3}\b/,
      /cheap|lowest|retail price|(?:our|special) price|you save|% off/,
    ],
  },
  {
    code: 'bought_degree',
    weight: 0.6,
    detail: 'sells degrees',
    patterns: [
      /diploma|degree/,
      /no (?:required )?(?:tests|exams|classes|books|study)|non-?accredited|life experience/,
    ],
  },
  {
    code: 'home_business',
    weight: 0.4,
    detail: 'promises riches from home',
    patterns: [
      /home[- ]?based business|business opportunity|(?:extra|residual|unlimited|passive|six[- ]figure) (?:income|earnings)|income (?:opportunity|potential)|multi-?level|\bmlm\b|quit your job|get rich|money[- ]making|financial(?:ly)? (?:independent|independence)/,
    ],
  },
  {
    code: 'address_selling',
    weight: 0.5,
    detail: 'sells addresses or bulk mailing',
    patterns: [
      /(?:bulk|mass) e-?mail(?:ing|er)?s?\b[^.!?]{0,80}(?:service|software|server|friendly|campaign|list)|million (?:e-?mail |fresh |opt-in )*(?:addresses|emails)|e-?mail (?:addresses|lists?) (?:on cd|for sale)|search engines? (?:submission|ranking|placement)/,
    ],
  },
  {
    code: 'sales_pressure',
    weight: 0.2,
    detail: 'urges to buy',
    patterns: [
      /(?:order|call|act|buy|reply|sign up) (?:now|today)\b|toll[- ]free|money[- ]?back guarantee|special offer|limited time|while supplies last|don't (?:delay|miss)|save up to \d{2}|\d{2}% off|absolutely free|no cost|free (?:trial|sample|gift|bonus|report|information)|lowest prices?/,
    ],
  },
  {
    code: 'fund_transfer',
    weight: 0.5,
    detail: 'looks for a partner to move a fortune',
    patterns: [
      /\b(?:fund|funds|money|sum|inheritance|estate|consignment)\b/,
      /(?:foreign|trusted|reliable|god[- ]fearing|business) (?:partner|person|account)|your (?:assistance|co-?operation|urgent|kind|honest)|next of kin|to contact you|contacting you|\bproposal\b/,
      /(?:million|thousand|,000,000|,000\.00)/,
      /\b(?:transfer|transferred|move|moved|claim|deposit(?:ed)?|invest)\b/,
      /\b(?:nigeria|ghana|lagos|abuja|ivory coast|cote d'ivoire|south africa|sierra leone|zimbabwe|burkina faso|benin|togo|congo|liberia|angola|iraq|libya|security company|barrister|late (?:president|general|husband|father|client|dr|mr|engr)|deceased|next of kin|over[- ]?invoiced|% of the|% for (?:you|your))\b/,
    ],
  },
  {
    code: 'prize_won',
    weight: 0.5,
    detail: 'announces a prize or payment that waits',
    patterns: [
      /lotter|lotto|sweepstake|e-?mail draw|prize|award/,
      /\byou(?:r (?:e-?mail|address|name|ticket)[^.!?]{0,80})?(?:'ve| have| has)? (?:just |been )?(?:won|win\b|selected|chosen)|\b(?:lucky|winning) (?:winner|number|ticket|e-?mail)|batch n/,
      /claim|batch|ticket number|reference number|fiduciary/,
    ],
  },
]

const phrases = entriesOf(ENGLISH).map(([, patterns]) => patterns)

/** The phrases of English followed by the lures: one pass over incoming mail matches both. */
export const findEnglish = createRules([...phrases, ...LURES.map(({ patterns }) => patterns)])

/** @param text readable text of subject and body */
export function lureFindings(text: string): Finding[] {
  const matched = findEnglish(text)
  return LURES.flatMap(({ code, weight, detail }, index) => {
    const words = matched(phrases.length + index)
    if (words === undefined) return []
    const longest = words.reduce((most, other) => (other.length > most.length ? other : most), '')
    return [found(code, weight, detail, longest)]
  })
}
