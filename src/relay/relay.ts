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
import { deliverLocally } from './local.js'
import type { LocalDeps } from './local.js'
import { sameForAll } from './outcome.js'
import type { Outcome, Outcomes } from './outcome.js'
import { findRoute, findSmarthost } from './route.js'
import { gaveUpAfter, nextWait } from './schedule.js'
import type { Security } from './session.js'
import { createSlots } from './slots.js'

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
  queue: Pick<WorkQueue, 'run'>
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
  /** Deliveries at once, to everybody. */
  concurrency: number
  /** Deliveries at once to one domain, or to the smart host. */
  perDestination: number
  timeouts: { connectMs: number; responseMs: number }
  /** How long `stop` lets deliveries at work go on; 10 s when not given. */
  stopGraceMs?: number
  /** How long a try goes on before its message is `sending`; 1 s when not given. */
  tellAfterMs?: number
  /** In [-1, 1), for the retry schedule. */
  jitter?: () => number
  log: Log
  metrics?: Metrics | undefined
}

export interface Relay {
  /** Takes no more tasks, lets deliveries at work end, and drops them after the grace period; they are made again later. */
  stop(): Promise<void>
}

const LEASE_MS = 5 * MINUTE
/** A try that takes longer makes its message `sending`. */
const TELL_AFTER_MS = SECOND
/** Tasks in hand for each delivery at work; the others wait in line for their destination. */
const IN_HAND = 4

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
  const slots = createSlots({ concurrency: deps.concurrency, perDestination: deps.perDestination, clock })
  const deliverer = createDeliverer({
    hostname: deps.hostname,
    connectTimeoutMs: deps.timeouts.connectMs,
    responseTimeoutMs: deps.timeouts.responseMs,
    security: smarthost ? smarthostSecurity(smarthost) : { tls: 'opportunistic' },
  })
  const counter = deps.metrics?.counter('relay_recipients_total', 'Attempts at a recipient, by how they went.', [
    'status',
  ])

  async function handle(task: Task<RelayTask>, signal: AbortSignal): Promise<TaskOutcome<RelayTask>> {
    const { domain } = task.payload
    const slot = await slots.enter(smarthost && !deps.isLocalDomain(domain) ? SMARTHOST_LINE : domain, signal)
    if ('comeAgainAt' in slot) return { done: false, retryAt: slot.comeAgainAt }
    try {
      return await attempt(task)
    } finally {
      slot.leave()
    }
  }

  async function attempt(task: Task<RelayTask>): Promise<TaskOutcome<RelayTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = task.payload
    const outbound = await mailboxes.outbound(mailboxId, messageId)
    if (!outbound) return withoutMessage(task, clock.now())
    if (outbound === 'checking') return { done: false, retryAt: clock.now() + LOOK_AGAIN_MS }
    const pending = outbound.message.recipients.filter(
      ({ status, address }) => (status === 'queued' || status === 'deferred') && domainOf(address) === domain,
    )
    if (pending.length === 0) return { done: true }
    const begun = tellLater(mailboxId, messageId)

    const startedAt = performance.now()
    const addresses = pending.map(({ address }) => address)
    const { outcomes, ...how } = await deliver(outbound, domain, addresses).finally(() => clearTimeout(begun))
    const attempts = 1 + Math.max(...pending.map((recipient) => recipient.attempts))
    const wait = nextWait(attempts, jitter())
    const nextAttemptAt = wait === undefined ? null : clock.now() + wait
    const results = addresses.map((address) => resultFor(address, outcomes.get(address), attempts, nextAttemptAt))
    await mailboxes.recordAttempt(mailboxId, messageId, results)

    const counts = countStatuses(results)
    for (const [status, count] of Object.entries(counts)) counter?.inc({ status }, count)
    const ms = Math.round(performance.now() - startedAt)
    log.info({ message: messageId, domain, ...how, attempt: attempts, ...counts, ms }, 'delivery attempt')
    const again = results.some(({ status }) => status === 'deferred')
    return again && nextAttemptAt !== null ? { done: false, retryAt: nextAttemptAt } : { done: true }
  }

  /** Most tries are over before anybody could see that they began: a commit and an event for that would be for nothing. */
  function tellLater(mailboxId: string, messageId: string): NodeJS.Timeout {
    return setTimeout(() => {
      mailboxes.startSending(mailboxId, messageId).catch((err: unknown) => {
        log.warn({ err, message: messageId }, 'the begin of a try could not be told')
      })
    }, deps.tellAfterMs ?? TELL_AFTER_MS)
  }

  async function deliver(
    { message, raw }: OutboundMessage,
    domain: string,
    recipients: string[],
  ): Promise<{ outcomes: Outcomes; host?: string; tls?: boolean }> {
    const from = message.from?.address
    if (from === undefined) throw new Error(`${message.id} has no sender`)
    if (deps.isLocalDomain(domain)) {
      return { outcomes: await deliverLocally(deps, { messageId: message.id, from, recipients, raw }) }
    }
    if (!deps.outbound) return { outcomes: sameForAll(recipients, NO_OUTBOUND) }
    const route = smarthost ? await findSmarthost(deps.resolver, smarthost) : await findRoute(deps, domain)
    if (route.kind !== 'targets') return { outcomes: sameForAll(recipients, route) }
    const signed = await deps.signer.sign(raw, domainOf(from))
    const { outcomes, host, encrypted } = await deliverer.attempt(route.targets, { from, recipients, raw: signed })
    return { outcomes, host, tls: encrypted }
  }

  const worker = deps.queue.run<RelayTask>('relay', handle, {
    concurrency: Math.min(IN_HAND * deps.concurrency, 1000),
    leaseMs: LEASE_MS,
    // The daemon holds the lock of the data folder.
    alone: true,
    onError: (err, { id }) => log.error({ err, task: id }, 'delivery attempt failed on our side'),
    onQueueError: (err) => log.error({ err }, 'relay queue can not be read or written'),
  })

  return {
    async stop() {
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
