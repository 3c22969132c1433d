/** What each driver does with connections, beyond how it reads requests (rfc9112.test.ts), and which one is chosen. */
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { chooseDriver } from '../../src/http/listener/choose.js'
import { nodeDriver } from '../../src/http/listener/node.js'
import type { Driver } from '../../src/http/listener/types.js'
import { loadUws } from '../../src/http/listener/uws.js'
import type { HttpHandler } from '../../src/http/message.js'
import { listen, type HttpServer } from '../../src/http/server/server.js'
import { loadUwsBinary } from '../../src/lib/native.js'
import { ask, raw } from './client.js'

async function serve(t: Test, driver: Driver, handler: HttpHandler): Promise<HttpServer> {
  const server = await listen({
    driver,
    host: '127.0.0.1',
    port: 0,
    handler,
    maxHeldBodyBytes: 1_000_000,
    onError: (error) => t.fail('no error is ours', { error }),
    warn: (message) => t.fail(message),
  })
  t.teardown(() => server.close(0))
  return server
}

/** Longer than any driver waits for a client that sends nothing. */
const SILENCE_MS = 13_000

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Resolves when so many requests are at work. */
async function atWork(server: HttpServer, count: number): Promise<void> {
  while (server.openRequests !== count) await new Promise((resolve) => setImmediate(resolve))
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(64 * 1024)
}

const uws = loadUws()
const drivers = 'driver' in uws ? [nodeDriver, uws.driver] : [nodeDriver]

// They wait for the drivers' own time limits, and so beside each other.
t.jobs = 2 * drivers.length
for (const driver of drivers) {
  t.test(
    `${driver.name}: who waits for an answer, or for more of it, is not cut off`,
    { buffered: true },
    async (t) => {
      const answered = new Promise<void>((resolve) => setTimeout(resolve, SILENCE_MS))
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('first,')
        await answered
        yield Buffer.from('second')
      }
      const server = await serve(t, driver, async (request) => {
        // As after a read of the store: later than the turn in which it came.
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (request.path !== '/unwatched') t.equal(request.holdSignal.aborted, false)
        if (request.path === '/wait') await answered
        return { status: 200, body: request.path === '/wait' ? 'first,second' : slow() }
      })
      const body = Buffer.from('{}')
      const asked = ['/wait', '/stream', '/unwatched'].flatMap((path) => [
        ask(server.port, path),
        ask(server.port, path, { method: 'POST', body }),
      ])
      for (const { text } of await Promise.all(asked)) t.match(text, /first,[^]*second/)
    },
  )

  t.test(
    `${driver.name}: who takes nothing of an answer is cut off, and its stream told`,
    { buffered: true },
    async (t) => {
      let ended: (() => void) | undefined
      const over = new Promise<void>((resolve) => (ended = resolve))
      const server = await serve(t, driver, async (request) => {
        if (request.path === '/') return { status: 200, body: 'served' }
        request.onEnd(() => ended?.())
        return { status: 200, body: request.path === '/stream' ? endless() : Buffer.alloc(50_000_000) }
      })
      for (const path of ['/stream', '/whole']) {
        const connection = raw(server.port, get(path))
        connection.socket.pause()
        await once(connection.socket, 'connect')
      }
      await over
      await atWork(server, 0)
      t.equal((await ask(server.port, '/')).text, 'served')
    },
  )
}

