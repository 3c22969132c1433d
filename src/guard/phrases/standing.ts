/**
 * How the words of a match stand in the text: written to the reader, denied ("we will never ask you to …"), or quoted and told of ("mails that say …"),
 * as advisories, incident reports and documentation do. Looks at a bounded stretch before and behind a match.
 */

/** Share of a rule's weight that is left. */
export const QUOTED_SHARE = 0.3

const BEFORE_CHARS = 100
const BEHIND_CHARS = 140
/** A quotation of some words; whoever quotes more says it himself. */
const MAX_QUOTATION_CHARS = 220
/** The matched words are near the start of the quotation. */
const MAX_LEAD_CHARS = 60

const CLAUSE_END = /[.!?;:。！？；：](?=\s|$|[^\x00-\x7f])/g

/** Words that deny what follows them, by language. "Do not forget to" denies nothing. */
const DENIALS: Record<string, RegExp> = {
  en: /(?:\b(?:never|not|cannot|nobody|nor|no one|none)\b|n't\b)(?! (?:only|yet|forget|hesitate|delay|wait|miss|fail|just|to worry))/,
  de: /\b(?:nie|niemals|nicht|keine?[nmrs]?|niemand|weder)\b(?! (?:nur|vergessen|zogern|warten))/,
  fr: /\b(?:jamais|ne|aucune?|personne|n')(?![a-z])(?! (?:oubliez|tardez|hesitez|manquez))/,
  es: /\b(?:nunca|jamas|no|nadie|ningun|ninguna)\b(?! (?:olvide|dude|tarde|solo|deje|espere))/,
  it: /\b(?:mai|non|nessuno|nessuna)\b(?! (?:dimentic|esit|aspett|solo))/,
  pt: /\b(?:nunca|jamais|nao|ninguem|nenhum)\b(?! (?:esqueca|hesite|deixe|demore|so))/,
  nl: /\b(?:nooit|niet|geen|niemand|noch)\b(?! (?:alleen|vergeten|wachten|aarzelen))/,
  pl: /\b(?:nigdy|nie|nikt|nikomu|zaden)\b(?! (?:zapomnij|zwlekaj|czekaj|tylko))/,
  tr: /\b(?:asla|hicbir|hic|sakin)\b/,
  ru: /(?<![а-яё])(?:никогда|не|никто|никому|ни)(?![а-яё])(?! (?:забудьте|откладывайте|медлите|только))/,
  ja: /決して|絶対に/,
  zh: /不会|不要|请勿|切勿|绝不|从不|别/,
  id: /\b(?:jangan|tidak|tak|tanpa pernah|bukan)\b(?! (?:lupa|ragu|hanya))/,
  sv: /\b(?:aldrig|inte|ingen|inga|varken)\b(?! (?:bara|glom|vanta|tveka))/,
}
/** The same where the verb comes first: "geben Sie Ihr Passwort nie weiter", "パスワードを入力しないでください". */
const DENIALS_BEHIND: Record<string, RegExp> = {
  de: /^(?: [\p{L}-]+){0,5}? (?:nie|niemals|keinesfalls|nicht (?:weiter|heraus|preis))(?!\p{L})/u,
  nl: /^(?: [\p{L}-]+){0,5}? nooit(?!\p{L})/u,
  sv: /^(?: [\p{L}-]+){0,5}? aldrig(?!\p{L})/u,
  tr: /^[^.!?]{0,30}(?:m[ae]y[iu]n|m[ae]yiz|istemey|istemez|istemiyor)/,
  ja: /^[^。]{0,20}(?:ないでください|しません|ことはありません|はございません|ありません)/,
}
/** The same within the matched words: "lämna aldrig ut dina tolv ord". */
const NEVER =
  /\b(?:never|niemals|nie|jamais|nunca|jamas|nooit|nigdy|aldrig|jangan pernah|asla|sakin)\b|никогда|決して|絶対に|绝不|切勿/

/** Before a denial these make it a condition: "if you do not confirm your account". */
const CONDITIONS: Record<string, RegExp> = {
  en: /\b(?:if|unless|until|when)\b/,
  de: /\b(?:wenn|falls|sofern|solange)\b/,
  fr: /\bsi\b/,
  es: /\bsi\b/,
  it: /\bse\b/,
  pt: /\b(?:se|caso)\b/,
  nl: /\b(?:als|indien|tenzij)\b/,
  pl: /\b(?:jesli|jezeli|gdy)\b/,
  ru: /если/,
  zh: /如果|若/,
  id: /\b(?:jika|bila|apabila|kalau)\b/,
  sv: /\bom du\b/,
}

/** Words of those who tell of abuse, before the match or behind it. */
const TOLD =
  /\b(?:scams?|scammers?|phish(?:ing|ers?)?|fraudsters?|attackers?|payloads?|injections?|jailbreaks?|red team|for (?:example|instance)|such as|some form of|e\.g\.|sample|test (?:case|report|mail|string)|(?:wanted|tells?|told|telling|trick(?:s|ed)?|asks?|asked) (?:me|people|him|her|agents|victims|customers|the (?:agent|assistant|model|bot))|(?:mails?|messages?|texts?|letters?|callers?|notes?|one|which|lines?|who|anyone|anybody|whoever|someone|somebody|claim(?:s|ed)?) (?:that |who |which )?(?:says?|said|asks?|asked|asking|telling|tells?|wants?|claims?|demands?|calls? itself|ended in|pretends?|began with)|if (?:someone|somebody|anyone|anybody|an? (?:unknown |strange )?(?:e-?mail|mail|message|text|caller|stranger|attacker)|any (?:mail|message))\b|watch out|beware|betrug\w*|betruger\w*|angreifer\w*|zum beispiel|beispielsweise|wenn (?:jemand|eine mail)|schadcode|vorfall|ubung|estafa\w*|estafadore?s?|por ejemplo|si (?:alguien|un correo|un mensaje|te piden|le piden)|arnaque\w*|escrocs?|fraudeurs?|par exemple|si (?:quelqu'un|un (?:mail|message)|on vous)|contenait|truff[ae]\w*|truffator\w*|per esempio|se (?:qualcuno|un messaggio)|golpes?|golpistas?|por exemplo|se (?:alguem|um)|oplicht\w*|bijvoorbeeld|als iemand|oszu\w{2,6}|na przyklad|jesli ktos|dolandiric\w*|ornegin|penipu\w*|misalnya|contohnya|bedrag\w{2,8}|till exempel|om nagon)\b|мошенник|например|если кто|詐欺|例えば|書かれて|诈骗|骗子|例如|写着/
const TOLD_BEHIND =
  /\b(?:is|are|was|were) (?:a |an )?(?:scam|fake|fraud|phishing|attack|attempt|not from us)\b|\b(?:report|forward) (?:it|them|such)\b|\b(?:refus|ignor|flagg|block|report)ed\b|\b(?:agent|assistant|system) (?:of \S+ )?(?:did not|saw it|put|refused)\b|gestoppt|gemeldet|entscharft|lo marco|signale|zglosil|uygulamadi|durdurdu|実行せず|拦住/

const OPENING = /["“„«‹「『`](?=\S)/g
const CLOSING: Record<string, RegExp> = {
  '"': /"/,
  '“': /[”"]/,
  '„': /[“”"]/,
  '«': /»/,
  '‹': /›/,
  '「': /」/,
  '『': /』/,
  '`': /`/,
}

/**
 * Share of its weight that a match keeps.
 *
 * @param language BCP 47
 * @param at offset of the match
 * @param isAsked it asks for something, which can be denied; reports of what happened can't
 * @returns 0 for words that are denied
 */
export function shareOf(language: string, text: string, at: number, words: string, isAsked: boolean): number {
  const before = text.slice(Math.max(0, at - BEFORE_CHARS), at)
  const behind = text.slice(at + words.length, at + words.length + BEHIND_CHARS)
  if (isAsked && isDenied(language, before, behind, words)) return 0
  return isQuoted(text, at) || TOLD.test(before) || TOLD_BEHIND.test(behind) ? QUOTED_SHARE : 1
}

function isDenied(language: string, before: string, behind: string, words: string): boolean {
  if (NEVER.test(words)) return true
  const clause = lastClause(before)
  // Behind a comma a new clause begins: "that you are no robot, press …".
  if (DENIALS[language]?.test(clause)) return CONDITIONS[language]?.test(clause) !== true && !/[,、，]\s?$/.test(clause)
  return DENIALS_BEHIND[language]?.test(`${tailOf(words)}${behind.split(/[.,!?;]/, 1)[0] ?? ''}`) === true
}

/** The last word may carry the denial, as in Turkish. */
function tailOf(words: string): string {
  const at = words.lastIndexOf(' ')
  return at === -1 ? '' : words.slice(at)
}

function lastClause(before: string): string {
  let from = 0
  for (const end of before.matchAll(CLAUSE_END)) from = end.index + 1
  return before.slice(from)
}

/** True for words near the start of a short quotation. */
function isQuoted(text: string, at: number): boolean {
  const from = Math.max(0, at - MAX_LEAD_CHARS)
  let sign: string | undefined
  let opened = 0
  for (const found of text.slice(from, at + 1).matchAll(OPENING)) {
    const place = from + found.index
    // A straight quotation mark opens behind white space only.
    if (found[0] === '"' && place > 0 && !/[\s([:—–-]/.test(text[place - 1] ?? '')) continue
    sign = found[0]
    opened = place
  }
  const closing = sign === undefined ? undefined : CLOSING[sign]
  if (closing === undefined) return false
  const length = text.slice(opened + 1, opened + 1 + MAX_QUOTATION_CHARS).search(closing)
  return length !== -1 && opened + 1 + length >= at
}
