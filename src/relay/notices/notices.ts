/**
 * Notices of this server to senders (RFC 3464). They have the null sender, so nothing comes back: undeliverable ones are retried for some hours and dropped.
 */
import type { Signer } from '../../authentication/types.js'
import type { Clock } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { domainOf } from '../../mime/address.js'
import { composeDeliveryNotice, type DeliveryNotice } from '../../mime/compose/delivery-notice.js'
import type { Log } from '../../observe/log.js'
import { HELD, type Task, type TaskOutcome, type WorkQueue } from '../../queue/types.js'
import type { Courier, Send } from '../delivery/courier.js'
import { replyFields } from '../outcome.js'
import type { Holds } from '../queue/holds.js'
import { nextWait, randomJitter } from '../schedule.js'

export interface NoticesDeps {
  queue: Pick<WorkQueue, 'enqueue'>
  courier: Courier
  signer: Signer
  hostname: string
  /** Notices come from its postmaster. */
  primaryDomain: string
  holds?: Pick<Holds, 'matches'> | undefined
  /** In [-1, 1), for the retry schedule. */
  jitter?: (() => number) | undefined
  clock: Clock
  log: Log
}

export type Notices = ReturnType<typeof startNotices>

/** Payload of a `notice` task. */
export interface NoticeTask {
  to: string
  /** The whole message, one character per byte. */
  raw: string
}

const CONCURRENCY = 5
/** A little over four hours by the retry schedule. */
const MAX_ATTEMPTS = 9

export function startNotices(deps: NoticesDeps) {
  const { clock, jitter = randomJitter, log } = deps

  async function handle(task: Task<NoticeTask>, send: Send): Promise<TaskOutcome<NoticeTask>> {
    const held = { id: task.id, messageId: null, mailboxId: null, domain: domainOf(task.payload.to) }
    if (await deps.holds?.matches(held)) return { done: false, retryAt: HELD }
    const { to, raw } = task.payload
    const outcome = await send({
      id: task.id,
      from: '',
      to,
      // A failure notice does not wait for TLS.
      tls: 'any',
      raw: Buffer.from(raw, 'latin1'),
      sign: (mail) => deps.signer.sign(mail, deps.primaryDomain),
    })
    const attempt = task.attempts + 1
    const wait = outcome.kind === 'deferred' && attempt < MAX_ATTEMPTS ? nextWait(attempt, jitter()) : undefined
    const line = { task_id: task.id, recipient: to, attempt, ...replyFields(outcome), again: wait !== undefined }
    log.info(line, 'delivery notice')
    return wait === undefined ? { done: true } : { done: false, retryAt: clock.now() + wait }
  }

  const running = deps.courier.start<NoticeTask>({ kind: 'notice', what: 'notices', concurrency: CONCURRENCY, handle })

  return {
    /** Resolves once the notice is durable. */
    async delivered(notice: DeliveryNotice): Promise<void> {
      const now = clock.now()
      const address = `postmaster@${deps.primaryDomain}`
      const raw = composeDeliveryNotice(notice, { hostname: deps.hostname, address, now }).toString('latin1')
      const payload: NoticeTask = { to: notice.to, raw }
      await deps.queue.enqueue('notice', { id: newId('tsk', now), payload, due: now })
    },
    stop: (): Promise<void> => running.stop(),
  }
}
