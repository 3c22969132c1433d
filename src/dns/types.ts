/** Interface of DNS look-ups and their failures. */

export interface MxRecord {
  priority: number
  exchange: string
}

/** RFC 2782; a target `''` (written ".") says that the service is not offered. */
export interface SrvRecord {
  priority: number
  weight: number
  port: number
  target: string
}

/** RFC 6698 §2.1 */
export interface TlsaRecord {
  usage: number
  selector: number
  matchingType: number
  data: Buffer
}

export interface Answered<T> {
  records: T[]
  /** A validating resolver reports the answer, including aliases, as authentic. */
  authentic: boolean
  /** Name of the records, after all aliases. */
  name: string
}

export type LookupFailure =
  /** The name does not exist (NXDOMAIN, RFC 2308 §2.1). */
  | 'not_found'
  /** The name exists and has no record of this type (RFC 2308 §2.2). */
  | 'no_data'
  /** A time-out, SERVFAIL, REFUSED or an unreadable answer: may work later. */
  | 'temporary'

/** The corresponding codes of node:dns. */
const CODES: Record<LookupFailure, string> = { not_found: 'ENOTFOUND', no_data: 'ENODATA', temporary: 'ESERVFAIL' }

export class LookupError extends Error {
  readonly code: string

  constructor(
    readonly failure: LookupFailure,
    readonly lookedUp: string,
    readonly rrtype: string,
    detail: string,
    /** DNSSEC proves the absence of the record. */
    readonly authentic = false,
  ) {
    // Most messages need a name without a record, and a stack trace would cost more than the rest.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${rrtype} ${lookedUp}: ${detail}`)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'LookupError'
    this.code = CODES[failure]
  }
}

/** A caching stub resolver. Answers are cached within their TTL; every method throws `LookupError`. */
export interface Resolver {
  a(name: string): Promise<string[]>
  aaaa(name: string): Promise<string[]>
  /** Sorted by priority; equal priorities in random order. A null MX (RFC 7505) is one record with exchange `''`. */
  mx(name: string): Promise<MxRecord[]>
  srv(name: string): Promise<SrvRecord[]>
  /** Each record's strings joined. */
  txt(name: string): Promise<string[]>
  /** Names of an address (RFC 1035 §3.5). */
  ptr(ip: string): Promise<string[]>
  /** Look-ups with DNSSEC status (RFC 7672 §2.1). Order as above. */
  checked: {
    a(name: string): Promise<Answered<string>>
    aaaa(name: string): Promise<Answered<string>>
    mx(name: string): Promise<Answered<MxRecord>>
    tlsa(name: string): Promise<Answered<TlsaRecord>>
    /** Alias target of the name, with the DNSSEC status of the alias alone. */
    cname(name: string): Promise<Answered<string>>
  }
  /** Expiry of a cached answer in milliseconds since the epoch, undefined if not cached. Conclusions from it must not be cached longer. */
  keptUntil(name: string, rrtype: string): number | undefined
  /** True if some server is trusted to validate DNSSEC; otherwise nothing is ever authentic. */
  readonly validates: boolean
  close(): void
}
