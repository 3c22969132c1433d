/** Tasks that begin at once and leave with the next: what saves commits must not lose or double work. On every engine. */
import t from 'tap'
import { MINUTE, ManualClock, SECOND } from '../../src/lib/clock.js'
import { prefixRange } from '../../src/store/keys.js'
import { shardOf } from '../../src/queue/rows.js'
import { createStore } from '../../src/store/store.js'
import { createTasks, partitionOf } from '../../src/queue/tasks.js'
import { FIRST_TURN } from '../../src/queue/turns.js'
import type { Task, TaskOutcome, WorkerOptions, WorkQueue } from '../../src/queue/types.js'
import type { Store } from '../../src/store/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { ENGINES } from '../store/engines.js'

const KIND = 'relay'
const LANE = 'mbx_1'
const SHARD = shardOf(LANE)
const NOW = Date.UTC(2026, 0, 1)
const DONE: TaskOutcome<never> = { done: true }

const alone = (t: { fail(message: string): void }): WorkerOptions => ({
  concurrency: 100,
  leaseMs: MINUTE,
  alone: true,
  onError: (error) => t.fail(`handler: ${String(error)}`),
  onQueueError: (error) => t.fail(`queue: ${String(error)}`),
})

function gate(): { open(): void; passed: Promise<void> } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), passed }
}

/** Resolves when the worker that is started next has looked at what there was before it, and so is free. */
async function warmUp(queue: WorkQueue): Promise<{ seen: (id: string) => boolean; passed: Promise<void> }> {
  const { open, passed } = gate()
  await queue.enqueue(KIND, { id: 'first', payload: 0, due: NOW, lane: LANE })
  return {
    seen(id) {
      if (id === 'first') open()
      return id === 'first'
    },
    passed,
  }
}

/** Waits for commits until `holds` says so. */
async function until(store: Store, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    const { open, passed } = gate()
    const leave = store.onCommit(open)
    if (!(await holds())) await passed
    leave()
  }
}

