/** Work in threads: owners take turns, what nobody waits for ends, and what takes too much is cut off. */
import { pathToFileURL } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { ThreadPool, type ThreadPoolDeps } from '../../src/lib/thread-pool.js'

interface Job {
  kind: 'say' | 'fail' | 'hold' | 'grow'
  name: string
  gate?: SharedArrayBuffer
}

const code = pathToFileURL('test/lib/workers/odd-jobs.mjs')
const say = (name: string): Job => ({ kind: 'say', name })

/** A pool, and jobs that hold their thread until they are let go. */
function world(t: Test, change: Partial<ThreadPoolDeps> = {}) {
  const pool = new ThreadPool<Job, string>({ code, count: 2, deadlineMs: 100_000, maxHeapMb: 64, ...change })
  const told = new BroadcastChannel('odd-jobs')
  const begun = new Set<string>()
  const listeners = new Set<() => void>()
  told.onmessage = (event) => {
    begun.add(String((event as { data: unknown }).data))
    for (const hear of listeners) hear()
  }
  const gates: Int32Array[] = []
  t.teardown(async () => {
    for (const gate of gates) open(gate)
    told.close()
    await pool.close()
  })
  const hold = (name: string): { job: Job; letGo: () => void } => {
    const gate = new Int32Array(new SharedArrayBuffer(4))
    gates.push(gate)
    return { job: { kind: 'hold', name, gate: gate.buffer as SharedArrayBuffer }, letGo: () => open(gate) }
  }
  const hasBegun = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const hear = (): void => {
        if (!begun.has(name)) return
        listeners.delete(hear)
        resolve()
      }
      listeners.add(hear)
      hear()
    })
  return { pool, hold, hasBegun }
}

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
}

t.test('a job is done in a thread, its cost is told, and its error is the asker’s alone', async (t) => {
  const { pool } = world(t)
  const costs: number[] = []
  const asker = { owner: 'a', charge: (ms: number) => void costs.push(ms) }
  t.equal(await pool.run(say('hello'), asker), 'hello')
  await t.rejects(pool.run({ kind: 'fail', name: 'broken' }, asker), { message: /broken/ })
  t.equal(await pool.run(say('again'), asker), 'again')
  t.equal(costs.length, 3)
  t.ok(costs.every((ms) => ms > 0))
})

t.test('an owner with many jobs holds up another by none, and leaves a thread free', async (t) => {
  const { pool, hold, hasBegun } = world(t)
  const first = hold('first')
  const hog = [
    pool.run(first.job, { owner: 'hog' }),
    ...[1, 2, 3].map((n) => pool.run(say(`hog ${n}`), { owner: 'hog' })),
  ]
  await hasBegun('first')
  t.equal(pool.running, 1, 'the second thread is not for the hog')
  t.equal(pool.waiting, 3)
  t.equal(await pool.run(say('other'), { owner: 'other' }), 'other')
  t.equal(pool.waiting, 3)
  first.letGo()
  t.same(await Promise.all(hog), ['first', 'hog 1', 'hog 2', 'hog 3'])
})

t.test('owners take turns when every thread is at work', async (t) => {
  const { pool, hold, hasBegun } = world(t, { count: 1 })
  const first = hold('first')
  const order: string[] = []
  const ask = async (owner: string, n: number): Promise<void> =>
    void order.push(await pool.run(say(`${owner}${n}`), { owner }))
  const held = pool.run(first.job, { owner: 'a' })
  await hasBegun('first')
  const all = [ask('a', 1), ask('a', 2), ask('a', 3), ask('b', 1), ask('c', 1), ask('b', 2)]
  first.letGo()
  await Promise.all([held, ...all])
  t.same(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

t.test('what waits ends with its asker, and is never begun', async (t) => {
  const { pool, hold, hasBegun } = world(t, { count: 1 })
  const first = hold('first')
  const held = pool.run(first.job, { owner: 'a' })
  await hasBegun('first')
  const gone = new AbortController()
  const waiting = pool.run(say('never'), { owner: 'a', key: 'k', signal: gone.signal })
  t.equal(pool.waiting, 1)
  const reason = new Error('the client went away')
  gone.abort(reason)
  await t.rejects(waiting, reason)
  t.equal(pool.waiting, 0)
  await t.rejects(pool.run(say('x'), { owner: 'a', signal: gone.signal }), reason)
  first.letGo()
  t.equal(await held, 'first')
})

t.test('what is at work ends with its asker, and its thread is replaced', async (t) => {
  const { pool, hold, hasBegun } = world(t, { count: 1, graceMs: 1 })
  const gone = new AbortController()
  const costs: number[] = []
  const asker = { owner: 'a', signal: gone.signal, charge: (ms: number) => void costs.push(ms) }
  const held = pool.run(hold('for ever').job, asker)
  await hasBegun('for ever')
  const reason = new Error('the client went away')
  gone.abort(reason)
  await t.rejects(held, reason)
  t.equal(await pool.run(say('next'), { owner: 'b' }), 'next')
  t.equal(costs.length, 1, 'what it took is charged all the same')
})

t.test('a job that takes too long, or too much memory, ends alone', async (t) => {
  const slow = world(t, { count: 1, deadlineMs: 1000 })
  await t.rejects(slow.pool.run(slow.hold('slow').job, { owner: 'a' }), { name: 'TookTooLong' })
  const { pool } = world(t, { count: 1 })
  const grown = pool.run({ kind: 'grow', name: '' }, { owner: 'a' })
  const next = pool.run(say('next'), { owner: 'b' })
  await t.rejects(grown, { name: 'TookTooLong' })
  t.equal(await next, 'next')
})

t.test('a key may have so many jobs waiting, and so may all', async (t) => {
  const { pool, hold, hasBegun } = world(t, { count: 1, maxWaitingPerKey: 2, maxWaiting: 4 })
  const first = hold('first')
  const held = pool.run(first.job, { owner: 'a', key: 'a1' })
  await hasBegun('first')
  const waiting = [1, 2].map((n) => pool.run(say(`${n}`), { owner: 'a', key: 'a1' }))
  await t.rejects(pool.run(say('3'), { owner: 'a', key: 'a1' }), { code: 'rate_limited', retryAfterSeconds: 2 })
  waiting.push(pool.run(say('4'), { owner: 'a', key: 'a2' }), pool.run(say('5'), { owner: 'service' }))
  await t.rejects(pool.run(say('6'), { owner: 'b', key: 'b1' }), { code: 'unavailable', retryAfterSeconds: 5 })
  first.letGo()
  t.same(await Promise.all([held, ...waiting]), ['first', '1', '2', '4', '5'])
  t.equal(await pool.run(say('7'), { owner: 'a', key: 'a1' }), '7')
})

t.test('jobs fail when the pool is closed', async (t) => {
  const { pool, hold, hasBegun } = world(t, { count: 1 })
  const held = pool.run(hold('held').job, { owner: 'a' })
  const waiting = pool.run(say('waiting'), { owner: 'a' })
  await hasBegun('held')
  const both = Promise.allSettled([held, waiting])
  await pool.close()
  t.same(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await t.rejects(pool.run(say('x'), { owner: 'a' }), /ended/)
})
