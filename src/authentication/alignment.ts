/** The domains that a message is authenticated for. */
import { getAlignment } from 'mailauth/lib/tools.js'
import { queryName } from '../dns/name.js'
import type { AuthenticationResults } from './types.js'

/**
 * True if a message was authenticated for a domain: SPF, DKIM or DMARC passed for it, or for a domain of the same organization (relaxed alignment,
 * RFC 9989 §3.2.10.1). For the null sender SPF authenticates the client's HELO name.
 */
export function isAuthenticatedFor({ spf, dkim, dmarc }: AuthenticationResults, domain: string): boolean {
  const wanted = queryName(domain)
  const passed = [spf, dkim, dmarc].flatMap(({ result, domain: name }) => {
    const known = result === 'pass' && name !== null ? queryName(name) : undefined
    return known === undefined ? [] : [known]
  })
  return wanted !== undefined && getAlignment(wanted, passed) !== false
}
