/** Who a host belongs to, by the public suffix list. The only place that asks it. */
import { parse } from 'tldts'

export interface Owner {
  /** What somebody registered, in ASCII: `shop.co.uk`, and below what a host gives to anybody, `ana.github.io`. The host itself where there is no suffix. */
  domain: string
  /** Its first label. */
  label: string
  /** Its labels below a suffix where anybody gets a name for nothing, or for little, on somebody else's host. */
  isGuest: boolean
  /** What stands in front of it, '' when nothing does. */
  subdomain: string
}

/**
 * With the private part of the list, since `ana.github.io` is written by Ana and not by GitHub. What a private suffix itself shows
 * (`github.io`) belongs to who registered it.
 *
 * @param host lower case, without port
 */
export function ownerOf(host: string): Owner {
  const options = { allowPrivateDomains: true, validateHostname: false, extractHostname: false }
  const guest = parse(host, options)
  const found = guest.domain === null ? parse(host, { ...options, allowPrivateDomains: false }) : guest
  const domain = found.domain ?? host
  const isGuest = found.isPrivate === true && found.domain !== null
  return { domain, label: domain.split('.')[0] ?? '', isGuest, subdomain: found.subdomain ?? '' }
}

/** Whether everybody registers names right below it, as below `co.uk` and `github.io`. */
export function isPublicSuffix(host: string): boolean {
  return parse(host, { allowPrivateDomains: true, validateHostname: false, extractHostname: false }).domain === null
}

/** Whether two hosts have one owner. */
export function haveOneOwner(a: string, b: string): boolean {
  return a === b || ownerOf(a).domain === ownerOf(b).domain
}
