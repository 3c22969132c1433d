/** Delivers mail of the service itself: notices, letters, reports, operator forwards. Each sort is its own kind of task, with its own schedule and log lines. */
import { SECOND } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { Deliverer, type DelivererOptions } from './delivery.js'
import type { LocalDelivery } from './local.js'
import type { Outcome, Outcomes } from '../outcome.js'
import type { Routing } from '../routing/routes.js'

export interface CourierDeps {
  queue: Pick<WorkQueue, 'run'>
  routing: Pick<Routing, 'find'>
  local?: Pick<LocalDelivery, 'isFor' | 'deliver'> | undefined
  connection: DelivererOptions
  /** Time for deliveries in progress after `stop`, in ms; 10 s by default. */
  stopGraceMs?: number | undefined
  log: Log
}

export interface Trip {
  /** Task id, for the log, and to deliver local copies once. */
  id: string
  /** '' for the null sender. */
  from: string
  to: string
  /** `any`: whatever TLS the host offers (RFC 8689 §5). `required`: REQUIRETLS (§2). */
  tls: 'usual' | 'any' | 'required'
  raw: Buffer
  /** Signs the message for other servers, once its route is known. */
  sign: (raw: Buffer) => Buffer | Promise<Buffer>
}

/** Delivers one message to one recipient, local or remote. @throws Error if stopped meanwhile */
export type Send = (trip: Trip) => Promise<Outcome>

export interface CourierWork<P> {
  kind: string
  /** For the log, plural: `letters`. */
  what: string
  concurrency: number
  handle: (task: Task<P>, send: Send) => Promise<TaskOutcome<P>>
}

export type RunningCourier = ReturnType<Courier['start']>

export class Courier {
  constructor(private readonly deps: CourierDeps) {}

  start<P>({ kind, what, concurrency, handle }: CourierWork<P>) {
    const { queue, log, connection, stopGraceMs = 10 * SECOND } = this.deps
    const deliverer = new Deliverer(connection)
    const send: Send = (trip) => this.#send(trip, deliverer)
    const worker = queue.run<P>(kind, (task) => handle(task, send), {
      concurrency,
      onError: (err, { id }) => log.error({ err, task_id: id }, `${what} failed on our side`),
      onQueueError: (err) => log.error({ err }, `the queue of ${what} cannot be read or written`),
    })
    return {
      /** Takes no more tasks, and drops deliveries in progress after the grace period; they are repeated later. */
      async stop(): Promise<void> {
        const grace = setTimeout(() => deliverer.destroy(), stopGraceMs)
        await worker.stop()
        clearTimeout(grace)
        deliverer.destroy()
      },
    }
  }

  async #send({ id, from, to, tls, raw, sign }: Trip, deliverer: Deliverer): Promise<Outcome> {
    const { local, routing } = this.deps
    const domain = domainOf(to)
    if (local?.isFor(domain)) return outcomeFor(await local.deliver({ messageId: id, from, recipients: [to], raw }), to)
    const requireTls = tls === 'required'
    const route = await routing.find(domain, { requireTls, anyTls: tls === 'any' })
    if (route.kind !== 'targets') return route
    const mail = { from, recipients: [to], raw: await sign(raw), requireTls }
    const { outcomes } = await deliverer.attempt(route.targets, mail)
    return outcomeFor(outcomes, to)
  }
}

function outcomeFor(outcomes: Outcomes, to: string): Outcome {
  const outcome = outcomes.get(to)
  if (!outcome) throw new Error('a recipient has no outcome')
  return outcome
}
