/** TLS requirements of a session: options for the TLS library, and checks afterwards. */
import { X509Certificate } from 'node:crypto'
import { rootCertificates, TLSSocket, type ConnectionOptions, type DetailedPeerCertificate } from 'node:tls'
import { daneProblem, type DaneReference } from '../../dns/dane.js'
import type { FailureType } from './tls-results.js'

/**
 * `none`: plain. `opportunistic`: TLS if offered, any certificate (RFC 7435). `encrypted`: TLS, any certificate. `dane`: TLS with a certificate proven by
 * DNSSEC (RFC 7672). `required` and `implicit` (RFC 8314): TLS with a certificate valid for the host's name.
 */
export type TlsMode = 'none' | 'opportunistic' | 'encrypted' | 'dane' | 'required' | 'implicit'

export interface Security {
  tls: TlsMode
  dane?: DaneReference | undefined
  auth?: { user: string; password: string } | undefined
  /** Additional trusted certificates (PEM). */
  ca?: string | undefined
  /** The policy that requires it, for error texts. */
  because?: string | undefined
}

/** Sessions are reused only for the same security. */
export function securityKey({ tls, dane, auth, ca }: Security): string {
  if (!dane && !auth && ca === undefined) return tls
  const records = dane?.records.map(({ usage, selector, matchingType, data }) => [
    usage,
    selector,
    matchingType,
    data.toString('base64'),
  ])
  return JSON.stringify([tls, dane?.names, records, auth?.user, auth?.password, ca])
}

export function isEncrypted({ tls }: Security): boolean {
  return tls !== 'none' && tls !== 'opportunistic'
}

/** @param host name for the certificate; undefined for an address */
export function tlsOptions({ tls, dane, auth, ca }: Security, host: string | undefined): ConnectionOptions {
  // RFC 7672 §8.1: the SNI name is that of the TLSA records.
  const servername = dane?.names[0] ?? host
  return {
    // Passwords go to the authenticated host only.
    rejectUnauthorized: auth !== undefined || tls === 'required' || tls === 'implicit',
    ...(servername === undefined ? {} : { servername }),
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  }
}

/** The certificate's problem under this policy; undefined if it has none. */
export function sessionProblem(
  socket: unknown,
  security: Security,
): { failure: FailureType; detail: string } | undefined {
  if (!isEncrypted(security)) return undefined
  if (!(socket instanceof TLSSocket))
    return { failure: 'starttls-not-supported', detail: 'the session is not encrypted' }
  if (!security.dane) return undefined
  const detail = daneProblem(chainOf(socket), security.dane, Date.now())
  return detail === undefined ? undefined : { failure: 'validation-failure', detail: `DANE: ${detail}` }
}

/** The certificate's problem if it had to be valid for the host's name; undefined if it has none. */
export function certificateProblem(socket: unknown): FailureType | undefined {
  if (!(socket instanceof TLSSocket)) return 'starttls-not-supported'
  if (socket.authorized) return undefined
  // Node returns the error's code, though typed as Error.
  return failureOf(String(socket.authorizationError))
}

/** Maps Node and OpenSSL errors to RFC 8460 §4.3.1. */
export function failureOf(code: string | undefined): FailureType {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'certificate-expired'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'certificate-host-mismatch'
    case 'CERT_NOT_YET_VALID':
    case 'CERT_REVOKED':
    case 'CERT_UNTRUSTED':
    case 'CERT_REJECTED':
    case 'CERT_SIGNATURE_FAILURE':
    case 'CERT_CHAIN_TOO_LONG':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'INVALID_CA':
    case 'INVALID_PURPOSE':
    case 'PATH_LENGTH_EXCEEDED':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'certificate-not-trusted'
    default:
      return 'validation-failure'
  }
}

const MAX_CHAIN = 10

function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  // Without a certificate Node returns an empty object; the last certificate is its own issuer.
  while (next?.raw && chain.length < MAX_CHAIN) {
    chain.push(new X509Certificate(next.raw))
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate
  }
  return chain
}
