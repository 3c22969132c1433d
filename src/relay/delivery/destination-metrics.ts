/** Metrics by destination, bounded: a domain gets its own time series after some attempts, and keeps it until a quiet day; all others are `other`. */
import { type Clock, DAY } from '../../lib/clock.js'
import type { Metrics } from '../../observe/metrics.js'

const OTHER = 'other'
const MAX_NAMED = 50
const TO_BE_NAMED = 5
/** Max destinations counted before they are named. */
const MAX_CANDIDATES = 1000
const QUIET_MS = DAY
/** Seconds: from a local server to a tarpit. */
const BUCKETS = [0.1, 0.5, 1, 5, 30, 120, 600]

export function createDestinationMetrics({ metrics, clock }: { metrics: Metrics; clock: Clock }) {
  const recipients = metrics.counter(
    'relay_destination_recipients_total',
    'Recipients of delivery attempts by destination domain and how it went for them.',
    ['destination', 'status'],
  )
  const seconds = metrics.histogram(
    'relay_destination_attempt_seconds',
    'How long delivery attempts took, by destination domain.',
    BUCKETS,
    ['destination'],
  )
  const active = new Map<string, number>()
  metrics.gauges(
    'relay_destination_active',
    'Delivery attempts at work, by destination domain.',
    'destination',
    () => active,
  )

  const named = new Map<string, number>()
  const statuses = new Map<string, Set<string>>()
  const candidates = new Map<string, number>()

  function nameOf(domain: string): string {
    const now = clock.now()
    if (!named.has(domain)) {
      const attempts = (candidates.get(domain) ?? 0) + 1
      if (attempts < TO_BE_NAMED || !makeRoom(now)) {
        if (candidates.size >= MAX_CANDIDATES && !candidates.has(domain)) candidates.clear()
        candidates.set(domain, attempts)
        return OTHER
      }
      candidates.delete(domain)
    }
    named.set(domain, now)
    return domain
  }

  function makeRoom(now: number): boolean {
    if (named.size < MAX_NAMED) return true
    const quiet = [...named].find(([domain, last]) => last <= now - QUIET_MS && !active.has(domain))
    if (!quiet) return false
    const [destination] = quiet
    named.delete(destination)
    for (const status of statuses.get(destination) ?? []) recipients.remove({ destination, status })
    statuses.delete(destination)
    seconds.remove({ destination })
    return true
  }

  return {
    /** Starts an attempt; the returned function ends it, with the recipients by status if there was a result. */
    begin(domain: string): (counts?: Partial<Record<string, number>>) => void {
      const destination = nameOf(domain)
      const startedAt = performance.now()
      active.set(destination, (active.get(destination) ?? 0) + 1)
      return (counts = {}) => {
        const left = (active.get(destination) ?? 1) - 1
        if (left > 0) active.set(destination, left)
        else active.delete(destination)
        seconds.observe({ destination }, (performance.now() - startedAt) / 1000)
        const seen = statuses.get(destination) ?? new Set()
        statuses.set(destination, seen)
        for (const [status, count = 0] of Object.entries(counts)) {
          seen.add(status)
          recipients.inc({ destination, status }, count)
        }
      }
    },
  }
}
