/** The frame of every page: its head, its style, and header fields by which nothing loads, runs or frames that is not ours. */
import { createHash } from 'node:crypto'
import type { ServiceError } from '../../lib/errors.js'
import type { HttpResponse } from '../../http/message.js'
import { ICON, STYLE } from '../design/design.js'
import { html, toText, type Html } from './html.js'

/** Their names change with their content, so that browsers may cache them forever. */
export const STYLE_PATH = `/pages/style-${hashOf(STYLE)}.css`
export const ICON_PATH = `/pages/icon-${hashOf(ICON)}.svg`

/** `same-origin` as the referrer: the link to a claim is a secret, and with none at all browsers would not say where a form was. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Whose service this is. */
export interface Brand {
  /** `server.name`. */
  name: string
}

export interface PageContent {
  status?: number
  /** Without content of mail: browsers keep titles. */
  title: string
  /** Other words for the first heading than the title. */
  heading?: string | Html
  body: Html
  /** For lists and tables. */
  isWide?: boolean
  /** Path of a script of ours, which the page works without. It may connect to this server, and can't put text into the page as markup (Trusted Types). */
  script?: string
  /** Shows frames of this server. */
  hasFrames?: boolean
  /** Links at the top, for those who are signed in. */
  navigation?: readonly { label: string; href: string; isCurrent?: boolean }[]
  cookies?: string[]
  /** Further `form-action` sources (CSP3 §2.3.1), also for redirects after a form; the caller validates them. */
  formTargets?: readonly string[]
  /** Beside those of every page, or in their place. */
  headers?: Record<string, string>
}

/** The content of a page. The frame around it is made when it is served. */
export class View {
  constructor(readonly content: PageContent) {}
}

/** The answer of a page: what it says, or a response without a frame, such as a redirect. */
export type Answer = View | HttpResponse

export const page = (content: PageContent): View => new View(content)

export function framed(answer: Answer, brand: Brand): HttpResponse {
  return answer instanceof View ? frameOf(answer.content, brand) : answer
}

function frameOf(
  {
    status = 200,
    title,
    heading = title,
    body,
    isWide,
    script,
    hasFrames = false,
    navigation = [],
    cookies = [],
    formTargets = [],
    headers = {},
  }: PageContent,
  { name }: Brand,
): HttpResponse {
  const links = navigation.map(
    ({ label, href, isCurrent }) =>
      html`<li>
        ${isCurrent ? html`<a href="${href}" aria-current="page">${label}</a>` : html`<a href="${href}">${label}</a>`}
      </li>`,
  )
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${name}</title>
        <link rel="icon" href="${ICON_PATH}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLE_PATH}" />
        ${script !== undefined && html`<script type="module" src="${script}"></script>`}
      </head>
      <body>
        <header>
          <a class="brand" href="/"><img src="${ICON_PATH}" alt="" width="24" height="24" />${name}</a>
          ${
            links.length > 0 &&
            html`<nav aria-label="Pages">
              <ul>
                ${links}
              </ul>
            </nav>`
          }
        </header>
        <main${isWide && html` class="wide"`}>
          <h1>${heading}</h1>
          ${body}
        </main>
      </body>
    </html> `
  return {
    status,
    headers: {
      ...HEADERS,
      'Content-Security-Policy': policy({ formTargets, hasScript: script !== undefined, hasFrames }),
      ...headers,
      ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
    },
    body: toText(document),
  }
}

function policy(has: { formTargets: readonly string[]; hasScript: boolean; hasFrames: boolean }): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(has.hasScript
      ? ["script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"]
      : []),
    ...(has.hasFrames ? ["frame-src 'self'"] : []),
    `form-action ${["'self'", ...has.formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A way on after a form (303, so that a reload doesn't send it again) or to another page. @param location a path of ours, or a provider's URL */
export function redirect(location: string, cookies: string[] = []): HttpResponse {
  return {
    status: 303,
    headers: {
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
    },
    body: '',
  }
}

export function errorPage(error: ServiceError, requestId: string): View {
  const { retryAfterSeconds: retry } = error
  return page({
    status: error.status,
    title: error.status === 404 ? 'Nothing here' : error.status === 429 ? 'One moment' : 'This did not work',
    body: html`<p>${error.message}</p>
      <p>${error.hint}</p>
      <p class="small">Request ${requestId}</p>`,
    ...(retry !== undefined && { headers: { 'Retry-After': String(retry) } }),
  })
}

/** For an address that no page has, or none for this visitor. */
export const NO_PAGE = page({
  status: 404,
  title: 'Nothing here',
  body: html`<p>There is no page at this address.</p>
    <p>Check the address, or begin at the <a href="/">start page</a>.</p>`,
})

/** For the name of a file that browsers keep forever. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
