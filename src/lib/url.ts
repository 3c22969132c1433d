/** Links of strangers as URLs, in bounded time. */

/** Max characters of a host of 253 octets (RFC 1035 §2.3.4), with space for a port and for percent-encoding. */
const MAX_HOST_CHARS = 512
/** The host of a link, including the port, in the schemes that have one. */
const HOST = /^(?:https?|wss?|ftp|file):[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i

/**
 * Parses a link as a browser does (WHATWG URL §4.4).
 *
 * @returns undefined for invalid links, and for overlong hosts: normalizing them would take quadratic time, and they can't exist
 */
export function parseUrl(link: string): URL | undefined {
  // Leading control characters and spaces are ignored, and these three anywhere.
  const plain = link.replace(/[\t\n\r]+/g, '').replace(/^[\0-\x20]+/, '')
  const host = HOST.exec(plain)?.[1] ?? ''
  return host.length <= MAX_HOST_CHARS && URL.canParse(link) ? new URL(link) : undefined
}

/** The port of an http or https URL, explicit or default. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)
}
