/**
 * Fetching the MTA-STS policy of a domain (RFC 8461 §3.3): over HTTPS with a valid certificate, without redirects, within time and size, and only
 * from an address of the public Internet, since strangers choose where this leads.
 */
import type { LookupFunction } from 'node:net'
import { request } from 'node:https'
import { rootCertificates } from 'node:tls'
import { LookupError } from '../../dns/types.js'
import type { Resolver } from '../../dns/types.js'
import { messageOf } from '../../lib/thrown.js'
import { SECOND } from '../../lib/clock.js'
import { isPublicAddress } from '../../lib/ip.js'
import { parsePolicy } from './policy.js'
import type { StsPolicy } from './policy.js'
import { failureOf } from '../tls/security.js'
import type { FailureType } from '../tls/tls-results.js'

export interface StsFetchDeps {
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  /** Also ask loopback, private and link-local addresses. */
  allowPrivateAddresses: boolean
  /** 443 when not given. Another port, and further certificates to trust, are for tests. */
  port?: number | undefined
  ca?: string | undefined
  /** All of one fetch; a minute when not given. */
  timeoutMs?: number | undefined
}

export type Fetched =
  | { kind: 'policy'; policy: StsPolicy }
  | { kind: 'failed'; failure: Extract<FailureType, `sts-${string}`>; detail: string }

const TIMEOUT_MS = 60 * SECOND
const MAX_POLICY_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const MAX_ADDRESSES = 3

class FetchError extends Error {
  constructor(
    detail: string,
    readonly failure: Extract<FailureType, `sts-${string}`>,
    /** The host has answered: another address of it would say the same. */
    readonly isFinal: boolean,
  ) {
    super(detail)
  }
}

/** Never rejects for what the other side does. @throws the signal's reason */
export async function fetchPolicy(
  deps: StsFetchDeps,
  domain: string,
  id: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const host = `mta-sts.${domain}`
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error('the policy host took too long')), deps.timeoutMs ?? TIMEOUT_MS)
  const stop = (): void => limit.abort(signal.reason)
  signal.addEventListener('abort', stop)
  let last = new FetchError(`${host} has no address`, 'sts-policy-fetch-error', true)
  try {
    for (const address of await addressesOf(deps, host)) {
      try {
        const text = await getPolicy(deps, host, address, limit.signal)
        const policy = parsePolicy(text, id)
        if (policy) return { kind: 'policy', policy }
        last = new FetchError(`what ${host} serves is no policy`, 'sts-policy-invalid', true)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        last = error instanceof FetchError ? error : fetchError(error)
      }
      if (last.isFinal || limit.signal.aborted) break
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
  return { kind: 'failed', failure: last.failure, detail: last.message }
}

async function addressesOf({ resolver, allowPrivateAddresses }: StsFetchDeps, host: string): Promise<string[]> {
  const settled = await Promise.allSettled([resolver.a(host), resolver.aaaa(host)])
  for (const answer of settled)
    if (answer.status === 'rejected' && !(answer.reason instanceof LookupError)) throw answer.reason
  return settled
    .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    .filter((address) => allowPrivateAddresses || isPublicAddress(address))
    .slice(0, MAX_ADDRESSES)
}

function getPolicy(
  { port = 443, ca }: StsFetchDeps,
  host: string,
  address: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // The address was judged: it is not looked up again.
    const lookup: LookupFunction = (_name, options, done) => {
      const family = address.includes(':') ? 6 : 4
      if (options.all) done(null, [{ address, family }])
      else done(null, address, family)
    }
    const outgoing = request(
      {
        host,
        port,
        path: '/.well-known/mta-sts.txt',
        lookup,
        signal,
        agent: false,
        servername: host,
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: { accept: 'text/plain', connection: 'close' },
        ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
      },
      (response) => {
        const refuse = (detail: string, failure: FetchError['failure']): void => {
          response.destroy()
          reject(new FetchError(`${host} ${detail}`, failure, true))
        }
        // RFC 8461 §3.3: redirects are not followed.
        if (response.statusCode !== 200)
          return refuse(`answers with ${response.statusCode ?? 'nothing'}`, 'sts-policy-fetch-error')
        const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
        // RFC 8461 §3.2: guards against hosts on which strangers may put pages.
        if (type !== 'text/plain') return refuse('does not serve text/plain', 'sts-policy-invalid')
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MAX_POLICY_BYTES) return refuse('serves too much', 'sts-policy-invalid')
          chunks.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.complete) resolve(Buffer.concat(chunks).toString('utf8'))
        })
        response.on('close', () => reject(new FetchError(`${host} broke off`, 'sts-policy-fetch-error', false)))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** RFC 8460 §4.3.2.2: certificates are told apart from all else. */
function fetchError(error: unknown): FetchError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const isCertificate = failureOf(code) !== 'validation-failure'
  const failure = isCertificate ? 'sts-webpki-invalid' : 'sts-policy-fetch-error'
  return new FetchError(messageOf(error), failure, isCertificate)
}
