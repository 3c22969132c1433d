/** All pages for humans, ready for the router. */
import { ICON, STYLE } from './design/design.js'
import type { Place } from './guide/blocks.js'
import { SCRIPT as DOCS_SCRIPT, SCRIPT_PATH as DOCS_SCRIPT_PATH } from './guide/script.js'
import { guideServed } from './guide/serve.js'
import { discoveryPages } from '../api/mcp/server/discovery.js'
import type { HttpRequest, HttpResponse } from '../http/message.js'
import type { Page } from '../http/routing/router.js'
import type { ServiceError } from '../lib/errors.js'
import { claimPages, type ClaimPageDeps } from './claim/claim.js'
import { consentPages, type ConsentDeps } from './consent/consent.js'
import { exportPage } from './files/export.js'
import { SCRIPT, SCRIPT_PATH } from './inbox/script.js'
import type { InboxDeps } from './inbox/deps.js'
import { inboxPages } from './inbox/pages.js'
import { errorPage, framed, ICON_PATH, NO_PAGE, page, STYLE_PATH, type Brand } from './page/frame.js'
import { html } from './page/html.js'
import { mtaStsPage, type MtaStsDeps } from './files/mta-sts.js'
import { programSettingsPages } from './files/program-settings.js'
import { notMePages, type NotMeDeps } from './claim/not-me.js'
import type { OwnerDeps } from './page/person-frame.js'
import { ownerPages } from './owner/pages.js'
import { inFrame, servePage, type PagesDeps, type WebPage } from './page/page.js'
import { passkeyPages, type PasskeyDeps } from './sign-in/passkey.js'
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_PATH } from './sign-in/passkey-script.js'
import { signInPages, type SignInDeps } from './sign-in/sign-in.js'
import { mailLinkPages, type MailLinkDeps } from './sign-in/mail-link.js'
import { signInLinkPages, type SignInLinkDeps } from './sign-in/sign-in-link.js'
import type { StaffDeps } from './staff/frame.js'
import { staffPages } from './staff/pages.js'
import { writePages } from './write/pages.js'
import { WRITE_SCRIPT, WRITE_SCRIPT_PATH } from './write/script.js'

export interface PagesParts {
  brand: Brand
  browsers: PagesDeps
  signIn: SignInDeps & SignInLinkDeps & MailLinkDeps & PasskeyDeps
  claims: ClaimPageDeps & NotMeDeps
  consent: ConsentDeps
  owner: OwnerDeps
  inbox: InboxDeps
  staff: StaffDeps
  exports: Parameters<typeof exportPage>[0]
  mtaSts: MtaStsDeps
  programSettings: Parameters<typeof programSettingsPages>[0]
  place: Place
  version: string
}

export function allPages({ brand, browsers, place, ...parts }: PagesParts): Page[] {
  const pages: WebPage[] = [
    ...signInPages.map((spec) => servePage(spec, browsers, parts.signIn)),
    ...signInLinkPages.map((spec) => servePage(spec, browsers, parts.signIn)),
    ...passkeyPages.map((spec) => servePage(spec, browsers, parts.signIn)),
    ...mailLinkPages.map((spec) => servePage(spec, browsers, parts.signIn)),
    ...claimPages.map((spec) => servePage(spec, browsers, parts.claims)),
    ...notMePages(parts.claims),
    ...consentPages.map((spec) => servePage(spec, browsers, parts.consent)),
    ...ownerPages.map((spec) => servePage(spec, browsers, parts.owner)),
    ...[...inboxPages(), ...writePages].map((spec) => servePage(spec, browsers, parts.inbox)),
    ...staffPages.map((spec) => servePage(spec, browsers, parts.staff)),
    exportPage(parts.exports, browsers.audit),
    ...guideServed(place),
  ]
  return [
    ...pages.map((each) => inFrame(each, brand)),
    ...programSettingsPages(parts.programSettings),
    ...discoveryPages({ baseUrl: place.baseUrl, version: parts.version }),
    forEver(STYLE_PATH, 'text/css; charset=utf-8', STYLE),
    forEver(SCRIPT_PATH, 'text/javascript; charset=utf-8', SCRIPT),
    forEver(DOCS_SCRIPT_PATH, 'text/javascript; charset=utf-8', DOCS_SCRIPT),
    forEver(WRITE_SCRIPT_PATH, 'text/javascript; charset=utf-8', WRITE_SCRIPT),
    forEver(PASSKEY_SCRIPT_PATH, 'text/javascript; charset=utf-8', PASSKEY_SCRIPT),
    forEver(ICON_PATH, 'image/svg+xml', ICON),
    {
      method: 'GET',
      path: '/.well-known/mta-sts.txt',
      answer: async (_params, request) => mtaStsPage(parts.mtaSts, request),
    },
  ]
}

/** An error of a path that no page has. */
export function browserError(error: ServiceError, requestId: string, brand: Brand): HttpResponse {
  return framed(error.status === 404 ? NO_PAGE : errorPage(error, requestId), brand)
}

const STARTING_SECONDS = '2'

/** For browsers while the service starts: a page that is loaded again by itself. A form is not, since nobody knows whether it was meant twice. */
export function startingPage({ method }: Pick<HttpRequest, 'method'>, brand: Brand): HttpResponse {
  const isForm = method === 'POST'
  const view = page({
    status: 503,
    title: 'Starting',
    headers: { 'Retry-After': STARTING_SECONDS, ...(!isForm && { Refresh: STARTING_SECONDS }) },
    body: isForm
      ? html`<p>The service is starting, so nothing of this form was done. Go back and send it again in a moment.</p>`
      : html`<p>The service is starting. This page loads again by itself in a moment.</p>`,
  })
  return framed(view, brand)
}

/** A file whose path contains a hash of its text. */
function forEver(path: string, type: string, body: string): Page {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  }
  return { method: 'GET', path, answer: async () => ({ status: 200, headers, body }) }
}
