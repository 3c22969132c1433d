/** Tasks that wait for room they share, on every engine: they stay in the queue, in turn, and cost nothing until there is some. */
import t from 'tap'
import { HOUR, ManualClock, SECOND } from '../../src/lib/clock.js'
import { createParked } from '../../src/queue/parked.js'
import { shardOf } from '../../src/queue/rows.js'
import { createTasks, partitionOf, SHARDS } from '../../src/queue/tasks.js'
import { HELD } from '../../src/queue/types.js'
import type { Rooms, Task, TaskOutcome, Worker } from '../../src/queue/types.js'
import type { Store } from '../../src/store/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { ENGINES } from '../store/engines.js'

const KIND = 'relay'
const DONE: TaskOutcome<never> = { done: true }

interface Payload {
  to: string
}

/** A worker whose tasks end when the test says so; of each destination so many are at work at once. */
function setUp(store: Store, { atOnce = 2, concurrency = 50, limit = (): number => atOnce } = {}) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const queue = createWorkQueue({ store, clock })
  const atWork = new Map<string, { id: string; end: (outcome: TaskOutcome<Payload>) => void }[]>()
  const begun: string[] = []
  const most = new Map<string, number>()
  const watchers = new Set<() => void>()
  const workOf = (to: string) => atWork.get(to) ?? []

  const rooms: Rooms<Payload> = {
    nameOf: ({ to }) => to,
    ask() {
      const granted = new Map<string, number>()
      return (name) => {
        const coming = (granted.get(name) ?? 0) + 1
        if (workOf(name).length + coming > limit()) return false
        granted.set(name, coming)
        return true
      }
    },
  }
  const handle = ({ id, payload: { to } }: Task<Payload>, signal: AbortSignal): Promise<TaskOutcome<Payload>> => {
    begun.push(id)
    return new Promise((resolve, reject) => {
      const one = {
        id,
        end(outcome: TaskOutcome<Payload>) {
          atWork.set(
            to,
            workOf(to).filter((other) => other !== one),
          )
          resolve(outcome)
        },
      }
      atWork.set(to, [...workOf(to), one])
      most.set(to, Math.max(most.get(to) ?? 0, workOf(to).length))
      signal.addEventListener('abort', () => reject(new Error('stopped')))
      for (const look of watchers) look()
    })
  }
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })

  return {
    clock,
    queue,
    begun,
    most,
    until,
    workOf,
    add: (id: string, to: string, lane = 'mbx_a') =>
      queue.enqueue<Payload>(KIND, { id, payload: { to }, due: clock.now(), lane }),
    /** A message is accepted: its task waits in case of a crash, and is told to begin. */
    async hasten(id: string, to: string, lane = 'mbx_a'): Promise<void> {
      await queue.enqueue<Payload>(KIND, { id, payload: { to }, due: clock.now() + 5 * SECOND, lane })
      queue.hasten(KIND, { id, lane })
    },
    /** A worker has looked at everything there is, and nothing is being written. */
    async idle(): Promise<void> {
      for (let n = 0; n < 3; n++) {
        const shards = Array.from({ length: SHARDS }, (_, shard) => partitionOf(KIND, shard))
        await Promise.all(shards.map((partition) => store.write(partition, () => undefined)))
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    async untilParked(id: string, to: string, lane = 'mbx_a'): Promise<void> {
      while (
        !(await createTasks(store).rooms(KIND, shardOf(lane))).includes(to) ||
        (await queue.get(KIND, id))?.leased
      ) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    start: (): Worker =>
      queue.run<Payload>(KIND, handle, {
        concurrency,
        leaseMs: HOUR,
        alone: true,
        rooms,
        onError: (error) => t.fail(String(error)),
        onQueueError: (error) => t.fail(String(error)),
      }),
    /** Ends the one that has been at work for longest, and waits for the next, if one is due. */
    async next(to: string, more = true, outcome: TaskOutcome<Payload> = DONE): Promise<void> {
      const count = begun.length
      workOf(to)[0]?.end(outcome)
      if (more) await until(() => begun.length > count)
    },
  }
}

for (const { name, openStore } of ENGINES) {
  t.test(name, async (t) => {
    t.test('a backlog to one destination costs at most three commits a message, however long it waits', async (t) => {
      const store = openStore(t)
      const { add, start, next, most, begun } = setUp(store)
      const N = 300
      const ids = Array.from({ length: N }, (_, n) => `m${String(n).padStart(3, '0')}`)
      await Promise.all(ids.map((id) => add(id, 'a.test')))
      let commits = 0
      store.onCommit(() => commits++)
      const worker = start()
      while (begun.length < 2) await next('a.test')
      for (let n = 2; n < N; n++) await next('a.test')
      await next('a.test', false)
      await next('a.test', false)
      await worker.stop()
      t.equal(most.get('a.test'), 2)
      t.same(begun.toSorted(), ids, 'each once, and none in vain')
      t.ok(commits <= 3 * N, `${commits} commits to take and to finish ${N}`)
      t.same(await createTasks(store).counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
    })

    t.test('what waits for one destination lets all others by, of the same mailbox too', async (t) => {
      const { add, start, until, workOf } = setUp(openStore(t))
      await Promise.all(Array.from({ length: 400 }, (_, n) => add(`slow-${n}`, 'slow.test')))
      const others = Array.from({ length: 40 }, (_, n) => `${n}.test`)
      await Promise.all(others.map((to) => add(`to-${to}`, to)))
      const worker = start()
      await until(() => others.every((to) => workOf(to).length === 1))
      t.equal(workOf('slow.test').length, 2)
      await worker.stop()
    })

    t.test('mailboxes take turns at a destination, and none is left out', async (t) => {
      const { add, start, next, until, begun } = setUp(openStore(t), { atOnce: 1 })
      await Promise.all(Array.from({ length: 60 }, (_, n) => add(`many-${n}`, 'a.test', 'mbx_many')))
      const worker = start()
      await until(() => begun.length === 1)
      for (const lane of ['x', 'y', 'z']) await add(`one-${lane}`, 'a.test', `mbx_${lane}`)
      for (let n = 0; n < 12; n++) await next('a.test')
      t.same(begun.filter((id) => id.startsWith('one')).toSorted(), ['one-x', 'one-y', 'one-z'])
      await worker.stop()
    })

    t.test('what waits is there after a restart, is counted, listed, held, let go and taken out', async (t) => {
      const store = openStore(t)
      const first = setUp(store, { atOnce: 1 })
      for (const id of ['a', 'b', 'c', 'd', 'e']) await first.add(id, 'a.test', `mbx_${id}`)
      const dead = first.start()
      await first.until(() => first.begun.length === 1)
      const [atWork] = first.begun
      const rest = ['a', 'b', 'c', 'd', 'e'].filter((id) => id !== atWork)
      // Written down that they wait, so that what comes next is about those.
      const parked = async (): Promise<string[]> => {
        const shards = Array.from({ length: SHARDS }, (_, shard) => createTasks(store).rooms(KIND, shard))
        return (await Promise.all(shards)).flat()
      }
      while ((await createTasks(store).counts(KIND)).leased > 1) await new Promise((resolve) => setImmediate(resolve))
      await dead.stop()
      t.ok((await parked()).includes('a.test'))

      const { queue, clock, begun, start, next, until } = setUp(store, { atOnce: 1 })
      const seen: string[] = []
      for await (const { id, leased } of queue.all(KIND)) if (!leased) seen.push(id)
      t.same(seen.toSorted(), ['a', 'b', 'c', 'd', 'e'])
      const [held = '', removed = '', ...others] = rest
      t.ok(await queue.reschedule(KIND, held, HELD))
      t.ok(await queue.remove(KIND, removed))
      t.match(await queue.counts(KIND), { held: 1, leased: 0 })
      const worker = start()
      await until(() => begun.length === 1)
      for (let n = 0; n < others.length; n++) await next('a.test')
      await next('a.test', false)
      t.same(begun.toSorted(), [atWork, ...others].toSorted())
      await queue.reschedule(KIND, held, clock.now())
      await until(() => begun.includes(held))
      await worker.stop()
    })

    t.test('who finds no room after all waits like the others, and room that comes by itself is told', async (t) => {
      let limit = 1
      const { add, start, next, until, begun, queue, workOf } = setUp(openStore(t), { limit: () => limit })
      await add('a', 'a.test')
      const worker = start()
      await until(() => begun.length === 1)
      await next('a.test', true, { done: false, waitFor: 'a.test' })
      t.same(begun, ['a', 'a'])
      t.match(await queue.get(KIND, 'a'), { attempts: 1, leased: true }, 'the first time does not count')
      for (const id of ['b', 'c']) await add(id, 'a.test')
      limit = 3
      worker.look()
      await until(() => workOf('a.test').length === 3)
      await worker.stop()
    })

    t.test(
      'who began at once and finds no room after all waits like the others, though no lease was written',
      async (t) => {
        let limit = 1
        const store = openStore(t)
        const { add, hasten, idle, untilParked, start, next, until, begun, queue } = setUp(store, {
          limit: () => limit,
        })
        await add('first', 'a.test')
        const worker = start()
        await until(() => begun.length === 1)
        await next('a.test', false)
        await idle()
        await hasten('b', 'b.test')
        await until(() => begun.includes('b'))
        t.match(await createTasks(store).counts(KIND), { waiting: 1, leased: 0 }, 'it began without a commit')
        limit = 0
        await next('b.test', false, { done: false, waitFor: 'b.test' })
        await untilParked('b', 'b.test')
        t.match(await createTasks(store).counts(KIND), { waiting: 0, ready: 1, leased: 0 })
        t.match(await queue.get(KIND, 'b'), { attempts: 0, leased: false })
        limit = 1
        worker.look()
        await until(() => begun.length === 3)
        t.same(begun, ['first', 'b', 'b'])
        t.match(await queue.get(KIND, 'b'), { attempts: 1, leased: true })
        await next('b.test', false)
        await worker.stop()
        t.same(await createTasks(store).counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
      },
    )

    t.test('what could begin at once waits while there is no room, and begins when there is', async (t) => {
      const { add, hasten, idle, untilParked, start, next, until, begun, queue } = setUp(openStore(t), { atOnce: 1 })
      await add('a', 'a.test')
      const worker = start()
      await until(() => begun.length === 1)
      await idle()
      await hasten('b', 'a.test')
      await untilParked('b', 'a.test')
      await hasten('c', 'c.test')
      await until(() => begun.includes('c'))
      t.match(await queue.get(KIND, 'b'), { attempts: 0, leased: false })
      queue.hasten(KIND, { id: 'b', lane: 'mbx_a' })
      await next('a.test')
      t.same(begun, ['a', 'c', 'b'])
      await hasten('d', 'a.test')
      await untilParked('d', 'a.test')
      await next('a.test')
      t.same(begun, ['a', 'c', 'b', 'd'])
      await worker.stop()
    })
  })
}

t.test('of ten thousand destinations the names are in memory, and of no more', async (t) => {
  const parked = createParked()
  for (let n = 0; n < 10_000; n++) parked.note(`${n}.test`, n % SHARDS)
  t.ok(parked.mayTake('1.test'))
  t.notOk(parked.mayTake('10000.test'))
  const asked = new Set<string>()
  for (let n = 0; n < 400; n++) for (const name of parked.toAsk(['7.test'])) asked.add(name)
  t.equal(asked.size, 10_000, 'all are asked about, in turn')
})
