/**
 * The operator's hand on the outbound queue: looking, holding, letting go, trying now, deleting. What it changes is durable first and then told to
 * the senders; each change is logged with who asked for it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import type { Envelope, Mailboxes } from '../../mailbox/types.js'
import type { HoldRule, Holds } from '../queue/holds.js'
import { listQueue, shownRule } from './list.js'
import { showMessage, showNotice, tasksOf } from './show.js'
import type { ShowDeps } from './show.js'
import { countQueue } from './stats.js'
import { createSweeps } from './sweep.js'
import type { Run, SweepDeps } from './sweep.js'
import type { OperatorQueue, QueueChange, QueueStats, Target } from './types.js'
import { everyWaiting, readWaiting, typedDomain } from './waiting.js'
import type { Waiting, Wanted } from './waiting.js'

export interface OperatorQueueDeps extends SweepDeps, ShowDeps {
  queue: SweepDeps['queue'] & ShowDeps['queue']
  mailboxes: SweepDeps['mailboxes'] & ShowDeps['mailboxes'] & Pick<Mailboxes, 'resolve' | 'get'>
  holds: Holds
  /** Told of a destination that is to be tried now, whatever was noted against it; undefined is every destination. */
  forgetFailures?: ((domain: string | undefined) => void) | undefined
}

export interface StartedOperatorQueue extends OperatorQueue {
  /** Ends what goes on in the background; what was released goes on at the next start. */
  stop(): Promise<void>
  /**
   * Holds what waits of these mailboxes and what comes, durably when it resolves; what waits is marked as held in the background. Idempotent.
   *
   * @param account `name` and `reason` are for the operator to read
   */
  holdAccount(account: { id: string; name: string; mailboxIds: string[]; reason: string }): Promise<void>
  /** Lets go what `holdAccount` held, unless something else holds it. Idempotent. */
  releaseAccount(accountId: string): Promise<void>
}

/** A command line waits so long for a change before it is told that the rest is done in the background. */
const ANSWER_MS = 5 * SECOND

