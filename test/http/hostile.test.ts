/**
 * What broken and hostile clients send, for every declared route: it walks `routes`, so a new route is tried without being named here. The
 * server answers as it is described or closes the connection; it never hangs, and nothing is a fault of ours.
 */
import { Agent } from 'node:http'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { SCOPES } from '../../src/accounts/types.js'
import { errorCodes } from '../../src/http/routing/error-answers.js'
import type { Route } from '../../src/http/routing/route.js'
import { routes } from '../../src/api/v1-routes.js'
import { ERROR_STATUS, type ErrorCode } from '../../src/lib/errors.js'
import { startApi, type Api } from '../api/support/api-server.js'
import { raw, type Answer } from './client.js'

const LIMITS = { requestsPerMinute: 1_000_000, accountRequestsPerMinute: 1_000_000, bodyBytes: 100_000 }
const OTHER_ULID = '01K7E8GQ5M1T9Q4Y7RZV3B2XZZ'

type ApiRoute = Route<never>
const named = ({ method, path }: ApiRoute): string => `${method} ${path}`
const withBody = routes.filter(({ body }) => body)
const keyOf = ({ auth }: ApiRoute): string | null => (auth === 'none' ? null : auth === 'pending' ? 'pending' : 'good')

interface Sent {
  key?: string | null
  json?: unknown
  body?: string | Buffer
  headers?: Record<string, string>
  path?: string
}

/** An API and a way to ask it over few connections. */
async function open(
  t: Test,
): Promise<{ api: Api; ask: (route: ApiRoute, sent?: Sent, method?: string) => Promise<Answer> }> {
  const api = await startApi(t, { limits: LIMITS })
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  t.teardown(() => agent.destroy())
  return {
    api,
    ask(route, sent = {}, method = route.method) {
      const { path = pathOf(route), ...rest } = sent
      const example = route.body && rest.json === undefined && rest.body === undefined ? { json: exampleOf(route) } : {}
      return api.call(method, path, { key: keyOf(route), agent, ...example, ...rest })
    },
  }
}

/** The path of the route's example; made-up values where it has none. */
function pathOf({ path, example }: ApiRoute, params: Record<string, string> = {}): string {
  return path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => params[name] ?? encodeURIComponent(example.params?.[name] ?? `x_${OTHER_ULID}`),
  )
}

function exampleOf({ example }: ApiRoute): Record<string, unknown> {
  const { body } = example
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

/** Whether it is an answer of the route's description. */
function fits(t: Test, route: ApiRoute, answer: Answer, what: string, also: ErrorCode[] = []): void {
  const where = `${named(route)}: ${what.slice(0, 100)}`
  const problem = ((): string | undefined => {
    if (answer.headers['x-request-id'] === undefined) return 'no X-Request-Id'
    if (answer.status < 400) {
      if ([204, 304].includes(answer.status) || route.responses[answer.status]) return undefined
      return `${answer.status} is not declared`
    }
    return problemOf(answer, [...errorCodes(route), ...also])
  })()
  if (problem !== undefined) t.fail(`${where}: ${problem}`, { status: answer.status, text: answer.text.slice(0, 500) })
}

function problemOf({ status, headers, json }: Answer, codes: readonly string[]): string | undefined {
  if (typeof json !== 'object' || json === null || !('error' in json)) return `${status} without an error in JSON`
  const { error } = json
  if (typeof error !== 'object' || error === null) return 'the error is no object'
  const { code, message, hint } = { code: '', message: '', hint: '', ...error }
  if (!isCode(code)) return `${String(code)} is no code`
  if (ERROR_STATUS[code] !== status) return `${code} came with ${status}`
  if (code === 'internal') return 'a fault of ours'
  if (!codes.includes(code)) return `${code} is not described for it`
  if (typeof message !== 'string' || message === '' || typeof hint !== 'string' || hint === '')
    return 'no message or hint'
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) return 'no Retry-After'
  if (status === 405 && headers.allow === undefined) return 'no Allow'
  return undefined
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)
}

const DEEP = '['.repeat(10_000) + ']'.repeat(10_000)
const NASTY: unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\r\nBcc: eve@example.org',
  '../../etc/passwd',
  '\u202egnp.exe',
  'x'.repeat(90_000),
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: 1 },
  Array.from({ length: 2000 }, () => 'a@example.org'),
]

t.test('a field of the wrong type or size is refused by its name or taken, and never a fault', async (t) => {
  const { api, ask } = await open(t)
  for (const route of withBody) {
    const fields = Object.keys(route.body?.shape ?? {})
    for (const field of fields) {
      for (const value of NASTY) {
        const answer = await ask(route, { json: { ...exampleOf(route), [field]: value } })
        fits(t, route, answer, `${field} = ${JSON.stringify(value)}`)
      }
    }
    const unknown = await ask(route, { json: { ...exampleOf(route), no_such_field: 1 } })
    fits(t, route, unknown, 'an unknown field')
    t.equal(unknown.status, 400, `${named(route)}: an unknown field`)
    t.match(unknown.text, /no_such_field/, named(route))
  }
  t.same(api.errors, [])
})

