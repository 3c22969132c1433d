/**
 * From a request to the route that is declared for it: path, method, key, limits, body, and only then the handler. Nothing of a body is
 * taken from the network before its sender is known and has requests left.
 */
import type { Accounts, Caller, Scope } from '../accounts/types.js'
import { invalidRequest, ServiceError } from '../lib/errors.js'
import { authenticate, bearerOf, permit, type Auth } from './authorize.js'
import { asServiceError, errorResponse } from './errors.js'
import { serveFetch, type Mount } from './fetch.js'
import { parseJson } from './json.js'
import { RateLimited, rateHeaders, type RateLimits, type RateState } from './limits.js'
import { createMatcher, decode, type Match } from './match.js'
import type { Holds } from './holds.js'
import { ClientGone } from './message.js'
import type { HttpHandler, HttpRequest, HttpResponse } from './message.js'
import type { Route } from './route.js'

export interface RouterDeps<D> {
  routes: readonly Route<D>[]
  /** What their handlers work with. */
  parts: D
  /** Web-standard handlers, each for every method on one path. */
  mounts: readonly Mount[]
  /** For browsers: no key, and no place in the API description. */
  pages: readonly Page[]
  accounts: Pick<Accounts, 'authenticate'>
  /** Undefined: nobody is limited. */
  rates: RateLimits | undefined
  /** Told of callers whose access ends; nobody's does without it. */
  holds?: Pick<Holds, 'watch'>
  /** What the URLs of mounts begin with. */
  baseUrl: string
  /** Told of faults of ours that a page answers in its own way; without it they are thrown like all others. */
  onError?: (error: unknown, request: HttpRequest) => void
}

export interface Page {
  method: 'GET' | 'POST'
  path: string
  /** Beside a route at the same path: for those who ask for HTML, as browsers do. */
  onlyForBrowsers?: boolean
  /** What its reader sees of an error; JSON when not given. */
  refuse?: (error: ServiceError, requestId: string) => HttpResponse
  answer(params: Record<string, string>, request: HttpRequest): Promise<HttpResponse>
}

interface Endpoint {
  auth: Auth
  scopes: readonly Scope[]
  rateLimited: boolean
  refuse?: Page['refuse']
  run(request: HttpRequest, caller: Caller | undefined, params: Record<string, string>): Promise<HttpResponse>
}

/** What answers at one path: a route for each of some methods, or one endpoint for all. */
interface Resource {
  methods: Map<string, Endpoint>
  /** What a browser gets for a GET, where that is something else. */
  forBrowsers: Endpoint | undefined
  any: Endpoint | undefined
}

