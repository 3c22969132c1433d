/** The frame of every page: its head, its style, and header fields by which nothing loads, runs or frames that is not ours. */
import { createHash } from 'node:crypto'
import type { ServiceError } from '../../lib/errors.js'
import type { HttpResponse } from '../../http/message.js'
import { html, toText, type Html } from './html.js'
import { STYLE } from './style.js'

/** Path of the style sheet; its name changes with its content, so that browsers may cache it forever. */
export const STYLE_PATH = `/pages/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 16)}.css`

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

export interface PageContent {
  status?: number
  title: string
  body: Html
  /** Links at the top, for those who are signed in. */
  navigation?: readonly { label: string; href: string; isCurrent?: boolean }[]
  cookies?: string[]
  /** Further `form-action` sources (CSP3 §2.3.1), also for redirects after a form; the caller validates them. */
  formTargets?: readonly string[]
  /** In the place of those of every page. */
  headers?: Record<string, string>
}

export function page({
  status = 200,
  title,
  body,
  navigation = [],
  cookies = [],
  formTargets = [],
  headers = {},
}: PageContent): HttpResponse {
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
        <title>${title}</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        ${
          links.length > 0 &&
          html`<header>
            <nav aria-label="Your account">
              <ul>
                ${links}
              </ul>
            </nav>
          </header>`
        }
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
  return {
    status,
    headers: {
      ...HEADERS,
      'Content-Security-Policy': policy(formTargets),
      ...headers,
      ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
    },
    body: toText(document),
  }
}

function policy(formTargets: readonly string[]): string {
  const forms = ["'self'", ...formTargets].join(' ')
  return `default-src 'none'; style-src 'self'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`
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

export function errorPage(error: ServiceError, requestId: string): HttpResponse {
  const { headers, ...rest } = page({
    status: error.status,
    title: error.status === 404 ? 'Nothing here' : error.status === 429 ? 'One moment' : 'This did not work',
    body: html`<p>${error.message}</p>
      <p>${error.hint}</p>
      <p class="small">Request ${requestId}</p>`,
  })
  const { retryAfterSeconds: retry } = error
  return { ...rest, headers: { ...headers, ...(retry !== undefined && { 'Retry-After': String(retry) }) } }
}
