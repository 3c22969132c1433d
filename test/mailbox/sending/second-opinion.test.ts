/** What a sender sees of a message about which others are asked, and what is left of it after a crash. */
import t, { type Test } from 'tap'
import type { Guard, GuardVerdict, RawMessage } from '../../../src/guard/types.js'
import { createStore } from '../../../src/store/store.js'
import { ENGINES } from '../../store/engines.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { settle } from '../lives.js'
import { dryRun, eventsOf, letter, makeWorld, onEveryEngine, SEND, tasksOf, type World } from '../world.js'

const DOUBTFUL: GuardVerdict = { ...SEND, scores: { legitimate: 0.7, spam: 0.3 } }
const HELD: GuardVerdict = {
  category: 'phishing',
  scores: { legitimate: 0.1, phishing: 0.9 },
  decision: 'hold',
  reasons: [{ code: 'second_opinion', detail: 'other calls it phishing' }],
}
const isDoubtful: Guard['isDoubtful'] = ({ decision, scores }) => decision === 'send' && (scores.spam ?? 0) > 0.2

/** The guard of the world asks others from now on. */
function others(world: World, answer: (verdict: GuardVerdict) => GuardVerdict | Error) {
  const asked: { text: string; raw: string; message: RawMessage | undefined }[] = []
  world.guard.verdict = DOUBTFUL
  world.guard.others = {
    isDoubtful,
    async ask(subject, verdict, message) {
      asked.push({ text: subject.text, raw: String(await message?.read()), message })
      const said = answer(verdict)
      if (said instanceof Error) throw said
      return said
    },
  }
  return asked
}

const statuses = async (world: World, messageId: string): Promise<unknown[]> =>
  (await eventsOf(world)).filter(({ data }) => data.message_id === messageId).map(({ data }) => data.status)

onEveryEngine(
  'a message of which the classifier is not sure is checking until others have spoken',
  async (t, world) => {
    const asked = others(world, () => HELD)
    const sent = await world.send({ text: 'Good evening.' }, 'key')
    t.equal(sent.status, 'checking')
    t.same(asked, [], 'nobody waited for them')
    t.match(await world.mailboxes.reading.message(world.id, sent.id), { status: 'checking', check: null })
    t.same(await tasksOf(world, 'check'), [sent.id])
    t.same(await tasksOf(world, 'relay'), [])
    t.same(await world.send({ text: 'Good evening.' }, 'key'), sent, 'a retry has the same answer')

    await world.mailboxes.outbound.runCheck(world.id, sent.id)
    t.match(asked, [{ text: /Good evening/, raw: /^(.|\r\n)*Good evening/, message: { from: 'agent@agents.example' } }])
    t.match(await world.mailboxes.reading.message(world.id, sent.id), {
      status: 'held',
      check: { decision: 'hold', category: 'phishing', reasons: HELD.reasons, reviewed_by: null },
    })
    t.same(await tasksOf(world, 'relay'), [])
    t.same(await statuses(world, sent.id), ['checking', 'held'])
    await world.mailboxes.outbound.runCheck(world.id, sent.id)
    t.equal(asked.length, 1, 'what is decided is not asked again')
  },
)

onEveryEngine('what others have nothing against goes, with all reasons', async (t, world) => {
  const reason = { code: 'second_opinion_unavailable', detail: 'other did not respond' }
  others(world, (verdict) => ({ ...verdict, reasons: [...verdict.reasons, reason] }))
  const sent = await world.send()
  await world.mailboxes.outbound.runCheck(world.id, sent.id)
  t.match(await world.mailboxes.reading.message(world.id, sent.id), {
    status: 'queued',
    check: { decision: 'send', scores: DOUBTFUL.scores, reasons: [...DOUBTFUL.reasons, reason] },
  })
  t.same(await tasksOf(world, 'relay'), [`${sent.id}:example.org`])
  t.same(await statuses(world, sent.id), ['checking', 'queued'])
})

onEveryEngine(
  'the first verdict stands when others fail, have become milder, or are not asked any more',
  async (t, world) => {
    for (const answer of [new Error('broken'), undefined]) {
      others(world, (verdict) => answer ?? verdict)
      const sent = await world.send()
      if (answer === undefined) world.guard.others = {}
      world.guard.verdict = new Error('the classifier is not asked again')
      await world.mailboxes.outbound.runCheck(world.id, sent.id)
      t.match(await world.mailboxes.reading.message(world.id, sent.id), {
        status: 'queued',
        check: { scores: DOUBTFUL.scores, reasons: DOUBTFUL.reasons },
      })
    }
  },
)

