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

export interface AllPagesDeps
  extends
    PagesDeps,
    Omit<SignInDeps, 'sessions' | 'accounts'>,
    Omit<ClaimPageDeps, 'accounts' | 'claims'>,
    Pick<SignInLinkDeps, 'links'>,
    Pick<ConsentDeps, 'consent' | 'letters'>,
    Omit<OwnerDeps, 'sessions' | 'accounts' | 'exports' | 'providers' | 'reviewing'>,
    Pick<StaffDeps, 'reviewing' | 'day'> {
  claims: ClaimPageDeps['claims'] & NotMeDeps['claims']
  sessions: PagesDeps['sessions'] & SignInDeps['sessions'] & OwnerDeps['sessions']
  accounts: SignInDeps['accounts'] & ClaimPageDeps['accounts'] & OwnerDeps['accounts'] & StaffDeps['accounts']
  exports: Parameters<typeof exportPage>[0] & OwnerDeps['exports']
  mtaSts: MtaStsDeps
  place: Place
  /** Of the service. */
  version: string
}

export function allPages(deps: AllPagesDeps): Page[] {
  return [
    ...signInPages.map((spec) => servePage(spec, deps, deps)),
    ...signInLinkPages.map((spec) => servePage(spec, deps, deps)),
    ...claimPages.map((spec) => servePage(spec, deps, deps)),
    ...notMePages(deps),
    ...consentPages.map((spec) => servePage(spec, deps, deps)),
    ...ownerPages.map((spec) => servePage(spec, deps, deps)),
    ...staffPages.map((spec) => servePage(spec, deps, deps)),
    exportPage(deps.exports, deps.audit),
    ...guideServed(deps.place),
    ...discoveryPages({ baseUrl: deps.place.baseUrl, version: deps.version }),
    { method: 'GET', path: STYLE_PATH, answer: async () => style() },
    {
      method: 'GET',
      path: '/.well-known/mta-sts.txt',
      answer: async (_params, request) => mtaStsPage(deps.mtaSts, request),
    },
  ]
}

/** Its path changes with it. */
function style() {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=31536000, immutable' },
    body: STYLE,
  }
}
