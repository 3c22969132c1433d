/** Open connections by client and network, and which one to drop for a newcomer. */
import { clientNetwork, widerNetwork } from '../../lib/ip.js'

export interface Client {
  /** `203.0.113.9` or `2001:db8:1:2::/64`. */
  readonly address: string
  /** `203.0.113.0/24` or `2001:db8:1::/48`. */
  readonly network: string
}

export function clientOf(ip: string): Client {
  return { address: clientNetwork(ip), network: widerNetwork(ip) }
}

export function createNetworks<M extends Client>() {
  const addresses = new Map<string, number>()
  const networks = new Map<string, Set<M>>()

  return {
    add(member: M): void {
      addresses.set(member.address, (addresses.get(member.address) ?? 0) + 1)
      const others = networks.get(member.network)
      if (others) others.add(member)
      else networks.set(member.network, new Set([member]))
    },
    delete(member: M): void {
      const members = networks.get(member.network)
      if (!members?.delete(member)) return
      if (members.size === 0) networks.delete(member.network)
      const left = (addresses.get(member.address) ?? 1) - 1
      if (left > 0) addresses.set(member.address, left)
      else addresses.delete(member.address)
    },
    countAddress: (address: string): number => addresses.get(address) ?? 0,
    countNetwork: (network: string): number => networks.get(network)?.size ?? 0,
    /** Members of the network with the most connections. */
    fullest(): ReadonlySet<M> {
      let fullest: ReadonlySet<M> = new Set<M>()
      for (const members of networks.values()) if (members.size > fullest.size) fullest = members
      return fullest
    },
  }
}
