/** TLS policy for a host: DANE if DNSSEC proves every name on the way (RFC 7672 §2.2), else MTA-STS (RFC 8461 §2, §5), else opportunistic. */
import { LookupError, type Resolver, type TlsaRecord } from '../../dns/types.js'
import { usableRecords } from '../../dns/dane.js'
import { matchesPolicy, type StsPolicy } from '../mta-sts/policy.js'
import type { MtaSts } from '../mta-sts/mta-sts.js'
import type { Security } from '../tls/security.js'
import type { FailureType, TlsResult, TlsResults } from '../tls/tls-results.js'

export interface PolicyDeps {
  resolver: Pick<Resolver, 'checked'>
  /** Port of the hosts, which is part of TLSA names. */
  port: number
  dane?: boolean | undefined
  mtaSts?: Pick<MtaSts, 'policyFor'> | undefined
  tlsResults?: TlsResults | undefined
}

export interface PolicyDomain {
  name: string
  sts: StsPolicy | undefined
  /** Its MX records, or their absence, are proven by DNSSEC. */
  isProven: boolean
}

export interface PolicyHost {
  host: string
  canonical: string
  authentic: boolean
}

/** Requirements for a session with a host. */
export interface Terms {
  security: Security
  /** The policy for TLS reports. Without one nothing is reported, as for a smart host. */
  policy?: Pick<TlsResult, 'domain' | 'policy'> | undefined
  /** For TLS reports: why the policy is not met, though the session may be fine. */
  unusable?: FailureType | undefined
}

export type HostPolicy = { kind: 'use'; terms: Terms } | { kind: 'refuse'; detail: string }

type Dane =
  { kind: 'none' } | { kind: 'unknown'; name: string } | { kind: 'records'; base: string; records: TlsaRecord[] }

/** False if a host can't be used; saves its look-ups. */
export function mayBeUsed({ sts, isProven }: PolicyDomain, host: string): boolean {
  return sts?.mode !== 'enforce' || isProven || matchesPolicy(sts, host)
}

/** RFC 8689 §2: true if the host certainly serves the domain. The domain itself counts. */
export function isProvenHost({ name, sts, isProven }: PolicyDomain, host: string): boolean {
  return (
    isProven || host.toLowerCase() === name || (sts !== undefined && sts.mode !== 'none' && matchesPolicy(sts, host))
  )
}

export async function policyOfHost(deps: PolicyDeps, domain: PolicyDomain, host: PolicyHost): Promise<HostPolicy> {
  const { sts } = domain
  const dane: Dane = deps.dane && domain.isProven ? await findDane(deps, host) : { kind: 'none' }
  if (dane.kind === 'unknown') {
    report(deps, { domain: domain.name, policy: tlsaPolicy(host, []) }, host, 'dnssec-invalid')
    return {
      kind: 'refuse',
      detail: `4.7.5 the TLSA records of ${dane.name} cannot be read now, so it is not known whether ${host.host} is genuine`,
    }
  }
  const isListed = sts !== undefined && matchesPolicy(sts, host.host)
  if (dane.kind === 'records') {
    const policy = { domain: domain.name, policy: tlsaPolicy(host, dane.records) }
    const because = `the TLSA records of ${dane.base}`
    const records = usableRecords(dane.records)
    if (records.length > 0) {
      const names = [...new Set([dane.base, host.host, domain.name])]
      return use({ security: { tls: 'dane', dane: { names, records }, because }, policy })
    }
    // RFC 7672 §2.2: unusable records still promise TLS.
    if (sts?.mode !== 'enforce' || !isListed)
      return use({ security: { tls: 'encrypted', because }, policy, unusable: 'tlsa-invalid' })
  }
  if (!sts || sts.mode === 'none') {
    const policy: TlsResult['policy'] = { type: 'no-policy-found', strings: [], mxHosts: [] }
    return use({ security: { tls: 'opportunistic' }, policy: { domain: domain.name, policy } })
  }
  const policy = stsPolicy(domain.name, sts)
  if (sts.mode === 'testing') {
    // RFC 8461 §5: delivery continues as without a policy, and the report says what would have failed.
    return use({ security: { tls: 'opportunistic' }, policy, unusable: isListed ? undefined : 'validation-failure' })
  }
  if (!isListed) return refuseUnlisted(deps, domain, host.host)
  return use({ security: { tls: 'required', because: `the MTA-STS policy of ${domain.name}` }, policy })
}

/** RFC 8461 §5: an MX outside the policy gets no mail. */
export function refuseUnlisted(
  deps: PolicyDeps,
  { name, sts }: PolicyDomain,
  host: string,
): Extract<HostPolicy, { kind: 'refuse' }> {
  if (sts) report(deps, stsPolicy(name, sts), { host }, 'validation-failure')
  return {
    kind: 'refuse',
    detail: `4.7.5 the MTA-STS policy of ${name} does not name its MX ${host} (id ${sts?.id ?? 'unknown'})`,
  }
}

/**
 * RFC 7672 §2.2.2: first under the name after all aliases, then under that of the MX record. If an alias leaves the signed zones, only the MX record's name
 * counts (§2.1.3, RFC 7671 §7).
 */
async function findDane({ resolver, port }: PolicyDeps, { host, canonical, authentic }: PolicyHost): Promise<Dane> {
  const isAlias = canonical.toLowerCase() !== host.toLowerCase()
  if (!authentic && !isAlias) return { kind: 'none' }
  const proven = authentic || (await isProvenAlias(resolver, host))
  if (proven === 'unknown') return { kind: 'unknown', name: host }
  if (!proven) return { kind: 'none' }
  for (const base of new Set(authentic ? [canonical, host] : [host])) {
    const name = `_${port}._tcp.${base}`
    try {
      const { records, authentic } = await resolver.checked.tlsa(name)
      if (authentic) return { kind: 'records', base, records }
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      // RFC 7672 §2.1.2: an attacker who blocks answers must not win.
      if (error.failure === 'temporary') return { kind: 'unknown', name }
    }
  }
  return { kind: 'none' }
}

async function isProvenAlias({ checked }: PolicyDeps['resolver'], host: string): Promise<boolean | 'unknown'> {
  try {
    return (await checked.cname(host)).authentic
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    return error.failure === 'temporary' ? 'unknown' : false
  }
}

function use(terms: Terms): HostPolicy {
  return { kind: 'use', terms }
}

function report(
  { tlsResults }: PolicyDeps,
  policy: Pick<TlsResult, 'domain' | 'policy'>,
  { host }: Pick<PolicyHost, 'host'>,
  outcome: FailureType,
): void {
  tlsResults?.record({ ...policy, mxHost: host, receivingIp: null, outcome, detail: null })
}

function tlsaPolicy({ host }: PolicyHost, records: TlsaRecord[]): TlsResult['policy'] {
  const strings = records
    .slice(0, MAX_REPORTED_RECORDS)
    .map(({ usage, selector, matchingType, data }) => `${usage} ${selector} ${matchingType} ${data.toString('hex')}`)
  return { type: 'tlsa', strings, mxHosts: [host] }
}

const MAX_REPORTED_RECORDS = 10

function stsPolicy(domain: string, { mode, mx, maxAgeSeconds }: StsPolicy): Pick<TlsResult, 'domain' | 'policy'> {
  const strings = ['version: STSv1', `mode: ${mode}`, ...mx.map((host) => `mx: ${host}`), `max_age: ${maxAgeSeconds}`]
  return { domain, policy: { type: 'sts', strings, mxHosts: mx } }
}
