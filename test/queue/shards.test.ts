/** One queue of two processes, each of which owns some of its shards. */
import t, { type Test } from 'tap'
import { ownAll } from '../../src/cluster/alone.js'
import { shardOf } from '../../src/cluster/shard-of.js'
import type { Follower, Shards } from '../../src/cluster/types.js'
import { HOUR, systemClock as clock } from '../../src/lib/clock.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import type { Task, WorkQueue } from '../../src/queue/types.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { processesOf } from '../support/store/processes.js'
import { tasksIn } from '../support/store/tasks.js'

const KIND = 'mail'
const COUNT = 4

/** Shards that a test hands out. */
class Handed implements Shards {
  readonly count = COUNT
  readonly #owned: Set<number>
  readonly #followers = new Set<Follower>()
  constructor(owned: number[]) {
    this.#owned = new Set(owned)
  }
  owns = (_duty: string, shard: number): boolean => this.#owned.has(shard)
  follow(_duty: string, follower: Follower): () => void {
    this.#followers.add(follower)
    for (const shard of this.#owned) follower.gain(shard)
    return () => void this.#followers.delete(follower)
  }
  gain(shard: number): void {
    this.#owned.add(shard)
    for (const follower of this.#followers) follower.gain(shard)
  }
  async lose(shard: number): Promise<void> {
    this.#owned.delete(shard)
    await Promise.all([...this.#followers].map((follower) => follower.lose(shard)))
  }
}

interface Node {
  queue: WorkQueue
  shards: Handed
  ran: string[]
  /** Runs tasks from now on. */
  work(handler?: (task: Task<unknown>, signal: AbortSignal) => Promise<void>): void
}

function nodes(t: Test, ...owned: number[][]): Node[] {
  const engines = processesOf(memoryEngine({ conflicts: 0 }), owned.length)
  return owned.map((own, i) => {
    const engine = engines[i]
    if (!engine) throw new Error('no engine')
    const store = createStore(engine)
    const shards = new Handed(own)
    const queue = createWorkQueue({ store, clock, shards })
    const ran: string[] = []
    return {
      queue,
      shards,
      ran,
      work(handler = async () => undefined) {
        const worker = queue.run(
          KIND,
          async (task, signal) => {
            ran.push(task.id)
            await handler(task, signal)
            return { done: true }
          },
          { concurrency: 10, onError: (error) => t.error(error) },
        )
        t.teardown(async () => {
          await worker.stop()
          await store.close()
        })
      },
    }
  })
}

const IDS = Array.from({ length: 40 }, (_, n) => `task${n}`)
const inShards = (...shards: number[]): string[] => IDS.filter((id) => shards.includes(shardOf(id, COUNT)))
const one = (shard: number): string => inShards(shard)[0] ?? ''

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5))
}

t.test('each runs the tasks of its shards, whoever added them', async (t) => {
  const [a, b] = nodes(t, [0, 1], [2, 3]) as [Node, Node]
  a.work()
  b.work()
  for (const [i, id] of IDS.entries()) await (i % 2 ? a : b).queue.enqueue(KIND, { id, payload: i, due: 0 })
  await until(async () => (await tasksIn(a.queue, KIND)).length === 0)
  t.same(a.ran.sort(), inShards(0, 1).sort())
  t.same(b.ran.sort(), inShards(2, 3).sort())
})

t.test('a shard moves when its running tasks have ended, and no task is lost or run by two', async (t) => {
  const [a, b] = nodes(t, [0, 1, 2, 3], []) as [Node, Node]
  const running = new Set<string>()
  const exclusive = async ({ id }: Task<unknown>): Promise<void> => {
    t.notOk(running.has(id))
    running.add(id)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running.delete(id)
  }
  a.work(exclusive)
  b.work(exclusive)
  const adding = (async () => {
    for (const [i, id] of IDS.entries()) await (i % 2 ? a : b).queue.enqueue(KIND, { id, payload: i, due: 0 })
  })()
  for (const shard of [0, 1, 2, 0, 1]) {
    const [from, to] = a.shards.owns('jobs', shard) ? [a, b] : [b, a]
    await from.shards.lose(shard)
    t.notOk([...running].some((id) => shardOf(id, COUNT) === shard))
    to.shards.gain(shard)
  }
  await adding
  await until(async () => (await tasksIn(a.queue, KIND)).length === 0)
  t.same([...new Set([...a.ran, ...b.ran])].sort(), [...IDS].sort())
})

t.test('the owner changes and removes a task for another process, unless it is running', async (t) => {
  const [a, b] = nodes(t, [0, 1], [2, 3]) as [Node, Node]
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  b.work(() => ended)
  const [later, soon, running] = [one(2), inShards(2)[1] ?? '', one(3)]
  for (const id of [later, soon]) await a.queue.enqueue(KIND, { id, payload: { n: 1 }, due: clock.now() + HOUR })
  t.equal(
    await a.queue.reschedule(KIND, later, clock.now() + 2 * HOUR, (payload: { n: number }) => ({ n: payload.n + 1 })),
    true,
  )
  t.match(await a.queue.get(KIND, later), { payload: { n: 2 } })
  t.equal(await a.queue.reschedule(KIND, later, clock.now() + HOUR), true)
  t.equal(await a.queue.remove(KIND, soon), true)
  t.equal(await a.queue.get(KIND, soon), undefined)
  t.equal(await a.queue.remove(KIND, soon), false)
  await a.queue.enqueue(KIND, { id: running, payload: null, due: 0 })
  await until(() => b.ran.includes(running))
  t.equal(await a.queue.remove(KIND, running), false)
  t.equal(await a.queue.reschedule(KIND, running, 0), false)
  t.match(await b.queue.counts(KIND), { waiting: 1, leased: 1 })
  end()
  await until(async () => (await a.queue.get(KIND, running)) === undefined)
})

t.test('a task that was finished elsewhere is forgotten', async (t) => {
  const engines = processesOf(memoryEngine({ conflicts: 0 }), 2)
  const [storeA, storeB] = engines.map(createStore)
  if (!storeA || !storeB) throw new Error('no store')
  t.teardown(() => Promise.all([storeA.close(), storeB.close()]))
  const a = createWorkQueue({ store: storeA, clock, shards: new Handed([]) })
  const b = createWorkQueue({ store: storeB, clock, shards: new Handed([0, 1, 2, 3]) })
  await a.enqueue(KIND, { id: 'x', payload: null, due: clock.now() + HOUR })
  await until(async () => (await b.counts(KIND)).waiting === 1)
  await storeA.write('mailbox/1', (tx) => a.finish(tx, KIND, 'x'))
  await until(async () => (await b.counts(KIND)).waiting === 0)
  await until(async () => (await storeA.partitions('', 10)).length === 0)
})

t.test('a task is found in the shard of a time when there were more or fewer of them', async (t) => {
  const [first, second] = processesOf(memoryEngine({ conflicts: 0 }), 2)
  if (!first || !second) throw new Error('no engine')
  const many = createWorkQueue({ store: createStore(first), clock, shards: ownAll(COUNT) })
  const one = createWorkQueue({ store: createStore(second), clock })
  for (const id of IDS) await many.enqueue(KIND, { id, payload: id, due: 0 })
  t.ok(IDS.some((id) => shardOf(id, COUNT) !== 0))
  for (const id of IDS) t.match(await one.get(KIND, id), { id, payload: id })
  t.equal(await one.get(KIND, 'unknown'), undefined)
})
