/** The operator's actions on the outbound queue. Changes are durable first and then shown to senders; each is logged with its actor. */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import type { HoldRule, Holds } from '../queue/holds.js'
import { listQueue, shownRule } from './list.js'
import { showMessage, showNotice, type ShowDeps } from './show.js'
import { countQueue } from './stats.js'
import { Sweeps, type Run, type SweepDeps } from './sweep.js'
import type {
  OperatorQueue,
  QueueChange,
  QueueDetails,
  QueueHold,
  QueuePage,
  QueueQuery,
  QueueStats,
  Target,
} from './types.js'
import {
  findMessage,
  findTasks,
  mustFindTasks,
  notAnId,
  notQueued,
  ruleFor,
  filterFor,
  type TargetDeps,
} from './targets.js'
import type { Waiting, TaskFilter } from './waiting.js'

export interface OperatorQueueDeps extends SweepDeps, ShowDeps {
  queue: SweepDeps['queue'] & ShowDeps['queue']
  mailboxes: SweepDeps['mailboxes'] & TargetDeps['mailboxes']
  holds: Holds
  /** Forgets failures of a destination to be tried now; undefined: of all. */
  forgetFailures?: ((domain: string | undefined) => void) | undefined
}

/** Max wait of a command before a change continues in the background. */
const ANSWER_MS = 5 * SECOND

/** Continues unfinished releases from construction on. */
export class StartedOperatorQueue implements OperatorQueue {
  readonly #sweeps: Sweeps
  readonly #started: Promise<void>
  #counting: Promise<QueueStats> | undefined

