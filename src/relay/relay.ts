/**
 * The relay: works the tasks of kind `relay`, each the recipients of one message on one domain. An attempt is written down before its task is
 * finished, so a crash in between leads to another attempt and never to a loss; recipients that have ended are left alone.
 */
import type { Signer } from '../authentication/types.js'
import type { Resolver } from '../dns/types.js'
import { MINUTE, SECOND } from '../lib/clock.js'
import { LOOK_AGAIN_MS, withoutMessage } from '../mailbox/tasks.js'
import type { RelayTask } from '../mailbox/tasks.js'
import type { Mailboxes, OutboundMessage, RecipientResult } from '../mailbox/types.js'
import { domainOf } from '../mime/address.js'
import type { Log } from '../observe/log.js'
import type { Metrics } from '../observe/metrics.js'
import type { Task, TaskOutcome, WorkQueue } from '../store/types.js'
import { createDeliverer } from './delivery.js'
import { createDestinations, LONGEST_PAUSE_MS } from './destinations.js'
import type { DestinationState } from './destinations.js'
import { deliverLocally } from './local.js'
import type { LocalDeps } from './local.js'
import { sameForAll } from './outcome.js'
import type { Outcome, Outcomes } from './outcome.js'
import { findRoute, findSmarthost } from './route.js'
import { GIVE_UP_MS, gaveUpAfter, gaveUpWaiting, nextWait } from './schedule.js'
import type { Security } from './session.js'
import { createSlots, placesFor } from './slots.js'
import type { Slot } from './slots.js'

export interface Smarthost {
  /** Name or address. */
  host: string
  /** 465 is TLS from the start (RFC 8314). */
  port: number
  /** With one, TLS with a valid certificate is required before it is told. */
  auth?: { user: string; password: string } | undefined
  /** Certificates to trust beside the usual ones (PEM). */
  ca?: string | undefined
}

export interface RelayDeps extends LocalDeps {
  queue: Pick<WorkQueue, 'run' | 'counts'>
  mailboxes: Pick<Mailboxes, 'outbound' | 'startSending' | 'recordAttempt' | 'resolve' | 'deliver'>
  resolver: Pick<Resolver, 'mx' | 'a' | 'aaaa'>
  signer: Signer
  isLocalDomain: (domain: string) => boolean
  /** Whether mail may leave this server. */
  outbound: boolean
  /** Takes all mail that leaves, instead of each domain's MX. */
  smarthost?: Smarthost | undefined
  /** On which the MX of others are reached. */
  port: number
  allowPrivateAddresses: boolean
  /** Deliveries at once, to everybody; slow ones apart (slots.ts). */
  concurrency: number
  /** Deliveries at once to one domain, to one host of its MX, or to the smart host. */
  perDestination: number
  timeouts: { connectMs: number; responseMs: number }
  /** How long `stop` lets deliveries at work go on; 10 s when not given. */
  stopGraceMs?: number
  /** After which a delivery is cut, whatever the other side does to draw it out; half an hour when not given. */
  attemptMs?: number
  /** In [-1, 1), for the retry schedule. */
  jitter?: () => number
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

interface Delivered {
  outcomes: Outcomes
  host?: string
  tls?: boolean
  /** Nothing when it did not leave this server. */
  destination?: DestinationState
}

export interface Relay {
  /** Takes no more tasks, lets deliveries at work end, and drops them after the grace period; they are made again later. */
  stop(): Promise<void>
}

const LEASE_MS = 5 * MINUTE
/** A try that takes longer is shown as `sending` meanwhile; of a shorter one that is told together with how it went, in one commit. */
const SHOWN_AFTER_MS = SECOND
/** It is asked sooner than others: when it works again all mail waits for it. */
const LONGEST_SMARTHOST_PAUSE_MS = 5 * MINUTE

/** The destination of all mail that leaves by the smart host; no domain is called so. */
const SMARTHOST_LINE = '(smart host)'

const NO_OUTBOUND: Outcome = {
  kind: 'failed',
  smtpCode: null,
  detail: '5.7.1 this server delivers only to its own mailboxes; relay.outbound or relay.smarthost would change that',
}

export function startRelay(deps: RelayDeps): Relay {
  const { mailboxes, clock, log, smarthost } = deps
  const jitter = deps.jitter ?? (() => Math.random() * 2 - 1)
  const destinations = createDestinations({
    clock,
    jitter,
    perDestination: deps.perDestination,
    longestPauseMs: (name) => (name === SMARTHOST_LINE ? LONGEST_SMARTHOST_PAUSE_MS : LONGEST_PAUSE_MS),
  })
  const slots = createSlots({ ...deps, destinations, jitter })
  let stopping = false
  const deliverer = createDeliverer({
    hostname: deps.hostname,
    connectTimeoutMs: deps.timeouts.connectMs,
    responseTimeoutMs: deps.timeouts.responseMs,
    attemptMs: deps.attemptMs,
    security: smarthost ? smarthostSecurity(smarthost) : { tls: 'opportunistic' },
  })
  const counter = deps.metrics?.counter('relay_recipients_total', 'Attempts at a recipient, by how they went.', [
    'status',
  ])

  async function handle(task: Task<RelayTask>, signal: AbortSignal): Promise<TaskOutcome<RelayTask>> {
    const { domain, mailbox_id: lane } = task.payload
    const destination = smarthost && !deps.isLocalDomain(domain) ? SMARTHOST_LINE : domain
    const entry = await slots.enter({ destination, lane }, signal)
    switch (entry.kind) {
      case 'full':
        return { done: false, retryAt: entry.comeAgainAt }
      case 'paused':
        return postpone(task, entry)
      case 'slot':
        try {
          return await attempt(task, entry.slot, signal)
        } finally {
          entry.slot.leave()
        }
    }
  }

  /** The recipients that are left of a task, or what becomes of it when there is nothing to do now. */
  async function take(task: Task<RelayTask>): Promise<Left | TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const outbound = await mailboxes.outbound(mailboxId, messageId)
    if (!outbound) return withoutMessage(task, clock.now())
    if (outbound === 'checking') return { done: false, retryAt: clock.now() + LOOK_AGAIN_MS }
    const pending = outbound.message.recipients.filter(
      ({ status, address }) => (status === 'queued' || status === 'deferred') && domainOf(address) === domain,
    )
    if (pending.length === 0) return { done: true }
    // A task from before this was kept has it from its queueing.
    const since = task.payload.since ?? (pending.some(({ attempts }) => attempts > 0) ? task.queuedAt : clock.now())
    const attempts = Math.max(...pending.map((recipient) => recipient.attempts))
    return { outbound, addresses: pending.map(({ address }) => address), attempts, since }
  }

