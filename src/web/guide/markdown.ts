/** The guide as Markdown. */
import type { Block, GuidePage } from './blocks.js'

export function pageMarkdown({ title, about, blocks }: GuidePage): string {
  return [`# ${title}`, about, ...blocks.map(blockMarkdown)].join('\n\n') + '\n'
}

export function blockMarkdown(block: Block): string {
  if (typeof block === 'string') return block
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`
    case 'list':
      return block.items.map((item, i) => `${block.ordered ? `${i + 1}.` : '-'} ${item}`).join('\n')
    case 'table':
      return [block.head, block.head.map(() => '---'), ...block.rows].map(rowMarkdown).join('\n')
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``
  }
}

function rowMarkdown(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
