/** Checks the resolvers of server.dns: answers, speed, DNSSEC, and owner. */
import { getServers } from 'node:dns'
import { LookupError, type Resolver } from '../../dns/types.js'
import { parseHostPort } from '../../lib/host-port.js'
import { isLoopback } from '../../lib/ip.js'
import { advice, command, failed, ok, setting, shown, skipped, unknown, warning } from './finding.js'
import type { Finding } from './types.js'

/** An existing name whose zone is signed from the root down. */
export const SIGNED_NAME = 'org'
const SLOW_MS = 1000

/** Public resolvers: block lists refuse them (127.255.255.x), since they can't tell who asks. */
const PUBLIC_RESOLVERS: Record<string, string> = {
  '1.1.1.1': 'Cloudflare',
  '1.0.0.1': 'Cloudflare',
  '2606:4700:4700::1111': 'Cloudflare',
  '2606:4700:4700::1001': 'Cloudflare',
  '8.8.8.8': 'Google',
  '8.8.4.4': 'Google',
  '2001:4860:4860::8888': 'Google',
  '2001:4860:4860::8844': 'Google',
  '9.9.9.9': 'Quad9',
  '149.112.112.112': 'Quad9',
  '2620:fe::fe': 'Quad9',
  '2620:fe::9': 'Quad9',
  '208.67.222.222': 'OpenDNS',
  '208.67.220.220': 'OpenDNS',
  '94.140.14.14': 'AdGuard',
  '94.140.15.15': 'AdGuard',
  '4.2.2.1': 'Level 3',
  '4.2.2.2': 'Level 3',
}

const OWN_RESOLVER = [command('apt-get install unbound'), setting('server.dns', '["127.0.0.1:53"]')] as const

/** @param elapsed milliseconds since some moment */
export async function checkAnswers(
  resolver: Pick<Resolver, 'a'>,
  { name = SIGNED_NAME, elapsed }: { name?: string; elapsed: () => number },
): Promise<Finding> {
  const before = elapsed()
  try {
    await resolver.a(name)
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    if (error.failure === 'temporary')
      return failed(
        `the resolvers of server.dns do not answer (${shown(error.message)}): mail can neither be sent nor checked`,
        ...OWN_RESOLVER,
      )
    if (error.failure === 'not_found')
      return failed(
        `the resolvers of server.dns do not know ${name}: they do not resolve names of the Internet`,
        ...OWN_RESOLVER,
      )
  }
  const ms = Math.round(elapsed() - before)
  return ms > SLOW_MS
    ? warning(`they answer in ${ms} ms, which is slow: each message needs a dozen look-ups`, ...OWN_RESOLVER)
    : ok(`they answer in ${ms} ms`)
}

/** @param resolver trusts its servers, whatever the settings say */
export async function checkDnssec(
  resolver: Pick<Resolver, 'checked'>,
  { name = SIGNED_NAME, isTrusted }: { name?: string; isTrusted: boolean },
): Promise<Finding> {
  const says = await isAuthentic(resolver, name)
  if (says === undefined) return unknown('the resolvers give no answer')
  if (!says)
    return warning(
      'the resolvers do not validate DNSSEC: their answers are unproven, and DANE is not used',
      ...OWN_RESOLVER,
    )
  return isTrusted
    ? ok('they validate DNSSEC, and are trusted')
    : warning(
        'they validate DNSSEC, but are not trusted, since they are on another machine (server.dns_validates)',
        ...OWN_RESOLVER,
        advice('Or set server.dns_validates = "on" if the network path to them is secure.'),
      )
}

async function isAuthentic({ checked }: Pick<Resolver, 'checked'>, name: string): Promise<boolean | undefined> {
  try {
    return (await checked.a(name)).authentic
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    return error.failure === 'temporary' ? undefined : error.authentic
  }
}

/** @param servers of the settings; empty for those of the system */
export function checkOwnResolver(servers: readonly string[], system: readonly string[] = getServers()): Finding {
  const hosts = (servers.length > 0 ? servers : system).map((server) => parseHostPort(server)?.host ?? server)
  if (hosts.length === 0) return skipped('no resolver is known')
  const strangers = hosts.filter((host) => host in PUBLIC_RESOLVERS)
  if (strangers.length > 0)
    return warning(
      `${strangers.map((host) => `${host} (${PUBLIC_RESOLVERS[host]})`).join(', ')} is a public resolver: block lists refuse it, and it sees whom mail is exchanged with`,
      ...OWN_RESOLVER,
    )
  return ok(hosts.every(isLoopback) ? `${hosts.join(', ')} is on this machine` : hosts.join(', '))
}
