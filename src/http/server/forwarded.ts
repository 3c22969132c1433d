/**
 * The client's address behind a proxy. A trusted proxy appends its client's address to `X-Forwarded-For`; earlier entries are the client's claims. So the list
 * is read from the end, past trusted proxies, to the first other address.
 */
import { isIP } from 'node:net'
import { networkSet, unmapped } from '../../lib/ip.js'

/** Max trusted proxies in a row. */
const MAX_HOPS = 10

/** @returns the client's address: the peer's, unless a trusted proxy names another */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/** @param trusted addresses and networks (`10.0.0.0/8`) of proxies; without any the header is ignored */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => peer
  const isTrusted = networkSet(trusted)
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(peer)) return peer
    let client = peer
    for (const entry of forwardedFor.split(',').slice(-MAX_HOPS).reverse()) {
      const address = addressIn(entry.trim())
      // An invalid entry was not written by a working proxy: the last valid one is the client.
      if (address === undefined) return client
      client = address
      if (!isTrusted(address)) return address
    }
    return client
  }
}

/** With or without port and brackets, as proxies write it. */
function addressIn(entry: string): string | undefined {
  if (entry.length > 60) return undefined
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry
  return isIP(bare) === 0 || bare.includes('%') ? undefined : unmapped(bare)
}
