/** Text that stands where no text is expected. */
import { escaped, inHtml, letters, lines, padding, words, type Evasion } from './written.js'

const perLine = (text: string, each: (line: string, at: number) => string): string =>
  text.split('\n').map((line, at) => each(escaped(line), at)).join('') // prettier-ignore

/** A rule of its own for each line. */
const generated = (text: string, rule: (line: string, at: number) => string, markup: (at: number) => string) =>
  inHtml(`<style>${text.split('\n').map(rule).join('')}</style>${text.split('\n').map((_, at) => markup(at)).join('')}`) // prettier-ignore

export const PLACES: Record<string, Evasion> = {
  'text of pictures': (text) => inHtml(perLine(text, (line) => `<img src="https://img.example/1.png" alt="${line}">`)),
  'letters of pictures': (text) =>
    inHtml(perLine(text, (line) => `<p>${line.split(' ').map((word) => letters(word).map((sign) => `<img src="l.png" alt="${sign}">`).join('')).join(' ')}</p>`)), // prettier-ignore
  'generated text': (text) =>
    generated(text, (line, at) => `.g${at}::before{content:"${line}"}`, (at) => `<p class="g${at}"></p>`), // prettier-ignore
  'generated text of several strings': (text) =>
    generated(text, (line, at) => `.g${at}::after{content:${line.replace(/.{1,5}/g, '"$&" ')}}`, (at) => `<p class="g${at}"></p>`), // prettier-ignore
  'generated text within another element': (text) =>
    generated(text, (line, at) => `div p.g${at} > b::before{content:'${line}'}`, (at) => `<div><p class="g${at}"><b></b></p></div>`), // prettier-ignore
  'text of attributes by a style': (text) =>
    inHtml(`<style>[data-t]::after{content:"" attr(data-t) ""}</style>${perLine(text, (line) => `<p data-t="${line}"></p>`)}`), // prettier-ignore
  'text of variables': (text) =>
    generated(text, (line, at) => `.g${at}{--t:"${line}"}.g${at}::before{content:var(--t)}`, (at) => `<p class="g${at}"></p>`), // prettier-ignore
  'marks of lists': (text) =>
    generated(text, (line, at) => `li.m${at}::marker{content:"${line}"}`, (at) => `<ul><li class="m${at}"></ul>`), // prettier-ignore
  'styles of lists': (text) =>
    inHtml(`<ul>${perLine(text, (line) => `<li style="list-style-type:'${line}'"></li>`)}</ul>`),
  'text of fields': (text) => inHtml(perLine(text, (line) => `<textarea>${line}</textarea>`)),
  'values of fields': (text) => inHtml(perLine(text, (line) => `<input readonly size="80" value="${line}">`)),
  'values of buttons': (text) => inHtml(perLine(text, (line) => `<input type="submit" value="${line}">`)),
  'choices of a field': (text) =>
    inHtml(perLine(text, (line) => `<select><option>x</option><option selected>${line}</option></select>`)),
  'labels of choices': (text) =>
    inHtml(perLine(text, (line) => `<select size="2"><optgroup label="${line}"><option>x</option></optgroup></select>`)), // prettier-ignore
  noscript: (text) => inHtml(`<noscript>${lines(text)}</noscript>`),
  'closed details': (text) => inHtml(`<p>Hello</p><details><summary>More</summary>${lines(text)}</details>`),
  'in place of an object': (text) => inHtml(`<object data="x.bin" type="x/y"><param name="a">${lines(text)}</object>`),
  'a page within the page': (text) => inHtml(`<p>Hello</p><iframe srcdoc="${escaped(lines(text))}"></iframe>`),
  'in place of frames': (text) => inHtml(`<p>Hello</p><noframes>${lines(text)}</noframes>`),
  'a drawing': (text) =>
    inHtml(`<svg width="800" height="90">${perLine(text, (line, at) => `<text y="${20 * at}">${line.split(' ').map((word) => `<tspan>${letters(word).join('</tspan><tspan>')}</tspan>`).join(' ')}</text>`)}</svg>`), // prettier-ignore
  'a formula': (text) =>
    inHtml(perLine(text, (line) => `<p><math>${line.split(' ').map((word) => `<mrow>${letters(word).map((sign) => `<mi>${sign}</mi>`).join('')}</mrow><mtext>&nbsp;</mtext>`).join('')}</math></p>`)), // prettier-ignore
  'annotated text': (text) =>
    inHtml(perLine(text, (line) => `<p>${line.split(' ').map((word) => `<ruby>${word}<rt></rt></ruby>`).join(' ')}</p>`)), // prettier-ignore
  'text that moves': (text) => inHtml(perLine(text, (line) => `<marquee behavior="slide">${line}</marquee>`)),
  'text that comes by itself': (text) =>
    inHtml(`<style>@keyframes k{to{opacity:1}}p{opacity:0;animation:k 1s forwards}</style>${lines(text)}`),
  'for Outlook alone': (text) => inHtml(`<p>Hello</p><!--[if mso]>${lines(text)}<![endif]-->`),
  'for Outlook alone, torn': (text) =>
    inHtml(`<p>Hello</p><!--[if gte mso 9]><v:textbox>${lines(words(text, (word) => letters(word).join('\u0001'))).replaceAll('\u0001', '<i style="display:none">zq</i>')}</v:textbox><![endif]-->`), // prettier-ignore
  'for all but Outlook': (text) => inHtml(`<!--[if !mso]><!-->${lines(text)}<!--<![endif]-->`),
  'a paragraph that ends a hidden one': (text) => inHtml(`<p style="display:none">x<div>${lines(text)}</div>`),
  'another text part': (text) => inHtml(lines(text), padding(1500)),
  'the text part alone': (text) => ({ text, html: `<html><body><p>${padding(1500)}</p></body></html>` }),
}
