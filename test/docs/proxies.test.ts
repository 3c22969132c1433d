/** The files for Caddy and nginx, as they are shipped, in the real programs: every kind of request passes, and nobody can say who they are. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createHttpChallenges } from '../../src/certificates/challenges.js'
import type { Mount } from '../../src/http/fetch.js'
import { nodeDriver } from '../../src/http/listener/node.js'
import { loadUws } from '../../src/http/listener/uws.js'
import { startApi, type Api } from '../http/api-server.js'
import { ask } from '../http/client.js'
import { ATTACHMENT, MESSAGE } from '../http/fakes.js'
import { createAuthority } from '../support/certificates.js'
import { peer } from '../support/peers.js'
import { freePort } from '../support/ports.js'

const HOST = 'mx.agents.example.com'
const POLICY_HOST = 'mta-sts.agents.example.com'
const PAIR = ['/etc/restante/tls/fullchain.pem', '/etc/restante/tls/privkey.pem'] as const

interface Place {
  dir: string
  /** Of the proxy. */
  https: number
  http: number
  api: number
  cert: string
  key: string
}

interface Proxy {
  program: string
  file: string
  /** All that is other than in the shipped file: ports, certificates, and where the program leaves its own things. */
  replaced(place: Place): [string, string][]
  /** How it is asked whether the file is right, and run. */
  prepare(place: Place, text: string): { check: string[]; run: string[] }
}

const proxies: Proxy[] = [
  {
    program: '/usr/bin/caddy',
    file: 'docs/proxies/Caddyfile',
    replaced: (at) => [
      ['http_port 80', `http_port ${at.http}\n\tadmin off`],
      ['https_port 443', `https_port ${at.https}\n\tauto_https disable_redirects`],
      [`# tls ${PAIR.join(' ')}`, `tls ${at.cert} ${at.key}`],
      ['127.0.0.1:8080', `127.0.0.1:${at.api}`],
    ],
    prepare({ dir }, text) {
      const file = join(dir, 'Caddyfile')
      writeFileSync(file, text)
      return { check: ['validate', '--config', file], run: ['run', '--config', file] }
    },
  },
  {
    program: '/usr/sbin/nginx',
    file: 'docs/proxies/nginx.conf',
    replaced: (at) => [
      ['listen 80;', `listen 127.0.0.1:${at.http};`],
      ['listen 443 ssl', `listen 127.0.0.1:${at.https} ssl`],
      [PAIR[0], at.cert],
      [PAIR[1], at.key],
      ['127.0.0.1:8080', `127.0.0.1:${at.api}`],
    ],
    prepare({ dir }, text) {
      mkdirSync(join(dir, 'tmp'))
      writeFileSync(join(dir, 'restante.conf'), text)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (each) => `${each}_temp_path ${dir}/tmp/${each};`,
      )
      writeFileSync(
        join(dir, 'nginx.conf'),
        `daemon off; master_process off; pid ${dir}/pid; error_log stderr;\nevents {}\nhttp { ${paths.join(' ')} gzip on; include ${dir}/restante.conf; }\n`,
      )
      const options = ['-e', 'stderr', '-p', dir, '-c', join(dir, 'nginx.conf')]
      return { check: [...options, '-t'], run: options }
    },
  },
]

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
    const challenges = createHttpChallenges()
    challenges.open('token', 'token.thumb')
    const api = await startApi(t, {
      driver,
      baseUrl: `https://${HOST}`,
      trustedProxies: ['127.0.0.1'],
      mounts: [mcp],
      challenges,
      mtaSts: { policy: 'version: STSv1\r\n', domains: ['agents.example.com'] },
    })
    const at = await start(t, proxy, api)
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
      const large = await send('/v1/mailbox', { headers: { Authorization, 'X-Large': 'x'.repeat(10_000) } })
      t.equal(large.status, 200, 'a header of 10 KB')
      const upload = await send('/mcp', { method: 'POST' }, Buffer.alloc(900_000))
      t.match(json(upload.body), { body: 900_000, host: HOST })
      const chunked = { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } }
      const streamed = await send('/mcp', chunked, Buffer.alloc(90_000))
      if (name === 'Caddyfile' && driver.name === 'uws')
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

/** What comes of a certificate of a test, and of ports that are not those of the web. */
const EXPECTED = /OCSP|automatic HTTP|only on the HTTP port/

/** Checks the file as the program does, and runs it until the end of the test. */
async function start(t: Test, proxy: Proxy, api: Api): Promise<Place & { ca: string }> {
  const dir = t.testdir()
  const { ca, issue } = createAuthority(dir)
  const pair = issue([HOST, POLICY_HOST])
  const [https, http] = [await freePort(), await freePort()]
  const place = { dir, https, http, api: api.server.port, cert: pair.certFile, key: pair.keyFile }
  let text = readFileSync(proxy.file, 'utf8')
  for (const [from, to] of proxy.replaced(place)) {
    t.ok(text.includes(from), `the file has ${from}`)
    text = text.replaceAll(from, to)
  }
  const { check, run } = proxy.prepare(place, text)
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  const { stderr } = await promisify(execFile)(proxy.program, check, { env })
  const complaints = stderr.split('\n').filter((line) => /warn|error|emerg/i.test(line) && !EXPECTED.test(line))
  t.same(complaints, [])
  const child = spawn(proxy.program, run, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  t.teardown(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  for (const port of [https, http]) {
    while (!(await isOpen(port))) {
      if (child.exitCode !== null) throw new Error(said)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { ...place, ca }
}

/** The time limit of the test ends it otherwise. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => (socket.destroy(), resolve(true))).once('error', () => resolve(false))
  })
}

function open(
  at: Place & { ca: string },
  path: string,
  options: RequestOptions,
  body?: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port: at.https,
        path,
        ca: at.ca,
        servername: HOST,
        agent: false,
        ...options,
        headers: { Host: HOST, ...options.headers },
      },
      resolve,
    )
    request.on('error', reject)
    request.end(body)
  })
}

async function call(at: Place & { ca: string }, path: string, options: RequestOptions = {}, body?: Buffer) {
  const answer = await open(at, path, options, body)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(Buffer.from(chunk))
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }
}

function json(body: Buffer): unknown {
  const value: unknown = JSON.parse(body.toString())
  return value
}
