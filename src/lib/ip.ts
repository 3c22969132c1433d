/** IP addresses: forms, public addresses, and networks of one client. */
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Not globally reachable by the IANA special-purpose registries (RFC 6890 and its updates), and multicast. */
const NOT_PUBLIC_V4 = subnets('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
])

/** All addresses assigned so far (RFC 4291 §2.4); loopback, mapped, unique local, link-local and multicast are outside of it. */
const GLOBAL_UNICAST_V6 = subnets('ipv6', [['2000::', 3]])
/** Protocol assignments with Teredo, documentation, and 6to4, which embeds any IPv4 address. */
const NOT_PUBLIC_V6 = subnets('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])
/** NAT64 (RFC 6052 §2.1): as public as the IPv4 address in its last 32 bits. */
const NAT64 = subnets('ipv6', [['64:ff9b::', 96]])

/** True for an address of the public Internet, and for no other text. */
export function isPublicAddress(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return !NOT_PUBLIC_V4.check(ip, 'ipv4')
    case 6:
      if (ip.includes('%')) return false
      if (NAT64.check(ip, 'ipv6')) return isPublicAddress(embeddedV4(ip))
      return GLOBAL_UNICAST_V6.check(ip, 'ipv6') && !NOT_PUBLIC_V6.check(ip, 'ipv6')
    default:
      return false
  }
}

/** True for an address of this machine. */
export function isLoopback(ip: string): boolean {
  return isIP(ip) !== 0 && ipaddr.process(ip).range() === 'loopback'
}

/** The network that counts as one client: an IPv4 address itself, or the first 64 bits of an IPv6 address, which one customer gets (RFC 6177 §2). */
export function clientNetwork(ip: string): string {
  const address = unmapped(ip)
  if (isIP(address) !== 6) return address
  return ipv6Network(address, 64)
}

/** The network around a client, for clients with many addresses: an IPv4 /24, an IPv6 /48 (RFC 6177 §2). */
export function widerNetwork(ip: string): string {
  const address = unmapped(ip)
  switch (isIP(address)) {
    case 4:
      return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
    case 6:
      return ipv6Network(address, 48)
    default:
      return address
  }
}

/** `::ffff:192.0.2.1`, as a socket listening on both families shows it, is `192.0.2.1` (RFC 4291 §2.5.5.2); others stay as they are. */
export function unmapped(ip: string): string {
  if (isIP(ip) !== 6) return ip
  return ipv6Groups(ip).slice(0, 6).join(':') === '0:0:0:0:0:65535' ? embeddedV4(ip) : ip
}

/** The text of a binary address of 4 or 16 bytes, not shortened; a mapped one is written as IPv4. '' for anything else. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return ''
  const words = Array.from({ length: 8 }, (_, i) => (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16))
  return unmapped(words.join(':'))
}

/** An address as SMTP writes it (RFC 5321 §4.1.3). */
export function addressLiteral(ip: string): string {
  return isIP(ip) === 6 ? `[IPv6:${ip}]` : `[${ip}]`
}

function subnets(family: 'ipv4' | 'ipv6', list: [address: string, bits: number][]): BlockList {
  const blocks = new BlockList()
  for (const [address, bits] of list) blocks.addSubnet(address, bits, family)
  return blocks
}

/** The parsed address of either family; undefined for anything else. @see isWithin */
export function parseAddress(ip: string): Address | undefined {
  return isIP(ip) === 0 ? undefined : ipaddr.parse(ip)
}

/** True if both are of one family and agree in their first `bits`. */
export function isWithin(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** The 32 hexadecimal digits of an IPv6 address, as in names of PTR records (RFC 3596 §2.5). */
export function nibblesOf(ip: string): string[] {
  return [...Buffer.from(ipaddr.IPv6.parse(ip).toByteArray()).toString('hex')]
}

function embeddedV4(ip: string): string {
  return new ipaddr.IPv4(ipaddr.IPv6.parse(ip).toByteArray().slice(12)).toString()
}

function ipv6Network(ip: string, bits: 48 | 64): string {
  const groups = ipv6Groups(ip).slice(0, bits / 16)
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/** The eight groups of an IPv6 address in any of its forms (RFC 4291 §2.2); a zone index is left out. */
function ipv6Groups(ip: string): number[] {
  return ipaddr.IPv6.parse(ip).parts
}

/** Parses an address, or a network such as `10.0.0.0/8`; undefined for other text. */
export function parseNetwork(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const match = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text)
  const address = match?.[1] ?? ''
  const version = isIP(address)
  if (version === 0) return undefined
  const longest = version === 4 ? 32 : 128
  const bits = match?.[2] === undefined ? longest : Number(match[2])
  return bits > longest ? undefined : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** @returns a test whether an address lies in one of the networks; @throws Error for an invalid network */
export function networkSet(texts: readonly string[]): (ip: string) => boolean {
  const blocks = new BlockList()
  for (const text of texts) {
    const network = parseNetwork(text)
    if (!network) throw new Error(`not an address or network: ${text}`)
    blocks.addSubnet(network.address, network.bits, network.family)
  }
  return (ip) => {
    const version = isIP(ip)
    return version !== 0 && blocks.check(ip, version === 4 ? 'ipv4' : 'ipv6')
  }
}
