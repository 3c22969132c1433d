/** Fetches a domain's MTA-STS policy (RFC 8461 §3.3). Strangers choose the host: no redirects, limited time and size, public addresses only. */
import { rootCertificates } from 'node:tls'
import { LookupError, type Resolver } from '../../dns/types.js'
import { messageOf } from '../../lib/thrown.js'
import { SECOND } from '../../lib/clock.js'
import { sendRequest } from '../../lib/http-client.js'
import { isPublicAddress } from '../../lib/ip.js'
import { parsePolicy, type StsPolicy } from './policy.js'
import { failureOf } from '../tls/security.js'
import type { FailureType } from '../tls/tls-results.js'

export interface StsFetchDeps {
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  /** Also allows loopback, private and link-local addresses. */
  allowPrivateAddresses: boolean
  /** 443 by default. Other ports and certificates are for tests. */
  port?: number | undefined
  ca?: string | undefined
  timeoutMs?: number | undefined
}

export type Fetched =
  | { kind: 'policy'; policy: StsPolicy }
  | { kind: 'failed'; failure: Extract<FailureType, `sts-${string}`>; detail: string }

const TIMEOUT_MS = 60 * SECOND
const MAX_POLICY_BYTES = 64 * 1024
const MAX_ADDRESSES = 3

class FetchError extends Error {
  constructor(
    detail: string,
    readonly failure: Extract<FailureType, `sts-${string}`>,
    /** The host replied: its other addresses would say the same. */
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
  const endsAt = performance.now() + (deps.timeoutMs ?? TIMEOUT_MS)
  let last = new FetchError(`${host} has no address`, 'sts-policy-fetch-error', false)
  for (const address of await addressesOf(deps, host)) {
    const timeoutMs = Math.floor(endsAt - performance.now())
    if (last.isFinal || timeoutMs <= 0) break
    try {
      const policy = parsePolicy(await getPolicy(deps, host, address, { timeoutMs, signal }), id)
      if (policy) return { kind: 'policy', policy }
      last = new FetchError(`what ${host} serves is no policy`, 'sts-policy-invalid', true)
    } catch (error) {
      signal.throwIfAborted()
      last = error instanceof FetchError ? error : fetchError(error)
    }
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

/** @param address checked; not resolved again */
async function getPolicy(
  { port = 443, ca }: StsFetchDeps,
  host: string,
  address: string,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<string> {
  const { status, contentType, body } = await sendRequest({
    url: new URL(`https://${host}:${port}/.well-known/mta-sts.txt`),
    address,
    method: 'GET',
    headers: { accept: 'text/plain' },
    ...limits,
    maxBytes: MAX_POLICY_BYTES + 1,
    cutsOff: true,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  })
  const refusal = (detail: string, failure: FetchError['failure']) => new FetchError(`${host} ${detail}`, failure, true)
  // RFC 8461 §3.3: redirects are not followed.
  if (status !== 200) throw refusal(`answers with ${status}`, 'sts-policy-fetch-error')
  // RFC 8461 §3.2: guards against hosts where strangers can publish pages.
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'text/plain')
    throw refusal('does not serve text/plain', 'sts-policy-invalid')
  if (body.length > MAX_POLICY_BYTES) throw refusal('serves too much', 'sts-policy-invalid')
  return body.toString('utf8')
}

/** RFC 8460 §4.3.2.2: certificate errors are reported separately. */
function fetchError(error: unknown): FetchError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const isCertificate = failureOf(code) !== 'validation-failure'
  const failure = isCertificate ? 'sts-webpki-invalid' : 'sts-policy-fetch-error'
  return new FetchError(messageOf(error), failure, isCertificate)
}
