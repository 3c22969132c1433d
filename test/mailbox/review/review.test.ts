/** People decide about what the guard held or blocked; on every engine, two at once, and with a process that dies at every commit. */
import t from 'tap'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import { eraseReviews } from '../../../src/mailbox/review/upkeep.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { createStore } from '../../../src/store/store.js'
import { walkPartition } from '../../../src/ops/verify/walk.js'
import { ENGINES } from '../../store/engines.js'
import { BOB, BY, HELD_BY_GUARD, reviewIn } from './world.js'
import { counted } from '../../support/store/counted-engine.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { eventsOf, letter, makeWorld, onEveryEngine, SEND, tasksOf, uncheck, type World } from '../world.js'

const going = (): AbortSignal => new AbortController().signal
const held = async (world: World, subject = 'A letter') => {
  world.guard.verdict = HELD_BY_GUARD
  const message = await world.send({ subject })
  world.guard.verdict = SEND
  return message
}
const blocked = async (world: World) => {
  world.guard.verdict = { ...HELD_BY_GUARD, decision: 'block' }
  const message = await world.send()
  world.guard.verdict = SEND
  return message
}

onEveryEngine('staff see what waits in all mailboxes, the longest waiting first, page by page', async (t, world) => {
  const { reviewing } = reviewIn(world)
  t.same(await reviewing.list({ status: 'held', limit: 10 }), {
    data: [],
    has_more: false,
    next_cursor: null,
    counts: { held: 0, blocked: 0 },
  })
  t.equal(await reviewing.oldest(), undefined)
  const first = await held(world, 'First')
  const at = world.clock.now()
  world.clock.advance(1000)
  const other = await world.addMailbox('other')
  world.guard.verdict = HELD_BY_GUARD
  const second = await world.mailboxes.sending.send(other, letter({ subject: 'Second' }), {})
  const { id: third } = await blocked(world)
  await world.send({ subject: 'Sent' })

  const page = await reviewing.list({ status: 'held', limit: 1 })
  t.match(page, {
    data: [
      {
        id: first.id,
        status: 'held',
        subject: 'First',
        category: 'scam',
        to: ['ada@example.org'],
        sender: { address: 'agent@agents.example', account_id: world.account.id },
        reasons: [{ code: 'urgent_words' }],
      },
    ],
    has_more: true,
    counts: { held: 2, blocked: 1 },
  })
  const rest = await reviewing.list({ status: 'held', limit: 1, cursor: page.next_cursor ?? '' })
  t.match(rest, { data: [{ subject: 'Second', sender: { mailbox_id: other } }], has_more: false })
  t.ok('id' in second)
  t.match(await reviewing.list({ status: 'blocked', limit: 10 }), { data: [{ id: third }] })
  t.equal(await reviewing.oldest(), at)
  await t.rejects(reviewing.list({ status: 'held', limit: 1, cursor: 'x' }), { code: 'invalid_request' })
})

onEveryEngine('an approved message goes out, and says that staff looked but not who', async (t, world) => {
  const { reviewing, told } = reviewIn(world)
  const { id } = await held(world)
  t.same(await world.recipients.known(), [])
  const before = (await world.record()).seq
  const outcome = await reviewing.approve(id, BY)
  t.match(outcome, { message_id: id, status: 'queued', is_first: true, decision: 'approve', by: BY.by, left_out: [] })
  t.same(await tasksOf(world, 'relay'), [`${id}:example.org`])
  t.same(await world.recipients.known(), ['ada@example.org'], 'its new recipients are counted again')
  const message = await world.mailboxes.reading.message(world.id, id)
  t.match(message, { status: 'queued', check: { decision: 'hold', reviewed_by: 'staff', reviewed_at: outcome.at } })
  t.match(await eventsOf(world, before), [
    { type: 'message.status', data: { message_id: id, status: 'queued', check: { reviewed_by: 'staff' } } },
  ])
  t.notMatch(JSON.stringify([message, await eventsOf(world)]), 'amy@')
  t.match(await reviewing.counts(), { held: 0 })
  t.same(await world.mailboxes.reading.held(world.id, 10), [])
  t.match(told, [{ messageId: id, decision: 'approve', by: BY.by, verdict: { decision: 'hold', category: 'scam' } }])
  t.equal(told[0]?.subject.subject, 'A letter')
  t.match(await reviewing.log({ limit: 10 }), {
    data: [{ decision: 'approve', by: BY.by, message_id: id, codes: ['urgent_words'], guard_decision: 'hold' }],
    has_more: false,
  })
})

