/** Forms of addresses in settings other than `host:port`: a resolver's address, a mail domain. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isHostName, parseHostPort } from '../../lib/host-port.js'

/** True for an IP address with or without a port. */
export function isResolverAddress(text: string): boolean {
  if (isIP(text) !== 0) return true
  const parsed = parseHostPort(text)
  return parsed !== undefined && isIP(parsed.host) !== 0
}

/** A domain in lower case and ASCII form (RFC 5891). Undefined if invalid. */
export function normalizeDomain(text: string): string | undefined {
  // The WHATWG host parser of Node also decodes percent signs and accepts addresses; those are no domains.
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(text)) return undefined
  const ascii = domainToASCII(text)
  return isHostName(ascii) ? ascii : undefined
}
