/** Tasks that are queued, and finished, in the transaction of what they belong to. */
import t from 'tap'
import { createWorkQueue } from '../../src/queue/queue.js'
import { encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/memory-engine.js'

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
  t.equal((await queue.counts(KIND)).waiting, 1)
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
    { concurrency: 1, leaseMs: 60_000, onError: (error) => t.fail(String(error)) },
  )
  const sent = store.wait('mailbox/a', 0n, AbortSignal.timeout(5_000))
  await store.write('account/a', (tx) => queue.add(tx, KIND, { id: 'one', payload: 1, due: 0 }))
  await sent
  await worker.stop()
  t.equal(await queue.get(KIND, 'one'), undefined)
})