onEveryEngine('what was blocked, deleted and restored within its time waits for a person again', async (t, world) => {
  const { mailboxes, id: mailboxId, store, queue, clock } = world
  const { reviewing } = reviewIn(world)
  const { id } = await blocked(world)
  await mailboxes.trash.deleteMessage(mailboxId, id)
  t.match(await reviewing.list({ status: 'blocked', limit: 10 }), { data: [] })
  await reviewing.sweep(going())
  await mailboxes.trash.restoreMessage(mailboxId, id)
  t.match(await reviewing.list({ status: 'blocked', limit: 10 }), { data: [{ id }], counts: { blocked: 1 } })
  const faults = async () => {
    const found: unknown[] = []
    const deps = { store, queue, now: clock.now(), report: (...finding: unknown[]) => found.push(finding) }
    await walkPartition(deps, mailboxPartition(mailboxId))
    return found
  }
  t.same(await faults(), [])
  await mailboxes.trash.deleteMessage(mailboxId, id)
  clock.advance(6 * DAY)
  await mailboxes.trash.restoreMessage(mailboxId, id)
  clock.advance(2 * DAY)
  await reviewing.sweep(going())
  t.match(await reviewing.list({ status: 'blocked', limit: 10 }), { data: [], counts: { blocked: 0 } })
  t.same(await faults(), [], 'its time is over, whenever it was restored')
})

onEveryEngine('a rejected message stays, blocked, and its sender reads why', async (t, world) => {
  const { reviewing, told } = reviewIn(world)
  const { id } = await held(world)
  const before = (await world.record()).seq
  t.match(await reviewing.reject(id, { ...BY, note: 'Nobody asked for this' }), { status: 'blocked', is_first: true })
  t.match(await world.mailboxes.reading.message(world.id, id), {
    status: 'blocked',
    check: { reviewed_by: 'staff', reasons: [{ code: 'rejected_by_staff', detail: 'Nobody asked for this' }, {}] },
  })
  t.match(await eventsOf(world, before), [{ data: { status: 'blocked' } }])
  t.same(await tasksOf(world, 'relay'), [])
  t.match(told, [{ decision: 'reject', verdict: { reasons: HELD_BY_GUARD.reasons } }])
  t.match(await reviewing.counts(), { held: 0, blocked: 0 })
  await t.rejects(reviewing.reject((await held(world)).id, { ...BY, note: 'two\nlines' }), { code: 'invalid_request' })
  await t.rejects(reviewing.reject((await held(world)).id, { by: '' }), { code: 'invalid_request' })
})

onEveryEngine('of two who decide at once one is first, and the other is told who', async (t, world) => {
  const { reviewing, told } = reviewIn(world)
  const { id } = await held(world)
  const [one, two] = await Promise.all([reviewing.approve(id, BY), reviewing.reject(id, BOB)])
  const [first, second] = one.is_first ? [one, two] : [two, one]
  t.ok(first.is_first)
  t.same({ ...second, is_first: true }, first)
  t.equal(told.length, 1)
  const { status } = await world.mailboxes.reading.message(world.id, id)
  t.equal(status, first.decision === 'approve' ? 'queued' : 'blocked')
  const later = await reviewing.approve(id, { by: 'carol@staff.example' })
  t.match(later, { is_first: false, decision: first.decision, by: first.by, at: first.at })
  t.equal((await reviewing.log({ limit: 10 })).data.length, 1)
})