const BODIES: [string, string | Buffer, number[]][] = [
  ['nothing', '', [400]],
  ['no JSON', '{', [400]],
  ['an array', '[]', [400]],
  ['a string', '"x"', [400]],
  ['null', 'null', [400]],
  // Where little is taken, it is too large before it is too deep.
  ['10,000 levels', DEEP, [400, 413]],
  ['10,000 levels in a field', `{"text":${DEEP}}`, [400, 413]],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), [400]],
  ['bytes that are no UTF-8', Buffer.from('7b22746578742222ff227d', 'hex'), [400]],
  ['a prototype', '{"__proto__":{"isAdmin":true}}', [400]],
  ['too many values', `[${'1,'.repeat(30_000)}1]`, [400, 413]],
  ['more than is taken', `{"text":"${'x'.repeat(150_000)}"}`, [413]],
]

t.test('a body that is no body is told why', async (t) => {
  const { api, ask } = await open(t)
  for (const route of withBody) {
    for (const [what, body, statuses] of BODIES) {
      const answer = await ask(route, { body, headers: { 'Content-Type': 'application/json' } })
      fits(t, route, answer, what)
      t.ok(statuses.includes(answer.status), `${named(route)}: ${what} is ${answer.status}`)
    }
    // A bomb is not unpacked: what is compressed is not taken.
    const refused: Record<string, string>[] = [
      {},
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      ...['gzip', 'br', 'deflate', 'gzip, gzip', 'zstd', 'x'].map((coding) => ({
        'Content-Type': 'application/json',
        'Content-Encoding': coding,
      })),
    ]
    for (const headers of refused) {
      const answer = await ask(route, { body: '{}', headers })
      fits(t, route, answer, JSON.stringify(headers))
      t.equal(answer.status, 415, `${named(route)}: ${JSON.stringify(headers)}`)
    }
  }
  t.same(api.errors, [])
})

const VALUES = [
  '',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'null',
  '%00',
  '%0d%0aX-Evil:%201',
  '..%2f..',
  'x'.repeat(3000),
  '%F0%9F%98%80',
  "'%20OR%201=1",
  '[]',
]

t.test('a query of the wrong form is refused by its name or taken, and never a fault', async (t) => {
  const { api, ask } = await open(t)
  for (const route of routes) {
    const path = pathOf(route)
    for (const name of Object.keys(route.query?.shape ?? {}))
      for (const value of VALUES)
        fits(t, route, await ask(route, { path: `${path}?${name}=${value}` }), `${name}=${value}`)
    const unknown = await ask(route, { path: `${path}?no_such_parameter=1` })
    fits(t, route, unknown, 'an unknown parameter')
    t.match([unknown.status, unknown.text], [400, /no_such_parameter/], `${named(route)}: an unknown parameter`)
    for (const query of ['a=1&a=2', '%zz=1', '%ff=1', '&'.repeat(5000), 'a&'.repeat(2000), '=', '__proto__=1']) {
      const answer = await ask(route, { path: `${path}?${query}` })
      fits(t, route, answer, query)
    }
  }
  t.same(api.errors, [])
})

const ODD_IDS = [
  OTHER_ULID,
  `msg_${OTHER_ULID}`,
  'x',
  '%00',
  '%0d%0aX:%20y',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '%ff',
  '%zz',
  '%F0%9F%98%80',
  'x'.repeat(4000),
  "'",
  '%3Cscript%3E',
]

t.test("an id that is not there, or is nobody's or somebody else's, is 404", async (t) => {
  const { api, ask } = await open(t)
  for (const route of routes.filter(({ path }) => path.includes('{'))) {
    for (const id of ODD_IDS) {
      const params = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id]))
      const answer = await ask(route, { path: pathOf(route, params) })
      fits(t, route, answer, `id ${id}`, ['not_found'])
      // A body that is missing is told of first.
      const statuses = route.body && route.example.body === undefined ? [400, 404] : [404]
      t.ok(statuses.includes(answer.status), `${named(route)}: ${id.slice(0, 40)} is ${answer.status}`)
    }
  }
  t.same(api.errors, [])
})

