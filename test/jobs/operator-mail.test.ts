/** What the operator is written to of: the first at once, others gathered, none lost or repeated by a crash. */
import t, { type Test } from 'tap'
import type { Letter } from '../../src/accounts/letters.js'
import { startOperatorMail } from '../../src/jobs/operator-mail.js'
import { DAY, HOUR, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'

async function setting(t: Test) {
  const store = createStore(memoryEngine({ conflicts: 0.1 }))
  const clock = new ManualClock()
  const sent = new Map<string, Letter>()
  const waiting: { count: number; resolve: () => void }[] = []
  let failing = 0
  let hasFailed = (): void => undefined
  const letters = {
    async post(id: string, letter: Letter) {
      if (failing > 0) {
        failing--
        hasFailed()
        throw new Error('disk')
      }
      // As the letters do: one that was posted stays as it was.
      if (!sent.has(id)) sent.set(id, letter)
      for (const each of waiting) if (sent.size >= each.count) each.resolve()
    },
  }
  const start = async () => {
    const queue = createWorkQueue({ store, clock })
    const { log } = captureLog()
    const mail = await startOperatorMail({
      store,
      queue,
      clock,
      letters,
      to: 'op@example.org',
      baseUrl: 'https://mx.test',
      log,
    })
    return { queue, mail }
  }
  t.teardown(() => store.close())
  return {
    store,
    clock,
    start,
    /** The next letter can't be posted. Resolves once that was tried. */
    fail: () => {
      failing = 1
      return new Promise<void>((resolve) => (hasFailed = resolve))
    },
    texts: () => [...sent.values()].map(({ parts }) => JSON.stringify(parts)),
    subjects: () => [...sent.values()].map(({ subject }) => subject),
    /** Resolves once so many letters were posted. */
    sent: (count: number) =>
      sent.size >= count ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push({ count, resolve })),
  }
}

t.test('the first goes at once, what follows within the hour goes as one letter', async (t) => {
  const world = await setting(t)
  const { queue, mail } = await world.start()
  await mail.tell({ id: 'suspended:acc_1', text: 'acc_1 is suspended' })
  queue.poke()
  await world.sent(1)
  t.match(world.texts()[0], 'acc_1 is suspended')
  for (const name of ['acc_2', 'acc_3', 'acc_3'])
    await mail.tell({ id: `suspended:${name}`, text: `${name} is suspended` })
  await mail.tell({ id: 'suspended:acc_1', text: 'acc_1 is suspended' })
  queue.poke()
  world.clock.advance(59 * MINUTE)
  queue.poke()
  t.equal(world.subjects().length, 1, 'not within the hour')
  world.clock.advance(2 * MINUTE)
  queue.poke()
  await world.sent(2)
  t.same(world.subjects(), ['mx.test: something needs you', 'mx.test: 2 things need you'])
  t.notMatch(world.texts()[1], 'acc_1', 'told once')
  await mail.stop()
})

t.test('a crash at any step sends it once, with what it had', async (t) => {
  const world = await setting(t)
  const failed = world.fail()
  const first = await world.start()
  await first.mail.tell({ id: 'backup:1', text: 'the backup failed' })
  first.queue.poke()
  await failed
  await first.mail.stop()
  world.clock.advance(2 * HOUR)
  const second = await world.start()
  second.queue.poke()
  await world.sent(1)
  t.match(world.texts()[0], 'the backup failed')
  await second.mail.stop()

  const third = await world.start()
  world.clock.advance(2 * HOUR)
  third.queue.poke()
  await third.mail.tell({ id: 'disk:1', text: 'the disk is nearly full' })
  third.queue.poke()
  await world.sent(2)
  t.notMatch(world.texts()[1], 'backup')
  await third.mail.stop()
})

t.test('a notice is forgotten a week later, and what comes in floods is counted', async (t) => {
  const world = await setting(t)
  const { queue, mail } = await world.start()
  await mail.tell({ id: 'n0', text: 'notice 0' })
  await world.sent(1)
  for (let i = 1; i < 503; i++) await mail.tell({ id: `n${i}`, text: `notice ${i}` })
  world.clock.advance(HOUR + MINUTE)
  queue.poke()
  await world.sent(2)
  t.match(world.subjects()[1], /499 things/)
  t.match(world.texts()[1], '3 more were left out')
  await mail.tell({ id: 'late', text: 'no room' })
  world.clock.advance(8 * DAY)
  queue.poke()
  await mail.stop()
  t.equal(world.subjects().length, 2)
})
