/** The way of one message, put together from what the parts keep: mail from outside with its webhook, mail that waits, mail that a person let go. */
import t, { type Test } from 'tap'
import { DAY, HOUR, timestamp } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { newDeliveryState, putDeliveryState, putWebhook } from '../../../src/mailbox/webhooks/rows.js'
import { createDeliveries } from '../../../src/mailbox/webhooks/deliveries.js'
import { webhooksPartition } from '../../../src/mailbox/keys.js'
import { createReceipts } from '../../../src/receipts/receipts.js'
import type { Receipt, Receipts } from '../../../src/receipts/types.js'
import { StartedOperatorQueue } from '../../../src/relay/operator/operator.js'
import { createHoldRules } from '../../../src/relay/queue/holds.js'
import { receiptIdOf } from '../../../src/ops/trace/receipt.js'
import { createTrace } from '../../../src/ops/trace/trace.js'
import { traceSchema } from '../../../src/ops/trace/types.js'
import { createStore } from '../../../src/store/store.js'
import { BY, HELD_BY_GUARD, reviewIn } from '../../mailbox/review/world.js'
import { eventsOf, makeWorld, present } from '../../mailbox/world.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const SECRET = 'SECRET-WORDS'

async function setting(t: Test) {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { store, clock, mailboxes, queue } = world
  const { log } = captureLog()
  const receipts = createReceipts({ store, clock, retentionMs: 30 * DAY, log })
  const holds = createHoldRules({ store })
  const operator = new StartedOperatorQueue({ queue, mailboxes, holds, clock, log, route: async () => null })
  t.teardown(async () => {
    await operator.stop()
    await receipts.stop()
    await store.close()
  })
  return { world, receipts, operator, trace: createTrace({ store, mailboxes, receipts, queue: operator }) }
}

t.test('mail from outside: its receipt, its events, its webhook, in order', async (t) => {
  const { world, receipts, trace } = await setting(t)
  const { store, clock, id: mailboxId } = world
  const receiptId = newId('rcp', clock.now())
  const received = `Received: from client.test ([192.0.2.7])\r\n\tby mx.agents.test with ESMTP id ${receiptId}\r\n\tfor <agent@agents.example>;\r\n\tThu, 01 Jan 2026 00:00:00 +0000`
  const raw = Buffer.from(
    `Return-Path: <a@b.test>\r\n${received}\r\nReceived: by x id rcp_${'0'.repeat(26)}\r\nFrom: a@b.test\r\nSubject: ${SECRET}\r\n\r\n${SECRET}\r\n`,
  )
  const webhookId = newId('whk', clock.now())
  await store.write(webhooksPartition(mailboxId), async (tx) => {
    const now = clock.now()
    const webhook = { id: webhookId, url: 'https://hook.test/', events: null, description: '', createdBy: 'key_x' }
    putWebhook(tx, { ...webhook, createdAt: now, updatedAt: now, disabled: null, secrets: [] })
    putDeliveryState(tx, webhookId, newDeliveryState(0))
  })
  clock.advance(2000)
  const { id } = await world.deliver({ raw })
  clock.advance(100)
  receipts.add({
    id: receiptId,
    at: timestamp(clock.now()),
    outcome: 'accepted',
    client: { address: '2001:db8::7', name: null },
    helo: 'client.test',
    protocol: 'ESMTP',
    tls: null,
    from: 'a@b.test',
    recipients: [
      { address: 'agent@agents.example', mailbox: { id: mailboxId, address: 'agent@agents.example' }, refusal: null },
    ],
    recipients_left_out: 0,
    size_bytes: raw.length,
    auth: null,
    virus: { verdict: 'clean', detail: null },
    spam: { score: 0, verdict: 'ham', reasons: [] },
    labels: [],
    reply: { code: 250, enhanced: '2.0.0', text: `accepted as ${receiptId}` },
    duration_ms: 5,
  })
  const [event] = await eventsOf(world)
  t.match((await trace(id)).deliveries, [{ status: 'not_begun', id: null, webhook_id: webhookId }])

  clock.advance(1000)
  const { id: eventId, seq, type } = present(event)
  const attempt = { at: clock.now(), tookMs: 7, status: 500, problem: 'answered with 500', answer: SECRET }
  await createDeliveries({ store, clock, jitter: () => 0 }).record(mailboxId, webhookId, {
    epoch: 0,
    cursor: seq,
    results: [{ event: { id: eventId, seq, type }, request: null, attempt }],
  })
  const found = await trace(id, 'agent@agents.example')
  traceSchema.parse(found)
  t.match(found, {
    mailbox_id: mailboxId,
    direction: 'inbound',
    receipt: { id: receiptId, client_network: '2001:db8:0:0::/64', reply: { code: 250 } },
    events: [{ id: eventId, type: 'message.received' }],
    deliveries: [{ status: 'waiting', attempts: [{ status_code: 500 }], next_attempt_at: String }],
    missing: [],
  })
  t.same(
    found.steps.map(({ kind }) => kind),
    ['event', 'receipt', 'webhook', 'next'],
  )
  t.same(
    found.steps.map(({ at }) => at),
    found.steps.map(({ at }) => at).sort(),
    'times in order',
  )
  t.notMatch(JSON.stringify(found), SECRET, 'nothing of the content, nor of what the receiver said')

  t.strictSame(await trace(receiptId), found, 'the number that its sender was told leads to the same')
  t.strictSame(await trace(receiptId, 'agent@agents.example'), found)
  await t.rejects(trace(newId('rcp', clock.now())), { code: 'not_found', message: /There is no receipt rcp_/ })
  const refused = newId('rcp', clock.now())
  receipts.add({
    ...(await receiptOf(receipts, receiptId)),
    id: refused,
    at: timestamp(clock.now()),
    outcome: 'refused',
  })
  await t.rejects(trace(refused), { code: 'not_found', message: /No message of rcp_\w+ is stored here: .*, refused/ })
  await t.rejects(trace('rcp_1'), { code: 'invalid_request' })

  clock.advance(31 * DAY)
  t.match(await trace(id), { receipt: null, missing: [new RegExp(`${receiptId} is no longer kept`)] })
})

