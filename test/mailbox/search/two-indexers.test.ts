/** Two processes that index one mailbox at the same time, as when its shard moves: whoever stalls leaves nothing behind. */
import t, { type Test } from 'tap'
import { searchPartition } from '../../../src/mailbox/keys.js'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { INDEX_VERSION, newIndex, putIndexRow, readIndexRow } from '../../../src/mailbox/search/segments.js'
import { faultOfIndex } from '../../../src/ops/verify/search.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { randomFrom } from '../../support/random.js'
import { over } from '../../support/store/over-store.js'
import { makeWorld } from '../world.js'

const MESSAGES = 30
/** Messages that come meanwhile, each a segment. */
const LATER = 3

/** A process that stalls before its write number `at`, from 0, until it is told to go on. */
function stalling(store: Store, at: number) {
  let writes = 0
  let reached: () => void = () => undefined
  let goOn: () => void = () => undefined
  const stalled = new Promise<void>((resolve) => (reached = resolve))
  const told = new Promise<void>((resolve) => (goOn = resolve))
  const slow: Store = {
    ...over(store),
    async write(named, fn) {
      if (writes++ === at) {
        reached()
        await told
      }
      return store.write(named, fn)
    },
  }
  return { slow, stalled, goOn, hasStalled: () => writes > at }
}

async function open(t: Test) {
  const engine = memoryEngine({ conflicts: 0 })
  const stores = [createStore(engine), createStore(engine)] as const
  const world = await makeWorld(t, stores[0])
  for (let n = 0; n < MESSAGES; n++) await world.deliver({ subject: `Number ${n}`, text: `apple${n} pear${n}` })
  const partition = searchPartition(world.id)
  const found = async (): Promise<number> =>
    (await world.mailboxes.reading.threads(world.id, { limit: 100, q: 'number' })).data.length
  return { stores, world, partition, found }
}

const starts: Record<string, (store: Store, partition: string) => Promise<void>> = {
  'an index that is missing': async () => undefined,
  'an index of another version': (store, partition) =>
    store.write(partition, (tx) => putIndexRow(tx, newIndex(INDEX_VERSION - 1))),
}

for (const [start, prepare] of Object.entries(starts))
  t.test(`two build ${start}, and one stalls before any of its commits`, async (t) => {
    for (let at = 0, isOver = false; !isOver; at++) {
      const { stores, world, partition, found } = await open(t)
      await prepare(stores[0], partition)
      const { slow, stalled, goOn, hasStalled } = stalling(stores[1], at)
      const slowly = createIndexer({ store: slow }).indexMailbox(world.id)
      await Promise.race([stalled, slowly])
      isOver = !hasStalled()
      for (let n = 0; n < LATER; n++) {
        await createIndexer({ store: stores[0] }).indexMailbox(world.id)
        await world.deliver({ subject: `Number ${MESSAGES + n}` })
      }
      await createIndexer({ store: stores[0] }).indexMailbox(world.id)
      goOn()
      await slowly
      t.equal(await faultOfIndex({ store: stores[0], quick: false }, world.id), undefined, `before commit ${at}`)
      t.equal(await found(), MESSAGES + LATER)
      if (isOver) t.ok(at >= 3, 'it has several commits')
    }
  })

t.test('a merge that began before the index was built anew takes none of the new segments for its own', async (t) => {
  const { stores, world, partition, found } = await open(t)
  const [store] = stores
  const chance = randomFrom(1)
  let number = MESSAGES
  /** Messages that are a segment each, and large enough for a merge in the background. */
  const indexOneByOne = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const words = Array.from({ length: 500 }, () => Math.floor(chance() * 1e9).toString(36))
      await world.deliver({ subject: `Number ${number++}`, text: words.join(' ') })
      await createIndexer({ store }).indexMailbox(world.id)
    }
  }
  await indexOneByOne(8)
  const { slow, stalled, goOn } = stalling(stores[1], 0)
  const merging = createIndexer({ store: slow }).mergeIndex(world.id)
  const first = await Promise.race([stalled.then(() => 'stalled'), merging.then(() => 'ended')])
  t.equal(first, 'stalled', 'it has something to merge')
  await store.write(partition, async (tx) => {
    const index = await readIndexRow(tx)
    if (index) putIndexRow(tx, { ...index, version: INDEX_VERSION - 1 })
  })
  await createIndexer({ store }).indexMailbox(world.id)
  await indexOneByOne(7)
  goOn()
  await merging
  t.equal(await faultOfIndex({ store, quick: false }, world.id), undefined)
  t.equal(await found(), number)
})
