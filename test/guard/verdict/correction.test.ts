/** What an operator's decisions teach the guard, and what nobody can teach it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import {
  createWeights,
  MAX_SHIFT,
  placesOf,
  PLACES,
  type Lesson,
} from '../../../src/guard/verdict/correction-weights.js'
import {
  countLessons,
  LESSONS_PER_ACCOUNT_AND_DAY,
  openCorrection,
  type Review,
} from '../../../src/guard/verdict/correction.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import { DAY, ManualClock } from '../../../src/lib/clock.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { ENGINES } from '../../store/engines.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const subject = (text: string, title = 'Weekly figures'): GuardSubject => ({
  kind: 'outbound',
  subject: title,
  text,
  html: null,
  links: [],
  recipientCount: 1,
  newRecipientCount: 0,
  attachments: [],
  trust: 0,
})
const FIGURES = subject('The figures of this week are ready for your warehouse team in Hamburg.')
const ALIKE = subject('The figures of next week are ready for your warehouse team in Bremen.')
const OTHER = subject('Click below, verify the wallet, receive tokens before midnight expires', 'Wallet notice')

const onError = (error: unknown): void => {
  throw error
}

/** Stopped before its store is closed: what it reads by itself after a commit would find it closed. */
async function opened(t: Test, deps: Parameters<typeof openCorrection>[0]) {
  const correction = await openCorrection(deps)
  t.teardown(() => correction.stop())
  return correction
}

async function setting(t: Test, engine = ENGINES[0]) {
  if (!engine) throw new Error('no engine')
  const clock = new ManualClock()
  const store = engine.openStore(t)
  const correction = await opened(t, { store, clock, isOn: true, onError })
  let messages = 0
  const review = (changes: Partial<Review> = {}): Review => ({
    messageId: `msg_${++messages}`,
    accountId: 'acc_1',
    decision: 'approve',
    subject: FIGURES,
    at: clock.now(),
    ...changes,
  })
  return { clock, store, correction, review }
}

t.test(
  'what one node learns and forgets, the others know, and the share of an account is that of all nodes',
  async (t) => {
    const engine = memoryEngine()
    const clock = new ManualClock()
    const open = () => opened(t, { store: createStore(engine), clock, isOn: true, onError })
    const [a, b] = [await open(), await open()]
    const review = (n: number, changes: Partial<Review> = {}): Review => ({
      ...{ messageId: `msg_${n}`, accountId: 'acc_1', decision: 'approve', subject: FIGURES, at: clock.now() },
      ...changes,
    })
    const learned = await Promise.all(
      Array.from({ length: 2 * LESSONS_PER_ACCOUNT_AND_DAY }, (_, n) => (n % 2 === 0 ? a : b).learn(review(n))),
    )
    t.equal(learned.filter(Boolean).length, LESSONS_PER_ACCOUNT_AND_DAY)
    while (a.summary().approvals < LESSONS_PER_ACCOUNT_AND_DAY) await nextTurn()
    while (b.summary().approvals < LESSONS_PER_ACCOUNT_AND_DAY) await nextTurn()
    t.equal(a.adjust(0.4, ALIKE), b.adjust(0.4, ALIKE), 'by one salt')
    t.ok(a.adjust(0.4, ALIKE) < 0.4)
    await a.forget()
    while (b.summary().approvals > 0) await nextTurn()
    t.equal(b.adjust(0.4, ALIKE), 0.4)
  },
)

