/** Domain names for queries (RFC 1035 §2.3.4, RFC 5890), and the names of addresses (RFC 1035 §3.5, RFC 3596 §2.5). */
import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { nibblesOf, unmapped } from '../lib/ip.js'

// Printable and without a dot: wider than a host name, because of `_dmarc` and SPF macros.
const LABELS = /^[ -\-/-~]{1,63}(?:\.[ -\-/-~]{1,63})*$/

/** Canonical form for queries, cache and comparison: lower case, A-labels, no final dot. @returns undefined for an invalid name */
export function queryName(name: string): string | undefined {
  const ascii = /[^\0-\x7f]/.test(name) ? domainToASCII(name) : name
  const plain = (ascii.endsWith('.') ? ascii.slice(0, -1) : ascii).toLowerCase()
  return plain.length <= 253 && LABELS.test(plain) ? plain : undefined
}

/** Name of the PTR record of an address; `undefined` for an invalid address. */
export function reverseName(ip: string): string | undefined {
  const address = unmapped(ip)
  if (isIPv4(address)) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  if (!isIPv6(address)) return undefined
  return `${nibblesOf(address).reverse().join('.')}.ip6.arpa`
}

/** Inverse of `reverseName`; `undefined` if the name is not that of a complete address. */
export function addressOfReverseName(name: string): string | undefined {
  const v4 = /^((?:\d{1,3}\.){4})in-addr\.arpa$/i.exec(name)?.[1]
  if (v4 !== undefined) {
    const ip = v4.slice(0, -1).split('.').reverse().join('.')
    return isIPv4(ip) ? ip : undefined
  }
  const v6 = /^((?:[0-9a-f]\.){32})ip6\.arpa$/i.exec(name)?.[1]
  return v6?.slice(0, -1).split('.').reverse().join('').match(/.{4}/g)?.join(':')
}
