/**
 * The process dies at every commit of a send and of its check, right before or right after it. After the restart the client repeats its request,
 * the tasks are worked, and there has to be one message, relayed once to each domain.
 */
import { setImmediate as tick } from 'node:timers/promises'
import t from 'tap'
import { MINUTE, SECOND } from '../../src/lib/clock.js'
import type { CheckTask, RelayTask } from '../../src/mailbox/tasks.js'
import type { Engine } from '../../src/store/engine.js'
import { createStore } from '../../src/store/store.js'
import type { Task, TaskOutcome } from '../../src/store/types.js'
import { ENGINES } from '../store/engines.js'
import { eventsOf, makeWorld, type World } from './world.js'

const TO = ['ada@example.org', 'bob@example.org', 'eve@example.net'].map((address) => ({ address, name: '' }))

/** The engine as a process sees it that dies at its `at`th commit from when it is armed; nothing is written after that. */
function mortal(
  engine: Engine,
  at: number,
  moment: 'before' | 'after',
): { engine: Engine; arm(): void; died(): boolean } {
  let left = Infinity
  const dead = (): Error => new Error('The process died')
  return {
    arm: () => (left = at),
    died: () => left <= 0,
    engine: {
      ...engine,
      async commit(partition, expect, ops) {
        if (left <= 0) throw dead()
        const last = --left <= 0
        if (last && moment === 'before') throw dead()
        const done = await engine.commit(partition, expect, ops)
        if (last) throw dead()
        return done
      },
      close: async () => undefined,
    },
  }
}

/** What src/jobs and src/relay do with their tasks; the relay's answer is always the same. */
function work(world: World): { relayed: string[]; busy(): boolean; stop(): Promise<void> } {
  const relayed: string[] = []
  let working = 0
  const orLater = (done: boolean, task: Task<unknown>): TaskOutcome<never> =>
    done || world.clock.now() - task.queuedAt > MINUTE
      ? { done: true }
      : { done: false, retryAt: world.clock.now() + 3 * SECOND }
  const counted =
    <P>(handler: (task: Task<P>) => Promise<TaskOutcome<P>>) =>
    async (task: Task<P>): Promise<TaskOutcome<P>> => {
      working++
      try {
        return await handler(task)
      } finally {
        working--
      }
    }
  const options = { concurrency: 3, leaseMs: 10 * MINUTE, onError: () => undefined }
  const workers = [
    world.queue.run<CheckTask>(
      'check',
      counted(async (task) =>
        orLater(await world.mailboxes.runCheck(task.payload.mailbox_id, task.payload.message_id), task),
      ),
      options,
    ),
    world.queue.run<RelayTask>(
      'relay',
      counted(async (task) => {
        const { mailbox_id, message_id, domain } = task.payload
        const outbound = await world.mailboxes.outbound(mailbox_id, message_id)
        if (!outbound) return orLater(false, task)
        if (outbound === 'checking') return { done: false, retryAt: world.clock.now() + 3 * SECOND }
        relayed.push(`${message_id}:${domain}`)
        await world.mailboxes.startSending(mailbox_id, message_id)
        const addresses = TO.map(({ address }) => address).filter((address) => address.endsWith(`@${domain}`))
        const results = addresses.map((address) => ({
          address,
          status: 'delivered' as const,
          smtpCode: 250,
          detail: 'ok',
          nextAttemptAt: null,
        }))
        await world.mailboxes.recordAttempt(mailbox_id, message_id, results)
        return { done: true }
      }),
      options,
    ),
  ]
  return {
    relayed,
    busy: () => working > 0,
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  }
}

/** Moves the clock until no task is left. */
async function settle(world: World): Promise<string[]> {
  const worker = work(world)
  for (let rounds = 0; rounds < 2000; rounds++) {
    const tasks = [...(await world.queue.list('check', 10)), ...(await world.queue.list('relay', 10))]
    if (tasks.length === 0) break
    if (!worker.busy() && tasks.every(({ leased }) => !leased)) world.clock.advance(SECOND)
    world.queue.poke()
    await tick()
  }
  await worker.stop()
  return worker.relayed
}

const attempt = (world: World): Promise<unknown> =>
  world.send({ to: TO }, 'key').then(
    (sent) => world.mailboxes.runCheck(world.id, sent.id),
    (error: unknown) => error,
  )

for (const { name, open } of ENGINES) {
  for (const moment of ['before', 'after'] as const) {
    t.test(`a crash ${moment} any commit leaves one message, relayed once (${name})`, async (t) => {
      let crashes = 0
      for (let at = 1; ; at++) {
        const scope = { testdir: () => t.testdir(), teardown: (fn: () => Promise<void>) => void ends.push(fn) }
        const ends: (() => Promise<void>)[] = []
        const engine = open(scope)
        const process = mortal(engine, at, moment)
        const firstLife = await makeWorld(t, createStore(process.engine))
        process.arm()
        await attempt(firstLife).catch((error: unknown) => error)
        const died = process.died()
        if (died) crashes++

        const world = await makeWorld(t, createStore(engine), firstLife)
        const answer = await world.send({ to: TO }, 'key')
        const relayed = await settle(world)
        t.same(relayed.sort(), [`${answer.id}:example.net`, `${answer.id}:example.org`], `crash at commit ${at}`)
        t.equal((await world.mailboxes.getMessage(world.id, answer.id)).status, 'delivered')
        t.equal((await world.record()).messageCount, 1)
        const statuses = (await eventsOf(world)).map(({ data }) => data.status)
        t.same(statuses.slice(0, 3), ['checking', 'queued', 'sending'])
        t.equal(statuses.at(-1), 'delivered')
        for (const end of ends) await end()
        if (!died) break
      }
      t.ok(crashes >= 4, `${crashes} places to crash at`)
    })
  }
}
