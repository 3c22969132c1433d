/** The listeners of TLS: who is shown what, certificates that change under open connections, and everything that HTTP without TLS promises. */
import { once } from 'node:events'
import { connect as connectPlain, createServer } from 'node:net'
import { mock } from 'node:test'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import type { HttpHandler } from '../../../src/http/message.js'
import { listen, type HttpServer } from '../../../src/http/server/server.js'
import { SECOND } from '../../../src/lib/clock.js'
import { createAuthority, opensslPeer } from '../../support/peers/certificates.js'
import { heldCertificates, type TestCertificates } from '../../support/held-certificates.js'
import { freePort, listenAnywhere } from '../../support/ports.js'
import { ask, raw, type RawConnection } from '../client.js'
import { testDriver } from '../test-driver.js'

const HOST = 'mx.agents.test'

async function serve(
  t: Test,
  held: TestCertificates,
  handler: HttpHandler,
  warnings: string[] = [],
  ports: readonly number[] = [0],
): Promise<HttpServer> {
  const server = await listen({
    driver: testDriver(),
    host: '127.0.0.1',
    port: 0,
    handler,
    maxHeldBodyBytes: 100_000_000,
    https: {
      addresses: ports.map((port) => ({ host: '127.0.0.1', port })),
      certificates: held.certificates,
      host: HOST,
    },
    onError: (error) => t.fail('no error is ours', { error }),
    warn: (message) => warnings.push(message),
  })
  t.teardown(() => server.close(0))
  return server
}

const portOf = ({ httpsPorts: [port] }: HttpServer): number => {
  if (port === undefined) throw new Error('nothing is listened on')
  return port
}

const echo: HttpHandler = async ({ path }) => ({ status: 200, body: path })

const settings = (port: number, options: ConnectionOptions = {}): ConnectionOptions => ({
  host: '127.0.0.1',
  port,
  servername: HOST,
  rejectUnauthorized: false,
  ...options,
})

/** The first name of the certificate that is shown, and what is answered. */
async function visit(port: number, options: ConnectionOptions = {}): Promise<{ shown: string; answer: string }> {
  const socket = connect(settings(port, options))
  await once(socket, 'secureConnect')
  const shown = [socket.getPeerCertificate().subject.CN].flat().join()
  const answer = await over(socket, `GET /hello HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`).until('/hello')
  socket.destroy()
  return { shown, answer }
}

/** The client of HTTP without TLS over a connection that has it. */
function over(socket: TLSSocket, bytes: string): RawConnection {
  return raw(socket, bytes)
}

async function open(port: number, bytes: string, options: ConnectionOptions = {}): Promise<RawConnection> {
  const socket = connect(settings(port, options))
  await once(socket, 'secureConnect')
  return over(socket, bytes)
}

