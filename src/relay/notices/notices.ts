/**
 * Notices of this server itself, on their way to the senders of messages (RFC 3464). They come from the null sender, so nothing ever comes
 * back for them: one that can't be delivered is tried for some hours and dropped.
 */
import type { Signer } from '../../authentication/types.js'
import { newId } from '../../lib/ids.js'
import { domainOf } from '../../mime/address.js'
import { composeDeliveryNotice } from '../../mime/compose/delivery-notice.js'
import type { DeliveryNotice } from '../../mime/compose/delivery-notice.js'
import { HELD } from '../../queue/types.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { outcomeFor, startCourier } from '../delivery/courier.js'
import type { CourierDeps, Send } from '../delivery/courier.js'
import { deliverLocally } from '../delivery/local.js'
import type { TakingDeps } from '../delivery/local.js'
import type { Outcome } from '../outcome.js'
import type { Holds } from '../queue/holds.js'
import { nextWait } from '../schedule.js'

export interface NoticesDeps extends TakingDeps, CourierDeps {
  queue: Pick<WorkQueue, 'enqueue' | 'run'>
  signer: Signer
  isLocalDomain: (domain: string) => boolean
  /** Notices come from its postmaster. */
  primaryDomain: string
  /** What the operator holds. */
  holds?: Pick<Holds, 'matches'> | undefined
  /** In [-1, 1), for the retry schedule. */
  jitter?: () => number
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

const CONCURRENCY = 5
/** A little over four hours by the retry schedule. */
const MAX_ATTEMPTS = 9

export function startNotices(deps: NoticesDeps): Notices {
  const { clock, log } = deps
  const jitter = deps.jitter ?? (() => Math.random() * 2 - 1)

  async function handle(task: Task<NoticeTask>, send: Send): Promise<TaskOutcome<NoticeTask>> {
    const held = { id: task.id, messageId: null, mailboxId: null, domain: domainOf(task.payload.to) }
    if (deps.holds?.matches(held)) return { done: false, retryAt: HELD }
    const outcome = await deliver(task.id, task.payload, send)
    const attempt = task.attempts + 1
    const wait = outcome.kind === 'deferred' && attempt < MAX_ATTEMPTS ? nextWait(attempt, jitter()) : undefined
    const reply = { status: outcome.kind, code: outcome.smtpCode, detail: outcome.detail }
    const line = { task_id: task.id, recipient: task.payload.to, attempt, ...reply }
    log.info({ ...line, again: wait !== undefined }, 'delivery notice')
    return wait === undefined ? { done: true } : { done: false, retryAt: clock.now() + wait }
  }

  async function deliver(id: string, { to, raw: text }: NoticeTask, send: Send): Promise<Outcome> {
    const raw = Buffer.from(text, 'latin1')
    if (deps.isLocalDomain(domainOf(to))) {
      return outcomeFor(await deliverLocally(deps, { messageId: id, from: '', recipients: [to], raw }), to)
    }
    // What tells that a message did not arrive is not kept back for want of TLS.
    return send({ from: '', to, tls: 'any', make: () => deps.signer.sign(raw, deps.primaryDomain) })
  }

  const courier = startCourier<NoticeTask>(deps, { kind: 'notice', what: 'notices', concurrency: CONCURRENCY, handle })

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
    stop: () => courier.stop(),
  }
}