onEveryEngine('what was blocked wrongly can be let go for 7 days', async (t, world) => {
  const { reviewing } = reviewIn(world)
  const [wrong, right, old] = [await blocked(world), await blocked(world), await blocked(world)]
  t.match(await reviewing.approve(wrong.id, BY), { status: 'queued', is_first: true })
  t.same(await tasksOf(world, 'relay'), [`${wrong.id}:example.org`])
  const before = (await world.record()).seq
  t.match(await reviewing.reject(right.id, BY), { status: 'blocked', is_first: true })
  t.match(await eventsOf(world, before), [{ data: { status: 'blocked', check: { reviewed_by: 'staff' } } }])
  t.match(await reviewing.approve(right.id, BOB), { is_first: false, decision: 'reject' }, 'a person’s word stands')

  world.clock.advance(7 * DAY)
  t.match(await reviewing.read(old.id), { obstacle: 'It was blocked more than 7 days ago.' })
  await t.rejects(reviewing.approve(old.id, BY), { code: 'invalid_request' })
  t.same((await reviewing.list({ status: 'blocked', limit: 10 })).data, [])
  await reviewing.sweep(going())
  t.match(await reviewing.counts(), { blocked: 0 })
})

onEveryEngine('nothing is approved for an account that may not send', async (t, world) => {
  const { reviewing, suspended } = reviewIn(world)
  const [one, two, three] = [await held(world), await held(world), await held(world)]
  world.account.status = 'deletion_pending'
  await t.rejects(reviewing.approve(one.id, BY), { code: 'account_deletion_pending' })
  t.match(await reviewing.read(one.id), { obstacle: 'The account of its sender is about to be deleted.' })
  world.account.status = 'suspended'
  await t.rejects(reviewing.approve(one.id, BY), { code: 'account_suspended', hint: /account reinstate acc_/ })
  t.equal((await world.mailboxes.reading.message(world.id, one.id)).status, 'held')
  world.account.status = 'active'
  t.match(await reviewing.suspend(one.id, { ...BY, reason: 'Phishing' }), {
    status: 'blocked',
    is_first: true,
    decision: 'suspend',
    account_suspended: true,
  })
  t.same(suspended, ['Phishing'])
  t.notMatch((await world.mailboxes.reading.message(world.id, one.id)).check?.reasons, [{ detail: 'Phishing' }])
  await reviewing.reject(two.id, BOB)
  t.match(await reviewing.suspend(two.id, { ...BY, reason: 'Again' }), { is_first: false, account_suspended: true })
  world.account.status = 'active'
  await reviewing.approve(three.id, BOB)
  t.match(await reviewing.suspend(three.id, { ...BY, reason: 'Late' }), {
    decision: 'approve',
    account_suspended: false,
  })
  t.same(suspended, ['Phishing', 'Again'], 'a message that was approved is no reason any more')
  t.same(
    (await reviewing.log({ limit: 10 })).data.map(({ decision, by }) => `${decision} ${by}`),
    [`approve ${BOB.by}`, `suspend ${BY.by}`, `reject ${BOB.by}`, `suspend ${BY.by}`],
  )
})

onEveryEngine('recipients who do not want mail any more are left out of an approved message', async (t, world) => {
  const { reviewing } = reviewIn(world)
  world.guard.verdict = HELD_BY_GUARD
  const to = ['ada@example.org', 'bob@example.net'].map((address) => ({ address, name: '' }))
  const [both, none] = [await world.send({ to }), await world.send()]
  world.suppressed.push({ address: 'ada@example.org', reason: 'complaint', messageId: 'msg_1', detail: '' })
  t.match(await reviewing.approve(both.id, BY), { left_out: [{ address: 'ada@example.org', why: /suppression list/ }] })
  t.same(await tasksOf(world, 'relay'), [`${both.id}:example.net`])
  t.match(await world.mailboxes.reading.message(world.id, both.id), {
    status: 'queued',
    recipients: [{ status: 'bounced', detail: /suppression list/ }, { status: 'queued' }],
  })
  await t.rejects(reviewing.approve(none.id, BY), { code: 'recipient_suppressed' })
})

onEveryEngine('an approval says that a rule of the operator holds the message', async (t, world) => {
  const { reviewing, rules } = reviewIn(world)
  rules.set(world.id, 'mailbox agent@agents.example')
  t.match(await reviewing.approve((await held(world)).id, BY), { held_by: 'mailbox agent@agents.example' })
})

