/**
 * Mail from outside that claims a local domain. Local mailboxes deliver to each other without the network, so such mail must be authenticated, whether the
 * domain has a DMARC record or not.
 */
import { isAuthenticatedFor } from '../../authentication/alignment.js'
import { addResult } from '../../authentication/results-field.js'
import type { AuthenticationResults, Verification } from '../../authentication/types.js'
import { queryName } from '../../dns/name.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { SpamLines } from '../../guard/verdict/spam.js'
import { domainOf } from '../../mime/address.js'
import type { ParsedMessage } from '../../mime/types.js'

export interface OwnDomainClaim {
  domain: string
  field: 'From' | 'MAIL FROM'
  /** DNS gave no answer, so it may be authentic. */
  undecided: boolean
}

export interface Authored {
  envelopeFrom: string
  parsed: Pick<ParsedMessage, 'from' | 'fromCount' | 'headers'>
  results: AuthenticationResults
}

/** A local domain named as author or sender without authentication; undefined if none. */
export function unprovenOwnDomain(
  { envelopeFrom, parsed, results }: Authored,
  isLocalDomain: (domain: string) => boolean,
): OwnDomainClaim | undefined {
  const isUnproven = (domain: string): boolean =>
    isLocalDomain(queryName(domain) ?? '') && !isAuthenticatedFor(results, domain)
  const undecided = [results.spf.result, results.dkim.result].includes('temperror')
  const author = authorDomains(parsed).find(isUnproven)
  if (author !== undefined) return { domain: author, field: 'From', undecided }
  const sender = envelopeFrom === '' ? '' : domainOf(envelopeFrom)
  // An authenticated author decides, even if a forwarder kept our envelope.
  if (sender === '' || results.dmarc.result === 'pass' || !isUnproven(sender)) return undefined
  return { domain: sender, field: 'MAIL FROM', undecided }
}

/** With several authors it is unknown which one a reader sees. */
function authorDomains({ from, fromCount, headers }: Authored['parsed']): string[] {
  if (fromCount === 1) return from ? [domainOf(from.address)] : []
  return [...(headers['from'] ?? '').matchAll(/@([^\s@<>()",;:]+)/g)].map(([address]) => domainOf(address))
}

/** An unauthenticated claim makes the message spam, and raises its score. */
export function spamWith(spam: SpamOpinion, claim: OwnDomainClaim | undefined, lines: SpamLines): SpamOpinion {
  if (!claim || claim.undecided) return spam
  const { domain, field } = claim
  const detail = `${field} names ${domain}, a domain of this server, but neither SPF nor DKIM passes for it.`
  const score = Math.max(0, lines.spam - spam.score)
  return {
    score: spam.score + score,
    verdict: spam.verdict === 'ham' ? 'spam' : spam.verdict,
    reasons: [...spam.reasons, { code: 'own_domain', detail, score }],
  }
}

/** Results with our own finding added, under its own method name (RFC 8601 §2.7.7). */
export function resultsWith({ header }: Verification, claim: OwnDomainClaim | undefined): string {
  if (!claim) return header
  const property = claim.field === 'From' ? 'header.from' : 'smtp.mailfrom'
  const result = claim.undecided ? 'temperror' : 'fail'
  return addResult(header, { method: 'x-own-domain', result, properties: [[property, claim.domain]] })
}
