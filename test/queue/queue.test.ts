/** The work queue, on every engine. Clocks are moved by hand; whoever waits, waits for a promise. */
import { once } from 'node:events'
import t from 'tap'
import { HOUR, MINUTE, ManualClock, SECOND, systemClock } from '../../src/lib/clock.js'
import { HELD, type Priority, type Task, type TaskOutcome, type WorkerOptions } from '../../src/queue/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { createStore } from '../../src/store/store.js'
import { ENGINES } from '../store/engines.js'
import { tasksIn } from '../support/store/tasks.js'

const DONE: TaskOutcome<never> = { done: true }

const options = (t: { fail(message: string): void }): WorkerOptions => ({
  concurrency: 10,
  onError: (error) => t.fail(`handler: ${String(error)}`),
  onQueueError: (error) => t.fail(`queue: ${String(error)}`),
})

/** Something that is waited for and then opened from outside. */
function gate<T = void>(): { open(value: T): void; passed: Promise<T> } {
  let resolve: (value: T) => void
  const passed = new Promise<T>((settle) => {
    resolve = settle
  })
  return { open: (value) => resolve(value), passed }
}

/** Resolves when `count` calls have been made to `mark`. */
function counter(count: number): { mark(): void; reached: Promise<void> } {
  const { open, passed } = gate()
  let seen = 0
  return {
    mark() {
      if (++seen === count) open()
    },
    reached: passed,
  }
}

