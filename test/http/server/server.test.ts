import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { ClientGone, type HttpHandler } from '../../../src/http/message.js'
import { listen, type HttpServer } from '../../../src/http/server/server.js'
import { ask, raw } from '../client.js'
import { testDriver } from '../test-driver.js'

/** Whether bodies in chunks are read, and requests of one packet always answered in order: uWebSockets.js does neither as RFC 9112 wants it. */
const isFull = testDriver().name === 'node'

async function serve(
  t: Test,
  handler: HttpHandler,
  options: { maxHeldBodyBytes?: number; bodyIdleMs?: number } = {},
): Promise<HttpServer & { errors: unknown[] }> {
  const errors: unknown[] = []
  const server = await listen({
    driver: testDriver(),
    host: '127.0.0.1',
    port: 0,
    handler,
    maxHeldBodyBytes: options.maxHeldBodyBytes ?? 100_000_000,
    ...(options.bodyIdleMs !== undefined && { bodyIdleMs: options.bodyIdleMs }),
    onError: (error) => errors.push(error),
    warn: (message) => t.fail(message),
  })
  t.teardown(() => server.close(0))
  return {
    port: server.port,
    httpsPorts: server.httpsPorts,
    errors,
    close: (seconds) => server.close(seconds),
    get openRequests() {
      return server.openRequests
    },
  }
}

/** Resolves when so many requests are at work. */
async function atWork(server: HttpServer, count: number): Promise<void> {
  while (server.openRequests !== count) await new Promise((resolve) => setImmediate(resolve))
}

const upTo =
  (bytes: number): HttpHandler =>
  async (request) => {
    const body = await request.readBody(bytes)
    return { status: 200, body: String(body.length) }
  }

t.test('a handler sees the request as it was sent, and its answer arrives with safe headers', async (t) => {
  const server = await serve(t, async (request) => ({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([
      request.method,
      request.path,
      request.query,
      request.headers['x-twice'],
      request.remoteAddress,
    ]),
  }))
  const connection = raw(server.port, 'GET /a%20b?q=%31 HTTP/1.1\r\nHost: x\r\nX-Twice: 1\r\nX-Twice: 2\r\n\r\n')
  t.match(await connection.until(']'), '["GET","/a%20b","q=%31","1, 2","127.0.0.1"]')
  connection.socket.destroy()

  const answer = await ask(server.port, '/')
  t.match(answer.headers['x-request-id'], /^req_[0-9A-Z]{26}$/)
  t.equal(answer.headers['x-content-type-options'], 'nosniff')
  t.equal(answer.headers['cache-control'], 'no-store')
  t.equal(answer.headers['access-control-allow-origin'], undefined)
  const other = await ask(server.port, '/')
  t.not(other.headers['x-request-id'], answer.headers['x-request-id'])
})

t.test('HEAD gets the headers of GET, with its length and without its body', async (t) => {
  const server = await serve(t, async () => ({ status: 200, body: 'twelve bytes' }))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const head = await ask(server.port, '/', { method: 'HEAD', agent })
  t.equal(head.headers['content-length'], '12')
  t.equal(head.body.length, 0)
  t.equal((await ask(server.port, '/', { agent })).text, 'twelve bytes', 'the connection is still in step')
})

t.test('a body arrives whole, by length and in chunks', async (t) => {
  const server = await serve(t, upTo(10_000_000))
  const body = Buffer.alloc(5_000_000, 'x')
  t.equal((await ask(server.port, '/', { method: 'POST', body })).text, '5000000')
  const headers = { 'Transfer-Encoding': 'chunked' }
  const chunked = await ask(server.port, '/', { method: 'POST', body, headers })
  if (isFull) t.equal(chunked.text, '5000000')
  else t.match(chunked, { status: 411, json: { error: { code: 'length_required', hint: /Content-Length/ } } })
  t.equal((await ask(server.port, '/', { method: 'POST', body: '' })).text, '0')
})

