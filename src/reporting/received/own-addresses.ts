/** Which addresses of a report are this server's: those of its interfaces, and those its name leads to. */
import { networkInterfaces } from 'node:os'
import type { Resolver } from '../../dns/types.js'
import { unmapped } from '../../lib/ip.js'
import type { OwnAddress } from './summary.js'

/** What DNS does not give now is left out. */
export async function ownAddresses(resolver: Pick<Resolver, 'a' | 'aaaa'>, hostname: string): Promise<OwnAddress> {
  const answers = await Promise.allSettled([resolver.a(hostname), resolver.aaaa(hostname)])
  const named = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const local = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
  const own = new Set([...named, ...local].map(sameForm))
  return (ip) => own.has(sameForm(ip))
}

/** IPv6 addresses are written in several ways. */
function sameForm(ip: string): string {
  const address = unmapped(ip).replace(/%.*$/, '').toLowerCase()
  return address.includes(':') ? new URL(`http://[${address}]`).hostname : address
}
