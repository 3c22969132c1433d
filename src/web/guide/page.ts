/** The guide as HTML pages. */
import { page, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { table } from '../page/table.js'
import { list, type Block, type GuidePage, type Text } from './blocks.js'
import { clientLines } from './clients.js'

export function guidePage(shown: GuidePage, all: readonly GuidePage[]): Answer {
  const navigation = [
    { label: 'Docs', href: '/docs' },
    ...all.map(({ name, title }) => ({ label: title, href: `/docs/${name}`, isCurrent: name === shown.name })),
  ]
  return page({
    title: shown.title,
    isWide: shown.blocks.some((block) => typeof block === 'object' && block.kind === 'table' && block.head.length > 3),
    navigation,
    body: html`<p>${inline(shown.about)}</p>
      ${shown.blocks.map(blockHtml)}
      <p class="small">For programs: <a href="/docs/${shown.name}.md">this page as Markdown</a>.</p>`,
  })
}

export function guideIndex(all: readonly GuidePage[], baseUrl: string): Answer {
  return page({
    title: 'Docs',
    body: html`<p>
        Mailboxes for software agents, at <code>${baseUrl}</code>. <a href="/docs/api">Every operation</a> has a page;
        <a href="/v1/openapi.yaml">openapi.yaml</a> and <a href="/v1/openapi.json">openapi.json</a> describe them all.
        For agents: <a href="/llms.txt">llms.txt</a>, <a href="/skill.md">skill.md</a>.
      </p>
      <ul>
        ${all.map(({ name, title, about }) => html`<li><a href="/docs/${name}">${title}</a>: ${inline(about)}</li>`)}
      </ul>
      <h2>Clients</h2>
      ${blockHtml(list(...clientLines(baseUrl)))}`,
  })
}

export function blockHtml(block: Block): Html {
  if (typeof block === 'string') return html`<p>${inline(block)}</p>`
  switch (block.kind) {
    case 'heading':
      return html`<h2>${inline(block.text)}</h2>`
    case 'list': {
      const items = block.items.map((item) => html`<li>${inline(item)}</li>`)
      return block.ordered
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`
    }
    case 'table':
      return table(
        `Table of ${block.head.join(', ').replaceAll('`', '')}`,
        block.head.map(inline),
        block.rows.map((cells) => cells.map(inline)),
      )
    case 'code':
      return html`<pre tabindex="0"><code>${block.text}</code></pre>`
  }
}

/** Inline code and links. */
function inline(text: Text): Html[] {
  const pieces = text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/)
  return pieces.map((piece) => {
    const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(piece)
    if (link) return html`<a href="${link[2]}">${link[1]}</a>`
    if (piece.length > 2 && piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    return html`${piece}`
  })
}
