/**
 * Ways to write a message so that people read it and programs do not: the tests show that each is read as displayed, and training measures them. A
 * disguise gets a text of one or more lines, and returns the parts of a message.
 */
import { createRandom } from './generated/template.js'

export interface Written {
  text: string
  html: string | null
}

export type Evasion = (text: string) => Written

const HARMLESS =
  'Thanks for the minutes of the meeting, I have added the figures of the second quarter and the list of open points. We meet again on Tuesday at ten. '
const padding = (chars: number): string => HARMLESS.repeat(Math.ceil(chars / HARMLESS.length))

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const lines = (text: string, each: (line: string) => string = (line) => `<p>${line}</p>`): string =>
  text.split('\n').map(escaped).map(each).join('\n')
const inHtml = (html: string, text = ''): Written => ({ text, html: `<html><body>${html}</body></html>` })
const words = (text: string, each: (word: string) => string): string => text.replace(/\p{L}{4,}/gu, each)
const letters = (word: string): string[] => [...word]
const reversed = (text: string): string => letters(text).reverse().join('')
/** Some of the longer words: people don't read a text of which every word is torn. */
const some = (text: string, each: (word: string) => string): string => {
  const random = createRandom(`evasion ${text}`)
  return text.replace(/\p{L}{6,}/gu, (word) => (random.chance(0.9) ? each(word) : word))
}
const LOOKALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' }
const LEET: Record<string, string> = { a: '4', e: '3', o: '0', i: '1', s: '5' }
const shifted = (text: string, upper: number, lower: number): string =>
  text.replace(/[A-Za-z]/g, (letter) =>
    String.fromCodePoint(letter < 'a' ? upper + letter.charCodeAt(0) - 65 : lower + letter.charCodeAt(0) - 97),
  )