  async function attempt(task: Task<RelayTask>, slot: Slot, signal: AbortSignal): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const left = await take(task)
    if ('done' in left) return left
    const { outbound, addresses, since } = left

    const startedAt = performance.now()
    const begunAt = clock.now()
    const lost = lostLease(signal, () => stopping)
    let shown = Promise.resolve()
    const show = setTimeout(() => {
      shown = mailboxes
        .startSending(mailboxId, messageId)
        .catch((err: unknown) => log.warn({ err, message: messageId }, 'a message is sent without being shown so'))
    }, SHOWN_AFTER_MS)
    let delivered: Delivered | { comeAgainAt: number }
    try {
      delivered = await deliver(outbound, domain, addresses, slot, lost.signal)
    } finally {
      clearTimeout(show)
      lost.forget()
      await shown
    }
    if ('comeAgainAt' in delivered) return { done: false, retryAt: delivered.comeAgainAt }
    const { outcomes, destination, ...how } = delivered
    // Before anything is written down: the next delivery need not wait for that.
    if (destination) slot.leave({ state: destination, answer: outcomes.values().next().value?.detail ?? '' })
    const attempts = 1 + left.attempts
    const wait = clock.now() < since + GIVE_UP_MS ? nextWait(attempts, jitter()) : undefined
    const nextAttemptAt = wait === undefined ? null : clock.now() + wait
    const results = addresses.map((address) => resultFor(address, outcomes.get(address), attempts, nextAttemptAt))
    await mailboxes.recordAttempt(mailboxId, messageId, results, { begunAt })

