/**
 * Daily reports on TLS to the domains that ask for them (RFC 8460). Once a day has ended each domain with results becomes a task, due at some
 * time of the next hours; it looks up who wants the report, and each of those becomes a task of its own, tried for most of a day.
 *
 * A report travels outside of what it reports on: whatever TLS is like over there, it is delivered, and its own sessions are not counted (§3).
 */
import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { Signer } from '../authentication/types.js'
import { LookupError, type Resolver } from '../dns/types.js'
import { DAY, HOUR } from '../lib/clock.js'
import { domainOf } from '../mime/address.js'
import { composeTlsReportMail } from '../mime/tls-report-mail.js'
import type { Metrics } from '../observe/metrics.js'
import type { Task, TaskOutcome, WorkQueue } from '../store/types.js'
import { outcomeFor, startCourier } from './courier.js'
import type { CourierDeps, Send } from './courier.js'
import { deliverLocally } from './local.js'
import type { LocalDeps } from './local.js'
import type { Outcome } from './outcome.js'
import { postReport } from './report-post.js'
import { nextWait } from './schedule.js'
import { endOfDay } from './tls-counts.js'
import type { TlsCounts } from './tls-counts.js'
import { composeReport, destinationName, destinationsOf, reportFileName, reportTitle } from './tls-report.js'
import type { Destination, ReportSender } from './tls-report.js'
import { listReports } from './tls-report-list.js'
import type { ReportList, ReportQuery } from './tls-report-list.js'
import { composeId, REPORT_KIND as KIND, sendId } from './tls-report-tasks.js'
import type { ReportTask } from './tls-report-tasks.js'

export interface TlsReportsDeps extends LocalDeps, Omit<CourierDeps, 'tlsResults'> {
  queue: Pick<WorkQueue, 'enqueue' | 'run' | 'get' | 'all' | 'reschedule'>
  counts: Pick<TlsCounts, 'days' | 'endedDays' | 'domains' | 'counts' | 'finish' | 'reports' | 'dropDay'>
  resolver: CourierDeps['resolver'] & Pick<Resolver, 'a' | 'aaaa' | 'txt'>
  signer: Signer
  isLocalDomain: (domain: string) => boolean
  /** Reports come from its postmaster and are signed by it. */
  primaryDomain: string
  /** In [-1, 1), for the retry schedule. */
  jitter?: () => number
  /** In [0, 1), for the time at which a report leaves. */
  random?: () => number
  metrics?: Metrics | undefined
}

export interface TlsReports {
  /** Queues the reports of the days that have ended. Idempotent. */
  queueEnded(signal: AbortSignal): Promise<{ queued: number }>
  /** What is counted and what is on its way. */
  list(wanted: ReportQuery): Promise<ReportList>
  /**
   * Has the reports of days that have ended leave now, whatever time they were to leave at or be tried again.
   *
   * @param domain of that domain alone
   */
  sendNow(domain: string | undefined): Promise<{ sent: number }>
  stop(): Promise<void>
}

const CONCURRENCY = 5
/** A little over 16 hours by the retry schedule; RFC 8460 §5.5 ends after 24. */
const MAX_ATTEMPTS = 11
/** RFC 8460 §4.1: spread over up to four hours, so that not all the world reports at midnight. */
const SPREAD_MS = 4 * HOUR
/** A daemon that was off for longer has nothing to tell that still helps. */
const MAX_AGE_MS = 2 * DAY
const MAX_REPORTS_A_DAY = 2000
const PAGE = 500
/** Their commits share one for each shard. */
const TASKS_AT_ONCE = 100

const compress = promisify(gzip)

