/** What a session has to keep to for its mail to be sent over it, and how that is asked of the TLS library and looked at afterwards. */
import { X509Certificate } from 'node:crypto'
import { rootCertificates, TLSSocket, type ConnectionOptions, type DetailedPeerCertificate } from 'node:tls'
import { daneProblem, type DaneReference } from '../../dns/dane.js'
import type { FailureType } from './tls-results.js'

/**
 * `none`: in the clear. `opportunistic`: TLS where it is offered, whatever the certificate, since without it the message would go in the
 * clear (RFC 7435). `encrypted`: TLS, whatever the certificate. `dane`: TLS with a certificate that DNSSEC vouches for (RFC 7672).
 * `required` and, from the first byte on (RFC 8314), `implicit`: TLS with a certificate that is valid for the host's name.
 */
export type TlsMode = 'none' | 'opportunistic' | 'encrypted' | 'dane' | 'required' | 'implicit'

export interface Security {
  tls: TlsMode
  /** With `dane`. */
  dane?: DaneReference | undefined
  auth?: { user: string; password: string } | undefined
  /** Certificates to trust beside the usual ones (PEM). */
  ca?: string | undefined
  /** Who asks for it, in the words of an error. */
  because?: string | undefined
}

/** Tells securities apart: mail goes only over sessions that were opened under the same one. */
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

/** @param host the name that a certificate has to be for; undefined for an address */
export function tlsOptions({ tls, dane, auth, ca }: Security, host: string | undefined): ConnectionOptions {
  // RFC 7672 §8.1: a server with several certificates chooses by the name that its TLSA records stand under.
  const servername = dane?.names[0] ?? host
  return {
    // A password is told to nobody but the host it is for.
    rejectUnauthorized: auth !== undefined || tls === 'required' || tls === 'implicit',
    ...(servername === undefined ? {} : { servername }),
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  }
}

/** What the certificate of an open session lacks under its security; undefined when all is well. */
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

/** What would be wrong with a session's certificate if it had to be valid for the host's name. */
export function certificateProblem(socket: unknown): FailureType | undefined {
  if (!(socket instanceof TLSSocket)) return 'starttls-not-supported'
  if (socket.authorized) return undefined
  // Node gives the code of the error, though it calls its type Error.
  return failureOf(String(socket.authorizationError))
}

/** RFC 8460 §4.3.1 for what node and OpenSSL call errors of a handshake. */
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

/** The server's certificate with what was sent to vouch for it, in order. */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  // Without a certificate node gives an empty object; the last certificate names itself as its issuer.
  while (next?.raw && chain.length < MAX_CHAIN) {
    chain.push(new X509Certificate(next.raw))
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate
  }
  return chain
}