export function startOperatorQueue(deps: OperatorQueueDeps): StartedOperatorQueue {
  const { queue, mailboxes, holds, clock, log } = deps
  const sweeps = createSweeps(deps)
  let counting: Promise<QueueStats> | undefined

  for (const rule of holds.released()) {
    // Its failure is in the log already, and the rule stays for the next start.
    sweeps.release(rule, wantedBy(rule)).ended.catch(() => undefined)
  }

  /** What an id stands for: a message's tasks, one of them, or a notice. */
  async function find(id: string): Promise<Waiting[]> {
    if (id.startsWith('tsk_')) return present([await readWaiting(queue, { kind: 'notice', id })])
    if (id.includes(':')) return present([await readWaiting(queue, { kind: 'relay', id })])
    const message = await findMessage(id)
    return message ? tasksOf(queue, message) : []
  }

  /** A message's mailbox is not in its id: found by any of its tasks. */
  async function findMessage(messageId: string, mailbox?: string): Promise<Envelope | undefined> {
    if (mailbox !== undefined) return mailboxes.envelope((await mustResolve(mailbox)).id, messageId)
    for await (const task of everyWaiting(queue)) {
      if (task.messageId === messageId && task.mailboxId !== null) return mailboxes.envelope(task.mailboxId, messageId)
    }
    return undefined
  }

  async function mustFind(id: string): Promise<Waiting[]> {
    if (!isId('msg', id.split(':')[0] ?? '') && !isId('tsk', id)) throw notAnId(id)
    const tasks = await find(id)
    if (tasks.length === 0) throw notQueued(id)
    return tasks
  }

  async function mustResolve(mailbox: string): Promise<{ id: string; address: string }> {
    const found = isId('mbx', mailbox) ? await mailboxes.get(mailbox) : await mailboxes.resolve(mailbox)
    if (found) return found
    throw new ServiceError(
      'not_found',
      `There is no mailbox ${mailbox}.`,
      'restante mailbox list shows those that exist. For mail to somebody elsewhere give --domain.',
    )
  }

  /** @throws ServiceError unless exactly one thing is named */
  async function ruleFor({ id, mailbox, domain }: Target): Promise<Pick<HoldRule, 'kind' | 'value' | 'name'>> {
    const named = [id, mailbox, domain].filter((value) => value !== undefined).length
    if (named !== 1) {
      throw invalidRequest(
        named === 0 ? 'Nothing is named.' : 'More than one thing is named.',
        'Give the id of a message, or --mailbox ADDRESS, or --domain DOMAIN.',
      )
    }
    if (id !== undefined) return { kind: 'message', value: id, name: id }
    if (domain !== undefined) return { kind: 'domain', value: mustBeDomain(domain), name: mustBeDomain(domain) }
    const found = await mustResolve(mailbox ?? '')
    return { kind: 'mailbox', value: found.id, name: found.address }
  }

  async function wantedFor({ id, mailbox, domain }: Target): Promise<Wanted> {
    return {
      id,
      mailboxId: mailbox === undefined ? undefined : (await mustResolve(mailbox)).id,
      domain: domain === undefined ? undefined : mustBeDomain(domain),
    }
  }

  /** Waits for the end of a run, but not for long, and writes down who did what. */
  async function answer(action: string, target: Target, by: string | undefined, run: Run): Promise<QueueChange> {
    const giveUp = new AbortController()
    const ended = run.ended.then(() => true)
    const late = pause(ANSWER_MS, false, { signal: giveUp.signal, ref: false })
    const finished = await Promise.race([ended, late])
    giveUp.abort()
    late.catch(() => undefined)
    const change = { ...run.progress, finished }
    const { id, mailbox, domain } = target
    log.info({ action, ...named(id), mailbox, domain, by, ...change }, 'the operator changed the queue')
    return change
  }

  return {
    async list({ state, limit, cursor, ...target }) {
      return listQueue(deps, { ...(await wantedFor(target)), state }, { limit, cursor })
    },

    async show(id, mailbox) {
      if (id.startsWith('tsk_')) {
        const [task] = await mustFind(id)
        if (!task?.notice) throw notQueued(id)
        return showNotice(deps, task, task.notice)
      }
      const messageId = id.split(':')[0] ?? ''
      if (!isId('msg', messageId)) throw notAnId(id)
      const message = await findMessage(messageId, mailbox)
      if (!message) throw notQueued(id)
      return showMessage(deps, message)
    },

    async stats(target = {}) {
      const wanted = await wantedFor(target)
      if (Object.values(wanted).some((value) => value !== undefined)) return countQueue(deps, wanted)
      counting ??= countQueue(deps).finally(() => (counting = undefined))
      return counting
    },

    holds: () => holds.list().map(shownRule),

    async hold(target, { reason, by }) {
      const rule = await ruleFor(target)
      const tasks = rule.kind === 'message' ? await mustFind(rule.value) : undefined
      // From here on the relay makes no attempt that the rule is about; what waits is marked as held behind that.
      await holds.add({ ...rule, reason: reason ?? null, by: by ?? null, at: clock.now() })
      return answer('hold', target, by, sweeps.hold(wantedBy(rule), tasks))
    },

    async release(target, by) {
      const rule = await ruleFor(target)
      const stored = holds.list().find(({ kind, value }) => kind === rule.kind && value === rule.value)
      if (!stored) throw await notHeld(rule)
      const tasks = rule.kind === 'message' ? await find(rule.value) : undefined
      await holds.release(rule.kind, rule.value)
      return answer('release', target, by, sweeps.release(stored, wantedBy(stored), tasks))
    },

    async retry(target, by) {
      const wanted = await wantedFor(target)
      const tasks = target.id === undefined ? undefined : await mustFind(target.id)
      if (tasks?.every((task) => holds.matches(task))) throw stillHeld(target.id ?? '')
      if (tasks) for (const task of tasks) deps.forgetFailures?.(task.domain)
      else deps.forgetFailures?.(wanted.domain)
      return answer('retry', target, by, sweeps.retry(wanted, tasks))
    },

    async delete(target, by) {
      const wanted = await wantedFor(target)
      if (Object.values(wanted).every((value) => value === undefined)) {
        throw invalidRequest('Nothing is named.', 'Give an id, --mailbox ADDRESS or --domain DOMAIN.')
      }
      const tasks = target.id === undefined ? undefined : await mustFind(target.id)
      if (tasks?.some(({ leased }) => leased)) throw beingDelivered(tasks)
      const change = await answer('delete', target, by, sweeps.delete(wanted, tasks))
      if (target.id === undefined) return change
      if (change.busy > 0) throw beingDelivered(tasks ?? [])
      if (await holds.release('message', target.id)) {
        const [rule] = holds.released().filter(({ kind, value }) => kind === 'message' && value === target.id)
        if (rule) await holds.forget(rule)
      }
      return change
    },

    async holdAccount({ id, name, mailboxIds, reason }) {
      const rule: HoldRule = { kind: 'account', value: id, name, reason, by: null, at: clock.now(), mailboxIds }
      await holds.add(rule)
      inBackground(sweeps.hold(wantedBy(rule)))
    },

    async releaseAccount(accountId) {
      const rule = holds.list().find(({ kind, value }) => kind === 'account' && value === accountId)
      if (!rule) return
      await holds.release('account', accountId)
      inBackground(sweeps.release(rule, wantedBy(rule)))
    },

    stop: () => sweeps.stop(),
  }

  /** Its failure is in the log already; the relay goes by the rules all the same. */
  function inBackground(run: Run): void {
    run.ended.catch(() => undefined)
  }

  async function notHeld({ kind, value, name }: Pick<HoldRule, 'kind' | 'value' | 'name'>): Promise<ServiceError> {
    const [task] = kind === 'message' ? await find(value) : []
    const other = task && holds.matches(task)
    return new ServiceError(
      'not_found',
      other ? `${name} is held by the rule on ${other.kind} ${other.name}.` : `Nothing holds ${kind} ${name}.`,
      other ? `Release that: ${releaseCommand(other)}` : 'restante queue holds lists what is held.',
    )
  }

  function stillHeld(id: string): ServiceError {
    return invalidRequest(`${id} is held.`, 'Release it first; restante queue show says by what it is held.')
  }
}

