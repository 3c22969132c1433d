/** What is asked about the client of each session: begun when it connects, and waited for when the answer is needed. */
import {
  clientName,
  heloMatch,
  UNKNOWN_NAME,
  within,
  type AddressResolver,
  type ClientIdentity,
  type HeloMatch,
} from '../client.js'
import type { Dnsbl } from './dnsbl.js'

export interface ClientLookups {
  /** Starts them; holds nothing up. */
  begin(ip: string): ClientLookup
}

export interface ClientLookup {
  /** The blocklists that refuse this client; waits for them. */
  refusedBy(): Promise<string[]>
  /** Never rejects; what DNS did not tell in time is unknown. */
  identity(helo: string): Promise<ClientIdentity>
}

export interface ClientLookupsDeps {
  /** Without one nothing is asked. */
  resolver?: AddressResolver | undefined
  dnsbl?: { lists: Dnsbl; action: 'reject' | 'score' } | undefined
  /** All look-ups of one kind, from their start. */
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 3000

export function createClientLookups({ resolver, dnsbl, timeoutMs = TIMEOUT_MS }: ClientLookupsDeps): ClientLookups {
  return {
    begin(ip) {
      const client = resolver
        ? within(timeoutMs, clientName(resolver, ip), UNKNOWN_NAME)
        : Promise.resolve(UNKNOWN_NAME)
      const listing = dnsbl ? within(timeoutMs, dnsbl.lists.zonesListing(ip), []) : Promise.resolve([])
      /** Of the name said last: a session brings many messages. */
      let last: { said: string; match: Promise<HeloMatch> } | undefined
      return {
        refusedBy: async () => (dnsbl?.action === 'reject' ? listing : []),
        async identity(said) {
          const [name, listed] = await Promise.all([client, listing])
          if (resolver && last?.said !== said)
            last = { said, match: within(timeoutMs, heloMatch(resolver, said, ip, name), 'unknown') }
          const helo = (await last?.match) ?? 'unknown'
          return { name: name.name, confirmed: name.confirmed, known: name.known, helo, listed }
        },
      }
    },
  }
}
