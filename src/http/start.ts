/** The public face over HTTP: the API, the claim page, and what is mounted beside them. */
import type { Suppressions } from '../accounts/suppressions.js'
import type { Accounts } from '../accounts/types.js'
import type { Claims } from '../claims/types.js'
import type { Clock } from '../lib/clock.js'
import type { Mailboxes } from '../mailbox/types.js'
import { notReady } from './errors.js'
import type { Mount } from './fetch.js'
import { createHolds, createRateLimits, type Holds } from './limits.js'
import type { HttpHandler, HttpRequest } from './message.js'
import { openapiYaml } from './openapi.js'
import { claimPage } from './pages/claim.js'
import { createRouter } from './router.js'
import { listen, type HttpServer } from './server.js'
import type { ApiLimits } from './v1/parts.js'
import { routes } from './v1/routes.js'

export interface HttpDeps {
  listen: { host: string; port: number }
  mailboxes: Mailboxes
  claims: Claims
  accounts: Accounts
  suppressions: Pick<Suppressions, 'list' | 'remove'>
  limits: ApiLimits
  /** Where clients reach the service; `http://<host>:<port>` of the listener when ''. */
  baseUrl: string
  version: string
  /** Whether everything behind the API has started. */
  ready: () => boolean
  /** Mail is refused while it is; without it there is always room. */
  diskIsLow?: (() => Promise<boolean>) | undefined
  /** Web-standard handlers such as /mcp. */
  mounts?: readonly Mount[]
  /** Counts of held requests; given when something beside the API holds requests too. */
  holds?: Holds
  onError: (error: unknown, request: HttpRequest) => void
  onAnswer?: (request: HttpRequest, status: number) => void
  warn: (message: string) => void
  clock?: Clock
}

/** Room for so many bodies of the largest size at once. */
const LARGEST_BODIES = 8

/** @throws Error when the address can't be listened on */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const { claims, limits, onError, onAnswer, warn, clock } = deps
  let stopping = false
  let handler: HttpHandler = async () => {
    throw notReady()
  }
  const server = await listen({
    ...deps.listen,
    handler: (request) => handler(request),
    maxHeldBodyBytes: LARGEST_BODIES * limits.bodyBytes,
    onError,
    warn,
    ...(onAnswer && { onAnswer }),
    ...(clock && { clock }),
  })
  // The port, and with it the base URL, is known only now.
  const baseUrl = deps.baseUrl.replace(/\/+$/, '') || `http://${hostPort(deps.listen.host, server.port)}`
  handler = createRouter({
    routes,
    parts: {
      mailboxes: deps.mailboxes,
      claims,
      accounts: deps.accounts,
      suppressions: deps.suppressions,
      holds: deps.holds ?? createHolds(limits.longPollsPerKey),
      limits,
      baseUrl,
      ready: () => !stopping && deps.ready(),
      diskIsLow: deps.diskIsLow,
      openapi: openapiYaml(routes, { version: deps.version, baseUrl }),
    },
    mounts: deps.mounts ?? [],
    pages: [{ path: '/claim/{token}', answer: async ({ token = '' }) => claimPage(await claims.describe(token)) }],
    accounts: deps.accounts,
    rates: createRateLimits(limits.requestsPerMinute),
    baseUrl,
  })

  return {
    port: server.port,
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
