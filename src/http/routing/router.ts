/** Routes requests: path, method, admission, body, handler, response format. */
import type { Accounts, Caller, Scope } from '../../accounts/types.js'
import { ServiceError } from '../../lib/errors.js'
import { after, attempt, type Maybe } from '../../lib/maybe.js'
import { createAdmission } from '../limits/admission.js'
import type { AtWork } from '../limits/concurrency.js'
import type { AuditCall } from '../limits/audited.js'
import { bearerOf, type Auth } from '../limits/authorize.js'
import { prefersHtml, wantsPage } from '../answers/accept.js'
import { createCompression } from '../answers/compression.js'
import { conditional } from '../answers/conditional.js'
import { CORS_FOR_ANYBODY, createCors } from '../answers/cors.js'
import { asServiceError, errorResponse } from '../answers/errors.js'
import { serveFetch, type FetchDeps, type Mount } from '../limits/web-handler.js'
import type { Holds } from '../limits/long-polls.js'
import { parseQuery, requireJson } from './input.js'
import { parseJson } from '../json/json.js'
import type { Fields } from '../listener/types.js'
import type { LargeJson } from '../json/large-json.js'
import { askerOf, RateLimited, rateFields, type RateLimits, type RateState } from '../limits/limits.js'
import { createMatcher, type Match } from './match.js'
import { ClientGone, type HttpHandler, type HttpRequest, type HttpResponse } from '../message.js'
import { createNearestPath } from './nearest-path.js'
import { API_INDEX_PATH, apiPagePath, type BoundRoute } from './route.js'

export interface RouterDeps {
  routes: readonly BoundRoute[]
  /** Records calls of the routes; without it, none is recorded. */
  audit?: AuditCall | undefined
  /** Web-standard handlers, each for every method on one path. */
  mounts: readonly Mount[]
  /** For browsers: no key, not in the API description. */
  pages: readonly Page[]
  accounts: Pick<Accounts, 'authenticate'>
  /** Undefined: no limits. */
  rates: RateLimits | undefined
  /** Undefined: no limit. */
  atWork?: AtWork
  /** Reports callers whose access ends; without it, none does. */
  holds?: Pick<Holds, 'watch' | 'heldBy'>
  baseUrl: string
  /** Origins whose pages may call API and mounts. */
  corsOrigins?: readonly string[]
  /** False where operations have no pages at `/docs/api`; then no hint names one. */
  hasOperationPages?: boolean
  /** Parses large bodies in a thread; without it they are parsed in place. */
  largeJson?: Pick<LargeJson, 'parse'> | undefined
  /** Shows a browser an error of a path outside the API that no page answers for; without it, and to others, the error is JSON. */
  refuseBrowser?: Page['refuse']
  /** Called for internal errors with a page of their own; otherwise they are thrown. */
  onError?: (error: unknown, request: HttpRequest) => void
}

export interface Page {
  method: 'GET' | 'POST'
  path: string
  /** For clients that accept HTML, beside a route at the same path. */
  onlyForBrowsers?: boolean
  /** Origins that may read it: those of the operator, as for the API, or any. None by default: pages for humans contain secrets. */
  readableBy?: 'named' | 'anybody'
  /** True if requests without a key are rate-limited; true by default. */
  rateLimited?: boolean
  /** Formats errors; JSON by default. */
  refuse?: (error: ServiceError, requestId: string) => HttpResponse
  answer(params: Record<string, string>, request: HttpRequest): Promise<HttpResponse>
}

interface Endpoint {
  kind: 'route' | 'page' | 'mount'
  readableBy: 'nobody' | 'named' | 'anybody'
  auth: Auth
  /** Resources of accepted OAuth tokens. */
  audiences: readonly string[]
  challenge?: Mount['challenge']
  scopes: readonly Scope[]
  rateLimited: boolean
  refuse?: Page['refuse']
  /** Set for a route with a page in the guide. */
  operationId?: string
  run(request: HttpRequest, caller: Caller | undefined, params: Record<string, string>): Maybe<HttpResponse>
}

/** The handlers of a path: a route per method, or one endpoint for all. */
interface Resource {
  methods: Map<string, Endpoint>
  /** The page for browsers, if it differs from GET. */
  forBrowsers: Endpoint | undefined
  any: Endpoint | undefined
}

interface Found {
  found: Match<Resource> | undefined
  endpoint: Endpoint | undefined
}

