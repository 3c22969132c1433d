/** Caddy, nginx and HAProxy with the files that are shipped, before a server of the test, and a client of them over HTTPS. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { createAuthority } from './certificates.js'
import { freePort } from '../ports.js'

/** The names in the files. */
export const HOST = 'mx.agents.example.com'
export const POLICY_HOST = 'mta-sts.agents.example.com'
const PAIR = ['/etc/restante/tls/fullchain.pem', '/etc/restante/tls/privkey.pem'] as const

/** A proxy that runs: its own ports, and that of the server behind it. */
export interface Place {
  dir: string
  https: number
  http: number
  api: number
  /** Of the second server behind it, where its file has two. */
  second: number
  cert: string
  key: string
  /** The certificate that a client of it trusts. */
  ca: string
}

export interface Proxy {
  program: string
  file: string
  /** All that is other than in the shipped file: ports, certificates, and where the program leaves its own things. */
  replaced(place: Place): [string, string][]
  /** Commands that check its file and run it. */
  prepare(place: Place, text: string): { check: string[]; run: string[] }
}

export const proxies: Proxy[] = [
  {
    program: '/usr/bin/caddy',
    file: 'docs/proxies/Caddyfile',
    replaced: (at) => [
      [
        '{\n\tservers {',
        `{\n\tadmin off\n\thttp_port ${at.http}\n\thttps_port ${at.https}\n\tauto_https disable_redirects\n\tservers {`,
      ],
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
  {
    program: '/usr/sbin/haproxy',
    file: 'docs/proxies/haproxy.cfg',
    replaced: (at) => [
      ['    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n', ''],
      ['bind :80\n', `bind 127.0.0.1:${at.http}\n`],
      ['bind :443', `bind 127.0.0.1:${at.https}`],
      ['/etc/haproxy/restante.pem', join(at.dir, 'restante.pem')],
      ['10.0.0.11:8080', `127.0.0.1:${at.api}`],
      ['10.0.0.12:8080', `127.0.0.1:${at.second}`],
    ],
    prepare({ dir, cert, key }, text) {
      const file = join(dir, 'haproxy.cfg')
      writeFileSync(join(dir, 'restante.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
      writeFileSync(file, text)
      return { check: ['-c', '-f', file], run: ['-db', '-f', file] }
    },
  },
]

/** Warnings expected for a test's certificate and for ports other than the web's. */
const EXPECTED = /OCSP|automatic HTTP|only on the HTTP port/

/**
 * Checks the shipped file as the program does, and runs it until the end of the test.
 *
 * @param port of the server behind it
 * @param second port of another one, where the file has two
 */
export async function startProxy(t: Test, proxy: Proxy, port: number, second = port): Promise<Place> {
  const dir = t.testdir()
  const { ca, issue } = createAuthority(dir)
  const pair = issue([HOST, POLICY_HOST])
  const [https, http] = [await freePort(), await freePort()]
  const place = { dir, https, http, api: port, second, cert: pair.certFile, key: pair.keyFile, ca }
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
  return place
}

function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => (socket.destroy(), resolve(true))).once('error', () => resolve(false))
  })
}

/** Asks the proxy over HTTPS. @returns the answer, whose body is still to come */
export function open(at: Place, path: string, options: RequestOptions, body?: Buffer): Promise<IncomingMessage> {
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

/** The same with the whole body. */
export async function call(at: Place, path: string, options: RequestOptions = {}, body?: Buffer) {
  const answer = await open(at, path, options, body)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(Buffer.from(chunk))
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }
}

/** `fetch` by way of the proxy, for a client of the test that takes one. */
export function fetchThrough(at: Place): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    if (body !== undefined && body !== null && typeof body !== 'string') throw new Error('only text is sent here')
    const { pathname, search } = new URL(url)
    const options = { method, headers: Object.fromEntries(new Headers(headers)), ...(signal && { signal }) }
    const answer = await open(at, `${pathname}${search}`, options, body ? Buffer.from(body) : undefined)
    const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    return new Response(answer, { status: answer.statusCode ?? 0, headers: fields })
  }
}
