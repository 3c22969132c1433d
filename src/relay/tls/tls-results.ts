/** TLS results of outgoing sessions, as counted for TLS reports (RFC 8460 §4.3). */

/** RFC 8460 §4.3.1, §4.3.2.1 and §4.3.2.2. */
export type FailureType =
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'tlsa-invalid'
  | 'dnssec-invalid'
  | 'dane-required'
  | 'sts-policy-fetch-error'
  | 'sts-policy-invalid'
  | 'sts-webpki-invalid'

export interface TlsResult {
  /** Recipient domain with the policy. */
  domain: string
  policy: {
    type: 'sts' | 'tlsa' | 'no-policy-found'
    /** Policy lines, or TLSA records. */
    strings: string[]
    /** `mx` patterns of an MTA-STS policy, or the host with TLSA records. */
    mxHosts: string[]
  }
  /** '' if the policy failed before a host was chosen. */
  mxHost: string
  receivingIp: string | null
  outcome: 'success' | FailureType
  /** For the other postmaster. */
  detail: string | null
}

export interface TlsResults {
  /** Once per session, or per policy that prevented one. Never throws. */
  record(result: TlsResult): void
}
