/** The small language in which the templates' wording is written: `{one|other}` chooses, `^word^` is disguised as spammers do. */
import type { Random } from '../template.js'

const INNERMOST = /\{([^{}]*)\}/

/** One reading of the text: of each `{a|b|c}` one, from the inside out. */
export function spin(text: string, random: Random): string {
  let spun = text
  for (let found = INNERMOST.exec(spun); found; found = INNERMOST.exec(spun)) {
    const chosen = random.pick((found[1] ?? '').split('|'))
    spun = spun.slice(0, found.index) + chosen + spun.slice(found.index + found[0].length)
  }
  if (/[{}]/.test(spun)) throw new Error(`a choice is not closed: ${text}`)
  return spun
}

const DIGITS: Record<string, string> = { a: '@', e: '3', i: '1', o: '0', s: '5', l: '1' }
// Cyrillic letters that look Latin.
const TWINS: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', x: 'х', y: 'у' }
type Disguise = (word: string, random: Random) => string
// prettier-ignore
const DISGUISES: Disguise[] = [
  (word) => word,
  (word, random) => replaced(word, DIGITS, random),
  (word, random) => replaced(word, DIGITS, random),
  (word, random) => replaced(word, TWINS, random),
  (word) => [...word].join(' '),
  (word, random) => [...word].join(random.pick(['.', '-', '*', '_'])),
  (word, random) => inside(word, random.pick(['\u200b', '\u200c', '\u00ad']), random),
  (word, random) => inside(word, random.pick(['.', '*', '_', '|']), random),
  (word, random) => { const at = random.int(1, word.length - 1); return word.slice(0, at) + word.charAt(at) + word.slice(at) },
]

/** All words between `^` in one disguise, since a sender's program knows one. */
export function disguise(text: string, random: Random): string {
  if (!text.includes('^')) return text
  const how = random.pick(DISGUISES)
  return text.replace(/\^([^^]+)\^/g, (_, word: string) => how(word, random))
}

function replaced(word: string, by: Record<string, string>, random: Random): string {
  const places = [...word].flatMap((letter, at) => (by[letter.toLowerCase()] === undefined ? [] : [at]))
  if (places.length === 0) return word
  const some = new Set(random.some(places, random.int(1, places.length)))
  return [...word].map((letter, at) => (some.has(at) ? (by[letter.toLowerCase()] ?? letter) : letter)).join('')
}

function inside(word: string, sign: string, random: Random): string {
  const at = random.int(1, word.length - 1)
  return word.slice(0, at) + sign + word.slice(at)
}
