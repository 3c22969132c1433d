/** Everything about one message's delivery, without content: envelope, recipients, tasks, history, current routes. */
import { type Clock, timestamp } from '../../lib/clock.js'
import type { Event } from '../../mailbox/objects/objects.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { Envelope } from '../../mailbox/sending/outbound-mail.js'
import type { ReadEvents } from '../../mailbox/events.js'
import { domainOf } from '../../mime/address.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Route } from '../routing/route.js'
import type { Holds } from '../queue/holds.js'
import { shownRule } from './list.js'
import type { QueueDetails } from './types.js'
import { readWaiting, stateOf, type Waiting } from './waiting.js'

export interface ShowDeps {
  queue: Pick<WorkQueue, 'all' | 'get'>
  mailboxes: { outbound: Pick<OutboundMail, 'envelope'>; events: ReadEvents }
  holds: Pick<Holds, 'matches'>
  /** Current route of a domain; null for a local domain or the simulator. */
  route: (domain: string) => Promise<Route | null>
  clock: Clock
}

/** Max events scanned for those of the message, and page size. */
const MAX_EVENTS = 5000
const EVENTS_AT_ONCE = 100
const MAX_ROUTES = 5
const MAX_HISTORY = 200

export async function tasksOf(queue: ShowDeps['queue'], message: Envelope): Promise<Waiting[]> {
  const domains = [...new Set(message.recipients.map(({ address }) => domainOf(address)))]
  const found = await Promise.all(
    domains.map((domain) => readWaiting(queue, { kind: 'relay', id: `${message.messageId}:${domain}` })),
  )
  return found.filter((task) => task !== undefined)
}

export async function showMessage(deps: ShowDeps, message: Envelope): Promise<QueueDetails> {
  const tasks = await tasksOf(deps.queue, message)
  const { history, complete } = await historyOf(deps.mailboxes, message)
  return {
    id: message.messageId,
    kind: 'message',
    mailbox_id: message.mailboxId,
    sender: message.from,
    status: message.status,
    size_bytes: message.sizeBytes,
    created_at: timestamp(message.createdAt),
    sent_at: message.sentAt === null ? null : timestamp(message.sentAt),
    recipients: message.recipients,
    tasks: await shownTasks(deps, tasks),
    history,
    history_complete: complete,
  }
}

export async function showNotice(
  deps: ShowDeps,
  task: Waiting,
  notice: { to: string; bytes: number },
): Promise<QueueDetails> {
  const state = stateOf(task, deps.clock.now())
  const next = state === 'queued' || state === 'deferred' ? timestamp(task.due) : null
  const queuedAt = timestamp(task.queuedAt)
  const recipient = { address: notice.to, smtp_code: null, detail: null, attempts: task.attempts, at: queuedAt }
  return {
    id: task.id,
    kind: 'notice',
    mailbox_id: null,
    sender: '',
    status: null,
    size_bytes: notice.bytes,
    created_at: queuedAt,
    sent_at: null,
    recipients: [{ ...recipient, status: task.attempts > 0 ? 'deferred' : 'queued', next_attempt_at: next }],
    tasks: await shownTasks(deps, [task]),
    history: [],
    history_complete: true,
  }
}

async function shownTasks(deps: ShowDeps, tasks: Waiting[]): Promise<QueueDetails['tasks']> {
  const now = deps.clock.now()
  return Promise.all(
    tasks.map(async (task, i) => {
      const state = stateOf(task, now)
      const rule = await deps.holds.matches(task)
      return {
        id: task.id,
        domain: task.domain,
        state,
        queued_at: timestamp(task.queuedAt),
        next_attempt_at: state === 'sending' || state === 'held' ? null : timestamp(task.due),
        held_by: rule ? shownRule(rule) : null,
        route: i < MAX_ROUTES ? await shownRoute(deps, task.domain) : { hosts: [], problem: 'not looked up' },
      }
    }),
  )
}

async function shownRoute({ route }: ShowDeps, domain: string): Promise<QueueDetails['tasks'][number]['route']> {
  const found = await route(domain)
  if (found === null) return { hosts: ['(this server)'], problem: null }
  if (found.kind !== 'targets') return { hosts: [], problem: found.detail }
  return { hosts: found.targets.map(({ host, address, port }) => `${host} [${address}]:${port}`), problem: null }
}

async function historyOf(
  mailboxes: ShowDeps['mailboxes'],
  { mailboxId, messageId, firstEvent }: Envelope,
): Promise<{ history: QueueDetails['history']; complete: boolean }> {
  const history: QueueDetails['history'] = []
  const signal = new AbortController().signal
  let after = firstEvent - 1
  for (let seen = 0; seen < MAX_EVENTS; seen += EVENTS_AT_ONCE) {
    const page = await mailboxes.events(mailboxId, { after, limit: EVENTS_AT_ONCE, waitMs: 0, gone: 'skip' }, signal)
    for (const event of page.data) {
      if (event.type === 'message.status' && event.data['message_id'] === messageId) history.push(stepOf(event))
    }
    if (!page.has_more) return { history: history.slice(-MAX_HISTORY), complete: history.length <= MAX_HISTORY }
    after = page.next_after
  }
  return { history: history.slice(-MAX_HISTORY), complete: false }
}

function stepOf({ timestamp: at, data }: Event): QueueDetails['history'][number] {
  const recipients: unknown = data['recipients']
  return {
    at,
    status: String(data['status']),
    recipients: (Array.isArray(recipients) ? recipients : []).map((one: Record<string, unknown>) => ({
      address: String(one['address']),
      status: String(one['status']),
      detail: typeof one['detail'] === 'string' ? one['detail'] : null,
    })),
  }
}
