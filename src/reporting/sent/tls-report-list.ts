/** Reports on TLS for the operator: counts by recipient, and reports in the queue. */
import { z } from 'zod'
import { type Clock, timestamp, utcDay } from '../../lib/clock.js'
import { timeSchema } from '../../mailbox/objects/objects.js'
import type { WorkQueue } from '../../queue/types.js'
import type { DomainCounts, TlsCounts } from './tls-counts.js'
import { composeId, dayOf, type DailyReportTask } from './daily-reports.js'
import { destinationName, type Destination } from './tls-report.js'

export const REPORT_KIND = 'tls-report'
type ReportTask = DailyReportTask<Destination>

export interface ReportQuery {
  domain?: string | undefined
  limit: number
}

export const reportEntrySchema = z.object({
  day: z.string().describe('UTC'),
  domain: z.string(),
  state: z
    .enum(['counting', 'waiting', 'sending'])
    .describe('counting: the day has not ended; waiting: it has ended; sending: the report is being delivered'),
  policies: z.array(z.string()).describe('Kinds of policy that applied to sessions'),
  sessions_ok: z.int().nullable().describe('Null once the report is made'),
  sessions_failed: z.int().nullable(),
  to: z.string().nullable().describe('The domain or host that gets the report, once that was looked up'),
  attempts: z.int().describe('Made so far, and failed'),
  next_at: timeSchema.nullable().describe('When it leaves, or is tried again; null when that is not known yet'),
})
export type ReportEntry = z.infer<typeof reportEntrySchema>

export const reportListSchema = z.object({ data: z.array(reportEntrySchema), has_more: z.boolean() })
export type ReportList = z.infer<typeof reportListSchema>

export interface ReportListDeps {
  counts: Pick<TlsCounts, 'days' | 'domains' | 'counts'>
  queue: Pick<WorkQueue, 'get' | 'all'>
  clock: Clock
}

const PAGE = 200

/** Queued reports first, then by day. */
export async function listReports(deps: ReportListDeps, { domain, limit }: ReportQuery): Promise<ReportList> {
  const found = await queuedReports(deps, domain)
  for (const day of await deps.counts.days()) {
    // One more than requested shows that there are more.
    if (found.length > limit) break
    found.push(...(await counted(deps, day, domain, limit + 1 - found.length)))
  }
  return { data: found.slice(0, limit), has_more: found.length > limit }
}

/** Few: a day's reports are limited, and none is tried for longer than a day. */
async function queuedReports({ queue }: ReportListDeps, domain: string | undefined): Promise<ReportEntry[]> {
  const found: ReportEntry[] = []
  for await (const { id, payload, attempts, due } of queue.all<ReportTask>(REPORT_KIND)) {
    if (payload.step !== 'send' || (domain !== undefined && payload.domain !== domain)) continue
    found.push({
      day: dayOf(id),
      domain: payload.domain,
      state: 'sending',
      policies: [],
      sessions_ok: null,
      sessions_failed: null,
      to: destinationName(payload.destination),
      attempts,
      next_at: timestamp(due),
    })
  }
  return found.sort((a, b) => compare(a.day, b.day) || compare(a.domain, b.domain))
}

async function counted(
  deps: ReportListDeps,
  day: string,
  domain: string | undefined,
  limit: number,
): Promise<ReportEntry[]> {
  const found: ReportEntry[] = []
  let after: string | undefined
  for (;;) {
    const domains = domain === undefined ? await deps.counts.domains(day, after, Math.min(PAGE, limit)) : [domain]
    for (const name of domains) {
      const counts = await deps.counts.counts(day, name)
      if (counts) found.push(await entryOf(deps, day, name, counts))
      if (found.length >= limit) return found
    }
    after = domains.at(-1)
    if (domain !== undefined || domains.length < Math.min(PAGE, limit)) return found
  }
}

async function entryOf(
  { queue, clock }: ReportListDeps,
  day: string,
  domain: string,
  { policies }: DomainCounts,
): Promise<ReportEntry> {
  const goesOn = day >= utcDay(clock.now())
  const task = goesOn ? undefined : await queue.get<ReportTask>(REPORT_KIND, composeId(day, domain))
  const sum = (key: 'successes' | 'failures'): number => policies.reduce((all, one) => all + one[key], 0)
  return {
    day,
    domain,
    state: goesOn ? 'counting' : 'waiting',
    policies: [...new Set(policies.map(({ policy }) => policy.type))],
    sessions_ok: sum('successes'),
    sessions_failed: sum('failures'),
    to: null,
    attempts: task?.attempts ?? 0,
    next_at: task ? timestamp(task.due) : null,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
