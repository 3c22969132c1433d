/** Targets of an operator's command: message, task, mailbox or domain, and their tasks. */
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import type { Envelope } from '../../mailbox/sending/outbound-mail.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import type { HoldRule } from '../queue/holds.js'
import { tasksOf, type ShowDeps } from './show.js'
import type { Target } from './types.js'
import { everyWaiting, readWaiting, typedDomain, type Waiting, type TaskFilter } from './waiting.js'

export interface TargetDeps {
  queue: ShowDeps['queue']
  mailboxes: ShowDeps['mailboxes'] & { directory: Pick<Directory, 'resolve' | 'get'> }
}

/** Tasks of an id: of a message, a single one, or a notice. */
export async function findTasks(deps: TargetDeps, id: string): Promise<Waiting[]> {
  if (id.startsWith('tsk_')) return present([await readWaiting(deps.queue, { kind: 'notice', id })])
  if (id.includes(':')) return present([await readWaiting(deps.queue, { kind: 'relay', id })])
  const message = await findMessage(deps, id)
  return message ? tasksOf(deps.queue, message) : []
}

/** A message's id does not contain its mailbox: found by any of its tasks. */
export async function findMessage(
  deps: TargetDeps,
  messageId: string,
  mailbox?: string,
): Promise<Envelope | undefined> {
  if (mailbox !== undefined) return deps.mailboxes.outbound.envelope((await mustResolve(deps, mailbox)).id, messageId)
  for await (const task of everyWaiting(deps.queue)) {
    if (task.messageId === messageId && task.mailboxId !== null)
      return deps.mailboxes.outbound.envelope(task.mailboxId, messageId)
  }
  return undefined
}

export async function mustFindTasks(deps: TargetDeps, id: string): Promise<Waiting[]> {
  if (!isId('msg', id.split(':')[0] ?? '') && !isId('tsk', id)) throw notAnId(id)
  const tasks = await findTasks(deps, id)
  if (tasks.length === 0) throw notQueued(id)
  return tasks
}

async function mustResolve(deps: TargetDeps, mailbox: string): Promise<{ id: string; address: string }> {
  const found = isId('mbx', mailbox)
    ? await deps.mailboxes.directory.get(mailbox)
    : await deps.mailboxes.directory.resolve(mailbox)
  if (found) return found
  throw new ServiceError(
    'not_found',
    `There is no mailbox ${mailbox}.`,
    'restante mailbox list shows those that exist. For mail to somebody elsewhere give --domain.',
  )
}

/** @throws ServiceError unless exactly one thing is named */
export async function ruleFor(
  deps: TargetDeps,
  { id, mailbox, domain }: Target,
): Promise<Pick<HoldRule, 'kind' | 'value' | 'name'>> {
  const named = [id, mailbox, domain].filter((value) => value !== undefined).length
  if (named !== 1) {
    throw invalidRequest(
      named === 0 ? 'Nothing is named.' : 'More than one thing is named.',
      'Give the id of a message, or --mailbox ADDRESS, or --domain DOMAIN.',
    )
  }
  if (id !== undefined) return { kind: 'message', value: id, name: id }
  if (domain !== undefined) return { kind: 'domain', value: mustBeDomain(domain), name: mustBeDomain(domain) }
  const found = await mustResolve(deps, mailbox ?? '')
  return { kind: 'mailbox', value: found.id, name: found.address }
}

export async function filterFor(deps: TargetDeps, { id, mailbox, domain }: Target): Promise<TaskFilter> {
  return {
    id,
    mailboxId: mailbox === undefined ? undefined : (await mustResolve(deps, mailbox)).id,
    domain: domain === undefined ? undefined : mustBeDomain(domain),
  }
}

function present<T>(values: (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined)
}

function mustBeDomain(text: string): string {
  const domain = typedDomain(text)
  if (domain !== undefined) return domain
  throw invalidRequest(`"${text}" is no domain.`, 'Give a domain such as example.com; its subdomains are meant too.')
}

export function notAnId(id: string): ServiceError {
  return invalidRequest(
    `"${id}" is no id of the queue.`,
    'Give a message (msg_…), the part of it for one domain (msg_…:example.com) or a notice (tsk_…); restante queue list shows them.',
  )
}

export function notQueued(id: string): ServiceError {
  return new ServiceError(
    'not_found',
    `${id} is not in the queue.`,
    'It is delivered, bounced, or still being checked. restante queue show ID --mailbox ADDRESS shows what became of a message that has left the queue.',
  )
}
