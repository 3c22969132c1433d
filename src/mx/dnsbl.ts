/** DNS blocklists (RFC 5782): whether a client's address is on one. */
import { LookupError } from '../dns/types.js'
import type { Resolver } from '../dns/types.js'
import { reverseName } from '../dns/name.js'
import type { Log } from '../observe/log.js'

export interface Dnsbl {
  /** The zones that list the address, in the order of the settings. Never rejects: a list that gives no answer lists nobody. */
  zonesListing(ip: string): Promise<string[]>
}

export interface DnsblDeps {
  zones: readonly string[]
  resolver: Pick<Resolver, 'a'>
  log: Pick<Log, 'warn'>
}

export function createDnsbl({ zones, resolver, log }: DnsblDeps): Dnsbl {
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
    async zonesListing(ip) {
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

/** RFC 5782 §2.1 and §2.4: the octets of IPv4, or the nibbles of IPv6, in reverse in front of the zone. */
function listedName(ip: string, zone: string): string | undefined {
  const reversed = reverseName(ip)?.replace(/\.(?:in-addr|ip6)\.arpa$/, '')
  return reversed === undefined ? undefined : `${reversed}.${zone}`
}

/** RFC 5782 §2.3: a listing has an address in 127.0.0.0/8. A domain that has been sold answers with others, to every question. */
function isListing(answer: string): boolean {
  return answer.startsWith('127.') && !isOperatorsError(answer)
}

/** Spamhaus and others: asked through a public resolver, too often, or under a wrong name. */
function isOperatorsError(answer: string): boolean {
  return answer.startsWith('127.255.255.')
}
