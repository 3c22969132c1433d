/** The table of verdicts and replies for a message. */
import type { Verification } from '../../authentication/types.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { ScanVerdict } from '../../scan/types.js'
import type { OwnDomainClaim } from './own-domain.js'
import { DMARC_FAILED, DNS_FAILED, INFECTED, NOT_SCANNED, OWN_DOMAIN, SPAM, type Reply } from '../../smtp/replies.js'

export interface Findings {
  scan: ScanVerdict
  scannerEnabled: boolean
  verification: Pick<Verification, 'results' | 'temporary'>
  spam: SpamOpinion
  /** It names a domain of ours without authentication. */
  ownDomain?: OwnDomainClaim | undefined
}

export interface Policy {
  /** When a configured scanner gives no clear answer. */
  scanOnError: 'defer' | 'accept'
  /** For mail that fails DMARC with `p=reject`. */
  dmarcReject: 'reject' | 'quarantine' | 'ignore'
  /** For mail from outside that names a domain of ours without authentication. */
  ownDomain: 'reject' | 'quarantine' | 'ignore'
  /** For mail whose DMARC policy depends on a failed DNS look-up. */
  dnsFailure: 'defer' | 'accept'
}

export interface Delivered {
  kind: 'deliver'
  labels: string[]
  virus: 'clean' | 'unscanned'
}

export type Decision = Delivered | { kind: 'refuse'; reply: Reply }

const refuse = (reply: Reply): Decision => ({ kind: 'refuse', reply })

/** Permanent refusals win over temporary ones: retrying refused mail helps nobody. */
export function decide(findings: Findings, policy: Policy): Decision {
  const { scan, scannerEnabled, verification, spam } = findings
  const ownDomain = policy.ownDomain === 'ignore' ? undefined : findings.ownDomain
  const { dmarc } = verification.results
  const dmarcFailed = dmarc.result === 'fail'
  if (scan.virus === 'infected') return refuse(INFECTED)
  if (dmarcFailed && dmarc.policy === 'reject' && policy.dmarcReject === 'reject') return refuse(DMARC_FAILED)
  const isForged = ownDomain !== undefined && !ownDomain.undecided
  if (isForged && policy.ownDomain === 'reject') return refuse(OWN_DOMAIN)
  if (scan.virus === 'unscanned' && scannerEnabled && policy.scanOnError === 'defer') return refuse(NOT_SCANNED)
  if (verification.temporary && policy.dmarcReject !== 'ignore' && policy.dnsFailure === 'defer')
    return refuse(DNS_FAILED)
  if (ownDomain?.undecided && policy.dnsFailure === 'defer') return refuse(DNS_FAILED)
  if (spam.verdict === 'reject') return refuse(SPAM)

  const asked = dmarc.policy === 'reject' || dmarc.policy === 'quarantine'
  const quarantined = isForged || (dmarcFailed && asked && policy.dmarcReject !== 'ignore')
  return { kind: 'deliver', labels: quarantined || spam.verdict === 'spam' ? ['spam'] : [], virus: scan.virus }
}
