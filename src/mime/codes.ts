/**
 * One-time codes: what an agent waits for when it signs up somewhere. A code is 4 to 8 digits or capitals next to a word that says so, in
 * the same line or alone on a line near one. Numbers without such a word (years, prices, telephone and order numbers) are none.
 */

const MAX_CHARS = 20_000
const MAX_LINE_CHARS = 1000
const MAX_CODES = 10
/** How far from the word that announces it, in characters of the same line. */
const REACH_AFTER = 80
const REACH_BEFORE = 50
/** How far for a code on a line of its own, in written lines. */
const LINES_AFTER = 4
const LINES_BEFORE = 2

/** Words of a code, whole. In many languages they are also the last part of a compound: Bestätigungscode, verificatiecode, bekræftelseskode. */
const KEYWORD =
  /(?<![\p{L}\p{N}])(?:\p{L}*(?:codes?|kode[nrt]?|kod(?:en|u|unuz|unu|em|y)?|kód(?:ja|od|om|u)?|koodi(?:si|nne)?|código|códigos|codice|codigo|passcode|passord|passwort|hasło)|otp|pin|tan|mfa|2fa|one[- ]time (?:password|passcode|pin)|verification|kontrollnummer|код[аыуе]?|пароль|підтвердження|κωδικός|mã|รหัส|कोड|رمز|الرمز|קוד)(?![\p{L}\p{N}])|验证码|驗證碼|校验码|校驗碼|动态码|動態密碼|认证码|確認コード|認証コード|ワンタイム|認証番号|暗証番号|인증번호|인증 ?코드|확인 ?코드|보안 ?코드/giu
/** Words in front of "code" (or the whole word) that make it something else. */
const OTHER_CODE =
  /(?:zip|post(?:al|leit)?|bar|qr|promo(?:tion(?:al)?)?|discount|coupon|gift|voucher|country|area|dialling|dialing|source|error|status|exit|response|http|color|colour|product|tracking|booking|reservation|order|dress|sort|swift|bic|tax|referral|invite|rabatt|gutschein|aktions|fehler|quell|land(?:es)?|kunden|uni|en|de|byte|machine|morse|building|genetic|legal|civil|penal|conduct)[\s-]?$/iu
/** Words right in front of a number that make it something else than a code. */
const OTHER_NUMBER =
  /(?:order|invoice|ticket|case|account|customer|reference|ref|bestell|rechnung(?:s)?|kunden|auftrags|commande|facture|pedido|factura|ordine|fattura|заказ[а]?|room|suite|floor|apt|box|version|build|page|line|extension|ext|port|phone|tel|fax|call|copyright|©|in|since|year|until|by|of|for|from)\s?(?:number|no|nr|id|num(?:éro|ero)?|#|№|n°)?[.:#]?\s?#?$/iu
const CANDIDATE =
  /(?<![\p{L}\p{N}@#/_.,:=&?%+€$£¥-])(?:[A-Z]{1,2}-(?=\d{4,8}(?!\d)))?(\d{3}[ \u00a0-]\d{3}|\d{4}[ \u00a0-]\d{4}|\d{4,8}|[A-Z0-9]{4}-[A-Z0-9]{4}|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,8})(?![\p{L}\p{N}@/_%€$£¥=&-]|[.,:]\d| ?(?:USD|EUR|GBP|CHF|JPY|dollars?|euros?|minutes?|min|hours?|days?|Uhr|h)(?!\p{L})| ?[€$£¥]|[ \u00a0]\d)/gu
/** Cheap to test, so that most lines cost nothing. */
const MAY_HOLD_CODE = /\d|[A-Z]{4}-[A-Z]{4}/
/** `code: 4711`, `code is 4711`, `code ist: 4711`: nothing else can be meant. */
const DIRECT = /(?:[:：]|\b(?:is|are|ist|lautet|est|es|è|é|er|är|to|on|jest)|是|は|为|為|—|–|=)\s{0,4}["'“«*]{0,3}$/iu

export function findCodes(subject: string, text: string): string[] {
  const lines = [subject, ...text.slice(0, MAX_CHARS).split('\n')]
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const found = new Map<number, Word[]>()
  const announcing = (at: number): Word[] => {
    const line = lines[at] ?? ''
    const words = found.get(at) ?? (line.length > MAX_LINE_CHARS ? [] : keywords(line))
    found.set(at, words)
    return words
  }
  const codes = new Set<string>()
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LINE_CHARS || !MAY_HOLD_CODE.test(line)) continue
    for (const match of line.matchAll(CANDIDATE)) {
      const fits = isAlone(line, match[0])
        ? range(at - LINES_AFTER, at + LINES_BEFORE).some((near) => announcing(near).length > 0)
        : announcedInLine(line, match.index, match.index + match[0].length, announcing(at))
      if (fits) codes.add(normalise(match[1] ?? ''))
      if (codes.size === MAX_CODES) return [...codes]
    }
  }
  return [...codes]
}

interface Word {
  start: number
  end: number
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Where the words that announce a code stand in a line. */
function keywords(line: string): Word[] {
  const found: Word[] = []
  for (const match of line.matchAll(KEYWORD)) {
    const compound = /^(\p{L}*)(?:code|kode|kod)/iu.exec(match[0])?.[1] ?? ''
    if (OTHER_CODE.test(compound) || OTHER_CODE.test(line.slice(Math.max(0, match.index - 24), match.index))) continue
    found.push({ start: match.index, end: match.index + match[0].length })
  }
  return found
}

function announcedInLine(line: string, start: number, end: number, near: Word[]): boolean {
  const before = line.slice(Math.max(0, start - 40), start)
  const between = near.filter((word) => word.end <= start && start - word.end <= REACH_AFTER)
  if (between.length > 0 && DIRECT.test(before)) return true
  const number = line.slice(start, end)
  if (/^(?:19|20)\d{2}$/.test(number) || OTHER_NUMBER.test(before))
    return between.some((word) => /^\s*$/.test(line.slice(word.end, start)))
  return between.length > 0 || near.some((word) => word.start >= end && word.start - end <= REACH_BEFORE)
}

/** The line holds nothing but the candidate, apart from punctuation and marks of emphasis. */
function isAlone(line: string, candidate: string): boolean {
  return line.replace(candidate, '').replace(/[\s*_"'“”«»()[\]<>|.:=-]/g, '') === ''
}

/** As it is typed: the gap between groups of digits is for reading, the dash between groups of letters belongs to it. */
function normalise(code: string): string {
  return /^[\d\s\u00a0-]+$/.test(code) ? code.replace(/\D/g, '') : code
}