export const EVASIONS: Record<string, Evasion> = {
  // In front of the text
  'a picture in front': (text) => inHtml(`<img src="data:image/png;base64,${'A'.repeat(60_000)}">${lines(text)}`),
  'styles in front': (text) => inHtml(`<style>${'.x{color:#123456;margin:0}'.repeat(3000)}</style>${lines(text)}`),
  'a comment in front': (text) => inHtml(`<!-- ${'figures '.repeat(10_000)} -->${lines(text)}`),
  'attributes in front': (text) => inHtml(`<p title="${'figures > '.repeat(8000)}">x</p>${lines(text)}`),
  'a script in front': (text) => inHtml(`<script>var a = "${'b<c '.repeat(20_000)}"</script>${lines(text)}`),
  'harmless text above': (text) => ({ text: `${padding(9000)}\n\n${text}`, html: null }),
  'much harmless text above': (text) => ({ text: `${padding(60_000)}\n\n${text}`, html: null }),
  'harmless text around': (text) => ({ text: `${padding(8000)}\n\n${text}\n\n${padding(8000)}`, html: null }),
  'hidden harmless text above': (text) => inHtml(`<div style="display:none">${padding(40_000)}</div>${lines(text)}`),
  // Words
  'empty tags in words': (text) => inHtml(woven(text, '<b></b>')),
  'unknown tags in words': (text) => inHtml(woven(text, '<x-y z="1"></x-y>')),
  'comments in words': (text) => inHtml(woven(text, '<!-- a -->')),
  'line break opportunities': (text) => inHtml(woven(text, '<wbr>')),
  'soft hyphens': (text) => inHtml(woven(text, '&shy;')),
  'hidden letters in words': (text) => inHtml(woven(text, '<span style="font-size:0">xq</span>')),
  'letters hidden by a class': (text) => inHtml(`<style>.k{display:none}</style>${woven(text, '<i class="k">zq</i>')}`),
  'letters in the colour of the ground': (text) =>
    inHtml(`<div style="background:#f0f0f0">${woven(text, '<font color="#eeeeee">q</font>')}</div>`),
  'references without semicolons': (text) => inHtml(woven(text, '&#8203')),
  'letters as numbers': (text) => inHtml(text.split('\n').map((line) => `<p>${[...line].map((sign) => `&#${sign.charCodeAt(0)}`).join(';')}</p>`).join('')), // prettier-ignore
  'named references': (text) => inHtml(lines(text).replaceAll(' ', '&nbsp;').replaceAll('.', '&period;')),
  'zero-width characters': (text) => ({ text: words(text, (word) => letters(word).join('\u200b')), html: null }),
  'tag characters': (text) => ({ text: words(text, (word) => letters(word).join('\u{e0041}')), html: null }),
  'piled marks': (text) => ({ text: words(text, (word) => letters(word).join('\u0336\u0301\u0353')), html: null }),
  'look-alike letters': (text) => ({
    text: text.replace(/[aceiopsxy]/g, (sign) => LOOKALIKES[sign] ?? sign),
    html: null,
  }),
  'fullwidth letters': (text) => ({ text: shifted(text, 0xff21, 0xff41), html: null }),
  'mathematical letters': (text) => ({ text: shifted(text, 0x1d400, 0x1d41a), html: null }),
  'letters in circles': (text) => ({ text: shifted(text, 0x24b6, 0x24d0), html: null }),
  'digits for letters': (text) => ({ text: some(text, (word) => word.replace(/(?<=.)[aeois](?=.)/, (sign) => LEET[sign] ?? sign)), html: null }), // prettier-ignore
  'letters apart by spaces': (text) => ({ text: some(text, (word) => letters(word).join(' ')).replace(/(?<=\p{L} \p{L}) (?=\p{L}{2})|(?<=\p{L}{2}) (?=\p{L} \p{L} )/gu, '  '), html: null }), // prettier-ignore
  'letters apart by dots': (text) => ({ text: some(text, (word) => letters(word).join('.')), html: null }),
  'letters apart by hyphens': (text) => ({ text: some(text, (word) => letters(word).join('-')), html: null }),
  // Order
  'an override of the direction': (text) => ({ text: text.split('\n').map((line) => `\u202e${reversed(line)}\u202c`).join('\n'), html: null }), // prettier-ignore
  'reversed words': (text) => ({ text: words(text, (word) => `\u202e${reversed(word)}\u202c`), html: null }),
  'an element that overrides the direction': (text) =>
    inHtml(text.split('\n').map((line) => `<p><bdo dir="rtl">${escaped(reversed(line))}</bdo></p>`).join('')), // prettier-ignore
  'a style that overrides the direction': (text) =>
    inHtml(`<style>.r{direction:rtl;unicode-bidi:bidi-override}</style>${text.split('\n').map((line) => `<p><span class="r">${escaped(reversed(line))}</span></p>`).join('')}`), // prettier-ignore
  'a table of letters': (text) => inHtml(`<table>${text.split('\n').map((line) => `<tr>${cells(letters(line))}</tr>`).join('\n')}</table>`), // prettier-ignore
  'columns of letters': (text) => inHtml(columns(text)),
  // Where the text is
  'text of pictures': (text) => inHtml(text.split('\n').map((line) => `<img src="https://img.example/1.png" alt="${escaped(line)}">`).join('')), // prettier-ignore
  'generated text': (text) =>
    inHtml(`<style>${text.split('\n').map((line, i) => `.g${i}::before{content:"${line}"}`).join('')}</style>${text.split('\n').map((_, i) => `<p class="g${i}"></p>`).join('')}`), // prettier-ignore
  'text of fields': (text) =>
    inHtml(
      text
        .split('\n')
        .map((line) => `<textarea>${escaped(line)}</textarea>`)
        .join(''),
    ),
  noscript: (text) => inHtml(`<noscript>${lines(text)}</noscript>`),
  'closed details': (text) => inHtml(`<p>Hello</p><details><summary>More</summary>${lines(text)}</details>`),
  'for Outlook alone': (text) => inHtml(`<p>Hello</p><!--[if mso]>${lines(text)}<![endif]-->`),
  'a paragraph that ends a hidden one': (text) => inHtml(`<p style="display:none">x<div>${lines(text)}</div>`),
  'a style that never ends': (text) => ({ text: '', html: `<style>${lines(text)}` }),
  'another text part': (text) => inHtml(lines(text), padding(1500)),
  'the text part alone': (text) => ({ text, html: `<html><body><p>${padding(1500)}</p></body></html>` }),
  'invented history': (text) => ({
    text: `Thank you for the answer, I have read it and will come back to it on Tuesday, when I am in the office again.\n\nOn Mon, 2 Mar 2026 at 10:00, Ana <ana@a.example> wrote:\n${text.split('\n').map((line) => `> ${line}`).join('\n')}`, // prettier-ignore
    html: null,
  }),
}

/** Markup between the letters of each longer word. */
function woven(text: string, markup: string): string {
  return lines(text, (line) => `<p>${words(line, (word) => letters(word).join('\u0001'))}</p>`).replaceAll(
    '\u0001',
    markup,
  )
}

const cells = (each: string[]): string =>
  each.map((letter) => `<td>${letter === ' ' ? '&nbsp;' : escaped(letter)}</td>`).join('')

/** Each column has the letters of all lines that stand below each other. */
function columns(text: string): string {
  const rows = text.split('\n').flatMap((line) => line.match(/.{1,40}(?:\s|$)/g) ?? []).map((row) => row.trimEnd()) // prettier-ignore
  const width = Math.max(...rows.map((row) => row.length))
  const column = (at: number): string => rows.map((row) => (/\S/.test(row.charAt(at)) ? escaped(row.charAt(at)) : '&nbsp;')).join('<br>') // prettier-ignore
  return `<table><tr>${Array.from({ length: width }, (_, at) => `<td>${column(at)}</td>`).join('')}</tr></table>`
}
