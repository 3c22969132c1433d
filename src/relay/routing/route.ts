/** Route of a domain (RFC 5321 §5.1): the hosts of its MX records, or the domain itself, each with addresses. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { LookupError, type MxRecord, type Resolver } from '../../dns/types.js'
import { isPublicAddress } from '../../lib/ip.js'
import type { Outcome } from '../outcome.js'
import {
  isProvenHost,
  mayBeUsed,
  policyOfHost,
  refuseUnlisted,
  type PolicyDeps,
  type PolicyDomain,
  type Terms,
} from './policy.js'
import type { Security } from '../tls/security.js'

export interface Target extends Terms {
  host: string
  address: string
  port: number
  /** Targets of one preference are equal; the resolver shuffled them. */
  preference: number
  /** The host could come from a forged DNS answer: neither DNSSEC nor MTA-STS proves it. */
  unproven?: boolean
}

export type Route = { kind: 'targets'; targets: Target[] } | Exclude<Outcome, { kind: 'delivered' }>

export interface RouteDeps extends PolicyDeps {
  resolver: Pick<Resolver, 'checked'>
  port: number
  /** Our own name: an MX that points here is a loop. */
  hostname: string
  /** Also deliver to loopback, private and link-local addresses. */
  allowPrivateAddresses: boolean
}

/** A host chosen by the operator. */
export interface ChosenHost {
  host: string
  port: number
  security: Security
  setting: 'relay.smarthost' | 'relay.routes'
}

interface HostAddresses {
  addresses: string[]
  /** All are proven by DNSSEC. */
  authentic: boolean
  /** Name after all aliases. */
  canonical: string
  /** Some may be temporarily missing. */
  temporary: boolean
}

/** RFC 5321 §5.1 requires at least two; the limit bounds domains with a hundred. */
const MAX_HOSTS = 5
const MAX_ADDRESSES_OF_HOST = 4
const MAX_TARGETS = 10

/** Never throws for DNS results. */
export async function findRoute(deps: RouteDeps, domain: string): Promise<Route> {
  const name = domainToASCII(domain)
  // RFC 5321 §4.1.3: an address literal is a host; no legitimate mail goes there.
  if (name === '' || domain.startsWith('[') || isIP(name) !== 0) return failed(`5.1.2 ${domain} is no domain name`)
  const [hosts, sts] = await Promise.all([findHosts(deps, name), deps.mtaSts?.policyFor(name)])
  return 'kind' in hosts ? hosts : findTargets(deps, { name, sts, isProven: hosts.authentic }, hosts.records)
}

/** A host chosen by the operator may have any address, and its failures never bounce mail. */
export async function findChosenHost(resolver: RouteDeps['resolver'], hop: ChosenHost): Promise<Route> {
  const { host, port, security, setting } = hop
  const addresses = isIP(host) === 0 ? (await addressesOf(resolver, host)).addresses : [host]
  if (addresses.length === 0) return deferred(`4.4.3 the host ${host} has no address; see ${setting}`)
  const targets = addresses.slice(0, MAX_TARGETS).map((address) => ({ host, address, port, preference: 0, security }))
  return { kind: 'targets', targets }
}

async function findHosts(deps: RouteDeps, name: string): Promise<{ records: MxRecord[]; authentic: boolean } | Route> {
  let answer: { records: MxRecord[]; authentic: boolean }
  try {
    answer = await deps.resolver.checked.mx(name)
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    if (error.failure === 'not_found') return failed(`5.1.2 the domain ${name} does not exist`)
    if (error.failure === 'temporary') return deferred(`4.4.3 the MX records of ${name} cannot be read now`)
    // RFC 5321 §5.1: without MX records the domain itself is the host, with preference 0.
    return { records: [{ priority: 0, exchange: name }], authentic: error.authentic }
  }
  const { records, authentic } = answer
  // RFC 7505 §3
  if (records.length === 1 && ['', '.'].includes(records[0]?.exchange ?? '')) {
    return failed(`5.1.10 the domain ${name} takes no mail (null MX)`)
  }
  // RFC 5321 §5.1: if we are among the hosts, only those preferred to us remain.
  const own = records.find((record) => record.exchange.toLowerCase() === deps.hostname.toLowerCase())
  const others = own ? records.filter((record) => record.priority < own.priority) : records
  if (own && others.length === 0) {
    return failed(
      `5.4.6 the MX of ${name} is this server, which has no such domain; domains.names would have to list it`,
    )
  }
  return { records: others, authentic }
}

