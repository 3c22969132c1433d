import t from 'tap'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import { readCounts, REVIEW_PARTITION } from '../../../src/mailbox/review/rows.js'
import { createStore } from '../../../src/store/store.js'
import { counted } from '../../support/store/counted-engine.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { eventsOf, makeWorld, onEveryEngine, SEND, tasksOf, uncheck, type World } from '../world.js'

const to = (...addresses: string[]) => addresses.map((address) => ({ address, name: '' }))
const cancel = (w: World, messageId: string) => w.mailboxes.sending.cancel(w.id, messageId)
const CANCELLED = { status: 'cancelled', cancelled: { code: 'requested' } }

onEveryEngine('scheduled mail is cancelled for good, and can be deleted then', async (t, w) => {
  const { mailboxes, id, clock } = w
  const { id: messageId } = await w.send({ sendAt: clock.now() + HOUR })
  await t.rejects(mailboxes.trash.deleteMessage(id, messageId), { code: 'message_on_its_way', hint: /cancel/ })
  t.match(await cancel(w, messageId), { ...CANCELLED, labels: [], id: messageId })
  t.same(await cancel(w, messageId), await mailboxes.reading.message(id, messageId), 'again it changes nothing')
  t.match((await eventsOf(w)).at(-1), { type: 'message.status', data: { ...CANCELLED, message_id: messageId } })
  t.equal(await w.queue.get('scheduled', messageId), undefined)
  clock.advance(HOUR)
  t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
  t.same(await tasksOf(w, 'relay'), [])
  t.match(await w.record(), { scheduledCount: 0, sentCount: 0 })
  t.ok(await mailboxes.trash.deleteMessage(id, messageId))
})

onEveryEngine('what is queued is taken back from the relay', async (t, w) => {
  const { id: messageId } = await w.send({ to: to('ada@example.org', 'bob@example.com') })
  t.equal((await tasksOf(w, 'relay')).length, 2)
  t.match(await cancel(w, messageId), CANCELLED)
  t.same(await tasksOf(w, 'relay'), [])
  t.same(await tasksOf(w, 'scheduled'), [], 'nothing is left of the cancelling')
  t.equal(await w.mailboxes.outbound.message(w.id, messageId), undefined)
})

