/**
 * Notices of this server itself, on their way to the senders of messages (RFC 3464). They come from the null sender, so nothing ever comes
 * back for them: one that can't be delivered is tried for some hours and dropped.
 */
import type { Signer } from '../authentication/types.js'
import { MINUTE, SECOND } from '../lib/clock.js'
import { newId } from '../lib/ids.js'
import { domainOf } from '../mime/address.js'
import { composeDeliveryNotice } from '../mime/delivery-notice.js'
import type { DeliveryNotice } from '../mime/delivery-notice.js'
import type { Log } from '../observe/log.js'
import { HELD } from '../store/types.js'
import type { Task, TaskOutcome, WorkQueue } from '../store/types.js'
import { createDeliverer } from './delivery.js'
import { deliverLocally } from './local.js'
import type { LocalDeps } from './local.js'
import type { Outcome } from './outcome.js'
import type { Holds } from './queue/holds.js'
import { createRouting } from './routes.js'
import type { RoutingDeps } from './routes.js'
import { nextWait } from './schedule.js'

export interface NoticesDeps extends LocalDeps, RoutingDeps {
  queue: Pick<WorkQueue, 'enqueue' | 'run'>
  signer: Signer
  isLocalDomain: (domain: string) => boolean
  /** Notices come from its postmaster. */
  primaryDomain: string
  timeouts: { connectMs: number; responseMs: number }
  /** What the operator holds. */
  holds?: Pick<Holds, 'matches'> | undefined
  stopGraceMs?: number
  jitter?: () => number
  log: Log
}

export interface Notices {
  /** Resolves when the notice is sure to be sent, whatever crashes. */
  delivered(notice: DeliveryNotice): Promise<void>
  stop(): Promise<void>
}

/** Payload of a `notice` task. */
export interface NoticeTask {
  to: string
  /** The whole message, a character for each byte. */
  raw: string
}

const LEASE_MS = 5 * MINUTE
const CONCURRENCY = 5
/** A little over four hours by the retry schedule. */
const MAX_ATTEMPTS = 9

export function startNotices(deps: NoticesDeps): Notices {
  const { clock, log } = deps
  const routing = createRouting(deps)
  const jitter = deps.jitter ?? (() => Math.random() * 2 - 1)
  const deliverer = createDeliverer({
    hostname: deps.hostname,
    connectTimeoutMs: deps.timeouts.connectMs,
    responseTimeoutMs: deps.timeouts.responseMs,
    tlsResults: deps.tlsResults,
  })

  async function handle(task: Task<NoticeTask>): Promise<TaskOutcome<NoticeTask>> {
    const held = { id: task.id, messageId: null, mailboxId: null, domain: domainOf(task.payload.to) }
    if (deps.holds?.matches(held)) return { done: false, retryAt: HELD }
    const outcome = await send(task.id, task.payload)
    const attempt = task.attempts + 1
    const wait = outcome?.kind === 'deferred' && attempt < MAX_ATTEMPTS ? nextWait(attempt, jitter()) : undefined
    const line = { notice: task.id, attempt, status: outcome?.kind, code: outcome?.smtpCode }
    log.info({ ...line, again: wait !== undefined }, 'delivery notice')
    return wait === undefined ? { done: true } : { done: false, retryAt: clock.now() + wait }
  }

  async function send(id: string, { to, raw }: NoticeTask): Promise<Outcome | undefined> {
    const mail = { from: '', recipients: [to], raw: Buffer.from(raw, 'latin1') }
    const domain = domainOf(to)
    if (deps.isLocalDomain(domain)) return (await deliverLocally(deps, { ...mail, messageId: id })).get(to)
    // RFC 8689 §5: what tells that a message did not arrive is not kept back for want of TLS.
    const route = await routing.find(domain, { requireTls: false, anyTls: true })
    if (route.kind !== 'targets') return route
    const signed = await deps.signer.sign(mail.raw, deps.primaryDomain)
    return (await deliverer.attempt(route.targets, { ...mail, raw: signed })).outcomes.get(to)
  }

  const worker = deps.queue.run<NoticeTask>('notice', handle, {
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    // The daemon holds the lock of the data folder.
    alone: true,
    onError: (err, { id }) => log.error({ err, task: id }, 'notice failed on our side'),
    onQueueError: (err) => log.error({ err }, 'queue of notices can not be read or written'),
  })

  return {
    async delivered(notice) {
      const now = clock.now()
      const address = `postmaster@${deps.primaryDomain}`
      const raw = composeDeliveryNotice(notice, { hostname: deps.hostname, address, now }).toString('latin1')
      await deps.queue.enqueue<NoticeTask>('notice', {
        id: newId('tsk', now),
        payload: { to: notice.to, raw },
        due: now,
      })
    },
    async stop() {
      const grace = setTimeout(() => deliverer.destroy(), deps.stopGraceMs ?? 10 * SECOND)
      await worker.stop()
      clearTimeout(grace)
      deliverer.destroy()
    },
  }
}
