/**
 * Mail from outside in the name of a domain that is served here. Whose mail that domain sends is known better here than DNS tells: a mailbox of this server
 * delivers to another one without the network, so what comes from outside has to be authenticated, whether the domain has a DMARC record or not.
 */
import { isAuthenticatedFor } from '../../authentication/alignment.js'
import type { AuthenticationResults } from '../../authentication/types.js'
import { queryName } from '../../dns/name.js'
import { domainOf } from '../../mime/address.js'
import type { ParsedMessage } from '../../mime/types.js'

export interface OwnDomainClaim {
  domain: string
  /** Where it stands. */
  field: 'From' | 'MAIL FROM'
  /** DNS did not answer, so it may be authenticated after all. */
  undecided: boolean
}

export interface Authored {
  envelopeFrom: string
  parsed: Pick<ParsedMessage, 'from' | 'fromCount' | 'headers'>
  results: AuthenticationResults
}

/** The domain of ours that a message names as its author's, or as its sender's, without proof; undefined when there is none. */
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
  // An author who is proven says whose message it is, also where a forwarder kept our envelope.
  if (sender === '' || results.dmarc.result === 'pass' || !isUnproven(sender)) return undefined
  return { domain: sender, field: 'MAIL FROM', undecided }
}

/** With several authors it is not known which one a reader sees. */
function authorDomains({ from, fromCount, headers }: Authored['parsed']): string[] {
  if (fromCount === 1) return from ? [domainOf(from.address)] : []
  return [...(headers['from'] ?? '').matchAll(/@([^\s@<>()",;:]+)/g)].map(([address]) => domainOf(address))
}