t.test('a body over the cap is told 413, however it is sent, and the sender gets to read that', async (t) => {
  const server = await serve(t, upTo(1000))
  for (const headers of [undefined, { 'Transfer-Encoding': 'chunked' }]) {
    const answer = await ask(server.port, '/', { method: 'POST', body: Buffer.alloc(5_000_000), headers })
    if (headers && !isFull) t.equal(answer.status, 411)
    else
      t.match(answer, {
        status: 413,
        json: { error: { code: 'payload_too_large', message: /1000 bytes/, hint: String } },
      })
  }
  t.equal((await ask(server.port, '/', { method: 'POST', body: Buffer.alloc(1000) })).text, '1000')
  t.same(server.errors, [])
})

t.test('a sender that waits for leave to send its body gets it', async (t) => {
  const server = await serve(t, upTo(1000))
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n'
  const connection = raw(server.port, head)
  await connection.until('HTTP/1.1 100 Continue\r\n\r\n')
  connection.socket.write('hello')
  t.match(await connection.until('\r\n\r\n5'), /\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  connection.socket.destroy()
})

t.test('a request that is refused unread keeps its connection usable', async (t) => {
  const server = await serve(t, async (request) => ({ status: request.method === 'POST' ? 401 : 200, body: 'done' }))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  t.equal((await ask(server.port, '/', { method: 'POST', body: Buffer.alloc(3_000_000), agent })).status, 401)
  t.equal((await ask(server.port, '/', { agent })).status, 200)
})

t.test('more bodies at once than the server holds are told 503 with Retry-After', async (t) => {
  const server = await serve(t, upTo(10_000_000), { maxHeldBodyBytes: 1_000_000 })
  const answer = await ask(server.port, '/', { method: 'POST', body: Buffer.alloc(2_000_000) })
  t.equal(answer.status, 503)
  t.ok(Number(answer.headers['retry-after']) >= 1)
  t.equal(
    (await ask(server.port, '/', { method: 'POST', body: Buffer.alloc(900_000) })).status,
    200,
    'what was held is given back',
  )
  t.equal((await ask(server.port, '/', { method: 'POST', body: Buffer.alloc(900_000) })).status, 200)
})

t.test('a client that goes away in the middle of its body ends the request and nothing else', async (t) => {
  let outcome: ((error: unknown) => void) | undefined
  const ended = new Promise<unknown>((resolve) => (outcome = resolve))
  const server = await serve(t, async (request) => {
    if (request.method === 'GET') return { status: 200, body: 'up' }
    try {
      await request.readBody(1000)
    } catch (error) {
      outcome?.(error)
      throw error
    }
    return { status: 200 }
  })
  const connection = raw(server.port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf')
  await atWork(server, 1)
  connection.socket.destroy()
  t.type(await ended, ClientGone)
  await atWork(server, 0)
  t.equal((await ask(server.port, '/')).text, 'up')
  t.same(server.errors, [])
})

t.test('a client that goes away aborts the signal of its request', async (t) => {
  let aborted: ((hold: boolean) => void) | undefined
  const gone = new Promise<boolean>((resolve) => (aborted = resolve))
  const server = await serve(t, async (request) => {
    await once(request.signal, 'abort')
    aborted?.(request.holdSignal.aborted)
    return { status: 200, body: 'nobody reads this' }
  })
  const connection = raw(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await atWork(server, 1)
  connection.socket.destroy()
  t.equal(await gone, true)
  await atWork(server, 0)
  t.same(server.errors, [])
})

t.test('a large answer reaches a reader that stops in between, byte for byte', async (t) => {
  const body = Buffer.alloc(30_000_000)
  for (let i = 0; i < body.length; i += 1000) body.writeUInt32LE(i, i)
  const server = await serve(t, async () => ({ status: 200, body }))
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'readable')
  // The kernel's buffers fill while nothing is read, and the rest waits in the server.
  await atWork(server, 1)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of socket) {
    chunks.push(chunk)
    size += chunk.length
    // The first piece has the whole head; of the body the last octets may come by themselves.
    const headEnd = chunks[0]?.indexOf('\r\n\r\n') ?? -1
    if (headEnd >= 0 && size >= headEnd + 4 + body.length) break
  }
  const received = Buffer.concat(chunks)
  t.ok(received.subarray(received.indexOf('\r\n\r\n') + 4).equals(body))
})

t.test('a streamed answer is made no faster than it is read', async (t) => {
  const TOTAL = 64_000_000
  const chunk = Buffer.alloc(64_000)
  let made = 0
  async function* source(): AsyncGenerator<Uint8Array> {
    while (made < TOTAL) {
      made += chunk.length
      yield chunk
    }
  }
  const server = await serve(t, async (request) => ({ status: 200, body: request.path === '/' ? source() : 'other' }))
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  // Others are served until it stands still.
  for (let before = -1; before !== made || made === 0;) {
    before = made
    t.equal((await ask(server.port, '/other')).text, 'other')
  }
  t.ok(made < TOTAL / 2, `${made} bytes were made`)
  let size = 0
  for await (const part of socket) {
    size += part.length
    if (size > TOTAL) break
  }
  t.equal(made, TOTAL)
})

t.test('a stream that breaks cuts the connection, so that half an answer does not pass for a whole one', async (t) => {
  const server = await serve(t, async () => ({
    status: 200,
    body: (async function* () {
      yield Buffer.from('half')
      throw new Error('disk gone')
    })(),
  }))
  await t.rejects(ask(server.port, '/'))
  t.match(server.errors, [{ message: 'disk gone' }])
})

t.test('a line break in a header value is refused, not sent', async (t) => {
  const server = await serve(t, async () => ({ status: 200, headers: { 'X-Name': 'a\r\nSet-Cookie: evil=1' } }))
  const answer = await ask(server.port, '/')
  t.equal(answer.status, 500)
  t.equal(answer.headers['set-cookie'], undefined)
  t.equal(server.errors.length, 1)
})

t.test('a fault of the server is told with a request id and without its inside', async (t) => {
  const server = await serve(t, async () => {
    throw new Error('secret path /var/lib')
  })
  const answer = await ask(server.port, '/')
  t.equal(answer.status, 500)
  t.match(answer.json, { error: { code: 'internal', request_id: answer.headers['x-request-id'] } })
  t.notMatch(answer.text, /secret/)
  t.match(server.errors, [{ message: 'secret path /var/lib' }])
})

t.test('a length that two readers could take differently is refused, and nothing behind it is a request', async (t) => {
  const paths: string[] = []
  const server = await serve(t, async (request) => {
    paths.push(request.path)
    return { status: 200, body: `${(await request.readBody(1000)).length}` }
  })
  const send = (fields: string, rest: string) =>
    raw(server.port, `POST /first HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n${rest}`)
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  const unclear = [
    ['Content-Length: 3\r\nContent-Length: 4', 'abcd'],
    ['Transfer-Encoding: xchunked', '0\r\n\r\n'],
    ['Transfer-Encoding: gzip, chunked', '0\r\n\r\n'],
    ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ]
  for (const [fields = '', body = ''] of unclear) {
    t.match(await send(fields, body).closed, /^HTTP\/1\.1 400 /, fields)
    t.notMatch(await send(fields, body + hidden).closed, /HTTP\/1\.1 200 /, fields)
  }
  t.same(
    paths.filter((path) => path === '/first'),
    [],
    'no handler has seen one of them',
  )
  const chunked = send('Transfer-Encoding: Chunked', '1\r\nx\r\n0\r\n\r\n')
  t.match(await chunked.until('\r\n\r\n'), isFull ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 411 /)
  chunked.socket.destroy()
})

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

t.test('what is sent behind a request that takes a while is answered after it, in order', async (t) => {
  let release: (() => void) | undefined
  const slow = new Promise<void>((resolve) => (release = resolve))
  const server = await serve(t, async (request) => {
    if (request.path === '/slow') await slow
    return { status: 200, body: `${request.path}: ${(await request.readBody(1000)).length}.` }
  })
  const connection = raw(server.port, 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello')
  await atWork(server, 1)
  connection.socket.write(get('/second'))
  connection.socket.write(get('/third'))
  // Others go on meanwhile, and give the server all the turns it could want to look at the second.
  for (let i = 0; i < 5; i++) t.equal((await ask(server.port, '/other')).text, '/other: 0.')
  t.equal(server.openRequests, 1)
  release?.()
  const answers = await connection.until('/third: 0.')
  t.same(answers.match(/\/\w+: \d\./g), ['/slow: 5.', '/second: 0.', '/third: 0.'])
  connection.socket.destroy()
  t.same(server.errors, [])
})

t.test('requests in one packet that are answered at once are answered in order', async (t) => {
  const server = await serve(t, async (request) => ({ status: 200, body: `${request.path}.` }))
  const connection = raw(server.port, ['/one', '/two', '/three'].map(get).join(''))
  const answers = await connection.until('/three.')
  t.same(answers.match(/\/[a-z]+\./g), ['/one.', '/two.', '/three.'])
  connection.socket.destroy()
})

t.test(
  'two requests in one packet, of which the first takes a while, are answered in order, or the connection is closed',
  async (t) => {
    const server = await serve(t, async (request) => {
      await new Promise((resolve) => setImmediate(resolve))
      return { status: 200, body: request.path }
    })
    const both = raw(server.port, get('/1') + get('/2'))
    if (isFull) {
      const answers = await both.until('\r\n\r\n/2')
      t.same(answers.match(/\/\d$|\/\d(?=HTTP)/g), ['/1', '/2'])
      both.socket.destroy()
    } else t.equal(await both.closed, '')
    t.equal((await ask(server.port, '/3')).text, '/3')
    t.same(server.errors, [])
  },
)

t.test('a body that stands still is told 408', async (t) => {
  const server = await serve(t, upTo(1000), { bodyIdleMs: 50 })
  const bodies = ['Content-Length: 10\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n']
  for (const body of isFull ? bodies : bodies.slice(0, 1)) {
    const answer = await raw(server.port, `POST / HTTP/1.1\r\nHost: x\r\n${body}`).closed
    t.match(answer, /^HTTP\/1\.1 408 .*\r\nConnection: close\r\n.*"request_timeout"/s)
  }
  t.same(server.errors, [])
})

t.test('a port that is taken is named, with the reason', async (t) => {
  const server = await serve(t, async () => ({ status: 200 }))
  const second = listen({
    driver: testDriver(),
    host: '127.0.0.1',
    port: server.port,
    handler: async () => ({ status: 200 }),
    maxHeldBodyBytes: 1,
    onError: () => undefined,
    warn: () => undefined,
  })
  await t.rejects(second, { message: new RegExp(`127\\.0\\.0\\.1:${server.port}: the port is in use`) })
})

t.test('1,000 held requests leave room for others, and a stop answers them all', async (t) => {
  const COUNT = 1000
  const server = await serve(t, async (request) => {
    if (request.path === '/other') return { status: 200, body: 'served' }
    if (!request.holdSignal.aborted) await once(request.holdSignal, 'abort')
    return { status: 200, body: 'empty' }
  })
  const held = Array.from({ length: COUNT }, () => ask(server.port, '/hold'))
  await atWork(server, COUNT)
  t.equal((await ask(server.port, '/other')).text, 'served')
  await server.close(10_000)
  const answers = await Promise.all(held)
  t.ok(answers.every((answer) => answer.status === 200 && answer.text === 'empty'))
  await t.rejects(ask(server.port, '/other'), { code: 'ECONNREFUSED' })
})

t.test('a stop lets a request at work finish, and closes idle connections', async (t) => {
  let finish: (() => void) | undefined
  const work = new Promise<void>((resolve) => (finish = resolve))
  const server = await serve(t, async (request) => {
    if (request.path === '/work') await work
    return { status: 200, body: 'finished' }
  })
  const idle = raw(server.port, 'GET /idle HTTP/1.1\r\nHost: x\r\n\r\n')
  await idle.until('finished')
  const busy = raw(server.port, 'GET /work HTTP/1.1\r\nHost: x\r\n\r\n')
  await atWork(server, 1)
  const closing = server.close(10_000)
  finish?.()
  const answer = await busy.closed
  t.match(answer, /\r\nConnection: close\r\n/)
  t.match(answer, /\r\n\r\nfinished$/)
  await closing
  await idle.closed
})

t.test('a stop cuts what does not end in time', async (t) => {
  const server = await serve(t, () => new Promise(() => undefined))
  const stuck = raw(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await atWork(server, 1)
  await server.close(0)
  t.equal(await stuck.closed, '')
})
