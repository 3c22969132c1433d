/** All pages for humans, ready for the router. */
import type { Place } from '../guide/blocks.js'
import { guideServed } from '../guide/serve.js'
import { discoveryPages } from '../mcp/discovery.js'
import type { Page } from '../router.js'
import { claimPages } from './claim.js'
import type { ClaimPageDeps } from './claim.js'
import { consentPages } from './consent.js'
import type { ConsentDeps } from './consent.js'
import { exportPage } from './export.js'
import { STYLE_PATH } from './frame.js'
import { mtaStsPage } from './mta-sts.js'
import type { MtaStsDeps } from './mta-sts.js'
import { notMePages } from './not-me.js'
import type { NotMeDeps } from './not-me.js'
import type { OwnerDeps } from './owner/frame.js'
import { ownerPages } from './owner/pages.js'
import { servePage } from './page.js'
import type { PagesDeps } from './page.js'
import { signInPages } from './sign-in.js'
import type { SignInDeps } from './sign-in.js'
import { signInLinkPages } from './sign-in-link.js'
import type { SignInLinkDeps } from './sign-in-link.js'
import type { StaffDeps } from './staff/frame.js'
import { staffPages } from './staff/pages.js'
import { STYLE } from './style.js'

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