export function startTlsReports(deps: TlsReportsDeps): TlsReports {
  const { counts, queue, clock, log, primaryDomain, resolver } = deps
  const jitter = deps.jitter ?? (() => Math.random() * 2 - 1)
  const random = deps.random ?? Math.random
  const counter = deps.metrics?.counter('tls_reports_total', 'Attempts to deliver a report on TLS, by how they went.', [
    'status',
  ])
  async function handle(task: Task<ReportTask>, send: Send): Promise<TaskOutcome<ReportTask>> {
    const { payload } = task
    const attempt = task.attempts + 1
    const wait = attempt < MAX_ATTEMPTS ? nextWait(attempt, jitter()) : undefined
    if (payload.step === 'compose') {
      const done = await compose(payload.day, payload.domain, wait === undefined)
      return done || wait === undefined ? { done: true } : { done: false, retryAt: clock.now() + wait }
    }
    const { domain, destination } = payload
    const outcome = await deliver(task.id, payload, send)
    const again = outcome.kind === 'deferred' && wait !== undefined
    counter?.inc({ status: outcome.kind })
    const line = {
      task_id: task.id,
      domain,
      to: destinationName(destination),
      attempt,
      status: outcome.kind,
      code: outcome.smtpCode,
      again,
    }
    log.info(outcome.kind === 'delivered' ? line : { ...line, detail: outcome.detail }, 'report on TLS')
    return again ? { done: false, retryAt: clock.now() + wait } : { done: true }
  }

  /** @returns false when DNS gives no answer now */
  async function compose(day: string, domain: string, lastTry: boolean): Promise<boolean> {
    const found = await counts.counts(day, domain)
    if (!found) return true
    const wanted = (await counts.reports(day)) < MAX_REPORTS_A_DAY ? await lookUp(domain) : []
    if (wanted === undefined && !lastTry) return false
    const destinations = wanted ?? []
    if (destinations.length > 0) {
      const report = await compress(JSON.stringify(composeReport(day, domain, found, await sender())))
      for (const [i, destination] of destinations.entries()) {
        const content = contentFor(day, domain, destination, report)
        // Queued before the counts are taken away: a crash in between queues the same again.
        const payload: ReportTask = { step: 'send', domain, destination, content }
        await queue.enqueue<ReportTask>(KIND, { id: sendId(day, domain, i), payload, due: clock.now() })
      }
    }
    await counts.finish(day, domain, destinations.length > 0)
    return true
  }

  /** Undefined when DNS gives no answer now. */
  async function lookUp(domain: string): Promise<Destination[] | undefined> {
    try {
      return destinationsOf(await resolver.txt(`_smtp._tls.${domain}`))
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      return error.failure === 'temporary' ? undefined : []
    }
  }

  async function sender(): Promise<ReportSender> {
    const answers = await Promise.allSettled([resolver.a(deps.hostname), resolver.aaaa(deps.hostname)])
    return {
      domain: primaryDomain,
      contact: `postmaster@${primaryDomain}`,
      addresses: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    }
  }

  function contentFor(day: string, domain: string, destination: Destination, report: Buffer): string {
    if (destination.kind === 'https') return report.toString('base64')
    return composeTlsReportMail({
      domain,
      submitter: primaryDomain,
      from: `postmaster@${primaryDomain}`,
      to: destination.address,
      subject: reportTitle(day, domain, primaryDomain),
      fileName: reportFileName(day, domain, primaryDomain),
      report,
      now: clock.now(),
    }).toString('latin1')
  }

  async function deliver(id: string, task: Extract<ReportTask, { step: 'send' }>, send: Send): Promise<Outcome> {
    const { destination, content } = task
    if (destination.kind === 'https') return postReport(deps, destination.url, Buffer.from(content, 'base64'))
    const to = destination.address
    const raw = Buffer.from(content, 'latin1')
    if (deps.isLocalDomain(domainOf(to))) {
      return outcomeFor(await deliverLocally(deps, { messageId: id, from: '', recipients: [to], raw }), to)
    }
    return send({ from: '', to, tls: 'any', make: () => deps.signer.sign(raw, primaryDomain) })
  }

  const courier = startCourier<ReportTask>(
    // RFC 8460 §3: reports are not reported on.
    { ...deps, tlsResults: undefined },
    { kind: KIND, what: 'reports on TLS', concurrency: CONCURRENCY, handle },
  )

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

  /** The id is that of a task which may be there already, and stays as it is then. */
  function queueReport(day: string, domain: string): Promise<void> {
    const due = Math.max(clock.now(), endOfDay(day) + Math.floor(random() * SPREAD_MS))
    const payload: ReportTask = { step: 'compose', day, domain }
    return queue.enqueue<ReportTask>(KIND, { id: composeId(day, domain), payload, due })
  }

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
  // A day may have ended while the daemon was off, and the next look by the clock is an hour away at the most.
  const atStart = queueEnded(stopping.signal).catch((err: unknown) => {
    if (!stopping.signal.aborted)
      log.warn({ err }, 'ended days can not be looked for now; the next look is within the hour')
  })

  return {
    queueEnded,
    list: (wanted) => listReports({ counts, queue, clock }, wanted),
    async sendNow(domain) {
      await queueEnded(stopping.signal)
      let sent = 0
      let some: string[] = []
      const letGo = async (): Promise<void> => {
        const moved = await Promise.all(some.map((id) => queue.reschedule(KIND, id, clock.now())))
        sent += moved.filter(Boolean).length
        some = []
      }
      for await (const { id, payload, leased } of queue.all<ReportTask>(KIND)) {
        if (stopping.signal.aborted) break
        if (leased || (domain !== undefined && payload.domain !== domain)) continue
        if (some.push(id) >= TASKS_AT_ONCE) await letGo()
      }
      await letGo()
      log.info({ sent, ...(domain === undefined ? {} : { domain }) }, 'the operator has reports on TLS sent now')
      return { sent }
    },
    async stop() {
      stopping.abort()
      await atStart
      await courier.stop()
    },
  }
}
