/** The public face over HTTP: the API, the pages for humans, and what is mounted beside them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Letters } from '../accounts/letters.js'
import type { Suppressions } from '../accounts/suppressions.js'
import type { Accounts } from '../accounts/types.js'
import type { Audit } from '../audit/types.js'
import type { Claims } from '../lifecycle/claims/types.js'
import type { OwnDomains } from '../lifecycle/domains/own-domains.js'
import type { Holdings } from '../lifecycle/claims/more-mailboxes.js'
import type { Removal } from '../lifecycle/deletion/mailbox-removal.js'
import type { Deletion } from '../lifecycle/deletion/types.js'
import type { Exports } from '../lifecycle/export/types.js'
import { systemClock, type Clock } from '../lib/clock.js'
import type { Connections, Consent } from '../oauth/types.js'
import type { Reviewing } from '../mailbox/review/review.js'
import type { Mailboxes } from '../mailbox/composition/mailboxes.js'
import type { Remember } from '../store/versioned-cache.js'
import type { WebhookService } from '../webhooks/service.js'
import type { HttpChallenges } from '../certificates/types.js'
import { challengePage } from '../http/routing/acme-challenge.js'
import { API_RULES, auditCalls, callingAgent } from '../http/limits/audited.js'
import { notReady } from '../http/answers/errors.js'
import type { Mount } from '../http/limits/web-handler.js'
import { createAtWork } from '../http/limits/concurrency.js'
import { createClientAddress } from '../http/server/forwarded.js'
import { createHolds, type Holds } from '../http/limits/long-polls.js'
import type { LargeJson } from '../http/json/large-json.js'
import { createRateLimits } from '../http/limits/limits.js'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/message.js'
import { openapiTexts, type OpenapiTexts } from '../http/routing/openapi.js'
import type { EndpointsDeps } from '../api/oauth/endpoints.js'
import { oauthPages } from '../api/oauth/pages.js'
import type { MtaStsDeps } from '../web/files/mta-sts.js'
import { allPages, type AllPagesDeps } from '../web/pages.js'
import { createRouter } from '../http/routing/router.js'
import { listen, type HttpServer, type ListenOptions } from '../http/server/server.js'
import type { HttpsOptions } from '../http/server/https.js'
import type { Driver } from '../http/listener/types.js'
import type { ApiLimits } from '../api/v1/parts.js'
import { routes } from '../api/v1-routes.js'

export interface HttpDeps {
  listen: { host: string; port: number }
  /** Of the listener without TLS. */
  driver: Driver
  /** Listeners of TLS beside it; there are none without it. */
  https?: HttpsOptions | undefined
  /** What is done is written down there; without it nothing is. */
  audit?: Audit | undefined
  mailboxes: Mailboxes
  claims: Claims
  accounts: Accounts
  suppressions: Pick<Suppressions, 'list' | 'remove'>
  deletion: Deletion
  consent: Consent
  /** By which owners are told of what was connected; without it they are not. */
  letters?: Pick<Letters, 'canReach' | 'post'>
  connections: Pick<Connections, 'list' | 'revoke'>
  holdings: Holdings
  ownDomains: Pick<OwnDomains, 'add' | 'list' | 'get' | 'verify' | 'remove'>
  removal: Pick<Removal, 'request'>
  /** Missing where nobody reviews what the guard holds. */
  reviewing?: Pick<Reviewing, 'list' | 'read' | 'log' | 'counts' | 'approve' | 'reject' | 'suspend'> | undefined
  /** The day in steps of ten minutes, for the staff; without it there is none. */
  day?: AllPagesDeps['day']
  exports: Pick<Exports, 'request' | 'list' | 'get' | 'linkTo' | 'download'>
  webhooks: Omit<WebhookService, 'all' | 'disable'>
  limits: ApiLimits
  /** What the pages for humans need beside the rest. */
  humans: Pick<AllPagesDeps, 'providers' | 'sessions' | 'states' | 'links' | 'webKey' | 'onSignIn'>
  /** Where clients reach the service; `http://<host>:<port>` of the listener when ''. */
  baseUrl: string
  /** The first one on which addresses can be claimed, for the guide. */
  domain: string
  /** Where large bodies are parsed; without it in place. */
  largeJson?: Pick<LargeJson, 'parse'>
  /** Keeps answers until their mailbox changes; without it each is made anew. */
  keptAnswers?: Remember<HttpResponse>
  /** Proxies (addresses and networks) whose word on who asks counts; none without it. */
  trustedProxies?: readonly string[]
  /** Origins whose pages may call the API from a browser; none without it. */
  corsOrigins?: readonly string[]
  version: string
  /** Whether everything behind the API has started. */
  ready: () => boolean
  /** Mail is refused while it is; without it there is always room. */
  diskIsLow?: (() => Promise<boolean>) | undefined
  /** Without it the store can always be read. */
  storeIsReadable?: (() => Promise<boolean>) | undefined
  /** Our own policy, for those who send us mail; without it there is none. */
  mtaSts?: MtaStsDeps
  /** What authorities ask who are to make out a certificate; without it they are told nothing. */
  challenges?: HttpChallenges
  /** Connections by OAuth; there are none without it. */
  oauth?: EndpointsDeps
  /** Web-standard handlers such as /mcp. */
  mounts?: readonly Mount[]
  /** Counts of held requests; given when something beside the API holds requests too. */
  holds?: Holds
  onError: (error: unknown, request: HttpRequest) => void
  onAnswer?: ListenOptions['onAnswer']
  warn: (message: string) => void
  clock?: Clock
}