async function receiptOf(receipts: Receipts, id: string): Promise<Receipt> {
  const receipt = await receipts.find(id)
  if (!receipt) throw new Error(`no receipt ${id}`)
  return receipt
}

t.test('mail that waits: why, and until when', async (t) => {
  const { world, operator, trace } = await setting(t)
  const { id } = await world.send({ subject: SECRET, text: SECRET })
  const next = world.clock.now() + HOUR
  await world.mailboxes.outbound.recordAttempt(world.id, id, [
    { address: 'ada@example.org', status: 'deferred', smtpCode: 451, detail: '4.7.1 come again', nextAttemptAt: next },
  ])
  const found = await trace(id)
  traceSchema.parse(found)
  t.match(found, {
    direction: 'outbound',
    receipt: null,
    recipients: [{ address: 'ada@example.org', status: 'deferred', attempts: 1, detail: /come again/ }],
    tasks: [{ id: `${id}:example.org`, held_by: null }],
    check: { decision: 'send', codes: ['no_findings'] },
    review: null,
    missing: [],
  })
  t.ok(
    found.steps.some(({ kind, text }) => kind === 'event' && /deferred: 4\.7\.1 come again/.test(text)),
    JSON.stringify(found.steps),
  )
  t.notMatch(JSON.stringify(found), SECRET)
  await operator.hold({ domain: 'example.org' }, { reason: 'they ask for it' })
  t.match((await trace(id)).tasks, [{ held_by: { kind: 'domain', name: 'example.org' } }])
})

t.test('mail that was held: who decided, and when', async (t) => {
  const { world, trace } = await setting(t)
  world.guard.verdict = HELD_BY_GUARD
  const { id } = await world.send({ subject: SECRET })
  t.match((await trace(id)).review, { waits_as: 'held', decision: null })
  world.clock.advance(HOUR)
  await reviewIn(world).reviewing.reject(id, { ...BY, note: SECRET })
  const found = await trace(id)
  t.match(found.review, { waits_as: null, decision: { decision: 'reject', by: BY.by } })
  t.ok(found.steps.some(({ kind, text }) => kind === 'review' && text === `reject by ${BY.by}`))
  t.notMatch(JSON.stringify(found), SECRET, 'the note is for its sender')
})

t.test('what is not there is refused with what to do', async (t) => {
  const { world, trace } = await setting(t)
  const { id } = await world.send()
  const other = await world.addMailbox('other')
  await t.rejects(trace('nonsense'), { code: 'invalid_request', hint: /msg_/ })
  await t.rejects(trace(`msg_${'0'.repeat(26)}`), { code: 'not_found', hint: /journalctl/ })
  await t.rejects(trace(id, other), { code: 'not_found' }, 'it is not in that mailbox')
  await t.rejects(trace(id, 'nobody@agents.example'), { code: 'not_found', hint: /restante mailbox list/ })
})

t.test('only the topmost Received field is ours', async (t) => {
  const ours = `Received: from x by y with ESMTP id rcp_${'0'.repeat(26)}; now`
  t.equal(receiptIdOf(Buffer.from(`Return-Path: <>\r\n${ours}\r\n\r\n`)), `rcp_${'0'.repeat(26)}`)
  t.equal(receiptIdOf(Buffer.from(`Received: from x by y; now\r\n${ours}\r\n\r\n`)), undefined)
  t.equal(receiptIdOf(Buffer.from('Subject: x\r\n\r\n')), undefined)
})