t.test('a key that is missing, wrong, revoked, or of nobody any more opens nothing', async (t) => {
  const { api, ask } = await open(t)
  for (const route of routes.filter(({ auth }) => auth !== 'none')) {
    for (const key of [null, 'revoked', 'x'.repeat(600), '']) {
      const answer = await ask(route, { key })
      fits(t, route, answer, `key ${String(key)}`)
      t.match(
        [answer.status, answer.headers['www-authenticate']],
        [401, /^Bearer/],
        `${named(route)} with ${String(key)}`,
      )
    }
    for (const Authorization of ['Basic dTpw', 'Bearer', 'Bearer a b', 'bearer\tgood', 'Bearer good, Bearer other']) {
      const answer = await ask(route, { key: null, headers: { Authorization } })
      fits(t, route, answer, Authorization)
      t.equal(answer.status, 401, `${named(route)} with ${Authorization}`)
    }
    for (const scope of route.scopes) {
      const others = SCOPES.filter((each) => each !== scope).map((each) => each.replace(':', '.'))
      const answer = await ask(route, { key: `only-${others.join('-')}` })
      fits(t, route, answer, `without ${scope}`)
      t.match(
        answer,
        { status: 403, json: { error: { code: 'insufficient_scope', message: new RegExp(scope) } } },
        named(route),
      )
    }
  }
  t.same(api.fakes.calls, [], 'nothing was asked of the domain')
  t.same(api.errors, [])
})

t.test('HEAD is GET without its body, OPTIONS says what there is, and other methods are refused', async (t) => {
  const { api, ask } = await open(t)
  for (const route of routes) {
    const methods = routes.filter(({ path }) => path === route.path).map(({ method }) => method)
    const options = await ask(route, { key: null, body: '' }, 'OPTIONS')
    t.equal(options.status, 204, named(route))
    for (const method of methods) t.match(options.headers.allow, new RegExp(`\\b${method}\\b`), named(route))
    if (route.method === 'GET') {
      const [head, get] = [await ask(route, {}, 'HEAD'), await ask(route)]
      t.match([head.status, head.body.length], [get.status, 0], named(route))
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        t.equal(head.headers[name], get.headers[name], `${named(route)}: ${name}`)
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'TRACE']) {
      if (methods.some((each) => each === method)) continue
      const answer = await ask(route, { body: '' }, method)
      t.equal(problemOf(answer, ['method_not_allowed']), undefined, `${method} ${route.path}`)
    }
  }
  t.same(api.errors, [])
})

t.test('a body where none belongs is read past: what comes behind it is the next request', async (t) => {
  const { api } = await open(t)
  for (const route of routes.filter(({ body }) => !body)) {
    const key = keyOf(route)
    const head = `${route.method} ${pathOf(route)} HTTP/1.1\r\nHost: x\r\n${key === null ? '' : `Authorization: Bearer ${key}\r\n`}`
    const inside = 'GET /inside HTTP/1.1\r\nHost: x\r\n\r\n'
    const connection = raw(api.server.port, `${head}Content-Length: ${inside.length}\r\n\r\n${inside}`)
    const first = await connection.until('\r\n\r\n')
    t.match(first, /^HTTP\/1\.1 [1-4]\d\d /, named(route))
    t.notMatch(first, /There is nothing at this path/, named(route))
    connection.socket.destroy()
  }
  t.same(api.errors, [])
})