for (const { name, open, openStore } of ENGINES) {
  t.test(name, async (t) => {
    /** A task `a` that was queued as an intent and is told to begin. */
    const begin = async (queue: WorkQueue, clock: ManualClock): Promise<void> => {
      await queue.enqueue(KIND, { id: 'a', payload: 1, due: clock.now() + 5 * SECOND, lane: LANE })
      queue.hasten(KIND, { id: 'a', lane: LANE })
    }

    t.test('a task that begins at once costs two commits', async (t) => {
      const store = createStore(open(t))
      const clock = new ManualClock(NOW)
      const queue = createWorkQueue({ store, clock })
      const done = gate()
      const before = await warmUp(queue)
      const handler = async ({ id }: Task<unknown>): Promise<TaskOutcome<never>> => {
        if (!before.seen(id)) done.open()
        return DONE
      }
      const worker = queue.run(KIND, handler, alone(t))
      await before.passed
      await until(store, async () => (await queue.list(KIND, 1)).length === 0)
      let commits = 0
      store.onCommit(() => commits++)
      await begin(queue, clock)
      await done.passed
      await worker.stop()
      t.same(await queue.list(KIND, 1), [])
      t.equal(commits, 2)
    })

    t.test('a task at work without a written lease is shown as at work, and nobody else gets it', async (t) => {
      const clock = new ManualClock(NOW)
      const queue = createWorkQueue({ store: openStore(t), clock })
      const [begun, end] = [gate(), gate()]
      let runs = 0
      const before = await warmUp(queue)
      const worker = queue.run(
        KIND,
        async ({ id }) => {
          if (before.seen(id)) return DONE
          runs++
          begun.open()
          await end.passed
          return DONE
        },
        alone(t),
      )
      await before.passed
      await begin(queue, clock)
      await begun.passed
      t.match(await queue.get(KIND, 'a'), { leased: true })
      t.ok((await queue.list(KIND, 2)).every(({ leased }) => leased))
      t.notOk(await queue.reschedule(KIND, 'a', NOW))
      t.notOk(await queue.remove(KIND, 'a'))
      clock.advance(MINUTE)
      queue.hasten(KIND, { id: 'a', lane: LANE })
      queue.poke()
      end.open()
      await worker.stop()
      t.equal(runs, 1)
      t.same(await queue.list(KIND, 1), [])
    })

    t.test('a task that takes long has its lease written after all', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock(NOW)
      const queue = createWorkQueue({ store, clock })
      const [begun, end] = [gate(), gate()]
      const before = await warmUp(queue)
      const worker = queue.run(
        KIND,
        async ({ id }) => {
          if (before.seen(id)) return DONE
          begun.open()
          await end.passed
          return { done: false, retryAt: NOW + MINUTE }
        },
        alone(t),
      )
      const leases = (): Promise<number> =>
        store.read(
          partitionOf(KIND, SHARD),
          async (view) => (await view.range({ ...prefixRange('leased'), limit: 9 })).length,
        )
      await before.passed
      await until(store, async () => (await queue.list(KIND, 1)).length === 0)
      await begin(queue, clock)
      await begun.passed
      t.equal(await leases(), 0)
      await until(store, async () => (await leases()) === 1)
      end.open()
      await worker.stop()
      t.match(await queue.list(KIND, 1), [{ id: 'a', attempts: 1, due: NOW + MINUTE, leased: false }])
    })

    t.test('a task that began at once comes back when its process dies', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock(NOW)
      const [begun, end, again] = [gate(), gate(), gate()]
      const dead = createWorkQueue({ store, clock })
      const before = await warmUp(dead)
      const first = dead.run(
        KIND,
        async ({ id }) => {
          if (before.seen(id)) return DONE
          begun.open()
          await end.passed
          return DONE
        },
        alone(t),
      )
      await before.passed
      await until(store, async () => (await dead.list(KIND, 1)).length === 0)
      await begin(dead, clock)
      await begun.passed
      clock.advance(5 * SECOND)
      const queue = createWorkQueue({ store, clock })
      const second = queue.run(
        KIND,
        async ({ payload }) => {
          t.equal(payload, 1)
          again.open()
          return { done: false, retryAt: NOW + MINUTE }
        },
        alone(t),
      )
      await again.passed
      await second.stop()
      end.open()
      await first.stop()
      t.match(await queue.list(KIND, 2), [{ id: 'a', due: NOW + MINUTE }])
    })

    t.test('what waits for its turn is served before what comes', async (t) => {
      const tasks = createTasks(openStore(t))
      const add = (id: string, due: number): Promise<void> =>
        tasks.add(KIND, { id, payload: null, due, lane: LANE }, NOW)
      await add('waits', NOW)
      await add('comes', NOW + SECOND)
      t.equal(await tasks.takeUnwritten(KIND, SHARD, 'comes'), 'others first')
      await tasks.remove(KIND, 'waits', NOW, new Set())
      t.match(await tasks.takeUnwritten(KIND, SHARD, 'comes'), { task: { id: 'comes', attempts: 0 }, token: undefined })
      t.equal(await tasks.takeUnwritten(KIND, SHARD, 'nothing'), undefined)
    })

    t.test('a finished task leaves with the next commit of its shard, and may be queued anew', async (t) => {
      const store = createStore(open(t))
      const tasks = createTasks(store)
      const add = (id: string): Promise<void> => tasks.add(KIND, { id, payload: null, due: NOW, lane: LANE }, NOW)
      const finish = async (): Promise<Promise<void>[]> => {
        const lease = { now: NOW, ms: MINUTE }
        const taken = await tasks.take(KIND, SHARD, { limit: 9, lease, running: new Set(), turn: FIRST_TURN })
        return taken.tasks.map(({ task, token }) => tasks.leave(KIND, SHARD, { id: task.id, token }))
      }
      await add('a')
      await add('b')
      const gone = await finish()
      t.equal(gone.length, 2)
      let commits = 0
      store.onCommit(() => commits++)
      await add('a')
      await Promise.all(gone)
      t.equal(commits, 1)
      t.match(await tasks.list(KIND, 9, NOW), [{ id: 'a', attempts: 0 }])
      t.match(await tasks.counts(KIND), { ready: 1, leased: 0 })

      const [last] = await finish()
      await last
      t.same(await tasks.list(KIND, 9, NOW), [], 'and by itself when no commit comes')
    })

    t.test('stopping lets what is finished leave', async (t) => {
      const clock = new ManualClock(NOW)
      const queue = createWorkQueue({ store: openStore(t), clock })
      const done = gate()
      const before = await warmUp(queue)
      const handler = async ({ id }: Task<unknown>): Promise<TaskOutcome<never>> => {
        if (!before.seen(id)) done.open()
        return DONE
      }
      const worker = queue.run(KIND, handler, { ...alone(t), repeatable: true })
      await before.passed
      await begin(queue, clock)
      await done.passed
      await worker.stop()
      t.same(await queue.list(KIND, 1), [])
    })
  })
}
