/** The forms of network names that settings take: `host:port`, a resolver's address, a mail domain. */
import { isIP, isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

export interface HostPort {
  host: string
  port: number
}

/** Reads `host:port`; an IPv6 address stands in brackets (`[::1]:25`). Undefined when it is anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(text)
  if (match === null) return undefined
  const [, bracketed, plain, digits] = match
  const port = Number(digits)
  if (port < 1 || port > 65535) return undefined
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : undefined
  if (plain === undefined || !(isIPv4(plain) || isHostName(plain))) return undefined
  return { host: plain, port }
}

/** The same of a text that the check of the settings has let through. */
export function requireHostPort(text: string): HostPort {
  const parsed = parseHostPort(text)
  if (parsed === undefined) throw new Error(`not an address with a port: ${text}`)
  return parsed
}

/** `host:port` as it is written in a URL or a log. */
export function formatHostPort({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

/** An IP address with or without a port; names can't be used to look up names. */
export function isResolverAddress(text: string): boolean {
  if (isIP(text) !== 0) return true
  const parsed = parseHostPort(text)
  return parsed !== undefined && isIP(parsed.host) !== 0
}

/** Letters, digits and inner hyphens in dot-separated labels (RFC 1123 §2.1), at most 253 characters, the last label not all digits. */
export function isHostName(text: string): boolean {
  if (text.length > 253) return false
  const labels = text.split('.')
  return (
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

/** A domain as mail carries it: lower case, in its ASCII form (RFC 5891). Undefined when it is no domain. */
export function normalizeDomain(text: string): string | undefined {
  // The WHATWG host parser, which is what Node offers, also decodes percent signs and accepts addresses; those are no domains.
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(text)) return undefined
  const ascii = domainToASCII(text)
  return isHostName(ascii) ? ascii : undefined
}
