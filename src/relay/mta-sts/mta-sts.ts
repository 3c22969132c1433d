/**
 * MTA-STS policies of the domains that mail goes to (RFC 8461). A policy once fetched holds for its `max_age`, whatever becomes of its record and
 * of its host in the meantime: otherwise an attacker would only have to keep both from us. So it is kept in the store, and outlives a restart.
 */
import { type Resolver, LookupError } from '../../dns/types.js'
import { DAY, MINUTE, type Clock } from '../../lib/clock.js'
import { asciiOnly } from '../../lib/text.js'
import type { Log } from '../../observe/log.js'
import type { Store } from '../../store/types.js'
import { fetchPolicy, type Fetched, type StsFetchDeps } from './fetch.js'
import { policyId, type StsPolicy } from './policy.js'
import { entryOf, type FetchProblem, type StsEntry, type StsList } from './list.js'
import { createRefresh, type Refreshed } from './refresh.js'
import { createPolicyStore, endOf, refreshAt, type PolicyStore } from './store.js'
import type { TlsResults } from '../tls/tls-results.js'

export interface MtaStsDeps extends StsFetchDeps {
  resolver: Pick<Resolver, 'txt' | 'a' | 'aaaa'>
  store: Store
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  tlsResults?: TlsResults | undefined
  /** Policies kept; those that were fetched longest ago make room. */
  maxPolicies?: number
  /** Policies that are fetched again in one pass. */
  maxRefreshed?: number
}

const MAX_POLICIES = 20_000
/** How exactly it is noted when a policy was in use. */
const NOTE_USE_MS = DAY
/** RFC 8461 §3.3: after a fetch that failed the host is left alone for a while. */
const FAILED_REST_MS = 5 * MINUTE
const MAX_FAILURES = 5000
const MAX_DETAIL_CHARS = 300
const PAGE = 500

