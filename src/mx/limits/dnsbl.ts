/** DNS blocklists (RFC 5782). */
import { isListing, isOperatorsError, listedName } from '../../dns/block-list.js'
import { LookupError, type Resolver } from '../../dns/types.js'
import type { Log } from '../../observe/log.js'

export type Dnsbl = ReturnType<typeof createDnsbl>

export interface DnsblDeps {
  zones: readonly string[]
  resolver: Pick<Resolver, 'a'>
  log: Pick<Log, 'warn'>
}

export function createDnsbl({ zones, resolver, log }: DnsblDeps) {
  async function isListed(zone: string, ip: string): Promise<boolean> {
    const name = listedName(ip, zone)
    if (name === undefined) return false
    try {
      const answers = await resolver.a(name)
      const error = answers.find(isOperatorsError)
      if (error !== undefined)
        log.warn({ zone, answer: error }, 'blocklist answers with an error code; it lists nobody')
      return answers.some(isListing)
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      return false
    }
  }

  return {
    /** Zones that list the address, in configured order. Never rejects: a failing list lists nobody. */
    async zonesListing(ip: string): Promise<string[]> {
      const found = await Promise.all(
        zones.map((zone) =>
          isListed(zone, ip).catch((err: unknown) => {
            log.warn({ err, zone }, 'blocklist could not be asked')
            return false
          }),
        ),
      )
      return zones.filter((_zone, index) => found[index])
    },
  }
}
