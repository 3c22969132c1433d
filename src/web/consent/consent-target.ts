/**
 * Redirect target after a consent: its name for humans, and its source for the content security policy. Browsers check redirects after a form against
 * `form-action`, so the page must name the client's address.
 */

export interface ConsentTarget {
  kind: 'site' | 'loopback' | 'app'
  /** Host with port, or an app's scheme. */
  name: string
  /** Source for `form-action`; undefined if not expressible, as for IPv6 addresses. */
  source: string | undefined
}

/** `*` and `;` are legal in URL hosts but special in policies. */
const NAMEABLE = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d+)?$/

/** @param redirectUri already validated */
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
