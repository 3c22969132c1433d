/**
 * The client's address behind proxies. A trusted proxy appends its client's address to `X-Forwarded-For`; entries further left may be
 * forged. So the list is read from its end, past trusted proxies, to the first other address.
 */
import { isIP } from 'node:net'
import { networkSet, unmapped } from '../../lib/ip.js'

/** Max trusted proxies in a row; entries further left are not read. */
const MAX_HOPS = 10

/** @returns the client's address: the connection's, or the forwarded one if a trusted proxy connected */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/** @param trusted addresses and networks (`10.0.0.0/8`) of proxies; with none the header is ignored */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => peer
  const isTrusted = networkSet(trusted)
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(peer)) return peer
    let client = peer
    for (const entry of forwardedFor.split(',').slice(-MAX_HOPS).reverse()) {
      const address = addressIn(entry.trim())
      // A working proxy writes no invalid entry, so the last valid one is the client.
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
