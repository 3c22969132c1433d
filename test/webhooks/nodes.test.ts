/** Webhooks of a node among others: shards are gained while the database is away, and other nodes create webhooks. */
import { setImmediate as tick } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Follower, Shards } from '../../src/cluster/types.js'
import type { Maybe } from '../../src/lib/maybe.js'
import { createStore } from '../../src/store/store.js'
import type { Store, View } from '../../src/store/types.js'
import { startReceiver, type Receiver } from '../support/peers/webhook-receiver.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { over } from '../support/store/over-store.js'
import { makeWebhook, makeWorld, type World } from './world.js'

/** A node that owns nothing until it gains the one shard. */
function gainable(): Shards & { gain(): void } {
  const followers = new Set<Follower>()
  let isOwn = false
  return {
    count: 1,
    owns: () => isOwn,
    follow(_duty, follower) {
      followers.add(follower)
      return () => void followers.delete(follower)
    },
    gain() {
      isOwn = true
      for (const follower of followers) follower.gain(0)
    },
  }
}

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await tick()
}

async function start(t: Test): Promise<{ store: Store; receiver: Receiver; other: World }> {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  return { store, receiver, other: await makeWorld(t, store, undefined, { node: { shards: gainable() } }) }
}

t.test('webhooks of a shard that was gained while the database was away are found later', async (t) => {
  const { store, receiver, other } = await start(t)
  await makeWebhook(other, receiver.url)
  let isAway = true
  const shards = gainable()
  const readable = {
    ...over(store),
    read: async <T>(partition: string, fn: (view: View) => Maybe<T>): Promise<T> => {
      if (isAway) throw new Error('the database is away')
      return store.read(partition, fn)
    },
  }
  const { errors } = await makeWorld(t, store, other, { node: { store: readable, shards, retryMs: 1 } })
  shards.gain()
  await until(() => errors.length > 1)
  isAway = false
  await other.happen('message.received')
  await receiver.count(1)
  t.same(receiver.seqs(), [1])
})

t.test('the first webhook of a mailbox that another node created is found, also if its hint was lost', async (t) => {
  const { store, receiver, other } = await start(t)
  const followed: (() => Iterable<string>)[] = []
  const shards = gainable()
  const distant: Store = {
    ...over(store),
    // As of another process: a partition that is not followed is not heard of.
    onCommit: (fn) =>
      store.onCommit((partition, version) => {
        if (followed.some((partitions) => [...partitions()].includes(partition))) fn(partition, version, true)
      }),
    follow(partitions) {
      followed.push(partitions)
      return () => undefined
    },
  }
  const { dispatcher } = await makeWorld(t, store, other, { node: { store: distant, shards } })
  shards.gain()
  await dispatcher.checkAll()
  await makeWebhook(other, receiver.url)
  await until(() => dispatcher.lanes.length > 0)
  await other.happen('message.received')
  await receiver.count(1)
  t.same(receiver.seqs(), [1])
})
