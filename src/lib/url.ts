/** Links of strangers as URLs, in bounded time. */

/** A host of 253 octets (RFC 1035 §2.3.4) takes no more characters than these, with room for a port and for percent-encoding. */
const MAX_HOST_CHARS = 512
/** The host of a link in the schemes for which one is read, port included. */
const HOST = /^(?:https?|wss?|ftp|file):[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i

/**
 * Reads a link as a browser does (WHATWG URL §4.4).
 *
 * @returns undefined for what is none, and for a host longer than any: bringing it into its one form would take quadratic time, and it leads nowhere
 */
export function parseUrl(link: string): URL | undefined {
  // Control characters and spaces in front are left out, and these three wherever they stand.
  const plain = link.replace(/[\t\n\r]+/g, '').replace(/^[\0-\x20]+/, '')
  const host = HOST.exec(plain)?.[1] ?? ''
  return host.length <= MAX_HOST_CHARS && URL.canParse(link) ? new URL(link) : undefined
}

/** The port of an http or https URL, named or not. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)
}