export function createRouter<D>(deps: RouterDeps<D>): HttpHandler {
  const matcher = createMatcher<Resource>()
  const resourceAt = (path: string): Resource =>
    matcher.at(path, () => ({ methods: new Map(), forBrowsers: undefined, any: undefined }))
  for (const route of deps.routes) {
    const { methods } = resourceAt(route.path)
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is declared twice`)
    methods.set(route.method, routeEndpoint(route, deps.parts))
  }
  for (const page of deps.pages) {
    const run: Endpoint['run'] = (request, _caller, params) => page.answer(params, request)
    const resource = resourceAt(page.path)
    const endpoint: Endpoint = { auth: 'none', scopes: [], rateLimited: true, refuse: page.refuse, run }
    if (page.onlyForBrowsers) {
      resource.forBrowsers = endpoint
      continue
    }
    if (resource.methods.has(page.method)) throw new Error(`${page.method} ${page.path} is declared twice`)
    resource.methods.set(page.method, endpoint)
  }
  for (const mount of deps.mounts) resourceAt(mount.path).any = mountEndpoint(mount, deps)

  async function answer(
    request: HttpRequest,
    { found, endpoint }: Found,
    tell: (state: RateState) => void,
  ): Promise<HttpResponse> {
    const { method } = request
    if (!found || !endpoint) {
      if (deps.rates) tell(await deps.rates.countClient(request.remoteAddress))
      if (!found) throw noSuchPath()
      const allow = allowed(found.value)
      if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow } }
      const refusal = errorResponse(wrongMethod(method, allow), request.requestId)
      return { ...refusal, headers: { ...refusal.headers, Allow: allow } }
    }
    return endpoint.run(request, await admit(request, endpoint, tell), found.params)
  }

  interface Found {
    found: Match<Resource> | undefined
    endpoint: Endpoint | undefined
  }

  function find({ method: asked, path, headers }: HttpRequest): Found {
    const found = matcher.match(path)
    const method = asked === 'HEAD' ? 'GET' : asked
    const own = found?.value.forBrowsers
    if (own && method === 'GET' && headers['accept']?.includes('text/html')) return { found, endpoint: own }
    return { found, endpoint: found && (found.value.methods.get(method) ?? found.value.any) }
  }

  /** Who asks; counted against their key, or against their network when they have none or a wrong one. */
  async function admit(
    request: HttpRequest,
    endpoint: Endpoint,
    tell: (state: RateState) => void,
  ): Promise<Caller | undefined> {
    const countClient = async (): Promise<void> => {
      if (deps.rates) tell(await deps.rates.countClient(request.remoteAddress))
    }
    if (endpoint.auth === 'none') {
      if (endpoint.rateLimited) await countClient()
      return undefined
    }
    if (bearerOf(request.headers) === undefined) await countClient()
    let caller: Caller
    try {
      caller = await authenticate(deps.accounts, request.headers)
    } catch (error) {
      // Good keys go on working from a network that tries bad ones: 256 random bits are not guessed, a shared address is common.
      if (error instanceof ServiceError && bearerOf(request.headers) !== undefined) await countClient()
      throw error
    }
    if (deps.rates) tell(await deps.rates.countKey(caller.keyId))
    permit(caller, endpoint.auth, endpoint.scopes)
    return caller
  }

  return async (request) => {
    let rate: RateState | undefined
    const tell = (state: RateState): void => {
      rate = state
    }
    let response: HttpResponse
    const at = find(request)
    try {
      response = await answer(request, at, tell)
    } catch (error) {
      const { refuse } = at.endpoint ?? {}
      if (!(error instanceof ServiceError)) {
        if (!refuse || !deps.onError || error instanceof ClientGone) throw error
        deps.onError(error, request)
      }
      if (error instanceof RateLimited) rate = error.state
      response = refuse ? refuse(asServiceError(error), request.requestId) : errorResponse(error, request.requestId)
    }
    return rate ? { ...response, headers: { ...rateHeaders(rate), ...response.headers } } : response
  }
}

function routeEndpoint<D>(route: Route<D>, parts: D): Endpoint {
  const maxBodyBytes = route.bodyLimit(parts)
  return {
    auth: route.auth,
    scopes: route.scopes,
    rateLimited: route.rateLimited,
    async run(request, caller, params) {
      const query = parseQuery(request.query)
      let body: unknown = {}
      if (route.body) {
        requireJson(request.headers)
        body = parseJson(await request.readBody(maxBodyBytes))
      }
      return route.run({ params, query, body, caller, request }, parts)
    },
  }
}

function mountEndpoint(mount: Mount, { baseUrl, holds }: Pick<RouterDeps<never>, 'baseUrl' | 'holds'>): Endpoint {
  return {
    auth: mount.auth,
    // What is mounted checks the scopes of what is asked of it itself.
    scopes: [],
    rateLimited: true,
    run: (request, caller) => serveFetch(mount, request, caller, baseUrl, holds),
  }
}

function allowed(resource: Resource): string {
  const methods = [...resource.methods.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ')
}

/** @throws ServiceError `invalid_request` for a parameter given twice or broken percent-encoding */
function parseQuery(query: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode((at === -1 ? pair : pair.slice(0, at)).replaceAll('+', ' '))
    const value = decode((at === -1 ? '' : pair.slice(at + 1)).replaceAll('+', ' '))
    if (name === undefined || value === undefined) {
      throw invalidRequest(
        'The query is not correctly percent-encoded.',
        'Encode it as UTF-8; a percent sign itself is %25.',
        [{ field: name ?? 'query', problem: 'Its percent-encoding is broken or not UTF-8.' }],
      )
    }
    if (name in found) {
      throw invalidRequest(`The query has ${JSON.stringify(name.slice(0, 100))} twice.`, 'Give each parameter once.', [
        { field: name.slice(0, 100), problem: 'It is given twice.' },
      ])
    }
    found[name] = value
  }
  return found
}

/** RFC 8259 §8.1: JSON between systems is UTF-8. */
function requireJson(headers: Readonly<Record<string, string>>): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const fits = type === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset))
  const encoding = headers['content-encoding'] ?? 'identity'
  if (fits && encoding === 'identity') return
  throw new ServiceError(
    'unsupported_media_type',
    fits ? 'A compressed body is not taken.' : 'The body has to be JSON in UTF-8.',
    fits ? 'Send it without Content-Encoding.' : 'Send the header `Content-Type: application/json`.',
  )
}

/** What is said of a path that does not exist, and of one that is not there for who asks. */
export function noSuchPath(): ServiceError {
  return new ServiceError('not_found', 'There is nothing at this path.', 'See GET /v1/openapi.yaml for all paths.')
}

function wrongMethod(method: string, allow: string): ServiceError {
  return new ServiceError('method_not_allowed', `${method.slice(0, 20)} is not possible here.`, `Use ${allow}.`)
}
