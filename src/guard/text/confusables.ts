/** Letters and digits that look like Latin ones (a selection from Unicode's confusables, UTS #39 §4), and keys that are equal for look-alikes. */
import { nfkc } from '../../lib/normalize.js'

/** Look-alikes, each string parallel to the Latin letters before it. NFKC handles fullwidth and mathematical letters. */
// prettier-ignore
const PAIRS: [latin: string, lookalikes: string][] = [
  // Cyrillic
  ['abcdehijklmopqstvwxyeihgrben', 'авсԁеһіјкӏморԛѕтѵԝхуёїнԍгьҽп'],
  ['ABCEHIJKMOPSTYXQWGVD', 'АВСЕНІЈКМОРЅТУХԚԜԌѴԀ'],
  // Greek
  ['abenikvoptuxycjouw', 'αβεηικνορτυχγϲϳσμω'],
  ['ABEZHIKMNOPTYXC', 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ'],
  // Armenian
  ['onuhqgjwSOLU', 'օոսհզցյաՏՕԼՍ'],
  // Cherokee
  ['DRTAJEWMHYGZSRbVLCPKBSd', 'ᎠᎡᎢᎪᎫᎬᎳᎷᎻᎽᏀᏃᏚᏒᏏᏙᏞᏟᏢᏦᏴᏕᏧ'],
  // Latin beyond ASCII without a decomposition
  ['iijgaagrliybhn', 'ıɩȷɡɑɐɢʀʟɪʏʙʜɴ'],
  ['acdejkmopstuvwzf', 'ᴀᴄᴅᴇᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢꜰ'],
  ['psvozbd', 'ƿƽʋɵʐɓɗ'],
  // Round letters of other scripts
  ['ooooo00', 'ჿഠ๐໐ס߀०'],
  // Phonetic extensions, as generators of fancy text use them
  ['ceefghjklmnoqrrstuvwzawr', 'ɕɘǝʄɠɦʝƙɭɱɳʘʠɽɾʂʈʊʌʍʐᴧɯʁ'],
  // Lisu
  ['BPDTGKJCZFMNLSRVHWXYAEIOU', 'ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ'],
  // Canadian syllabics
  ['ABCDFHJLMNPqRUVWXZ', 'ᗩᗷᑕᗪᖴᕼᒍᒪᗰᑎᑭᑫᖇᑌᐯᗯ᙭ᘔ'],
  ['IVYWBGYTSC', '\u13c6\u13d9\u13a9\u13d4\u13f4\u13b6\u13bd\u13a2\u13da\u13df'],
]
/** Independent Latin letters that are read as their plain neighbours. */
const BARRED: Record<string, string> = {
  ⱥ: 'a', ȼ: 'c', ɇ: 'e', ǥ: 'g', ɨ: 'i', ɉ: 'j', ꝁ: 'k', ⱡ: 'l', ᵽ: 'p', ꝗ: 'q', ɍ: 'r', ʉ: 'u', ɏ: 'y', ƶ: 'z', ⱨ: 'h', ⱪ: 'k', ⱬ: 'z', ɽ: 'r',
  ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't', ƀ: 'b', ƒ: 'f', ŋ: 'n', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th',
} // prettier-ignore

const LATIN_OF: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(([latin, lookalikes]) =>
    [...lookalikes].map((other, at): [string, string] => [other, latin[at] ?? '']),
  ),
)

/** Scripts with look-alikes. */
export const OTHER_SCRIPT =
  /[\u0131\u01bf\u01bd\u0237\u0250-\u02af\u0370-\u058f\u05e1\u07c0\u0966\u0d20\u0e50\u0ed0\u10ff\u13a0-\u13ff\u1400-\u167f\u1d00-\u1d27\u01dd\u0199\ua4d0-\ua4ff\ua730\ua731\uab70-\uabbf]/
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu
const LATIN = /\p{Script=Latin}/u
const ASCII_WORD = /^[A-Za-z\d]+$/

/** Small letters of Cherokee are small capitals. */
const CHEROKEE_SMALL = /[\uab70-\uabbf]/g

