/**
 * Where mail for a domain goes (RFC 5321 §5.1): the hosts of its MX records, or the domain itself when it has none, each with its addresses.
 */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { LookupError } from '../dns/types.js'
import type { MxRecord, Resolver } from '../dns/types.js'
import { isPublicAddress } from '../lib/ip.js'
import type { Outcome } from './outcome.js'

export interface Target {
  /** Name of the host, for TLS and for the log. */
  host: string
  address: string
  port: number
  /** Targets of one preference are equally good; the resolver has put them in random order. */
  preference: number
}

export type Route = { kind: 'targets'; targets: Target[] } | Exclude<Outcome, { kind: 'delivered' }>

export interface RouteDeps {
  resolver: Pick<Resolver, 'mx' | 'a' | 'aaaa'>
  port: number
  /** Our own name: an MX that points here leads in a circle. */
  hostname: string
  /** Also deliver to loopback, private and link-local addresses. */
  allowPrivateAddresses: boolean
}

interface HostAddresses {
  addresses: string[]
  /** Some of them may be missing now. */
  temporary: boolean
}

/** RFC 5321 §5.1 asks for at least two; a domain with a hundred may not make us try them all. */
const MAX_HOSTS = 5
const MAX_ADDRESSES_OF_HOST = 4
const MAX_TARGETS = 10

/** Never throws for what DNS says. */
export async function findRoute(deps: RouteDeps, domain: string): Promise<Route> {
  const name = domainToASCII(domain)
  // RFC 5321 §4.1.3: an address literal names a host and no domain; nothing legitimate is reached that way.
  if (name === '' || domain.startsWith('[') || isIP(name) !== 0) return failed(`5.1.2 ${domain} is no domain name`)
  const hosts = await findHosts(deps, name)
  return Array.isArray(hosts) ? findTargets(deps, name, hosts) : hosts
}

/** The one host that takes all mail for us. Its address may be anything, since the operator chose it; and nothing bounces because of it. */
export async function findSmarthost(
  resolver: RouteDeps['resolver'],
  { host, port }: { host: string; port: number },
): Promise<Route> {
  const addresses = isIP(host) === 0 ? (await addressesOf(resolver, host)).addresses : [host]
  if (addresses.length === 0) return deferred(`4.4.3 the smart host ${host} has no address; see relay.smarthost`)
  const targets = addresses.slice(0, MAX_TARGETS).map((address) => ({ host, address, port, preference: 0 }))
  return { kind: 'targets', targets }
}

async function findHosts(deps: RouteDeps, name: string): Promise<MxRecord[] | Route> {
  let records: MxRecord[]
  try {
    records = await deps.resolver.mx(name)
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    if (error.failure === 'not_found') return failed(`5.1.2 the domain ${name} does not exist`)
    if (error.failure === 'temporary') return deferred(`4.4.3 the MX records of ${name} can not be read now`)
    // RFC 5321 §5.1: without MX records the domain itself is the host, with preference 0.
    return [{ priority: 0, exchange: name }]
  }
  // RFC 7505 §3
  if (records.length === 1 && ['', '.'].includes(records[0]?.exchange ?? '')) {
    return failed(`5.1.10 the domain ${name} takes no mail (null MX)`)
  }
  // RFC 5321 §5.1: when we are among the hosts, only better ones than ourselves are left.
  const own = records.find((record) => record.exchange.toLowerCase() === deps.hostname.toLowerCase())
  const others = own ? records.filter((record) => record.priority < own.priority) : records
  if (own && others.length === 0) {
    return failed(
      `5.4.6 the MX of ${name} is this server, which has no such domain; domains.names would have to list it`,
    )
  }
  return others
}

async function findTargets(deps: RouteDeps, name: string, hosts: MxRecord[]): Promise<Route> {
  const found = await Promise.all(hosts.slice(0, MAX_HOSTS).map((host) => hostAddresses(deps.resolver, host.exchange)))
  const targets: Target[] = []
  for (const [i, { addresses }] of found.entries()) {
    const host = hosts[i]
    if (!host) continue
    const usable = addresses.filter((address) => deps.allowPrivateAddresses || isPublicAddress(address))
    for (const address of usable.slice(0, MAX_ADDRESSES_OF_HOST)) {
      targets.push({ host: host.exchange, address, port: deps.port, preference: host.priority })
    }
  }
  if (targets.length > 0) return { kind: 'targets', targets: targets.slice(0, MAX_TARGETS) }
  if (found.some(({ temporary }) => temporary))
    return deferred(`4.4.3 the addresses of the MX of ${name} can not be read now`)
  if (found.some(({ addresses }) => addresses.length > 0)) {
    return failed(
      `5.4.4 ${name} takes its mail at a private or loopback address, where this server does not send; relay.allow_private_addresses would change that`,
    )
  }
  return failed(`5.4.4 no host that takes mail for ${name} has an address`)
}

/** RFC 5321 §5.1: an MX record names a host. An address in its place would be a way around the look-up. */
async function hostAddresses(resolver: RouteDeps['resolver'], host: string): Promise<HostAddresses> {
  return isIP(host) === 0 ? addressesOf(resolver, host) : { addresses: [], temporary: false }
}

/** IPv4 first: small servers often have no IPv6 that works, or none with a name, which the large providers refuse. */
async function addressesOf(resolver: RouteDeps['resolver'], host: string): Promise<HostAddresses> {
  const answers = await Promise.allSettled([resolver.a(host), resolver.aaaa(host)])
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  for (const failure of failures) if (!(failure instanceof LookupError)) throw failure
  return {
    addresses: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    temporary: failures.some((failure) => failure instanceof LookupError && failure.failure === 'temporary'),
  }
}

function failed(detail: string): Route {
  return { kind: 'failed', smtpCode: null, detail }
}

function deferred(detail: string): Route {
  return { kind: 'deferred', smtpCode: null, detail }
}