/** The policies of all domains. */
export class MtaSts {
  readonly #deps: MtaStsDeps
  readonly #clock: Clock
  readonly #log: MtaStsDeps['log']
  readonly #policies: PolicyStore
  readonly #refresh: (signal: AbortSignal) => Promise<Refreshed>
  readonly #fetching = new Map<string, Promise<StsPolicy | undefined>>()
  /** The last failures, with the id they were about: for a while the domain's host is left alone with it. The oldest come first. */
  readonly #problems = new Map<string, FetchProblem & { id: string }>()
  readonly #noting = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(deps: MtaStsDeps) {
    this.#deps = deps
    this.#clock = deps.clock
    this.#log = deps.log
    this.#policies = createPolicyStore(deps.store, deps.maxPolicies ?? MAX_POLICIES)
    this.#refresh = createRefresh({
      policies: this.#policies,
      clock: deps.clock,
      renew: (domain) => this.#renewKept(domain),
      maxAtOnce: deps.maxRefreshed,
    })
  }

  /**
   * The policy that holds for a domain now. The first time it takes as long as its host does, at most a minute.
   *
   * @param domain in A-labels
   */
  async policyFor(domain: string): Promise<StsPolicy | undefined> {
    const [id, kept] = await Promise.all([this.#currentId(domain), this.#policies.get(domain)])
    const valid = kept && endOf(kept) > this.#clock.now() ? kept : undefined
    if (valid && this.#clock.now() - (valid.usedAt ?? 0) > NOTE_USE_MS) this.#noteUse(domain)
    if (valid && (id === undefined || id === valid.policy.id)) {
      // Mail does not wait for it.
      if (id !== undefined && refreshAt(valid) < this.#clock.now()) void this.#renew(domain, id, 'mail')
      return valid.policy
    }
    if (id === undefined) return undefined
    return (await this.#renew(domain, id, 'mail')) ?? valid?.policy
  }

  /** Fetches policies again of domains that got mail lately, before they end; for now and then. */
  refresh(signal: AbortSignal): Promise<Refreshed> {
    return this.#refresh(signal)
  }

  /** The policies that are kept, by domain; those that have ended too. */
  async list(limit: number): Promise<StsList> {
    const data: StsEntry[] = []
    let after: string | undefined
    for (;;) {
      // One more than is asked for tells that there are more.
      const wanted = Math.min(PAGE, limit + 1 - data.length)
      const page = await this.#policies.page(after, wanted)
      for (const { domain, kept } of page) data.push(entryOf(domain, kept, this.#problems.get(domain)))
      after = page.at(-1)?.domain
      if (page.length < wanted || data.length > limit) break
    }
    return { data: data.slice(0, limit), has_more: data.length > limit }
  }

  /** @returns undefined when nothing is known of the domain */
  async show(domain: string): Promise<StsEntry | undefined> {
    const [kept, problem] = [await this.#policies.get(domain), this.#problems.get(domain)]
    return kept || problem ? entryOf(domain, kept, problem) : undefined
  }

  /** The next mail to the domain fetches its policy anew. False when nothing was known of the domain. */
  async forget(domain: string): Promise<boolean> {
    const hadProblem = this.#problems.delete(domain)
    return (await this.#policies.remove(domain)) || hadProblem
  }

  /** Breaks off what is being fetched. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopped'))
    await Promise.all([...this.#fetching.values(), ...this.#noting.values()])
  }

  /** No mail waits for it: at worst the policy is fetched again with the next mail, and not before. */
  #noteUse(domain: string): void {
    if (this.#noting.has(domain)) return
    const noted = this.#policies
      .touch(domain, this.#clock.now())
      .catch((err: unknown) => this.#log.warn({ err, domain }, 'the use of an MTA-STS policy can not be noted'))
      .finally(() => this.#noting.delete(domain))
    this.#noting.set(domain, noted)
  }

  /** Undefined when there is no record, when it can't be read, and when DNS gives no answer. */
  async #currentId(domain: string): Promise<string | undefined> {
    try {
      return policyId(await this.#deps.resolver.txt(`_mta-sts.${domain}`))
    } catch (error) {
      if (error instanceof LookupError) return undefined
      throw error
    }
  }

  /** One fetch for all that want it at the same time. Never rejects. */
  #renew(domain: string, id: string, why: Why): Promise<StsPolicy | undefined> {
    const under = this.#fetching.get(domain)
    if (under) return under
    const problem = this.#problems.get(domain)
    const rests = problem !== undefined && problem.id === id && problem.at + FAILED_REST_MS > this.#clock.now()
    if (this.#stopping.signal.aborted || rests) return Promise.resolve(undefined)
    const started = this.#fetchAndKeep(domain, id, why)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.#log.warn({ err: error, domain }, 'MTA-STS policy can not be looked at')
        return undefined
      })
      .finally(() => this.#fetching.delete(domain))
    this.#fetching.set(domain, started)
    return started
  }

  async #fetchAndKeep(domain: string, id: string, why: Why): Promise<StsPolicy | undefined> {
    const fetched = await fetchPolicy(this.#deps, domain, id, this.#stopping.signal)
    if (fetched.kind === 'failed') {
      this.#failed(domain, id, fetched, why)
      return undefined
    }
    const { policy } = fetched
    this.#problems.delete(domain)
    const fetchedAt = this.#clock.now()
    try {
      await this.#policies.put(domain, { policy, fetchedAt, ...(why === 'mail' ? { usedAt: fetchedAt } : {}) })
    } catch (err) {
      // The mail that waits for it is held to it all the same.
      this.#log.warn({ err, domain }, 'MTA-STS policy can not be kept')
    }
    this.#log.info({ domain, mode: policy.mode, policy: id, max_age: policy.maxAgeSeconds }, 'MTA-STS policy fetched')
    return policy
  }

  #failed(domain: string, id: string, fetched: Extract<Fetched, { kind: 'failed' }>, why: Why): void {
    const { failure } = fetched
    const words = asciiOnly(fetched.detail, MAX_DETAIL_CHARS)
    this.#problems.delete(domain)
    this.#problems.set(domain, { id, at: this.#clock.now(), detail: words })
    for (const oldest of this.#problems.keys()) {
      if (this.#problems.size <= MAX_FAILURES) break
      this.#problems.delete(oldest)
    }
    this.#log.warn({ domain, policy: id, failure, detail: words }, 'MTA-STS policy can not be fetched')
    // RFC 8460 §4.4 counts sessions, and there was to be none.
    if (why === 'refresh') return
    this.#deps.tlsResults?.record({
      domain,
      policy: { type: 'sts', strings: [], mxHosts: [] },
      mxHost: '',
      receivingIp: null,
      outcome: failure,
      detail: words,
    })
  }

  /** Without a record there is nothing to fetch: the policy holds until it ends. Never rejects. */
  async #renewKept(domain: string): Promise<boolean> {
    try {
      const id = await this.#currentId(domain)
      return id !== undefined && (await this.#renew(domain, id, 'refresh')) !== undefined
    } catch (err) {
      this.#log.warn({ err, domain }, 'MTA-STS policy can not be looked at')
      return false
    }
  }
}

/** Whether mail waits for a policy. */
type Why = 'mail' | 'refresh'
