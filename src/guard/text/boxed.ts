/** Letters in circles, squares, parentheses and of flags, which NFKC leaves alone or takes for others, and signs of currencies as letters. */

/** Circles and squares with white letters, and squares and parentheses of capitals. */
const BOXED = /\ud83c[\udd10-\udd29\udd30-\udd49\udd50-\udd69\udd70-\udd89]/g
const PARENTHESISED = /[\u249c-\u24b5]/g
/** Letters of flags; invisible characters between them keep programs from showing flags. */
const FLAGS = /(?:\ud83c[\udde6-\uddff][\u200b-\u200d\u2060\ufe0e]?)+/g
const FLAG_LETTER = /\ud83c([\udde6-\uddff])[\u200b-\u200d\u2060\ufe0e]?/g
/** Signs of currencies as generators of fancy text use them. */
const MONEY: Readonly<Record<string, string>> = {
  '\u0e3f': 'b', '\u20a3': 'f', '\u20a5': 'm', '\u20a6': 'n', '\u20a9': 'w', '\u20ad': 'k', '\u20ae': 't', '\u20b1': 'p', '\u20b2': 'g',
  '\u20b3': 'a', '\u20b4': 's', '\u20b5': 'c',
} // prettier-ignore
const SIGN = `[${Object.keys(MONEY).join('')}]`
/** Next to a letter, and not before an amount. */
const LETTERS_OF_MONEY = new RegExp(
  `(?:(?<=[\\p{Script=Latin}${SIGN.slice(1)})${SIGN}|${SIGN}(?=[\\p{Script=Latin}${SIGN.slice(1)}))(?!\\p{N})`,
  'gu',
)
const IS_MONEY = new RegExp(SIGN)

export function unboxed(text: string): string {
  let plain = text
  if (text.includes('\ud83c')) {
    plain = plain.replace(BOXED, (letter) => {
      const code = letter.charCodeAt(1)
      return letterAt((code - 0xdd10) % 0x20)
    })
    plain = plain.replace(FLAGS, (run) => (isWord(run) ? run.replace(FLAG_LETTER, (_, unit: string) => letterAt(unit.charCodeAt(0) - 0xdde6)) : run)) // prettier-ignore
  }
  plain = plain.replace(PARENTHESISED, (letter) => letterAt(letter.charCodeAt(0) - 0x249c))
  return IS_MONEY.test(plain) ? plain.replace(LETTERS_OF_MONEY, (sign) => MONEY[sign] ?? sign) : plain
}

const letterAt = (index: number): string => String.fromCharCode(0x61 + index)

let regions: Intl.DisplayNames | undefined

/** Flags stand in pairs that are names of countries; letters of words do not. */
function isWord(run: string): boolean {
  const letters = [...run.matchAll(FLAG_LETTER)].map(([whole, unit = '']) => ({ letter: letterAt(unit.charCodeAt(0) - 0xdde6).toUpperCase(), isSet: whole.length > 2 })) // prettier-ignore
  if (letters.length < 2) return false
  if (letters.length % 2 === 1 || letters.some(({ isSet }) => isSet)) return true
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (let at = 0; at < letters.length; at += 2)
    if (regions.of(`${letters[at]?.letter}${letters[at + 1]?.letter}`) === undefined) return true
  return false
}

/** True for a sign that is a letter next to letters. */
export function mayBeLetter(character: string): boolean {
  return character in MONEY
}

/** The letter in parentheses of a character; undefined for any other. */
export function letterInParentheses(unit: number): string | undefined {
  return unit >= 0x249c && unit <= 0x24b5 ? letterAt(unit - 0x249c) : undefined
}
