/** Tasks of a message are queued in its transaction, so no crash loses them. */
import { utcDay } from '../lib/clock.js'
import { newId } from '../lib/ids.js'
import { domainOf } from '../mime/address.js'
import type { Priority, WorkQueue } from '../queue/types.js'
import type { Transaction } from '../store/types.js'
import type { MailboxRecord } from './mailbox-record.js'

/** Payload of a `check` task; its id is the message's. */
export interface CheckTask {
  mailbox_id: string
  message_id: string
}

/** Payload of a `relay` task, one per recipient domain; its id is `<message id>:<domain>`. */
export interface RelayTask extends CheckTask {
  /** Lower case. */
  domain: string
  /** Time of the first attempt; milliseconds since the epoch. Missing before it. */
  since?: number
}

export const SCHEDULED_KIND = 'scheduled'

export function relayTaskId(messageId: string, domain: string): string {
  return `${messageId}:${domain}`
}

export const DEFAULT_TASK_PRIORITY: Priority = 1

type IntendedTask = { id: string; priority: Priority } & (
  { kind: 'relay'; payload: RelayTask } | { kind: 'check'; payload: CheckTask }
)

/** Queues tasks in the transaction of their message. Mailboxes take turns, so a busy one does not delay others. */
export function addTasks(queue: Pick<WorkQueue, 'add'>, tx: Transaction, tasks: IntendedTask[], now: number): void {
  for (const { kind, id, payload, priority } of tasks)
    queue.add(tx, kind, { id, payload, due: now, lane: payload.mailbox_id, priority })
}

/** More recipients make a message bulk. */
const FEW_RECIPIENTS = 10
/** A mailbox that sent more messages today gets the lowest priority. */
const MANY_SENT_TODAY = 500

export function sentToday({ today }: Pick<MailboxRecord, 'today'>, now: number): number {
  return today.date === utcDay(now) ? today.sent : 0
}

/** Replies and mail to one recipient before mail to several, before bulk. */
export function priorityOf(message: { recipients: number; isReply: boolean; sentToday: number }): Priority {
  if (message.recipients > FEW_RECIPIENTS || message.sentToday > MANY_SENT_TODAY) return 2
  return message.isReply || message.recipients === 1 ? 0 : 1
}

export function checkTask(mailboxId: string, messageId: string, priority: Priority): IntendedTask {
  return { kind: 'check', id: messageId, payload: { mailbox_id: mailboxId, message_id: messageId }, priority }
}

export function relayTasks(
  mailboxId: string,
  messageId: string,
  addresses: string[],
  priority: Priority,
): IntendedTask[] {
  const domains = new Set(addresses.map(domainOf))
  return [...domains].map((domain) => ({
    kind: 'relay',
    id: relayTaskId(messageId, domain),
    payload: { mailbox_id: mailboxId, message_id: messageId, domain },
    priority,
  }))
}

/** One try in n succeeds with n processes: with four, 1 % of messages find no id in 16. */
const TRIES = 16
/** Domains of recipients that count; the tasks of others may be anywhere. */
const PLACED_DOMAINS = 2

/**
 * A new id for a message, if possible one whose relay tasks this process runs itself. Tasks are placed by the hash of their id, so of several new ids one is taken
 * that places them here: sending, attempts and outcomes then change the mailbox in one process, which has its rows already, and no other one has to be told.
 */
export function ownMessageId(
  queue: Pick<WorkQueue, 'runs' | 'isOwn'>,
  recipients: readonly string[],
  now: number,
): string {
  let best = newId('msg', now)
  if (!queue.runs('relay')) return best
  const domains = [...new Set(recipients.map(domainOf))].slice(0, PLACED_DOMAINS)
  const owned = (id: string): number => domains.filter((domain) => queue.isOwn('relay', relayTaskId(id, domain))).length
  let most = owned(best)
  for (let tries = 1; tries < TRIES && most < domains.length; tries++) {
    const id = newId('msg', now)
    const count = owned(id)
    if (count > most) [best, most] = [id, count]
  }
  return best
}
