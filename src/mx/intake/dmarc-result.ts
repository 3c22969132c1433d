/** The entry of a message in the DMARC report to its author's domain (RFC 9990). */
import type { AuthenticationResults, DmarcEvidence } from '../../authentication/types.js'
import { domainOf } from '../../mime/address.js'
import type { DmarcResult } from '../../reporting/sent/dmarc-counts.js'
import type { Policy } from './decide.js'
import type { Envelope } from './types.js'

export function dmarcResultOf(
  { clientAddress, from }: Pick<Envelope, 'clientAddress' | 'from'>,
  evidence: DmarcEvidence,
  auth: AuthenticationResults,
  dmarcReject: Policy['dmarcReject'],
): DmarcResult {
  return {
    ...evidence,
    ip: clientAddress,
    envelopeFrom: from === '' ? '' : domainOf(from),
    ...dispositionOf(auth.dmarc, dmarcReject),
  }
}

/** Disposition by the author's policy (decide.ts), whatever else applied. */
function dispositionOf(
  { result, policy }: AuthenticationResults['dmarc'],
  dmarcReject: Policy['dmarcReject'],
): Pick<DmarcResult, 'disposition' | 'override'> {
  if (result !== 'fail' || policy === null || policy === 'none') return { disposition: 'none', override: false }
  if (dmarcReject === 'ignore') return { disposition: 'none', override: true }
  if (policy === 'quarantine') return { disposition: 'quarantine', override: false }
  return { disposition: dmarcReject, override: dmarcReject !== 'reject' }
}