t.test('what is made up at random is answered as described', async (t) => {
  const { api, ask } = await open(t)
  const json = fc.jsonValue({ maxDepth: 4 })
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  for (const route of routes) {
    const fields = Object.keys(route.body?.shape ?? {})
    const changes = fc.dictionary(fields.length > 0 ? fc.constantFrom(...fields) : fc.constant('x'), json)
    // A wait that is taken would be waited for.
    const names = Object.keys(route.query?.shape ?? {}).filter((name) => name !== 'wait')
    const query = fc.dictionary(names.length > 0 ? fc.constantFrom(...names) : text, text, { maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(changes, query, async (changes, query) => {
        const path = `${pathOf(route)}?${new URLSearchParams(query)}`
        const answer = await ask(route, { path, ...(route.body && { json: { ...exampleOf(route), ...changes } }) })
        fits(t, route, answer, JSON.stringify([changes, query]))
      }),
      { numRuns: 6, seed: 7 },
    )
  }
  t.same(api.errors, [])
})

const get = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`
const post = (fields: string, body = ''): string =>
  `POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n${fields}\r\n\r\n${body}`
const LETTER = '{"to":"a@example.org","subject":"s","text":"t"}'

/** Bytes on a connection, and what the server may say to them; nothing but a closed connection is always right. */
const BYTES: [string, string | Buffer, RegExp][] = [
  ['nothing at all', '', /^$/],
  ['noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)), /^$|^HTTP\/1\.1 4/],
  ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex'), /^$|^HTTP\/1\.1 4/],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^$|^HTTP\/1\.1 (4|505)/],
  ['half a head', 'GET /v1/threads HTTP/1.1\r\nHost: x\r\nAuthor', /^$/],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', /^$|^HTTP\/1\.1 4/],
  ['an empty host', 'GET /healthz HTTP/1.1\r\nHost: \r\n\r\n', /^$|^HTTP\/1\.1 [24]/],
  ['an odd host', 'GET /healthz HTTP/1.1\r\nHost: evil"<script>:99999\r\n\r\n', /^HTTP\/1\.1 [24]/],
  ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', /^$|^HTTP\/1\.1 [24]/],
  ['HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', /^$|^HTTP\/1\.1 [24]/],
  ['a whole address', 'GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n', /^$|^HTTP\/1\.1 [24]/],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', /^$|^HTTP\/1\.1 [24]/],
  ['line feeds alone', 'GET /healthz HTTP/1.1\nHost: x\n\n', /^$|^HTTP\/1\.1 4/],
  ['a bare CR in a value', get('/healthz', 'X-A: b\rInjected: c\r\n'), /^$|^HTTP\/1\.1 4/],
  ['a space before the colon', get('/healthz', 'X-A : b\r\n'), /^$|^HTTP\/1\.1 4/],
  ['a folded line', get('/healthz', 'X-A: b\r\n c\r\n'), /^$|^HTTP\/1\.1 4/],
  ['a NUL in a value', get('/healthz', 'X-A: b\0c\r\n'), /^$|^HTTP\/1\.1 [24]/],
  ['200 fields', get('/healthz', 'X-A: b\r\n'.repeat(200)), /^$|^HTTP\/1\.1 [24]/],
  ['a field of 100 KB', get('/healthz', `X-A: ${'b'.repeat(100_000)}\r\n`), /^$|^HTTP\/1\.1 [24]/],
  [
    'a query of 1 MB',
    get(`/v1/threads?q=${'a'.repeat(1_000_000)}`, 'Authorization: Bearer good\r\n'),
    /^$|^HTTP\/1\.1 4/,
  ],
  ['a path of 100 KB', get(`/v1/${'a/'.repeat(50_000)}`), /^$|^HTTP\/1\.1 4/],
  ['no such method', 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n', /^$|^HTTP\/1\.1 40[05]/],
  ['CONNECT', 'CONNECT x:25 HTTP/1.1\r\nHost: x\r\n\r\n', /^$|^HTTP\/1\.1 4/],
  [
    'an upgrade',
    get('/v1/events', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
    /^HTTP\/1\.1 401/,
  ],
  ['two lengths', post(`Content-Length: 3\r\nContent-Length: ${LETTER.length}`, LETTER), /^$|^HTTP\/1\.1 400/],
  ['a negative length', post('Content-Length: -1', LETTER), /^$|^HTTP\/1\.1 400/],
  ['a length that is none', post('Content-Length: 0x20', LETTER), /^$|^HTTP\/1\.1 400/],
  ['a length beyond numbers', post('Content-Length: 99999999999999999999', LETTER), /^$|^HTTP\/1\.1 4/],
  ['a length beyond what is taken', post('Content-Length: 999999999', LETTER), /^$|^HTTP\/1\.1 413/],
  ['a length and chunks', post(`Content-Length: 3\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'), /^$|^HTTP\/1\.1 400/],
  ['chunks that are none', post('Transfer-Encoding: chunked', 'zz\r\nhello\r\n'), /^$|^HTTP\/1\.1 4/],
  ['a chunk beyond numbers', post('Transfer-Encoding: chunked', 'ffffffffffffffff\r\nx'), /^$|^HTTP\/1\.1 4/],
  [
    'chunks with an extension',
    post('Transfer-Encoding: chunked', `${LETTER.length.toString(16)};a=b\r\n${LETTER}\r\n0\r\n\r\n`),
    /^HTTP\/1\.1 (202|411)/,
  ],
  ['half a body', post('Content-Length: 1000', '{"to":'), /^HTTP\/1\.1 408/],
  [
    'leave to send, and then nothing',
    post('Content-Length: 1000\r\nExpect: 100-continue'),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408/,
  ],
  ['an odd Range', get('/healthz', 'Range: bytes=99-1,-,0-\r\n'), /^HTTP\/1\.1 [24]/],
]

t.test(
  'whatever the bytes, there is an answer or the connection is closed, and others are served meanwhile',
  async (t) => {
    const api = await startApi(t, { limits: LIMITS })
    // All at once: some of them are cut by a deadline of some seconds.
    const all = BYTES.map(async ([what, bytes, may]) => {
      const answer = await raw(api.server.port, bytes).closed
      t.match(answer, may, what)
      t.notMatch(answer, /HTTP\/1\.1 5/, what)
    })
    const letter = await api.call('POST', '/v1/send', { json: { to: 'a@example.org', subject: 's', text: 't' } })
    t.equal(letter.status, 202)
    await Promise.all(all)
    t.equal((await api.call('GET', '/healthz', { key: null })).status, 200)
    t.equal(api.server.openRequests, 0)
    t.same(api.errors, [])
  },
)