onEveryEngine('what a delivery has taken is not, and goes on', async (t, w) => {
  const { id: messageId } = await w.send({ to: to('ada@example.org', 'bob@example.com') })
  let deliver = (): void => undefined
  let taken = (): void => undefined
  const isTaken = new Promise<void>((resolve) => (taken = resolve))
  const goesOn = new Promise<void>((resolve) => (deliver = resolve))
  const seen = new Set<string>()
  const worker = w.queue.run<{ domain: string }>(
    'relay',
    async ({ payload }) => {
      const ended = await w.mailboxes.outbound.beginDelivery(messageId)
      seen.add(payload.domain)
      taken()
      await goesOn
      ended()
      return { done: true }
    },
    { concurrency: 1, onError: (error) => t.error(error) },
  )
  w.clock.advance(MINUTE)
  w.queue.poke()
  await isTaken
  await t.rejects(cancel(w, messageId), { code: 'too_late' })
  t.equal((await w.mailboxes.reading.message(w.id, messageId)).status, 'queued')
  deliver()
  for (let i = 0; i < 200 && seen.size < 2; i++) {
    w.queue.poke()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await worker.stop()
  t.same([...seen].sort(), ['example.com', 'example.org'], 'to everybody')
})

onEveryEngine('a delivery that would begin while a message is cancelled finds it cancelled', async (t, w) => {
  const { id: messageId } = await w.send()
  const cancelling = cancel(w, messageId)
  const ended = await w.mailboxes.outbound.beginDelivery(messageId)
  t.equal(await w.mailboxes.outbound.message(w.id, messageId), undefined)
  ended()
  t.match(await cancelling, CANCELLED)
})

onEveryEngine('held and checking mail can be cancelled; nobody approves it then', async (t, w) => {
  w.guard.verdict = { ...SEND, decision: 'hold' }
  const held = await w.send()
  t.equal(held.status, 'held')
  t.match(await cancel(w, held.id), CANCELLED)
  t.same(await w.mailboxes.reading.held(w.id, 10), [])
  w.guard.verdict = SEND
  const checking = await w.send()
  await uncheck(w, checking.id)
  t.match(await cancel(w, checking.id), CANCELLED)
  await w.mailboxes.outbound.runCheck(w.id, checking.id)
  t.equal((await w.mailboxes.reading.message(w.id, checking.id)).status, 'cancelled')
  t.same(await tasksOf(w, 'relay'), [])
})

onEveryEngine('what has left, what came in and what is not there cannot be cancelled', async (t, w) => {
  const { mailboxes, id } = w
  const sent = await w.send()
  const result = {
    address: 'ada@example.org',
    status: 'delivered' as const,
    smtpCode: 250,
    detail: 'ok',
    nextAttemptAt: null,
  }
  await mailboxes.outbound.recordAttempt(id, sent.id, [result])
  await t.rejects(cancel(w, sent.id), { code: 'too_late', message: /delivered/ })
  const tried = await w.send()
  await mailboxes.outbound.recordAttempt(id, tried.id, [
    { ...result, status: 'deferred', nextAttemptAt: w.clock.now() + HOUR },
  ])
  await t.rejects(cancel(w, tried.id), { code: 'too_late' })
  const received = await w.deliver()
  await t.rejects(cancel(w, received.id), { code: 'too_late', message: /received/ })
  const other = await w.addMailbox('other')
  await t.rejects(mailboxes.sending.cancel(other, sent.id), { code: 'not_found' })
})

const counts = async (w: World) => {
  const { sentCount, today } = await w.record()
  return { sent: sentCount, today: today.sent, known: await w.recipients.known() }
}

onEveryEngine(
  'what is cancelled before it left is not sent: neither counted, nor labelled, nor charged',
  async (t, w) => {
    const { mailboxes, id, guard, clock } = w
    const kept = await w.send({ to: to('ada@example.org') })
    const sent = await w.send({ to: to('ada@example.org', 'bob@example.com'), labels: ['offer'] })
    t.same(await counts(w), { sent: 2, today: 2, known: ['ada@example.org', 'bob@example.com'] })
    t.match(await cancel(w, sent.id), { ...CANCELLED, labels: ['offer'] })
    const left = { sent: 1, today: 1, known: ['ada@example.org'] }
    t.same(await counts(w), left)
    await cancel(w, sent.id)
    t.same(await counts(w), left, 'once')
    t.match(await mailboxes.reading.messages(id, { limit: 10, label: 'sent' }), { data: [{ id: kept.id }] })
    t.same((await mailboxes.reading.thread(id, sent.thread_id)).labels.includes('offer'), true)

    const yesterday = await w.send({ to: to('carl@example.org') })
    clock.advance(DAY)
    await w.send({ to: to('ada@example.org') })
    await cancel(w, yesterday.id)
    t.same(await counts(w), { sent: 2, today: 1, known: ['ada@example.org'] }, 'it was not of this day')

    guard.verdict = { ...SEND, decision: 'hold' }
    await cancel(w, (await w.send({ to: to('dan@example.org') })).id)
    guard.verdict = SEND
    const checking = await w.send({ to: to('eve@example.org') })
    await uncheck(w, checking.id)
    await cancel(w, checking.id)
    t.same((await counts(w)).known, ['ada@example.org'], 'nor what was held or checked')
  },
)

onEveryEngine('mail that went later than it was made is taken off the day on which it went', async (t, w) => {
  const later = await w.send({ sendAt: w.clock.now() + DAY })
  w.clock.advance(DAY)
  t.equal(await w.mailboxes.outbound.runScheduled(w.id, later.id), 'done')
  t.same(await counts(w), { sent: 1, today: 1, known: ['ada@example.org'] })
  await cancel(w, later.id)
  t.same(await counts(w), { sent: 0, today: 0, known: [] })
})

/** Mail that can be cancelled, by its status. */
const WAITING: Record<string, (w: World) => Promise<{ id: string }>> = {
  queued: (w) => w.send({ to: to('ada@example.org', 'bob@example.com') }),
  scheduled: (w) => w.send({ sendAt: w.clock.now() + HOUR }),
  async held(w) {
    w.guard.verdict = { ...SEND, decision: 'hold' }
    const sent = await w.send()
    w.guard.verdict = SEND
    return sent
  },
}

for (const [status, make] of Object.entries(WAITING)) {
  t.test(`cancelling ${status} mail is one commit`, async (t) => {
    const { engine, commits } = counted(memoryEngine({ lateness: 0, conflicts: 0 }))
    const w = await makeWorld(t, createStore(engine))
    const { id: messageId } = await make(w)
    const before = commits()
    await cancel(w, messageId)
    t.equal(commits() - before, 1)
  })

  t.test(`a crash at any commit leaves all of ${status} mail cancelled, or nothing`, async (t) => {
    for (const moment of ['before', 'after'] as const) {
      let [crashes, done, undone] = [0, 0, 0]
      for (let at = 1; ; at++) {
        const engine = memoryEngine({ lateness: 0, conflicts: 0 })
        const process = mortal(engine, at, moment)
        const life = await makeWorld(t, createStore(process.engine))
        const { id: messageId } = await make(life)
        const look = async (w: World) => ({
          ...(await counts(w)),
          scheduledCount: (await w.record()).scheduledCount ?? 0,
          relay: await tasksOf(w, 'relay'),
          scheduled: await tasksOf(w, 'scheduled'),
          held: (await w.mailboxes.reading.held(w.id, 10)).length,
          review: await w.store.read(REVIEW_PARTITION, readCounts),
        })
        const before = await look(life)
        process.arm()
        await cancel(life, messageId).catch((error: unknown) => error)
        const died = process.died()
        if (died) crashes++

        const w = await makeWorld(t, createStore(engine), life)
        const what = `${moment} commit ${at}`
        const now = (await w.mailboxes.reading.message(w.id, messageId)).status
        if (now === 'cancelled') {
          done++
          const nothing = { sent: 0, today: 0, known: [], scheduledCount: 0, relay: [], scheduled: [], held: 0 }
          t.same(await look(w), { ...nothing, review: { held: 0, blocked: 0 } }, what)
        } else {
          undone++
          t.equal(now, status, what)
          t.same(await look(w), before, what)
        }
        if (!died) break
      }
      t.ok(crashes > 0 && done > 0, `${crashes} crashes`)
      t.equal(undone, moment === 'before' ? 1 : 0, 'it is the first commit that does it')
    }
  })
}

onEveryEngine(
  'what another process is about to deliver is marked, and then not cancelled; or cancelled, and not delivered',
  async (t, w) => {
    const first = await w.send()
    t.equal(await w.mailboxes.outbound.startSending(w.id, first.id), true)
    await t.rejects(cancel(w, first.id), { code: 'too_late', message: /sending/ })
    const second = await w.send()
    await cancel(w, second.id)
    t.equal(await w.mailboxes.outbound.startSending(w.id, second.id), false)
    t.equal((await w.mailboxes.reading.message(w.id, second.id)).status, 'cancelled')
  },
)
