/** Letters that stand in another order in the message than on the screen. */
import { escaped, inHtml, inText, letters, reversed, words, type Evasion } from './written.js'

const cells = (each: string[]): string =>
  each.map((letter) => `<td>${letter === ' ' ? '&nbsp;' : escaped(letter)}</td>`).join('')
const visible = (letter: string): string => (letter === ' ' ? '&nbsp;' : escaped(letter))
const paragraphs = (text: string, each: (line: string) => string): string =>
  text.split('\n').map((line) => `<p>${each(line)}</p>`).join('') // prettier-ignore

/** The indexes of the letters, every third one first. */
const shuffled = <T>(all: T[]): { item: T; at: number }[] =>
  all.map((item, at) => ({ item, at })).sort((a, b) => (a.at % 3) - (b.at % 3) || a.at - b.at)

export const ORDER: Record<string, Evasion> = {
  'an override of the direction': (text) => inText(text.split('\n').map((line) => `\u202e${reversed(line)}\u202c`).join('\n')), // prettier-ignore
  'reversed words': (text) => inText(words(text, (word) => `\u202e${reversed(word)}\u202c`)),
  'an element that overrides the direction': (text) =>
    inHtml(paragraphs(text, (line) => `<bdo dir="rtl">${escaped(reversed(line))}</bdo>`)),
  'a style that overrides the direction': (text) =>
    inHtml(`<style>.r{direction:rtl;unicode-bidi:bidi-override}</style>${paragraphs(text, (line) => `<span class="r">${escaped(reversed(line))}</span>`)}`), // prettier-ignore
  'an isolate that overrides the direction': (text) =>
    inHtml(paragraphs(text, (line) => `<span dir="rtl" style="unicode-bidi:isolate-override">${escaped(reversed(line))}</span>`)), // prettier-ignore
  'a table of letters': (text) => inHtml(`<table>${text.split('\n').map((line) => `<tr>${cells(letters(line))}</tr>`).join('\n')}</table>`), // prettier-ignore
  'a table from right to left': (text) => inHtml(`<table dir="rtl">${text.split('\n').map((line) => `<tr>${cells(letters(reversed(line)))}</tr>`).join('\n')}</table>`), // prettier-ignore
  'tables of a letter': (text) =>
    inHtml(`<table>${text.split('\n').map((line) => `<tr>${letters(line).map((letter) => `<td><table><tr><td>${visible(letter)}</td></tr></table></td>`).join('')}</tr>`).join('')}</table>`), // prettier-ignore
  'columns of letters': (text) => inHtml(columns(text)),
  'boxes of a letter': (text) =>
    inHtml(paragraphs(text, (line) => letters(line).map((letter) => `<div style="display:inline-block">${visible(letter)}</div>`).join('\n').replaceAll('\n', ''))), // prettier-ignore
  'letters that float to the left': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="overflow:auto">${letters(line).map((letter) => `<div style="float:left">${visible(letter)}</div>`).join('')}</div>`).join('')), // prettier-ignore
  'letters that float to the right': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="overflow:auto">${letters(reversed(line)).map((letter) => `<span style="float:right">${visible(letter)}</span>`).join('')}</div>`).join('')), // prettier-ignore
  'words that float to the right': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="overflow:auto">${line.split(' ').reverse().map((word) => `<span style="float:right">${escaped(word)}&nbsp;</span>`).join('')}</div>`).join('')), // prettier-ignore
  'a row in reverse': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="display:flex;flex-flow:row-reverse;justify-content:flex-end">${letters(reversed(line)).map((letter) => `<b>${visible(letter)}</b>`).join('')}</div>`).join('')), // prettier-ignore
  'a column in reverse': (text) =>
    inHtml(`<div style="display:flex;flex-direction:column-reverse">${text.replaceAll('\n', ' ').split(' ').reverse().map((word) => `<div>${escaped(word)}</div>`).join('')}</div>`), // prettier-ignore
  'letters with an order': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="display:flex">${shuffled(letters(line)).map(({ item, at }) => `<span style="order:${at + 1}">${visible(item)}</span>`).join('')}</div>`).join('')), // prettier-ignore
  'words with an order': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="display:flex;flex-wrap:wrap">${shuffled(line.split(' ')).map(({ item, at }) => `<span style="order:${at + 1}">${escaped(item)}&nbsp;</span>`).join('')}</div>`).join('')), // prettier-ignore
  'letters on a grid': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="display:grid;grid-auto-flow:column">${shuffled(letters(line)).map(({ item, at }) => `<span style="grid-row:1;grid-column:${at + 1}">${visible(item)}</span>`).join('')}</div>`).join('')), // prettier-ignore
  'letters with a place': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="position:relative;height:20px">${shuffled(letters(line)).map(({ item, at }) => `<span style="position:absolute;left:${at * 9}px;top:0">${visible(item)}</span>`).join('')}</div>`).join('')), // prettier-ignore
  'words with a place': (text) =>
    inHtml(text.split('\n').map((line) => `<div style="position:relative;height:20px">${shuffled(line.split(' ')).map(({ item, at }) => `<span style="position:absolute;left:${at * 5}em">${escaped(item)}</span>`).join('')}</div>`).join('')), // prettier-ignore
  'letters of a drawing': (text) =>
    inHtml(text.split('\n').map((line, row) => `<svg height="20">${shuffled(letters(line)).map(({ item, at }) => `<text x="${at * 9}" y="${row * 20}">${visible(item)}</text>`).join('')}</svg>`).join('')), // prettier-ignore
}

/** Each column has the letters of all lines that stand below each other. */
function columns(text: string): string {
  const rows = text.split('\n').flatMap((line) => line.match(/.{1,40}(?:\s|$)/g) ?? []).map((row) => row.trimEnd()) // prettier-ignore
  const width = Math.max(...rows.map((row) => row.length))
  const column = (at: number): string => rows.map((row) => (/\S/.test(row.charAt(at)) ? escaped(row.charAt(at)) : '&nbsp;')).join('<br>') // prettier-ignore
  return `<table><tr>${Array.from({ length: width }, (_, at) => `<td>${column(at)}</td>`).join('')}</tr></table>`
}
