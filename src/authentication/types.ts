/** Who sent a message: the results of SPF, DKIM, DMARC and ARC (RFC 8601 §2.7), and signing our own. */
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
  /** Client address. */
  ip: string
  helo: string
  /** Reverse-path without angle brackets, '' for the null sender. */
  mailFrom: string
  /** From addresses found when parsing; DMARC fails unless there is exactly one. */
  fromCount: number
}

/** What an aggregate report tells of a message (RFC 9990 §3.1.1): what was checked, and the policy that it was held to. */
export interface DmarcEvidence {
  /** Where the policy was found, and its record. */
  policyDomain: string
  record: string
  headerFrom: string
  /** Whether what passed speaks for the author. */
  dkimAligned: boolean
  spfAligned: boolean
  /** `helo` when there was no reverse-path. */
  spf: { domain: string; result: SpfResult; scope: 'mfrom' | 'helo' }
  /** What passed comes first. */
  dkim: { domain: string; selector: string; result: DkimResult }[]
}

export interface Verification {
  results: AuthenticationResults
  /** Value of the Authentication-Results field, folded with CRLF, without the field's name. */
  header: string
  /** Where the author's domain asks for reports, and the result is pass or fail. */
  evidence?: DmarcEvidence
  /** DMARC would need an answer that DNS did not give now: defer. */
  temporary: boolean
}

export interface Authenticator {
  /** Never throws for what a message or the DNS says. */
  verify(input: VerifyInput): Promise<Verification>
}

export interface DkimKey {
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKey: KeyObject
}

export interface Signer {
  /** Prepends one DKIM-Signature for each key of the domain (RFC 6376, RFC 8463). The message has CRLF line ends already. Unsigned when the domain has no key. */
  sign(raw: Buffer, domain: string): Promise<Buffer>
}
