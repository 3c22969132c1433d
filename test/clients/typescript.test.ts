/** The TypeScript client against answers that a server gives on a bad day. The whole story with the daemon is a scenario. */
import t from 'tap'
import { Restante, RestanteError } from '#client'
import { cut, json, refusal, startServer } from './bad-days.js'

const accepted = { id: 'msg_1', thread_id: 'thr_1', status: 'checking' }
const mail = { to: 'ben@agents.example', subject: 'Hello', text: 'Hello' }

t.test('a refusal says what to do next', async (t) => {
  const body = { error: { ...refusal('invalid_request').error, fields: [{ field: 'to', problem: 'missing' }] } }
  const { url } = await startServer(t, [json(400, body, { 'x-request-id': 'req_1' })])
  const error = await new Restante({ baseUrl: url }).send(mail).catch((caught: unknown) => caught)
  t.ok(error instanceof RestanteError)
  t.match(error, {
    status: 400,
    code: 'invalid_request',
    hint: 'Do this instead.',
    fields: [{ field: 'to', problem: 'missing' }],
    requestId: 'req_1',
    message: 'It says no. to: missing. Do this instead.',
  })
})

t.test('sending goes on over a lost connection, a fault and a limit, with one key', async (t) => {
  const { url, seen } = await startServer(t, [
    cut,
    json(503, refusal('unavailable'), { 'retry-after': '0' }),
    json(429, refusal('rate_limited'), { 'retry-after': '0' }),
    json(202, accepted),
  ])
  t.same(await new Restante({ baseUrl: `${url}/`, apiKey: 'k' }).send(mail), accepted)
  const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']))
  t.equal(keys.size, 1)
  t.match([...keys][0], /^[0-9a-f-]{36}$/)
  t.equal(seen[0]?.headers.authorization, 'Bearer k')
  t.equal(seen[0]?.url, '/v1/send')
})

t.test('what may have been done already is not done again', async (t) => {
  for (const answer of [cut, json(500, refusal('internal'))]) {
    const { url, seen } = await startServer(t, [answer, json(200, {})])
    await t.rejects(new Restante({ baseUrl: url }).call('deleteAccount', {}))
    t.equal(seen.length, 1)
  }
})

t.test('a limit of the day is for the caller to wait for', async (t) => {
  const { url, seen } = await startServer(t, [json(429, refusal('new_recipient_limit'), { 'retry-after': '7200' })])
  await t.rejects(new Restante({ baseUrl: url }).send(mail), { code: 'new_recipient_limit', retryAfterSeconds: 7200 })
  t.equal(seen.length, 1)
})

t.test('a key does not follow a redirect', async (t) => {
  const other = await startServer(t, [json(200, {})])
  const { url } = await startServer(t, [(_, response) => response.writeHead(302, { location: other.url }).end()])
  await t.rejects(new Restante({ baseUrl: url, apiKey: 'k', retries: 0 }).call('getMailbox', {}))
  t.equal(other.seen.length, 0)
})

t.test('an answer of something in between is an error too', async (t) => {
  const { url } = await startServer(t, [(_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')])
  const call = new Restante({ baseUrl: url, retries: 0 }).call('getMailbox', {})
  await t.rejects(call, { status: 502, code: 'unknown', message: /Bad gateway/ })
})

t.test('words in paths and queries stay what they are', async (t) => {
  const { url, seen } = await startServer(t, [json(200, {}), json(200, {})])
  const client = new Restante({ baseUrl: url })
  await client.call('getMessage', { params: { id: '../a/b?c' } })
  await client.call('listThreads', { query: { q: 'a&b=c d', unread: undefined } })
  t.same(
    seen.map((each) => each.url),
    ['/v1/messages/..%2Fa%2Fb%3Fc', '/v1/threads?q=a%26b%3Dc+d'],
  )
})

t.test('a call ends when its caller says so', async (t) => {
  const { url } = await startServer(t, [() => undefined])
  const stop = new AbortController()
  const call = new Restante({ baseUrl: url }).call('getMailbox', { signal: stop.signal })
  setTimeout(() => stop.abort(), 20)
  await t.rejects(call, { name: 'AbortError' })
})
