/** Lanes and priorities of the work queue, on every engine. */
import fc from 'fast-check'
import t from 'tap'
import { HOUR, MINUTE, ManualClock, SECOND } from '../../src/lib/clock.js'
import { encode, key } from '../../src/store/keys.js'
import { shardOf } from '../../src/queue/rows.js'
import { createTasks, partitionOf, SHARDS } from '../../src/queue/tasks.js'
import type { Tasks } from '../../src/queue/tasks.js'
import { FIRST_TURN } from '../../src/queue/turns.js'
import type { Turn } from '../../src/queue/turns.js'
import { HELD } from '../../src/queue/types.js'
import type { Priority, TaskOutcome } from '../../src/queue/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { ENGINES } from '../store/engines.js'

const KIND = 'relay'
const NOW = Date.UTC(2026, 0, 1)
const NOBODY: ReadonlySet<string> = new Set()
const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard)
const DONE: TaskOutcome<never> = { done: true }

/** One worker that takes a task at a time, shard by shard. */
function taker(tasks: Tasks) {
  const turns = new Array<Turn>(SHARDS).fill(FIRST_TURN)
  let last = -1
  return {
    /** The id of the next task; it is finished at once. Undefined when nothing is due. */
    async next(now = NOW): Promise<string | undefined> {
      for (let i = 1; i <= SHARDS; i++) {
        const shard = (last + i) % SHARDS
        const lease = { now, ms: MINUTE }
        const turn = turns[shard] ?? FIRST_TURN
        const taken = await tasks.take(KIND, shard, { limit: 1, lease, running: NOBODY, turn })
        turns[shard] = taken.turn
        const [one] = taken.tasks
        if (!one) continue
        last = shard
        await tasks.settle(KIND, shard, { id: one.task.id, token: one.token }, { to: 'finished' }, now)
        return one.task.id
      }
      return undefined
    },
    async all(now = NOW): Promise<string[]> {
      const ids: string[] = []
      for (let id = await this.next(now); id !== undefined; id = await this.next(now)) ids.push(id)
      return ids
    },
  }
}

