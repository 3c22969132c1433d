/** Counts TLS results of sessions by UTC day, domain and policy, for the next day's reports (RFC 8460 §4). Layout in daily-counts.ts. */
import type { Clock } from '../../lib/clock.js'
import { asciiOnly } from '../../lib/text.js'
import type { Log } from '../../observe/log.js'
import { decode, encode } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { createDailyCounts, domainKey, type Counted } from './daily-counts.js'
import type { TlsResult } from '../../relay/tls/tls-results.js'

export interface FailureCount {
  type: string
  mxHost: string
  receivingIp: string | null
  detail: string | null
  count: number
}

export interface PolicyCounts {
  policy: TlsResult['policy']
  successes: number
  /** All of them, including those beyond the limit of `details`. */
  failures: number
  details: FailureCount[]
}

export interface DomainCounts {
  policies: PolicyCounts[]
}

export interface TlsCountsDeps {
  store: Store
  clock: Clock
  isLocalDomain: (domain: string) => boolean
  log: Pick<Log, 'warn' | 'error'>
}

export type TlsCounts = ReturnType<typeof createTlsCounts>

/** Agents choose the domains, and strangers what is found there: both are bounded. */
const MAX_DOMAINS_A_DAY = 10_000
const MAX_POLICIES = 8
const MAX_DETAILS = 32
const MAX_STRINGS = 20
const MAX_STRING_CHARS = 300
const MAX_DETAIL_CHARS = 200
const MAX_HOST_CHARS = 255

export function createTlsCounts({ isLocalDomain, ...deps }: TlsCountsDeps) {
  const { add, read, ...daily } = createDailyCounts<TlsResult>({
    ...deps,
    name: 'tls-results',
    what: 'results of TLS',
    async put(tx, day, domain, collected) {
      const stored = await tx.get(domainKey(domain))
      if (!stored && day.domains >= MAX_DOMAINS_A_DAY) return
      if (!stored) day.domains++
      const counts: DomainCounts = stored ? decode(stored) : { policies: [] }
      for (const one of collected) addTo(counts, one)
      tx.put(domainKey(domain), encode(counts))
    },
  })
  return {
    ...daily,
    record(given: TlsResult): void {
      const domain = given.domain.toLowerCase()
      if (!isLocalDomain(domain)) add(domain, bounded({ ...given, domain }))
    },
    counts: (day: string, domain: string): Promise<DomainCounts | undefined> =>
      read(day, async (view) => {
        const bytes = await view.get(domainKey(domain))
        return bytes && decode<DomainCounts>(bytes)
      }),
  }
}

function bounded({ domain, policy, mxHost, receivingIp, outcome, detail }: TlsResult): TlsResult {
  const list = (texts: string[]): string[] =>
    texts.slice(0, MAX_STRINGS).map((text) => asciiOnly(text, MAX_STRING_CHARS))
  return {
    domain,
    policy: { type: policy.type, strings: list(policy.strings), mxHosts: list(policy.mxHosts) },
    // A success is counted by policy alone.
    mxHost: outcome === 'success' ? '' : asciiOnly(mxHost, MAX_HOST_CHARS),
    receivingIp: outcome === 'success' ? null : receivingIp,
    outcome,
    detail: outcome === 'success' || detail === null ? null : asciiOnly(detail, MAX_DETAIL_CHARS),
  }
}

function addTo({ policies }: DomainCounts, { item: result, count }: Counted<TlsResult>): void {
  const text = JSON.stringify(result.policy)
  let found = policies.find(({ policy }) => JSON.stringify(policy) === text)
  if (!found) {
    if (policies.length >= MAX_POLICIES) return
    found = { policy: result.policy, successes: 0, failures: 0, details: [] }
    policies.push(found)
  }
  if (result.outcome === 'success') {
    found.successes += count
    return
  }
  found.failures += count
  const { outcome: type, mxHost, receivingIp, detail } = result
  const same = found.details.find(
    (one) => one.type === type && one.mxHost === mxHost && one.receivingIp === receivingIp && one.detail === detail,
  )
  if (same) same.count += count
  else if (found.details.length < MAX_DETAILS) found.details.push({ type, mxHost, receivingIp, detail, count })
}
