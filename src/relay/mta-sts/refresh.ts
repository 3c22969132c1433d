/** Refreshes stored MTA-STS policies (RFC 8461 §5.1, §10.2), so that those of domains with regular mail never expire: nobody can wait for that and block the next fetch. */
import { DAY, HOUR, type Clock } from '../../lib/clock.js'
import { type KeptPolicy, type PolicyStore, endOf, refreshAt } from './store.js'

export interface RefreshDeps {
  policies: Pick<PolicyStore, 'page'>
  clock: Clock
  /** Fetches a domain's policy; resolves with success. Never rejects. */
  renew: (domain: string) => Promise<boolean>
  maxAtOnce?: number | undefined
}

export interface Refreshed {
  refreshed: number
  failed: number
  /** Due, left for the next pass. */
  left: number
}

/** Domains with mail in this time are refreshed. */
const USED_LATELY_MS = 14 * DAY
/** Pause after a failure; mail to the domain tries sooner. */
const FAILED_REST_MS = 6 * HOUR
const MAX_AT_ONCE = 500
const CONCURRENCY = 4
const PAGE = 500

/** @returns runs one pass, those that expire first come first */
export function createRefresh(deps: RefreshDeps): (signal: AbortSignal) => Promise<Refreshed> {
  const { policies, clock, renew, maxAtOnce = MAX_AT_ONCE } = deps
  /** Domains whose last try failed, with its time. */
  let failedAt = new Map<string, number>()

  /** Without the policies: strangers choose their size, and there may be thousands. */
  async function findDue(signal: AbortSignal): Promise<{ domain: string; endsAt: number }[]> {
    const now = clock.now()
    const due: { domain: string; endsAt: number }[] = []
    const stillFailing = new Map<string, number>()
    let after: string | undefined
    for (;;) {
      const page = await policies.page(after, PAGE)
      for (const { domain, kept } of page) {
        const failed = failedAt.get(domain)
        if (failed !== undefined) stillFailing.set(domain, failed)
        if (failed !== undefined && failed + FAILED_REST_MS > now) continue
        if (isWanted(kept, now) && refreshAt(kept) <= now) due.push({ domain, endsAt: endOf(kept) })
      }
      after = page.at(-1)?.domain
      if (page.length < PAGE || signal.aborted) break
    }
    failedAt = stillFailing
    return due.sort((a, b) => a.endsAt - b.endsAt)
  }

  return async (signal) => {
    const due = await findDue(signal)
    const taken = due.slice(0, maxAtOnce)
    const done = { refreshed: 0, failed: 0 }
    const next = taken.values()
    const work = async (): Promise<void> => {
      for (const { domain } of next) {
        if (signal.aborted) return
        const came = await renew(domain)
        if (came) failedAt.delete(domain)
        else failedAt.set(domain, clock.now())
        done[came ? 'refreshed' : 'failed']++
      }
    }
    const all = Promise.all(Array.from({ length: CONCURRENCY }, work)).then(() => undefined)
    await unlessAborted(all, signal)
    return { ...done, left: due.length - done.refreshed - done.failed }
  }
}

function isWanted(kept: KeptPolicy, now: number): boolean {
  return endOf(kept) > now && now - (kept.usedAt ?? kept.fetchedAt) <= USED_LATELY_MS
}

/** Stopping does not wait for a slow host. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  let stop = (): void => undefined
  const aborted = new Promise<void>((resolve) => (stop = resolve))
  signal.addEventListener('abort', stop)
  await Promise.race([work, aborted])
  signal.removeEventListener('abort', stop)
}