  constructor(private readonly deps: OperatorQueueDeps) {
    this.#sweeps = new Sweeps(deps)
    this.#started = this.#goOn().catch((err: unknown) =>
      deps.log.error({ err }, 'unfinished releases of held mail could not be read; they continue at the next start'),
    )
  }

  async list({ state, limit, cursor, ...target }: QueueQuery): Promise<QueuePage> {
    return listQueue(this.deps, { ...(await filterFor(this.deps, target)), state }, { limit, cursor })
  }

  async show(id: string, mailbox?: string): Promise<QueueDetails> {
    if (id.startsWith('tsk_')) {
      const [task] = await mustFindTasks(this.deps, id)
      if (!task?.notice) throw notQueued(id)
      return showNotice(this.deps, task, task.notice)
    }
    const messageId = id.split(':')[0] ?? ''
    if (!isId('msg', messageId)) throw notAnId(id)
    const message = await findMessage(this.deps, messageId, mailbox)
    if (!message) throw notQueued(id)
    return showMessage(this.deps, message)
  }

  async stats(target: Target = {}): Promise<QueueStats> {
    const filter = await filterFor(this.deps, target)
    if (Object.values(filter).some((value) => value !== undefined)) return countQueue(this.deps, filter)
    this.#counting ??= countQueue(this.deps).finally(() => (this.#counting = undefined))
    return this.#counting
  }

  async holds(): Promise<QueueHold[]> {
    return (await this.deps.holds.list()).map(shownRule)
  }

  async hold(
    target: Target,
    { reason, by }: { reason?: string | undefined; by?: string | undefined },
  ): Promise<QueueChange> {
    const rule = await ruleFor(this.deps, target)
    const tasks = rule.kind === 'message' ? await mustFindTasks(this.deps, rule.value) : undefined
    // From here on the relay makes no attempt under this rule; waiting tasks are marked afterwards.
    await this.deps.holds.add({ ...rule, reason: reason ?? null, by: by ?? null, at: this.deps.clock.now() })
    return this.#answer('hold', target, by, () => this.#sweeps.hold(filterOf(rule), tasks))
  }

  async release(target: Target, by?: string): Promise<QueueChange> {
    const rule = await ruleFor(this.deps, target)
    const stored = (await this.deps.holds.list()).find(({ kind, value }) => kind === rule.kind && value === rule.value)
    if (!stored) throw await this.#notHeld(rule)
    const tasks = rule.kind === 'message' ? await findTasks(this.deps, rule.value) : undefined
    await this.deps.holds.release(rule.kind, rule.value)
    return this.#answer('release', target, by, () => this.#sweeps.release(stored, filterOf(stored), tasks))
  }

  async retry(target: Target, by?: string): Promise<QueueChange> {
    const filter = await filterFor(this.deps, target)
    const tasks = target.id === undefined ? undefined : await mustFindTasks(this.deps, target.id)
    const rules = tasks && (await Promise.all(tasks.map((task) => this.deps.holds.matches(task))))
    if (rules?.every((rule) => rule !== undefined)) throw stillHeld(target.id ?? '')
    if (tasks) for (const task of tasks) this.deps.forgetFailures?.(task.domain)
    else this.deps.forgetFailures?.(filter.domain)
    return this.#answer('retry', target, by, () => this.#sweeps.retry(filter, tasks))
  }

  async delete(target: Target, by?: string): Promise<QueueChange> {
    const filter = await filterFor(this.deps, target)
    if (Object.values(filter).every((value) => value === undefined)) {
      throw invalidRequest('Nothing is named.', 'Give an id, --mailbox ADDRESS or --domain DOMAIN.')
    }
    const tasks = target.id === undefined ? undefined : await mustFindTasks(this.deps, target.id)
    if (tasks?.some(({ leased }) => leased)) throw beingDelivered(tasks)
    const change = await this.#answer('delete', target, by, () => this.#sweeps.delete(filter, tasks))
    if (target.id === undefined) return change
    if (change.busy > 0) throw beingDelivered(tasks ?? [])
    if (await this.deps.holds.release('message', target.id)) {
      const [rule] = (await this.deps.holds.released()).filter(
        ({ kind, value }) => kind === 'message' && value === target.id,
      )
      if (rule) await this.deps.holds.forget(rule)
    }
    return change
  }

  /** Holds waiting and future mail of these mailboxes, durable when it resolves. Idempotent. @param account `name` and `reason` are for the operator */
  async holdAccount(account: { id: string; name: string; mailboxIds: string[]; reason: string }): Promise<void> {
    const { id: value, name, mailboxIds, reason } = account
    const at = this.deps.clock.now()
    const rule: HoldRule = { kind: 'account', value, name, reason, by: null, at, mailboxIds }
    await this.deps.holds.add(rule)
    inBackground(this.#sweeps.hold(filterOf(rule)))
  }

  /** Releases what `holdAccount` held, unless another rule holds it. Idempotent. */
  async releaseAccount(accountId: string): Promise<void> {
    const rule = (await this.deps.holds.list()).find(({ kind, value }) => kind === 'account' && value === accountId)
    if (!rule) return
    await this.deps.holds.release('account', accountId)
    inBackground(this.#sweeps.release(rule, filterOf(rule)))
  }

  /** Stops background work; releases continue at the next start. */
  async stop(): Promise<void> {
    await this.#started
    await this.#sweeps.stop()
  }

  /** Starts unfinished releases again. One that fails stays for the next start. */
  async #goOn(): Promise<void> {
    for (const rule of await this.deps.holds.released()) inBackground(this.#sweeps.release(rule, filterOf(rule)))
  }

  /** Waits for a run, within a limit, and logs the actor. Runs go on in the order of their starts. */
  async #answer(action: string, target: Target, by: string | undefined, start: () => Run): Promise<QueueChange> {
    await this.#started
    const run = start()
    const giveUp = new AbortController()
    const ended = run.ended.then(() => true)
    const late = pause(ANSWER_MS, false, { signal: giveUp.signal, ref: false })
    const finished = await Promise.race([ended, late])
    giveUp.abort()
    late.catch(() => undefined)
    const change = { ...run.progress, finished }
    const { id, mailbox, domain } = target
    this.deps.log.info({ action, ...named(id), mailbox, domain, by, ...change }, 'the operator changed the queue')
    return change
  }

  async #notHeld({ kind, value, name }: Pick<HoldRule, 'kind' | 'value' | 'name'>): Promise<ServiceError> {
    const [task] = kind === 'message' ? await findTasks(this.deps, value) : []
    const other = task && (await this.deps.holds.matches(task))
    return new ServiceError(
      'not_found',
      other ? `${name} is held by the rule on ${other.kind} ${other.name}.` : `Nothing holds ${kind} ${name}.`,
      other ? `Release that: ${releaseCommand(other)}` : 'restante queue holds lists what is held.',
    )
  }
}

function filterOf({ kind, value, mailboxIds }: Pick<HoldRule, 'kind' | 'value' | 'mailboxIds'>): TaskFilter {
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

function beingDelivered(tasks: Waiting[]): ServiceError {
  const [busy] = tasks.filter(({ leased }) => leased)
  return invalidRequest(
    `${busy?.id ?? 'It'} is being delivered right now.`,
    'Nobody can take it back from the other server. Ask again when the attempt has ended; restante queue hold keeps it from another one.',
  )
}

/** A task of a message has its id as prefix; others have their own. */
function named(id: string | undefined): { message_id?: string; task_id?: string } {
  if (id === undefined) return {}
  return isId('msg', id) ? { message_id: id } : { task_id: id }
}

function stillHeld(id: string): ServiceError {
  return invalidRequest(`${id} is held.`, 'Release it first; restante queue show says by what it is held.')
}

/** Failures are logged; the relay obeys the rules in any case. */
function inBackground(run: Run): void {
  run.ended.catch(() => undefined)
}
