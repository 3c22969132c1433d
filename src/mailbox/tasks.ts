/**
 * Intent first: a task is queued before the commit it belongs to, so that no crash leaves a message without its work. It is due a few seconds
 * later, so that no worker meets it before that commit; right after the commit it is made due at once.
 */
import { MINUTE, SECOND } from '../lib/clock.js'
import { domainOf } from '../mime/address.js'
import type { Task, WorkQueue } from '../store/types.js'

/** When a task comes due whose process died between the commit and making it due. */
const GRACE_MS = 5 * SECOND
/** A task without its message is looked at again so often, since its commit may still come, … */
export const LOOK_AGAIN_MS = 3 * SECOND
/** … and so long after it was queued. */
const MESSAGE_MISSING_MS = MINUTE

/** Payload of a `check` task; its id is the message's. */
export interface CheckTask {
  mailbox_id: string
  message_id: string
}

/** Payload of a `relay` task: one for each domain among the recipients; its id is `<message id>:<domain>`. */
export interface RelayTask extends CheckTask {
  /** In lower case. */
  domain: string
}

type IntendedTask =
  { kind: 'check'; id: string; payload: CheckTask } | { kind: 'relay'; id: string; payload: RelayTask }

export async function queueIntent(queue: WorkQueue, tasks: IntendedTask[], now: number): Promise<void> {
  await Promise.all(tasks.map(({ kind, id, payload }) => queue.enqueue(kind, { id, payload, due: now + GRACE_MS })))
}

/** After the commit. A task that was dropped because its commit came very late is queued again. */
export async function makeDue(queue: WorkQueue, tasks: IntendedTask[], now: number): Promise<void> {
  await Promise.all(
    tasks.map(async ({ kind, id, payload }) => {
      if (!(await queue.reschedule(kind, id, now))) await queue.enqueue(kind, { id, payload, due: now })
    }),
  )
}

/** What becomes of a task whose message is not there. */
export function withoutMessage(
  { queuedAt }: Pick<Task<unknown>, 'queuedAt'>,
  now: number,
): { done: true } | { done: false; retryAt: number } {
  return now < queuedAt + MESSAGE_MISSING_MS ? { done: false, retryAt: now + LOOK_AGAIN_MS } : { done: true }
}

export function checkTask(mailboxId: string, messageId: string): IntendedTask {
  return { kind: 'check', id: messageId, payload: { mailbox_id: mailboxId, message_id: messageId } }
}

export function relayTasks(mailboxId: string, messageId: string, addresses: string[]): IntendedTask[] {
  const domains = new Set(addresses.map(domainOf))
  return [...domains].map((domain) => ({
    kind: 'relay',
    id: `${messageId}:${domain}`,
    payload: { mailbox_id: mailboxId, message_id: messageId, domain },
  }))
}
