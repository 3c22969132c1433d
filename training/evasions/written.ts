/** A disguise, and what disguises are built of. */
import { createRandom } from '../generated/template.js'

export interface Written {
  text: string
  html: string | null
}

/** Gets a text of one or more lines, and returns the parts of a message. */
export type Evasion = (text: string) => Written

const HARMLESS =
  'Thanks for the minutes of the meeting, I have added the figures of the second quarter and the list of open points. We meet again on Tuesday at ten. '
export const padding = (chars: number): string => HARMLESS.repeat(Math.ceil(chars / HARMLESS.length))

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
export const lines = (text: string, each: (line: string) => string = (line) => `<p>${line}</p>`): string =>
  text.split('\n').map(escaped).map(each).join('\n')
export const inText = (text: string): Written => ({ text, html: null })
export const inHtml = (html: string, text = ''): Written => ({ text, html: `<html><body>${html}</body></html>` })
export const words = (text: string, each: (word: string) => string): string => text.replace(/\p{L}{4,}/gu, each)
export const letters = (word: string): string[] => [...word]
export const reversed = (text: string): string => letters(text).reverse().join('')

/** Some of the longer words: people don't read a text of which every word is torn. */
export const some = (text: string, each: (word: string) => string): string => {
  const random = createRandom(`evasion ${text}`)
  return text.replace(/\p{L}{6,}/gu, (word) => (random.chance(0.9) ? each(word) : word))
}

/** Letters A to Z and a to z moved to where these begin. */
export const shifted = (text: string, upper: number, lower: number): string =>
  text.replace(/[A-Za-z]/g, (letter) =>
    String.fromCodePoint(letter < 'a' ? upper + letter.charCodeAt(0) - 65 : lower + letter.charCodeAt(0) - 97),
  )

/** Each letter of `from` replaced by the one at its place in `to`. */
export const mapped = (text: string, from: string, to: string): string => {
  const others = letters(to)
  return letters(text)
    .map((letter) => {
      const at = from.indexOf(letter)
      return at === -1 ? letter : (others[at] ?? letter)
    })
    .join('')
}

/** Markup between the letters of each longer word. */
export function woven(text: string, markup: string): string {
  return lines(text, (line) => `<p>${words(line, (word) => letters(word).join('\u0001'))}</p>`).replaceAll(
    '\u0001',
    markup,
  )
}

/** Letters between those of each longer word, which a style takes away. */
export const hiddenBy = (css: string, markup = '<i class="k">zq</i>'): Evasion =>
  (text) => inHtml(`<style>${css}</style>${woven(text, markup)}`) // prettier-ignore
export const hiddenInline = (style: string): Evasion =>
  (text) => inHtml(woven(text, `<span style="${style}">zq</span>`)) // prettier-ignore
