/** Network addresses of clients: their one text form, and the group that shares a limit. */
import { BlockList, isIPv6 } from 'node:net'

/** The text of a binary address of 4 or 16 bytes; one mapped into IPv6 (RFC 4291 §2.5.5.2) is told as IPv4. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return ''
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (mapped) return bytes.subarray(12).join('.')
  const words = Array.from({ length: 8 }, (_, i) => (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16))
  return words.join(':')
}

/**
 * What a limit on clients counts as one client: an IPv4 address, or the /64 that one IPv6 customer is given (RFC 6177 §2).
 *
 * @param address as `addressText` gives it
 */
export function clientNetwork(address: string): string {
  return isIPv6(address) ? `${address.split(':').slice(0, 4).join(':')}::/64` : address
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
