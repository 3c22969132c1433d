/** All pages for humans, ready for the router. */
import type { Place } from './guide/blocks.js'
import { guideServed } from './guide/serve.js'
import { discoveryPages } from '../api/mcp/server/discovery.js'
import type { Page } from '../http/routing/router.js'
import { claimPages, type ClaimPageDeps } from './claim/claim.js'
import { consentPages, type ConsentDeps } from './consent/consent.js'
import { exportPage } from './files/export.js'
import { STYLE_PATH } from './page/frame.js'
import { mtaStsPage, type MtaStsDeps } from './files/mta-sts.js'
import { notMePages, type NotMeDeps } from './claim/not-me.js'
import type { OwnerDeps } from './page/person-frame.js'
import { ownerPages } from './owner/pages.js'
import { servePage, type PagesDeps } from './page/page.js'
import { signInPages, type SignInDeps } from './sign-in/sign-in.js'
import { signInLinkPages, type SignInLinkDeps } from './sign-in/sign-in-link.js'
import type { StaffDeps } from './staff/frame.js'
import { staffPages } from './staff/pages.js'
import { STYLE } from './page/style.js'

export interface PagesParts {
  browsers: PagesDeps
  signIn: SignInDeps & SignInLinkDeps
  claims: ClaimPageDeps & NotMeDeps
  consent: ConsentDeps
  owner: OwnerDeps
  staff: StaffDeps
  exports: Parameters<typeof exportPage>[0]
  mtaSts: MtaStsDeps
  place: Place
  version: string
}

export function allPages({ browsers, place, ...parts }: PagesParts): Page[] {
  return [
    ...signInPages.map((spec) => servePage(spec, browsers, parts.signIn)),
    ...signInLinkPages.map((spec) => servePage(spec, browsers, parts.signIn)),
    ...claimPages.map((spec) => servePage(spec, browsers, parts.claims)),
    ...notMePages(parts.claims),
    ...consentPages.map((spec) => servePage(spec, browsers, parts.consent)),
    ...ownerPages.map((spec) => servePage(spec, browsers, parts.owner)),
    ...staffPages.map((spec) => servePage(spec, browsers, parts.staff)),
    exportPage(parts.exports, browsers.audit),
    ...guideServed(place),
    ...discoveryPages({ baseUrl: place.baseUrl, version: parts.version }),
    { method: 'GET', path: STYLE_PATH, answer: async () => style() },
    {
      method: 'GET',
      path: '/.well-known/mta-sts.txt',
      answer: async (_params, request) => mtaStsPage(parts.mtaSts, request),
    },
  ]
}

/** Its path contains a hash of its text. */
function style() {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=31536000, immutable' },
    body: STYLE,
  }
}
