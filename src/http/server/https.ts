/** HTTPS with changing certificates: new connections use new ones, open ones continue. */
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import type { Certificates, HeldCertificate } from '../../certificates/types.js'
import { messageOf } from '../../lib/thrown.js'
import { SECOND } from '../../lib/clock.js'
import type { HostPort } from '../../lib/host-port.js'
import { listenTls, type TlsListening } from '../listener/node.js'
import type { Fields, Listening } from '../listener/types.js'
import type { Serving } from './serving.js'

export interface HttpsOptions {
  addresses: readonly HostPort[]
  certificates: Pick<Certificates, 'of' | 'shownBy' | 'all' | 'onChange'>
  /** Host of the default certificate, without SNI or a match. */
  host: string
}

export interface HttpsListener extends Pick<Listening, 'stop' | 'closeAll'> {
  /** Listening ports. */
  ports(): number[]
}

/** RFC 6797: clients that connected with a valid certificate use TLS for a year. */
const HSTS: Fields = [['Strict-Transport-Security', 'max-age=31536000']]

/** RFC 9325 §4.2: TLS 1.2 with forward secrecy and AEAD only. TLS 1.3 has nothing else. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** The certificates in use, by server name. */
interface Shown {
  certificates: readonly HeldCertificate[]
  fallback: SecureContextOptions
  byName: ReadonlyMap<string, SecureContext>
}

/**
 * Starts listening with the first certificate.
 *
 * @throws Error with the failing address or certificate
 */
export async function listenHttps(
  { addresses, certificates, host }: HttpsOptions,
  serving: Serving,
  warn: (message: string) => void,
): Promise<HttpsListener> {
  const listening: TlsListening[] = []
  let shown = read()
  let isStopped = false
  let retry: NodeJS.Timeout | undefined
  let attempt: Promise<void> | undefined

  function read(): Shown | undefined {
    const fallback = certificates.shownBy('server.tls_cert', host) ?? certificates.all()[0]
    if (!fallback) return undefined
    const names = [...serverNames(certificates, fallback)]
    contextOf(fallback)
    return {
      certificates: certificates.all(),
      fallback: settingsOf(fallback),
      byName: new Map(names.map(([name, certificate]) => [name.toLowerCase(), contextOf(certificate)])),
    }
  }

  /** RFC 6066 §3. A name wins over a wildcard (RFC 9525 §6.3). */
  function contextFor(serverName: string): SecureContext | undefined {
    const name = serverName.toLowerCase()
    return shown?.byName.get(name) ?? shown?.byName.get(name.replace(/^[^.]+/, '*'))
  }

  async function listenAll({ fallback }: Shown): Promise<void> {
    for (const address of addresses.slice(listening.length)) {
      const one = await listenTls(address, (arrival) => serving.serve(arrival, HSTS), {
        ...fallback,
        SNICallback: (name, done) => done(null, contextFor(name)),
      })
      listening.push(one)
      // The certificate may have changed meanwhile.
      if (shown) one.setSecureContext(shown.fallback)
      if (isStopped) one.stop()
    }
  }

  /** Between start and first certificate another program may have taken the address. */
  function listenOrRetry(reported = ''): void {
    if (isStopped || !shown) return
    attempt = listenAll(shown).then(
      () => {
        if (reported !== '') warn('HTTPS is served on every address now')
      },
      (error: unknown) => {
        if (isStopped) return
        const problem = messageOf(error)
        if (problem !== reported)
          warn(`HTTPS is not served on every address yet, and is tried again every second: ${problem}`)
        retry = setTimeout(listenOrRetry, SECOND, problem)
      },
    )
  }

  function renew(): void {
    try {
      const before = shown
      const next = read()
      // Certificates were removed; the current ones stay in use.
      if (!next || isSame(next.certificates, before?.certificates)) return
      shown = next
      for (const one of listening) one.setSecureContext(next.fallback)
      if (!before) listenOrRetry()
    } catch (error) {
      warn(`HTTPS keeps its current certificates: the new one can't be used: ${messageOf(error)}`)
    }
  }

  const unsubscribe = certificates.onChange(renew)
  const stop = (): void => {
    isStopped = true
    clearTimeout(retry)
    unsubscribe()
    for (const one of listening) one.stop()
  }
  const closeAll = async (): Promise<void> => {
    await attempt
    await Promise.all(listening.map((one) => one.closeAll()))
  }
  try {
    if (shown) await listenAll(shown)
    else warn(`HTTPS waits for a certificate: there is none for ${host}`)
  } catch (error) {
    stop()
    await closeAll()
    throw error
  }
  return { ports: () => listening.map(({ port }) => port), stop, closeAll }
}

/**
 * Certificates by SNI name (RFC 6066 §3). A single one needs no entries. With several, each name of the others has one.
 *
 * @param fallback for its own names and unknown ones
 */
function serverNames(
  { all, of }: Pick<Certificates, 'all' | 'of'>,
  fallback: HeldCertificate,
): ReadonlyMap<string, HeldCertificate> {
  const shown = new Map<string, HeldCertificate>()
  for (const name of all().flatMap(({ names }) => names))
    shown.set(name, fallback.names.includes(name) ? fallback : (of(name) ?? fallback))
  const isTaken = (wildcard: string): boolean => (shown.get(wildcard) ?? fallback) !== fallback
  // Names of the fallback need an entry only if another's wildcard matches.
  return new Map([...shown].filter(([name, held]) => held !== fallback || isTaken(name.replace(/^[^.]+/, '*'))))
}

function settingsOf({ key, cert }: HeldCertificate): SecureContextOptions {
  return { key, cert, ciphers: CIPHERS, minVersion: 'TLSv1.2' }
}

/** @throws Error when no listener can use it */
function contextOf(certificate: HeldCertificate): SecureContext {
  try {
    return createSecureContext(settingsOf(certificate))
  } catch (error) {
    throw new Error(`${certificate.certFile} with ${certificate.keyFile} cannot be used for TLS`, { cause: error })
  }
}

function isSame(some: readonly HeldCertificate[], others: readonly HeldCertificate[] | undefined): boolean {
  return some.length === others?.length && some.every(({ cert }, i) => cert === others[i]?.cert)
}
