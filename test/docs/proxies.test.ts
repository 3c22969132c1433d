/** The files for Caddy, nginx and HAProxy, as they are shipped, in the real programs: every kind of request passes, and nobody can say who they are. */
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestOptions } from 'node:https'
import { brotliDecompressSync } from 'node:zlib'
import t from 'tap'
import type { Mount } from '../../src/http/limits/web-handler.js'
import { nodeDriver } from '../../src/http/listener/node.js'
import { loadUws } from '../../src/http/listener/uws.js'
import { startApi } from '../api/support/api-server.js'
import { ask } from '../http/client.js'
import { ATTACHMENT, MESSAGE } from '../api/support/fakes.js'
import { peer } from '../support/peers/peers.js'
import { call, HOST, open, POLICY_HOST, proxies, startProxy } from '../support/peers/proxies.js'
import { ownChallenges } from '../support/challenges.js'

/** In the place of MCP: says whom it took the client for, and then goes on saying something. */
const mcp: Mount = {
  path: '/mcp',
  auth: 'none',
  maxBodyBytes: 1_000_000,
  async fetch(request, context) {
    const body = request.method === 'POST' ? await request.text() : ''
    const { remoteAddress, headers } = context.request
    if (headers['accept'] !== 'text/event-stream')
      return Response.json({ remoteAddress, host: headers['host'], body: body.length })
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('data: at once\n\n'))
        context.request.signal.addEventListener('abort', () => controller.close())
      },
    })
    return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } })
  },
}

const uws = loadUws()
const drivers = 'driver' in uws ? [nodeDriver, uws.driver] : [nodeDriver]
const setups = proxies.flatMap((proxy) => drivers.map((driver) => ({ proxy, driver })))

