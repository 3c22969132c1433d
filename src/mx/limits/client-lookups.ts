/** DNS look-ups about a session's client: started at connect, awaited when needed. */
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

export type ClientLookups = ReturnType<typeof createClientLookups>
export type ClientLookup = ReturnType<ClientLookups['begin']>

export interface ClientLookupsDeps {
  /** Without it nothing is looked up. */
  resolver?: AddressResolver | undefined
  dnsbl?: { lists: Dnsbl; action: 'reject' | 'score' } | undefined
  /** Time limit for all look-ups of one kind. */
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 3000

export function createClientLookups({ resolver, dnsbl, timeoutMs = TIMEOUT_MS }: ClientLookupsDeps) {
  return {
    /** Starts the look-ups without waiting. */
    begin(ip: string) {
      const client = resolver
        ? within(timeoutMs, clientName(resolver, ip), UNKNOWN_NAME)
        : Promise.resolve(UNKNOWN_NAME)
      const listing = dnsbl ? within(timeoutMs, dnsbl.lists.zonesListing(ip), []) : Promise.resolve([])
      /** Result for the last HELO name: a session may have many messages. */
      let last: { said: string; match: Promise<HeloMatch> } | undefined
      return {
        /** Waits for the blocklists that refuse this client. */
        refusedBy: async (): Promise<string[]> => (dnsbl?.action === 'reject' ? listing : []),
        /** Never rejects; late answers count as unknown. */
        async identity(said: string): Promise<ClientIdentity> {
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
