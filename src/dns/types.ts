/** Looking up names, with the reason of a failure told apart. */

export interface MxRecord {
  priority: number
  exchange: string
}

/** RFC 6698 §2.1 */
export interface TlsaRecord {
  usage: number
  selector: number
  matchingType: number
  data: Buffer
}

/** Records with what DNSSEC says of them. */
export interface Answered<T> {
  records: T[]
  /** A resolver that validates says that the answer, aliases included, is signed and right. */
  authentic: boolean
  /** The name the records stand under, behind all aliases. */
  name: string
}

export type LookupFailure =
  /** The name does not exist (NXDOMAIN, RFC 2308 §2.1). */
  | 'not_found'
  /** The name exists and has no record of this type (RFC 2308 §2.2). */
  | 'no_data'
  /** A time-out, SERVFAIL, REFUSED or an unreadable answer: may work later. */
  | 'temporary'

/** The words of node:dns for the same. */
const CODES: Record<LookupFailure, string> = { not_found: 'ENOTFOUND', no_data: 'ENODATA', temporary: 'ESERVFAIL' }

export class LookupError extends Error {
  readonly code: string

  constructor(
    readonly failure: LookupFailure,
    readonly lookedUp: string,
    readonly rrtype: string,
    detail: string,
    /** That there is no such record is itself proven by DNSSEC. */
    readonly authentic = false,
  ) {
    // Most messages meet a name without a record: a stack trace costs more than all else about it, and tells nothing.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${rrtype} ${lookedUp}: ${detail}`)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'LookupError'
    this.code = CODES[failure]
  }
}

/** A caching stub resolver. Answers are kept within their TTL; every method throws `LookupError`. */
export interface Resolver {
  a(name: string): Promise<string[]>
  aaaa(name: string): Promise<string[]>
  /** Sorted by priority; equal priorities in random order. A null MX (RFC 7505) is one record with exchange `''`. */
  mx(name: string): Promise<MxRecord[]>
  /** Each record's strings joined. */
  txt(name: string): Promise<string[]>
  /** Names of an address (RFC 1035 §3.5). */
  ptr(ip: string): Promise<string[]>
  /** Look-ups for those who have to know whether DNSSEC proves the answer (RFC 7672 §2.1). Order as above. */
  checked: {
    a(name: string): Promise<Answered<string>>
    aaaa(name: string): Promise<Answered<string>>
    mx(name: string): Promise<Answered<MxRecord>>
    tlsa(name: string): Promise<Answered<TlsaRecord>>
    /** What the name itself is an alias for; the alias is proven or not whatever it leads to. */
    cname(name: string): Promise<Answered<string>>
  }
  /**
   * Until when an answer that there has just been is kept, in milliseconds since the epoch; undefined for one that isn't: who concludes
   * something from it keeps that no longer.
   *
   * @param rrtype one of those above
   */
  keptUntil(name: string, rrtype: string): number | undefined
  /** Whether some server is believed on DNSSEC: without one nothing is ever authentic. */
  readonly validates: boolean
  close(): void
}
