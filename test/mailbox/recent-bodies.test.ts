/** What is remembered of the newest messages is bounded, and says what the store says. */
import t from 'tap'
import { readStored } from '../../src/mailbox/message-rows.js'
import { mailboxPartition } from '../../src/mailbox/keys.js'
import { RecentBodies } from '../../src/mailbox/recent-bodies.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { letter, makeWorld } from './world.js'

const TEXT = 'Shall we say ten?\n'.repeat(1000)

t.test('the relay is given the same by the process that took the message and by one that reads it', async (t) => {
  const engine = memoryEngine()
  const world = await makeWorld(t, createStore(engine))
  const { id } = await world.send(letter({ text: TEXT, html: '<p>Shall we say ten?</p>', labels: ['dates'] }))
  const after = await makeWorld(t, world.store, world)
  t.same(await world.mailboxes.outbound.message(world.id, id), await after.mailboxes.outbound.message(world.id, id))
})

t.test('the oldest go when there is too much, and what is large pushes out no others', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { id } = await world.send(letter({ text: TEXT }))
  const stored = await world.store.read(mailboxPartition(world.id), (view) => readStored(view, id))
  if (!stored) throw new Error('The message is missing')
  const { content } = stored
  const bodies = new RecentBodies()
  const seqs = Array.from({ length: 1000 }, (_, i) => i + 1)
  for (const seq of seqs) bodies.add('mbx_1', seq, { createdAt: 0, content })
  const kept = seqs.filter((seq) => bodies.get('mbx_1', seq))
  t.ok(kept.length > 100 && kept.length < 300, `${kept.length} of 18 kB`)
  t.equal(kept.at(-1), 1000)
  t.equal(bodies.get('mbx_2', 1000), undefined)
  bodies.add('mbx_1', 1001, { createdAt: 0, content: { ...content, text: TEXT.repeat(200) } })
  t.equal(bodies.get('mbx_1', 1001), undefined)
  t.ok(bodies.get('mbx_1', 1000))
})

t.test('of mail in, the words alone are kept: far more messages of the same size', async (t) => {
  const bodies = new RecentBodies()
  const words = Array.from({ length: 400 }, (_, i) => `word${i}`).join('\n')
  const seqs = Array.from({ length: 3000 }, (_, i) => i + 1)
  for (const seq of seqs) bodies.add('mbx_1', seq, { createdAt: 0, words })
  t.ok(seqs.filter((seq) => bodies.get('mbx_1', seq)).length > 1200)
})
