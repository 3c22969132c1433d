/**
 * Who a client is behind a proxy. A proxy that the operator trusts appends the address it was asked from to `X-Forwarded-For`; what stands to the left
 * of that is the client's own word. So the list is read from its end, past the addresses of trusted proxies, to the first that is not one of them.
 */
import { isIP } from 'node:net'
import { networkSet, unmapped } from '../../lib/ip.js'

/** Max trusted proxies in a row; entries further left are not read. */
const MAX_HOPS = 10

/** @returns the address of the client: that of the connection, unless a trusted proxy made it and says who asked */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/** @param trusted addresses and networks (`10.0.0.0/8`) of proxies; with none the header counts for nothing */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => peer
  const isTrusted = networkSet(trusted)
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(peer)) return peer
    let client = peer
    for (const entry of forwardedFor.split(',').slice(-MAX_HOPS).reverse()) {
      const address = addressIn(entry.trim())
      // What can't be read was not written by a proxy that does its work: the last one that could be read asked us.
      if (address === undefined) return client
      client = address
      if (!isTrusted(address)) return address
    }
    return client
  }
}

/** With or without a port, an IPv6 address with or without brackets, as proxies write them. */
function addressIn(entry: string): string | undefined {
  if (entry.length > 60) return undefined
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry
  return isIP(bare) === 0 || bare.includes('%') ? undefined : unmapped(bare)
}
