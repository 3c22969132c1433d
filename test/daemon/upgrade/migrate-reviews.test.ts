/** A store in which reviews and cancellings were cut off between their commits, as versions up to 0.1.0 left it. */
import t from 'tap'
import { finishHalfDone } from '../../../src/daemon/upgrade/migrate-reviews.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { readState, saveMessage } from '../../../src/mailbox/message-rows.js'
import { clearPartition } from '../../../src/mailbox/record.js'
import { readCounts, REVIEW_PARTITION } from '../../../src/mailbox/review/rows.js'
import { HELD } from '../../../src/queue/types.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { BY, HELD_BY_GUARD, reviewIn } from '../../mailbox/review/world.js'
import { makeWorld, present, SEND, tasksOf, type World } from '../../mailbox/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { tasksIn } from '../../support/store/tasks.js'

async function setUp(t: Parameters<typeof makeWorld>[0]): Promise<World> {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  return makeWorld(t, store)
}

async function held(world: World): Promise<string> {
  world.guard.verdict = HELD_BY_GUARD
  const { id } = await world.send()
  world.guard.verdict = SEND
  return id
}

/** @param crashAfter steps; then all of it is done again */
async function migrate({ store }: World, crashAfter = Infinity): Promise<void> {
  let cursor: string | undefined = ''
  for (let steps = 0; cursor !== undefined && steps < crashAfter; steps++) cursor = await finishHalfDone(store, cursor)
}

const intent = (world: World, id: string, messageId: string, decision: string) => ({
  id,
  messageId,
  mailboxId: world.id,
  accountId: world.account.id,
  decision,
  by: BY.by,
  at: world.clock.now(),
  note: null,
  guard: { category: 'scam', decision: 'hold', codes: [] },
  blockedAt: null,
  told: false,
})

t.test('a decision that was committed comes to its end, and another is as if it had not been made', async (t) => {
  const world = await setUp(t)
  const [made, unmade] = [await held(world), await held(world)]
  await world.store.write(mailboxPartition(world.id), async (tx) => {
    const state = present(await readState(tx, made))
    await saveMessage(tx, state, { ...state, status: 'queued', reviewId: 'rev_1' })
  })
  await world.store.write(REVIEW_PARTITION, (tx) => {
    tx.put(key('intent', 'rev_1'), encode(intent(world, 'rev_1', made, 'approve')))
    tx.put(key('intent', 'rev_2'), encode(intent(world, 'rev_2', unmade, 'reject')))
    tx.put(key('adopted'), encode(1))
  })
  await migrate(world, 1)
  await migrate(world)
  t.same(await tasksOf(world, 'relay'), [`${made}:example.org`])
  t.same(await world.recipients.known(), ['ada@example.org'])
  const { reviewing, told } = reviewIn(world)
  t.match(await reviewing.list({ status: 'held', limit: 10 }), { data: [{ id: unmade }], counts: { held: 1 } })
  t.match((await reviewing.log({ limit: 10 })).data, [{ id: 'rev_1', decision: 'approve', by: BY.by }])
  await reviewing.start(new AbortController().signal)
  t.match(told, [{ messageId: made }], 'and is learned from')
  const left = await world.store.read(REVIEW_PARTITION, (view) =>
    view.getMany([key('intent', 'rev_1'), key('intent', 'rev_2'), key('adopted')]),
  )
  t.same(left, [undefined, undefined, undefined])
})

t.test('what was held before there was a list for review is entered', async (t) => {
  const world = await setUp(t)
  const id = await held(world)
  await clearPartition(world.store, REVIEW_PARTITION)
  await migrate(world, 2)
  await migrate(world)
  t.same(await world.store.read(REVIEW_PARTITION, readCounts), { held: 1, blocked: 0 })
  t.match(await reviewIn(world).reviewing.list({ status: 'held', limit: 10 }), { data: [{ id }] })
})

t.test('mail that a cancelling has left on hold goes on, or away', async (t) => {
  const world = await setUp(t)
  const ids: string[] = []
  for (const name of ['goes', 'cancelled']) {
    const { id } = await world.send({ to: [{ address: `${name}@example.org`, name: '' }] })
    ids.push(id)
    await world.queue.reschedule('relay', `${id}:example.org`, HELD)
    const payload = { mailbox_id: world.id, message_id: id, cancel: true }
    await world.queue.enqueue('scheduled', { id: `cancel:${id}`, payload, due: world.clock.now(), lane: world.id })
  }
  const [goes = '', cancelled = ''] = ids
  await world.store.write(mailboxPartition(world.id), async (tx) => {
    const state = present(await readState(tx, cancelled))
    await saveMessage(tx, state, { ...state, status: 'cancelled' })
  })
  await migrate(world, 2)
  await migrate(world)
  t.same(await tasksOf(world, 'scheduled'), [])
  t.match(await tasksIn(world.queue, 'relay', 10), [{ id: `${goes}:example.org` }])
  t.not(present(await world.queue.get('relay', `${goes}:example.org`)).due, HELD)
  t.same(await tasksOf(world, 'relay'), [`${goes}:example.org`])
  t.same(await world.recipients.known(), ['goes@example.org'])
})
