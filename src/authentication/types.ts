/** Sender authentication: the results of SPF, DKIM, DMARC and ARC (RFC 8601 §2.7), and signing of our mail. */
import type { KeyObject } from 'node:crypto'

export type SpfResult = 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror'
export type DkimResult = 'none' | 'pass' | 'fail' | 'policy' | 'neutral' | 'temperror' | 'permerror'
export type DmarcResult = 'none' | 'pass' | 'fail' | 'temperror' | 'permerror'
export type ArcResult = 'none' | 'pass' | 'fail'

/** The `auth` object of a Message. */
export interface AuthenticationResults {
  spf: { result: SpfResult; domain: string | null }
  /** The best result of all signatures; `domain` and `selector` are that signature's. */
  dkim: { result: DkimResult; domain: string | null; selector: string | null }
  dmarc: { result: DmarcResult; domain: string | null; policy: 'none' | 'quarantine' | 'reject' | null }
  arc: { result: ArcResult }
}

export interface VerifyInput {
  raw: Buffer
  ip: string
  helo: string
  /** Reverse-path without angle brackets, '' for the null sender. */
  mailFrom: string
  /** Number of From addresses found when parsing; DMARC fails unless it is exactly one. */
  fromCount: number
}

/** The data of a message for DMARC aggregate reports (RFC 9990 §3.1.1): the checks, and the applied policy. */
export interface DmarcEvidence {
  /** Domain of the policy, and its record. */
  policyDomain: string
  record: string
  headerFrom: string
  /** True if a passed DKIM signature is aligned with the author. */
  dkimAligned: boolean
  spfAligned: boolean
  /** `helo` for the null sender. */
  spf: { domain: string; result: SpfResult; scope: 'mfrom' | 'helo' }
  /** Passed signatures first. */
  dkim: { domain: string; selector: string; result: DkimResult }[]
}

export interface Verification {
  results: AuthenticationResults
  /** Value of the Authentication-Results field, folded with CRLF, without the field's name. */
  header: string
  /** Only if the author's domain requests reports, and the result is pass or fail. */
  evidence?: DmarcEvidence
  /** DMARC depends on a look-up that failed: defer. */
  temporary: boolean
}

export interface Authenticator {
  /** Never throws for any content of a message or of DNS. */
  verify(input: VerifyInput): Promise<Verification>
}

export interface DkimKey {
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKey: KeyObject
}

export interface Signer {
  /** Prepends one DKIM-Signature for each key of the domain (RFC 6376, RFC 8463); none without a key. The message must have CRLF line ends. */
  sign(raw: Buffer, domain: string): Promise<Buffer>
}
