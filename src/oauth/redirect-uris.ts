/** Redirect URIs: valid ones for registration, and the match with a request's. */

export const MAX_REDIRECT_URIS = 10
const MAX_CHARS = 2000
const HOSTS = /^(?:127\.0\.0\.1|\[::1\]|localhost)$/
/** In three parts: before the port, the port, and the rest. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?([/?].*)?$/
/** RFC 8252 §7.1: a reversed domain name of the app's maker; other schemes could be `javascript:` or that of another app. */
const PRIVATE_USE = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** Schemes of widespread clients without a domain in theirs; no browser handles these itself. */
const KNOWN_APPS: readonly string[] = ['cursor:']

/** @returns the problem, as the rest of a sentence that begins with "It"; undefined for a valid one */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_CHARS) return `has more than ${MAX_CHARS} characters`
  // Browsers repair these, each in its own way: the URI used must be the one compared.
  if (!/^[!-~]+$/.test(uri) || /[\\<>"^`{|}*]/.test(uri))
    return 'has characters that are not allowed in a URI, or a wildcard'
  if (uri.includes('#')) return 'has a fragment'
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url) return 'is not an absolute URI'
  if (url.username !== '' || url.password !== '' || /^[^/?]*\/\/[^/?]*@/.test(uri)) return 'has a user name'
  switch (url.protocol) {
    case 'https:':
      return url.hostname === '' || !uri.startsWith('https://') ? 'names no host' : undefined
    case 'http:':
      return HOSTS.test(url.hostname) && LOOPBACK.test(uri)
        ? undefined
        : 'is neither https nor http on a loopback address (127.0.0.1, [::1] or localhost)'
    default:
      return PRIVATE_USE.test(uri.slice(0, uri.indexOf(':') + 1)) || KNOWN_APPS.includes(url.protocol)
        ? undefined
        : 'is neither https, http on a loopback address, nor of a scheme that is a reversed domain name, such as com.example.app:/callback'
  }
}

/** Simple string comparison (RFC 6749 §3.1.2.3), except that an app on the same machine may use any free port (RFC 8252 §7.3). */
export function isRegistered(registered: readonly string[], sent: string): boolean {
  return registered.includes(sent) || registered.some((uri) => isSameButForPort(uri, sent))
}

function isSameButForPort(registered: string, sent: string): boolean {
  const [, host, , rest] = LOOPBACK.exec(registered) ?? []
  const [, sentHost, port, sentRest] = LOOPBACK.exec(sent) ?? []
  if (host === undefined || host !== sentHost || rest !== sentRest) return false
  return redirectUriProblem(sent) === undefined && (port === undefined || Number(port) > 0)
}

/** The URI with a response in its query (RFC 6749 §4.1.2); an existing query is kept. */
export function answerAt(redirectUri: string, answer: Record<string, string | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) params.set(name, value)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${params.toString()}`
}
