/**
 * RFC 9112 over raw sockets, on each driver. Node's server does as the RFC wants. uWebSockets.js does so too, or refuses, or closes the connection:
 * it never takes one packet for other requests than the RFC does. `UPDATE_DOCS=1` writes the table of docs/api.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { nodeDriver } from '../../src/http/listener/node.js'
import type { Driver } from '../../src/http/listener/types.js'
import { loadUws } from '../../src/http/listener/uws.js'
import { listen } from '../../src/http/server/server.js'
import { ask, raw } from './client.js'

interface Point {
  section: string
  what: string
  /** Sent one after the other, each when the one before has been read. */
  packets: string[]
  /** The answers: of the handler `method path octets-of-the-body`, of all others the status. */
  wanted: string[]
  /** Whether a further request is answered then. */
  stays: boolean
  /** uWebSockets.js reads it otherwise, and nobody can keep it from that: it does not even say that there was such a field. */
  isMisread?: boolean
}

const HOST = 'Host: x\r\n'
const get = (path: string, fields = HOST): string => `GET ${path} HTTP/1.1\r\n${fields}\r\n`
const post = (fields: string, body: string): string => `POST /p HTTP/1.1\r\n${HOST}${fields}\r\n\r\n${body}`
const chunked = (body: string): string => post('Transfer-Encoding: chunked', body)
const sized = (body: string): string => post(`Content-Length: ${body.length}`, body)

const served = (section: string, what: string, packets: string | string[], wanted: string[], stays = true): Point => ({
  section,
  what,
  packets: [packets].flat(),
  wanted,
  stays,
})
/** 400, and the connection closed. */
const refused = (section: string, what: string, packets: string | string[]): Point =>
  served(section, what, packets, ['400'], false)

const misread = (point: Point): Point => ({ ...point, isMisread: true })

const HIDDEN = get('/hidden')

