/** Wording to message: plain text, or HTML from a bare paragraph to a card with a button, with the tricks that filters are to be blinded with. */
import type { Random } from '../template.js'
import type { Site } from './hosts.js'
import { PADDING } from './words.js'

/** `letter`: paragraphs; `card`: a table with a head and a button; `image`: a picture to click on with few words. */
export type Look = 'plain' | 'letter' | 'card' | 'image'

export interface Page {
  look: Look
  /** Words over the card. */
  head: string
  language: string
  site: Site
  /** Words of a link that name another host than its target. */
  shown?: string
  hidden: boolean
  broken: boolean
}

interface Block {
  kind: 'paragraph' | 'heading' | 'action' | 'row' | 'small' | 'bullet' | 'rule'
  text: string
}

export interface Rendered {
  text: string
  html?: string
  links: { target: string; text: string }[]
}

const KINDS: Record<string, Block['kind']> = { '#': 'heading', '@': 'action', '*': 'row', '%': 'small', '-': 'bullet' }
const ANY_LINK = /<link>|<a ([^<>]+)>/g

function blocksOf(lines: string[]): Block[] {
  return lines.map((line) => {
    if (line === '---') return { kind: 'rule', text: '' }
    const kind = line.charAt(1) === ' ' ? KINDS[line.charAt(0)] : undefined
    return kind ? { kind, text: line.slice(2) } : { kind: 'paragraph', text: line }
  })
}

/** @param lines with `<link>`, `<a …>` and `<br>` left in them */
export function render(lines: string[], page: Page, random: Random): Rendered {
  const blocks = blocksOf(lines)
  const main = page.site.url()
  const links: Rendered['links'] = []
  const text = plain(blocks, main, page, random, links)
  if (page.look === 'plain') return { text, links }
  const inHtml: Rendered['links'] = []
  const html = markup(blocks, main, page, random, inHtml)
  return { text: random.chance(0.5) ? text : '', html, links: inHtml }
}

function plain(blocks: Block[], main: string, page: Page, random: Random, links: Rendered['links']): string {
  const link = (target: string): string => {
    links.push({ target, text: target })
    return target
  }
  const asTyped = random.pick([(words: string, url: string) => `${words}: ${url}`, (words: string, url: string) => `${words}\n${url}`, (_: string, url: string) => url, (words: string, url: string) => `${words} <${url}>`, (words: string, url: string) => `>> ${words} <<\n${url}`]) // prettier-ignore
  const words = (of: string): string =>
    of
      .replaceAll('<br>', '\n')
      .replace(ANY_LINK, (_, said: string | undefined) =>
        said === undefined ? link(main) : `${said} (${link(page.site.url())})`,
      )
  const bullet = random.pick(['- ', '* ', '• ', '> ', ' -'])
  const rule = random.pick(['---', '----------------------------', '==========', '* * *', ''])
  let typed = ''
  let before: Block['kind'] | undefined
  for (const { kind, text } of blocks) {
    const isTogether = before === kind && (kind === 'row' || kind === 'bullet')
    if (before !== undefined) typed += isTogether ? '\n' : '\n\n'
    if (kind === 'action') typed += asTyped(text, link(main))
    else if (kind === 'rule') typed += rule
    else typed += kind === 'bullet' ? bullet + words(text) : words(text)
    before = kind
  }
  return random.chance(0.25) ? wrapped(typed, random.pick([66, 72, 76])) : typed
}

function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => {
      let [folded, length] = ['', 0]
      for (const word of line.split(' ')) {
        const isOver = length > 0 && length + word.length + 1 > columns
        folded += length === 0 ? word : isOver ? `\n${word}` : ` ${word}`
        length = isOver ? word.length : length + word.length + 1
      }
      return folded
    })
    .join('\n')
}

const COLOURS = [
  '#0067b8',
  '#d83b01',
  '#1a73e8',
  '#e50914',
  '#ffcc00',
  '#0a7d33',
  '#333333',
  '#5a2d82',
  '#c8102e',
  '#00539f',
]
const FONTS = [
  'Arial,Helvetica,sans-serif',
  "'Segoe UI',Tahoma,sans-serif",
  'Helvetica Neue,Arial,sans-serif',
  'Verdana',
  'Georgia,serif',
  'Calibri',
]

