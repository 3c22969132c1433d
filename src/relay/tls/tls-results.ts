/** What a session of ours found of TLS at a receiving domain, as TLS reports count it (RFC 8460 §4.3). */

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
  /** Of the recipients: the one whose policy it was. */
  domain: string
  policy: {
    type: 'sts' | 'tlsa' | 'no-policy-found'
    /** The lines of the policy, or the TLSA records. */
    strings: string[]
    /** `mx` patterns of an MTA-STS policy, or the host that has the TLSA records. */
    mxHosts: string[]
  }
  /** '' when the policy failed before a host was chosen. */
  mxHost: string
  receivingIp: string | null
  outcome: 'success' | FailureType
  /** What was wrong, for the postmaster over there. */
  detail: string | null
}

export interface TlsResults {
  /** Once for each session, or each policy that kept one from coming about. Never throws. */
  record(result: TlsResult): void
}
