/**
 * Lures: phrases of strangers who want something from a reader, rare among people who know each other. Only for incoming mail: an agent that writes
 * about mortgages is no reason for a hold. Each is weak evidence, so no weight reaches the spam line alone unless no honest mail has the phrase.
 */
import type { FindingCode } from '../reason-codes.js'

interface Lure {
  code: FindingCode
  weight: number
  /** All must match the readable text; the pattern that fails fastest is first. */
  patterns: RegExp[]
  detail: string
}

const lure = (code: FindingCode, weight: number, detail: string, ...patterns: RegExp[]): Lure => ({
  code,
  weight,
  detail,
  patterns,
})

const ASKS = /\b(?:click|log-?in|sign-?in|verify|validate|confirm|upgrade|update|re-?activate|restore|follow)\b/

export const LURES: readonly Lure[] = [
  lure(
    'mailbox_full',
    0.5,
    'says that a mailbox is full or at its limit, and what to do about it',
    /(?:mail ?box|e-?mail|inbox|storage|quota)[^.!?]{0,60}(?:exceeded|almost full|is full|running out|over ?quota|limit (?:is )?reached)|exceeded (?:its|your|the) (?:[a-z]{1,20} ){0,3}(?:limit|quota|storage)/,
    ASKS,
  ),
  lure(
    'password_expires',
    0.5,
    'says that a password expires, and where to keep it',
    / password/,
    /password (?:(?:will|is|has|about|set|due|to|be) ){0,4}expir/,
    /\b(?:click|keep|validate|re-?validate|retain)\b/,
  ),
  lure(
    'mailbox_to_validate',
    0.45,
    'asks to validate or upgrade a mailbox',
    /mail/,
    /\b(?:re-?)?(?:validate|verify|upgrade|confirm|update) (?:(?:your|the|of|our) ){0,2}(?:[a-z]{1,20} )?(?:e-?mail|mail ?box|webmail)(?: accounts?)?\b(?! address)/,
    /\b(?:click|log-?in|password|account|administrator|help ?desk|quota)\b/,
  ),
  lure(
    'messages_withheld',
    0.45,
    'says that messages are held back until something is done',
    /(?:pending|undelivered|incoming|blocked|unread|suspended|important) (?:e-?mails?|mails|messages?)[^.!?]{0,80}(?:pending|delay|release|hold|server|retrieve|deliver)/,
    /\b(?:click|log-?in|sign-?in|release|retrieve)\b/,
  ),
  lure(
    'account_data_request',
    0.4,
    'asks to check or complete account data',
    /\b(?:check|update|verify|confirm|complete|review|restore|re-?confirm) (?:your |the |my )(?:[a-z]{1,20} ){0,2}(?:account|information|details|identity|profile|data|records?|access)\b/,
    /\b(?:click|link below|log-?in|sign-?in|bank|security|suspend|suspended|limited|inaccurate|unverified|unusual)\b/,
  ),
  lure(
    'impersonal_greeting',
    0.15,
    'greets a customer instead of a person',
    /\b(?:dear|attention:?|hello|attn:?) (?:our |valued |esteemed )?(?:customer|client|user|e-?mail user|member|card ?holder|account (?:holder|owner|user)|web ?mail|beneficiary|friend|winner)\b/,
  ),
  lure('click_here', 0.1, 'tells the reader to click here', /\bclick (?:here|below|the link|on the link|this link)\b/),
  lure(
    'removal_by_reply',
    0.3,
    'offers removal from a list that the recipient did not join',
    /\bremove/,
    /(?:wish|want|prefer|like) (?:not )?to be (?:removed|taken off)|(?:be|get) removed from (?:our|this|future|the|all)|"?remove"? (?:in|as) (?:the|your) subject|(?:type|word|reply with|put) "?remove\b|removal instructions|received (?:this|it) in error[^.!?]{0,60}remove/,
  ),
  lure(
    'law_quoted',
    0.45,
    'cites a law to show that it is no spam',
    /(?:bill s\.? ?1618|section 301[^.!?]{0,80}(?:mail|s\. ?1618)|cannot be considered spam|not (?:be )?considered spam)/,
  ),
  lure(
    'loan_offer',
    0.4,
    'offers loans or debt relief',
    /refinanc|lowest (?:mortgage |interest )?rates|mortgage (?:rates?|loans?|quotes?|lenders?)|consolidat(?:e|ion)[^.!?]{0,30}(?:debts?|bills)|out of debt|debt[- ](?:free|relief)|bad credit|low rate|pre-?approved/,
    /\b(?:apply|free|no (?:cost|obligation)|approved|approval|save|qualify|quote|click|today)\b/,
  ),
  lure(
    'insurance_offer',
    0.4,
    'offers insurance or a warranty',
    /(?:life|auto|health|car) insurance|extended warranty/,
    /free (?:\w{1,20} ){0,2}quote|save up to|lowest|save (?:hundreds|thousands)/,
  ),
  lure(
    'body_promises',
    0.45,
    'promises a better body or love life',
    /\bpenis\b|enlarge(?:ment)? (?:your|pills?|patch)|increase your (?:size|sperm|sex)|sexual (?:performance|desire|stamina)|human growth hormone|\bhgh\b|lose weight (?:fast|while)|burn fat|anti-?aging|all[- ]natural (?:formula|herbal|product)|herbal (?:viagra|remed|supplement)/,
  ),
  lure(
    'adult_offer',
    0.5,
    'advertises sex',
    /\bxxx\b|hard ?core|porn|\bsex\b|nude|naked|horny|singles|adult (?:site|movies?|dvds?|entertainment)/,
    /(?:hot|nude|naked|horny|sexy|young|live) (?:girls|teens|women|wives|babes|moms|singles|sex)|\bxxx\b[^.!?]{0,40}(?:site|video|free|hot|action|movies?|pics|dvds?)|(?:hot|free)(?: hard ?core)? (?:porn|xxx)|lonely (?:wives|housewives)|meet (?:local )?singles|over 18|must be (?:at least )?(?:18|21)/,
    /\b(?:click|free|join|visit|site|here|http|www)/,
  ),
  lure(
    'stock_tip',
    0.45,
    'promotes a stock',
    /\b(?:stock|shares?|otc|symbol)\b/,
    /strong buy|(?:price target|target price|current(?:ly)?(?: price)?|trading at)[^.!?]{0,20}\$ ?\d?\.|hot stock|stock (?:alert|pick)|penny stocks?|otc ?bb|pink ?sheets?|forward[- ]looking statements/,
    /\b(?:alert|breakout|explosive|undervalued|about to|huge|massive|don't miss|paid|compensated)\b/,
  ),
  lure(
    'cheap_software',
    0.45,
    'sells software far below its price',
    /software/,
    /\boem\b|(?:photoshop|acrobat|windows xp|office (?:xp|20\d\d|pro)|norton|autocad)[^!?]{0,60}\$ ?\d{1,3}\b/,
    /cheap|lowest|retail price|(?:our|special) price|you save|% off/,
  ),
  lure(
    'bought_degree',
    0.6,
    'sells degrees',
    /diploma|degree/,
    /no (?:required )?(?:tests|exams|classes|books|study)|non-?accredited|life experience/,
  ),
  lure(
    'home_business',
    0.4,
    'promises riches from home',
    /home[- ]?based business|business opportunity|(?:extra|residual|unlimited|passive|six[- ]figure) (?:income|earnings)|income (?:opportunity|potential)|multi-?level|\bmlm\b|quit your job|get rich|money[- ]making|financial(?:ly)? (?:independent|independence)/,
  ),
  lure(
    'address_selling',
    0.5,
    'sells addresses or bulk mailing',
    /(?:bulk|mass) e-?mail(?:ing|er)?s?\b[^.!?]{0,80}(?:service|software|server|friendly|campaign|list)|million (?:e-?mail |fresh |opt-in )*(?:addresses|emails)|e-?mail (?:addresses|lists?) (?:on cd|for sale)|search engines? (?:submission|ranking|placement)/,
  ),
  lure(
    'sales_pressure',
    0.2,
    'urges to buy',
    /(?:order|call|act|buy|reply|sign up) (?:now|today)\b|toll[- ]free|money[- ]?back guarantee|special offer|limited time|while supplies last|don't (?:delay|miss)|save up to \d{2}|\d{2}% off|absolutely free|no cost|free (?:trial|sample|gift|bonus|report|information)|lowest prices?/,
  ),
  lure(
    'fund_transfer',
    0.5,
    'looks for a partner to move a fortune',
    /\b(?:fund|funds|money|sum|inheritance|estate|consignment)\b/,
    /(?:foreign|trusted|reliable|god[- ]fearing|business) (?:partner|person|account)|your (?:assistance|co-?operation|urgent|kind|honest)|next of kin|to contact you|contacting you|\bproposal\b/,
    /(?:million|thousand|,000,000|,000\.00)/,
    /\b(?:transfer|transferred|move|moved|claim|deposit(?:ed)?|invest)\b/,
    /\b(?:nigeria|ghana|lagos|abuja|ivory coast|cote d'ivoire|south africa|sierra leone|zimbabwe|burkina faso|benin|togo|congo|liberia|angola|iraq|libya|security company|barrister|late (?:president|general|husband|father|client|dr|mr|engr)|deceased|next of kin|over[- ]?invoiced|% of the|% for (?:you|your))\b/,
  ),
  lure(
    'prize_won',
    0.5,
    'announces a prize or payment that waits',
    /lotter|lotto|sweepstake|e-?mail draw|prize|award/,
    /\byou(?:r (?:e-?mail|address|name|ticket)[^.!?]{0,80})?(?:'ve| have| has)? (?:just |been )?(?:won|win\b|selected|chosen)|\b(?:lucky|winning) (?:winner|number|ticket|e-?mail)|batch n/,
    /claim|batch|ticket number|reference number|fiduciary/,
  ),
]
