/** Responses to HTTP challenges: those of any daemon on the store, for as long as its order may take. */
import t from 'tap'
import { createHttpChallenges } from '../../src/certificates/challenges.js'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

t.test('the authority may ask another daemon than the one that orders', async (t) => {
  const [engine, clock] = [memoryEngine(), new ManualClock()]
  const [orders, answers] = [
    createHttpChallenges({ store: createStore(engine), clock }),
    createHttpChallenges({ store: createStore(engine), clock }),
  ]
  t.equal(await answers.answerOf('one'), undefined)
  const close = await orders.open('one', 'one.thumb')
  await orders.open('two', 'two.thumb')
  t.equal(await answers.answerOf('one'), 'one.thumb')
  t.equal(await answers.answerOf('two'), 'two.thumb')
  t.equal(await answers.answerOf('three'), undefined)
  await close()
  await close()
  t.equal(await answers.answerOf('one'), undefined)
  t.equal(await answers.answerOf('two'), 'two.thumb')
})

t.test('what a daemon that was killed has left ends, and is removed by the next order', async (t) => {
  const [store, clock] = [createStore(memoryEngine()), new ManualClock()]
  const challenges = createHttpChallenges({ store, clock })
  await challenges.open('left', 'left.thumb')
  clock.advance(HOUR)
  t.equal(await challenges.answerOf('left'), undefined)
  await challenges.open('next', 'next.thumb')
  const rows = await store.read('acme-challenges', (view) => view.range({ gte: Buffer.of(0), lt: Buffer.of(0xff) }))
  t.equal(rows.length, 1)
})

t.test('however many strangers ask at once, the store is read twice, and each gets what is there now', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  let reads = 0
  const store = createStore({ ...engine, read: (fn) => (reads++, engine.read(fn)) })
  const challenges = createHttpChallenges({ store, clock: new ManualClock() })
  const early = challenges.answerOf('token')
  await challenges.open('token', 'token.thumb')
  reads = 0
  const asked = await Promise.all(Array.from({ length: 200 }, () => challenges.answerOf('token')))
  t.same(new Set(asked), new Set(['token.thumb']))
  t.ok(reads <= 2)
  await early
})

t.test('a read that fails is not the last one', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  let failures = 2
  const store = createStore({
    ...engine,
    read: async (fn) => {
      if (failures-- > 0) throw new Error('away')
      return engine.read(fn)
    },
  })
  const challenges = createHttpChallenges({ store, clock: new ManualClock() })
  await t.rejects(challenges.answerOf('token'), { message: 'away' })
  const asked = await Promise.allSettled([challenges.answerOf('token'), challenges.answerOf('token')])
  t.same(
    asked.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})