async function findTargets(deps: RouteDeps, domain: PolicyDomain, hosts: MxRecord[]): Promise<Route> {
  const found = await Promise.all(
    hosts
      .filter(({ exchange }) => mayBeUsed(domain, exchange))
      .slice(0, MAX_HOSTS)
      .map(async ({ exchange: host, priority: preference }) => {
        const known = await hostAddresses(deps.resolver, host)
        const usable = known.addresses.filter((address) => deps.allowPrivateAddresses || isPublicAddress(address))
        const policy = usable.length === 0 ? undefined : await policyOfHost(deps, domain, { host, ...known })
        return { host, preference, ...known, usable, policy }
      }),
  )
  const targets = found.flatMap(({ host, preference, usable, policy }): Target[] =>
    policy?.kind === 'use'
      ? usable.slice(0, MAX_ADDRESSES_OF_HOST).map((address) => ({
          host,
          address,
          port: deps.port,
          preference,
          unproven: !isProvenHost(domain, host),
          ...policy.terms,
        }))
      : [],
  )
  if (targets.length > 0) return { kind: 'targets', targets: targets.slice(0, MAX_TARGETS) }
  const refusal = found.find(({ policy }) => policy?.kind === 'refuse')?.policy
  if (refusal?.kind === 'refuse') return deferred(refusal.detail)
  const { name } = domain
  if (found.length === 0) return deferred(refuseUnlisted(deps, domain, hosts[0]?.exchange ?? name).detail)
  if (found.some(({ temporary }) => temporary))
    return deferred(`4.4.3 the addresses of the MX of ${name} cannot be read now`)
  if (found.some(({ addresses }) => addresses.length > 0)) {
    return failed(
      `5.4.4 ${name} takes its mail at a private or loopback address, where this server does not send; relay.allow_private_addresses would change that`,
    )
  }
  return failed(`5.4.4 no host that takes mail for ${name} has an address`)
}

/** RFC 5321 §5.1: an MX record names a host. An address instead would bypass the look-up. */
async function hostAddresses(resolver: RouteDeps['resolver'], host: string): Promise<HostAddresses> {
  return isIP(host) === 0
    ? addressesOf(resolver, host)
    : { addresses: [], authentic: false, canonical: host, temporary: false }
}

/**
 * Alternates families (RFC 8305 §4), so that a host with many addresses of one is tried over the other too. IPv4 first: small servers often lack working IPv6
 * or its reverse name, which large providers require.
 */
async function addressesOf(resolver: RouteDeps['resolver'], host: string): Promise<HostAddresses> {
  const settled = await Promise.allSettled([resolver.checked.a(host), resolver.checked.aaaa(host)])
  const failures = settled.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  for (const failure of failures) if (!(failure instanceof LookupError)) throw failure
  const [v4, v6] = settled.map((answer) => (answer.status === 'fulfilled' ? answer.value.records : []))
  const answers = settled.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  return {
    addresses: inTurn(v4 ?? [], v6 ?? []),
    authentic: answers.every(({ authentic }) => authentic),
    canonical: answers[0]?.name ?? host,
    temporary: failures.some((failure) => failure instanceof LookupError && failure.failure === 'temporary'),
  }
}

function inTurn<T>(a: T[], b: T[]): T[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [
    ...a.slice(i, i + 1),
    ...b.slice(i, i + 1),
  ]).flat()
}

function failed(detail: string): Route {
  return { kind: 'failed', smtpCode: null, detail }
}

function deferred(detail: string): Route {
  return { kind: 'deferred', smtpCode: null, detail }
}
