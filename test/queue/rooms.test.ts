/** Tasks that wait for room they share, on every engine: they stay in the queue, in turn, and cost nothing until there is some. */
import t from 'tap'
import { ManualClock } from '../../src/lib/clock.js'
import { HELD, type Rooms, type Task, type TaskOutcome, type Worker } from '../../src/queue/types.js'
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
    /** It is due, and nobody has taken it: there is no room. */
    async untilItWaits(id: string): Promise<void> {
      while (begun.includes(id) && (await queue.get(KIND, id))?.leased) await turn()
      for (let n = 0; n < 20; n++) await turn()
    },
    start: (): Worker =>
      queue.run<Payload>(KIND, handle, {
        concurrency,
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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

for (const { name, openStore } of ENGINES) {
  t.test(name, async (t) => {
    t.test('a backlog to one destination costs a commit a message, however long it waits', async (t) => {
      const store = openStore(t)
      const { add, start, next, most, begun, queue } = setUp(store)
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
      t.ok(commits <= N, `${commits} commits to take and to finish ${N}`)
      t.same(await queue.counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
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
      await dead.stop()

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
      t.match(await queue.get(KIND, 'a'), { attempts: 0, leased: true }, 'that does not count')
      for (const id of ['b', 'c']) await add(id, 'a.test')
      limit = 3
      worker.look()
      await until(() => workOf('a.test').length === 3)
      await worker.stop()
    })

    t.test('what could begin at once waits while there is no room, and begins when there is', async (t) => {
      const { add, untilItWaits, start, next, until, begun, queue } = setUp(openStore(t), { atOnce: 1 })
      await add('a', 'a.test')
      const worker = start()
      await until(() => begun.length === 1)
      await add('b', 'a.test')
      await untilItWaits('b')
      await add('c', 'c.test')
      await until(() => begun.includes('c'))
      t.match(await queue.get(KIND, 'b'), { attempts: 0, leased: false })
      await next('a.test')
      t.same(begun, ['a', 'c', 'b'])
      await add('d', 'a.test')
      await untilItWaits('d')
      await next('a.test')
      t.same(begun, ['a', 'c', 'b', 'd'])
      await worker.stop()
    })
  })
}