/** What a rule is about. */
function wantedBy({ kind, value, mailboxIds }: Pick<HoldRule, 'kind' | 'value' | 'mailboxIds'>): Wanted {
  switch (kind) {
    case 'message':
      return { id: value }
    case 'mailbox':
      return { mailboxId: value }
    case 'domain':
      return { domain: value }
    case 'account':
      return { mailboxIds: new Set(mailboxIds) }
  }
}

function releaseCommand({ kind, name, value }: HoldRule): string {
  if (kind === 'account') return `restante account reinstate ${value}`
  return `restante queue release ${kind === 'message' ? name : `--${kind} ${name}`}`
}

function present<T>(values: (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined)
}

function mustBeDomain(text: string): string {
  const domain = typedDomain(text)
  if (domain !== undefined) return domain
  throw invalidRequest(`"${text}" is no domain.`, 'Give a domain such as example.com; its subdomains are meant too.')
}

function notAnId(id: string): ServiceError {
  return invalidRequest(
    `"${id}" is no id of the queue.`,
    'Give a message (msg_…), the part of it for one domain (msg_…:example.com) or a notice (tsk_…); restante queue list shows them.',
  )
}

function notQueued(id: string): ServiceError {
  return new ServiceError(
    'not_found',
    `${id} is not in the queue.`,
    'It is delivered, bounced, or still being checked. restante queue show ID --mailbox ADDRESS shows what became of a message that has left the queue.',
  )
}

function beingDelivered(tasks: Waiting[]): ServiceError {
  const [busy] = tasks.filter(({ leased }) => leased)
  return invalidRequest(
    `${busy?.id ?? 'It'} is being delivered right now.`,
    'Nobody can take it back from the other server. Ask again when the attempt has ended; restante queue hold keeps it from another one.',
  )
}

/** A task of a message has its id in front; others have one of their own. */
function named(id: string | undefined): { message_id?: string; task_id?: string } {
  if (id === undefined) return {}
  return isId('msg', id) ? { message_id: id } : { task_id: id }
}
