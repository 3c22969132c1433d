/** Daily reports: each domain with counts of an ended day becomes a task, due within hours, which looks up destinations; each of these becomes a task, retried for most of a day. */
import type { Signer } from '../../authentication/types.js'
import { DAY, HOUR, type Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import type { Courier, Send, Trip } from '../../relay/delivery/courier.js'
import { endOfDay } from '../../store/days.js'
import type { DailyCounts } from './daily-counts.js'
import type { Outcome } from '../../relay/outcome.js'
import { nextWait } from '../../relay/schedule.js'

export interface DailyReportsDeps {
  queue: Pick<WorkQueue, 'enqueue' | 'get' | 'all' | 'reschedule'>
  /** Its sessions are not counted (RFC 8460 §3). */
  courier: Courier
  signer: Signer
  /** Reports come from its postmaster, signed. */
  primaryDomain: string
  /** In [0, 1), for sending times and the retry schedule. */
  random?: (() => number) | undefined
  clock: Clock
  log: Log
  metrics?: Metrics | undefined
}

export interface Composed<D> {
  destination: D
  content: string
}

export interface DailyWork<D> {
  kind: string
  /** For the log: `report on TLS`, and its plural. */
  what: string
  several: string
  onAttempt: (status: Outcome['kind']) => void
  counts: Pick<DailyCounts<unknown>, 'endedDays' | 'domains' | 'finish' | 'reports' | 'dropDay'>
  /** Composes the reports on a domain's day, one per destination; undefined if DNS gives no answer now. */
  compose(day: string, domain: string): Promise<Composed<D>[] | undefined>
  nameOf(destination: D): string
  deliver(destination: D, content: string, mail: (to: string, tls: Trip['tls']) => Promise<Outcome>): Promise<Outcome>
}

/** Ids of tasks begin with the day. */
export type DailyReportTask<D> =
  | { step: 'compose'; day: string; domain: string }
  /** `content` is the whole mail, one character per byte, or what is posted instead. */
  | { step: 'send'; domain: string; destination: D; content: string }

export const composeId = (day: string, domain: string): string => `${day}:${domain}`
export const dayOf = (taskId: string): string => taskId.slice(0, taskId.indexOf(':'))

export type DailyReports = ReturnType<typeof startDailyReports>

const CONCURRENCY = 5
/** A little over 16 hours by the retry schedule; RFC 8460 §5.5 ends after 24. */
const MAX_ATTEMPTS = 11
/** RFC 8460 §4.1: spread over up to four hours, so that not everybody reports at midnight. */
const SPREAD_MS = 4 * HOUR
/** Older reports are no longer useful. */
const MAX_AGE_MS = 2 * DAY
const MAX_REPORTS_A_DAY = 2000
const PAGE = 500
/** Their commits are shared per shard. */
const TASKS_AT_ONCE = 100

export function startDailyReports<D>(deps: DailyReportsDeps, work: DailyWork<D>) {
  type ReportTask = DailyReportTask<D>
  const { queue, clock, log, primaryDomain } = deps
  const { kind: KIND, counts } = work
  const random = deps.random ?? Math.random
  async function handle(task: Task<ReportTask>, send: Send): Promise<TaskOutcome<ReportTask>> {
    const { payload } = task
    const attempt = task.attempts + 1
    const wait = attempt < MAX_ATTEMPTS ? nextWait(attempt, random() * 2 - 1) : undefined
    if (payload.step === 'compose') {
      const done = await compose(payload.day, payload.domain, wait === undefined)
      return done || wait === undefined ? { done: true } : { done: false, retryAt: clock.now() + wait }
    }
    const { domain, destination, content } = payload
    const outcome = await work.deliver(destination, content, (to, tls) => mail(task.id, content, to, tls, send))
    const again = outcome.kind === 'deferred' && wait !== undefined
    work.onAttempt(outcome.kind)
    const { kind: status, smtpCode: code } = outcome
    const line = { domain, to: work.nameOf(destination), attempt, status, code, again }
    log.info(outcome.kind === 'delivered' ? line : { ...line, detail: outcome.detail }, work.what)
    return again ? { done: false, retryAt: clock.now() + wait } : { done: true }
  }

  /** @returns false if DNS gives no answer now */
  async function compose(day: string, domain: string, lastTry: boolean): Promise<boolean> {
    const wanted = (await counts.reports(day)) < MAX_REPORTS_A_DAY ? await work.compose(day, domain) : []
    if (wanted === undefined && !lastTry) return false
    const made = wanted ?? []
    for (const [i, { destination, content }] of made.entries()) {
      // Queued before the counts are removed: a crash in between queues the same again.
      const payload: ReportTask = { step: 'send', domain, destination, content }
      await queue.enqueue<ReportTask>(KIND, { id: `${composeId(day, domain)}:${i}`, payload, due: clock.now() })
    }
    await counts.finish(day, domain, made.length > 0)
    return true
  }

  /** From the null sender, so that nothing comes back. */
  function mail(id: string, content: string, to: string, tls: Trip['tls'], send: Send): Promise<Outcome> {
    const sign = (raw: Buffer): Promise<Buffer> => deps.signer.sign(raw, primaryDomain)
    return send({ id, from: '', to, tls, raw: Buffer.from(content, 'latin1'), sign })
  }

  const running = deps.courier.start<ReportTask>({ kind: KIND, what: work.several, concurrency: CONCURRENCY, handle })

  async function queueDay(day: string, signal: AbortSignal): Promise<number> {
    let queued = 0
    let after: string | undefined
    for (;;) {
      const domains = await counts.domains(day, after, PAGE)
      for (let i = 0; i < domains.length; i += TASKS_AT_ONCE) {
        if (signal.aborted) return queued
        const some = domains.slice(i, i + TASKS_AT_ONCE)
        await Promise.all(some.map((domain) => queueReport(day, domain)))
        queued += some.length
      }
      after = domains.at(-1)
      if (domains.length < PAGE) return queued
    }
  }

  /** An already queued task stays as it is. */
  function queueReport(day: string, domain: string): Promise<void> {
    const due = Math.max(clock.now(), endOfDay(day) + Math.floor(random() * SPREAD_MS))
    const payload: ReportTask = { step: 'compose', day, domain }
    return queue.enqueue<ReportTask>(KIND, { id: composeId(day, domain), payload, due })
  }

  /** Queues the reports of ended days. Idempotent. */
  async function queueEnded(signal: AbortSignal): Promise<{ queued: number }> {
    let queued = 0
    for (const day of await counts.endedDays()) {
      if (signal.aborted) break
      const tooOld = endOfDay(day) + MAX_AGE_MS < clock.now()
      const left = tooOld ? 0 : await queueDay(day, signal)
      if (left === 0 && !signal.aborted) await counts.dropDay(day)
      queued += left
    }
    return { queued }
  }

  const stopping = new AbortController()
  // A day may have ended while the daemon was off, and the next scheduled look is up to an hour away.
  const atStart = queueEnded(stopping.signal).catch((err: unknown) => {
    if (!stopping.signal.aborted)
      log.warn({ err }, 'ended days cannot be looked for now; the next look is within the hour')
  })

  return {
    queueEnded,
    /** Sends the reports of ended days now, whatever their time. @param domain only that one */
    async sendNow(domain: string | undefined): Promise<{ sent: number }> {
      await queueEnded(stopping.signal)
      let sent = 0
      let some: string[] = []
      const dispatch = async (): Promise<void> => {
        const moved = await Promise.all(some.map((id) => queue.reschedule(KIND, id, clock.now())))
        sent += moved.filter(Boolean).length
        some = []
      }
      for await (const { id, payload, leased } of queue.all<ReportTask>(KIND)) {
        if (stopping.signal.aborted) break
        if (leased || (domain !== undefined && payload.domain !== domain)) continue
        if (some.push(id) >= TASKS_AT_ONCE) await dispatch()
      }
      await dispatch()
      log.info({ sent, ...(domain === undefined ? {} : { domain }) }, `the operator has ${work.several} sent now`)
      return { sent }
    },
    async stop(): Promise<void> {
      stopping.abort()
      await atStart
      await running.stop()
    },
  }
}
