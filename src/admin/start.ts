/** The admin listener for the operator's commands and monitoring: on loopback, with its own token. */
import { isIP } from 'node:net'
import type { Clock } from '../lib/clock.js'
import { invalidRequest, ServiceError } from '../lib/errors.js'
import { constantTimeEqual } from '../lib/ids.js'
import { isLoopback } from '../lib/ip.js'
import type { Audit } from '../audit/types.js'
import { ADMIN_RULES, auditCalls, callingOperator } from '../http/limits/audited.js'
import { bearerOf } from '../http/limits/authorize.js'
import type { HttpRequest } from '../http/message.js'
import type { Driver } from '../http/listener/types.js'
import type { BoundRoute } from '../http/routing/route.js'
import { createRouter } from '../http/routing/router.js'
import { listen, type HttpServer } from '../http/server/server.js'

export interface AdminDeps {
  listen: { host: string; port: number }
  /** `adminRoutes` with their parts. */
  routes: readonly BoundRoute[]
  driver: Driver
  token: string
  onError: (error: unknown, request: HttpRequest) => void
  warn: (message: string) => void
  /** Records changes; without it, none is recorded. */
  audit?: Audit | undefined
  clock?: Clock
}

const MIN_HELD_BODY_BYTES = 1024 * 1024

/** @throws Error when the address can't be listened on */
export async function startAdmin(deps: AdminDeps): Promise<HttpServer> {
  const { host } = deps.listen
  if (host !== 'localhost' && !isLoopback(host)) {
    deps.warn(
      `The admin listener is reachable from other machines (server.admin is on ${host}); only its token protects it.`,
    )
  }
  const handler = createRouter({
    hasOperationPages: false,
    routes: deps.routes,
    audit: deps.audit && auditCalls(deps.audit, ADMIN_RULES, callingOperator),
    mounts: [],
    pages: [],
    accounts: { authenticate: async () => undefined },
    rates: undefined,
    baseUrl: 'http://localhost',
  })
  return listen({
    ...deps.listen,
    driver: deps.driver,
    async handler(request) {
      refuseBrowsers(request.headers)
      if (request.path !== '/healthz') requireToken(request.headers, deps.token)
      return handler(request)
    },
    // One caller may hold half of it.
    maxHeldBodyBytes: Math.max(MIN_HELD_BODY_BYTES, ...deps.routes.map(({ maxBodyBytes }) => 2 * maxBodyBytes)),
    onError: deps.onError,
    warn: deps.warn,
    ...(deps.clock && { clock: deps.clock }),
  })
}

/** DNS rebinding: such a page sends its own name as Host, and browsers send an Origin. */
function refuseBrowsers(headers: Readonly<Record<string, string>>): void {
  const name = (headers['host'] ?? '').replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  if ((isIP(name) !== 0 || name.toLowerCase() === 'localhost') && headers['origin'] === undefined) return
  throw invalidRequest(
    'This listener is not for web pages.',
    'Call it by its address or as localhost, and without Origin.',
  )
}

/** @throws ServiceError `unauthorized` */
function requireToken(headers: Readonly<Record<string, string>>, token: string): void {
  const bearer = bearerOf(headers)
  if (bearer !== undefined && constantTimeEqual(bearer, token)) return
  throw new ServiceError(
    'unauthorized',
    'The admin token is missing or wrong.',
    'Use the `restante` command as the user the daemon runs as; it reads the token from the data folder.',
  )
}