/** Room for so many bodies of the largest size at once. */
const LARGEST_BODIES = 8

/** @throws Error when the address can't be listened on */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const { claims, limits, onError, onAnswer, warn, clock } = deps
  let stopping = false
  let description: Promise<OpenapiTexts> | undefined
  let handler: HttpHandler = async () => {
    throw notReady()
  }
  const server = await listen({
    ...deps.listen,
    driver: deps.driver,
    https: deps.https,
    handler: (request) => handler(request),
    maxHeldBodyBytes: LARGEST_BODIES * limits.bodyBytes,
    clientAddress: createClientAddress(deps.trustedProxies ?? []),
    onError,
    warn,
    ...(onAnswer && { onAnswer }),
    ...(clock && { clock }),
  })
  // The port, and with it the base URL, is known only now.
  const baseUrl = deps.baseUrl.replace(/\/+$/, '') || `http://${hostPort(deps.listen.host, server.port)}`
  const holds = deps.holds ?? createHolds(limits.longPollsPerKey, deps.accounts, clock)
  handler = createRouter({
    routes,
    parts: {
      mailboxes: deps.mailboxes,
      claims,
      accounts: deps.accounts,
      suppressions: deps.suppressions,
      deletion: deps.deletion,
      holdings: deps.holdings,
      ownDomains: deps.ownDomains,
      removal: deps.removal,
      exports: deps.exports,
      webhooks: deps.webhooks,
      holds,
      keptAnswers: deps.keptAnswers,
      limits,
      baseUrl,
      ready: () => !stopping && deps.ready(),
      httpDriver: deps.driver.name,
      diskIsLow: deps.diskIsLow,
      storeIsReadable: deps.storeIsReadable,
      openapi: () => (description ??= openapiTexts(routes, { version: deps.version, baseUrl }, nextTurn)),
    },
    audit: deps.audit && auditCalls(deps.audit, API_RULES, callingAgent),
    holds,
    mounts: deps.mounts ?? [],
    pages: [
      ...(deps.challenges ? [challengePage(deps.challenges)] : []),
      ...(deps.oauth ? oauthPages(deps.oauth, baseUrl) : []),
      ...allPages({
        ...deps.humans,
        audit: deps.audit,
        claims,
        accounts: deps.accounts,
        exports: deps.exports,
        deletion: deps.deletion,
        consent: deps.consent,
        letters: deps.letters,
        connections: deps.connections,
        mailboxes: deps.mailboxes,
        reviewing: deps.reviewing,
        day: deps.day,
        origin: new URL(baseUrl).origin,
        mtaSts: deps.mtaSts ?? { policy: undefined, domains: [] },
        place: { baseUrl, domain: deps.domain },
        version: deps.version,
        clock: clock ?? systemClock,
      }),
    ],
    accounts: deps.accounts,
    rates: createRateLimits({ perKey: limits.requestsPerMinute, perAccount: limits.accountRequestsPerMinute }),
    atWork: createAtWork(limits.requestsAtOncePerKey),
    baseUrl,
    corsOrigins: deps.corsOrigins ?? [],
    largeJson: deps.largeJson,
    onError,
  })

  return {
    port: server.port,
    get httpsPorts() {
      return server.httpsPorts
    },
    get openRequests() {
      return server.openRequests
    },
    close(graceMs) {
      stopping = true
      return server.close(graceMs)
    },
  }
}

function hostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
