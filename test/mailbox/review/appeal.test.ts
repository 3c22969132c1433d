/** A line of the owner to the staff: while the message waits, of that mailbox alone, and in no decision's way. */
import t from 'tap'
import { DAY } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { makeWorld, onEveryEngine, SEND, type World } from '../world.js'
import { BY, HELD_BY_GUARD, reviewIn } from './world.js'

const stopped = async (world: World, decision: 'hold' | 'block' = 'hold') => {
  world.guard.verdict = { ...HELD_BY_GUARD, decision }
  const message = await world.send()
  world.guard.verdict = SEND
  return message
}

onEveryEngine('the staff read what the owner wrote about a message that waits', async (t, world) => {
  const { reviewing } = reviewIn(world)
  const [held, blocked] = [await stopped(world), await stopped(world, 'block')]
  t.same(await reviewing.appealOf(world.id, held.id), { appeal: null })
  await reviewing.appeal(world.id, held.id, ' It is an invoice of ours. ')
  await reviewing.appeal(world.id, blocked.id, 'A newsletter')
  t.same(await reviewing.appealOf(world.id, held.id), { appeal: 'It is an invoice of ours.' })
  t.match(await reviewing.read(held.id), { appeal: 'It is an invoice of ours.' })
  t.match((await reviewing.list({ status: 'blocked', limit: 10 })).data, [{ id: blocked.id, appeal: 'A newsletter' }])
  await reviewing.appeal(world.id, held.id, 'It is for Ada.')
  t.match((await reviewing.list({ status: 'held', limit: 10 })).data, [{ appeal: 'It is for Ada.' }])
  t.same(await reviewing.counts(), { held: 1, blocked: 1 })

  t.match(await reviewing.approve(held.id, BY), { status: 'queued' })
  t.match(await reviewing.read(held.id), { appeal: 'It is for Ada.' }, 'the decision keeps it')
  t.equal(await reviewing.appealOf(world.id, held.id), undefined)
  await t.rejects(reviewing.appeal(world.id, held.id, 'Once more'), { code: 'not_found' })
  t.match(await reviewing.read(held.id), { appeal: 'It is for Ada.' })
})

onEveryEngine('nobody writes about a message of another mailbox, or one that does not wait', async (t, world) => {
  const { reviewing } = reviewIn(world)
  const [held, blocked] = [await stopped(world), await stopped(world, 'block')]
  const other = await world.addMailbox('other')
  const sent = await world.send()
  for (const [mailboxId, id] of [
    [other, held.id],
    [world.id, sent.id],
    [world.id, 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'],
  ] as const) {
    await t.rejects(reviewing.appeal(mailboxId, id, 'Please'), { code: 'not_found' })
    t.equal(await reviewing.appealOf(mailboxId, id), undefined)
  }
  world.clock.advance(7 * DAY)
  await t.rejects(reviewing.appeal(world.id, blocked.id, 'Please'), { code: 'not_found' }, 'too late')
  t.match(await reviewing.read(held.id), { appeal: null })
})

t.test('one line of at most 500 characters', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { reviewing } = reviewIn(world)
  const { id } = await stopped(world)
  for (const wrong of ['', '   ', 'a\nb', 'a\u202eb', 'a\u0000', 'x'.repeat(501)])
    await t.rejects(reviewing.appeal(world.id, id, wrong), { code: 'invalid_request' }, JSON.stringify(wrong))
  t.same(await reviewing.appealOf(world.id, id), { appeal: null })
  await reviewing.appeal(world.id, id, 'x'.repeat(500))
})