for (const { name, openStore } of ENGINES) {
  t.test(name, async (t) => {
    const setUp = () => {
      const store = openStore(t)
      const tasks = createTasks(store)
      const add = (id: string, lane?: string, priority?: Priority, due = NOW): Promise<void> =>
        tasks.add(KIND, { id, payload: null, due, lane, priority }, NOW)
      return { store, tasks, add, worker: taker(tasks) }
    }

    t.test(
      'one message waits for two of the thousand that another mailbox queued before it, not for all',
      async (t) => {
        const { add, worker } = setUp()
        await Promise.all(Array.from({ length: 1000 }, (_, n) => add(`many-${n}`, 'mbx_many')))
        await add('single', 'mbx_one', undefined, NOW)
        const first = [await worker.next(), await worker.next(), await worker.next()]
        t.ok(first.includes('single'), first.join())
      },
    )

    t.test('lanes take turns in a round, and the earliest of a lane comes first', async (t) => {
      const { add, worker } = setUp()
      const lanes = Array.from({ length: 40 }, (_, n) => `mbx_${n}`)
      for (let round = 0; round < 3; round++) {
        await Promise.all(lanes.map((lane) => add(`${lane}:${round}`, lane, undefined, NOW - 10 + round)))
      }
      const order = await worker.all()
      t.equal(order.length, 120)
      for (const lane of lanes) {
        const own = order.filter((id) => id.startsWith(`${lane}:`))
        t.same(
          own,
          [0, 1, 2].map((round) => `${lane}:${round}`),
        )
      }
      // Shards have more lanes or fewer, so rounds are not sharp; but nobody is served twice before most are served once.
      t.ok(new Set(order.slice(0, 60).map((id) => id.split(':')[0])).size >= 30)
    })

    t.test('the first priority goes before, and the last is never starved', async (t) => {
      const { add, worker } = setUp()
      for (let n = 0; n < 50; n++) {
        await Promise.all(([0, 1, 2] as const).map((priority) => add(`${priority}-${n}`, 'mbx_a', priority)))
      }
      const order = (await worker.all()).map((id) => id.slice(0, 1))
      t.equal(order[0], '0')
      const share = (priority: string): number => order.slice(0, 35).filter((one) => one === priority).length
      t.same([share('0'), share('1'), share('2')], [20, 10, 5])
    })

    t.test('a bulk message goes at once when nothing else is due', async (t) => {
      const { add, worker } = setUp()
      await add('bulk', 'mbx_a', 2)
      t.equal(await worker.next(), 'bulk')
    })

    t.test('many are taken at once, still in turn', async (t) => {
      const { tasks, add } = setUp()
      await Promise.all(Array.from({ length: 20 }, (_, n) => add(`a-${n}`, 'mbx_a')))
      const own = await Promise.all(
        SHARD_NUMBERS.map((shard) =>
          tasks.take(KIND, shard, {
            limit: 12,
            lease: { now: NOW, ms: MINUTE },
            running: NOBODY,
            turn: FIRST_TURN,
          }),
        ),
      )
      t.equal(own.flatMap((taken) => taken.tasks).length, 12, 'all from the shard of the lane')
    })

    t.test('a task with a lane is held, let go on, looked at and taken out by its id alone', async (t) => {
      const { tasks, add, worker } = setUp()
      await add('a', 'mbx_a')
      await add('b', 'mbx_b')
      t.ok(await tasks.move(KIND, 'a', HELD, NOW, NOBODY))
      t.match(await tasks.get(KIND, 'a', NOW), { id: 'a', due: HELD, leased: false })
      t.same(await tasks.counts(KIND), { waiting: 0, ready: 1, leased: 0, held: 1 })
      t.same(await worker.all(NOW + 1000 * HOUR), ['b'], 'what is held stays, however late it is')
      t.ok(await tasks.move(KIND, 'a', NOW, NOW, NOBODY))
      t.same(
        (await tasks.list(KIND, 10, NOW)).map(({ id }) => id),
        ['a'],
      )
      t.ok(await tasks.remove(KIND, 'a', NOW, NOBODY))
      t.same(await worker.all(), [])
      t.same(await tasks.counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
    })

    t.test('what a store has from before there were lanes is taken, counted and given back', async (t) => {
      const { store, tasks, add, worker } = setUp()
      const record = { payload: null, attempts: 0, failures: 0, queuedAt: NOW }
      for (const [id, due, token] of [
        ['old', NOW, undefined],
        ['old leased', NOW + MINUTE, 'token'],
      ] as const) {
        await store.write(partitionOf(KIND, shardOf(id)), (tx) => {
          tx.put(key('task', due, id), encode({ ...record, token }))
          tx.put(key('place', id), encode(due))
        })
      }
      await add('new', 'mbx_a')
      t.same(await tasks.counts(KIND), { waiting: 2, ready: 1, leased: 0, held: 0 })
      t.match(await tasks.get(KIND, 'old leased', NOW), { leased: true })
      t.same((await worker.all()).sort(), ['new', 'old'])
      t.same(await worker.all(NOW + MINUTE), ['old leased'])
    })

    t.test('a task may be had before it is due when its commit is done, and then only once', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      const seen: string[] = []
      let told: (() => void) | undefined
      const worker = queue.run(
        KIND,
        async ({ id }) => {
          seen.push(id)
          told?.()
          return seen.length === 1 ? { done: false, retryAt: clock.now() + HOUR } : DONE
        },
        { concurrency: 2, leaseMs: MINUTE, onError: (error) => t.fail(String(error)) },
      )
      const next = (): Promise<void> => new Promise((resolve) => (told = resolve))
      await queue.enqueue(KIND, { id: 'a', payload: null, due: clock.now() + 5 * SECOND, lane: 'mbx_a' })
      const first = next()
      queue.hasten(KIND, { id: 'a', lane: 'mbx_a' })
      await first
      // It waits for its retry now; a hint that comes late changes nothing.
      const second = next()
      queue.hasten(KIND, { id: 'a', lane: 'mbx_a' })
      await queue.enqueue(KIND, { id: 'b', payload: null, due: clock.now(), lane: 'mbx_a' })
      await second
      await worker.stop()
      t.same(seen, ['a', 'b'])
      t.match(await queue.get(KIND, 'a'), { due: clock.now() + HOUR, attempts: 1 })
    })

    t.test('what a process had taken when it died is due again at once, in its lane', async (t) => {
      const { tasks, add, worker } = setUp()
      await Promise.all(['a', 'b', 'c'].map((id) => add(id, `mbx_${id}`)))
      await add('later', 'mbx_a', undefined, NOW + HOUR)
      for (const shard of SHARD_NUMBERS) {
        await tasks.take(KIND, shard, { limit: 9, lease: { now: NOW, ms: HOUR }, running: NOBODY, turn: FIRST_TURN })
      }
      t.same(await tasks.counts(KIND), { waiting: 1, ready: 0, leased: 3, held: 0 })
      for (const shard of SHARD_NUMBERS) await tasks.giveBack(KIND, shard, NOW, NOBODY)
      t.same((await worker.all()).sort(), ['a', 'b', 'c'])
      t.same(await tasks.counts(KIND), { waiting: 1, ready: 0, leased: 0, held: 0 })
    })

    t.test('lanes and priorities that have no place in the queue are refused', async (t) => {
      const { add } = setUp()
      await t.rejects(add('a', ''), /1 to 200 bytes/)
      await t.rejects(add('a', 'x'.repeat(201)), /1 to 200 bytes/)
      await t.rejects(add('a', 'mbx_a', 3 as unknown as Priority), /Not a priority/)
    })

    t.test('whatever is done to it, the queue is what a list of tasks would be', async (t) => {
      const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
      const step = fc.oneof(
        fc.record({ do: fc.constant('add' as const), id, due: fc.integer({ min: -2, max: 3 }) }),
        fc.record({ do: fc.constant('move' as const), id, due: fc.constantFrom(-1, 0, 2, HELD - NOW) }),
        fc.record({ do: fc.constant('remove' as const), id }),
        fc.record({ do: fc.constant('take' as const), limit: fc.integer({ min: 1, max: 4 }), finish: fc.boolean() }),
        fc.record({ do: fc.constant('later' as const), by: fc.integer({ min: 1, max: 3 }) }),
      )
      // Two lanes, and tasks without one.
      const laneOf = (name: string): string | undefined => ({ a: 'x', b: 'x', c: 'y', d: 'y' })[name]
      const { tasks } = setUp()
      let kinds = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const kind = `k${kinds++}`
          const model = new Map<string, number>()
          const turns = new Array<Turn>(SHARDS).fill(FIRST_TURN)
          let now = NOW
          for (const one of steps) {
            switch (one.do) {
              case 'later':
                now += one.by
                break
              case 'add':
                await tasks.add(kind, { id: one.id, payload: 1, due: now + one.due, lane: laneOf(one.id) }, now)
                if (!model.has(one.id)) model.set(one.id, now + one.due)
                break
              case 'move': {
                const due = one.due > 1000 ? HELD : now + one.due
                if ((await tasks.move(kind, one.id, due, now, NOBODY)) !== model.has(one.id)) throw new Error('moved')
                if (model.has(one.id)) model.set(one.id, due)
                break
              }
              case 'remove':
                if ((await tasks.remove(kind, one.id, now, NOBODY)) !== model.delete(one.id)) throw new Error('removed')
                break
              case 'take': {
                let free = one.limit
                for (const shard of SHARD_NUMBERS) {
                  if (free === 0) break
                  const lease = { now, ms: MINUTE }
                  const turn = turns[shard] ?? FIRST_TURN
                  const taken = await tasks.take(kind, shard, { limit: free, lease, running: NOBODY, turn })
                  turns[shard] = taken.turn
                  free -= taken.tasks.length
                  for (const { task, token } of taken.tasks) {
                    if ((model.get(task.id) ?? Infinity) > now) throw new Error(`${task.id} is not due`)
                    const due = now + 2
                    const settlement = one.finish ? ({ to: 'finished' } as const) : ({ to: 'untaken', due } as const)
                    await tasks.settle(kind, shard, { id: task.id, token }, settlement, now)
                    if (one.finish) model.delete(task.id)
                    else model.set(task.id, due)
                  }
                }
                const due = [...model.values()].filter((time) => time <= now).length
                if (free > 0 && due > 0) throw new Error(`${due} due tasks were not taken`)
                break
              }
            }
          }
          const rows = (await tasks.list(kind, 100, now)).map(({ id, due }) => [id, due])
          t.same(new Map(rows as [string, number][]), model)
          const { waiting, ready, leased, held } = await tasks.counts(kind)
          const holding = [...model.values()].filter((due) => due === HELD).length
          t.same([waiting + ready, leased, held], [model.size - holding, 0, holding])
        }),
        { numRuns: 60 },
      )
    })
  })
}
