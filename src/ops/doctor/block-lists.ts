/** Checks the addresses of this server on DNS block lists (RFC 5782), and that the lists answer these resolvers. */
import { isListing, isOperatorsError, listedName } from '../../dns/block-list.js'
import { orNone } from '../../dns/optional.js'
import type { Resolver } from '../../dns/types.js'
import { isPublicAddress } from '../../lib/ip.js'
import { about, advice, command, failed, ok, setting, shown, skipped, unknown } from './finding.js'
import type { Finding } from './types.js'

/** RFC 5782 §5: every working list contains it. */
const TEST_ADDRESS = '127.0.0.2'

export async function checkBlockLists(
  zones: readonly string[],
  addresses: readonly string[],
  resolver: Pick<Resolver, 'a' | 'txt'>,
): Promise<Finding[]> {
  const asked = addresses.filter(isPublicAddress)
  if (zones.length === 0) return [skipped('doctor.block_lists is empty')]
  if (asked.length === 0) return [skipped('no public address is known')]
  return Promise.all(zones.map(async (zone) => about(zone, await checkOne(zone, asked, resolver))))
}

async function checkOne(zone: string, addresses: string[], resolver: Pick<Resolver, 'a' | 'txt'>): Promise<Finding> {
  const probe = await lookUp(resolver, TEST_ADDRESS, zone)
  if (probe.some(isOperatorsError)) return refused(zone)
  if (!probe.some(isListing))
    return unknown(
      `${zone} does not list its own test entry: the list has shut down, or refuses these resolvers`,
      setting('doctor.block_lists', '[…]   # without it'),
    )
  const listed: string[] = []
  for (const address of addresses) {
    const answers = await lookUp(resolver, address, zone)
    if (answers.some(isOperatorsError)) return refused(zone)
    if (answers.some(isListing)) listed.push(`${address}${await reasonOf(resolver, address, zone)}`)
  }
  if (listed.length === 0) return ok(`it does not list ${addresses.join(', ')}`)
  return failed(
    `it lists ${listed.join('; ')}: receivers that use it refuse our mail`,
    advice(
      `Find the cause (restante queue list, restante review log), stop it, and ask ${zone} to remove the address.`,
    ),
  )
}

/** An answer of 127.255.255.x is about the resolver and not about the address. */
function refused(zone: string): Finding {
  return unknown(
    `${zone} refuses the resolvers of server.dns, as lists do with public resolvers: our addresses could not be checked`,
    command('apt-get install unbound'),
    setting('server.dns', '["127.0.0.1:53"]'),
  )
}

async function lookUp(resolver: Pick<Resolver, 'a'>, address: string, zone: string): Promise<string[]> {
  const name = listedName(address, zone)
  return name === undefined ? [] : orNone(resolver.a(name))
}

async function reasonOf(resolver: Pick<Resolver, 'txt'>, address: string, zone: string): Promise<string> {
  const [reason] = await orNone(resolver.txt(listedName(address, zone) ?? zone))
  return reason === undefined ? '' : ` (${shown(reason)})`
}