for (const engine of ENGINES) {
  t.test(
    `approved mail makes its like less risky, rejected mail more, and a restart keeps that (${engine.name})`,
    async (t) => {
      const { clock, store, correction, review } = await setting(t, engine)
      t.equal(correction.adjust(0.4, FIGURES), 0.4, 'nothing is learnt yet')
      t.equal(await correction.learn(review()), true)
      t.equal(await correction.learn(review({ subject: OTHER, decision: 'reject' })), true)
      const same = correction.adjust(0, FIGURES)
      const alike = correction.adjust(0, ALIKE)
      t.ok(same <= -0.4 && same >= -0.5, `${same}`)
      t.ok(alike < -0.2 && alike > same, `${alike}`)
      t.ok(correction.adjust(0, OTHER) > 0.4)

      const again = await opened(t, { store, clock, isOn: true, onError })
      t.equal(again.adjust(0, FIGURES), same)
      t.match(again.summary(), { approvals: 1, rejections: 1, oldest: clock.now(), newest: clock.now() })

      clock.advance(30 * DAY)
      t.ok(Math.abs(again.adjust(0, FIGURES) - same / 2) < 1e-9, 'half is left after 30 days')

      await again.forget()
      t.equal(again.adjust(0, FIGURES), 0)
      t.match((await opened(t, { store, clock, isOn: true, onError })).summary(), {
        approvals: 0,
        rejections: 0,
        oldest: null,
        strongest: 0,
      })
    },
  )

  t.test(`a decision counts once, and a later one takes its place (${engine.name})`, async (t) => {
    const { clock, store, correction, review } = await setting(t, engine)
    const first = review()
    t.equal(await correction.learn(first), true)
    const once = correction.adjust(0, FIGURES)
    t.equal(await correction.learn(first), false)
    t.equal(await correction.learn({ ...first, at: first.at + 1000 }), false)
    t.equal(correction.adjust(0, FIGURES), once)

    clock.advance(DAY)
    t.equal(await correction.learn({ ...first, decision: 'reject', at: clock.now() }), true)
    t.ok(Math.abs(correction.adjust(0, FIGURES) + once) < 0.02, 'as if only the second had been')
    t.equal(await correction.learn(first), false, 'what is told late changes nothing')
    t.match(correction.summary(), { approvals: 0, rejections: 1 })
    const again = await opened(t, { store, clock, isOn: true, onError })
    t.ok(Math.abs(again.adjust(0, FIGURES) - correction.adjust(0, FIGURES)) < 1e-9)
  })
}

t.test('where learning is off nothing is learnt, and what was learnt does not count', async (t) => {
  const { clock, store, correction, review } = await setting(t)
  await correction.learn(review())
  const off = await opened(t, { store, clock, isOn: false, onError })
  t.equal(off.adjust(0.4, FIGURES), 0.4)
  t.equal(await off.learn(review()), false)
  t.match(off.summary(), { approvals: 1 })
  await off.forget()
  t.match(off.summary(), { approvals: 0 })
})

t.test('one account teaches a few lessons a day, whoever else has room', async (t) => {
  const { clock, correction, review } = await setting(t)
  const told = await Promise.all(Array.from({ length: 9 }, () => correction.learn(review())))
  t.equal(told.filter(Boolean).length, LESSONS_PER_ACCOUNT_AND_DAY)
  t.equal(await correction.learn(review({ accountId: 'acc_2' })), true)
  clock.advance(DAY)
  t.equal(await correction.learn(review()), true, 'the next day it has room again')
})

t.test('however much is approved, the shift has a bound', async (t) => {
  const { clock, correction, review } = await setting(t)
  for (let day = 0; day < 20; day++) {
    for (let i = 0; i < 5; i++) await correction.learn(review())
    clock.advance(DAY)
  }
  t.ok(correction.adjust(0, FIGURES) >= -MAX_SHIFT)
  t.ok(correction.summary().strongest <= 0.25)
})

t.test('a lesson that is half a year old is gone with the next', async (t) => {
  const { clock, correction, review } = await setting(t)
  const old = review()
  await correction.learn(old)
  clock.advance(180 * DAY)
  t.equal(await correction.learn({ ...old, messageId: 'msg_late' }), false, 'nor is it learnt any more')
  await correction.learn(review({ subject: OTHER }))
  t.match(correction.summary(), { approvals: 1, newest: clock.now(), oldest: clock.now() })
})

