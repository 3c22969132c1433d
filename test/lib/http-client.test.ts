/** A server that a stranger chose can neither fill the memory nor hold a request for ever. */
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import builtIn from 'smtp-server/lib/tls-options'
import t, { type Test } from 'tap'
import { keepConnections, sendRequest } from '../../src/lib/http-client.js'
import { listenAnywhere } from '../support/ports.js'

async function serve(t: Test, listener: RequestListener) {
  const server = createServer(builtIn(), listener)
  const port = await listenAnywhere(server)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`https://peer.test:${port}/path?query`)
  const options = { url, address: '127.0.0.1', method: 'GET', timeoutMs: 5000, maxBytes: 1000, verify: false } as const
  return options
}

t.test('the request goes to the given address, under the name of the URL', async (t) => {
  const options = await serve(t, (request, response) => response.end(`${request.headers.host} ${request.url}`))
  const { status, body } = await sendRequest(options)
  t.equal(status, 200)
  t.equal(body.toString(), `${options.url.host} /path?query`)
  await t.rejects(sendRequest({ ...options, verify: true }), 'a certificate nobody trusts is refused where it counts')
})

t.test('an answer without end is cut off, and so is one that never comes', async (t) => {
  const endless = await serve(t, (_request, response) => {
    const more = (): void => void response.write('x'.repeat(500), (error) => error ?? more())
    more()
  })
  await t.rejects(sendRequest(endless), { message: 'the answer has more than 1000 bytes' })
  const silent = await serve(t, (_request, response) => void response.write('x'))
  await t.rejects(sendRequest({ ...silent, timeoutMs: 300 }))
  const broken = await serve(t, (request, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('x')
    request.socket.destroySoon()
  })
  await t.rejects(sendRequest(broken), 'half an answer is none')
})

t.test('the deadline and the signal also end what is still connecting', async (t) => {
  const server = createTcpServer((socket) => void socket.resume().on('error', () => socket.destroy()))
  const port = await listenAnywhere(server)
  t.teardown(() => server.close())
  const connections = keepConnections({ idleMs: 1000, connectMs: 2000 })
  t.teardown(() => connections.close())
  const options = {
    url: new URL(`https://peer.test:${port}/`),
    address: '127.0.0.1',
    method: 'GET',
    maxBytes: 10,
  } as const
  for (const more of [{}, { connections }]) {
    await t.rejects(sendRequest({ ...options, ...more, timeoutMs: 100 }), { name: 'TimeoutError' })
    const end = new AbortController()
    const sent = sendRequest({ ...options, ...more, timeoutMs: 2000, signal: end.signal })
    end.abort(new Error('the daemon ends'))
    await t.rejects(sent, { message: 'the daemon ends' })
  }
})

t.test('kept connections are of one name each, and one that was just closed loses no request', async (t) => {
  const used = new Set<unknown>()
  let closed = 0
  const options = await serve(t, ({ socket }, response) => {
    if (used.has(socket)) {
      closed += 1
      socket.destroy()
    } else response.end('servername' in socket && String(socket.servername))
    used.add(socket)
  })
  const connections = keepConnections({ verify: false, idleMs: 5000, connectMs: 5000 })
  t.teardown(() => connections.close())
  for (let i = 0; i < 12; i++) {
    const name = `${i < 8 ? 'one' : 'two'}.test`
    const url = new URL(`https://${name}:${options.url.port}/`)
    const { body } = await sendRequest({ ...options, url, connections })
    t.equal(body.toString(), name)
    await setImmediate()
  }
  t.ok(closed > 0, 'asked once more, over a connection of its own')
})

t.test('no redirect is followed, no proxy of the environment asked, and a head has its limit', async (t) => {
  const proxied: unknown[] = []
  const proxy = createTcpServer((socket) => {
    proxied.push(1)
    socket.destroy()
  })
  const proxyPort = await listenAnywhere(proxy)
  t.teardown(() => proxy.close())
  const names = ['HTTPS_PROXY', 'https_proxy', 'NODE_USE_ENV_PROXY']
  for (const name of names) process.env[name] = name.startsWith('N') ? '1' : `http://127.0.0.1:${proxyPort}`
  t.teardown(() => names.forEach((name) => Reflect.deleteProperty(process.env, name)))
  const options = await serve(t, (request, response) => {
    if (request.url === '/long') response.writeHead(200, { 'x-long': 'x'.repeat(17_000) }).end()
    else response.writeHead(302, { location: '/long' }).end('there')
  })
  const { status, body, headers } = await sendRequest(options)
  t.equal(status, 302)
  t.equal(body.toString(), 'there')
  t.equal(headers['location'], '/long')
  await t.rejects(sendRequest({ ...options, url: new URL('/long', options.url) }), { code: 'UND_ERR_HEADERS_OVERFLOW' })
  t.same(proxied, [])
})
