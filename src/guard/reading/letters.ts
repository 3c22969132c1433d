/** Words that are written so that programs don't find them: letters set apart by spaces or signs, digits for letters. */
import { unitsOf } from '../../lib/units.js'

/** Letters that are each followed by the same sign. Wider gaps are those between words. */
const APART =
  /(?<![\p{L}\p{N}@/:.\-_])\p{L}([ .\-_*·|\u2022~^+\\])(?:\p{L}\1){2,60}\p{L}(?![\p{L}\p{N}@/\-_]|\.\p{L})/gu
const IS_APART_SIGN = new Uint8Array(1 << 16)
for (const sign of ' .-_*\u00b7|\u2022~^+\\') IS_APART_SIGN[sign.charCodeAt(0)] = 1
/** The same for letters beyond the basic plane, which take two units each. */
const MAY_BE_PAIRS_APART = /\p{L}([ .\-_*\u00b7|\u2022~^+\\])\p{L}\1\p{L}\1\p{L}/u

export interface Joined {
  text: string
  /** Number of words that were not written plainly. */
  words: number
}

/** @param text before its white space is reduced, since wide gaps separate words */
export function withJoinedLetters(text: string): Joined {
  if (!mayBeApart(text)) return { text, words: 0 }
  let words = 0
  const joined = text.replace(APART, (word, sign: string) => {
    words++
    return word.split(sign).join('')
  })
  return { text: joined, words }
}

/** True if a text has the same sign between four letters or so: only then the pattern is tried. */
function mayBeApart(text: string): boolean {
  const units = unitsOf(text)
  let greatest = 0
  for (let at = 1; at < units.length - 4; at++) {
    const sign = units[at] ?? 0
    if (sign > greatest) greatest = sign
    if (sign !== units[at + 2] || sign !== units[at + 4] || IS_APART_SIGN[sign] === 0) continue
    if (mayBeLetter(units[at - 1]) && mayBeLetter(units[at + 1]) && mayBeLetter(units[at + 3])) return true
  }
  return greatest >= 0xd800 && MAY_BE_PAIRS_APART.test(text)
}

function mayBeLetter(unit = 0): boolean {
  const lower = unit | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (unit > 0x7f && IS_APART_SIGN[unit] === 0)
}

/** Words that lures can't do without; only these are read with digits as letters, since codes and products mix both. */
export const LURES: ReadonlySet<string> = new Set(
  (
    'account accounts password passwords passcode verify verified verification confirm confirmation suspended suspension login signin security secure ' +
    'update billing payment invoice wallet bitcoin crypto paypal amazon microsoft office apple google netflix facebook instagram whatsapp telegram ' +
    'bank banking credit debit card cards viagra cialis casino pills lottery winner prize inheritance urgent immediately click here limited blocked ' +
    'locked unlock restore expire expires expired identity information social number refund bonus free gift voucher transfer western union money ' +
    'cuenta contrasena verificar konto passwort bestatigen compte verifier wachtwoord rekening senha conta'
  ).split(' '),
)
const MAX_PART_CHARS = 12
const MAX_SIGNS = 3
const SIGNS: Record<string, string> = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', $: 's', '@': 'a' }
/** Of ASCII characters. */
const [LETTER, SIGN] = [1, 2]
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z]/.test(character) ? LETTER : /[0134578$@!|]/.test(character) ? SIGN : 0
})
const WITHIN = /[\p{L}\p{N}@/._-]/u
const WITHIN_BELOW = /[\p{L}\p{N}@/_-]/u

/** @param text in lower case */
export function withoutLeet(text: string): Joined {
  const mixed = mixedWordsIn(text)
  let words = 0
  let plain = ''
  let done = 0
  for (const [start, end] of mixed) {
    const meant = meantBy(text, start, end)
    if (meant === undefined) continue
    words++
    plain += text.slice(done, start) + meant
    done = end
  }
  return { text: words === 0 ? text : plain + text.slice(done), words }
}

/** Bounds of the words of letters, a sign and more of both; none where no sign is between letters. Hand-written, since every message is read by it. */
function mixedWordsIn(text: string): [start: number, end: number][] {
  const units = unitsOf(text)
  const found: [start: number, end: number][] = []
  let isBetweenLetters = false
  let done = 0
  for (let at = 1; at < units.length - 1; at++) {
    if (kindAt(units, at) !== SIGN || kindAt(units, at - 1) !== LETTER) continue
    let signs = 1
    while (signs <= MAX_SIGNS && kindAt(units, at + signs) === SIGN) signs++
    if (signs <= MAX_SIGNS && kindAt(units, at + signs) === LETTER) isBetweenLetters = true
    if (kindAt(units, at + 1) === 0) continue
    let start = at - 1
    while (start > 0 && at - start <= MAX_PART_CHARS && kindAt(units, start - 1) === LETTER) start--
    if (start < done || at - start > MAX_PART_CHARS || isOfWord(units[start - 1])) continue
    done = at + 2
    while (done - at <= MAX_PART_CHARS && kindAt(units, done) !== 0) done++
    found.push([start, done])
  }
  return isBetweenLetters ? found : []
}

function kindAt(units: Uint16Array, at: number): number {
  const unit = at < units.length ? (units[at] ?? 0) : 0
  return unit < 128 ? (KINDS[unit] ?? 0) : 0
}

/** As `\b` takes it. */
function isOfWord(unit = 0): boolean {
  const lower = unit | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f
}

function meantBy(text: string, start: number, to: number): string | undefined {
  if (WITHIN.test(text.charAt(start - 1)) || WITHIN_BELOW.test(text.charAt(to))) return undefined
  const word = text.slice(start, to)
  const end = /[!|]*$/.exec(word)?.[0] ?? ''
  const base = word.slice(0, word.length - end.length).replace(/[034578$@]/g, (sign) => SIGNS[sign] ?? sign)
  const meant = [base.replace(/[1!|]/g, 'i'), base.replace(/[1!|]/g, 'l')].find((each) => LURES.has(each))
  return meant === undefined || meant === word.slice(0, meant.length) ? undefined : meant + end
}
