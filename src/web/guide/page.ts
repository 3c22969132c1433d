/** The guide as HTML pages. */
import { page, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { table } from '../page/table.js'
import { list, type Block, type GuidePage, type Sample, type Text } from './blocks.js'
import { clientLines } from './clients.js'
import { SCRIPT_PATH } from './script.js'
import { anchorOf, foundWords, MAX_QUERY, type Entry } from './search.js'

export function guidePage(shown: GuidePage, all: readonly GuidePage[]): Answer {
  const navigation = [
    { label: 'Docs', href: '/docs' },
    ...all.map(({ name, title }) => ({ label: title, href: `/docs/${name}`, isCurrent: name === shown.name })),
  ]
  return page({
    title: shown.title,
    isWide: shown.blocks.some((block) => typeof block === 'object' && block.kind === 'table' && block.head.length > 3),
    navigation,
    script: SCRIPT_PATH,
    body: html`${searchForm()}
      <p>${inline(shown.about)}</p>
      ${shown.blocks.map(blockHtml)}
      <p class="small">For programs: <a href="/docs/${shown.name}.md">this page as Markdown</a>.</p>`,
  })
}

/** The first page. @param search what was searched for, and what was found */
export function guideIndex(
  all: readonly GuidePage[],
  baseUrl: string,
  search?: { query: string; found: readonly Entry[] },
): Answer {
  return page({
    title: 'Docs',
    script: SCRIPT_PATH,
    body: html`${searchForm(search)}
      <p>
        Mailboxes for software agents, at <code>${baseUrl}</code>. <a href="/docs/api">Every operation</a> has a page;
        <a href="/v1/openapi.yaml">openapi.yaml</a> and <a href="/v1/openapi.json">openapi.json</a> describe them all.
        For agents: <a href="/llms.txt">llms.txt</a>, <a href="/skill.md">skill.md</a>.
      </p>
      <ul>
        ${all.map(({ name, title, about }) => html`<li><a href="/docs/${name}">${title}</a>: ${inline(about)}</li>`)}
      </ul>
      <h2 id="clients">Clients</h2>
      ${blockHtml(list(...clientLines(baseUrl)))}`,
  })
}

/** Works without scripts; with them it shows what is found as one types. */
function searchForm(search?: { query: string; found: readonly Entry[] }): Html {
  return html`<form class="find" role="search" action="/docs" method="get">
      <label
        >Search the docs
        <input type="search" name="q" maxlength="${MAX_QUERY}" autocomplete="off" value="${search?.query ?? ''}" />
      </label>
      <button class="plain">Search</button>
    </form>
    <div data-found>
      ${search && html`<p role="status">${foundWords(search.found.length)}</p>`}
      ${
        search &&
        search.found.length > 0 &&
        html`<ul class="found">
          ${search.found.map(
            ({ title, about, href }) =>
              html`<li><a href="${href}">${title}</a> <span class="small">${about}</span></li>`,
          )}
        </ul>`
      }
    </div>`
}

export function blockHtml(block: Block): Html {
  if (typeof block === 'string') return html`<p>${inline(block)}</p>`
  switch (block.kind) {
    case 'heading':
      return html`<h2 id="${anchorOf(block.text)}">${inline(block.text)}</h2>`
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
        block.rows.map((cells, row) => {
          const anchor = block.anchors?.[row]
          return cells.map((cell, i) =>
            anchor !== undefined && i === 0 ? html`<span id="${anchor}">${inline(cell)}</span>` : inline(cell),
          )
        }),
      )
    case 'code':
      return html`<div class="listing">${listing(block.isShort ? indented(block.text) : block.text)}</div>`
    case 'samples':
      return samplesHtml(block.samples)
    case 'errors':
      return html`<dl class="errors">
        ${block.errors.map(
          ({ status, code, meaning, next }) =>
            html`<dt><a href="/docs/errors#${code}">${code}</a> ${status}</dt>
              <dd>${inline(meaning)} ${inline(next)}</dd>`,
        )}
      </dl>`
    case 'more':
      return html`<details>
        <summary>${inline(block.summary)}</summary>
        ${block.blocks.map(blockHtml)}
      </details>`
  }
}

/** One language is shown, by the style alone; browsers that can't select it show all. */
function samplesHtml(samples: readonly Sample[]): Html {
  return html`<div class="samples">
    <fieldset>
      <legend>Language of the example</legend>
      ${samples.map(
        ({ label, language }, i) =>
          html`<label
            ><input type="radio" name="language" value="${language}" ${i === 0 && html`checked`} />${label}</label
          >`,
      )}
    </fieldset>
    ${samples.map(
      ({ label, language, text }) =>
        html`<div class="listing" data-language="${language}">
          <p class="small">${label}</p>
          ${listing(text)}
        </div>`,
    )}
  </div>`
}

function listing(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2)
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
