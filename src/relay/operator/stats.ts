/** Queue statistics: states and destinations. One scan, keeping counts only. */
import { type Clock, timestamp } from '../../lib/clock.js'
import type { WorkQueue } from '../../queue/types.js'
import type { QueueStats } from './types.js'
import { everyWaiting, matchesFilter, stateOf, type State, type TaskFilter } from './waiting.js'

interface Counts {
  states: Record<State, number>
  tasks: number
  oldest: number
}

const SHOWN = 20
/** Max destinations counted separately. The smallest make room for new ones, so small numbers are lower bounds. */
const MAX_COUNTED = 10_000

export async function countQueue(
  { queue, clock }: { queue: Pick<WorkQueue, 'all' | 'get'>; clock: Clock },
  filter: TaskFilter = {},
): Promise<QueueStats> {
  const now = clock.now()
  const total = noCounts()
  let notices = 0
  const byDomain = new Map<string, Counts>()
  for await (const task of everyWaiting(queue)) {
    if (!matchesFilter(task, filter)) continue
    const state = stateOf(task, now)
    if (task.kind === 'notice') notices++
    let counts = byDomain.get(task.domain)
    if (!counts) {
      if (byDomain.size >= MAX_COUNTED) dropSmall(byDomain)
      byDomain.set(task.domain, (counts = noCounts()))
    }
    for (const one of [total, counts]) {
      one.tasks++
      one.states[state]++
      one.oldest = Math.min(one.oldest, task.queuedAt)
    }
  }
  const shown = [...byDomain].sort(([, a], [, b]) => b.tasks - a.tasks).slice(0, SHOWN)
  return {
    tasks: total.tasks,
    notices,
    states: total.states,
    oldest_queued_at: total.tasks === 0 ? null : timestamp(total.oldest),
    destinations: shown.map(([domain, { tasks, states, oldest }]) => ({
      domain,
      tasks,
      ...states,
      oldest_queued_at: timestamp(oldest),
    })),
    tasks_elsewhere: total.tasks - shown.reduce((sum, [, { tasks }]) => sum + tasks, 0),
  }
}

function noCounts(): Counts {
  return { states: { sending: 0, queued: 0, deferred: 0, held: 0 }, tasks: 0, oldest: Infinity }
}

/** Drops those below the median, half at a time, so the cost per task is negligible. */
function dropSmall(byDomain: Map<string, Counts>): void {
  const sorted = [...byDomain].sort(([, a], [, b]) => a.tasks - b.tasks)
  for (const [domain] of sorted.slice(0, MAX_COUNTED / 2)) byDomain.delete(domain)
}
