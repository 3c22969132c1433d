/**
 * Mail of this server itself on its way out: notices, reports, what is passed on to the operator. It belongs to no mailbox's queue; each sort is
 * a kind of task of its own, with its own words about how it went.
 */
import { SECOND } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { Deliverer } from './delivery.js'
import type { Outcome, Outcomes } from '../outcome.js'
import { createRouting } from '../routing/routes.js'
import type { RoutingDeps } from '../routing/routes.js'

export interface CourierDeps extends RoutingDeps {
  queue: Pick<WorkQueue, 'run'>
  timeouts: { connectMs: number; responseMs: number }
  /** How long `stop` lets deliveries at work go on; 10 s when not given. */
  stopGraceMs?: number
  log: Log
}

export interface Trip {
  /** '' for the null sender. */
  from: string
  to: string
  /** `any`: delivered whatever TLS is like over there (RFC 8689 §5). `required`: only as its author asked for (§2). */
  tls: 'usual' | 'any' | 'required'
  /** The message; made when it is known where it goes. */
  make: () => Buffer | Promise<Buffer>
}

/** Takes one message to one recipient's server. @throws Error when it was stopped meanwhile */
export type Send = (trip: Trip) => Promise<Outcome>

export interface Courier {
  /** Takes no more tasks, and drops deliveries at work after the grace period; they are made again later. */
  stop(): Promise<void>
}

/** @param work how the tasks of this kind are done; `what` they are, for the log */
export function startCourier<P>(
  deps: CourierDeps,
  work: {
    kind: string
    what: string
    concurrency: number
    handle: (task: Task<P>, send: Send) => Promise<TaskOutcome<P>>
  },
): Courier {
  const { log } = deps
  const { kind, what } = work
  const routing = createRouting(deps)
  const deliverer = new Deliverer({
    hostname: deps.hostname,
    connectTimeoutMs: deps.timeouts.connectMs,
    responseTimeoutMs: deps.timeouts.responseMs,
    tlsResults: deps.tlsResults,
  })

  const send: Send = async ({ from, to, tls, make }) => {
    const requireTls = tls === 'required'
    const route = await routing.find(domainOf(to), { requireTls, anyTls: tls === 'any' })
    if (route.kind !== 'targets') return route
    const { outcomes } = await deliverer.attempt(route.targets, {
      from,
      recipients: [to],
      raw: await make(),
      requireTls,
    })
    return outcomeFor(outcomes, to)
  }

  const worker = deps.queue.run<P>(kind, (task) => work.handle(task, send), {
    concurrency: work.concurrency,
    onError: (err, { id }) => log.error({ err, task_id: id }, `${what} failed on our side`),
    onQueueError: (err) => log.error({ err }, `the queue of ${what} can not be read or written`),
  })

  return {
    async stop() {
      const grace = setTimeout(() => deliverer.destroy(), deps.stopGraceMs ?? 10 * SECOND)
      await worker.stop()
      clearTimeout(grace)
      deliverer.destroy()
    },
  }
}

export function outcomeFor(outcomes: Outcomes, to: string): Outcome {
  const outcome = outcomes.get(to)
  if (!outcome) throw new Error('a recipient has no outcome')
  return outcome
}
