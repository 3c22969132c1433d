/** The life of a process that does all work there is. */
import { setImmediate as tick } from 'node:timers/promises'
import { SECOND } from '../../src/lib/clock.js'
import { domainOf } from '../../src/mime/address.js'
import type { CheckTask, RelayTask } from '../../src/mailbox/tasks.js'
import type { Task, TaskOutcome } from '../../src/queue/types.js'
import type { World } from './world.js'
import { tasksIn } from '../support/store/tasks.js'

/** What src/jobs and src/relay do with their tasks; the relay's answer is always the same. */
function work(world: World): { relayed: string[]; busy(): boolean; stop(): Promise<void> } {
  const relayed: string[] = []
  let working = 0
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
  const options = { concurrency: 3, onError: () => undefined }
  const workers = [
    world.queue.run<CheckTask>(
      'check',
      counted(async ({ payload }) => {
        await world.mailboxes.outbound.runCheck(payload.mailbox_id, payload.message_id)
        return { done: true }
      }),
      options,
    ),
    world.queue.run<RelayTask>(
      'relay',
      counted(async (task) => {
        const { mailbox_id, message_id, domain } = task.payload
        const outbound = await world.mailboxes.outbound.message(mailbox_id, message_id)
        if (!outbound) return { done: true }
        relayed.push(`${message_id}:${domain}`)
        await world.mailboxes.outbound.startSending(mailbox_id, message_id)
        const addresses = outbound.message.recipients
          .map(({ address }) => address)
          .filter((address) => domainOf(address) === domain)
        const results = addresses.map((address) => ({
          address,
          status: 'delivered' as const,
          smtpCode: 250,
          detail: 'ok',
          nextAttemptAt: null,
        }))
        await world.mailboxes.outbound.recordAttempt(mailbox_id, message_id, results)
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
export async function settle(world: World): Promise<string[]> {
  const worker = work(world)
  for (let seconds = 0; seconds < 2000;) {
    const tasks = [...(await tasksIn(world.queue, 'check', 10)), ...(await tasksIn(world.queue, 'relay', 10))]
    // A row goes a moment before its handler hears of that, and what follows from it is queued.
    if (tasks.length === 0 && !worker.busy()) break
    // What is being written takes as long as the disk does.
    if (!worker.busy() && tasks.every(({ leased }) => !leased)) {
      world.clock.advance(SECOND)
      seconds++
    }
    world.queue.poke()
    await tick()
  }
  await worker.stop()
  return worker.relayed
}
