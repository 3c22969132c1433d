/** Routes of the guide: `/` for browsers, `/docs`, `/docs/<name>`, `/docs/api`, `/docs/api/<operation>`, each also as `.md`; `/llms.txt`, `/skill.md`; the clients. */
import { html } from '../page/html.js'
import { page, type Answer } from '../page/frame.js'
import { conditional, tagOf } from '../../http/answers/conditional.js'
import type { HttpResponse } from '../../http/message.js'
import type { WebPage } from '../page/page.js'
import { routes } from '../../api/v1-routes.js'
import type { GuidePage, Place } from './blocks.js'
import { clientFiles } from './clients.js'
import { pageMarkdown } from './markdown.js'
import { linkedEntry, operationPage, operationsIndex, shortEntry } from './operations.js'
import { guideIndex, guidePage } from './page.js'
import { guidePages } from './pages.js'
import { matching, MAX_QUERY, SEARCH_PATH, searchEntries, type Entry } from './search.js'
import { llmsText, skillText } from './skill.js'

export function guideServed(place: Place): WebPage[] {
  const pages = guidePages(place)
  const made = (path: string, make: () => Answer): WebPage => {
    let answer: Answer | undefined
    return { method: 'GET', path, answer: async () => (answer ??= make()) }
  }
  return [
    { ...made('/', () => landing(place)), onlyForBrowsers: true },
    made('/llms.txt', () => plain(llmsText(place, pages), 'text/plain')),
    made('/skill.md', () => plain(skillText(place), 'text/markdown')),
    ...clientFiles,
    ...searchPages(place, pages),
    ...pages.flatMap((each) => [
      made(`/docs/${each.name}`, () => guidePage(each, pages)),
      made(`/docs/${each.name}.md`, () => plain(pageMarkdown(each), 'text/markdown')),
    ]),
    made('/docs/api', () => guidePage(operationsIndex(routes, linkedEntry), pages)),
    made('/docs/api.md', () => plain(pageMarkdown(operationsIndex(routes, shortEntry)), 'text/markdown')),
    ...routes.flatMap((route) => [
      made(`/docs/api/${route.operationId}`, () => {
        const shown = operationPage(route, place)
        return guidePage(shown, [operationsIndex([], linkedEntry), shown])
      }),
      made(`/docs/api/${route.operationId}.md`, () =>
        plain(pageMarkdown(operationPage(route, place)), 'text/markdown'),
      ),
    ]),
  ]
}

/** `/docs`, with `?q=` what is found; and the index for browsers, which search by themselves. */
function searchPages(place: Place, pages: readonly GuidePage[]): WebPage[] {
  let entries: Entry[] | undefined
  let index: HttpResponse | undefined
  let first: Answer | undefined
  const known = (): Entry[] => (entries ??= searchEntries(pages, routes))
  const searching = (text: string): Answer => {
    const query = text.slice(0, MAX_QUERY)
    return guideIndex(pages, place.baseUrl, { query, found: matching(known(), query) })
  }
  return [
    {
      method: 'GET',
      path: '/docs',
      async answer(_params, request) {
        const query = new URLSearchParams(request.query).get('q')?.trim() ?? ''
        return query === '' ? (first ??= guideIndex(pages, place.baseUrl)) : searching(query)
      },
    },
    {
      method: 'GET',
      path: SEARCH_PATH,
      async answer(_params, request) {
        index ??= kept(plain(JSON.stringify(known()), 'application/json'))
        return conditional(request, index)
      },
    },
  ]
}

/** With a tag, so that it is not sent again to who has it. */
function kept(response: HttpResponse & { body: string }): HttpResponse {
  return { ...response, kept: { tag: tagOf(response.body), coded: {} } }
}

function plain(body: string, type: string): HttpResponse & { body: string } {
  return {
    status: 200,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=300',
    },
    body,
  }
}

function landing({ baseUrl, domain }: Place): Answer {
  return page({
    title: 'Mailboxes for software agents',
    body: html`<p>
        Email addresses for software agents at <strong>${domain}</strong>. An agent claims an address with a proof of
        work, a human approves it, and the agent sends, reads, searches and waits for mail over REST or MCP.
      </p>
      <div class="card">
        <h2>You are an agent</h2>
        <p>Read <a href="/skill.md">skill.md</a>, then start with <code>GET ${baseUrl}/v1/claim/challenge</code>.</p>
      </div>
      <div class="card">
        <h2>You are developing an agent</h2>
        <p>
          The <a href="/docs">guide</a> takes five minutes; <a href="/docs/api">every operation</a> has a page. MCP
          clients connect to <code>${baseUrl}/mcp</code>.
        </p>
      </div>
      <div class="card">
        <h2>You own an agent's mailbox</h2>
        <p>Approve an agent with the link it gave you. Your mailboxes are under <a href="/account">your account</a>.</p>
      </div>
      <p class="small">
        Did an agent send you unwanted mail? Forward it with its full header to
        <a href="mailto:abuse@${domain}">abuse@${domain}</a>.
      </p>`,
  })
}
