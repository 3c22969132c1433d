import { createServer } from 'node:https'
import t, { type Test } from 'tap'
import { DAY, HOUR, ManualClock, MINUTE, SECOND } from '../../src/lib/clock.js'
import { createDocuments, type Documents, type DocumentsDeps } from '../../src/oauth/documents.js'
import { createFetchDocument } from '../../src/oauth/fetch-document.js'
import { createQuota } from '../../src/oauth/quota.js'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'
import { fakeResolver } from '../support/peers/fake-resolver.js'
import { FROM, REDIRECT } from './world.js'

const URL_ = 'https://agent.example.org/client.json'
const GOOD = { client_id: URL_, client_name: 'Agent', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }

type Fetched = Awaited<ReturnType<DocumentsDeps['fetch']>>

function answer(json: unknown, change: Partial<Fetched> = {}): Fetched {
  const body = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json))
  return { status: 200, contentType: 'application/json', headers: {}, body, ...change }
}

function setting(
  fetch: DocumentsDeps['fetch'],
  inAll = 1000,
): { documents: Documents; clock: ManualClock; fetched: string[] } {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const fetched: string[] = []
  const documents = createDocuments({
    clock,
    quota: createQuota({ perNetwork: 60, inAll }, clock),
    allowPrivateAddresses: false,
    fetch(url) {
      fetched.push(url.href)
      return fetch(url)
    },
  })
  return { documents, clock, fetched }
}

t.test('a document says who a client is, and its host is the one it came from', async (t) => {
  const { documents } = setting(async () => answer(GOOD, { contentType: 'application/json; charset=utf-8' }))
  t.same(await documents.find(URL_, FROM), {
    id: URL_,
    kind: 'document',
    name: 'Agent',
    host: 'agent.example.org',
    redirectUris: [REDIRECT],
  })
})

t.test('what is no document of the client is not taken for one', async (t) => {
  const cases: Record<string, Fetched> = {
    'another client_id': answer({ ...GOOD, client_id: `${URL_}?` }),
    none: answer({ redirect_uris: [REDIRECT] }),
    'a secret': answer({ ...GOOD, client_secret: 'x' }),
    'a way to prove itself by one': answer({ ...GOOD, token_endpoint_auth_method: 'client_secret_post' }),
    'a key': answer({ ...GOOD, token_endpoint_auth_method: 'private_key_jwt' }),
    'no redirect': answer({ ...GOOD, redirect_uris: [] }),
    'a redirect that cannot be': answer({ ...GOOD, redirect_uris: ['javascript:alert(1)'] }),
    'a redirection': answer(GOOD, { status: 302, headers: { location: 'https://other.example/' } }),
    'an error': answer(GOOD, { status: 404 }),
    'a page': answer(GOOD, { contentType: 'text/html' }),
    'a script': answer(GOOD, { contentType: 'text/json-not' }),
    'no JSON': answer('<html>'),
    'a list': answer([GOOD]),
    nothing: answer('null'),
  }
  for (const [name, fetched] of Object.entries(cases)) {
    const { documents } = setting(async () => fetched)
    t.match(await documents.find(URL_, FROM), { problem: /cannot be used: /, todo: String }, name)
  }
})

t.test('what cannot be the URL of a document is not fetched', async (t) => {
  const { documents, fetched } = setting(async () => answer(GOOD))
  for (const id of [
    'http://agent.example.org/client.json',
    'https://agent.example.org',
    'https://agent.example.org/',
    'https://agent.example.org/a/../client.json',
    'https://agent.example.org/%2e/client.json',
    'https://agent.example.org/client.json#x',
    'https://user@agent.example.org/client.json',
    'https://agent.example.org:8443/client.json',
    'https://AGENT.example.org/client.json',
    'https://192.0.2.1/client.json',
    'https://127.0.0.1/client.json',
    'https://2130706433/client.json',
    'https://[::1]/client.json',
    'https://localhost/client.json',
    'https://printer.local/client.json',
    'https://db.internal/client.json',
    'https://agent/client.json',
    `https://agent.example.org/${'x'.repeat(1000)}`,
    'ftp://agent.example.org/client.json',
    'agent',
  ]) {
    t.match(await documents.find(id, FROM), { problem: String }, id.slice(0, 60))
    t.notOk(documents.isId(id))
  }
  t.same(fetched, [])
})