for (const { proxy, driver } of setups) {
  const name = proxy.file.split('/').at(-1) ?? ''
  t.test(`${name}, as it is shipped, before ${driver.name}`, peer(proxy.program, proxy.program), async (t) => {
    const challenges = ownChallenges()
    await challenges.open('token', 'token.thumb')
    const api = await startApi(t, {
      driver,
      baseUrl: `https://${HOST}`,
      trustedProxies: ['127.0.0.1'],
      mounts: [mcp],
      challenges,
      mtaSts: { policy: 'version: STSv1\r\n', domains: ['agents.example.com'] },
    })
    const at = await startProxy(t, proxy, api.server.port)
    const send = (path: string, options: RequestOptions = {}, body?: Buffer) => call(at, path, options, body)

    await t.test('requests and answers pass as they are', async (t) => {
      const Authorization = 'Bearer good'
      const mailbox = await send('/v1/mailbox', { headers: { Authorization } })
      t.equal(mailbox.status, 200)
      t.equal(mailbox.headers['strict-transport-security'], 'max-age=31536000')
      const description = await send('/v1/openapi.yaml', { headers: { 'Accept-Encoding': 'br' } })
      t.equal(description.headers['content-encoding'], 'br')
      t.match(brotliDecompressSync(description.body).toString(), /^openapi: /)
      const plain = await send('/v1/openapi.yaml', { headers: { 'Accept-Encoding': 'identity' } })
      t.equal(plain.headers['content-encoding'], undefined)
      const large = await send('/v1/mailbox', { headers: { Authorization, 'X-Large': 'x'.repeat(15_000) } })
      t.equal(large.status, 200, 'a header of 15 KB')
      const upload = await send('/mcp', { method: 'POST' }, Buffer.alloc(900_000))
      t.match(json(upload.body), { body: 900_000, host: HOST })
      const chunked = { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } }
      const streamed = await send('/mcp', chunked, Buffer.alloc(90_000))
      if (name !== 'nginx.conf' && driver.name === 'uws')
        t.match([streamed.status, json(streamed.body)], [411, { error: { code: 'length_required' } }], 'as it came')
      else t.match([streamed.status, json(streamed.body)], [200, { body: 90_000 }], 'without a length')
      const tooLarge = await send(
        '/v1/send',
        { method: 'POST', headers: { Authorization, 'Content-Type': 'application/json' } },
        Buffer.alloc(2_500_000),
      )
      t.match(
        [tooLarge.status, json(tooLarge.body)],
        [413, { error: { code: 'payload_too_large' } }],
        "in the daemon's words",
      )
    })

    await t.test('a download comes whole and in parts', async (t) => {
      api.fakes.file.content = Buffer.from('0123456789'.repeat(300_000))
      const path = `/v1/messages/${MESSAGE}/attachments/${ATTACHMENT}`
      const whole = await send(path, { headers: { Authorization: 'Bearer good' } })
      t.ok(whole.body.equals(api.fakes.file.content))
      const part = await send(path, { headers: { Authorization: 'Bearer good', Range: 'bytes=1000003-1000007' } })
      t.match(
        [part.status, part.headers['content-range'], part.body.toString()],
        [206, 'bytes 1000003-1000007/3000000', '34567'],
      )
    })

    await t.test('streams come at once, and a poll that is left is not held on to', async (t) => {
      for (const path of ['/mcp', '/v1/events?after=7']) {
        const stream = await open(at, path, { headers: { Authorization: 'Bearer good', Accept: 'text/event-stream' } })
        const [first]: unknown[] = await once(stream, 'data')
        t.match(String(first), path === '/mcp' ? 'data: at once' : 'retry: 2000')
        stream.destroy()
      }
      await until(() => api.server.openRequests === 0)
      const leaving = new AbortController()
      const poll = send('/v1/events?after=7&wait=30', {
        headers: { Authorization: 'Bearer good' },
        signal: leaving.signal,
      })
      poll.catch(() => undefined)
      await until(() => api.server.openRequests === 1)
      leaving.abort()
      await t.rejects(poll)
      await until(() => api.server.openRequests === 0)
    })

    await t.test('a quiet stream is kept open by its beats: each passes at once', async (t) => {
      const { mailboxes } = api.fakes
      const { events } = mailboxes
      t.teardown(() => (mailboxes.events = events))
      const waits: number[] = []
      const beats = new EventEmitter()
      mailboxes.events = async (id, query, signal) => {
        if (query.waitMs === 0) return await events(id, query, signal)
        waits.push(query.waitMs)
        await new Promise<void>((resolve) => {
          beats.once('beat', () => resolve())
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        return { data: [], has_more: false, next_after: query.after }
      }
      const headers = { Authorization: 'Bearer good', Accept: 'text/event-stream' }
      const stream = await open(at, '/v1/events?after=7', { headers })
      await once(stream, 'data')
      for (let count = 1; count <= 3; count++) {
        await until(() => waits.length === count)
        const passed = once(stream, 'data')
        beats.emit('beat')
        t.match(String((await passed)[0]), ': nothing new')
      }
      stream.destroy()
      await until(() => api.server.openRequests === 0)
      const limits = [
        ...readFileSync(proxy.file, 'utf8').matchAll(
          /(?:proxy_read_timeout|response_header_timeout|timeout server) (\d+)s/g,
        ),
      ]
      t.equal(limits.length, 1)
      t.ok(Number(limits[0]?.[1]) * 1000 > 3 * Math.max(...waits), 'several of them in the time that the proxy waits')
      t.ok(Number(limits[0]?.[1]) > 60, 'and the longest poll')
    })

    await t.test('the client is who connects, whatever it says of itself', async (t) => {
      const seen = async (options: RequestOptions): Promise<unknown> => json((await send('/mcp', options)).body)
      t.match(await seen({ localAddress: '127.0.0.9' }), { remoteAddress: '127.0.0.9' })
      const forged = { 'X-Forwarded-For': '198.51.100.7', 'X-Real-IP': '198.51.100.7', Forwarded: 'for=198.51.100.7' }
      t.match(await seen({ localAddress: '127.0.0.9', headers: forged }), { remoteAddress: '127.0.0.9' })
      t.match(await seen({ headers: { 'X-Forwarded-For': '198.51.100.7, 127.0.0.1' } }), { remoteAddress: '127.0.0.1' })
    })

    await t.test('each host has its own', async (t) => {
      const policy = await call(at, '/.well-known/mta-sts.txt', {
        servername: POLICY_HOST,
        headers: { Host: POLICY_HOST },
      })
      t.match([policy.status, policy.body.toString()], [200, 'version: STSv1\r\n'])
      t.equal((await send('/.well-known/mta-sts.txt')).status, 404)
      const there = await ask(at.http, '/claim/x?y=1', { headers: { Host: HOST } })
      t.match([there.status, there.headers.location], [308, `https://${HOST}/claim/x?y=1`])
      const proof = await ask(at.http, '/.well-known/acme-challenge/token', { headers: { Host: POLICY_HOST } })
      t.match([proof.status, proof.text], [200, 'token.thumb'])
    })
    t.same(api.errors, [])
  })
}

/** The time limit of the test ends it otherwise. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

function json(body: Buffer): unknown {
  const value: unknown = JSON.parse(body.toString())
  return value
}
