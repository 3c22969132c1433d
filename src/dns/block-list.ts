/** Queries to DNS block lists, and their answers (RFC 5782). */
import { reverseName } from './name.js'

/** RFC 5782 §2.1 and §2.4: the octets of IPv4, or the nibbles of IPv6, in reverse in front of the zone. */
export function listedName(ip: string, zone: string): string | undefined {
  const reversed = reverseName(ip)?.replace(/\.(?:in-addr|ip6)\.arpa$/, '')
  return reversed === undefined ? undefined : `${reversed}.${zone}`
}

/** RFC 5782 §2.3: a listing has an address in 127.0.0.0/8. A domain that was sold gives others, to every query. */
export function isListing(answer: string): boolean {
  return answer.startsWith('127.') && !isOperatorsError(answer)
}

/** Spamhaus and others: queried through a public resolver, too often, or under a wrong name. */
export function isOperatorsError(answer: string): boolean {
  return answer.startsWith('127.255.255.')
}
