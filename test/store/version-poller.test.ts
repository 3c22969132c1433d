/** What commits of other processes wake, where the engine does not hear them. */
import t from 'tap'
import { cachedEngine } from '../../src/store/cache/cached-engine.js'
import { createCommitListeners } from '../../src/store/commit-listeners.js'
import type { Engine, Hearing } from '../../src/store/engine.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { UnreachableStoreError } from '../../src/store/errors.js'
import { key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import { VersionPoller } from '../../src/store/version-poller.js'
import { createWaiters } from '../../src/store/waiters.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const UNHEARD: Hearing = { state: 'unheard' }
const never = new AbortController().signal

function scene() {
  const versions = new Map<string, bigint>()
  const queries: string[][] = []
  const told: string[] = []
  const world = { hearing: UNHEARD as Hearing, now: 0, during: (): void => undefined }
  const waiters = createWaiters()
  const listeners = createCommitListeners()
  listeners.add((partition, version) => void told.push(`${partition} ${version}`))
  const poller = new VersionPoller({
    engine: {
      hears: () => world.hearing,
      async versions(names) {
        queries.push([...names])
        const found = names.map((name) => versions.get(name) ?? 0n)
        world.during()
        return found
      },
    },
    waiters,
    listeners,
    now: () => world.now,
  })
  return { poller, versions, queries, told, waiters, world }
}

t.test('one query is for all that is waited for, and wakes whose partition has moved', async (t) => {
  const { poller, versions, queries, told, waiters } = scene()
  t.teardown(() => poller.stop())
  const names = ['shard/1']
  const leave = poller.follow(() => names)
  const [moved, stays, gone] = [waiters.add('p', 1n), waiters.add('q', 5n), waiters.add('r', 3n)]
  versions.set('p', 2n).set('q', 5n).set('shard/1', 7n)
  await poller.poll()
  t.same(queries, [['shard/1', 'p', 'q', 'r']])
  t.same([await moved.woken, await gone.woken], [2n, 0n])
  t.same(told, ['shard/1 7'], 'one that is followed newly is reported')
  moved.leave()
  gone.leave()

  await poller.poll()
  t.same(told, ['shard/1 7'], 'and then when it moves')
  versions.set('shard/1', 9n)
  names.push('shard/2')
  await poller.poll()
  t.same(told, ['shard/1 7', 'shard/1 9'], 'nothing is in the second')
  t.same(queries.at(-1), ['shard/1', 'shard/2', 'q'])
  versions.delete('shard/1')
  versions.set('shard/2', 10n)
  await poller.poll()
  await poller.poll()
  t.same(told.slice(2), ['shard/1 0', 'shard/2 10'])

  stays.wake()
  stays.leave()
  leave()
  const before = queries.length
  await poller.poll()
  t.equal(queries.length, before, 'nothing is waited for')
})

t.test('what was reported by a notification is not reported again', async (t) => {
  const { poller, versions, told, world } = scene()
  t.teardown(() => poller.stop())
  poller.follow(() => ['p'])
  versions.set('p', 1n)
  await poller.poll()
  versions.set('p', 2n)
  poller.saw('p', 2n)
  await poller.poll()
  // A notification that comes while the query is under way is newer than its answer.
  world.during = () => poller.saw('p', 3n)
  await poller.poll()
  t.same(told, ['p 1'])
})

t.test('an engine that hears the others is polled seldom, and after each gap', async (t) => {
  const { poller, queries, world } = scene()
  t.teardown(() => poller.stop())
  poller.follow(() => ['p'])
  const polls = async (): Promise<number> => {
    const before = queries.length
    await poller.poll()
    return queries.length - before
  }
  world.hearing = { state: 'heard', sinceMs: 0 }
  t.equal(await polls(), 1, 'what was before is not known')
  world.now = 4_999
  t.equal(await polls(), 0)
  world.now = 5_000
  t.equal(await polls(), 1, 'a notification may have been lost')
  world.hearing = { state: 'heard', sinceMs: 5_100 }
  world.now = 5_200
  t.equal(await polls(), 1, 'there was a gap')
  t.equal(await polls(), 0)
  world.hearing = UNHEARD
  t.same([await polls(), await polls()], [1, 1])
  world.hearing = { state: 'alone', sinceMs: 6_000 }
  world.now = 100_000
  t.equal(await polls(), 1, 'for the last commits of the others')
  t.equal(await polls(), 0)
})

t.test('a database that is away is polled again, and any other error is thrown', async (t) => {
  const { poller, versions, told, world } = scene()
  poller.follow(() => ['p'])
  versions.set('p', 1n)
  world.during = () => {
    throw new UnreachableStoreError('No PostgreSQL primary')
  }
  await poller.poll()
  t.same(told, [])
  world.during = () => {
    throw new RangeError('no such partition')
  }
  await t.rejects(poller.poll(), RangeError)
  world.during = () => undefined
  await poller.poll()
  t.same(told, ['p 1'])
  await poller.stop()
})

/** An engine that tells of no commit, and counts queries of versions. */
function unheard(engine: Engine, hears?: () => Hearing): { engine: Engine; queries(): number } {
  let queries = 0
  return {
    queries: () => queries,
    engine: {
      ...engine,
      onCommit: () => () => undefined,
      versions(partitions) {
        queries++
        return engine.versions(partitions)
      },
      ...(hears && { hears }),
    },
  }
}

const put = (engine: Engine, mark: string) =>
  engine.commit([], [{ partition: 'p', key: key('k'), value: Buffer.from('v') }], mark)

t.test('a store polls by itself while somebody waits, and never for an engine of one process', async (t) => {
  const shared = unheard(memoryEngine({ conflicts: 0 }), () => UNHEARD)
  const own = unheard(openLmdb({ path: t.testdir() }))
  const stores = [createStore(shared.engine), createStore(own.engine)] as const
  const [woken, asleep] = [stores[0].wait('p', 0n, never), stores[1].wait('p', 0n, never)]
  stores.forEach((store) => store.follow(() => ['p']))
  const told: string[] = []
  stores[0].onCommit((partition) => void told.push(partition))
  while (shared.queries() < 3) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(own.queries(), 1, 'its wait began with one')
  const moved = await put(shared.engine, 'm1')
  t.equal(await woken, moved !== 'conflict' && moved.get('p'))
  t.same(told, ['p'])
  const refused = t.rejects(asleep, { message: 'The store is closed.' })
  await Promise.all(stores.map((store) => store.close()))
  await refused
  const before = shared.queries()
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.equal(shared.queries(), before, 'closing ends it')
})

t.test('behind a cache nothing is heard while no other process can write', async (t) => {
  let isSole = true
  const { engine } = unheard(memoryEngine(), () => UNHEARD)
  const cached = cachedEngine(engine, { maxBytes: 1_000, soleSince: () => (isSole ? 5 : undefined) })
  t.same(cached.hears?.(), { state: 'alone', sinceMs: 5 })
  isSole = false
  t.same(cached.hears?.(), UNHEARD)
  t.equal(cachedEngine(memoryEngine(), { maxBytes: 1_000 }).hears, undefined)
})
