/**
 * MTA-STS policies of the domains that mail goes to (RFC 8461). A policy once fetched holds for its `max_age`, whatever becomes of its record and
 * of its host in the meantime: otherwise an attacker would only have to keep both from us. So it is kept in the store, and outlives a restart.
 */
import type { Resolver } from '../dns/types.js'
import { LookupError } from '../dns/types.js'
import { DAY, MINUTE, SECOND } from '../lib/clock.js'
import type { Clock } from '../lib/clock.js'
import { asciiOnly } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import type { Store } from '../store/types.js'
import { fetchPolicy } from './mta-sts-fetch.js'
import type { Fetched, StsFetchDeps } from './mta-sts-fetch.js'
import { policyId } from './mta-sts-policy.js'
import type { StsPolicy } from './mta-sts-policy.js'
import { createPolicyStore } from './mta-sts-store.js'
import type { KeptPolicy } from './mta-sts-store.js'
import type { TlsResults } from './tls-results.js'

export interface MtaStsDeps extends StsFetchDeps {
  resolver: Pick<Resolver, 'txt' | 'a' | 'aaaa'>
  store: Store
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  tlsResults?: TlsResults | undefined
  /** Policies kept; those that were fetched longest ago make room. */
  maxPolicies?: number
}

export interface MtaSts {
  /**
   * The policy that holds for a domain now. The first time it takes as long as its host does, at most a minute.
   *
   * @param domain in A-labels
   */
  policyFor(domain: string): Promise<StsPolicy | undefined>
  /** Breaks off what is being fetched. */
  stop(): Promise<void>
}

const MAX_POLICIES = 20_000
/** RFC 8461 §3.3: a policy in use is fetched again long before it ends, also when its id is the old one. */
const REFRESH_MS = DAY
/** RFC 8461 §3.3: after a fetch that failed the host is left alone for a while. */
const FAILED_REST_MS = 5 * MINUTE
const MAX_FAILURES = 5000
const MAX_DETAIL_CHARS = 300
/** A policy that ends sooner would be fetched for each message. */
const MIN_AGE_MS = 10 * MINUTE

export function createMtaSts(deps: MtaStsDeps): MtaSts {
  const { clock, log, resolver, tlsResults } = deps
  const policies = createPolicyStore(deps.store, deps.maxPolicies ?? MAX_POLICIES)
  const fetching = new Map<string, Promise<StsPolicy | undefined>>()
  /** Until when a domain's host is left alone, for the id it failed with. The oldest come first. */
  const resting = new Map<string, { id: string; until: number }>()
  const stopping = new AbortController()

  async function policyFor(domain: string): Promise<StsPolicy | undefined> {
    const [id, kept] = await Promise.all([currentId(domain), policies.get(domain)])
    const valid = kept && endOf(kept) > clock.now() ? kept : undefined
    if (valid && (id === undefined || id === valid.policy.id)) {
      // Mail does not wait for it.
      if (id !== undefined && clock.now() - valid.fetchedAt > Math.min(REFRESH_MS, lifeOf(valid) / 2))
        void renew(domain, id)
      return valid.policy
    }
    if (id === undefined) return undefined
    return (await renew(domain, id)) ?? valid?.policy
  }

  /** Undefined when there is no record, when it can't be read, and when DNS gives no answer. */
  async function currentId(domain: string): Promise<string | undefined> {
    try {
      return policyId(await resolver.txt(`_mta-sts.${domain}`))
    } catch (error) {
      if (error instanceof LookupError) return undefined
      throw error
    }
  }

  /** One fetch for all that want it at the same time. Never rejects. */
  function renew(domain: string, id: string): Promise<StsPolicy | undefined> {
    const under = fetching.get(domain)
    if (under) return under
    const rest = resting.get(domain)
    if (stopping.signal.aborted || (rest && rest.id === id && rest.until > clock.now()))
      return Promise.resolve(undefined)
    const started = fetchAndKeep(domain, id)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error, domain }, 'MTA-STS policy can not be looked at')
        return undefined
      })
      .finally(() => fetching.delete(domain))
    fetching.set(domain, started)
    return started
  }

  async function fetchAndKeep(domain: string, id: string): Promise<StsPolicy | undefined> {
    const fetched = await fetchPolicy(deps, domain, id, stopping.signal)
    if (fetched.kind === 'failed') {
      failed(domain, id, fetched)
      return undefined
    }
    const { policy } = fetched
    resting.delete(domain)
    try {
      await policies.put(domain, { policy, fetchedAt: clock.now() })
    } catch (err) {
      // The mail that waits for it is held to it all the same.
      log.warn({ err, domain }, 'MTA-STS policy can not be kept')
    }
    log.info({ domain, mode: policy.mode, policy: id, max_age: policy.maxAgeSeconds }, 'MTA-STS policy fetched')
    return policy
  }

  function failed(domain: string, id: string, { failure, detail }: Extract<Fetched, { kind: 'failed' }>): void {
    resting.delete(domain)
    resting.set(domain, { id, until: clock.now() + FAILED_REST_MS })
    for (const oldest of resting.keys()) {
      if (resting.size <= MAX_FAILURES) break
      resting.delete(oldest)
    }
    const words = asciiOnly(detail, MAX_DETAIL_CHARS)
    log.warn({ domain, policy: id, failure, detail: words }, 'MTA-STS policy can not be fetched')
    tlsResults?.record({
      domain,
      policy: { type: 'sts', strings: [], mxHosts: [] },
      mxHost: '',
      receivingIp: null,
      outcome: failure,
      detail: words,
    })
  }

  return {
    policyFor,
    async stop() {
      stopping.abort(new Error('stopped'))
      await Promise.all(fetching.values())
    },
  }
}

function lifeOf({ policy }: KeptPolicy): number {
  return Math.max(policy.maxAgeSeconds * SECOND, MIN_AGE_MS)
}

function endOf(kept: KeptPolicy): number {
  return kept.fetchedAt + lifeOf(kept)
}
