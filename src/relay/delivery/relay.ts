/**
 * The relay: works the tasks of kind `relay`, each the recipients of one message on one domain. An attempt is written down in
 * the commit that finishes its task, with the copies for mailboxes here; what other servers took before a crash is tried once more, never lost; recipients that have ended are left alone.
 */
import { MINUTE, SECOND } from '../../lib/clock.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { Mailboxes, OutboundMessage, RecipientResult } from '../../mailbox/types.js'
import { domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import { DELIVERY_BUCKETS } from '../../observe/metrics.js'
import type { Metrics } from '../../observe/metrics.js'
import { HELD } from '../../queue/types.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { createDeliverer } from './delivery.js'
import { createDestinationMetrics } from './destination-metrics.js'
import { createDestinations, LONGEST_PAUSE_MS } from './destinations.js'
import type { Destinations } from './destinations.js'
import { createHandOver } from './hand-over.js'
import type { HandedOver, HandOverDeps } from './hand-over.js'
import type { HoldBack } from '../queue/hold-back.js'
import { countStatuses, loggedOutcomes, resultsOf } from './results.js'
import { createRouting } from '../routing/routes.js'
import type { RoutingDeps } from '../routing/routes.js'
import { gaveUpWaiting, nextWait, triedUntil } from '../schedule.js'
import type { SenderNotices } from './sender-notices.js'
import { createSlots, placesFor } from './slots.js'
import type { Entry, Slot, SlotsOptions } from './slots.js'
import { tlsNeeds } from '../routing/tls-needs.js'

export interface RelayDeps extends HandOverDeps, RoutingDeps {
  queue: Pick<WorkQueue, 'run' | 'counts'>
  mailboxes: Pick<
    Mailboxes,
    'beginDelivery' | 'outbound' | 'startSending' | 'recordAttempt' | 'resolve' | 'hasRoom' | 'prepareDelivery'
  >
  /** What the operator holds. */
  holds?: HoldBack | undefined
  /** Asked before each attempt: true when the task was ended, since its account is about to be deleted. */
  endOfDeleted?: ((task: RelayTask, accountId: string | null) => Promise<boolean>) | undefined
  /** Tells the author of recipients that are given up. */
  senderNotices?: SenderNotices | undefined
  /** Deliveries at once, to everybody; slow ones apart (slots.ts). */
  concurrency: number
  /** Deliveries at once to one domain, to one host of its MX, or to the smart host. */
  perDestination: number
  timeouts: { connectMs: number; responseMs: number }
  /** How long `stop` lets deliveries at work go on; 10 s when not given. */
  stopGraceMs?: number
  /** How long a try goes on before its message is shown as `sending`; 1 s when not given. */
  tellAfterMs?: number
  /** In [-1, 1), for the retry schedule. */
  jitter?: () => number
  /** Tells when a delivery has become slow; by a timer when not given. */
  after?: SlotsOptions['after']
  log: Log
  metrics?: Metrics | undefined
}

/** What is to be done for a task. */
interface Left {
  outbound: OutboundMessage
  addresses: string[]
  /** Made so far. */
  attempts: number
  /** When the message was first tried, or would have been. */
  since: number
}

export interface Relay {
  /** Takes no more tasks, lets deliveries at work end, and drops them after the grace period; they are made again later. */
  stop(): Promise<void>
  /** A domain that is left alone is tried with the next message, and so are its subdomains; all are when none is named. */
  forgetFailures(domain: string | undefined): void
  /** Destinations that are left alone for now, after failures. */
  paused(): number
  /** Some of them. */
  pausedOnes: Destinations['pausedOnes']
}

/** Of a shorter try it is told together with how it went, in one commit: nobody could have seen it. */
const TELL_AFTER_MS = SECOND
/** A host that takes all mail, or that of many domains, is asked sooner than others: when it works again all of that waits for it. */
const LONGEST_PAUSE_OF_CHOSEN_MS = 5 * MINUTE

export function startRelay(deps: RelayDeps): Relay {
  const { mailboxes, clock, log } = deps
  const routing = createRouting(deps)
  const jitter = deps.jitter ?? (() => Math.random() * 2 - 1)
  const destinations = createDestinations({
    clock,
    jitter,
    perDestination: deps.perDestination,
    longestPauseMs: (line) => (routing.isChosen(line) ? LONGEST_PAUSE_OF_CHOSEN_MS : LONGEST_PAUSE_MS),
  })
  const slots = createSlots({ ...deps, destinations, jitter, onRoom: () => worker.look() })
  const deliverer = createDeliverer({
    hostname: deps.hostname,
    connectTimeoutMs: deps.timeouts.connectMs,
    responseTimeoutMs: deps.timeouts.responseMs,
    attemptMs: deps.attemptMs,
    tlsResults: deps.tlsResults,
  })
  const handOver = createHandOver(deps, routing, deliverer)
  const counter = deps.metrics?.counter('relay_recipients_total', 'Attempts at a recipient, by how they went.', [
    'status',
  ])
  const seconds = deps.metrics?.histogram(
    'relay_delivery_seconds',
    'From the moment a message may go (accepted, approved, or its time come) to its delivery, for each recipient.',
    DELIVERY_BUCKETS,
  )
  const byDestination = deps.metrics && createDestinationMetrics({ metrics: deps.metrics, clock })
  const staysHere = (domain: string): boolean => deps.isLocalDomain(domain) || deps.simulator?.isFor(domain) === true

  const destinationOf = ({ domain }: RelayTask): string => (staysHere(domain) ? domain : routing.lineOf(domain))

  async function handle(task: Task<RelayTask>, signal: AbortSignal): Promise<TaskOutcome<RelayTask>> {
    const { domain, mailbox_id: lane } = task.payload
    let entry = await slots.enter({ destination: destinationOf(task.payload), lane }, signal)
    if (entry.kind === 'full') return { done: false, waitFor: entry.waitFor }
    const ended = await mailboxes.beginDelivery(task.payload.message_id)
    try {
      if (entry.kind === 'paused') {
        const left = await take(task)
        if ('done' in left) return left
        entry = (await enterForAnyTls(left, { domain, lane }, signal)) ?? entry
        if (entry.kind === 'paused') return await postpone(task, left, entry)
        if (entry.kind === 'full') return { done: false, waitFor: entry.waitFor }
      }
      return await attempt(task, entry.slot)
    } finally {
      ended()
      if (entry.kind === 'slot') entry.slot.leave()
    }
  }

  /** The domain may be left alone only because its promises of TLS aren't kept, which is nothing to a message that takes any TLS (RFC 8689 §5). */
  async function enterForAnyTls(
    { outbound: { message, raw } }: Left,
    { domain, lane }: { domain: string; lane: string },
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    const destination = staysHere(domain) ? undefined : routing.anyTlsLineOf(domain)
    if (destination === undefined || !tlsNeeds(message, raw).anyTls) return undefined
    const entry = await slots.enter({ destination, lane }, signal)
    // What gets through here tells of this line alone.
    return entry.kind === 'slot' ? { ...entry, slot: { ...entry.slot, isProbe: false } } : entry
  }

  /** The recipients that are left of a task, or what becomes of it when there is nothing to do now. */
  async function take(task: Task<RelayTask>): Promise<Left | TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const outbound = await mailboxes.outbound(mailboxId, messageId)
    if (!outbound) return { done: true }
    const pending = outbound.message.recipients.filter(
      ({ status, address }) => (status === 'queued' || status === 'deferred') && domainOf(address) === domain,
    )
    const isOver = pending.length === 0 || (await deps.endOfDeleted?.(task.payload, outbound.accountId)) === true
    if (isOver) return { done: true }
    // A task from before this was kept has it from its queueing.
    const since = task.payload.since ?? (pending.some(({ attempts }) => attempts > 0) ? task.queuedAt : clock.now())
    if (await deps.holds?.(task)) return { done: false, retryAt: HELD, payload: { ...task.payload, since } }
    const attempts = Math.max(...pending.map((recipient) => recipient.attempts))
    return { outbound, addresses: pending.map(({ address }) => address), attempts, since }
  }

  async function attempt(task: Task<RelayTask>, slot: Slot): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const left = await take(task)
    if ('done' in left) return left
    const { outbound, addresses, since } = left

    const startedAt = performance.now()
    const begunAt = clock.now()
    const ended = byDestination?.begin(domain)
    const handed = await handOverShown(task.payload, left, slot).catch((error: unknown) => {
      ended?.()
      throw error
    })
    if ('waitFor' in handed) {
      ended?.()
      return { done: false, waitFor: handed.waitFor }
    }
    const { outcomes, destination, deliveries, follow, ...how } = handed
    // Before anything is written down: the next delivery need not wait for that.
    if (destination) slot.leave({ state: destination, answer: outcomes.values().next().value?.detail ?? '' })
    const attempts = 1 + left.attempts
    const now = clock.now()
    const wait = now < triedUntil(since) ? nextWait(attempts, jitter()) : undefined
    // Who could not be tried for some time has longer waits ahead than time.
    const nextAttemptAt = wait === undefined ? null : Math.min(now + wait, triedUntil(since))
    const tried = addresses.filter((address) => outcomes.has(address))
    const results = resultsOf(tried, outcomes, attempts, now - since, nextAttemptAt)
    const counts = countStatuses(results)
    ended?.(counts)
    const notice = await deps.senderNotices?.({ ...outbound, results, attempts, since })
    const again =
      tried.length < addresses.length || (nextAttemptAt !== null && results.some(({ status }) => status === 'deferred'))
    const finishes = again ? undefined : task.id
    const { accountId } = outbound
    const record = { begunAt, notice, deliveries, follow, accountId, finishes }
    await mailboxes.recordAttempt(mailboxId, messageId, results, record)

    for (const [status, count] of Object.entries(counts)) counter?.inc({ status }, count)
    for (let left = counts.delivered ?? 0; left > 0; left--) seconds?.observe(Math.max(0, now - task.queuedAt) / SECOND)
    const ms = Math.round(performance.now() - startedAt)
    const line = { ...idsOf(task), domain, ...how, attempt: attempts, ...counts, outcomes: loggedOutcomes(results), ms }
    log.info(line, 'delivery attempt')
    // Cut in the middle: the others are as they were.
    if (tried.length < addresses.length) return { done: false, retryAt: now, payload: { ...task.payload, since } }
    if (!again || nextAttemptAt === null) return { done: true }
    return { done: false, retryAt: nextAttemptAt, payload: { ...task.payload, since } }
  }

  /** Hands over; when that takes long the message is shown as `sending` meanwhile. */
  async function handOverShown(
    { mailbox_id: mailboxId, message_id: messageId, domain }: RelayTask,
    { outbound, addresses }: Left,
    slot: Slot,
  ): Promise<HandedOver | { waitFor: string }> {
    let shown = Promise.resolve()
    const show = setTimeout(() => {
      shown = mailboxes
        .startSending(mailboxId, messageId)
        .catch((err: unknown) =>
          log.warn({ err, message_id: messageId, mailbox_id: mailboxId }, 'a message is sent without being shown so'),
        )
    }, deps.tellAfterMs ?? TELL_AFTER_MS)
    try {
      return await handOver(outbound, domain, addresses, slot)
    } finally {
      clearTimeout(show)
      await shown
    }
  }

  /** The destination is left alone: no attempt is made and none is counted, but the sender sees how it stands, and time goes on. */
  async function postpone(
    task: Task<RelayTask>,
    { outbound, addresses, attempts, since }: Left,
    { comeAgainAt, answer }: { comeAgainAt: number; answer: string },
  ): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const hasExpired = clock.now() >= triedUntil(since)
    const nextAttemptAt = hasExpired ? null : comeAgainAt
    const results = addresses.map((address): RecipientResult => {
      const untried = { address, smtpCode: null, nextAttemptAt }
      if (hasExpired) return { ...untried, status: 'bounced', detail: `${answer} (${gaveUpWaiting(domain)})` }
      const detail = `4.4.1 ${domain} is left alone for a while, because it failed: ${answer}`
      return { ...untried, status: 'deferred', detail }
    })
    const notice = await deps.senderNotices?.({ ...outbound, results, attempts, since })
    await mailboxes.recordAttempt(mailboxId, messageId, results, {
      untried: true,
      notice,
      finishes: hasExpired ? task.id : undefined,
    })
    const counts = countStatuses(results)
    for (const [status, count] of Object.entries(counts)) counter?.inc({ status }, count)
    log.info({ ...idsOf(task), domain, ...counts, outcomes: loggedOutcomes(results) }, 'no delivery attempt')
    if (hasExpired) return { done: true }
    return { done: false, retryAt: comeAgainAt, payload: { ...task.payload, since } }
  }

  const worker = deps.queue.run<RelayTask>('relay', handle, {
    concurrency: placesFor(deps.concurrency),
    onError: (err, { id }) => log.error({ err, task_id: id }, 'delivery attempt failed on our side'),
    onQueueError: (err) => log.error({ err }, 'relay queue can not be read or written'),
    rooms: { nameOf: destinationOf, ask: slots.ask },
  })

  deps.metrics?.gauges('relay_queue_tasks', 'Tasks of the relay, one for each message and domain.', 'state', async () =>
    Object.entries(await deps.queue.counts('relay')),
  )
  deps.metrics?.gauge('relay_destinations_paused', 'Destinations that are left alone because they failed.', () =>
    destinations.paused(),
  )
  deps.metrics?.gauges('relay_deliveries', 'Deliveries at work.', 'pace', () => {
    const { all, slow } = slots.atWork
    return Object.entries({ normal: all - slow, slow })
  })

  return {
    async stop() {
      const grace = setTimeout(() => deliverer.destroy(), deps.stopGraceMs ?? 10 * SECOND)
      await worker.stop()
      clearTimeout(grace)
      deliverer.destroy()
    },
    paused: () => destinations.paused(),
    pausedOnes: destinations.pausedOnes,
    forgetFailures(domain) {
      const line = domain && routing.lineOf(domain)
      destinations.forget(
        line === undefined ? () => true : (name) => name === line || name === domain || name.endsWith(`.${domain}`),
      )
    },
  }
}

function idsOf({ id, payload }: Task<RelayTask>): { message_id: string; mailbox_id: string; task_id: string } {
  return { message_id: payload.message_id, mailbox_id: payload.mailbox_id, task_id: id }
}
