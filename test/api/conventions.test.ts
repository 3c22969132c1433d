/** What holds for every call: tags, compression, other origins, fairness. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { createRateLimits } from '../../src/http/limits/limits.js'
import { startApi, type Api } from './support/api-server.js'
import { raw } from '../http/client.js'
import { MAILBOX, MESSAGE } from './support/fakes.js'
import { accountRecord } from '../support/account.js'

const MAIL = `/v1/messages/${MESSAGE}`

t.test('what has not changed is a 304 to who has it already', async (t) => {
  const api = await startApi(t)
  for (const path of [
    MAIL,
    '/v1/threads',
    '/v1/claim/status',
    '/v1/account/usage',
    '/v1/mailbox',
    '/v1/openapi.yaml',
    '/v1/openapi.json',
  ]) {
    const key = path === '/v1/claim/status' ? 'pending' : 'good'
    const first = await api.call('GET', path, { key })
    const tag = first.headers.etag ?? ''
    t.match(tag, /^W\/"[\w-]{27}"$/, path)
    if (!path.startsWith('/v1/openapi.')) t.equal(first.headers['cache-control'], 'private, no-cache', path)
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await api.call('GET', path, { key, headers: { 'If-None-Match': known } })
      t.match([again.status, again.body.length, again.headers.etag], [304, 0, tag], `${path} with ${known}`)
      t.equal(again.headers['content-type'], undefined)
    }
    t.equal((await api.call('HEAD', path, { key, headers: { 'If-None-Match': tag } })).status, 304)
    t.equal((await api.call('GET', path, { key, headers: { 'If-None-Match': '"other"' } })).status, 200)
  }
  const refused = await api.call('GET', MAIL, { key: null, headers: { 'If-None-Match': '*' } })
  t.match([refused.status, refused.headers.etag], [401, undefined], 'an error is no content')
  const sent = await api.call('POST', '/v1/send', {
    json: { to: 'a@b.org', subject: 's', text: 't' },
    headers: { 'If-None-Match': '*' },
  })
  t.match([sent.status, sent.headers.etag], [202, undefined])
  t.same(api.errors, [])
})

t.test('large answers come compressed to who takes that, and everything else as it is', async (t) => {
  const api = await startApi(t)
  const plain = await api.call('GET', '/v1/openapi.yaml')
  t.match(plain.headers.vary, /Accept-Encoding/)
  t.equal(plain.headers['content-encoding'], undefined)
  const cases = [
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ] as const
  for (const [accepted, coding, unpack] of cases) {
    const answer = await api.call('GET', '/v1/openapi.yaml', { headers: { 'Accept-Encoding': accepted } })
    t.equal(answer.headers['content-encoding'], coding, accepted)
    t.ok(answer.body.length < plain.body.length / 2)
    t.same(unpack(answer.body).toString(), plain.text)
    t.equal(answer.headers.etag, plain.headers.etag, 'one content, one tag')
    t.match(answer.headers['x-padding'], /^[\w-]{1,64}$/)
  }
  for (const accepted of ['identity', '', 'zstd', 'gzip;q=0, br;q=0', 'gzip;q=nonsense'])
    t.equal(
      (await api.call('GET', '/v1/openapi.yaml', { headers: { 'Accept-Encoding': accepted } })).headers[
        'content-encoding'
      ],
      undefined,
      accepted,
    )
  const headers = { 'Accept-Encoding': 'gzip' }
  t.equal((await api.call('GET', '/healthz', { headers })).headers['content-encoding'], undefined, 'too small')
  t.equal(
    (await api.call('GET', '/claim/token', { key: null, headers })).headers['content-encoding'],
    undefined,
    'a page',
  )
  Object.assign(api.fakes.file, { content: Buffer.alloc(5000, 'x') })
  const file = await api.call('GET', `${MAIL}/attachments/${'att_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'}`, { headers })
  t.match([file.headers['content-encoding'], file.body.length], [undefined, 5000], 'a file')
})

t.test('no page of another origin may call the API', async (t) => {
  const api = await startApi(t)
  const Origin = 'https://app.example.org'
  const asked = await api.call('OPTIONS', '/v1/threads', {
    key: null,
    headers: { Origin, 'Access-Control-Request-Method': 'GET' },
  })
  t.equal(asked.status, 204)
  const called = await api.call('GET', '/v1/threads', { headers: { Origin } })
  for (const { headers } of [asked, called])
    t.same(
      Object.keys(headers).filter((name) => name.startsWith('access-control')),
      [],
    )
})

t.test('a page of a configured origin may, without credentials, and of no other', async (t) => {
  const api = await startApi(t, { corsOrigins: ['https://app.example.org'] })
  const preflight = (Origin: string, path = '/v1/send') =>
    api.call('OPTIONS', path, {
      key: null,
      headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
    })
  const asked = await preflight('https://app.example.org')
  t.match(asked, {
    status: 204,
    headers: {
      allow: 'OPTIONS, POST',
      'access-control-allow-origin': 'https://app.example.org',
      'access-control-allow-methods': 'OPTIONS, POST',
      'access-control-allow-headers': /Authorization, Content-Type, Idempotency-Key/,
      vary: /Origin/,
    },
  })
  t.equal(asked.headers['access-control-allow-credentials'], undefined)
  for (const origin of [
    'https://evil.example',
    'null',
    'https://app.example.org.evil.example',
    'http://app.example.org',
  ])
    t.equal((await preflight(origin)).headers['access-control-allow-origin'], undefined, origin)
  t.equal(
    (await preflight('https://app.example.org', '/claim/token')).headers['access-control-allow-origin'],
    undefined,
    'a page',
  )

  const headers = { Origin: 'https://app.example.org' }
  const called = await api.call('GET', '/v1/threads', { headers })
  t.match(called.headers, {
    'access-control-allow-origin': 'https://app.example.org',
    'access-control-expose-headers': /ETag.*Retry-After.*X-RateLimit-Remaining.*X-Request-Id/,
    vary: /Origin/,
  })
  const refused = await api.call('GET', '/v1/threads', { key: null, headers })
  t.match(
    [refused.status, refused.headers['access-control-allow-origin']],
    [401, 'https://app.example.org'],
    'errors can be read too',
  )
  const other = await api.call('GET', '/v1/threads', { headers: { Origin: 'https://evil.example' } })
  t.match([other.headers['access-control-allow-origin'], other.headers.vary], [undefined, /Origin/])
})

t.test('all keys of an account share its limit, and another account is not touched by it', (t) => {
  const rates = createRateLimits({ perKey: 3, perAccount: 5 })
  const count = (keyId: string, id = 'acc_1') => rates.countCaller({ keyId, account: accountRecord({ id }) })
  t.match(count('key_1'), { limit: 3, remaining: 2 }, 'the nearer limit is told')
  count('key_1')
  count('key_1')
  t.throws(() => count('key_1'), { code: 'rate_limited', message: /this key/ })
  t.match(count('key_2'), { limit: 5, remaining: 1 }, 'what was refused by its key costs the account nothing')
  count('key_2')
  t.throws(() => count('key_2'), { code: 'rate_limited', message: /all keys of this account/, state: { limit: 5 } })
  t.match(count('key_3', 'acc_2'), { remaining: 2 })
  t.match(rates.countCaller({ keyId: 'pending', account: undefined }), { remaining: 2 })
  t.end()
})

/** Resolves when so many requests are at work. */
async function atWork(api: Api, count: number): Promise<void> {
  while (api.server.openRequests !== count) await new Promise((resolve) => setImmediate(resolve))
}

