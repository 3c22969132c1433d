/** Domain names as they are asked for (RFC 1035 §2.3.4, RFC 5890), and the names of addresses (RFC 1035 §3.5, RFC 3596 §2.5). */
import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

// Printable and without a dot: wider than a host name, since `_dmarc` is asked for too, and all that SPF macros can make.
const LABELS = /^[ -\-/-~]{1,63}(?:\.[ -\-/-~]{1,63})*$/

/**
 * The one form under which a name is asked for, cached and compared: lower case, A-labels, no final dot.
 *
 * @returns `undefined` for what can't be a name: an empty or over-long label, over 253 octets, control characters
 */
export function queryName(name: string): string | undefined {
  const ascii = /[^\0-\x7f]/.test(name) ? domainToASCII(name) : name
  const plain = (ascii.endsWith('.') ? ascii.slice(0, -1) : ascii).toLowerCase()
  return plain.length <= 253 && LABELS.test(plain) ? plain : undefined
}

/** The name under which the PTR record of an address stands; `undefined` when it is no address. */
export function reverseName(ip: string): string | undefined {
  if (isIPv4(ip)) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`
  if (!isIPv6(ip)) return undefined
  const groups = ipv6Groups(ip)
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:65535'
  if (mapped)
    return reverseName(
      groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 255])
        .join('.'),
    )
  const nibbles = groups.map((group) => group.toString(16).padStart(4, '0')).join('')
  return `${[...nibbles].reverse().join('.')}.ip6.arpa`
}

/** The inverse of `reverseName`; `undefined` when the name isn't that of a whole address. */
export function addressOfReverseName(name: string): string | undefined {
  const v4 = /^((?:\d{1,3}\.){4})in-addr\.arpa$/i.exec(name)?.[1]
  if (v4 !== undefined) {
    const ip = v4.slice(0, -1).split('.').reverse().join('.')
    return isIPv4(ip) ? ip : undefined
  }
  const v6 = /^((?:[0-9a-f]\.){32})ip6\.arpa$/i.exec(name)?.[1]
  return v6?.slice(0, -1).split('.').reverse().join('').match(/.{4}/g)?.join(':')
}

/** The eight groups of an IPv6 address in any of its forms; a zone index is left out. */
function ipv6Groups(ip: string): number[] {
  // The URL parser writes the last 32 bits of `::ffff:192.0.2.1` in hexadecimal and the rest in the shortest form.
  const short = new URL(`http://[${ip.replace(/%.*$/, '')}]/`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const left = groups(head)
  const right = groups(tail ?? '')
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}
