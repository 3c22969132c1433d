/**
 * Where the browser goes when a human has decided on a client: in words for that human, and as a source of the page's content security policy.
 * Browsers hold every step of a redirect after a form against `form-action`, so the page has to name its client's address, and names nothing else.
 */

export interface ConsentTarget {
  kind: 'site' | 'loopback' | 'app'
  /** The host with its port, or the scheme of an app. */
  name: string
  /** A source for `form-action`; undefined when a policy can't name it, which is so for an IPv6 address. */
  source: string | undefined
}

/** `*` and `;`, which URLs allow in a host, would say something in a policy. */
const NAMEABLE = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d+)?$/

/** @param redirectUri one that was checked */
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
