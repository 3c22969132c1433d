/** MTA-STS policies of recipient domains (RFC 8461). A policy is valid for its `max_age`, whatever happens to its record and host, which an attacker could block. */
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
  /** Max policies; the oldest fetched are dropped. */
  maxPolicies?: number
}

const MAX_POLICIES = 20_000
/** Precision of the recorded last use. */
const NOTE_USE_MS = DAY
/** RFC 8461 §3.3: pause after a failed fetch. */
const FAILED_REST_MS = 5 * MINUTE
const MAX_FAILURES = 5000
const MAX_DETAIL_CHARS = 300
const PAGE = 500

export class MtaSts {
  readonly #policies: PolicyStore
  readonly #refresh: (signal: AbortSignal) => Promise<Refreshed>
  readonly #fetching = new Map<string, Promise<StsPolicy | undefined>>()
  /** Last failures with the policy id: the host is paused for it. Oldest first. */
  readonly #problems = new Map<string, FetchProblem & { id: string }>()
  readonly #noting = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(private readonly deps: MtaStsDeps) {
    this.#policies = createPolicyStore(deps.store, deps.maxPolicies ?? MAX_POLICIES)
    this.#refresh = createRefresh({
      policies: this.#policies,
      clock: deps.clock,
      renew: (domain) => this.#renewKept(domain),
    })
  }

  /** The valid policy of a domain, in A-labels. The first time this waits for its host, a minute at most. */
  async policyFor(domain: string): Promise<StsPolicy | undefined> {
    const [id, kept] = await Promise.all([this.#currentId(domain), this.#policies.get(domain)])
    const valid = kept && endOf(kept) > this.deps.clock.now() ? kept : undefined
    if (valid && this.deps.clock.now() - (valid.usedAt ?? 0) > NOTE_USE_MS) this.#noteUse(domain)
    if (valid && (id === undefined || id === valid.policy.id)) {
      // Mail does not wait for it.
      if (id !== undefined && refreshAt(valid) < this.deps.clock.now()) void this.#renew(domain, id, 'mail')
      return valid.policy
    }
    if (id === undefined) return undefined
    return (await this.#renew(domain, id, 'mail')) ?? valid?.policy
  }

  /** Refreshes policies of recently used domains before they expire. */
  refresh(signal: AbortSignal): Promise<Refreshed> {
    return this.#refresh(signal)
  }

  /** Stored policies by domain, expired ones too. */
  async list(limit: number): Promise<StsList> {
    const data: StsEntry[] = []
    let after: string | undefined
    for (;;) {
      // One more than requested shows that there are more.
      const wanted = Math.min(PAGE, limit + 1 - data.length)
      const page = await this.#policies.page(after, wanted)
      for (const { domain, kept } of page) data.push(entryOf(domain, kept, this.#problems.get(domain)))
      after = page.at(-1)?.domain
      if (page.length < wanted || data.length > limit) break
    }
    return { data: data.slice(0, limit), has_more: data.length > limit }
  }

  /** @returns undefined for an unknown domain */
  async show(domain: string): Promise<StsEntry | undefined> {
    const [kept, problem] = [await this.#policies.get(domain), this.#problems.get(domain)]
    return kept || problem ? entryOf(domain, kept, problem) : undefined
  }

  /** The next mail to the domain fetches its policy again. False for an unknown domain. */
  async forget(domain: string): Promise<boolean> {
    const hadProblem = this.#problems.delete(domain)
    return (await this.#policies.remove(domain)) || hadProblem
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopped'))
    await Promise.all([...this.#fetching.values(), ...this.#noting.values()])
  }

  /** Fire and forget: at worst the policy is fetched with the next mail. */
  #noteUse(domain: string): void {
    if (this.#noting.has(domain)) return
    const noted = this.#policies
      .touch(domain, this.deps.clock.now())
      .catch((err: unknown) => this.deps.log.warn({ err, domain }, 'the use of an MTA-STS policy cannot be noted'))
      .finally(() => this.#noting.delete(domain))
    this.#noting.set(domain, noted)
  }

  /** Undefined without a record, for an unreadable one, and without an answer from DNS. */
  async #currentId(domain: string): Promise<string | undefined> {
    try {
      return policyId(await this.deps.resolver.txt(`_mta-sts.${domain}`))
    } catch (error) {
      if (error instanceof LookupError) return undefined
      throw error
    }
  }

  /** Concurrent callers share one fetch. Never rejects. */
  #renew(domain: string, id: string, why: Why): Promise<StsPolicy | undefined> {
    const under = this.#fetching.get(domain)
    if (under) return under
    const problem = this.#problems.get(domain)
    const rests = problem !== undefined && problem.id === id && problem.at + FAILED_REST_MS > this.deps.clock.now()
    if (this.#stopping.signal.aborted || rests) return Promise.resolve(undefined)
    const started = this.#fetchAndKeep(domain, id, why)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.deps.log.warn({ err: error, domain }, 'MTA-STS policy cannot be checked')
        return undefined
      })
      .finally(() => this.#fetching.delete(domain))
    this.#fetching.set(domain, started)
    return started
  }

  async #fetchAndKeep(domain: string, id: string, why: Why): Promise<StsPolicy | undefined> {
    const fetched = await fetchPolicy(this.deps, domain, id, this.#stopping.signal)
    if (fetched.kind === 'failed') {
      this.#failed(domain, id, fetched, why)
      return undefined
    }
    const { policy } = fetched
    this.#problems.delete(domain)
    const fetchedAt = this.deps.clock.now()
    try {
      await this.#policies.put(domain, { policy, fetchedAt, ...(why === 'mail' ? { usedAt: fetchedAt } : {}) })
    } catch (err) {
      // It still applies to the mail that waits for it.
      this.deps.log.warn({ err, domain }, 'MTA-STS policy cannot be kept')
    }
    this.deps.log.info(
      { domain, mode: policy.mode, policy: id, max_age: policy.maxAgeSeconds },
      'MTA-STS policy fetched',
    )
    return policy
  }

  #failed(domain: string, id: string, fetched: Extract<Fetched, { kind: 'failed' }>, why: Why): void {
    const { failure } = fetched
    const words = asciiOnly(fetched.detail, MAX_DETAIL_CHARS)
    this.#problems.delete(domain)
    this.#problems.set(domain, { id, at: this.deps.clock.now(), detail: words })
    for (const oldest of this.#problems.keys()) {
      if (this.#problems.size <= MAX_FAILURES) break
      this.#problems.delete(oldest)
    }
    this.deps.log.warn({ domain, policy: id, failure, detail: words }, 'MTA-STS policy cannot be fetched')
    // RFC 8460 §4.4 counts sessions, and there was none.
    if (why === 'refresh') return
    this.deps.tlsResults?.record({
      domain,
      policy: { type: 'sts', strings: [], mxHosts: [] },
      mxHost: '',
      receivingIp: null,
      outcome: failure,
      detail: words,
    })
  }

  /** Without a record there is nothing to fetch: the policy stays until it expires. Never rejects. */
  async #renewKept(domain: string): Promise<boolean> {
    try {
      const id = await this.#currentId(domain)
      return id !== undefined && (await this.#renew(domain, id, 'refresh')) !== undefined
    } catch (err) {
      this.deps.log.warn({ err, domain }, 'MTA-STS policy cannot be checked')
      return false
    }
  }
}

type Why = 'mail' | 'refresh'
