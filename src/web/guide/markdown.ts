/** The guide as Markdown. */
import type { Block, GuidePage } from './blocks.js'

export function pageMarkdown({ title, about, blocks }: GuidePage): string {
  const shown = blocks.filter((block) => typeof block === 'string' || block.kind !== 'more')
  return [`# ${title}`, about, ...shown.map(blockMarkdown)].join('\n\n') + '\n'
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
    case 'samples':
      return block.samples
        .slice(0, 1)
        .map((each) => blockMarkdown({ kind: 'code', ...each }))
        .join('')
    case 'errors':
      return block.errors.map(({ status, code, next }) => `- ${status} \`${code}\`: ${next}`).join('\n')
    case 'more':
      return block.blocks.map(blockMarkdown).join('\n\n')
  }
}

function rowMarkdown(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