t.test(
  'a lesson that is half a year old is gone at the next start, also where nothing is learnt any more',
  async (t) => {
    const { clock, store, correction, review } = await setting(t)
    await correction.learn(review())
    clock.advance(100 * DAY)
    await correction.learn(review({ subject: OTHER, decision: 'reject' }))
    clock.advance(80 * DAY)
    t.equal(await countLessons(store), 2)
    const again = await opened(t, { store, clock, isOn: false, onError })
    t.equal(await countLessons(store), 1)
    t.match(again.summary(), { approvals: 0, rejections: 1 })
  },
)

t.test('no word, no address and no id is stored', async (t) => {
  const { store, correction, review } = await setting(t)
  await correction.learn(review({ messageId: 'msg_secret', accountId: 'acc_secret' }))
  const stored = await store.read('guard', (view) => view.range({ gte: key(), lt: Buffer.of(0xff) }))
  t.equal(stored.length, 2)
  const all = stored.map(([row, value]) => `${Buffer.from(row).toString()} ${Buffer.from(value).toString()}`).join('\n')
  for (const word of ['secret', 'figures', 'warehouse', 'hamburg']) t.notMatch(all.toLowerCase(), word)
})

t.test('another installation puts the same words elsewhere', async (t) => {
  t.notSame(placesOf('wire the money', [], 1), placesOf('wire the money', [], 2))
})

t.test('what another version has learnt is begun anew', async (t) => {
  const { clock, store, correction, review } = await setting(t)
  await correction.learn(review())
  await store.write('guard', (tx) => tx.put(key('correction'), encode({ version: 99, salt: '00' })))
  const again = await opened(t, { store, clock, isOn: true, onError })
  t.match(again.summary(), { approvals: 0 })
  t.equal(await again.learn(review()), true)
})

const anyLesson: fc.Arbitrary<Lesson> = fc.record({
  decision: fc.constantFrom('approve' as const, 'reject' as const),
  places: fc.uniqueArray(fc.nat(PLACES - 1), { maxLength: 60 }),
  at: fc.integer({ min: 0, max: 400 }).map((days) => days * DAY),
})
const anyPlaces = fc.uniqueArray(fc.nat(PLACES - 1), { maxLength: 60 })

t.test('no lessons in any order shift a message by more than the bound', async () => {
  fc.assert(
    fc.property(fc.array(anyLesson, { maxLength: 60 }), anyPlaces, fc.nat(800), (lessons, places, days) => {
      const weights = createWeights()
      for (const lesson of lessons) weights.add(lesson)
      const shift = weights.shift(places, days * DAY)
      if (!(Math.abs(shift) <= MAX_SHIFT)) throw new Error(`${shift}`)
      if (!(weights.strongest(days * DAY) <= 0.25)) throw new Error('a weight is over its bound')
    }),
  )
})

t.test('a lesson that is taken back leaves nothing', async () => {
  fc.assert(
    fc.property(fc.array(anyLesson, { maxLength: 20 }), anyLesson, anyPlaces, (lessons, one, places) => {
      const [without, taken] = [createWeights(), createWeights()]
      for (const lesson of lessons) without.add(lesson)
      taken.add(one)
      for (const lesson of lessons) taken.add(lesson)
      taken.add(one, -1)
      const now = 400 * DAY
      if (Math.abs(without.shift(places, now) - taken.shift(places, now)) > 1e-6) throw new Error('something is left')
    }),
  )
})

t.test('approving never adds risk, rejecting never takes any', async () => {
  fc.assert(
    fc.property(fc.array(anyLesson, { maxLength: 20 }), anyPlaces, (lessons, places) => {
      for (const decision of ['approve', 'reject'] as const) {
        const weights = createWeights()
        for (const lesson of lessons) weights.add({ ...lesson, decision })
        const shift = weights.shift(places, 400 * DAY)
        if (decision === 'approve' ? shift > 0 : shift < 0) throw new Error(`${decision} ${shift}`)
      }
    }),
  )
})