/** Waits until `holds` says so. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}

for (const { name, open, openStore } of ENGINES) {
  t.test(name, async (t) => {
    t.test('a task can be looked at, held, let go on and taken out by name', async (t) => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1))
      const store = openStore(t)
      const queue = createWorkQueue({ store, clock })
      for (const id of ['a', 'b', 'c']) await queue.enqueue('relay', { id, payload: { id }, due: clock.now() })
      t.match(await queue.get('relay', 'a'), { id: 'a', payload: { id: 'a' }, due: clock.now(), leased: false })
      t.equal(await queue.get('relay', 'missing'), undefined)

      t.ok(await queue.reschedule('relay', 'a', HELD))
      t.ok(await queue.remove('relay', 'b'))
      t.notOk(await queue.remove('relay', 'b'), 'once')
      const left: string[] = []
      for await (const { id } of queue.all('relay')) left.push(id)
      t.strictSame(left.sort(), ['a', 'c'])

      const done: string[] = []
      const first = counter(1)
      const both = counter(2)
      const worker = queue.run(
        'relay',
        async ({ id }) => {
          done.push(id)
          first.mark()
          both.mark()
          return DONE
        },
        options(t),
      )
      await first.reached
      await until(async () => (await queue.get('relay', 'c')) === undefined)
      t.strictSame(done, ['c'], 'what is held is not done')
      t.ok(await queue.reschedule('relay', 'a', clock.now()))
      await both.reached
      await worker.stop()
      t.strictSame(done, ['c', 'a'])
    })

    t.test('a task that is queued is done, once, with its payload', async (t) => {
      const store = openStore(t)
      const queue = createWorkQueue({ store, clock: systemClock })
      const seen: Task<{ n: number }>[] = []
      const all = counter(40)
      for (let n = 0; n < 20; n++) await queue.enqueue('check', { id: `early-${n}`, payload: { n }, due: Date.now() })
      const worker = queue.run<{ n: number }>(
        'check',
        async (task) => {
          seen.push(task)
          all.mark()
          return DONE
        },
        options(t),
      )
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          queue.enqueue('check', { id: `late-${i}`, payload: { n: 20 + i }, due: Date.now() }),
        ),
      )
      await all.reached
      await worker.stop()
      t.same(
        seen.map((task) => task.payload.n).sort((a, b) => a - b),
        Array.from({ length: 40 }, (_, n) => n),
      )
      t.ok(seen.every((task) => task.attempts === 0))
      t.same(await tasksIn(queue, 'check', 100), [])
    })

    t.test('an id that is queued stays as it is, and can be queued anew when it is done', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      await queue.enqueue('claim', { id: 'a', payload: 'first', due: 5 })
      await queue.enqueue('claim', { id: 'a', payload: 'second', due: 9 })
      t.match(await tasksIn(queue, 'claim', 10), [{ id: 'a', payload: 'first', due: 5, attempts: 0, leased: false }])
      const payloads: string[] = []
      const twice = counter(2)
      const worker = queue.run<string>(
        'claim',
        async ({ payload }) => {
          payloads.push(payload)
          twice.mark()
          return DONE
        },
        options(t),
      )
      await until(async () => Object.values(await queue.counts('claim')).every((count) => count === 0))
      await queue.enqueue('claim', { id: 'a', payload: 'third', due: 1 })
      await twice.reached
      await worker.stop()
      t.same(payloads, ['first', 'third'])
    })

    t.test('a task is not taken before it is due, and is seen when the clock is moved', async (t) => {
      const clock = new ManualClock()
      const queue = createWorkQueue({ store: openStore(t), clock })
      const order: string[] = []
      const first = gate()
      const second = gate()
      const worker = queue.run(
        'relay',
        async ({ id }) => {
          order.push(id)
          if (id === 'soon') first.open()
          else second.open()
          return DONE
        },
        options(t),
      )
      await queue.enqueue('relay', { id: 'later', payload: null, due: clock.now() + 2 * HOUR })
      await queue.enqueue('relay', { id: 'soon', payload: null, due: clock.now() + HOUR })
      clock.advance(HOUR)
      queue.poke()
      await first.passed
      t.same(order, ['soon'])
      clock.advance(HOUR)
      queue.poke()
      await second.passed
      await worker.stop()
      t.same(order, ['soon', 'later'])
    })

    t.test('a worker wakes by itself when the next task becomes due', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: systemClock })
      const done = gate<number>()
      const worker = queue.run(
        'relay',
        async () => {
          done.open(Date.now())
          return DONE
        },
        options(t),
      )
      const due = Date.now() + 50
      await queue.enqueue('relay', { id: 'a', payload: null, due })
      t.ok((await done.passed) >= due)
      await worker.stop()
    })

    t.test('operators see the queue with what is due first at the top', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: new ManualClock() })
      const dues = [7, 3, 9, 1, 5, 8, 2, 6, 4, 0]
      await Promise.all(dues.map((due) => queue.enqueue('relay', { id: `due-${due}`, payload: due, due })))
      t.same(
        (await tasksIn<number>(queue, 'relay', 7)).map(({ payload }) => payload),
        [0, 1, 2, 3, 4, 5, 6],
      )
    })

    t.test('what is due first is taken first', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: new ManualClock() })
      await Promise.all(
        Array.from({ length: 60 }, (_, i) => queue.enqueue('relay', { id: `task-${i}`, payload: null, due: 60 - i })),
      )
      const all = counter(60)
      const order: string[] = []
      const handler = async ({ id }: Task<null>): Promise<TaskOutcome<null>> => {
        order.push(id)
        all.mark()
        return DONE
      }
      const worker = queue.run('relay', handler, { ...options(t), concurrency: 2 })
      await all.reached
      await worker.stop()
      t.same(
        order,
        Array.from({ length: 60 }, (_, i) => `task-${59 - i}`),
      )
    })

    t.test('never more tasks at work than the worker may have, and never one twice', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: systemClock })
      const all = counter(60)
      const atWork = new Set<string>()
      let most = 0
      const handler = async ({ id }: Task<null>): Promise<TaskOutcome<null>> => {
        if (atWork.has(id)) t.fail(`${id} is at work twice`)
        atWork.add(id)
        most = Math.max(most, atWork.size)
        await new Promise((resolve) => setImmediate(resolve))
        atWork.delete(id)
        all.mark()
        return DONE
      }
      const workers = [1, 2].map(() => queue.run('relay', handler, { ...options(t), concurrency: 3 }))
      await Promise.all(
        Array.from({ length: 60 }, (_, i) => queue.enqueue('relay', { id: String(i), payload: null, due: 0 })),
      )
      await all.reached
      await Promise.all(workers.map((worker) => worker.stop()))
      t.ok(most <= 6, `at most 6 at work, was ${most}`)
      t.same(await tasksIn(queue, 'relay', 100), [])
    })

    t.test('a handler says when to try again, and with what', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      const seen: Task<string>[] = []
      const done = gate()
      const worker = queue.run<string>(
        'relay',
        async (task) => {
          seen.push(task)
          if (task.attempts === 0) return { done: false, retryAt: clock.now() + 5 * MINUTE, payload: 'second try' }
          done.open()
          return DONE
        },
        options(t),
      )
      const queuedAt = clock.now()
      await queue.enqueue('relay', { id: 'a', payload: 'first try', due: 0 })
      // The row is there a moment before the scheduler has its task back.
      const isBack = async (): Promise<boolean> => (await tasksIn(queue, 'relay', 1))[0]?.leased === false
      await until(async () => (await isBack()) && (await tasksIn(queue, 'relay', 1))[0]?.due === queuedAt + 5 * MINUTE)
      t.match(await tasksIn(queue, 'relay', 1), [{ attempts: 1, leased: false, payload: 'second try' }])
      clock.advance(5 * MINUTE)
      queue.poke()
      await done.passed
      await worker.stop()
      t.same(seen, [
        { id: 'a', payload: 'first try', attempts: 0, queuedAt },
        { id: 'a', payload: 'second try', attempts: 1, queuedAt },
      ])
    })

    t.test('a task that is put back for now is taken again at once', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: systemClock })
      const runs = counter(8 * 20)
      const worker = queue.run(
        'relay',
        async ({ attempts }) => {
          runs.mark()
          return attempts < 19 ? { done: false, retryAt: 0 } : DONE
        },
        options(t),
      )
      await Promise.all(
        Array.from({ length: 8 }, (_, i) => queue.enqueue('relay', { id: `a${i}`, payload: null, due: 0 })),
      )
      await runs.reached
      await worker.stop()
      t.same(await tasksIn(queue, 'relay', 10), [])
    })

    t.test(
      'a handler that throws is tried again after pauses of 1 s that double up to 10 min, and never given up',
      async (t) => {
        const store = openStore(t)
        const clock = new ManualClock()
        const queue = createWorkQueue({ store, clock })
        const errors: unknown[] = []
        let broken = true
        const worker = queue.run(
          'relay',
          async () => {
            if (broken) throw new Error('broken')
            return DONE
          },
          { ...options(t), onError: (error, task) => errors.push([error, task.id, task.attempts]) },
        )
        await queue.enqueue('relay', { id: 'a', payload: null, due: 0 })
        const pauses: number[] = []
        for (let tries = 1; tries <= 13; tries++) {
          const atRest = async (): Promise<boolean> => {
            const [task] = await tasksIn(queue, 'relay', 1)
            return task?.attempts === tries && !task.leased
          }
          await until(atRest)
          const [task] = await tasksIn(queue, 'relay', 1)
          const wait = (task?.due ?? 0) - clock.now()
          pauses.push(wait / SECOND)
          if (tries === 13) broken = false
          clock.advance(wait)
          queue.poke()
        }
        await until(async () => Object.values(await queue.counts('relay')).every((count) => count === 0))
        await worker.stop()
        t.same(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
        t.equal(errors.length, 13)
        t.match(errors[12], [{ message: 'broken' }, 'a', 12])
      },
    )

    t.test('an answer that cannot be stored is the error of its handler alone', async (t) => {
      const store = openStore(t)
      const queue = createWorkQueue({ store, clock: new ManualClock() })
      const errors = new Map<string, unknown>()
      const worker = queue.run<unknown>(
        'relay',
        async ({ id }) => {
          if (id === 'time') return { done: false, retryAt: NaN }
          if (id === 'payload') return { done: false, retryAt: 0, payload: 1n }
          return DONE
        },
        { ...options(t), onError: (error, task) => errors.set(task.id, error) },
      )
      await Promise.all(['time', 'payload', 'good'].map((id) => queue.enqueue('relay', { id, payload: null, due: 0 })))
      await until(async () => (await tasksIn(queue, 'relay', 10)).every((task) => task.attempts === 1 && !task.leased))
      await worker.stop()
      t.match(errors.get('time'), { message: /Not a time: NaN/ })
      t.match(errors.get('payload'), TypeError)
      t.same((await tasksIn(queue, 'relay', 10)).map(({ id }) => id).sort(), ['payload', 'time'])
    })

    t.test('what a process had taken when it died is due again at the next start, as it was', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const dead = createWorkQueue({ store, clock })
      const both = counter(2)
      dead.run(
        'relay',
        () => {
          both.mark()
          return new Promise(() => undefined)
        },
        options(t),
      )
      await dead.enqueue('relay', { id: 'a', payload: 1, due: 0, lane: 'mbx_a' })
      await dead.enqueue('relay', { id: 'b', payload: 2, due: 0 })
      await both.reached
      t.match(await dead.counts('relay'), { leased: 2 })

      const queue = createWorkQueue({ store, clock })
      t.same(await queue.counts('relay'), { waiting: 0, ready: 2, leased: 0, held: 0 })
      const seen: Task<unknown>[] = []
      const again = counter(2)
      const worker = queue.run(
        'relay',
        async (task) => {
          seen.push(task)
          again.mark()
          return { done: false, retryAt: clock.now() + HOUR }
        },
        options(t),
      )
      await again.reached
      await worker.stop()
      t.same(
        seen.map(({ payload, attempts }) => [payload, attempts]).sort(),
        [
          [1, 0],
          [2, 0],
        ],
        'a crash counts for nothing',
      )
      t.match(await tasksIn(createWorkQueue({ store, clock }), 'relay'), [{ attempts: 1 }, { attempts: 1 }])
    })

    t.test('a task at work is not taken again, however long it takes', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      const [begun, hang, other] = [gate(), gate(), gate()]
      let runs = 0
      const worker = queue.run(
        'relay',
        async ({ id }) => {
          if (id === 'other') {
            other.open()
            return DONE
          }
          runs++
          begun.open()
          await hang.passed
          return DONE
        },
        options(t),
      )
      await queue.enqueue('relay', { id: 'long', payload: null, due: 0 })
      await begun.passed
      clock.advance(HOUR)
      queue.poke()
      t.equal(await queue.reschedule('relay', 'long', clock.now()), false)
      // One that is due after it is still seen.
      await queue.enqueue('relay', { id: 'other', payload: null, due: clock.now() })
      await other.passed
      hang.open()
      await worker.stop()
      t.equal(runs, 1)
      t.same(await tasksIn(queue, 'relay', 10), [])
    })

    t.test('a queued task can be made due at another time, one at work cannot', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      await queue.enqueue('relay', { id: 'a', payload: 'same', due: clock.now() + HOUR })
      t.equal(await queue.reschedule('relay', 'none', 0), false)
      t.equal(await queue.reschedule('relay', 'a', clock.now()), true)
      t.match(await tasksIn(queue, 'relay', 10), [{ id: 'a', payload: 'same', due: clock.now() }])
      const [begun, finish] = [gate(), gate()]
      const worker = queue.run(
        'relay',
        async () => {
          begun.open()
          await finish.passed
          return DONE
        },
        options(t),
      )
      await begun.passed
      t.equal(await queue.reschedule('relay', 'a', 0), false)
      finish.open()
      await worker.stop()
    })

    t.test('stopping waits for what is at work, and takes nothing more', async (t) => {
      const store = openStore(t)
      const queue = createWorkQueue({ store, clock: systemClock })
      const begun = gate()
      let ended = false
      let runs = 0
      const worker = queue.run(
        'relay',
        async (_task, signal) => {
          runs++
          begun.open()
          await once(signal, 'abort')
          await new Promise((resolve) => setImmediate(resolve))
          ended = true
          return DONE
        },
        { ...options(t), concurrency: 1 },
      )
      await Promise.all(['a', 'b', 'c'].map((id) => queue.enqueue('relay', { id, payload: null, due: 0 })))
      await begun.passed
      await worker.stop()
      t.ok(ended)
      t.equal(runs, 1)
      t.match(await tasksIn(queue, 'relay', 10), [
        { attempts: 0, leased: false },
        { attempts: 0, leased: false },
      ])
    })

    t.test('a handler cut off by stopping has its task back in the queue at once', async (t) => {
      const store = openStore(t)
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      const begun = gate()
      const worker = queue.run(
        'relay',
        async (_task, signal) => {
          begun.open()
          await once(signal, 'abort')
          throw new Error('connection closed')
        },
        options(t),
      )
      await queue.enqueue('relay', { id: 'a', payload: null, due: 0 })
      await begun.passed
      await worker.stop()
      t.match(await tasksIn(queue, 'relay', 10), [{ id: 'a', due: 0, attempts: 0, leased: false }])
    })

    t.test('an idle queue reads nothing, and its worker sleeps until the next task is due', async (t) => {
      const engine = open(t)
      let reads = 0
      const read: typeof engine.read = (fn) => {
        reads++
        return engine.read(fn)
      }
      const store = createStore({ ...engine, read })
      const clock = new ManualClock()
      const queue = createWorkQueue({ store, clock })
      const worker = queue.run('relay', async () => DONE, options(t))
      await queue.enqueue('relay', { id: 'a', payload: null, due: clock.now() + HOUR })
      await queue.counts('relay')
      reads = 0
      for (let n = 0; n < 60; n++) {
        clock.advance(SECOND)
        queue.poke()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await queue.counts('relay')
      t.equal(reads, 0)
      await worker.stop()
    })

    t.test('lanes and priorities that have no place in the queue are refused', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: systemClock })
      const task = { id: 'a', payload: null, due: 0 }
      await t.rejects(queue.enqueue('relay', { ...task, lane: '' }), /1 to 200 bytes/)
      await t.rejects(queue.enqueue('relay', { ...task, lane: 'x'.repeat(201) }), /1 to 200 bytes/)
      await t.rejects(
        queue.enqueue('relay', { ...task, lane: 'x', priority: 3 as unknown as Priority }),
        /Not a priority/,
      )
      await t.rejects(queue.enqueue('Relay', task), /Not a kind/)
    })

    t.test('kinds, ids and times that have no place in the queue are refused', async (t) => {
      const queue = createWorkQueue({ store: openStore(t), clock: systemClock })
      const task = { id: 'a', payload: null, due: 0 }
      for (const kind of ['', 'Relay', 'a/b', 'a\0', '../x', 'x'.repeat(33)]) {
        await t.rejects(queue.enqueue(kind, task), /Not a kind of task/)
      }
      await t.rejects(queue.enqueue('relay', { ...task, id: '' }), /1 to 1000 bytes/)
      await t.rejects(queue.enqueue('relay', { ...task, id: 'x'.repeat(1_001) }), /1 to 1000 bytes/)
      await t.rejects(queue.enqueue('relay', { ...task, due: NaN }), /Not a time/)
      await t.rejects(queue.enqueue('relay', { ...task, payload: 1n }), TypeError)
      t.throws(() => queue.run('relay', async () => DONE, { ...options(t), concurrency: 0 }), /concurrency/)
      t.same(await tasksIn(queue, 'relay', 10), [])
    })
  })
}
