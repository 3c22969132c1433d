/** This server's addresses in reports: of its interfaces, and of its host name. */
import { networkInterfaces } from 'node:os'
import type { Resolver } from '../../dns/types.js'
import { unmapped } from '../../lib/ip.js'
import type { OwnAddress } from './summary.js'

/** Addresses that DNS does not return now are missing. */
export async function ownAddresses(resolver: Pick<Resolver, 'a' | 'aaaa'>, hostname: string): Promise<OwnAddress> {
  const answers = await Promise.allSettled([resolver.a(hostname), resolver.aaaa(hostname)])
  const named = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const local = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
  const own = new Set([...named, ...local].map(sameForm))
  return (ip) => own.has(sameForm(ip))
}

/** IPv6 addresses have several notations. */
function sameForm(ip: string): string {
  const address = unmapped(ip).replace(/%.*$/, '').toLowerCase()
  return address.includes(':') ? new URL(`http://[${address}]`).hostname : address
}