function markup(blocks: Block[], main: string, page: Page, random: Random, links: Rendered['links']): string {
  const colour = random.pick(COLOURS)
  const font = random.pick(FONTS)
  const words = (of: string): string => (page.broken ? broken(escaped(of), random) : escaped(of))
  const anchor = (target: string, said: string, style = ''): string => {
    links.push({ target, text: said })
    return `<a href="${escaped(target)}"${style && ` style="${style}"`}>${escaped(said)}</a>`
  }
  const inline = (of: string): string => {
    let [made, from] = ['', 0]
    for (const found of of.matchAll(/<link>|<a ([^<>]+)>|<br>/g)) {
      made += words(of.slice(from, found.index))
      from = found.index + found[0].length
      if (found[0] === '<br>') made += '<br>'
      else made += found[1] === undefined ? anchor(main, main) : anchor(page.site.url(), found[1])
    }
    return made + words(of.slice(from))
  }
  const isButton = page.look === 'card' || random.chance(0.35)
  const action = (said: string): string => {
    const shown = page.shown !== undefined && random.chance(0.5) ? page.shown : said
    const made = anchor(
      main,
      shown,
      isButton
        ? `display:inline-block;background:${colour};color:#ffffff;padding:12px 24px;text-decoration:none;border-radius:${random.int(0, 8)}px`
        : '',
    )
    return isButton ? `<p style="text-align:center">${made}</p>` : `<p>${made}</p>`
  }
  const element = ({ kind, text }: Block): string => {
    switch (kind) {
      case 'paragraph':
        return `<p>${inline(text)}</p>`
      case 'heading':
        return `<h2 style="color:${colour}">${inline(text)}</h2>`
      case 'action':
        return action(text)
      case 'row': {
        const [label, ...value] = text.split(/(?<=[:：])\s*/)
        return `<tr><td style="padding:4px 12px 4px 0">${words(label ?? '')}</td><td><b>${words(value.join(' '))}</b></td></tr>`
      }
      case 'bullet':
        return `<li>${inline(text)}</li>`
      case 'small':
        return `<p style="font-size:11px;color:#888888">${inline(text)}</p>`
      case 'rule':
        return '<hr>'
    }
  }
  const wrap: Partial<Record<Block['kind'], [string, string]>> = {
    row: ['<table>', '</table>'],
    bullet: ['<ul>', '</ul>'],
  }
  const parts: string[] = []
  if (page.look === 'image') {
    links.push({ target: main, text: '' })
    parts.push(
      `<a href="${escaped(main)}"><img src="${escaped(page.site.url())}.png" width="${random.int(480, 640)}" border="0" alt=""></a>`,
    )
  }
  blocks.forEach((block, at) => {
    const [open, close] = wrap[block.kind] ?? ['', '']
    if (blocks[at - 1]?.kind !== block.kind) parts.push(open)
    parts.push(element(block))
    if (blocks[at + 1]?.kind !== block.kind) parts.push(close)
  })
  const inner = parts.filter((part) => part !== '').join(random.pick(['\n', '\n', '']))
  const style = random.pick([
    'display:none',
    'display:none;max-height:0;overflow:hidden',
    'font-size:0;line-height:0',
    'color:#ffffff;font-size:1px',
    'visibility:hidden;height:0',
  ])
  const unseen = page.hidden ? `<div style="${style}">${random.some(PADDING, random.int(1, 5)).join(' ')}</div>` : ''
  const body =
    page.look === 'card'
      ? card(inner, page.head, colour, font, random)
      : `<div style="font-family:${font};font-size:${random.int(13, 16)}px">${inner}</div>`
  const both = random.chance(0.5) ? unseen + body : body + unseen
  return random.chance(0.6)
    ? `<!DOCTYPE html><html lang="${page.language}"><head><meta charset="utf-8"></head><body style="margin:0">${both}</body></html>`
    : both
}

function card(inner: string, head: string, colour: string, font: string, random: Random): string {
  const bar =
    head === ''
      ? ''
      : `<tr><td style="background:${random.pick([colour, '#ffffff', '#f3f3f3'])};padding:18px 24px;font-size:20px;font-weight:bold">${escaped(head)}</td></tr>`
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f4"><tr><td align="center"><table role="presentation" width="${random.pick([480, 560, 600, 640])}" cellpadding="0" cellspacing="0" style="background:#ffffff;font-family:${font}">${bar}<tr><td style="padding:24px">${inner}</td></tr></table></td></tr></table>`
}

/** Tags and invisible signs within words, which readers do not see. */
function broken(html: string, random: Random): string {
  const sign = random.pick([
    '<span></span>',
    '&zwnj;',
    '<!-- -->',
    '<b></b>',
    '&shy;',
    '<font style="font-size:0">q</font>',
  ])
  return html.replace(/(?<![&\p{L}])(\p{L}{2,4})(\p{L}{2,})(?!;)/gu, (whole, one: string, other: string) =>
    random.chance(0.35) ? one + sign + other : whole,
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
