/** Finding the words that a rule matched where they were written, in whichever characters. Only done for what was found, so it may look at all of the text. */
import { folded, withoutMarks } from './confusables.js'
import { excerptOf } from '../reason-codes.js'

/** @returns what gives of `written` that which reads as the words do, or the words where it isn't found */
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
  /** Where in the text as written each of its characters comes from. */
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

/** Letters and digits alone, so that neither signs nor what is invisible between them count. */
function keyOf(text: string): string {
  return withoutMarks(folded(text.normalize('NFKC')))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