/** A word with look-alikes replaced by Latin letters. */
export function folded(word: string): string {
  if (!OTHER_SCRIPT.test(word)) return word
  let out = ''
  for (const character of word.replace(CHEROKEE_SMALL, (letter) => letter.toUpperCase()))
    out += LATIN_OF.get(character) ?? character
  return out
}

/**
 * Replaces look-alikes by Latin letters in words that contain Latin letters, and in mostly Latin text in words of look-alikes only. Words in their
 * own script stay.
 */
export function foldWords(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text
  const mostlyLatin = isMostlyLatin(text) || disguisedIn(text) >= 3 || isOfRareLookalikes(text)
  return text.replace(WORD, (word) => {
    if (!OTHER_SCRIPT.test(word)) return word
    if (LATIN.test(word)) return folded(word)
    const plain = mostlyLatin ? folded(word) : word
    return plain !== word && !OTHER_SCRIPT.test(plain) && LATIN.test(plain) ? plain : word
  })
}

/** Number of words that mix look-alikes with Latin letters. Short ones don't count: `μs` and `Δt` are units and symbols. */
export function disguisedIn(text: string): number {
  if (!DISGUISING_SCRIPT.test(text)) return 0
  const words = text.match(WORD) ?? []
  return words.filter(
    (word) =>
      word.length >= 4 &&
      DISGUISING_SCRIPT.test(word) &&
      LATIN.test(word) &&
      /^[a-z\d]+$/i.test(folded(withoutMarks(word))),
  ).length
}

/** Scripts of few people, in which words of nothing but look-alikes are rare. */
const RARE_SCRIPT = /[\u13a0-\u13ff\u1400-\u167f\ua4d0-\ua4ff\uab70-\uabbf]/
const RARE_SHARE = 0.8

function isOfRareLookalikes(text: string): boolean {
  if (!RARE_SCRIPT.test(text)) return false
  const words = (text.match(WORD) ?? []).filter((word) => RARE_SCRIPT.test(word))
  const alike = words.filter((word) => ASCII_WORD.test(folded(word)))
  return alike.length >= 3 && alike.length >= RARE_SHARE * words.length
}

/** Without the extensions of Latin, which Turkish and phonetic spelling need. */
const DISGUISING_SCRIPT = /[\u0370-\u058f\u13a0-\u13ff]/

function isMostlyLatin(text: string): boolean {
  let latin = 0
  let others = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) | 0x20
    if (code >= 0x61 && code <= 0x7a) latin++
    else if (code >= 0x370) others++
  }
  return latin > others
}

const MARKED = /[^\x00-\x7f]/
/** Marks on Latin letters, and letters that only differ by a bar. Marks of other scripts make other letters. */
const LATIN_MARKS = /([A-Za-z])\p{M}+/gu
const BARRED_LETTER = new RegExp(`[${Object.keys(BARRED).join('')}ØĐÐŁĦŦÆŒÞ]`, 'g')

/** Latin letters without accents and bars: `é` as `e`, `ł` as `l`. */
export function withoutMarks(text: string): string {
  if (!MARKED.test(text)) return text
  return text
    .normalize('NFD')
    .replace(LATIN_MARKS, '$1')
    .normalize('NFC')
    .replace(BARRED_LETTER, (letter) => BARRED[letter.toLowerCase()] ?? letter)
}

/**
 * The skeleton of a name: lower case, without accents, look-alikes replaced by Latin letters. Used for the question whether the letters of two names
 * look alike.
 */
export function skeleton(name: string): string {
  const plain = /^[\x00-\x7f]*$/.test(name) ? name : withoutMarks(folded(nfkc(name)))
  return folded(plain.toLowerCase())
}

// prettier-ignore
const LEET: Record<string, string> = { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '$': 's', '@': 'a', '!': 'l', '|': 'l', i: 'l' }

/**
 * A key that is equal for names that look alike: digits as the letters they resemble, `rn` as `m`, `vv` as `w`, and `i`, `l` and `1` as one. Only for
 * comparing.
 */
export function lookKey(name: string): string {
  return skeleton(name)
    .replace(/[0134578$@!|i]/g, (sign) => LEET[sign] ?? sign)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
}
