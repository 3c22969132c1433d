/**
 * The relay: handles tasks of kind `relay`, each for the recipients of one message on one domain. An attempt is recorded in the commit that finishes its task,
 * with local copies; what other servers accepted before a crash is tried once more, never lost; finished recipients are skipped.
 */
import { MINUTE, SECOND, type Clock } from '../../lib/clock.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { OutboundMessage, RecipientResult } from '../../mailbox/sending/outbound-mail.js'
import { domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import { ALONE, type Nodes } from '../../store/nodes/nodes.js'
import { HELD, type Task, type TaskOutcome, type Worker, type WorkQueue } from '../../queue/types.js'
import type { Deliverer } from './delivery.js'
import { createDestinations, LONGEST_PAUSE_MS, type Destinations } from './destinations.js'
import type { HandedOver, HandOver } from './hand-over.js'
import type { HoldBack } from '../queue/holds.js'
import { createRelayMetrics, type RelayMetrics } from './relay-metrics.js'
import { countStatuses, loggedOutcomes, resultsOf } from './results.js'
import type { Routing } from '../routing/routes.js'
import { gaveUpWaiting, nextWait, randomJitter, triedUntil } from '../schedule.js'
import type { SenderNotices } from './sender-notices.js'
import { placesFor, Slots, type Entry, type Slot, type SlotsOptions } from './slots.js'
import { tlsNeeds } from '../routing/tls-needs.js'

export interface RelayDeps {
  queue: Pick<WorkQueue, 'run' | 'counts'>
  mailboxes: { outbound: Pick<OutboundMail, 'beginDelivery' | 'message' | 'startSending' | 'recordAttempt'> }
  routing: Routing
  deliverer: Deliverer
  handOver: HandOver
  checks?: RelayChecks | undefined
  /** Composes the notice to the author about recipients that are given up. */
  senderNotices?: SenderNotices | undefined
  limits: RelayLimits
  timing?: RelayTiming | undefined
  /** Other processes, which could cancel a message. */
  nodes?: Pick<Nodes, 'peers'> | undefined
  clock: Clock
  log: Log
  metrics?: Metrics | undefined
}

export interface RelayChecks {
  /** Pauses of mailboxes, and rules of the operator, by which mail waits. */
  holds?: HoldBack | undefined
  /** True if the task was ended, since its account is about to be deleted. */
  endOfDeleted?: ((task: RelayTask, accountStatus: OutboundMessage['accountStatus']) => Promise<boolean>) | undefined
}

export interface RelayLimits {
  /** Max deliveries at a time; slow ones have further slots (slots.ts). */
  concurrency: number
  /** Max deliveries at a time to one domain, one host of its MX, or the smart host. */
  perDestination: number
  /** Time for deliveries in progress after `stop`, in ms; 10 s by default. */
  stopGraceMs?: number | undefined
}

export interface RelayTiming {
  /** Time after which a message that is being delivered is shown as `sending`, in ms; 1 s by default. */
  showAfterMs?: number | undefined
  /** In [-1, 1), for the retry schedule. */
  jitter?: (() => number) | undefined
  /** Tells when a delivery has become slow; by a timer by default. */
  after?: SlotsOptions['after']
}

interface Left {
  outbound: OutboundMessage
  addresses: string[]
  attempts: number
  /** Time of the first attempt. */
  since: number
}

/** A shorter attempt is recorded with its result only. */
const SHOW_AFTER_MS = SECOND
/** Hosts for all mail or many domains are probed sooner: all of that waits for them. */
const LONGEST_PAUSE_OF_CHOSEN_MS = 5 * MINUTE

/** Handles tasks from construction on. */
export class Relay {
  readonly #jitter: () => number
  readonly #destinations: Destinations
  readonly #slots: Slots
  readonly #counted: RelayMetrics | undefined
  readonly #worker: Worker

  constructor(private readonly deps: RelayDeps) {
    this.#jitter = deps.timing?.jitter ?? randomJitter
    const destinations = createDestinations({
      clock: deps.clock,
      jitter: this.#jitter,
      perDestination: deps.limits.perDestination,
      longestPauseMs: (line) => (deps.routing.isChosen(line) ? LONGEST_PAUSE_OF_CHOSEN_MS : LONGEST_PAUSE_MS),
    })
    this.#destinations = destinations
    this.#slots = new Slots({
      concurrency: deps.limits.concurrency,
      perDestination: deps.limits.perDestination,
      clock: deps.clock,
      destinations,
      jitter: this.#jitter,
      after: deps.timing?.after,
      onRoom: () => this.#worker.look(),
    })
    this.#worker = deps.queue.run<RelayTask>('relay', (task, signal) => this.#handle(task, signal), {
      concurrency: placesFor(deps.limits.concurrency),
      onError: (err, { id }) => deps.log.error({ err, task_id: id }, 'delivery attempt failed on our side'),
      onQueueError: (err) => deps.log.error({ err }, 'relay queue cannot be read or written'),
      rooms: { nameOf: (task) => this.#destinationOf(task), ask: () => this.#slots.ask() },
    })
    const { queue, clock, metrics } = deps
    this.#counted = metrics && createRelayMetrics(metrics, { queue, clock, destinations, slots: this.#slots })
  }

  /** Takes no more tasks, and drops deliveries in progress after the grace period; they are repeated later. */
  async stop(): Promise<void> {
    const grace = setTimeout(() => this.deps.deliverer.destroy(), this.deps.limits.stopGraceMs ?? 10 * SECOND)
    await this.#worker.stop()
    clearTimeout(grace)
    this.deps.deliverer.destroy()
  }

  paused(): number {
    return this.#destinations.paused()
  }

  pausedOnes(limit: number): ReturnType<Destinations['pausedOnes']> {
    return this.#destinations.pausedOnes(limit)
  }

  /** The next message to the domain and its subdomains is tried despite a pause; to all, if none is named. */
  forgetFailures(domain: string | undefined): void {
    const line = domain && this.deps.routing.lineOf(domain)
    this.#destinations.forget(
      line === undefined ? () => true : (name) => name === line || name === domain || name.endsWith(`.${domain}`),
    )
  }

  #destinationOf({ domain }: RelayTask): string {
    return this.deps.handOver.staysHere(domain) ? domain : this.deps.routing.lineOf(domain)
  }

  async #handle(task: Task<RelayTask>, signal: AbortSignal): Promise<TaskOutcome<RelayTask>> {
    const { domain, mailbox_id: lane } = task.payload
    let entry = await this.#slots.enter({ destination: this.#destinationOf(task.payload), lane }, signal)
    if (entry.kind === 'full') return { done: false, waitFor: entry.waitFor }
    const ended = await this.deps.mailboxes.outbound.beginDelivery(task.payload.message_id)
    try {
      if (entry.kind === 'paused') {
        const left = await this.#take(task)
        if ('done' in left) return left
        entry = (await this.#enterForAnyTls(left, { domain, lane }, signal)) ?? entry
        if (entry.kind === 'paused') return await this.#postpone(task, left, entry)
        if (entry.kind === 'full') return { done: false, waitFor: entry.waitFor }
      }
      return await this.#attempt(task, entry.slot)
    } finally {
      ended()
      if (entry.kind === 'slot') entry.slot.leave()
    }
  }

  /** The domain may be paused only because its TLS policy fails, which does not matter for mail that takes any TLS (RFC 8689 §5). */
  async #enterForAnyTls(
    { outbound: { message, raw } }: Left,
    { domain, lane }: { domain: string; lane: string },
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    const destination = this.deps.handOver.staysHere(domain) ? undefined : this.deps.routing.anyTlsLineOf(domain)
    if (destination === undefined || !tlsNeeds(message, raw).anyTls) return undefined
    const entry = await this.#slots.enter({ destination, lane }, signal)
    // Success here only says something about this line.
    return entry.kind === 'slot' ? { ...entry, slot: { ...entry.slot, isProbe: false } } : entry
  }

  /** Remaining recipients of a task, or its outcome if there is nothing to do now. */
  async #take(task: Task<RelayTask>): Promise<Left | TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const outbound = await this.deps.mailboxes.outbound.message(mailboxId, messageId)
    if (!outbound) return { done: true }
    const pending = outbound.message.recipients.filter(
      ({ status, address }) => (status === 'queued' || status === 'deferred') && domainOf(address) === domain,
    )
    const isOver =
      pending.length === 0 || (await this.deps.checks?.endOfDeleted?.(task.payload, outbound.accountStatus)) === true
    if (isOver) return { done: true }
    // Older tasks have only their queueing time.
    const since =
      task.payload.since ?? (pending.some(({ attempts }) => attempts > 0) ? task.queuedAt : this.deps.clock.now())
    if (await this.deps.checks?.holds?.(task, outbound.isPaused))
      return { done: false, retryAt: HELD, payload: { ...task.payload, since } }
    const attempts = Math.max(...pending.map((recipient) => recipient.attempts))
    return { outbound, addresses: pending.map(({ address }) => address), attempts, since }
  }

  async #attempt(task: Task<RelayTask>, slot: Slot): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const left = await this.#take(task)
    if ('done' in left) return left
    if (!(await this.#claim(task.payload))) return { done: true }
    const { outbound, addresses, since } = left

    const startedAt = performance.now()
    const begunAt = this.deps.clock.now()
    const ended = this.#counted?.begin(domain)
    const handed = await this.#handOverShown(task.payload, left, slot).catch((error: unknown) => {
      ended?.()
      throw error
    })
    if ('waitFor' in handed) {
      ended?.()
      return { done: false, waitFor: handed.waitFor }
    }
    const { outcomes, destination, deliveries, follow, ...how } = handed
    // Before recording: the next delivery need not wait for that.
    if (destination) slot.leave({ state: destination, answer: outcomes.values().next().value?.detail ?? '' })
    const attempts = 1 + left.attempts
    const now = this.deps.clock.now()
    const wait = now < triedUntil(since) ? nextWait(attempts, this.#jitter()) : undefined
    // Recipients that could not be tried for a while have less time left than the next wait.
    const nextAttemptAt = wait === undefined ? null : Math.min(now + wait, triedUntil(since))
    const tried = addresses.filter((address) => outcomes.has(address))
    const results = resultsOf(tried, outcomes, attempts, now - since, nextAttemptAt)
    const counts = countStatuses(results)
    ended?.(counts)
    const notice = await this.deps.senderNotices?.({ ...outbound, results, attempts, since })
    const again =
      tried.length < addresses.length || (nextAttemptAt !== null && results.some(({ status }) => status === 'deferred'))
    const finishes = again ? undefined : task.id
    const { accountId } = outbound
    const record = { begunAt, notice, deliveries, follow, accountId, finishes }
    await this.deps.mailboxes.outbound.recordAttempt(mailboxId, messageId, results, record)

    this.#counted?.count(counts, now - task.queuedAt)
    const ms = Math.round(performance.now() - startedAt)
    const line = { ...idsOf(task), domain, ...how, attempt: attempts, ...counts, outcomes: loggedOutcomes(results), ms }
    this.deps.log.info(line, 'delivery attempt')
    // Cut off: the others are unchanged.
    if (tried.length < addresses.length) return { done: false, retryAt: now, payload: { ...task.payload, since } }
    if (!again || nextAttemptAt === null) return { done: true }
    return { done: false, retryAt: nextAttemptAt, payload: { ...task.payload, since } }
  }

  /**
   * Marks mail that leaves this server as `sending` where another process could cancel it meanwhile. Local copies need no mark: they are stored by the
   * commit that records them.
   *
   * @returns false if it was cancelled
   */
  async #claim({ mailbox_id: mailboxId, message_id: messageId, domain }: RelayTask): Promise<boolean> {
    const { nodes = ALONE, handOver, mailboxes } = this.deps
    if (nodes.peers().length === 0 || handOver.staysHere(domain)) return true
    return mailboxes.outbound.startSending(mailboxId, messageId)
  }

  /** Hands over; a long attempt shows the message as `sending`. */
  async #handOverShown(
    { mailbox_id: mailboxId, message_id: messageId, domain }: RelayTask,
    { outbound, addresses }: Left,
    slot: Slot,
  ): Promise<HandedOver | { waitFor: string }> {
    let shown: Promise<unknown> = Promise.resolve()
    const show = setTimeout(() => {
      shown = this.deps.mailboxes.outbound
        .startSending(mailboxId, messageId)
        .catch((err: unknown) =>
          this.deps.log.warn(
            { err, message_id: messageId, mailbox_id: mailboxId },
            'a message that is being sent cannot be shown as such',
          ),
        )
    }, this.deps.timing?.showAfterMs ?? SHOW_AFTER_MS)
    try {
      return await this.deps.handOver.deliver(outbound, domain, addresses, slot)
    } finally {
      clearTimeout(show)
      await shown
    }
  }

  /** The destination is paused: no attempt is made or counted, but the sender sees the state, and time passes. */
  async #postpone(
    task: Task<RelayTask>,
    { outbound, addresses, attempts, since }: Left,
    { comeAgainAt, answer }: { comeAgainAt: number; answer: string },
  ): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const hasExpired = this.deps.clock.now() >= triedUntil(since)
    const nextAttemptAt = hasExpired ? null : comeAgainAt
    const results = addresses.map((address): RecipientResult => {
      const untried = { address, smtpCode: null, nextAttemptAt }
      if (hasExpired) return { ...untried, status: 'bounced', detail: `${answer} (${gaveUpWaiting(domain)})` }
      const detail = `4.4.1 ${domain} is left alone for a while, because it failed: ${answer}`
      return { ...untried, status: 'deferred', detail }
    })
    const notice = await this.deps.senderNotices?.({ ...outbound, results, attempts, since })
    await this.deps.mailboxes.outbound.recordAttempt(mailboxId, messageId, results, {
      untried: true,
      notice,
      finishes: hasExpired ? task.id : undefined,
    })
    const counts = countStatuses(results)
    this.#counted?.count(counts)
    this.deps.log.info({ ...idsOf(task), domain, ...counts, outcomes: loggedOutcomes(results) }, 'no delivery attempt')
    if (hasExpired) return { done: true }
    return { done: false, retryAt: comeAgainAt, payload: { ...task.payload, since } }
  }
}

function idsOf({ id, payload }: Task<RelayTask>): { message_id: string; mailbox_id: string; task_id: string } {
  return { message_id: payload.message_id, mailbox_id: payload.mailbox_id, task_id: id }
}
