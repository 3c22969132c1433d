/** The forms of network names that settings take beside `host:port`: a resolver's address, a mail domain. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isHostName, parseHostPort } from '../../lib/host-port.js'

/** An IP address with or without a port; names can't be used to look up names. */
export function isResolverAddress(text: string): boolean {
  if (isIP(text) !== 0) return true
  const parsed = parseHostPort(text)
  return parsed !== undefined && isIP(parsed.host) !== 0
}

/** A domain as mail carries it: lower case, in its ASCII form (RFC 5891). Undefined when it is no domain. */
export function normalizeDomain(text: string): string | undefined {
  // The WHATWG host parser, which is what Node offers, also decodes percent signs and accepts addresses; those are no domains.
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(text)) return undefined
  const ascii = domainToASCII(text)
  return isHostName(ascii) ? ascii : undefined
}
