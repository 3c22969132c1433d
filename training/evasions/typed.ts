/** Words as people mistype or set them apart. */
import { inHtml, inText, letters, lines, some, words, type Evasion } from './written.js'

const LEET: Record<string, string> = { a: '4', e: '3', o: '0', i: '1', s: '5' }

/** In the middle of the word. */
const within = (sign: string) => (word: string): string =>
  `${word.slice(0, word.length >> 1)}${sign}${word.slice(word.length >> 1)}` // prettier-ignore

export const TYPED: Record<string, Evasion> = {
  'digits for letters': (text) => inText(some(text, (word) => word.replace(/(?<=.)[aeois](?=.)/, (sign) => LEET[sign] ?? sign))), // prettier-ignore
  'letters apart by spaces': (text) => inText(some(text, (word) => letters(word).join(' ')).replace(/(?<=\p{L} \p{L}) (?=\p{L}{2})|(?<=\p{L}{2}) (?=\p{L} \p{L} )/gu, '  ')), // prettier-ignore
  'letters apart by dots': (text) => inText(some(text, (word) => letters(word).join('.'))),
  'letters apart by hyphens': (text) => inText(some(text, (word) => letters(word).join('-'))),
  'letters apart by slashes': (text) => inText(some(text, (word) => letters(word).join('/'))),
  'letters below each other': (text) =>
    inText(text.split(/\s+/).map((word) => letters(word).join('\n')).join('\n\n')), // prettier-ignore
  'lines of one letter': (text) =>
    inHtml(text.split(/\s+/).map((word) => `<p>${letters(word).join('<br>')}</p>`).join('')), // prettier-ignore
  'hyphens at the ends of lines': (text) => inText(some(text, within('-\n'))),
  'emphasis in words': (text) => inText(some(text, (word) => `${word.slice(0, 3)}**${word.slice(3, 5)}**${word.slice(5)}`)), // prettier-ignore
  'backticks in words': (text) => inText(some(text, within('`'))),
  'bars in words': (text) => inText(some(text, within('|'))),
  'underscores in words': (text) => inText(some(text, within('_'))),
  'a letter replaced by a star': (text) => inText(some(text, (word) => word.replace(/(?<=.{2})[aeiou](?=.)/, '*'))),
  'a dollar for s': (text) => inText(some(text, (word) => word.replace(/(?<=.)s+/, (all) => '$'.repeat(all.length)))),
  'letters three times': (text) => inText(some(text, (word) => word.replace(/(?<=.{2})[aeiou]/, '$&$&$&'))),
  'words apart by underscores': (text) => inText(text.replaceAll(' ', '_')),
  'words apart by dots': (text) => inText(text.replace(/[.]$/gm, '!').replaceAll(' ', '.')),
  'words run together': (text) => inText(text.replace(/\s(\p{L})/gu, (_, first: string) => first.toUpperCase())),
  'a table of words': (text) => inText(text.split('\n').map((line) => `| ${line.split(' ').join(' | ')} |`).join('\n|---|---|\n')), // prettier-ignore
  'a word a line': (text) => inText(text.replaceAll(' ', '\n')),
  'parentheses in words': (text) => inText(some(text, (word) => `${word.slice(0, 2)}(${word.slice(2, 4)})${word.slice(4)}`)), // prettier-ignore
  'letters in brackets': (text) =>
    inText(
      some(text, (word) =>
        letters(word)
          .map((sign) => `[${sign}]`)
          .join(''),
      ),
    ),
  'capitals within words': (text) =>
    inHtml(lines(words(text, (word) => letters(word).map((sign, at) => (at % 2 ? sign.toUpperCase() : sign)).join('')))), // prettier-ignore
}
