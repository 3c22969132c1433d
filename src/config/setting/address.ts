import { domainToASCII } from 'node:url'
import { isHostName } from '../../lib/host-port.js'

/** A domain in lower case and ASCII form (RFC 5891). Undefined if invalid. */
export function normalizeDomain(text: string): string | undefined {
  // The WHATWG host parser of Node also decodes percent signs and accepts addresses; those are no domains.
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(text)) return undefined
  const ascii = domainToASCII(text)
  return isHostName(ascii) ? ascii : undefined
}
