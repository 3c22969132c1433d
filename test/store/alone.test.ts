/** A worker that nobody shares the store with: it takes what is hastened without writing, and nothing is lost or done twice by that. */
import t from 'tap'
import { ManualClock, MINUTE, SECOND } from '../../src/lib/clock.js'
import { partitionOf, SHARDS } from '../../src/store/tasks.js'
import { createStore } from '../../src/store/store.js'
import type { Store, Task, TaskOutcome, WorkerOptions } from '../../src/store/types.js'
import { createWorkQueue } from '../../src/store/work.js'
import { ENGINES } from './engines.js'

const KIND = 'relay'
const LANE = 'mbx_a'
const DONE: TaskOutcome<never> = { done: true }

async function commits(store: Store): Promise<number> {
  let sum = 0n
  for (let shard = 0; shard < SHARDS; shard++) sum += await store.version(partitionOf(KIND, shard))
  return Number(sum)
}

/** A handler that waits until it is told how its task ended. */
function gate() {
  const begun: Task<null>[] = []
  const waiting = new Map<string, (outcome: TaskOutcome<null>) => void>()
  let told = (): void => undefined
  return {
    begun,
    handler: (task: Task<null>) =>
      new Promise<TaskOutcome<null>>((resolve) => {
        begun.push(task)
        waiting.set(task.id, resolve)
        told()
      }),
    end: (id: string, outcome: TaskOutcome<null>) => waiting.get(id)?.(outcome),
    async untilBegun(count: number): Promise<void> {
      while (begun.length < count) await new Promise<void>((resolve) => (told = resolve))
    },
  }
}

for (const { name, open, openStore } of ENGINES) {
  t.test(name, async (t) => {
    const options: WorkerOptions = {
      alone: true,
      concurrency: 2,
      leaseMs: MINUTE,
      onError: (error) => t.fail(String(error)),
    }
    const setUp = (t: Parameters<typeof openStore>[0], store = openStore(t)) => {
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      const add = async (id: string): Promise<void> => {
        await queue.enqueue(KIND, { id, payload: null, due: clock.now() + 5 * SECOND, lane: LANE })
        queue.hasten(KIND, { id, lane: LANE })
      }
      return { store, clock, queue, add }
    }

    t.test(
      'a message that goes out at once costs two commits of the queue, and is seen at work meanwhile',
      async (t) => {
        // Nobody else commits, so that commits can be counted.
        const { store, queue, add } = setUp(t, createStore(open(t)))
        const { handler, end, untilBegun } = gate()
        const worker = queue.run(KIND, handler, options)
        await add('a')
        await untilBegun(1)
        t.equal(await commits(store), 1)
        t.same(await queue.counts(KIND), { waiting: 0, ready: 0, leased: 1, held: 0 })
        t.match(await queue.get(KIND, 'a'), { leased: true, attempts: 0 })
        t.match(await queue.list(KIND, 9), [{ id: 'a', leased: true }])
        t.notOk(await queue.remove(KIND, 'a'), 'nobody takes it away')
        t.notOk(await queue.reschedule(KIND, 'a', 0), 'nobody makes it due again')
        end('a', DONE)
        await worker.stop()
        t.equal(await commits(store), 2)
        t.same(await queue.counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
      },
    )

    t.test('one whose process dies while it is at work is due again, and taken once', async (t) => {
      const { store, clock, queue, add } = setUp(t)
      const dying = gate()
      const dead = queue.run(KIND, dying.handler, options)
      await add('a')
      await dying.untilBegun(1)
      // The next process knows only what is on the disk.
      clock.advance(5 * SECOND)
      const next = createWorkQueue({ store, clock })
      const { handler, end, untilBegun } = gate()
      const worker = next.run(KIND, handler, options)
      await untilBegun(1)
      end('a', DONE)
      await worker.stop()
      t.same(await next.list(KIND, 9), [])
      dying.end('a', DONE)
      await dead.stop()
    })

    t.test('one that is tried again counts its attempts and comes back when it is due', async (t) => {
      const { clock, queue, add } = setUp(t)
      const { handler, end, untilBegun, begun } = gate()
      const worker = queue.run(KIND, handler, options)
      await add('a')
      await untilBegun(1)
      // Its first time to come due passes while it is at work.
      clock.advance(10 * SECOND)
      queue.poke()
      end('a', { done: false, retryAt: clock.now() })
      await untilBegun(2)
      end('a', DONE)
      await worker.stop()
      t.same(
        begun.map(({ attempts }) => attempts),
        [0, 1],
      )
      t.same(await queue.list(KIND, 9), [])
    })

    t.test('more than there is room for are all done, each once', async (t) => {
      const { queue, add } = setUp(t)
      const seen: string[] = []
      const ids = Array.from({ length: 50 }, (_, n) => `m${n}`)
      let told: () => void
      const all = new Promise<void>((resolve) => (told = resolve))
      const worker = queue.run(
        KIND,
        async ({ id }) => {
          seen.push(id)
          if (seen.length === ids.length) told()
          return DONE
        },
        options,
      )
      await Promise.all(ids.map(add))
      await all
      await worker.stop()
      t.same([...seen].sort(), [...ids].sort())
      t.same(await queue.counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
    })
  })
}
