/** Tasks of shards that others own: added there, and given away while they run. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { ownAll } from '../../src/cluster/alone.js'
import type { Follower, Shards } from '../../src/cluster/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { noteRange } from '../../src/queue/rows.js'
import { createStore } from '../../src/store/store.js'
import type { Store, Transaction } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { over } from '../support/store/over-store.js'

const KIND = 'mail'
const PARTITION = 'queue/mail/0'
const clock = { now: () => 1_700_000_000_000 }
const NONE: Shards = { count: 1, owns: () => false, follow: () => () => undefined }

/** The store as the owner of a shard sees it: all commits may be those of others. @param before each of its transactions */
function ownerOf(store: Store, before: () => Promise<void>): Store {
  return {
    ...over(store),
    write: async (named, fn: (tx: Transaction) => never) => {
      await before()
      return store.write(named, fn)
    },
    onCommit: (fn) => store.onCommit((partition, version) => fn(partition, version, true)),
  }
}

t.test('notes that cannot be removed are read again, and their tasks run once', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const other = createWorkQueue({ store, clock, shards: NONE })
  let failures = 0
  const failing = ownerOf(store, async () => {
    if (failures++ === 0) throw new Error('the database is away')
  })
  const owner = createWorkQueue({ store: failing, clock, shards: ownAll() })
  const ran: string[] = []
  const worker = owner.run(
    KIND,
    async ({ id }) => {
      ran.push(id)
      return { done: true }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  t.teardown(() => worker.stop())
  await owner.counts(KIND)
  const warned = once(process, 'warning')
  await store.write('mailbox/a', (tx) => other.add(tx, KIND, { id: 'one', payload: 1, due: 0 }))
  t.match(String(await warned), /notes for the queue of mail .*the database is away/)
  t.same(ran, [])
  while ((await owner.get(KIND, 'one')) !== undefined) await pause(5)
  t.same(ran, ['one'])
  t.same(await store.read(PARTITION, (view) => view.range({ ...noteRange })), [])
})

t.test('a shard is given away after the commits that took it for their own', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  let isOwn = true
  let follower: Follower | undefined
  const shards: Shards = {
    count: 1,
    owns: () => isOwn,
    follow(_duty, added) {
      follower = added
      return () => undefined
    },
  }
  const queue = createWorkQueue({ store, clock, shards })
  await queue.counts(KIND)
  let commit: () => void = () => undefined
  const mayCommit = new Promise<void>((resolve) => (commit = resolve))
  let begin: () => void = () => undefined
  const hasBegun = new Promise<void>((resolve) => (begin = resolve))
  const adding = store.write('mailbox/a', async (tx) => {
    queue.add(tx, KIND, { id: 'one', payload: 1, due: 0 })
    begin()
    await mayCommit
  })
  await hasBegun
  isOwn = false
  const order: string[] = []
  const given = follower?.lose(0).then(() => order.push('given'))
  await pause(20)
  order.push('commit')
  commit()
  await Promise.all([adding, given])
  t.same(order, ['commit', 'given'])
  t.same(await queue.counts(KIND).then(({ ready }) => ready), 0, 'it is no longer in this memory')
  t.match(await createWorkQueue({ store, clock, shards: ownAll() }).counts(KIND), { ready: 1 })
})

t.test('a task that runs while its shard is given away, and has to wait, is there for the next owner', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  let isOwn = true
  let follower: Follower | undefined
  const shards: Shards = {
    count: 1,
    owns: () => isOwn,
    follow(_duty, added) {
      follower = added
      return () => undefined
    },
  }
  const queue = createWorkQueue({ store, clock, shards })
  let given: Promise<void> | undefined
  let begin: () => void = () => undefined
  const hasBegun = new Promise<void>((resolve) => (begin = resolve))
  const worker = queue.run(
    KIND,
    async () => {
      isOwn = false
      given = follower?.lose(0)
      begin()
      return { done: false, retryAt: clock.now() + 60_000 }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  t.teardown(() => worker.stop())
  await store.write('mailbox/a', (tx) => queue.add(tx, KIND, { id: 'one', payload: 1, due: 0 }))
  await hasBegun
  await given
  const next = createWorkQueue({ store, clock, shards: ownAll() })
  t.match(await next.get(KIND, 'one'), { attempts: 1, due: clock.now() + 60_000 })
})
