/**
 * HTTPS by uWebSockets.js, with certificates that change while it runs.
 *
 * The server below reads a certificate once, when an app is made, and `removeServerName` frees the routes that open connections of that name still go
 * by. So a change makes a new app with all certificates. It takes over the listening addresses in one turn of the event loop; the old one keeps its
 * connections, each until its next answer or until it has been idle. Only a connection that is being made in those microseconds is lost.
 */
import uWS, { type TemplatedApp } from 'uWebSockets.js'
import type { Certificates, HeldCertificate } from '../certificates/types.js'
import { messageOf } from '../lib/caught.js'
import { SECOND } from '../lib/clock.js'
import { formatHostPort, type HostPort } from '../lib/host-port.js'
import type { Front } from './exchange.js'
import { withPemFiles } from './pem-files.js'
import type { Serving } from './serving.js'
import { serverNames } from './server-names.js'
import { listenOn, tryListen, type ListeningSocket } from './socket.js'

export interface TlsOptions {
  addresses: readonly HostPort[]
  certificates: Pick<Certificates, 'of' | 'shownBy' | 'all' | 'onChange'>
  /** The host that is shown a certificate when the client names none, or one that no certificate has. */
  host: string
}

export interface TlsListener {
  /** Those that are listened on. */
  ports(): number[]
  stopListening(): void
  /** Closes every connection. */
  closeAll(): void
}

/** RFC 6797: whoever was here over TLS with a valid certificate comes back over TLS, for a year. */
const HSTS: readonly [string, string] = ['Strict-Transport-Security', 'max-age=31536000']

/** RFC 9325 §4.2: with TLS 1.2 only what keeps the past secret and proves each record. Those of TLS 1.3 are all of that kind. */
const CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** One set of certificates, and the connections that were made under it. */
interface Generation {
  app: TemplatedApp
  front: Front
  sockets: ListeningSocket[]
}

/**
 * Without any certificate yet nothing is listened on: it begins with the first one.
 *
 * @throws Error that says which address can't be listened on, or which certificate can't be used
 */
export async function listenTls(
  { addresses, certificates, host }: TlsOptions,
  serving: Serving,
  warn: (message: string) => void,
): Promise<TlsListener> {
  const generations: Generation[] = []
  let bound: HostPort[] = [...addresses]
  let current: Generation | undefined
  let shown = ''
  let isStopped = false

  function make(): Generation | undefined {
    const fallback = certificates.shownBy('server.tls_cert', host) ?? certificates.all()[0]
    if (!fallback) return undefined
    const front: Front = { headers: [HSTS], isRetired: false }
    const app = appWith(fallback)
    serving.answerAll(app, front)
    for (const [name, certificate] of serverNames(certificates, fallback)) {
      // A pair that can't be used would end the process at the first handshake; made into an app it is refused.
      appWith(certificate).close()
      withPemFiles(certificate, (files) => app.addServerName(name, { ...files, ssl_ciphers: CIPHERS }))
      // Each name has routes of its own. To find them, the server below writes two lines to the standard output.
      serving.answerAll(app.domain(name), front)
    }
    return { app, front, sockets: [] }
  }

  /** In one turn, so that nobody comes in between. */
  function takeOver(next: Generation): void {
    for (const socket of current?.sockets ?? []) socket.close()
    if (current) current.front.isRetired = true
    current = next
    generations.push(next)
    const missing = bound.findIndex((address) => {
      const socket = tryListen(next.app, address)
      if (socket) next.sockets.push(socket)
      return !socket
    })
    const lost = bound[missing]
    if (lost) retry(next, lost)
  }

  /** What was free a moment ago, or at the start, somebody else has. */
  function retry(next: Generation, lost: HostPort): void {
    warn(`HTTPS is not served: another process took ${formatHostPort(lost)}. It is tried again every second`)
    const timer = setInterval(() => {
      if (isStopped || current !== next) return clearInterval(timer)
      while (next.sockets.length < bound.length) {
        const address = bound[next.sockets.length]
        const socket = address && tryListen(next.app, address)
        if (!socket) return
        next.sockets.push(socket)
      }
      clearInterval(timer)
      warn('HTTPS is served again')
    }, SECOND)
  }

  function renew(): void {
    if (isStopped) return
    const wanted = fingerprint(certificates.all())
    if (wanted === shown) return
    try {
      const next = make()
      if (!next) return
      shown = wanted
      // Behind a turn that accepts who waits: whoever still waits when a listener is closed is turned away.
      setImmediate(() => setImmediate(() => isStopped || takeOver(next)))
    } catch (error) {
      warn(`HTTPS keeps the certificates it has, since a new one can't be used: ${messageOf(error)}`)
    }
  }

  const unsubscribe = certificates.onChange(renew)
  try {
    const first = make()
    shown = fingerprint(certificates.all())
    if (first) {
      generations.push(first)
      current = first
      for (const address of addresses) first.sockets.push(await listenOn(first.app, address, 'HTTPS'))
      bound = bound.map((address, i) => ({ ...address, port: first.sockets[i]?.port ?? address.port }))
    } else warn(`HTTPS waits for a certificate: there is none for ${host}`)
  } catch (error) {
    unsubscribe()
    for (const { sockets } of generations) for (const socket of sockets) socket.close()
    throw error
  }
  return {
    ports: () => (current?.sockets ?? []).map(({ port }) => port),
    stopListening() {
      isStopped = true
      unsubscribe()
      for (const socket of current?.sockets ?? []) socket.close()
    },
    closeAll() {
      for (const { app } of generations) app.close()
    },
  }
}

/** @throws Error when the server below can't use it */
function appWith(certificate: HeldCertificate): TemplatedApp {
  try {
    return withPemFiles(certificate, (files) => uWS.SSLApp({ ...files, ssl_ciphers: CIPHERS }))
  } catch (error) {
    throw new Error(`${certificate.certFile} with ${certificate.keyFile} makes no TLS server`, { cause: error })
  }
}

function fingerprint(certificates: readonly HeldCertificate[]): string {
  return certificates.map(({ cert }) => cert).join('\n')
}
