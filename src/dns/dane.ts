/** DANE for SMTP (RFC 7672, RFC 7671): usable TLSA records, and the match of a server's certificates against them. */
import { createHash, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { limitsOf, mayVouchFor, publicKeyInfo } from './certificate.js'
import type { TlsaRecord } from './types.js'

export interface DaneReference {
  /** Acceptable names of the certificate for a pinned trust anchor; the name of the records comes first. */
  names: string[]
  records: TlsaRecord[]
}

const DANE_TA = 2
const DANE_EE = 3
const WHOLE_CERTIFICATE = 0
const EXACT = 0
const DIGESTS = new Map([
  [1, { algorithm: 'sha256', bytes: 32 }],
  [2, { algorithm: 'sha512', bytes: 64 }],
])
const MAX_RECORDS = 50
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const ANY_PURPOSE = '2.5.29.37.0'

/** RFC 7672 §3.1: usages 2 and 3, selectors 0 and 1, and valid contents. Of several digests only the strongest counts (RFC 7671 §9). */
export function usableRecords(records: TlsaRecord[]): TlsaRecord[] {
  const usable = records.slice(0, MAX_RECORDS).filter(({ usage, selector, matchingType, data }) => {
    const fits = matchingType === EXACT ? data.length > 0 : data.length === DIGESTS.get(matchingType)?.bytes
    return (usage === DANE_TA || usage === DANE_EE) && selector <= 1 && fits
  })
  const isWeaker = (record: TlsaRecord): boolean =>
    record.matchingType !== EXACT &&
    usable.some(
      ({ usage, selector, matchingType }) =>
        usage === record.usage && selector === record.selector && matchingType > record.matchingType,
    )
  return usable.filter((record) => !isWeaker(record))
}

/**
 * @param chain as sent by the server, its own certificate first, each followed by its issuer
 * @returns the problem; undefined if a record matches
 */
export function daneProblem(
  chain: X509Certificate[],
  { names, records }: DaneReference,
  now: number,
): string | undefined {
  const [leaf] = chain
  if (!leaf) return 'the server shows no certificate'
  // RFC 7672 §3.1.1: with usage 3 neither names nor dates count, only the certificate itself.
  if (records.some((record) => record.usage === DANE_EE && matches(leaf, record))) return undefined
  const anchors = records.filter(({ usage }) => usage === DANE_TA)
  if (anchors.length === 0) return 'the certificate matches no TLSA record'
  const path = pathToAnchor(chain, anchors)
  if (!path) return 'the certificate, and what vouches for it, match no TLSA record'
  return pathProblem(path, now) ?? leafProblem(path, names)
}

/** RFC 7672 §3.1.2: from the server's certificate up to a pinned one, or one signed by a pinned key. */
function pathToAnchor(chain: X509Certificate[], anchors: TlsaRecord[]): X509Certificate[] | undefined {
  const at = chain.findIndex((certificate, i) => i > 0 && anchors.some((anchor) => matches(certificate, anchor)))
  if (at > 0) return chain.slice(0, at + 1)
  // The server need not send a certificate that is complete in a record (RFC 7671 §5.2).
  for (const { selector, matchingType, data } of anchors) {
    if (matchingType !== EXACT) continue
    if (selector === WHOLE_CERTIFICATE) {
      const anchor = readCertificate(data)
      const top = anchor ? chain.findIndex((certificate) => certificate.checkIssued(anchor)) : -1
      if (anchor && top >= 0) return [...chain.slice(0, top + 1), anchor]
    } else {
      const key = readKey(data)
      const top = key ? chain.findIndex((certificate) => certificate.verify(key)) : -1
      if (top >= 0) return chain.slice(0, top + 1)
    }
  }
  return undefined
}

/** RFC 5280 §6.1, without policies, which are not needed here, and without revocation, for which the records are changed. */
function pathProblem(path: X509Certificate[], now: number): string | undefined {
  let below = 0
  for (const [i, certificate] of path.entries()) {
    if (now < Date.parse(certificate.validFrom)) return 'a certificate is not valid yet'
    if (now > Date.parse(certificate.validTo)) return 'a certificate has expired'
    const limits = limitsOf(certificate.raw)
    if (!limits) return 'a certificate asks for more than is understood here'
    if (i === 0) continue
    const issued = path[i - 1]
    if (!certificate.ca) return 'a certificate is signed by one that may sign none'
    if (!issued?.checkIssued(certificate) || !issued.verify(certificate.publicKey))
      return 'a signature in the chain of certificates is wrong'
    if (limits.pathLength !== undefined && below > limits.pathLength) return 'the chain of certificates is too long'
    // RFC 5280 §4.2.1.9: self-issued certificates do not count.
    if (certificate.subject !== certificate.issuer) below++
  }
  return undefined
}

function leafProblem([leaf, ...authorities]: X509Certificate[], names: string[]): string | undefined {
  if (!leaf) return 'the server shows no certificate'
  // node's keyUsage is the extended one; without it the certificate is for all purposes.
  const uses: string[] | undefined = leaf.keyUsage
  if (uses && uses.length > 0 && !uses.includes(SERVER_AUTHENTICATION) && !uses.includes(ANY_PURPOSE))
    return 'the certificate is not for servers'
  const known = names.filter((name) => leaf.checkHost(name) !== undefined)
  if (known.length === 0) return `the certificate is not for ${names[0] ?? 'the host'}`
  const limits = authorities.flatMap(({ raw }) => limitsOf(raw) ?? [])
  return known.some((name) => limits.every((limit) => mayVouchFor(limit, name)))
    ? undefined
    : `an authority vouches for ${known[0] ?? 'the host'}, for which it may not`
}

function matches(certificate: X509Certificate, { selector, matchingType, data }: TlsaRecord): boolean {
  const content = selector === WHOLE_CERTIFICATE ? certificate.raw : publicKeyInfo(certificate.raw)
  if (!content) return false
  const digest = DIGESTS.get(matchingType)
  return (digest ? createHash(digest.algorithm).update(content).digest() : content).equals(data)
}

function readCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    // The contents of the record are no certificate, and match nothing.
    return undefined
  }
}

function readKey(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    // As above.
    return undefined
  }
}
