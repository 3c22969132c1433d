/** Bulk actions of the operator: hold, release, retry, delete. One run at a time, in the background, over all tasks; only the current tasks are in memory. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, SECOND } from '../../lib/clock.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { Log } from '../../observe/log.js'
import { HELD, type WorkQueue } from '../../queue/types.js'
import { withoutTimeHeld, type HoldRule, type Holds } from '../queue/holds.js'
import { everyWaiting, matchesFilter, readWaiting, type Waiting, type TaskFilter } from './waiting.js'

export interface SweepDeps {
  queue: Pick<WorkQueue, 'all' | 'get' | 'reschedule' | 'remove'>
  mailboxes: { outbound: Pick<OutboundMail, 'recordHold' | 'recordRelease' | 'recordDeletion' | 'keepDeliveries'> }
  holds: Holds
  clock: Clock
  log: Log
}

export interface Progress {
  changed: number
  busy: number
}

/** `busy`: a worker has it; `left`: nothing to do. */
type Step = 'changed' | 'busy' | 'left'

export interface Run {
  progress: Progress
  /** Resolves at its end, or rejects with its failure. */
  ended: Promise<void>
}

const AT_ONCE = 32
/** Released tasks per second: destinations must not be overrun. */
const RELEASED_A_SECOND = 100
/** A task being taken when its rule was released may become held a moment later: checked again after this, … */
const LOOK_AGAIN_MS = 2 * SECOND
/** … and then at this interval while a worker has it. */
const LOOK_AGAIN_LATER_MS = 30 * SECOND

export class Sweeps {
  readonly #stopping = new AbortController()
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly deps: SweepDeps) {}

  hold(filter: TaskFilter, tasks?: Waiting[]): Run {
    return this.#start(filter, tasks, (task) => this.#holdOne(task))
  }

  /** Releases the tasks of a released rule, and then forgets the rule. */
  release(rule: HoldRule, filter: TaskFilter, tasks?: Waiting[]): Run {
    const due = this.#dueTimes()
    const busy: Waiting[] = []
    const run = this.#start(filter, tasks, async (task) => {
      const step = await this.#releaseOne(task, due, rule.at)
      if (step === 'busy') busy.push(task)
      return step
    })
    const ended = run.ended.then(() => {
      if (this.#stopping.signal.aborted) return
      this.#followUp(rule, busy, due).catch((err: unknown) => {
        // The rule is still stored: the next start continues.
        if (!this.#stopping.signal.aborted)
          this.deps.log.error({ err }, 'the release of held mail continues at the next start')
      })
    })
    return { progress: run.progress, ended }
  }

  retry(filter: TaskFilter, tasks?: Waiting[]): Run {
    const due = this.#dueTimes()
    return this.#start(filter, tasks, async ({ kind, id, leased, due: before }) => {
      if (leased) return 'busy'
      if (before >= HELD || before <= this.deps.clock.now()) return 'left'
      return (await this.deps.queue.reschedule(kind, id, due())) ? 'changed' : 'busy'
    })
  }

  delete(filter: TaskFilter, tasks?: Waiting[]): Run {
    return this.#start(filter, tasks, async ({ kind, id, messageId, mailboxId, domain }) => {
      if (messageId === null || mailboxId === null) return (await this.deps.queue.remove(kind, id)) ? 'changed' : 'busy'
      return this.deps.mailboxes.outbound.keepDeliveries(messageId, async () => {
        const task = await this.deps.queue.get(kind, id)
        if (!task || task.leased) return 'busy'
        await this.deps.mailboxes.outbound.recordDeletion(mailboxId, messageId, domain)
        return 'changed'
      })
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#last
  }

  /** @param tasks affected ones, if known; otherwise all are scanned */
  #start(filter: TaskFilter, tasks: Waiting[] | undefined, step: (task: Waiting) => Promise<Step>): Run {
    const progress: Progress = { changed: 0, busy: 0 }
    const ended = this.#last.then(() => this.#run(progress, filter, tasks, step))
    this.#last = ended.catch((err: unknown) => this.deps.log.error({ err }, 'a change to the queue was not finished'))
    return { progress, ended }
  }

  async #run(
    progress: Progress,
    filter: TaskFilter,
    tasks: Waiting[] | undefined,
    step: (task: Waiting) => Promise<Step>,
  ): Promise<void> {
    const working = new Set<Promise<void>>()
    let failure: { error: unknown } | undefined
    for await (const task of tasks ?? everyWaiting(this.deps.queue)) {
      if (this.#stopping.signal.aborted || failure) break
      if (!matchesFilter(task, filter)) continue
      const work: Promise<void> = step(task)
        .then((result) => {
          if (result !== 'left') progress[result]++
        })
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => working.delete(work))
      working.add(work)
      if (working.size >= AT_ONCE) await Promise.race(working)
    }
    await Promise.all(working)
    if (failure) throw failure.error
  }

  /** Staggered due times for many tasks. */
  #dueTimes(): () => number {
    let count = 0
    return () => this.deps.clock.now() + Math.floor((count++ / RELEASED_A_SECOND) * SECOND)
  }

  async #holdOne(task: Waiting): Promise<Step> {
    const { kind, id, messageId, mailboxId, domain } = task
    // The relay checks before each attempt, so a running task stops by itself.
    if (task.leased) return 'busy'
    if (task.due >= HELD) return 'left'
    if (
      messageId !== null &&
      mailboxId !== null &&
      !(await this.deps.mailboxes.outbound.recordHold(mailboxId, messageId, domain))
    )
      return 'left'
    return (await this.deps.queue.reschedule(kind, id, HELD)) ? 'changed' : 'busy'
  }

  async #releaseOne(task: Waiting, due: () => number, heldSince: number): Promise<Step> {
    const { kind, id, messageId, mailboxId, domain } = task
    if (task.due < HELD) return task.leased ? 'busy' : 'left'
    if (await this.deps.holds.matches(task)) return 'left'
    const at = due()
    if (messageId !== null && mailboxId !== null)
      await this.deps.mailboxes.outbound.recordRelease(mailboxId, messageId, domain, at)
    const change =
      kind === 'relay' ? (payload: RelayTask) => withoutTimeHeld(payload, heldSince, this.deps.clock.now()) : undefined
    return (await this.deps.queue.reschedule(kind, id, at, change)) ? 'changed' : 'busy'
  }

  /** A task running while its rule was released may become held by it just then. */
  async #followUp(rule: HoldRule, busy: Waiting[], due: () => number): Promise<void> {
    for (let wait = LOOK_AGAIN_MS; busy.length > 0; wait = LOOK_AGAIN_LATER_MS) {
      await pause(wait, undefined, { signal: this.#stopping.signal, ref: false })
      const again: Waiting[] = []
      for (const { kind, id } of busy) {
        const task = await readWaiting(this.deps.queue, { kind, id })
        if (task && (await this.#releaseOne(task, due, rule.at)) === 'busy') again.push(task)
      }
      busy = again
    }
    await this.deps.holds.forget(rule)
  }
}
