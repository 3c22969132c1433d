/** Words that are written so that programs don't find them: letters set apart by spaces or signs, digits for letters. */

/** Letters that are each followed by the same sign. Wider gaps are those between words. */
const APART =
  /(?<![\p{L}\p{N}@/:.\-_])\p{L}([ .\-_*·|\u2022~^+\\])(?:\p{L}\1){2,60}\p{L}(?![\p{L}\p{N}@/\-_]|\.\p{L})/gu
const MAY_BE_APART = /(?:^|[^\p{L}\p{N}])\p{L}([ .\-_*·|\u2022~^+\\])\p{L}\1\p{L}\1\p{L}(?![\p{L}\p{N}])/u
const MAY_BE_APART_IN_ASCII = /(?:^|[^a-z0-9])[a-z]([ .\-_*|~^+\\])[a-z]\1[a-z]\1[a-z](?![a-z0-9])/i

export interface Joined {
  text: string
  /** Number of words that were not written plainly. */
  words: number
}

/** @param text before its white space is reduced, since wide gaps separate words */
export function withJoinedLetters(text: string, isAscii: boolean): Joined {
  if (!(isAscii ? MAY_BE_APART_IN_ASCII : MAY_BE_APART).test(text)) return { text, words: 0 }
  let words = 0
  const joined = text.replace(APART, (word, sign: string) => {
    words++
    return word.split(sign).join('')
  })
  return { text: joined, words }
}

/** Words that lures can't do without; only these are read with digits as letters, since codes and products mix both. */
const LURES = new Set(
  (
    'account accounts password passwords passcode verify verified verification confirm confirmation suspended suspension login signin security secure ' +
    'update billing payment invoice wallet bitcoin crypto paypal amazon microsoft office apple google netflix facebook instagram whatsapp telegram ' +
    'bank banking credit debit card cards viagra cialis casino pills lottery winner prize inheritance urgent immediately click here limited blocked ' +
    'locked unlock restore expire expires expired identity information social number refund bonus free gift voucher transfer western union money ' +
    'cuenta contrasena verificar konto passwort bestatigen compte verifier wachtwoord rekening senha conta'
  ).split(' '),
)
const MIXED = /\b[a-z]{1,12}[0134578$@!|][a-z0134578$@!|]{1,12}/g
const SIGNS: Record<string, string> = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', $: 's', '@': 'a' }
const HAS_MIXED = /[a-z][0134578$@!|]{1,3}[a-z]/
const WITHIN = /[\p{L}\p{N}@/._-]/u

/** @param text in lower case */
export function withoutLeet(text: string): Joined {
  if (!HAS_MIXED.test(text)) return { text, words: 0 }
  let words = 0
  const plain = text.replace(MIXED, (word, at: number) => {
    if (WITHIN.test(text.charAt(at - 1)) || /[\p{L}\p{N}@/_-]/u.test(text.charAt(at + word.length))) return word
    const end = /[!|]*$/.exec(word)?.[0] ?? ''
    const base = word.slice(0, word.length - end.length).replace(/[034578$@]/g, (sign) => SIGNS[sign] ?? sign)
    const meant = [base.replace(/[1!|]/g, 'i'), base.replace(/[1!|]/g, 'l')].find((each) => LURES.has(each))
    if (meant === undefined || meant === word.slice(0, meant.length)) return word
    words++
    return meant + end
  })
  return { text: plain, words }
}
