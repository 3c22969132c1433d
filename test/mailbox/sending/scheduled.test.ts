import { accepted, eventsOf, letter, makeWorld, onEveryEngine, present, SEND, tasksOf, type World } from '../world.js'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { changeMailbox } from '../../../src/mailbox/record.js'
import t from 'tap'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { MAX_SCHEDULED } from '../../../src/mailbox/sending/scheduled.js'

const to = (...addresses: string[]) => addresses.map((address) => ({ address, name: '' }))
const BLOCK = { ...SEND, decision: 'block' as const, reasons: [{ code: 'bad', detail: 'Bad' }] }
const HOLD = { ...SEND, decision: 'hold' as const }

const statusesOf = async (w: World, messageId: string) =>
  (await eventsOf(w)).filter(({ data }) => data['message_id'] === messageId).map(({ data }) => data['status'])
const later = (w: World, ms: number) => w.send({ sendAt: w.clock.now() + ms })
const read = (w: World, messageId: string) => w.mailboxes.reading.message(w.id, messageId)

onEveryEngine('a scheduled message waits for its time, and then goes as any other', async (t, w) => {
  const { mailboxes, id, clock } = w
  const sendAt = clock.now() + DAY
  const { id: messageId, status } = await w.send({ sendAt, labels: ['work'] })
  t.equal(status, 'scheduled')
  t.match(await read(w, messageId), {
    status: 'scheduled',
    send_at: new Date(sendAt).toISOString(),
    check: null,
    sent_at: null,
    labels: ['scheduled', 'work'],
  })
  t.match(present((await read(w, messageId)).headers['date']), /02 Jan 2026/, 'its Date is that of its time')
  t.same(await tasksOf(w, 'relay'), [])
  t.match(await w.queue.get('scheduled', messageId), { due: sendAt })
  t.match(await w.record(), { sentCount: 0, scheduledCount: 1 })
  t.same(await mailboxes.outbound.runScheduled(id, messageId), { retryAt: sendAt }, 'whoever asks too early')
  t.equal(await mailboxes.outbound.message(id, messageId), undefined, 'the relay leaves it alone')
  t.same(await w.recipients.known(), [], 'nobody is counted yet')

  clock.advance(DAY)
  t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
  t.same(await statusesOf(w, messageId), ['checking', 'scheduled', 'queued'])
  t.same(await tasksOf(w, 'relay'), [`${messageId}:example.org`])
  t.match(await read(w, messageId), { status: 'queued', labels: ['sent', 'work'], check: { decision: 'send' } })
  t.match(await w.record(), { sentCount: 1, scheduledCount: 0, today: { sent: 1, date: '2026-01-02' } })
  t.same(await w.recipients.known(), ['ada@example.org'])

  t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done', 'and once only, whatever the clock does')
  clock.advance(-2 * DAY)
  t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
  t.equal((await statusesOf(w, messageId)).length, 3)
  t.same((await mailboxes.reading.threads(id, { limit: 5, label: 'scheduled' })).data, [])
  t.equal((await mailboxes.reading.threads(id, { limit: 5, label: 'sent' })).data.length, 1)
  t.equal(
    await mailboxes.outbound.runScheduled(id, 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R2'),
    'done',
    'nor is there anything to do for one that is gone',
  )
})

onEveryEngine('replies, forwards and drafts can be scheduled too, and a retry gets the first answer', async (t, w) => {
  const { mailboxes, id, clock } = w
  const original = await w.deliver({ subject: 'Ten?' })
  const sendAt = clock.now() + HOUR
  const key = { idempotencyKey: 'k' }
  const request = { text: 'Yes.', html: null, attachments: [], all: false, sendAt }
  const reply = accepted(await mailboxes.sending.reply(id, original.id, request, key))
  t.match(reply, { status: 'scheduled', thread_id: original.thread_id })
  const forward = await mailboxes.sending.forward(
    id,
    original.id,
    { to: to('bob@example.org'), cc: [], bcc: [], text: '', includeAttachments: true, sendAt },
    {},
  )
  t.match(forward, { status: 'scheduled' })
  const draft = await mailboxes.drafts.create(id, { to: to('eve@example.org'), text: 'Hi.', sendAt }, {})
  t.equal(draft.send_at, new Date(sendAt).toISOString())
  t.equal((await mailboxes.drafts.update(id, draft.id, { sendAt: null })).send_at, null)
  await mailboxes.drafts.update(id, draft.id, { sendAt })
  t.match(await mailboxes.sending.sendDraft(id, draft.id, {}), { status: 'scheduled' })
  clock.advance(2 * HOUR)
  t.same(await mailboxes.sending.reply(id, original.id, request, key), reply, 'also when its time is over')
  await t.rejects(mailboxes.sending.reply(id, original.id, request, {}), { code: 'invalid_request' })
})

onEveryEngine('only times that can be kept are taken, and only so many messages', async (t, w) => {
  for (const ms of [-1, 0, MINUTE - 1, 30 * DAY + 1])
    await t.rejects(later(w, ms), { code: 'invalid_request', fields: [{ field: 'send_at' }] }, String(ms))
  await later(w, MINUTE)
  await later(w, 30 * DAY)
  t.equal((await w.record()).scheduledCount, 2)
})

onEveryEngine('what would be blocked is blocked at once, and what is held then is held then', async (t, w) => {
  const { mailboxes, id, clock, guard } = w
  guard.verdict = BLOCK
  const blocked = await later(w, DAY)
  t.equal(blocked.status, 'blocked')
  t.match(await read(w, blocked.id), { status: 'blocked', labels: ['blocked'], check: { decision: 'block' } })
  t.equal(await w.queue.get('scheduled', blocked.id), undefined)
  guard.verdict = HOLD
  const held = await later(w, DAY)
  t.equal(held.status, 'scheduled')
  clock.advance(DAY)
  await mailboxes.outbound.runScheduled(id, held.id)
  t.match(await read(w, held.id), { status: 'held', check: { decision: 'hold' } })
  t.same(await tasksOf(w, 'relay'), [])
  t.equal((await mailboxes.reading.held(id, 10)).length, 1)
})

onEveryEngine('an account that is stopped by then sends nothing, and the message says so', async (t, w) => {
  const { mailboxes, id, clock, account } = w
  for (const status of ['suspended', 'deletion_pending'] as const) {
    account.status = 'active'
    const { id: messageId } = await later(w, HOUR)
    clock.advance(HOUR)
    account.status = status
    t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
    t.match(await read(w, messageId), { status: 'cancelled', labels: [], cancelled: { code: 'account_stopped' } })
    account.status = 'active'
    t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
    t.equal((await read(w, messageId)).status, 'cancelled', 'also when it may send again')
  }
  t.same(await tasksOf(w, 'relay'), [])
  t.equal((await w.record()).scheduledCount, 0)
})

onEveryEngine('the limit of new recipients is waited for, three days at most', async (t, w) => {
  const { mailboxes, id, clock } = w
  const { id: messageId } = await later(w, HOUR)
  clock.advance(HOUR)
  w.recipients.refusal = new ServiceError('new_recipient_limit', 'Too many.', 'Wait.', { retryAfterSeconds: 86_400 })
  for (let day = 1; day <= 3; day++) {
    const at = clock.now() + DAY
    t.same(await mailboxes.outbound.runScheduled(id, messageId), { retryAt: at })
    t.match(await read(w, messageId), { status: 'scheduled', send_at: new Date(at).toISOString() })
    clock.advance(DAY)
  }
  t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
  t.match(await read(w, messageId), { status: 'cancelled', cancelled: { code: 'new_recipient_limit' } })

  const second = await later(w, HOUR)
  clock.advance(HOUR)
  w.recipients.refusal = new ServiceError('recipient_suppressed', 'ada is on the list.', 'Leave out.')
  await mailboxes.outbound.runScheduled(id, second.id)
  t.match(await read(w, second.id), { cancelled: { code: 'recipient_suppressed', detail: 'ada is on the list.' } })
})

onEveryEngine('whom the mailbox may not write to any more gets nothing', async (t, w) => {
  const { mailboxes, id, clock } = w
  const { id: messageId } = await later(w, HOUR)
  const [recipient] = (await read(w, messageId)).recipients
  await mailboxes.lists.add(id, { direction: 'send', type: 'block' }, { entry: recipient?.address ?? '' })
  clock.advance(HOUR)
  t.equal(await mailboxes.outbound.runScheduled(id, messageId), 'done')
  t.match(await read(w, messageId), { status: 'cancelled', cancelled: { code: 'recipient_blocked' } })
})

for (const moment of ['before', 'after'] as const) {
  t.test(`a crash ${moment} any commit lets it go once, whatever the guard says the second time`, async (t) => {
    for (const second of [SEND, HOLD]) {
      let crashes = 0
      for (let at = 1; ; at++) {
        const engine = memoryEngine({ conflicts: 0 })
        const process = mortal(engine, at, moment)
        const first = await makeWorld(t, createStore(process.engine))
        const { id: messageId } = await later(first, HOUR)
        first.clock.advance(HOUR)
        process.arm()
        await first.mailboxes.outbound.runScheduled(first.id, messageId).catch((error: unknown) => error)
        const died = process.died()
        if (died) crashes++

        const w = await makeWorld(t, createStore(engine), first)
        w.guard.verdict = second
        await w.mailboxes.outbound.runScheduled(w.id, messageId)
        const isHeld = second === HOLD && died && moment === 'before'
        const status = isHeld ? 'held' : 'queued'
        t.match(await read(w, messageId), { status }, `${at}`)
        t.same(await tasksOf(w, 'relay'), isHeld ? [] : [`${messageId}:example.org`])
        t.equal((await statusesOf(w, messageId)).filter((each) => each === status).length, 1)
        t.match(await w.record(), { sentCount: isHeld ? 0 : 1, scheduledCount: 0 })
        if (!died) break
      }
      t.equal(crashes, 1, 'it is one commit')
    }
  })
}

onEveryEngine('a loop in one conversation is held when scheduled mail goes', async (t, w) => {
  const { mailboxes, id, clock } = w
  const original = await w.deliver({ subject: 'Ping' })
  const sendAt = clock.now() + HOUR
  const request = { text: 'Pong.', html: null, attachments: [], all: false, sendAt }
  const ids: string[] = []
  for (let i = 0; i < 22; i++) ids.push(accepted(await mailboxes.sending.reply(id, original.id, request, {})).id)
  clock.advance(HOUR)
  for (const messageId of ids) await mailboxes.outbound.runScheduled(id, messageId)
  const statuses = await Promise.all(ids.map(async (messageId) => (await read(w, messageId)).status))
  t.same(statuses.filter((status) => status === 'held').length, 2)
  t.match((await read(w, present(ids.at(-1)))).check?.reasons, [{ code: 'thread_rate' }, {}])
})

onEveryEngine('who asks for too many is told', async (t, w) => {
  const { store, id } = w
  await w.send({ sendAt: w.clock.now() + HOUR })
  await changeMailbox(store, id, async (_tx, mailbox) => {
    mailbox.scheduledCount = MAX_SCHEDULED
  })
  await t.rejects(w.mailboxes.sending.send(id, letter({ sendAt: w.clock.now() + HOUR }), {}), {
    code: 'quota_exceeded',
  })
  t.equal((await w.send()).status, 'queued', 'mail for now goes')
})
