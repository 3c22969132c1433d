/** Layouts of a message's blocks: plain text, the house style of a service, or the HTML of a mail client. */
import type { Random } from '../template.js'

export interface Anchor {
  target: string
  text: string
}

type Block =
  | { kind: 'paragraph' | 'small' | 'title' | 'list' | 'verbatim'; lines: string[] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'button'; text: string; target: string }

/** Blocks stand between empty lines; the first sign tells the kind: `=> text -> url`, `| a | b`, `- item`, `# title`, `~ small print`, `> quoted` and lines set in by spaces. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.replace(/^\n+|\s+$/g, ''))
    .filter((block) => block !== '')
    .map((block): Block => {
      const lines = block.split('\n')
      const strip = (by: RegExp): string[] => lines.map((line) => line.replace(by, ''))
      if (block.startsWith('=> ')) {
        const [text = '', target = ''] = block.slice(3).split(' -> ')
        return { kind: 'button', text: text.trim(), target: target.trim() }
      }
      if (block.startsWith('| ')) {
        return {
          kind: 'table',
          rows: lines.map((line) =>
            line
              .split('|')
              .map((cell) => cell.trim())
              .filter((cell) => cell !== ''),
          ),
        }
      }
      if (block.startsWith('# ')) return { kind: 'title', lines: strip(/^# /) }
      if (block.startsWith('~ ')) return { kind: 'small', lines: strip(/^~ /) }
      if (lines.every((line) => line.startsWith('- '))) return { kind: 'list', lines: strip(/^- /) }
      if (/^( {2}|> )/.test(block)) return { kind: 'verbatim', lines }
      return { kind: 'paragraph', lines }
    })
}

const INLINE = /<<(?:([^<>]*?) -> )?([^<>]+?)>>/g
const BARE = /https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?،。、,]/g

export function plainOf(blocks: Block[], random: Random): string {
  const boxed = random.chance(0.5)
  const inline = (text: string): string =>
    text.replace(INLINE, (_, label: string | undefined, target: string) =>
      label === undefined || label === '' ? target : boxed ? `${label} (${target})` : `${label}: ${target}`,
    )
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'button':
          return boxed ? `${block.text}:\n${block.target}` : `${block.text} ${block.target}`
        case 'table':
          return block.rows
            .map((row) => inline(row.length === 2 ? row.join(boxed ? ': ' : '  ') : row.join('  |  ')))
            .join('\n')
        case 'list':
          return block.lines.map((line) => `${boxed ? '-' : '*'} ${inline(line)}`).join('\n')
        default:
          return inline(block.lines.join('\n'))
      }
    })
    .join('\n\n')
}

export function linksIn(text: string): Anchor[] {
  return [...new Set(text.match(BARE) ?? [])].map((target) => ({ target, text: target }))
}

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** @param goes where a link of the template goes in this message: to itself, or through the counter of clicks */
export function htmlOf(
  blocks: Block[],
  style: Style,
  goes: (target: string) => string,
): { html: string; links: Anchor[] } {
  const links: Anchor[] = []
  const anchor = (target: string, text: string, attributes = ''): string => {
    links.push({ target: goes(target), text })
    return `<a href="${goes(target).replace(/&/g, '&amp;')}"${attributes}>${escape(text)}</a>`
  }
  const inline = (text: string): string => {
    const pieces: string[] = []
    let rest = 0
    for (const found of text.matchAll(new RegExp(`${INLINE.source}|${BARE.source}`, 'g'))) {
      const [whole, label, target] = found
      pieces.push(escape(text.slice(rest, found.index)), anchor(target ?? whole, label || (target ?? whole)))
      rest = found.index + whole.length
    }
    return [...pieces, escape(text.slice(rest))].join('')
  }
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case 'button':
        return style.button(anchor(block.target, block.text, style.buttonAttributes))
      case 'table':
        return `<table ${style.table}>${block.rows.map((row) => `<tr>${row.map((cell) => `<td style="padding:4px 12px 4px 0">${inline(cell)}</td>`).join('')}</tr>`).join('')}</table>`
      case 'list':
        return `<ul>${block.lines.map((line) => `<li>${inline(line)}</li>`).join('')}</ul>`
      case 'title':
        return style.title(block.lines.map(inline).join('<br>'))
      case 'small':
        return style.small(block.lines.map(inline).join('<br>'))
      case 'verbatim':
        return block.lines[0]?.startsWith('>')
          ? `<blockquote type="cite">${block.lines.map((line) => inline(line.replace(/^> ?/, ''))).join('<br>')}</blockquote>`
          : `<pre>${block.lines.map(inline).join('\n')}</pre>`
      case 'paragraph':
        return style.paragraph(block.lines.map(inline).join('<br>'))
    }
  })
  return { html: style.page(parts.join('\n')), links }
}

export interface Style {
  page(body: string): string
  paragraph(html: string): string
  title(html: string): string
  small(html: string): string
  button(html: string): string
  buttonAttributes: string
  table: string
}
