/** The owner of a host by the public suffix list. Only this file queries the list. */
import { parse } from 'tldts'

export interface Owner {
  /** The registered domain in ASCII: `shop.co.uk`, or below a private suffix `ana.github.io`. The host itself when it has no suffix. */
  domain: string
  /** Its first label. */
  label: string
  /** Its labels below a suffix where anyone gets a name for free or cheaply on another owner's host. */
  isGuest: boolean
  /** Labels in front of `domain`; '' for none. */
  subdomain: string
}

/**
 * Uses the private part of the list too, since `ana.github.io` is written by Ana and not by GitHub. A private suffix itself (`github.io`) belongs to
 * its registrant.
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

/** True if anyone may register names directly below it, as below `co.uk` and `github.io`. */
export function isPublicSuffix(host: string): boolean {
  return parse(host, { allowPrivateDomains: true, validateHostname: false, extractHostname: false }).domain === null
}

/** True if two hosts have one owner. */
export function haveOneOwner(a: string, b: string): boolean {
  return a === b || ownerOf(a).domain === ownerOf(b).domain
}