onEveryEngine('an account that was suspended meanwhile sends nothing', async (t, world) => {
  others(world, (verdict) => verdict)
  const sent = await world.send()
  world.account.status = 'suspended'
  await world.mailboxes.outbound.runCheck(world.id, sent.id)
  t.match(await world.mailboxes.reading.message(world.id, sent.id), {
    status: 'held',
    check: { reasons: [{ code: 'account_stopped' }] },
  })
})

onEveryEngine('nobody is asked about what is certain, held by the classifier or blocked', async (t, world) => {
  const asked = others(world, () => HELD)
  for (const [verdict, status] of [
    [SEND, 'queued'],
    [{ ...DOUBTFUL, decision: 'hold' as const }, 'held'],
    [{ ...DOUBTFUL, decision: 'block' as const }, 'blocked'],
  ] as const) {
    world.guard.verdict = verdict
    const sent = await world.send()
    t.equal(sent.status, status)
    t.same(await statuses(world, sent.id), ['checking', status])
  }
  t.same(await tasksOf(world, 'check'), [])
  t.same(asked, [])
})

onEveryEngine('a dry run asks nobody, and says that others would be asked', async (t, world) => {
  const asked = others(world, () => HELD)
  const answer = dryRun(await world.mailboxes.sending.send(world.id, letter(), { dryRun: true }))
  t.match(answer, { decision: 'send', reasons: [...DOUBTFUL.reasons, { code: 'second_opinion_pending' }] })
  t.same(asked, [])
})

onEveryEngine('a large message is read from where it lies', async (t, world) => {
  const asked = others(world, (verdict) => verdict)
  const sent = await world.send({ text: 'word '.repeat(20_000) })
  await world.mailboxes.outbound.runCheck(world.id, sent.id)
  t.ok((asked[0]?.raw.length ?? 0) > 100_000)
})

const TO = ['ada@example.org', 'eve@example.net'].map((address) => ({ address, name: '' }))

/** What others say the first time, and after a restart. */
const WORDS: [string, GuardVerdict[], 'delivered' | 'held'][] = [
  ['goes', [DOUBTFUL, DOUBTFUL], 'delivered'],
  ['is held', [HELD, HELD], 'held'],
  ['is held by those who let it go before', [DOUBTFUL, HELD], 'held'],
]

for (const { name, open } of ENGINES) {
  for (const moment of ['before', 'after'] as const) {
    for (const [what, [first = DOUBTFUL, second = DOUBTFUL], end] of WORDS) {
      t.test(`a message that ${what} outlives a crash ${moment} any commit, once (${name})`, async (t) => {
        let crashes = 0
        for (let at = 1; ; at++) {
          const died = await crashAt(t, at, { open, moment, first, second, end })
          if (!died) break
          crashes++
        }
        t.equal(crashes, 2, 'the send is one commit, and what follows from the answer is one')
      })
    }
  }
}

interface Crash {
  open: (typeof ENGINES)[number]['open']
  moment: 'before' | 'after'
  first: GuardVerdict
  second: GuardVerdict
  end: 'delivered' | 'held'
}

/** @returns whether there was so much to commit */
async function crashAt(t: Test, at: number, { open, moment, first, second, end }: Crash): Promise<boolean> {
  const ends: (() => Promise<void>)[] = []
  const engine = open({ testdir: () => t.testdir(), teardown: (fn) => void ends.push(fn) })
  const process = mortal(engine, at, moment)
  const firstLife = await makeWorld(t, createStore(process.engine))
  others(firstLife, () => first)
  process.arm()
  const sent = await firstLife.send({ to: TO }, 'key').catch(() => undefined)
  if (sent) await firstLife.mailboxes.outbound.runCheck(firstLife.id, sent.id).catch(() => undefined)
  const died = process.died()

  const world = await makeWorld(t, createStore(engine), firstLife)
  others(world, () => second)
  const answer = await world.send({ to: TO }, 'key')
  const relayed = await settle(world)
  const { status } = await world.mailboxes.reading.message(world.id, answer.id)
  // What the first life had decided stands.
  const isDecided = sent !== undefined && (await statuses(world, answer.id))[1] === 'queued'
  const expected = isDecided && first.decision === 'send' ? 'delivered' : end
  t.equal(status, expected, `crash at commit ${at}`)
  const domains = expected === 'delivered' ? [`${answer.id}:example.net`, `${answer.id}:example.org`] : []
  t.same(relayed.sort(), domains)
  t.equal((await world.record()).messageCount, 1)
  const all = await statuses(world, answer.id)
  t.same(all.slice(0, 2), ['checking', expected === 'delivered' ? 'queued' : 'held'])
  if (expected === 'held') t.equal(all.length, 2, 'told once')
  t.same([...(await tasksOf(world, 'check')), ...(await tasksOf(world, 'relay'))], [], 'nothing is left over')
  for (const close of ends) await close()
  return died
}