const POINTS: Point[] = [
  refused('2.2', 'a head with bare LF', 'GET /a HTTP/1.1\nHost: x\n\n'),
  refused('2.2', 'one line of the head with bare LF', 'GET /a HTTP/1.1\r\nHost: x\nX: y\r\n\r\n'),
  refused('2.2', 'a bare CR in a field', get('/a', `${HOST}X: a\rY: b\r\n`)),
  served('2.2', 'an empty line before the request', `\r\n${get('/a')}`, ['GET /a 0']),
  refused('2.2', 'white space before the first field', 'GET /a HTTP/1.1\r\n Host: x\r\n\r\n'),
  served('2.3', 'HTTP/1.0 without Host', 'GET /a HTTP/1.0\r\n\r\n', ['GET /a 0'], false),
  served('2.3', 'HTTP/1.0 with Host', `GET /a HTTP/1.0\r\n${HOST}\r\n`, ['GET /a 0'], false),
  refused('2.3', 'HTTP/0.9', 'GET /a\r\n\r\n'),
  refused('2.3', 'HTTP/0.9 by its name', `GET /a HTTP/0.9\r\n${HOST}\r\n`),
  refused('2.3', 'HTTP/2.0 in the request line', `GET /a HTTP/2.0\r\n${HOST}\r\n`),
  refused('2.3', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  refused('2.3', 'a version that is none', `GET /a HTTP/1.x\r\n${HOST}\r\n`),
  served('3', 'two spaces in the request line', `GET  /a HTTP/1.1\r\n${HOST}\r\n`, ['GET /a 0']),
  refused('3', 'a tab in the request line', `GET\t/a HTTP/1.1\r\n${HOST}\r\n`),
  refused('3', 'a space in the target', `GET /a b HTTP/1.1\r\n${HOST}\r\n`),
  served('3', 'a target of 8,000 octets', get(`/${'a'.repeat(7999)}`), [`GET /${'a'.repeat(7999)} 0`]),
  refused('3.1', 'a method that is none', `BREW /a HTTP/1.1\r\n${HOST}\r\n`),
  refused('3.1', 'a method in lower case', `get /a HTTP/1.1\r\n${HOST}\r\n`),
  refused('3.2', 'no Host', get('/a', '')),
  refused('3.2', 'two Host fields', get('/a', 'Host: x\r\nHost: x\r\n')),
  refused('3.2', 'two different Host fields', get('/a', 'Host: x\r\nHost: y\r\n')),
  refused('3.2', 'a Host that is none', get('/a', 'Host: x y\r\n')),
  refused('3.2', 'a Host with a path', get('/a', 'Host: x/y\r\n')),
  refused('3.2', 'a Host with a port that is none', get('/a', 'Host: x:8x\r\n')),
  served('3.2', 'an empty Host', get('/a', 'Host:\r\n'), ['GET /a 0']),
  served('3.2', 'a Host that is an IPv6 address', get('/a', 'Host: [::1]:80\r\n'), ['GET /a 0']),
  refused('3.2.1', 'a target without its slash', `GET a HTTP/1.1\r\n${HOST}\r\n`),
  served('3.2.2', 'the whole address as target', `GET http://x/a?b HTTP/1.1\r\n${HOST}\r\n`, ['GET /a 0']),
  served('3.2.2', 'the same without a path', `GET http://x HTTP/1.1\r\n${HOST}\r\n`, ['GET / 0']),
  refused('3.2.2', 'the same without Host', 'GET http://x/a HTTP/1.1\r\n\r\n'),
  refused('3.2.3', 'CONNECT', 'CONNECT x:25 HTTP/1.1\r\nHost: x:25\r\n\r\n'),
  served('3.2.4', 'OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, ['OPTIONS * 0']),
  refused('3.2.4', 'GET *', `GET * HTTP/1.1\r\n${HOST}\r\n`),
  refused('5', 'a field without a colon', get('/a', `${HOST}nothing\r\n`)),
  misread(refused('5', 'a field without a name', get('/a', `${HOST}: x\r\n`))),
  misread(
    refused(
      '5',
      'the same before a length',
      `POST /p HTTP/1.1\r\n${HOST}: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ),
  ),
  refused('5', 'a field with a name that is none', get('/a', `${HOST}F(o: x\r\n`)),
  refused('5.1', 'a space before the colon', get('/a', `${HOST}Foo : x\r\n`)),
  refused('5.1', 'a space before the colon of a length', `POST /p HTTP/1.1\r\n${HOST}Content-Length : 2\r\n\r\nxx`),
  refused('5.2', 'a folded line', get('/a', `${HOST}X: a\r\n b\r\n`)),
  refused('5.5', 'NUL in a field', get('/a', `${HOST}X: a\0b\r\n`)),
  served('5', '60 fields', get('/a', HOST + 'X: y\r\n'.repeat(59)), ['GET /a 0']),
  served('5', '200 fields', get('/a', HOST + 'X: y\r\n'.repeat(199)), ['GET /a 0']),
  served(
    '5.4',
    'a head of 10 KB in four packets',
    [`GET /a HTTP/1.1\r\n${HOST}`, ...Array<string>(3).fill(`X: ${'y'.repeat(3300)}\r\n`), '\r\n'],
    ['GET /a 0'],
  ),
  refused('5.4', 'a head of 20 KB', get('/a', `${HOST}X: ${'y'.repeat(20_000)}\r\n`)),
  served('6', 'a body by its length', sized('xx'), ['POST /p 2']),
  served('6', 'a body in packets of its own', [post('Content-Length: 4', ''), 'xx', 'xx'], ['POST /p 4']),
  served('6', 'a body with GET', `GET /a HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\nxx`, ['GET /a 2']),
  refused('6.1', 'a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`)),
  refused('6.1', 'chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${HIDDEN}`)),
  refused('6.1', 'chunks in HTTP/1.0', `POST /p HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  refused('6.1', 'a coding that is none', post('Transfer-Encoding: xchunked', `0\r\n\r\n${HIDDEN}`)),
  refused('6.1', 'gzip, chunked', post('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${HIDDEN}`)),
  refused('6.1', 'chunked, gzip', post('Transfer-Encoding: chunked, gzip', `0\r\n\r\n${HIDDEN}`)),
  refused('6.1', 'chunked twice', post('Transfer-Encoding: chunked, chunked', `0\r\n\r\n${HIDDEN}`)),
  refused(
    '6.1',
    'chunked in two fields',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`),
  ),
  refused('6.1', 'identity', post('Transfer-Encoding: identity', HIDDEN)),
  served('6.1', 'Chunked with a capital', post('Transfer-Encoding: Chunked', '2\r\nxx\r\n0\r\n\r\n'), ['POST /p 2']),
  refused('6.2', 'two different lengths', post('Content-Length: 2\r\nContent-Length: 3', 'xxx')),
  refused('6.2', 'two different lengths in a field', post('Content-Length: 2, 3', 'xxx')),
  refused('6.2', 'the same length twice', post('Content-Length: 2\r\nContent-Length: 2', 'xx')),
  refused('6.2', 'a negative length', post('Content-Length: -2', 'xx')),
  refused('6.2', 'a length with a sign', post('Content-Length: +2', 'xx')),
  refused('6.2', 'a length in hexadecimal', post('Content-Length: 0x2', 'xx')),
  refused('6.2', 'a length with a space in it', post('Content-Length: 1 0', 'xx')),
  refused('6.2', 'an empty length', post('Content-Length:', 'xx')),
  refused('6.2', 'a length beyond numbers', post('Content-Length: 99999999999999999999', 'xx')),
  served('7.1', 'a body in chunks', chunked('2\r\nxx\r\n3\r\nyyy\r\n0\r\n\r\n'), ['POST /p 5']),
  served(
    '7.1',
    'the same in many packets',
    [chunked('2'), '\r', '\nx', 'x\r\n3\r\nyyy\r', '\n0\r\n', '\r\n'],
    ['POST /p 5'],
  ),
  served('7.1', 'a size with zeros and capitals', chunked(`00A\r\n${'x'.repeat(10)}\r\n000\r\n\r\n`), ['POST /p 10']),
  refused('7.1', 'a size that is none', chunked('zz\r\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'something behind a size', chunked('2x\r\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'a space before a size', chunked(' 2\r\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'a size with 0x', chunked('0x2\r\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'a negative size', chunked('-2\r\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'a size beyond numbers', chunked('ffffffffffffffff1\r\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'a size that ends in bare LF', chunked('2\nxx\r\n0\r\n\r\n')),
  refused('7.1', 'data longer than its size', chunked(`2\r\nxxyy0\r\n\r\n${HIDDEN}`)),
  refused('7.1', 'data that ends in bare LF', chunked('2\r\nxx\n0\r\n\r\n')),
  refused('7.1', 'data that ends in bare CR', chunked('2\r\nxx\r0\r\n\r\n')),
  refused('7.1', 'octets behind the last chunk', chunked(`0\r\nXX${HIDDEN}`)),
  refused('7.1', 'the same in a packet of its own', [chunked('0\r\n'), `XX${HIDDEN}`]),
  served('7.1.1', 'an extension', chunked('2;a=b\r\nxx\r\n0;c\r\n\r\n'), ['POST /p 2']),
  served('7.1.1', 'an extension in quotes', chunked('2;a="b;c"\r\nxx\r\n0\r\n\r\n'), ['POST /p 2']),
  refused('7.1.1', 'an extension that ends in bare LF', chunked(`2;a\nxx\r\n0\r\n\r\n`)),
  served('7.1.2', 'a trailer, and the next request', chunked(`2\r\nxx\r\n0\r\nX: y\r\n\r\n${get('/b')}`), [
    'POST /p 2',
    'GET /b 0',
  ]),
  served('7.1.2', 'a trailer that looks like a request', chunked('0\r\nXxget: /hidden HTTP/1.1\r\nHost: x\r\n\r\n'), [
    'POST /p 0',
  ]),
  refused('7.1.2', 'a trailer that is none', chunked('0\r\nnothing\r\n\r\n')),
  served('9.3', 'two requests, one after the other', [get('/a'), get('/b')], ['GET /a 0', 'GET /b 0']),
  served('9.3', 'HTTP/1.0 with keep-alive', `GET /a HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n\r\n`, ['GET /a 0']),
  served('9.3.2', 'three requests in a packet', get('/a') + get('/b') + get('/c'), [
    'GET /a 0',
    'GET /b 0',
    'GET /c 0',
  ]),
  served('9.3.2', 'requests behind one that waits', get('/wait') + get('/b') + get('/c'), [
    'GET /wait 0',
    'GET /b 0',
    'GET /c 0',
  ]),
  served(
    '9.3.2',
    'the same in packets of their own',
    [get('/wait'), get('/b'), get('/c')],
    ['GET /wait 0', 'GET /b 0', 'GET /c 0'],
  ),
  served('9.3.2', 'requests behind bodies', sized('xx') + sized('xxx') + get('/c'), [
    'POST /p 2',
    'POST /p 3',
    'GET /c 0',
  ]),
  served('9.3.2', 'what is no request, behind one', `${get('/wait')}nonsense\r\n\r\n`, ['GET /wait 0', '400'], false),
  served('9.6', 'Connection: close', get('/a', `${HOST}Connection: close\r\n`) + HIDDEN, ['GET /a 0'], false),
  served('9.6', 'close in a list', get('/a', `${HOST}Connection: x, Close , y\r\n`) + HIDDEN, ['GET /a 0'], false),
  served(
    '9.6',
    'close in the second of two fields',
    get('/a', `${HOST}Connection: x\r\nConnection: close\r\n`),
    ['GET /a 0'],
    false,
  ),
  served(
    '9.6',
    'close, and more in packets of its own',
    [get('/a', `${HOST}Connection: x, close\r\n`), HIDDEN],
    ['GET /a 0'],
    false,
  ),
  served(
    '9.6',
    'close behind a request',
    get('/wait') + get('/b', `${HOST}Connection: close\r\n`) + HIDDEN,
    ['GET /wait 0', 'GET /b 0'],
    false,
  ),
  served(
    '9110 10.1.1',
    'leave to send the body',
    [post('Content-Length: 2\r\nExpect: 100-continue', ''), 'xx'],
    ['100', 'POST /p 2'],
  ),
]

/** The answers among what was received, as far as they are whole. */
function answersIn(received: string): string[] {
  const found: string[] = []
  for (let rest = received; ;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return found
    const head = rest.slice(0, end)
    const [, status = '?'] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
    const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) return found
    found.push(status === '200' ? body : status)
    rest = rest.slice(end + 4 + length)
  }
}

interface Seen {
  answers: string[]
  stays: boolean
}

async function observe(port: number, { packets, wanted, stays }: Point): Promise<Seen> {
  const connection = raw(port, '')
  const answers = (): string[] => answersIn(connection.received())
  for (const packet of packets) {
    if (!connection.socket.writable) break
    connection.socket.write(packet, 'latin1')
    // Who is served on another connection comes after what was sent on this one.
    for (let turn = 0; turn < 3; turn++) await ask(port, '/turn')
  }
  await Promise.race([connection.closed, connection.when(() => answers().length >= wanted.length)])
  if (!stays) await connection.closed
  const found = answers()
  const isOpen = await (async () => {
    if (!connection.socket.writable) return false
    connection.socket.write(get('/after'))
    await Promise.race([connection.closed, connection.when(() => answers().length > found.length)])
    return answers().at(-1) === 'GET /after 0'
  })()
  connection.socket.destroy()
  return { answers: found, stays: isOpen }
}

type Verdict = 'yes' | 'refused' | 'closed' | 'no'

/** Undefined for what a driver must not do. */
function judge({ wanted, stays }: Point, seen: Seen): Verdict | undefined {
  if (JSON.stringify([wanted, stays]) === JSON.stringify([seen.answers, seen.stays])) return 'yes'
  const last = seen.answers.at(-1) ?? ''
  const isRefused = /^4\d\d$/.test(last)
  const before = isRefused ? seen.answers.slice(0, -1) : seen.answers
  // Nothing was served that the RFC does not want served, and nothing more is.
  if (seen.stays || before.some((answer, i) => answer !== wanted[i])) return undefined
  return isRefused ? 'refused' : 'closed'
}

async function tryAll(t: Test, driver: Driver): Promise<Verdict[]> {
  const server = await listen({
    driver,
    host: '127.0.0.1',
    port: 0,
    async handler(request) {
      const body = await request.readBody(1_000_000)
      // Longer than all that came with it is read.
      if (request.path === '/wait') await ask(server.port, '/turn')
      return { status: 200, body: `${request.method} ${request.path} ${body.length}` }
    },
    maxHeldBodyBytes: 1_000_000,
    onError: (error) => t.fail('no error is ours', { error }),
    warn: (message) => t.fail(message),
  })
  t.teardown(() => server.close(0))
  return Promise.all(
    POINTS.map(async (point) => {
      const seen = await observe(server.port, point)
      const verdict = judge(point, seen)
      if (verdict === undefined && !(driver.name === 'uws' && point.isMisread))
        t.fail(`${point.section} ${point.what}`, { wanted: point.wanted, stays: point.stays, seen })
      return verdict ?? 'no'
    }),
  )
}

const verdicts = new Map<string, Verdict[]>()

t.test('Node', async (t) => {
  const found = await tryAll(t, nodeDriver)
  verdicts.set('node', found)
  for (const [i, { section, what }] of POINTS.entries()) t.equal(found[i], 'yes', `${section} ${what}`)
})

const uws = loadUws()
t.test('uWebSockets.js', { skip: 'problem' in uws && uws.problem }, async (t) => {
  if ('problem' in uws) return
  const found = await tryAll(t, uws.driver)
  verdicts.set('uws', found)
  for (const [i, { section, what, isMisread }] of POINTS.entries())
    t.equal(found[i] === 'no', isMisread === true, `${section} ${what}: ${found[i]}`)
})

function table(): string {
  const of = (driver: string, i: number): string => verdicts.get(driver)?.[i] ?? '?'
  return [
    '| RFC 9112 | what is sent | wanted | node | uws |',
    '| --- | --- | --- | --- | --- |',
    ...POINTS.map(({ section, what, wanted, stays }, i) => {
      const isRefusal = wanted.join() === '400'
      const shown = isRefusal ? '400, closed' : stays ? 'served' : 'served, closed'
      return `| ${section} | ${what} | ${shown} | ${of('node', i)} | ${of('uws', i)} |`
    }),
  ].join('\n')
}

t.test('docs/api.md has what each driver makes of it', { skip: 'problem' in uws && uws.problem }, async (t) => {
  const path = join(process.cwd(), 'docs/api.md')
  const current = await readFile(path, 'utf8')
  const fresh = current.replace(
    /(<!-- matrix of HTTP:.*-->\n)[\s\S]*(<!-- end of matrix of HTTP -->)/,
    (_whole, start: string, end: string) => `${start}\n${table()}\n\n${end}`,
  )
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, fresh)
  else t.equal(current, fresh, 'docs/api.md is stale: UPDATE_DOCS=1 npx tap test/http/rfc9112.test.ts')
})
