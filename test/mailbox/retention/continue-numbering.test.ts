/** After a restore numbers go on past all that may have been given, and what follows the event log by a cursor goes on without a fault. */
import t from 'tap'
import { DAY, MINUTE } from '../../../src/lib/clock.js'
import { mailboxPartition, META_PARTITION, indexKey, searchPartition } from '../../../src/mailbox/keys.js'
import { continueNumbering, markRestored } from '../../../src/mailbox/retention/continue-numbering.js'
import { clearPartition } from '../../../src/mailbox/record.js'
import { sweepMailbox } from '../../../src/mailbox/retention/sweep.js'
import { prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { eventsOf, makeWorld, onEveryEngine, present, type World } from '../world.js'

const never = new AbortController().signal

/** What a backup holds, which then comes back as it was: the rows of the mailbox, of its search index and of `meta`. */
async function backUp({ store, id }: World): Promise<() => Promise<void>> {
  const partitions = [mailboxPartition(id), searchPartition(id), META_PARTITION]
  const kept = await Promise.all(
    partitions.map((partition) => store.read(partition, (view) => view.range({ ...prefixRange() }))),
  )
  return async () => {
    for (const [at, partition] of partitions.entries()) {
      await clearPartition(store, partition)
      await store.write(partition, (tx) => present(kept[at]).forEach(([row, value]) => tx.put(row, value)))
    }
  }
}

async function restored(world: World, restore: () => Promise<void>): Promise<void> {
  await restore()
  await markRestored(world.store, world.clock.now())
  await continueNumbering(world.store)
}

onEveryEngine('a number is never given twice, also when one backup is restored twice', async (t, world) => {
  const given = new Set<number>()
  const note = async (): Promise<void> => {
    for (const { seq } of await eventsOf(world, present((await world.record()).jumps ?? [{ to: 0 }]).at(-1)?.to ?? 0)) {
      t.notOk(given.has(seq), `${seq} is new`)
      given.add(seq)
    }
  }
  await world.deliver()
  const restore = await backUp(world)
  const [backedUp] = await eventsOf(world)
  await world.deliver()
  await world.deliver()
  await note()
  for (let times = 0; times < 2; times++) {
    world.clock.advance(MINUTE)
    await restored(world, restore)
    await world.deliver()
    await world.deliver()
    await note()
  }
  t.equal(given.size, 7)
  t.same((await eventsOf(world))[0], backedUp, 'what is in the backup has its number still')
  t.equal(await continueNumbering(world.store), undefined, 'once a restore')
})

onEveryEngine(
  'a cursor that was given after the backup is refused, with where to go on; others go on',
  async (t, world) => {
    const { mailboxes, id } = world
    const read = (after: number, waitMs = 0) => mailboxes.events(id, { after, limit: 10, waitMs }, never)
    await world.deliver()
    await world.deliver()
    const restore = await backUp(world)
    await world.deliver()
    await world.deliver()
    await restored(world, restore)
    const { seq } = await world.record()

    for (const waitMs of [0, 60_000])
      for (const after of [3, 4, seq - 1])
        await t.rejects(read(after, waitMs), {
          code: 'events_expired',
          status: 410,
          oldestSeq: seq + 1,
          message: /restored/,
        })
    await t.rejects(read(seq + 1, 60_000), { code: 'events_expired', oldestSeq: seq + 1 }, 'past the last')
    t.match(await read(2), { data: [], next_after: 2 }, 'who knew all of the backup misses nothing of it')
    t.match(await read(seq), { data: [], next_after: seq })
    const waiting = read(2, 60_000)
    await world.deliver()
    t.match(await waiting, { data: [{ seq: seq + 1 }], next_after: seq + 1 })
    t.match(await read(1), { data: [{ seq: 2 }, { seq: seq + 1 }] })
    t.match(await read(seq), { data: [{ seq: seq + 1 }] })
    await t.rejects(read(3), { code: 'events_expired', oldestSeq: seq + 1 })

    world.clock.advance(31 * DAY)
    await world.deliver()
    await sweepMailbox(world.store, id, world.clock.now(), { eventsMs: 30 * DAY })
    await t.rejects(read(2), { code: 'events_expired', oldestSeq: seq + 2, message: /no longer kept/ })
    t.match(await read(seq + 1), { data: [{ seq: seq + 2 }] })
  },
)

onEveryEngine('search goes on over the gap, and its index is not begun again', async (t, world) => {
  const { mailboxes, id, clock, store } = world
  const find = async (q: string): Promise<string[]> =>
    (await mailboxes.reading.messages(id, { limit: 10, q })).data.map(({ subject }) => subject)
  await world.deliver({ subject: 'old plan' })
  t.same(await find('plan'), ['old plan'])
  const restore = await backUp(world)
  clock.advance(2 * DAY)
  await world.deliver({ subject: 'lost plan' })
  await restored(world, restore)
  const marker = new Uint8Array([1])
  const probe = indexKey.slice(0, -1)
  await store.write(searchPartition(id), (tx) => tx.put(probe, marker))
  await world.deliver({ subject: 'new plan' })
  t.same(await find('plan'), ['new plan', 'old plan'])
  t.same(await find('plan -new'), ['old plan'])
  const day = new Date(clock.now() - DAY).toISOString().slice(0, 10)
  t.same(await find(`before:${day}`), ['old plan'], 'by time, too')
  t.same(await find(`after:${day}`), ['new plan'])
  t.ok(await store.read(searchPartition(id), (view) => view.get(probe)), 'the index was gone on with')
})

t.test('cut off anywhere, the next start moves the rest', async (t) => {
  for (let commits = 1, isCutOff = true; isCutOff; commits++) {
    const engine = memoryEngine({ lateness: 0, conflicts: 0 })
    const store = createStore(engine)
    const world = await makeWorld(t, store)
    const ids = [world.id]
    for (let i = 0; i < 3; i++) ids.push(await world.addMailbox(`agent-${i}`))
    await world.deliver()
    const at = world.clock.now()
    await markRestored(store, at)
    const dying = mortal(engine, commits, commits % 2 === 0 ? 'before' : 'after')
    dying.arm()
    await continueNumbering(createStore(dying.engine)).catch(() => undefined)
    isCutOff = dying.died()
    await continueNumbering(store)
    for (const id of ids) {
      const { seq, jumps } = present(await world.mailboxes.directory.get(id))
      t.equal(seq, at)
      t.match(jumps, [{ from: id === world.id ? 1 : 0, to: at }])
      t.equal(jumps?.length, 1)
    }
    await store.close()
  }
})
