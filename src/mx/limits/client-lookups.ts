/** What is asked about the client of each session: begun when it connects, and waited for when the answer is needed. */
import { clientName, heloMatch, UNKNOWN_NAME, within } from '../client.js'
import type { AddressResolver, ClientIdentity, ClientName, HeloMatch } from '../client.js'
import type { Dnsbl } from './dnsbl.js'

export interface Visits {
  /** Starts the look-ups; holds nothing up. */
  begin(sessionId: string, ip: string): void
  end(sessionId: string): void
  /** The blocklists that refuse this client; waits for them. */
  refusedBy(sessionId: string): Promise<string[]>
  /** Never rejects; what DNS did not tell in time is unknown. */
  identity(sessionId: string, helo: string): Promise<ClientIdentity>
}

export interface VisitsDeps {
  /** Without one nothing is asked. */
  resolver?: AddressResolver | undefined
  dnsbl?: { lists: Dnsbl; action: 'reject' | 'score' } | undefined
  /** All look-ups of one kind, from their start. */
  timeoutMs?: number | undefined
}

interface Visit {
  ip: string
  name: Promise<ClientName>
  listed: Promise<string[]>
  /** Of the name said last: a session brings many messages. */
  helo?: { said: string; match: Promise<HeloMatch> }
}

const TIMEOUT_MS = 3000

export function createVisits({ resolver, dnsbl, timeoutMs = TIMEOUT_MS }: VisitsDeps): Visits {
  const visits = new Map<string, Visit>()

  return {
    begin(sessionId, ip) {
      if (!resolver && !dnsbl) return
      visits.set(sessionId, {
        ip,
        name: resolver ? within(timeoutMs, clientName(resolver, ip), UNKNOWN_NAME) : Promise.resolve(UNKNOWN_NAME),
        listed: dnsbl ? within(timeoutMs, dnsbl.lists.zonesListing(ip), []) : Promise.resolve([]),
      })
    },
    end: (sessionId) => void visits.delete(sessionId),
    refusedBy: async (sessionId) => (dnsbl?.action === 'reject' ? ((await visits.get(sessionId)?.listed) ?? []) : []),
    async identity(sessionId, said) {
      const visit = visits.get(sessionId)
      if (!visit) return { ...UNKNOWN_NAME, helo: 'unknown', listed: [] }
      const [name, listed] = await Promise.all([visit.name, visit.listed])
      if (resolver && visit.helo?.said !== said)
        visit.helo = { said, match: within(timeoutMs, heloMatch(resolver, said, visit.ip, name), 'unknown') }
      const helo = (await visit.helo?.match) ?? 'unknown'
      return { name: name.name, confirmed: name.confirmed, known: name.known, helo, listed }
    },
  }
}