onEveryEngine('what the simulator holds and what a thread’s rate holds is reviewed as all else', async (t, world) => {
  const { reviewing } = reviewIn(world)
  const to = (name: string) => [{ address: `${name}@simulator.agents.example`, name: '' }]
  const { id, status } = await world.send({ to: to('hold') })
  t.equal(status, 'held')
  t.equal((await world.send({ to: to('block') })).status, 'blocked')
  t.match(await reviewing.counts(), { held: 1, blocked: 1 })
  t.match(await reviewing.approve(id, BY), { status: 'queued' })
  t.same(await tasksOf(world, 'relay'), [`${id}:simulator.agents.example`])
})

onEveryEngine('a message shows what gave it away, its sender, and all that it holds', async (t, world) => {
  const { reviewing } = reviewIn(world)
  world.guard.verdict = HELD_BY_GUARD
  const { id } = await world.send({
    subject: 'Your account',
    text: 'Hello.',
    html: '<p>Please <a href="https://evil.example/x">verify your account</a></p><img src="https://evil.example/pixel">',
    bcc: [{ address: 'eve@example.net', name: '' }],
    attachments: [{ filename: 'bill.pdf.exe', contentType: 'application/pdf', content: Buffer.from('MZ') }],
  })
  const details = await reviewing.read(id)
  t.match(details, {
    text: /Hello/,
    html_text: /Please verify your account/,
    links: [{ text: 'verify your account', target: 'https://evil.example/x' }],
    attachments: [{ filename: 'bill.pdf.exe' }],
    recipients: [{ is_blind_copy: false }, { address: 'eve@example.net', is_blind_copy: true }],
    sender: { status: 'active', trust_level: 0, sent: 0 },
    guard_decision: 'hold',
    scores: { scam: 0.7 },
    decided: null,
    obstacle: null,
  })
  await reviewing.reject(id, BY)
  t.match(await reviewing.read(id), {
    decided: { decision: 'reject', by: BY.by },
    obstacle: 'It was already reviewed.',
  })
  for (const nothing of ['msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R2', 'x', ''])
    await t.rejects(reviewing.read(nothing), { code: 'not_found' })
})

onEveryEngine('a message that an earlier version was still checking is entered when it is held', async (t, world) => {
  const { reviewing } = reviewIn(world)
  const { id } = await world.send()
  await uncheck(world, id)
  world.guard.verdict = HELD_BY_GUARD
  await world.mailboxes.outbound.runCheck(world.id, id)
  t.match(await reviewing.list({ status: 'held', limit: 10 }), { data: [{ id }] })
})

onEveryEngine('the log is kept for its time, and goes with its account', async (t, world) => {
  const { reviewing } = reviewIn(world)
  const [one, two, three] = [await held(world), await held(world), await held(world)]
  await reviewing.reject(one.id, BY)
  world.clock.advance(80 * DAY)
  await reviewing.reject(two.id, BY)
  world.clock.advance(10 * DAY + HOUR)
  await reviewing.sweep(going())
  t.match(await reviewing.log({ limit: 10 }), { data: [{ message_id: two.id }] })
  t.equal((await reviewing.log({ limit: 10 })).data.length, 1)
  t.match(await reviewing.list({ status: 'held', limit: 10 }), { data: [{ id: three.id }] }, 'what waits, waits')
  t.match(await reviewing.approve(one.id, BY).catch((error: unknown) => error), { code: 'not_found' })

  await eraseReviews(world.store, world.account.id, new Set([world.id]))
  t.same((await reviewing.log({ limit: 10 })).data, [])
  t.match(await reviewing.counts(), { held: 0, blocked: 0 })
})

onEveryEngine('who learns from decisions is told again when that failed', async (t, world) => {
  const review = reviewIn(world)
  const { id } = await held(world)
  review.hook.fails = true
  t.match(await review.reviewing.approve(id, BY), { is_first: true })
  t.same(review.told, [])
  review.hook.fails = false
  await review.reviewing.sweep(going())
  await review.reviewing.sweep(going())
  t.match(review.told, [{ messageId: id, decision: 'approve' }])
  t.equal(review.told.length, 1)
})

