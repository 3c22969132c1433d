/** The public HTTP server: its listeners, who may call and how often, and what it serves once its base URL is known. */
import type { Accounts } from '../../accounts/types.js'
import type { ApiLimits } from '../../api/v1/parts.js'
import type { Audit } from '../../audit/types.js'
import { wantsPage } from '../../http/answers/accept.js'
import { notReady } from '../../http/answers/errors.js'
import type { LargeJson } from '../../http/json/large-json.js'
import { API_RULES, auditCalls, callingAgent } from '../../http/limits/audited.js'
import { createAtWork } from '../../http/limits/concurrency.js'
import type { RateLimits } from '../../http/limits/limits.js'
import type { Holds } from '../../http/limits/long-polls.js'
import type { HttpHandler, HttpRequest, HttpResponse } from '../../http/message.js'
import { createRouter, type RouterDeps } from '../../http/routing/router.js'
import { createClientAddress } from '../../http/server/forwarded.js'
import { listen, type HttpServer, type ListenOptions } from '../../http/server/server.js'

export type Content = Pick<RouterDeps, 'routes' | 'pages' | 'mounts' | 'refuseBrowser'>

export interface HttpDeps {
  listen: Pick<ListenOptions, 'host' | 'port' | 'driver' | 'https' | 'warn' | 'onError' | 'onAnswer' | 'clock'>
  /** URL of the service without a trailing slash; '' for the listener's own. */
  baseUrl: string
  /** @param baseUrl without a trailing slash */
  content: (baseUrl: string) => Content
  /** The page for browsers while the daemon starts; without it they get JSON, as other clients do. */
  starting?: (request: Pick<HttpRequest, 'method'>) => HttpResponse
  accounts: Pick<Accounts, 'authenticate'>
  holds: Holds
  limits: ApiLimits
  /** Records calls that change something; without it, none is recorded. */
  audit?: Audit | undefined
  /** Parses large bodies in a thread; without it they are parsed in place. */
  largeJson?: Pick<LargeJson, 'parse'> | undefined
  /** Shared with other faces. */
  rates: RateLimits
  /** Proxies (addresses and networks) whose X-Forwarded-For is trusted. */
  trustedProxies?: readonly string[]
  /** Origins whose pages may call the API from a browser. */
  corsOrigins?: readonly string[]
}

const LARGEST_BODIES = 8

/** @throws Error when the address can't be listened on */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const { limits, accounts, holds, audit } = deps
  let handler: HttpHandler = async (request) => {
    if (deps.starting && wantsPage(request)) return deps.starting(request)
    throw notReady()
  }
  const server = await listen({
    ...deps.listen,
    handler: (request) => handler(request),
    maxHeldBodyBytes: LARGEST_BODIES * limits.bodyBytes,
    clientAddress: createClientAddress(deps.trustedProxies ?? []),
  })
  // The port, and with it the base URL, is known only now.
  const baseUrl = deps.baseUrl || `http://${hostPort(deps.listen.host, server.port)}`
  handler = createRouter({
    ...deps.content(baseUrl),
    accounts,
    holds,
    audit: audit && auditCalls(audit, API_RULES, callingAgent),
    rates: deps.rates,
    atWork: createAtWork(limits.requestsAtOncePerKey),
    baseUrl,
    corsOrigins: deps.corsOrigins ?? [],
    largeJson: deps.largeJson,
    onError: deps.listen.onError,
  })
  return server
}

function hostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
