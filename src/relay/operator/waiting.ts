/** A common view of everything waiting for delivery: messages, one task per recipient domain, and notices. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { domainToASCII } from 'node:url'
import type { RelayTask } from '../../mailbox/tasks.js'
import { domainOf } from '../../mime/address.js'
import { HELD, type QueuedTask, type WorkQueue } from '../../queue/types.js'
import type { NoticeTask } from '../notices/notices.js'

export type Kind = 'relay' | 'notice'

/** queued: due; deferred: waits for its next attempt; sending: running. */
export const STATES = ['sending', 'queued', 'deferred', 'held'] as const
export type State = (typeof STATES)[number]

/** A task without payload. Times are milliseconds since the epoch. */
export interface Waiting {
  kind: Kind
  /** `msg_…:domain`, or `tsk_…` of a notice. */
  id: string
  messageId: string | null
  mailboxId: string | null
  domain: string
  notice: { to: string; bytes: number } | null
  due: number
  leased: boolean
  attempts: number
  queuedAt: number
}

/** Filter of a command; all given fields must match. */
export interface TaskFilter {
  id?: string | undefined
  mailboxId?: string | undefined
  mailboxIds?: ReadonlySet<string> | undefined
  /** A recipient domain, including subdomains. */
  domain?: string | undefined
}

type Queue = Pick<WorkQueue, 'all' | 'get'>

/** RFC 1035 §2.3.4, in letters. */
const MAX_DOMAIN_LENGTH = 253
const isLabel = (label: string): boolean => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)

/** Tasks scanned per turn of the event loop: about a millisecond. */
const TURN = 100

/** All tasks, unordered. Yields now and then, since reads may complete within the tick. */
export async function* everyWaiting(queue: Queue): AsyncGenerator<Waiting> {
  let count = 0
  for await (const task of queue.all<RelayTask>('relay')) {
    if (++count % TURN === 0) await nextTurn()
    yield ofRelay(task)
  }
  for await (const task of queue.all<NoticeTask>('notice')) {
    if (++count % TURN === 0) await nextTurn()
    yield ofNotice(task)
  }
}

export async function readWaiting(
  queue: Queue,
  { kind, id }: Pick<Waiting, 'kind' | 'id'>,
): Promise<Waiting | undefined> {
  if (kind === 'notice') {
    const notice = await queue.get<NoticeTask>('notice', id)
    return notice && ofNotice(notice)
  }
  const task = await queue.get<RelayTask>('relay', id)
  return task && ofRelay(task)
}

export function stateOf({ leased, due, attempts }: Waiting, now: number): State {
  if (leased) return 'sending'
  if (due >= HELD) return 'held'
  return attempts > 0 && due > now ? 'deferred' : 'queued'
}

export function matchesFilter(task: Waiting, { id, mailboxId, mailboxIds, domain }: TaskFilter): boolean {
  if (id !== undefined && task.id !== id && task.messageId !== id) return false
  if (mailboxId !== undefined && task.mailboxId !== mailboxId) return false
  if (mailboxIds !== undefined && (task.mailboxId === null || !mailboxIds.has(task.mailboxId))) return false
  return domain === undefined || isWithin(task.domain, domain)
}

/** True if a domain equals the other or is below it. Both in ASCII. */
function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`)
}

/** The domain as in tasks; undefined if invalid. */
export function typedDomain(text: string): string | undefined {
  const name = text.trim().replace(/^@/, '').replace(/\.$/, '')
  if (/[%[\]:/?#@\s]/.test(name)) return undefined
  const domain = domainToASCII(name)
  return domain.length <= MAX_DOMAIN_LENGTH && domain.split('.').every(isLabel) ? domain : undefined
}

function ofRelay({ id, payload, due, leased, attempts, queuedAt }: QueuedTask<RelayTask>): Waiting {
  const { mailbox_id: mailboxId, message_id: messageId, domain } = payload
  return { kind: 'relay', id, messageId, mailboxId, domain, notice: null, due, leased, attempts, queuedAt }
}

function ofNotice({ id, payload, due, leased, attempts, queuedAt }: QueuedTask<NoticeTask>): Waiting {
  const { to, raw } = payload
  const notice = { to, bytes: raw.length }
  const none = { messageId: null, mailboxId: null }
  return { kind: 'notice', id, ...none, domain: domainOf(to), notice, due, leased, attempts, queuedAt }
}