for (const driver of drivers) {
  t.test(`${driver.name}: who is woken by somebody else's request gets all of the answer at once`, async (t) => {
    let wake: (() => void) | undefined
    const woken = new Promise<void>((resolve) => (wake = resolve))
    const server = await serve(t, driver, async (request) => {
      if (request.path === '/wait') {
        t.equal(request.signal.aborted, false)
        await woken
      } else wake?.()
      return { status: 200, headers: { 'Content-Type': 'text/plain', 'X-One': '1', 'X-Two': '2' }, body: 'all of it' }
    })
    const waiting = raw(server.port, get('/wait'))
    await atWork(server, 1)
    let packets = 0
    waiting.socket.on('data', () => packets++)
    await ask(server.port, '/wake')
    await waiting.until('all of it')
    t.equal(packets, 1)
    waiting.socket.destroy()
  })

  t.test(`${driver.name}: a request that is cut in the middle of its body leaves nothing behind`, async (t) => {
    const server = await serve(t, driver, async (request) => ({
      status: 200,
      body: String((await request.readBody(900_000)).length),
    }))
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n'
    for (let i = 0; i < 20; i++) {
      const connection = raw(server.port, head + 'x'.repeat(100_000))
      await atWork(server, 1)
      connection.socket.destroy()
      await atWork(server, 0)
    }
    const body = Buffer.alloc(900_000)
    t.equal((await ask(server.port, '/', { method: 'POST', body })).text, '900000', 'there is room for a body again')
  })

  t.test(`${driver.name}: an address that can't be had is named with the reason`, async (t) => {
    const at = (host: string, port: number) => driver.listen({ host, port }, () => undefined)
    const first = await at('127.0.0.1', 0)
    t.teardown(() => (first.stop(), first.closeAll()))
    await t.rejects(at('127.0.0.1', first.port), {
      message: /Cannot listen for HTTP on 127\.0\.0\.1:\d+: the port is in use/,
    })
    await t.rejects(at('192.0.2.1', 0), { message: /: this machine does not have that address/ })
    if (process.getuid?.() !== 0)
      await t.rejects(at('127.0.0.1', 81), { message: /: ports below 1024 need a privilege/ })
  })
}

t.test('node: more than 64 requests behind one that waits end the connection, and are not served', async (t) => {
  let served = 0
  const server = await serve(t, nodeDriver, async (request) => {
    served++
    if (request.path === '/wait') await once(request.signal, 'abort')
    return { status: 200, body: request.path }
  })
  const connection = raw(server.port, get('/wait') + get('/a').repeat(64))
  await atWork(server, 1)
  t.equal((await ask(server.port, '/other')).text, '/other')
  t.equal(connection.socket.destroyed, false)
  t.equal(await raw(server.port, get('/wait') + get('/a').repeat(66)).closed, '')
  connection.socket.destroy()
  await atWork(server, 0)
  t.equal(served, 3)
})

t.test('node: a client that asks for a tunnel and resets the connection does no harm', async (t) => {
  const server = await serve(t, nodeDriver, async ({ path }) => ({ status: 200, body: path }))
  for (let i = 0; i < 10; i++) {
    const connection = raw(server.port, 'CONNECT x:25 HTTP/1.1\r\nHost: x:25\r\n\r\nEHLO x\r\n')
    if (i % 2 === 0) await connection.until('HTTP/1.1 400')
    else await once(connection.socket, 'connect')
    connection.socket.resetAndDestroy()
    t.equal((await ask(server.port, '/after')).text, '/after')
  }
})

t.test('node: who waits for leave to send a body that is refused is told so, and gets none', async (t) => {
  const server = await serve(t, nodeDriver, async (request) => ({
    status: 200,
    body: String((await request.readBody(10)).length),
  }))
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n'
  t.match(await raw(server.port, head).closed, /^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s)
})

t.test('auto takes uWebSockets.js where its binary loads, and never the imitation of it', async (t) => {
  const missing = loadUwsBinary({ ...process, versions: { ...process.versions, modules: '999' } })
  t.match(missing, { problem: /^uWebSockets\.js has no binary for Node .* \(ABI 999\) on/ })
  t.equal(
    chooseDriver('auto', () => ({ problem: 'it is not here' })),
    nodeDriver,
  )
  t.equal(chooseDriver('node'), nodeDriver)
  t.throws(() => chooseDriver('uws', () => ({ problem: 'it is not here' })), {
    message: /^server\.http_driver: "uws" cannot be used: it is not here\. Set it to "auto" or "node"/,
  })
  t.equal(chooseDriver('auto').name, 'driver' in uws ? 'uws' : 'node')
})
