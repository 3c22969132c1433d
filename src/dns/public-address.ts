/** Resolves the host of an untrusted URL: looked up once, all its addresses have to be public, and the connection goes to one of exactly these. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isHostName } from '../lib/host-port.js'
import { isLoopback, isPublicAddress, unmapped } from '../lib/ip.js'
import { portOf } from '../lib/url.js'
import { LookupError, type Resolver } from './types.js'

export interface AddressRules {
  /** Also loopback, private and link-local addresses. */
  allowPrivateAddresses: boolean
  /** Ports on which this server itself listens, on any address of this machine. */
  ownPorts: ReadonlySet<number>
}

/** The host cannot be reached, or is not allowed. */
export class Unreachable extends Error {}

/** @throws Unreachable */
export async function addressOf(
  resolver: Pick<Resolver, 'a' | 'aaaa'>,
  url: URL,
  { allowPrivateAddresses, ownPorts }: AddressRules,
): Promise<string> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(host) === 0 ? await lookUp(resolver, host) : [host]
  const [first] = addresses
  if (first === undefined) throw new Unreachable(`${host} has no address`)
  // A private address among others is an attack, or a mistake that would fail sometimes.
  if (!allowPrivateAddresses && !addresses.every(isPublicAddress))
    throw new Unreachable(`${host} leads to an address that is not in the public Internet`)
  if (ownPorts.has(portOf(url)) && addresses.some(isOwn)) throw new Unreachable(`${host} leads back to this server`)
  return first
}

/** True if a host name can be public. RFC 6761 and RFC 6762: special names only have a local meaning. */
export function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return isHostName(name) && name.includes('.') && !/\.(localhost|local|internal|test|invalid|onion)$/i.test(name)
}

async function lookUp(resolver: Pick<Resolver, 'a' | 'aaaa'>, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.a(host), resolver.aaaa(host)])
  const found: string[] = []
  let failure: string | undefined
  for (const answer of answers) {
    if (answer.status === 'fulfilled') found.push(...answer.value)
    else if (answer.reason instanceof LookupError) failure ??= answer.reason.message
    else throw answer.reason
  }
  if (found.length === 0 && failure !== undefined) throw new Unreachable(failure)
  return found
}

/** True if an address is one of this machine. */
function isOwn(address: string): boolean {
  const plain = unmapped(address)
  if (isLoopback(plain) || plain === '0.0.0.0' || plain === '::') return true
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === plain))
}