/** What was told of a change has been taken over: it takes two turns. */
async function changed(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const cause = (options: Promise<unknown>): Promise<unknown> =>
  options.then(
    () => undefined,
    (error: unknown) => error,
  )

t.test('certificates of HTTPS', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir())
  const [web, other, wild] = [
    authority.issue([HOST, 'one.wild.test']),
    authority.issue(['other.test']),
    authority.issue(['first.test', '*.wild.test']),
  ]

  t.test("each name is shown its certificate; who names none, or one that none has, the listener's own", async (t) => {
    const server = await serve(t, heldCertificates(web, other, wild), echo)
    const port = portOf(server)
    const shown = async (servername?: string): Promise<string> => (await visit(port, { servername })).shown
    t.equal(await shown(HOST), HOST)
    t.equal(await shown('other.test'), 'other.test')
    t.equal(await shown('first.test'), 'first.test')
    t.equal(await shown('two.wild.test'), 'first.test')
    t.equal(await shown('one.wild.test'), HOST, 'an exact name comes before a wildcard')
    t.equal(await shown('two.deep.wild.test'), HOST)
    t.equal(await shown('nobody.test'), HOST)
    t.equal(await shown(undefined), HOST)
    const trusting = { ca: authority.ca, rejectUnauthorized: true, servername: HOST }
    t.equal((await visit(port, trusting)).shown, HOST, 'the chain is sent along')
  })

  t.test('answers over TLS have browsers come back over TLS, those without TLS do not', async (t) => {
    const server = await serve(t, heldCertificates(web), echo)
    t.match((await visit(portOf(server))).answer, /\r\nStrict-Transport-Security: max-age=31536000\r\n/)
    t.equal((await ask(server.port, '/')).headers['strict-transport-security'], undefined)
  })

  t.test('TLS begins at 1.2, there only with forward secrecy and authenticated encryption', async (t) => {
    const port = portOf(await serve(t, heldCertificates(web), echo))
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    t.match(await cause(visit(port, old)), /alert protocol version/)
    const weak = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:AES128-GCM-SHA256:@SECLEVEL=0' } as const
    t.match(await cause(visit(port, weak)), /handshake failure/)
    t.equal((await visit(port, { maxVersion: 'TLSv1.2' })).shown, HOST)
    t.equal((await visit(port, { minVersion: 'TLSv1.3' })).shown, HOST)
    const h2 = connect(settings(port, { ALPNProtocols: ['h2', 'http/1.1'] }))
    await once(h2, 'secureConnect')
    t.equal(h2.alpnProtocol, 'http/1.1', 'that is all there is')
    h2.destroy()
  })

  t.test('a certificate changes while connections are at work, and takes none of them down', async (t) => {
    const held = heldCertificates(web, wild)
    let polls = 0
    const server = await serve(t, held, async (request) => {
      if (request.path === '/download') return { status: 200, body: download(60) }
      if (request.path !== '/poll') return echo(request)
      polls++
      await once(request.holdSignal, 'abort')
      return { status: 200, body: 'held to its end' }
    })
    const port = portOf(server)
    const poll = await open(port, `GET /poll HTTP/1.1\r\nHost: x\r\n\r\n`)
    const named = await open(port, `GET /poll HTTP/1.1\r\nHost: x\r\n\r\n`, { servername: 'first.test' })
    const idle = await open(port, `GET /one HTTP/1.1\r\nHost: x\r\n\r\n`, { servername: 'first.test' })
    await idle.until('/one')
    const slow = await open(port, `GET /download HTTP/1.1\r\nHost: x\r\n\r\n`)
    await slow.until('HTTP/1.1 200')
    slow.socket.pause()
    while (polls < 2) await new Promise((resolve) => setImmediate(resolve))

    const renewed = authority.issue(['renewed.test', HOST])
    held.hold(renewed, authority.issue(['second.test', '*.wild.test']))
    await changed()
    t.equal((await visit(port)).shown, 'renewed.test')
    t.equal((await visit(port, { servername: 'one.wild.test' })).shown, 'second.test')
    t.equal((await visit(port, { servername: 'first.test' })).shown, 'renewed.test')
    t.equal(portOf(server), port)

    idle.socket.write('GET /two HTTP/1.1\r\nHost: x\r\n\r\n')
    t.notMatch(await idle.until('/two'), /Connection: close/, 'it is served, and stays')
    slow.socket.resume()
    t.ok((await slow.until('\r\n0\r\n\r\n')).includes('last'))
    t.equal(poll.socket.destroyed || named.socket.destroyed, false)
    const closing = server.close(10_000)
    t.match(await poll.closed, 'held to its end')
    t.match(await named.closed, 'held to its end')
    await closing
  })

  t.test('what cannot be used changes nothing, and is told', async (t) => {
    const warnings: string[] = []
    const held = heldCertificates(web)
    const server = await serve(t, held, echo, warnings)
    held.hold({ ...other, key: web.key })
    held.hold(web, { ...wild, key: web.key })
    await changed()
    t.equal((await visit(portOf(server))).shown, HOST)
    t.equal(warnings.length, 2)
    t.match(warnings[0], `HTTPS keeps its current certificates: the new one can't be used: ${other.certFile}`)
    held.hold(other)
    await changed()
    t.equal((await visit(portOf(server))).shown, 'other.test')
  })

  t.test('without a certificate nothing is listened on, until there is one', async (t) => {
    const warnings: string[] = []
    const held = heldCertificates()
    const server = await serve(t, held, echo, warnings)
    t.same(server.httpsPorts, [])
    t.same(warnings, [`HTTPS waits for a certificate: there is none for ${HOST}`])
    held.hold(web)
    while (server.httpsPorts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    t.equal((await visit(portOf(server))).shown, HOST)
    await server.close(0)
    t.equal(held.listeners(), 0)
  })

  t.test('a port that another program took while HTTPS waited for its first certificate', async (t) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const waiting = async () => {
      const taken = createServer()
      const ports = [await freePort(), await listenAnywhere(taken, await freePort())]
      const warnings: string[] = []
      const held = heldCertificates()
      const server = await serve(t, held, echo, warnings, ports)
      held.hold(web)
      while (warnings.length < 2) await turn()
      const free = async (): Promise<void> => {
        taken.close()
        await once(taken, 'close')
      }
      return { ports, held, server, warnings, free }
    }

    await t.test('is tried again until it is free, and said once', async (t) => {
      const { ports, held, server, warnings, free } = await waiting()
      t.match(
        warnings[1],
        `HTTPS is not served on every address yet, and is tried again every second: Cannot listen for HTTPS on 127.0.0.1:${ports[1]}: the port is in use`,
      )
      t.same(server.httpsPorts, ports.slice(0, 1))
      t.equal((await visit(portOf(server))).shown, HOST, 'the address that is free is served')
      for (let tries = 0; tries < 20; tries++) {
        mock.timers.tick(SECOND)
        for (let turns = 0; turns < 5; turns++) await turn()
      }
      t.same(warnings.slice(2), [])
      held.hold(other)
      await free()
      while (server.httpsPorts.length < 2) {
        mock.timers.tick(SECOND)
        await turn()
      }
      t.same(server.httpsPorts, ports)
      for (const port of ports) t.equal((await visit(port)).shown, 'other.test', 'with the newest certificate')
      t.same(warnings.slice(2), ['HTTPS is served on every address now'])
    })

    await t.test('is left alone by a server that has ended', async (t) => {
      const { ports, held, server, warnings, free } = await waiting()
      await server.close(0)
      await free()
      for (let tries = 0; tries < 5; tries++) {
        mock.timers.tick(SECOND)
        for (let turns = 0; turns < 5; turns++) await turn()
      }
      for (const port of ports) t.match(await cause(visit(port)), { code: 'ECONNREFUSED' })
      t.same(warnings.slice(2), [])
      t.equal(held.listeners(), 0)
    })

    await t.test('a server that ends while it begins to listen leaves nothing behind', async (t) => {
      const [held, port, warnings] = [heldCertificates(), await freePort(), [] as string[]]
      const server = await serve(t, held, echo, warnings, [port])
      held.hold(web)
      await server.close(0)
      t.match(await cause(visit(port)), { code: 'ECONNREFUSED' })
      t.equal(warnings.length, 1)
    })
  })

  t.test('a port that is taken is named at the start, and the other listener is closed', async (t) => {
    const first = await serve(t, heldCertificates(web), echo)
    const held = heldCertificates(web)
    const second = listen({
      driver: testDriver(),
      host: '127.0.0.1',
      port: 0,
      handler: echo,
      maxHeldBodyBytes: 1,
      https: { addresses: [{ host: '127.0.0.1', port: portOf(first) }], certificates: held.certificates, host: HOST },
      onError: () => undefined,
      warn: () => undefined,
    })
    await t.rejects(second, {
      message: new RegExp(`^Cannot listen for HTTPS on 127\\.0\\.0\\.1:${portOf(first)}: the port is in use`),
    })
    t.equal(held.listeners(), 0)
  })

  t.test('bodies, what stands behind a request, and clients that go away are as without TLS', async (t) => {
    let gone = 0
    let arrived = 0
    const server = await serve(t, heldCertificates(web), async (request) => {
      if (request.path === '/upload') return { status: 200, body: String((await request.readBody(20_000_000)).length) }
      if (request.path === '/small') return { status: 200, body: String((await request.readBody(1000)).length) }
      if (request.path === '/gone') {
        arrived++
        await once(request.signal, 'abort')
        gone++
        return { status: 200 }
      }
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      return { status: 200, body: request.path }
    })
    const port = portOf(server)
    const body = 'u'.repeat(1_000_000)
    const upload = await open(port, `POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await upload.until('\r\n\r\n1000000')
    const refused = await open(port, `POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    t.match(await refused.until('payload_too_large'), /^HTTP\/1\.1 413 /)
    refused.socket.destroy()
    const pipelined = await open(port, 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => setImmediate(resolve))
    pipelined.socket.write('GET /b HTTP/1.1\r\nHost: x\r\n\r\n')
    await pipelined.until('/b')
    pipelined.socket.destroy()
    const leaving = await open(port, 'GET /gone HTTP/1.1\r\nHost: x\r\n\r\n')
    while (arrived === 0) await new Promise((resolve) => setImmediate(resolve))
    leaving.socket.destroy()
    while (gone === 0) await new Promise((resolve) => setImmediate(resolve))
    while (server.openRequests > 0) await new Promise((resolve) => setImmediate(resolve))
    t.equal(gone, 1)
  })

  t.test('a download of 100 MB is made no faster than it is taken', async (t) => {
    const PIECE = Buffer.alloc(64 * 1024, 'd')
    const TOTAL = 1600 * PIECE.length
    let made = 0
    async function* source(): AsyncGenerator<Uint8Array> {
      while (made < TOTAL) {
        made += PIECE.length
        yield PIECE
      }
    }
    const server = await serve(t, heldCertificates(web), async (request) =>
      request.path === '/large' ? { status: 200, body: source(), length: TOTAL } : echo(request),
    )
    const socket = connect(settings(portOf(server)))
    await once(socket, 'secureConnect')
    socket.pause()
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    for (let before = -1; before !== made || made === 0;) {
      before = made
      t.equal((await ask(server.port, '/other')).text, '/other')
    }
    t.ok(made < TOTAL / 4, `${made} bytes were made`)
    let size = 0
    for await (const part of socket) {
      size += part.length
      if (size > TOTAL) break
    }
    t.equal(made, TOTAL)
  })

  t.test('who speaks no TLS there is cut off at once, and others are served', async (t) => {
    const port = portOf(await serve(t, heldCertificates(web), echo))
    t.equal(await raw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n').closed, '')
    t.equal(await raw(port, Buffer.from('16030100050100000100', 'hex')).closed.then((text) => text.length < 20), true)
    connectPlain(port, '127.0.0.1').destroy()
    t.equal((await visit(port)).shown, HOST)
  })
})

async function* download(pieces: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < pieces; i++) yield Buffer.alloc(64 * 1024, 'd')
  yield Buffer.from('last')
}
