/** Tasks that are queued, and finished, in the transaction of what they belong to. */
import t from 'tap'
import { ownAll } from '../../src/cluster/alone.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const KIND = 'mail'
const clock = { now: () => 1_700_000_000_000 }

function open() {
  const store = createStore(memoryEngine())
  return { store, queue: createWorkQueue({ store, clock }) }
}

t.test('a task is queued with what it belongs to', async (t) => {
  const { store, queue } = open()
  await store.write('mailbox/a', (tx) => {
    tx.put(key('message'), encode('text'))
    queue.add(tx, KIND, { id: 'one', payload: { n: 1 }, due: 5 })
  })
  const task = await queue.get(KIND, 'one')
  t.same(task?.payload, { n: 1 })
  t.equal((await queue.counts(KIND)).ready, 1)
})

t.test('a transaction that fails queues nothing', async (t) => {
  const { store, queue } = open()
  const failing = store.write('mailbox/a', (tx) => {
    queue.add(tx, KIND, { id: 'one', payload: 1, due: 5 })
    throw new Error('no')
  })
  await t.rejects(failing, /no/)
  t.equal(await queue.get(KIND, 'one'), undefined)
})

t.test('a handler finishes its task in the transaction of what it did', async (t) => {
  const { store, queue } = open()
  const worker = queue.run(
    KIND,
    async ({ id }) => {
      await store.write('mailbox/a', (tx) => {
        tx.put(key('sent', id), encode(1))
        queue.finish(tx, KIND, id)
      })
      return { done: true }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  const sent = store.wait('mailbox/a', 0n, AbortSignal.timeout(5_000))
  await store.write('account/a', (tx) => queue.add(tx, KIND, { id: 'one', payload: 1, due: 0 }))
  await sent
  await worker.stop()
  t.equal(await queue.get(KIND, 'one'), undefined)
})

t.test('finishing its task in a transaction costs no commit more', async (t) => {
  const engine = memoryEngine()
  let commits = 0
  const commit: typeof engine.commit = (...of) => {
    commits++
    return engine.commit(...of)
  }
  const store = createStore({ ...engine, commit })
  const queue = createWorkQueue({ store, clock })
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const worker = queue.run(
    KIND,
    async ({ id }) => {
      await store.write('mailbox/a', (tx) => {
        tx.put(key('sent', id), encode(1))
        queue.finish(tx, KIND, id)
      })
      end()
      return { done: true }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  await store.write('account/a', (tx) => queue.add(tx, KIND, { id: 'one', payload: 1, due: 0 }))
  await ended
  await worker.stop()
  t.equal(commits, 2)
  t.same(await queue.counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
})

t.test('what somebody else finished is gone, whatever its handler says of it', async (t) => {
  for (const answer of ['again', 'throw', 'done'] as const) {
    const { store, queue } = open()
    const errors: unknown[] = []
    let began = (): void => undefined
    const begun = new Promise<void>((resolve) => (began = resolve))
    let go = (): void => undefined
    const told = new Promise<void>((resolve) => (go = resolve))
    const worker = queue.run(
      KIND,
      async () => {
        began()
        await told
        if (answer === 'throw') throw new Error('no')
        return answer === 'done' ? { done: true } : { done: false, retryAt: 5, payload: 2 }
      },
      { concurrency: 1, onError: (error) => errors.push(error) },
    )
    await queue.enqueue(KIND, { id: 'one', payload: 1, due: 0 })
    await begun
    await store.write('mailbox/a', (tx) => queue.finish(tx, KIND, 'one'))
    t.equal(await queue.get(KIND, 'one'), undefined)
    go()
    await worker.stop()
    t.equal(await queue.get(KIND, 'one'), undefined)
    t.same(await queue.counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
  }
})

t.test('a task that is finished while its outcome is being written does not come back', async (t) => {
  const { store, queue } = open()
  let written = 0
  const worker = queue.run(
    KIND,
    async () => {
      // Its commit is on its way with that of the outcome, or before it.
      finishing = store.write('mailbox/a', (tx) => queue.finish(tx, KIND, 'one'))
      written++
      return { done: false, retryAt: clock.now() + 5 }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  let finishing: Promise<void> | undefined
  await queue.enqueue(KIND, { id: 'one', payload: 1, due: 0 })
  while (written === 0) await new Promise((resolve) => setImmediate(resolve))
  await finishing
  await worker.stop()
  t.equal(await queue.get(KIND, 'one'), undefined)
  t.same(await createWorkQueue({ store, clock }).counts(KIND), { waiting: 0, ready: 0, leased: 0, held: 0 })
})

t.test('tasks that come and go while the rows are read are known afterwards, each once', async (t) => {
  const { store, queue } = open()
  await Promise.all(
    Array.from({ length: 2_500 }, (_, n) => queue.enqueue(KIND, { id: `old-${n}`, payload: n, due: clock.now() + 1 })),
  )
  const next = createWorkQueue({ store, clock })
  const counted = next.counts(KIND)
  await store.write('mailbox/a', (tx) => {
    next.finish(tx, KIND, 'old-2400')
    next.add(tx, KIND, { id: 'new', payload: 0, due: 0 })
    next.add(tx, KIND, { id: 'old-2499x', payload: 0, due: clock.now() + 1 })
  })
  await counted
  t.same(await next.counts(KIND), { waiting: 2_500, ready: 1, leased: 0, held: 0 })
})

t.test('a garbled row keeps nobody from the others, and stays', async (t) => {
  const { store, queue } = open()
  await queue.enqueue(KIND, { id: 'good', payload: 1, due: 0 })
  await store.write(`queue/${KIND}/0`, (tx) => tx.put(key('task', 'bad'), Buffer.from('{"cut')))
  const warned: string[] = []
  const onWarning = ({ message }: Error): number => warned.push(message)
  process.on('warning', onWarning)
  t.teardown(() => process.off('warning', onWarning))
  t.match(await createWorkQueue({ store, clock }).counts(KIND), { ready: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  t.match(warned, [/The task bad of mail can't be read/])
})

t.test('a kind with rows in more shards than there are now has all of its tasks', async (t) => {
  const store = createStore(memoryEngine())
  const wide = createWorkQueue({ store, clock, shards: ownAll(64) })
  await Promise.all(Array.from({ length: 100 }, (_, n) => wide.enqueue(KIND, { id: `${n}`, payload: n, due: 0 })))
  const partitions = await store.partitions('', 100)
  t.ok(partitions.length > 30)
  const queue = createWorkQueue({ store, clock })
  t.match(await queue.counts(KIND), { ready: 100 })
  t.ok(await queue.remove(KIND, '7'))
  const left: string[] = []
  for await (const { id } of createWorkQueue({ store, clock }).all(KIND)) left.push(id)
  t.equal(left.length, 99)
  t.notOk(left.includes('7'))
})