for (const decision of ['approve', 'reject'] as const) {
  t.test(`to ${decision} is one commit, and one more when those who learn were told`, async (t) => {
    const { engine, commits } = counted(memoryEngine({ lateness: 0, conflicts: 0 }))
    const world = await makeWorld(t, createStore(engine))
    const { reviewing, told, hook } = reviewIn(world)
    const { id } = await held(world)
    const before = commits()
    hook.fails = true
    await reviewing[decision](id, BY)
    t.equal(commits() - before, 1)
    hook.fails = false
    await reviewing.sweep(going())
    t.equal(told.length, 1)
    t.equal(commits() - before, 2)
  })
}

for (const { name, open } of ENGINES) {
  for (const moment of ['before', 'after'] as const) {
    for (const decision of ['approve', 'reject'] as const) {
      t.test(`a crash ${moment} any commit of an ${decision} leaves all of it, or nothing (${name})`, async (t) => {
        let [crashes, undone] = [0, 0]
        for (let at = 1; ; at++) {
          const ends: (() => Promise<void>)[] = []
          const scope = { testdir: () => t.testdir(), teardown: (fn: () => Promise<void>) => void ends.push(fn) }
          const engine = open(scope)
          const process = mortal(engine, at, moment)
          const firstLife = await makeWorld(t, createStore(process.engine))
          const before = reviewIn(firstLife)
          const { id } = await held(firstLife)
          process.arm()
          await before.reviewing[decision](id, BY).catch((error: unknown) => error)
          const died = process.died()
          if (died) crashes++

          const world = await makeWorld(t, createStore(engine), firstLife)
          const after = reviewIn(world, before)
          const look = async () => ({
            status: (await world.mailboxes.reading.message(world.id, id)).status,
            relay: await tasksOf(world, 'relay'),
            known: await world.recipients.known(),
            counts: await after.reviewing.counts(),
            log: (await after.reviewing.log({ limit: 10 })).data.map(({ by }) => by),
          })
          const nothing = { relay: [], known: [], log: [] }
          const decided =
            decision === 'approve'
              ? { status: 'queued', relay: [`${id}:example.org`], known: ['ada@example.org'] }
              : { ...nothing, status: 'blocked' }
          const now = await look()
          if (now.status === 'held') {
            undone++
            t.same(now, { ...nothing, status: 'held', counts: { held: 1, blocked: 0 } }, `crash at commit ${at}`)
          } else t.same(now, { ...decided, counts: { held: 0, blocked: 0 }, log: [BY.by] }, `crash at commit ${at}`)

          await after.reviewing.start(going())
          const again = await after.reviewing[decision](id, BOB)
          t.equal(again.is_first, now.status === 'held')
          t.same(
            await look(),
            { ...decided, counts: { held: 0, blocked: 0 }, log: [again.by] },
            'one decision, in the log',
          )
          t.ok(after.told.length >= 1, 'and it is learned from')
          t.ok(after.told.every(({ by }) => by === again.by))
          const { status } = decided
          t.equal((await eventsOf(world)).filter(({ data }) => data.status === status).length, 1)
          for (const end of ends) await end()
          if (!died) break
        }
        t.ok(crashes >= 2, `${crashes} places to crash at`)
        t.equal(undone, moment === 'before' ? 1 : 0, 'it is the first commit that does it')
      })
    }
    t.test(
      `a crash ${moment} any commit of a send that is held leaves it in the queue, or nothing (${name})`,
      async (t) => {
        for (let at = 1; ; at++) {
          const ends: (() => Promise<void>)[] = []
          const scope = { testdir: () => t.testdir(), teardown: (fn: () => Promise<void>) => void ends.push(fn) }
          const engine = open(scope)
          const process = mortal(engine, at, moment)
          const firstLife = await makeWorld(t, createStore(process.engine))
          process.arm()
          await held(firstLife).catch((error: unknown) => error)
          const died = process.died()
          const world = await makeWorld(t, createStore(engine), firstLife)
          const { reviewing } = reviewIn(world)
          world.clock.advance(2 * MINUTE)
          const inMailbox = await world.mailboxes.reading.held(world.id, 10)
          const { data } = await reviewing.list({ status: 'held', limit: 10 })
          t.same(
            data.map(({ id }) => id),
            inMailbox.map(({ id }) => id),
            `crash at commit ${at}`,
          )
          t.match(await reviewing.counts(), { held: inMailbox.length })
          for (const end of ends) await end()
          if (!died) break
        }
      },
    )
  }
}
