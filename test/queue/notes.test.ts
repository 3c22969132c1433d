/** Tasks of shards that others own: added there, and given away while they run. */
import t from 'tap'
import { ownAll } from '../../src/cluster/alone.js'
import type { Follower, Shards } from '../../src/cluster/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
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

t.test('a task that comes again before the note of its first time is removed runs again', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const other = createWorkQueue({ store, clock, shards: NONE })
  const add = (): Promise<void> =>
    store.write('mailbox/a', (tx) => other.add(tx, KIND, { id: 'one', payload: 1, due: 0 }))
  let writes = 0
  let settle: () => void = () => undefined
  const isSettled = new Promise<void>((resolve) => (settle = resolve))
  // Its first transaction removes the note; it is late.
  const late = ownerOf(store, () => (writes++ === 0 ? isSettled : Promise.resolve()))
  const owner = createWorkQueue({ store: late, clock, shards: ownAll() })
  let runs = 0
  let ranTwice: () => void = () => undefined
  const hasRunTwice = new Promise<void>((resolve) => (ranTwice = resolve))
  const worker = owner.run(
    KIND,
    async () => {
      if (++runs === 2) ranTwice()
      return { done: true }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  t.teardown(() => worker.stop())
  await owner.counts(KIND)
  await add()
  for (let version = 0n; runs === 0 || (await owner.get(KIND, 'one')) !== undefined;)
    version = await store.wait(PARTITION, version, AbortSignal.timeout(100))
  await add()
  settle()
  await hasRunTwice
  t.equal(runs, 2)
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