t.test('a document is kept as its server says, for five minutes at least and a day at most', async (t) => {
  const lives: [string | undefined, number][] = [
    [undefined, HOUR],
    ['no-store', 5 * MINUTE],
    ['max-age=0', 5 * MINUTE],
    ['public, max-age=600', 10 * MINUTE],
    ['max-age=999999999', DAY],
    ['max-age=x', HOUR],
  ]
  for (const [cacheControl, life] of lives) {
    const { documents, clock, fetched } = setting(async () =>
      answer(GOOD, { headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl } }),
    )
    await documents.find(URL_, FROM)
    clock.advance(life - SECOND)
    await documents.find(URL_, FROM)
    t.equal(fetched.length, 1, cacheControl ?? 'nothing said')
    clock.advance(SECOND)
    await documents.find(URL_, FROM)
    t.equal(fetched.length, 2, cacheControl ?? 'nothing said')
  }
})

t.test('many who ask at once cost one request; a failure is not asked for again at once', async (t) => {
  let go: (fetched: Fetched) => void = () => undefined
  const { documents, clock, fetched } = setting(() => new Promise((resolve) => (go = resolve)))
  const asked = Promise.all(Array.from({ length: 50 }, () => documents.find(URL_, FROM)))
  go(answer(GOOD, { status: 500 }))
  t.match((await asked)[49], { problem: String })
  t.match(await documents.find(URL_, FROM), { problem: String })
  t.equal(fetched.length, 1)
  clock.advance(MINUTE)
  const again = documents.find(URL_, FROM)
  go(answer(GOOD))
  t.match(await again, { kind: 'document' })
})

t.test('a network has so many fetched, and so are all; what waits is bounded', async (t) => {
  const { documents, fetched } = setting(async () => answer(GOOD))
  for (let i = 0; i < 100; i++) await documents.find(`${URL_}?${i}`, FROM)
  t.equal(fetched.length, 60)
  t.match(await documents.find(`${URL_}?x`, FROM), { problem: /Too many/ })
  t.match(await documents.find(`${URL_}?x`, '192.0.2.200'), { problem: /client_id/ })

  const slow = setting(() => new Promise(() => undefined))
  for (let i = 0; i < 30; i++) void slow.documents.find(`${URL_}?${i}`, `198.51.100.${i}`)
  t.equal(slow.fetched.length, 20)
})

/** A web server on this machine that a name of the Internet leads to, as far as its test lets it. */
async function webServer(t: Test, handler: Parameters<typeof createServer>[1]) {
  const authority = createAuthority(t.testdir())
  const { cert, key } = authority.issue(['agent.example.org'])
  const server = createServer({ cert, key }, handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const asked: string[] = []
  const fetch = (allowPrivateAddresses: boolean, timeoutMs = 60_000) =>
    createFetchDocument({
      resolver: fakeResolver((name, rrtype) => {
        asked.push(`${rrtype} ${name}`)
        return rrtype === 'A' ? ['127.0.0.1'] : 'not_found'
      }),
      rules: { allowPrivateAddresses, ownPorts: new Set() },
      userAgent: 'test',
      timeoutMs,
      ca: [authority.ca],
    })
  return { url: new URL(`https://agent.example.org:${port}/client.json`), fetch, asked }
}

t.test(
  'a name that leads inside is not followed, nor is a redirect, and what is slow or long is cut',
  opensslPeer(),
  async (t) => {
    let hits = 0
    const { url, fetch, asked } = await webServer(t, (request, response) => {
      hits++
      if (request.url === '/slow') return void response.write('{')
      if (request.url === '/long') return void response.end('x'.repeat(6000))
      if (request.url === '/moved') return void response.writeHead(302, { Location: '/client.json' }).end()
      response.setHeader('Content-Type', 'application/json')
      response.end('{}')
    })
    await t.rejects(fetch(false)(url), /not in the public Internet/)
    t.equal(hits, 0)
    const looked = asked.length
    t.match(await fetch(true)(url), { status: 200, contentType: 'application/json' })
    t.ok(asked.length - looked <= 2, 'looked up once')
    t.match(await fetch(true)(new URL('/moved', url)), { status: 302 })
    t.equal(hits, 2)
    await t.rejects(fetch(true)(new URL('/long', url)), /more than 5120 bytes/)
    await t.rejects(fetch(true, 500)(new URL('/slow', url)), { name: 'TimeoutError' })
  },
)
