/**
 * The redirect target of a client, as shown to the human and as a CSP source. Browsers check every redirect after a form against
 * `form-action`, so the page must name the client's address there.
 */

export interface ConsentTarget {
  kind: 'site' | 'loopback' | 'app'
  /** The host with its port, or the scheme of an app. */
  name: string
  /** A source for `form-action`; undefined when CSP cannot express it, as for IPv6 addresses. */
  source: string | undefined
}

/** Excludes `*` and `;`, which URLs allow in a host but which have a meaning in CSP. */
const NAMEABLE = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d+)?$/

/** @param redirectUri a checked one */
export function consentTarget(redirectUri: string): ConsentTarget {
  const { protocol, origin, host, hostname } = new URL(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { kind: 'app', name: protocol.slice(0, -1), source: protocol }
  }
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return {
    kind: isLoopback ? 'loopback' : 'site',
    name: host,
    source: NAMEABLE.test(origin) ? origin : undefined,
  }
}
