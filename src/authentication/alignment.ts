/** Relaxed alignment by the public suffix list, and the domains that a message is authenticated for. */
import { getDomain } from 'tldts'
import { queryName } from '../dns/name.js'
import type { AuthenticationResults } from './types.js'

/** True if both names are the same or in the same organizational domain (RFC 7489 §3.2); private suffixes such as `github.io` count. */
export function isAligned(one: string, other: string): boolean {
  const [a, b] = [queryName(one), queryName(other)]
  return a !== undefined && b !== undefined && (a === b || organizationalDomain(a) === organizationalDomain(b))
}

export function organizationalDomain(name: string): string {
  return getDomain(name, { allowPrivateDomains: true }) ?? name
}

/** True if SPF, DKIM or DMARC passed for the domain or an aligned one. For the null sender, SPF authenticates the client's HELO name. */
export function isAuthenticatedFor({ spf, dkim, dmarc }: AuthenticationResults, domain: string): boolean {
  return [spf, dkim, dmarc].some(
    ({ result, domain: name }) => result === 'pass' && name !== null && isAligned(domain, name),
  )
}
