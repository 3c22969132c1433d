/** Finds the original spelling of words that a rule matched. Used only for findings, so it may read the whole text. */
import { folded, withoutMarks } from './confusables.js'
import { excerptOf } from '../reason-codes.js'

/** @returns a function from words to their original spelling in `written`, or the words themselves where it isn't found */
export function finderIn(written: string): (words: string) => string {
  let keys: Keys | undefined
  return (words) => {
    const plain = words.trim().slice(0, 160)
    const pattern = plain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s{1,20}')
    const direct = new RegExp(pattern, 'i').exec(written)?.[0]
    if (direct !== undefined) return excerptOf(direct)
    keys ??= keysOf(written)
    return excerptOf(byKeys(keyOf(plain), keys, written) ?? plain)
  }
}

interface Keys {
  text: string
  /** Offset in the original text of each character. */
  places: number[]
}

function keysOf(written: string): Keys {
  const places: number[] = []
  let text = ''
  let at = 0
  for (const character of written) {
    const code = character.charCodeAt(0)
    const key = code < 0x80 ? (ASCII_WORD.test(character) ? character.toLowerCase() : '') : keyOf(character)
    for (let index = 0; index < key.length; index++) places.push(at)
    text += key
    at += character.length
  }
  return { text, places }
}

function byKeys(wanted: string, { text, places }: Keys, written: string): string | undefined {
  const start = wanted === '' ? -1 : text.indexOf(wanted)
  if (start === -1) return undefined
  return written.slice(places[start], (places[start + wanted.length - 1] ?? 0) + 1)
}

const ASCII_WORD = /[A-Za-z0-9]/

/** Letters and digits only, so that punctuation and invisible characters don't count. */
function keyOf(text: string): string {
  return withoutMarks(folded(text.normalize('NFKC')))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