t.test('a greedy client is told to wait, while others are served', async (t) => {
  const api = await startApi(t, { limits: { requestsAtOncePerKey: 3, longPollsPerKey: 2 } })
  const release: (() => void)[] = []
  api.fakes.mailboxes.reading.raw = async (id) => {
    await new Promise<void>((resolve) => release.push(resolve))
    return Buffer.from(id)
  }
  const waits = [0, 1].map(() => api.call('GET', '/v1/events?after=7&wait=60'))
  await atWork(api, 2)
  const slow = [0, 1, 2].map(() => api.call('GET', `${MAIL}/raw`))
  await atWork(api, 5)
  const over = await api.call('GET', `${MAIL}/raw`)
  t.match(over, { status: 429, json: { error: { code: 'rate_limited', message: /already in progress/ } } })
  t.equal(over.headers['retry-after'], '1')
  t.equal((await api.call('GET', MAIL, { key: 'good-2' })).status, 200, 'another key')
  release.pop()?.()
  await Promise.race(slow)
  await atWork(api, 4)
  t.equal((await api.call('GET', MAIL)).status, 200, 'there is room again; those that wait are not counted')
  for (const go of release) go()
  t.match(await Promise.all(slow), [{ status: 200, text: MAILBOX }, { status: 200 }, { status: 200 }])
  await api.server.close(10_000)
  await Promise.all(waits)
})

t.test('who reads slowly keeps its place until it has read, and slows nobody', async (t) => {
  const api = await startApi(t, { limits: { requestsAtOncePerKey: 1 } })
  Object.assign(api.fakes.file, { content: Buffer.alloc(30_000_000, 'x') })
  const path = `${MAIL}/attachments/att_01J9Z6Y2V5C7Q3H8K4M0N1P2R3`
  const reader = raw(api.server.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n`)
  await reader.until('HTTP/1.1 200')
  reader.socket.pause()
  t.equal((await api.call('GET', MAIL)).status, 429, 'its own next one waits')
  for (let i = 0; i < 20; i++) t.equal((await api.call('GET', MAIL, { key: 'good-2' })).status, 200)
  reader.socket.destroy()
  await atWork(api, 0)
  t.equal((await api.call('GET', MAIL)).status, 200)
})

t.test('one account holds no more than its share of the room for bodies', async (t) => {
  const api = await startApi(t, { limits: { bodyBytes: 1_000_000 } })
  const head = (key: string) =>
    `POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
  const half = '{"text":"'.padEnd(900_000, 'x')
  // There is room for eight million octets, and four of them are for one account.
  const slow = Array.from({ length: 6 }, (_, i) => raw(api.server.port, head(`good-${i}`) + half))
  const refused = await Promise.race(slow.map((each) => each.until('\r\n\r\n')))
  t.match(refused, /^HTTP\/1\.1 (429|408)/)
  for (const each of slow) each.socket.destroy()
  await Promise.all(slow.map((each) => each.closed))
  await atWork(api, 0)
  t.equal(
    (await api.call('POST', '/v1/send', { json: { to: 'a@b.org', subject: 's', text: 'x'.repeat(900_000) } })).status,
    202,
  )
  t.same(api.errors, [])
})
