/** Listening addresses: `host:port`, as in settings, URLs and logs. */
import { isIPv4, isIPv6 } from 'node:net'

export interface HostPort {
  host: string
  port: number
}

/** Parses `host:port`; an IPv6 address is in brackets (`[::1]:25`). Undefined for anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([^\]]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(text)
  if (match === null) return undefined
  const [, bracketed, plain, digits] = match
  const port = Number(digits)
  if (port < 1 || port > 65535) return undefined
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : undefined
  if (plain === undefined || !(isIPv4(plain) || isHostName(plain))) return undefined
  return { host: plain, port }
}

/** The same for text that was checked before. @throws Error */
export function requireHostPort(text: string): HostPort {
  const parsed = parseHostPort(text)
  if (parsed === undefined) throw new Error(`not an address with a port: ${text}`)
  return parsed
}

export function formatHostPort({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

/** Letters, digits and inner hyphens in dot-separated labels (RFC 1123 §2.1), at most 253 characters, the last label not all digits. */
export function isHostName(text: string): boolean {
  if (text.length > 253) return false
  const labels = text.split('.')
  return (
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
