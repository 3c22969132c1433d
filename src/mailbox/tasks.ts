/** The tasks of a message: they are queued in its own transaction, so no crash leaves a message without its work. */
import { utcDay } from '../lib/clock.js'
import { domainOf } from '../mime/address.js'
import type { Priority, WorkQueue } from '../queue/types.js'
import type { Transaction } from '../store/types.js'
import type { MailboxRecord } from './mailbox-record.js'

/** Payload of a `check` task; its id is the message's. */
export interface CheckTask {
  mailbox_id: string
  message_id: string
}

/** Payload of a `relay` task: one for each domain among the recipients; its id is `<message id>:<domain>`. */
export interface RelayTask extends CheckTask {
  /** In lower case. */
  domain: string
  /** When it was first tried, or would have been; milliseconds since the epoch. Not there before that. */
  since?: number
}

/** Mail that waits for its time; the id is the message's. */
export const SCHEDULED_KIND = 'scheduled'

export function relayTaskId(messageId: string, domain: string): string {
  return `${messageId}:${domain}`
}

export const DEFAULT_TASK_PRIORITY: Priority = 1

type IntendedTask = { id: string; priority: Priority } & (
  { kind: 'relay'; payload: RelayTask } | { kind: 'check'; payload: CheckTask }
)

/** Queues tasks in the transaction of their message. Mailboxes take turns: none waits for all that another has queued before it. */
export function addTasks(queue: Pick<WorkQueue, 'add'>, tx: Transaction, tasks: IntendedTask[], now: number): void {
  for (const { kind, id, payload, priority } of tasks)
    queue.add(tx, kind, { id, payload, due: now, lane: payload.mailbox_id, priority })
}

/** More recipients than this make a message bulk. */
const FEW_RECIPIENTS = 10
/** So many messages sent on one day make a mailbox one that sends much, whatever its messages look like. */
const MANY_SENT_TODAY = 500

/** Times a mailbox has sent today. */
export function sentToday({ today }: Pick<MailboxRecord, 'today'>, now: number): number {
  return today.date === utcDay(now) ? today.sent : 0
}

/** Replies and letters to one before what goes to several, and that before bulk. */
export function priorityOf(message: { recipients: number; isReply: boolean; sentToday: number }): Priority {
  if (message.recipients > FEW_RECIPIENTS || message.sentToday > MANY_SENT_TODAY) return 2
  return message.isReply || message.recipients === 1 ? 0 : 1
}

/** What moves a message on that is stored as `checking`. */
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