export function createRouter(deps: RouterDeps): HttpHandler {
  const matcher = createMatcher<Resource>()
  const admission = createAdmission(deps)
  const corsOf = { nobody: undefined, named: createCors(deps.corsOrigins ?? []), anybody: CORS_FOR_ANYBODY }
  const compress = createCompression()
  const parse = jsonParser(deps.largeJson)
  const resourceAt = (path: string): Resource =>
    matcher.at(path, () => ({ methods: new Map(), forBrowsers: undefined, any: undefined }))
  const near = nearestOperations(deps.routes)
  const { hasOperationPages: hasPages = true } = deps
  for (const route of deps.routes) {
    const { methods } = resourceAt(route.path)
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is declared twice`)
    methods.set(route.method, routeEndpoint(route, deps, parse))
  }
  for (const page of deps.pages) {
    const run: Endpoint['run'] = (request, _caller, params) => page.answer(params, request)
    const resource = resourceAt(page.path)
    const endpoint: Endpoint = {
      kind: 'page',
      readableBy: page.readableBy ?? 'nobody',
      auth: 'none',
      audiences: [],
      scopes: [],
      rateLimited: page.rateLimited ?? true,
      refuse: page.refuse,
      run,
    }
    if (page.onlyForBrowsers) {
      resource.forBrowsers = endpoint
      continue
    }
    if (resource.methods.has(page.method)) throw new Error(`${page.method} ${page.path} is declared twice`)
    resource.methods.set(page.method, endpoint)
  }
  for (const mount of deps.mounts) resourceAt(mount.path).any = mountEndpoint(mount, { ...deps, parse })

  function answer(
    request: HttpRequest,
    { found, endpoint }: Found,
    report: (state: RateState) => void,
  ): Maybe<HttpResponse> {
    const { method } = request
    const preflight =
      method === 'OPTIONS' && found && corsOf[readersOf(found.value)]?.preflight(request, allowed(found.value))
    if (found && endpoint && !preflight) {
      return after(admission.admit(request, endpoint, report), (caller) => endpoint.run(request, caller, found.params))
    }
    admission.countUnknown(request, report)
    if (preflight) return preflight
    if (!found) throw noSuchPath(near(method, request.path), hasPages)
    const allow = allowed(found.value)
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow } }
    const refusal = withoutEndpoint(wrongMethod(method, allow, hasPages ? found.value : undefined), request)
    return { ...refusal, headers: { ...refusal.headers, Allow: allow } }
  }

  function find({ method: asked, path, headers }: HttpRequest): Found {
    const found = matcher.match(path)
    const method = asked === 'HEAD' ? 'GET' : asked
    const own = found?.value.forBrowsers
    if (own && method === 'GET' && prefersHtml(headers)) return { found, endpoint: own }
    return { found, endpoint: found && (found.value.methods.get(method) ?? found.value.any) }
  }

  /** Formats a response. Pages contain secrets and are same-origin, so they stay unchanged. */
  function formed(request: HttpRequest, { found, endpoint }: Found, response: HttpResponse): Maybe<HttpResponse> {
    const cors = corsOf[endpoint?.readableBy ?? (found ? readersOf(found.value) : 'named')]
    if (!cors) return response
    if (endpoint?.kind !== 'route') return cors.open(request, response)
    return after(compress(request, conditional(request, response)), (sent) => cors.open(request, sent))
  }

  /** The answer to an error of a path, or of a method that it does not have. */
  function withoutEndpoint(error: unknown, request: HttpRequest): HttpResponse {
    const { requestId } = request
    if (!deps.refuseBrowser || !wantsPage(request)) return errorResponse(error, requestId)
    return deps.refuseBrowser(asServiceError(error), requestId)
  }

  function refused(error: unknown, request: HttpRequest, endpoint: Endpoint | undefined): HttpResponse {
    const { refuse } = endpoint ?? {}
    if (!(error instanceof ServiceError)) {
      if (!refuse || !deps.onError || error instanceof ClientGone) throw error
      deps.onError(error, request)
    }
    const response = refuse
      ? refuse(asServiceError(error), request.requestId)
      : endpoint
        ? errorResponse(hasPages ? withPage(error, endpoint) : error, request.requestId)
        : withoutEndpoint(error, request)
    return response.status === 401 && endpoint?.challenge ? challenged(response, endpoint.challenge, request) : response
  }

  return (request) => {
    let rate: RateState | undefined
    const report = (state: RateState): void => {
      rate = state
    }
    const at = find(request)
    const finish = (response: HttpResponse): Maybe<HttpResponse> =>
      after(formed(request, at, response), (sent) => (rate ? withFields(sent, rateFields(rate)) : sent))
    return attempt(
      () => answer(request, at, report),
      finish,
      (error) => {
        if (error instanceof RateLimited) rate = error.state
        return finish(refused(error, request, at.endpoint))
      },
    )
  }
}

/** Written out, since a spread takes ten times as long and this is done for every response. */
function withFields({ status, headers, body, length, kept }: HttpResponse, ownFields: Fields): HttpResponse {
  return { status, headers, body, length, kept, ownFields }
}

/** Larger bodies are worth a handover to a thread. */
const IN_PLACE_BYTES = 128 * 1024

type JsonParser = (body: Buffer) => unknown

function jsonParser(largeJson: RouterDeps['largeJson']): JsonParser {
  return (body) => (largeJson && body.length > IN_PLACE_BYTES ? largeJson.parse(body) : parseJson(body))
}

function routeEndpoint(
  route: BoundRoute,
  { audit, rates }: Pick<RouterDeps, 'audit' | 'rates'>,
  parse: JsonParser,
): Endpoint {
  async function bodyOf(request: HttpRequest, caller: Caller | undefined): Promise<unknown> {
    requireJson(request.headers)
    return parse(await request.readBody(route.maxBodyBytes, caller && holderOf(caller)))
  }

  return {
    kind: 'route',
    operationId: route.operationId,
    readableBy: 'named',
    auth: route.auth,
    audiences: [],
    scopes: route.scopes,
    rateLimited: route.rateLimited,
    run(request, caller, params) {
      const query = parseQuery(request.query)
      const runWith = (body: unknown): Maybe<HttpResponse> => {
        const asker = caller && askerOf(caller, request, rates)
        return route.run({ params, query, body, caller, asker, request, audit })
      }
      return route.body ? after(bodyOf(request, caller), runWith) : runWith({})
    },
  }
}

/** All keys of an account share its body memory. */
function holderOf({ account, keyId }: Caller): string {
  return account?.id ?? keyId
}

function mountEndpoint(mount: Mount, deps: FetchDeps): Endpoint {
  return {
    kind: 'mount',
    readableBy: 'named',
    auth: mount.auth,
    audiences: mount.audiences ?? [],
    ...(mount.challenge && { challenge: mount.challenge }),
    // Mounts check scopes themselves.
    scopes: [],
    rateLimited: true,
    refuse: mount.refuse,
    run: (request, caller) => serveFetch(mount, request, caller, deps),
  }
}

/** For errors about the path, such as its methods. */
function readersOf({ methods }: Resource): Endpoint['readableBy'] {
  return [...methods.values()].find(({ kind }) => kind === 'page')?.readableBy ?? 'named'
}

function challenged(
  response: HttpResponse,
  challenge: NonNullable<Mount['challenge']>,
  request: HttpRequest,
): HttpResponse {
  const value = challenge(bearerOf(request.headers) !== undefined)
  return { ...response, headers: { ...response.headers, 'WWW-Authenticate': value } }
}

function allowed({ methods, any }: Resource): string {
  const names = any ? ['GET', 'POST', 'DELETE'] : [...methods.keys()]
  return [...names, ...(names.includes('GET') && !any ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ')
}

/** Invalid requests get a link to the operation's page. */
function withPage(error: unknown, endpoint: Endpoint | undefined): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_request' || endpoint?.operationId === undefined)
    return error
  const hint = `${error.hint} ${describedAt([endpoint.operationId])}`
  return new ServiceError(error.code, error.message, hint, { ...(error.fields && { fields: error.fields }) })
}

function nearestOperations(routes: readonly BoundRoute[]): (method: string, path: string) => BoundRoute[] {
  const nearest = createNearestPath(routes.map(({ path }) => path))
  return (method, path) => {
    const paths = new Set(nearest(path))
    const close = routes.filter((route) => paths.has(route.path))
    const same = close.filter((route) => route.method === method)
    return (same.length > 0 ? same : close).slice(0, MAX_SUGGESTED)
  }
}

const MAX_SUGGESTED = 3

function describedAt(operationIds: readonly string[]): string {
  const pages = operationIds.map((id) => `GET ${apiPagePath(id)}`)
  return pages.length === 1
    ? `The call is described at ${pages.join()}.`
    : `The calls are described at ${pages.join(', ')}.`
}

/** The error for a path that does not exist, or not for this caller. @param hasPages operations have pages under `/docs/api` */
export function noSuchPath(
  near: readonly Pick<BoundRoute, 'method' | 'path' | 'operationId'>[] = [],
  hasPages = true,
): ServiceError {
  const meant = near.map(({ method, path }) => `${method} ${path}`).join(', ')
  const described = hasPages && near.length > 0 ? describedAt(near.map(({ operationId }) => operationId)) : undefined
  const hint = [
    near.length > 0 ? `Did you mean ${meant}?` : undefined,
    described,
    hasPages ? `GET ${API_INDEX_PATH} lists every operation.` : COMMANDS_LISTED,
  ]
  return new ServiceError('not_found', 'There is nothing at this path.', hint.filter(Boolean).join(' '))
}

/** On the admin listener. */
const COMMANDS_LISTED = 'The commands of restante make the calls of this listener: "restante help" lists them.'

/** @param resource with the operations whose pages are named; undefined where they have none */
function wrongMethod(method: string, allow: string, resource: Resource | undefined): ServiceError {
  const operations = [...(resource?.methods.values() ?? [])].flatMap(({ operationId }) => operationId ?? [])
  const pages = operations.length === 0 ? '' : ` ${describedAt(operations)}`
  return new ServiceError('method_not_allowed', `${method.slice(0, 20)} is not possible here.`, `Use ${allow}.${pages}`)
}
