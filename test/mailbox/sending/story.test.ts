/** The account's story as its mail makes it: in the commit of each send, on every engine, from several nodes. */
import t from 'tap'
import { STORY, unpackStory } from '../../../src/accounts/story.js'
import { accountPartition } from '../../../src/accounts/record.js'
import { loadModel } from '../../../src/guard/model/model.js'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import type { Engine } from '../../../src/store/engine.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { BY, reviewIn } from '../review/world.js'
import { dryRun, letter, makeWorld, onEveryEngine, present, SEND, type World } from '../world.js'

const guard = createGuard({ model: loadModel() })
const NOTE =
  'Hello, here is what we spoke about. The numbers are the same as before, and the report is at https://own.example/r/1'
const OFFER =
  'Hello, our new programme for teams is open now, and the places are few. Have a look: https://offers.example/p/2'

const to = (address: string) => ({ to: [{ address, name: '' }] })

/** Ten mails to one person within a week. */
async function past(world: World): Promise<void> {
  world.guard.real = guard
  for (let n = 0; n < 10; n++) {
    const { status } = await world.send({ subject: `Report ${n}`, text: NOTE })
    if (status !== 'queued') throw new Error(`it is ${status}`)
    world.clock.advance(16 * HOUR)
  }
}

const story = async ({ store, account }: World) =>
  unpackStory(present(await store.read(accountPartition(account.id), (view) => view.get(STORY))))

onEveryEngine('a burst of links to strangers after weeks of silence is held, with its reasons', async (t, world) => {
  await past(world)
  world.clock.advance(21 * DAY)
  const sent = []
  for (let n = 0; n < 32; n++) {
    sent.push(await world.send({ ...to(`stranger-${n}@example.net`), subject: 'Our programme', text: OFFER }))
    world.clock.advance(MINUTE)
  }
  t.equal(sent[0]?.status, 'queued')
  const last = present(sent.at(-1))
  t.equal(last.status, 'held')
  const { check } = await world.mailboxes.reading.message(world.id, last.id)
  t.same(
    check?.reasons.map(({ code }) => code),
    ['burst', 'first_contact_with_link', 'unusual_links', 'story'],
  )
  t.match(check, { decision: 'hold', category: 'bulk' })
  t.match(
    check?.reasons[0]?.detail,
    /^about \d\d new recipients within the last two hours, after 21 days without mail; usually about 0 a week$/,
  )
  t.match(check?.reasons[1]?.detail, '"offers.example"')
  const dry = dryRun(
    await world.mailboxes.sending.send(
      world.id,
      letter({ ...to('one-more@example.net'), subject: 'Our programme', text: OFFER }),
      { dryRun: true },
    ),
  )
  t.match(dry, { decision: 'hold' }, 'a dry run says so too')
  t.equal((await world.send({ subject: 'Report 11', text: NOTE })).status, 'queued', 'what is usual still goes')

  const known = (await story(world)).sent
  await reviewIn(world).reviewing.approve(last.id, BY)
  t.equal((await story(world)).sent, known + 1, 'what staff let go is what it sends')
})

onEveryEngine(
  'a message counts once: not when refused, tried out, repeated or sent to the simulator',
  async (t, world) => {
    world.guard.verdict = SEND
    await world.send({ text: NOTE }, 'a key')
    const before = await story(world)
    await world.send({ text: NOTE }, 'a key')
    await world.mailboxes.sending.send(world.id, letter({ text: NOTE }), { dryRun: true })
    await world.send(to('delivered@simulator.agents.example'))
    world.recipients.refusal = new Error('no')
    await t.rejects(world.send({ text: NOTE }))
    t.same(await story(world), before)
    t.match(before, { sent: 1, days: 1, hours: [1, 1], day: [1, 1], usual: [1, 1, 1, 1, 0, 1] })
  },
)

onEveryEngine('a held message is counted in the burst, and makes nothing usual', async (t, world) => {
  world.guard.verdict = { ...SEND, decision: 'hold' }
  await world.send({ text: NOTE })
  t.match(await story(world), { sent: 0, hours: [1, 1], usual: [0, 0, 0, 0, 0, 0], hosts: [] })
})

onEveryEngine('a scheduled message is measured and counted when it leaves', async (t, world) => {
  await past(world)
  const before = await story(world)
  const later = world.clock.now() + 21 * DAY
  const { id } = await world.send({ ...to('new@example.net'), text: OFFER, sendAt: later })
  t.same(await story(world), before)
  world.clock.advance(21 * DAY)
  t.equal(await world.mailboxes.outbound.runScheduled(world.id, id), 'done')
  t.equal((await story(world)).sent, before.sent + 1)
  t.match(world.guard.asked.at(-1)?.story, { newHosts: ['offers.example'] })
  const { check } = await world.mailboxes.reading.message(world.id, id)
  t.match(check?.reasons, [{ code: 'first_contact_with_link' }, { code: 'unusual_links' }])
})

t.test('two nodes tell one story', async (t) => {
  const engine = memoryEngine({ conflicts: 0.2, lateness: 0 })
  const store = createStore(engine)
  t.teardown(() => store.close())
  const one = await makeWorld(t, store)
  await past(one)
  const two = await makeWorld(t, createStore(engine), one)
  one.clock.advance(21 * DAY)
  const statuses: string[] = []
  for (let n = 0; n < 16; n++) {
    const each = await Promise.all(
      [one, two].map((world, node) =>
        world.send({ ...to(`stranger-${node}-${n}@example.net`), subject: 'Our programme', text: OFFER }),
      ),
    )
    statuses.push(...each.map(({ status }) => status))
    one.clock.advance(2 * MINUTE)
  }
  t.equal(statuses.at(-1), 'held', 'though each has sent only half of it')
  t.ok(statuses.indexOf('held') >= 8, `first held: ${statuses.indexOf('held')}`)
  const { hours } = await story(two)
  t.ok(hours[1] > 24, `${hours[1]}`)
})

t.test('the story costs a send one row written, and is read with other rows', async (t) => {
  const engine = memoryEngine({ conflicts: 0, lateness: 0 })
  const isStory = (row: Uint8Array): boolean => Buffer.compare(row, STORY) === 0
  const counts = { commits: 0, written: 0, alone: 0, withOthers: 0 }
  const counting: Engine = {
    ...engine,
    async commit(checks, ops, mark) {
      counts.commits++
      counts.written += ops.filter(({ key }) => isStory(key)).length
      return engine.commit(checks, ops, mark)
    },
    read: (fn) =>
      engine.read((reader) =>
        fn({
          ...reader,
          getMany(partition, keys) {
            if (keys.some(isStory)) counts[keys.length > 1 ? 'withOthers' : 'alone']++
            return reader.getMany(partition, keys)
          },
        }),
      ),
  }
  const store = createStore(counting)
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  await world.send({ text: NOTE })
  Object.assign(counts, { commits: 0, written: 0, alone: 0, withOthers: 0 })
  await world.send({ text: NOTE })
  t.same(
    { commits: counts.commits, written: counts.written, alone: counts.alone },
    { commits: 1, written: 1, alone: 0 },
  )
  t.ok(counts.withOthers <= 2, 'before the commit and in it')
  t.ok(counts.withOthers > 0)
})