    const counts = countStatuses(results)
    for (const [status, count] of Object.entries(counts)) counter?.inc({ status }, count)
    const ms = Math.round(performance.now() - startedAt)
    log.info({ message: messageId, domain, ...how, attempt: attempts, ...counts, ms }, 'delivery attempt')
    const again = results.some(({ status }) => status === 'deferred')
    if (!again || nextAttemptAt === null) return { done: true }
    return { done: false, retryAt: nextAttemptAt, payload: { ...task.payload, since } }
  }

  /** The destination is left alone: no attempt is made and none is counted, but the sender sees how it stands, and time goes on. */
  async function postpone(
    task: Task<RelayTask>,
    { comeAgainAt, answer }: { comeAgainAt: number; answer: string },
  ): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const left = await take(task)
    if ('done' in left) return left
    const hasExpired = clock.now() >= left.since + GIVE_UP_MS
    const results = left.addresses.map((address): RecipientResult => {
      const untried = { address, smtpCode: null }
      if (hasExpired) {
        return { ...untried, status: 'bounced', detail: `${answer} (${gaveUpWaiting(domain)})`, nextAttemptAt: null }
      }
      const detail = `4.4.1 ${domain} is left alone for a while, because it failed: ${answer}`
      return { ...untried, status: 'deferred', detail, nextAttemptAt: comeAgainAt }
    })
    await mailboxes.recordAttempt(mailboxId, messageId, results, { untried: true })
    for (const [status, count] of Object.entries(countStatuses(results))) counter?.inc({ status }, count)
    if (hasExpired) return { done: true }
    return { done: false, retryAt: comeAgainAt, payload: { ...task.payload, since: left.since } }
  }

  async function deliver(
    { message, raw }: OutboundMessage,
    domain: string,
    recipients: string[],
    slot: Slot,
    signal: AbortSignal,
  ): Promise<Delivered | { comeAgainAt: number }> {
    const from = message.from?.address
    if (from === undefined) throw new Error(`${message.id} has no sender`)
    if (deps.isLocalDomain(domain)) {
      return { outcomes: await deliverLocally(deps, { messageId: message.id, from, recipients, raw }) }
    }
    if (!deps.outbound) return { outcomes: sameForAll(recipients, NO_OUTBOUND) }
    const route = smarthost ? await findSmarthost(deps.resolver, smarthost) : await findRoute(deps, domain)
    if (route.kind !== 'targets') {
      const destination = route.kind === 'deferred' ? 'unreachable' : 'fine'
      return { outcomes: sameForAll(recipients, route), destination }
    }
    const full = slot.goesTo(route.targets[0]?.host ?? domain)
    if (full) return full
    const signed = await deps.signer.sign(raw, domainOf(from))
    const { outcomes, host, encrypted, destination } = await deliverer.attempt(
      route.targets,
      { from, recipients, raw: signed },
      signal,
    )
    return { outcomes, host, tls: encrypted, destination }
  }

  const worker = deps.queue.run<RelayTask>('relay', handle, {
    concurrency: placesFor(deps.concurrency),
    leaseMs: LEASE_MS,
    // The daemon holds the lock of the data folder.
    alone: true,
    onError: (err, { id }) => log.error({ err, task: id }, 'delivery attempt failed on our side'),
    onQueueError: (err) => log.error({ err }, 'relay queue can not be read or written'),
  })

  deps.metrics?.gaugeBy(
    'relay_queue_tasks',
    'Tasks of the relay, one for each message and domain.',
    'state',
    async () => ({
      ...(await deps.queue.counts('relay')),
    }),
  )
  deps.metrics?.gauge('relay_destinations_paused', 'Destinations that are left alone because they failed.', () =>
    destinations.paused(),
  )
  deps.metrics?.gaugeBy('relay_deliveries', 'Deliveries at work.', 'pace', () => {
    const { all, slow } = slots.atWork
    return { normal: all - slow, slow }
  })

  return {
    async stop() {
      stopping = true
      const grace = setTimeout(() => deliverer.destroy(), deps.stopGraceMs ?? 10 * SECOND)
      await worker.stop()
      clearTimeout(grace)
      deliverer.destroy()
    },
  }
}

export function smarthostSecurity({ port, auth, ca }: Smarthost): Security {
  return { tls: port === 465 ? 'implicit' : auth ? 'required' : 'opportunistic', auth, ca }
}

/** Aborted when the task has gone to somebody else; not by `stop`, which lets a delivery end. */
function lostLease(signal: AbortSignal, isStopping: () => boolean): { signal: AbortSignal; forget: () => void } {
  const lost = new AbortController()
  const look = (): void => {
    if (!isStopping()) lost.abort()
  }
  signal.addEventListener('abort', look)
  return { signal: lost.signal, forget: () => signal.removeEventListener('abort', look) }
}

function resultFor(
  address: string,
  outcome: Outcome | undefined,
  attempts: number,
  nextAttemptAt: number | null,
): RecipientResult {
  if (!outcome) throw new Error('a recipient has no outcome')
  const { kind, smtpCode, detail } = outcome
  switch (kind) {
    case 'delivered':
      return { address, status: 'delivered', smtpCode, detail, nextAttemptAt: null }
    case 'failed':
      return { address, status: 'bounced', smtpCode, detail, nextAttemptAt: null }
    case 'deferred':
      if (nextAttemptAt !== null) return { address, status: 'deferred', smtpCode, detail, nextAttemptAt }
      return { address, status: 'bounced', smtpCode, detail: `${detail} (${gaveUpAfter(attempts)})`, nextAttemptAt }
  }
}

function countStatuses(results: RecipientResult[]): Partial<Record<RecipientResult['status'], number>> {
  const counts: Partial<Record<RecipientResult['status'], number>> = {}
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
