/** What a receiver gets, and when: order, retries, the end of a webhook, replays. */
import type { Test } from 'tap'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.js'
import { webhooksPartition } from '../../src/mailbox/keys.js'
import { appendEvent } from '../../src/mailbox/events.js'
import { continueNumbering, markRestored } from '../../src/mailbox/retention/continue-numbering.js'
import { changeMailbox, removeMailbox } from '../../src/mailbox/record.js'
import { sweepMailbox } from '../../src/mailbox/retention/sweep.js'
import { WEBHOOK_WAITS_MS } from '../../src/mailbox/webhooks/schedule.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import { prefixRange } from '../../src/store/keys.js'
import { isSignedBy, isSignedFor, startReceiver, type Receiver } from '../support/peers/webhook-receiver.js'
import { makeWebhook, makeWorld, onEveryEngine } from './world.js'

async function receiverFor(t: Test): Promise<Receiver> {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  return receiver
}

onEveryEngine('events from the making on come in their order, of the types wanted, signed', async (t, world) => {
  const [all, some] = [await receiverFor(t), await receiverFor(t)]
  await world.happen('claim.claimed')
  const { secret, publicKey } = await makeWebhook(world, all.url)
  const other = await makeWebhook(world, some.url, ['message.status'])
  await world.happen('message.received', 'message.status', 'message.updated')
  await world.happen('message.status')
  await Promise.all([all.count(4), some.count(2)])
  await world.settled()
  t.same([...all.seqs()].sort(), [2, 3, 4, 5])
  t.same([...some.seqs()].sort(), [3, 5])
  for (const received of all.received) {
    t.equal(received.headers['webhook-id'], received.event.id)
    t.ok(isSignedBy(secret, received))
    t.ok(isSignedFor(publicKey, received))
    t.notOk(isSignedBy(other.secret, received), 'another webhook has another secret')
  }
  t.same(world.errors, [])
})

onEveryEngine('what is posted is what GET /v1/events gives', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  const [received] = receiver.received
  t.same(Object.keys(received?.event), ['seq', 'id', 'object', 'type', 'timestamp', 'mailbox_id', 'data'])
  const { data } = await world.webhooks.deliveries(world.mailboxId, id, { limit: 10 })
  t.match(data, [{ status: 'succeeded', attempts: 1, event: { seq: 1 }, next_attempt_at: null }])
  const details = await world.webhooks.delivery(world.mailboxId, id, data[0]?.id ?? '')
  t.same(details.body, received?.event)
  t.match(details.request?.headers, {
    'webhook-id': received?.headers['webhook-id'],
    'webhook-signature': received?.headers['webhook-signature'],
    'webhook-timestamp': received?.headers['webhook-timestamp'],
  })
})

onEveryEngine('one that fails is tried by the table while later ones go on', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.otherwise = (response, { event }) => response.writeHead(event.seq === 1 ? 500 : 200).end('why')
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received', 'message.status')
  await receiver.count(2)
  await world.settled()
  const delivery = async () => {
    const { data } = await world.webhooks.deliveries(world.mailboxId, id, { limit: 100 })
    return data.find(({ event }) => event.seq === 1)
  }
  let at = world.clock.now()
  for (const [tries, wait] of WEBHOOK_WAITS_MS.entries()) {
    t.match(await delivery(), {
      status: 'waiting',
      attempts: tries + 1,
      next_attempt_at: new Date(at + wait).toISOString(),
      last_attempt: { status_code: 500, response_body: 'why' },
    })
    await world.later(wait - 1)
    t.equal(receiver.received.length, tries + 2, 'not before its time')
    await world.happen('message.updated')
    await receiver.count(tries + 3)
    await world.settled()
    receiver.received.pop()
    await world.later(1)
    await world.settled()
    at = world.clock.now()
  }
  t.match(await delivery(), { status: 'failed', next_attempt_at: null })
  t.equal((await world.webhooks.get(world.mailboxId, id)).enabled, true, 'others were taken in the meantime')
})

onEveryEngine('a receiver that takes nothing for days is disabled, with an event and a letter', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.otherwise = 503
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  for (const wait of WEBHOOK_WAITS_MS) await world.later(wait)
  const webhook = await world.webhooks.get(world.mailboxId, id)
  t.match(webhook, { enabled: false, disabled: { reason: 'failing' } })
  t.match(webhook.deliveries, { last_seq: 1, events_waiting: 1 }, 'the event about it is the next one')
  t.match(world.letters, [{ letter: { to: 'owner@example.org', subject: /disabled/ } }])
  await world.happen('message.received')
  await world.later(DAY)
  t.equal(receiver.received.length, 1 + WEBHOOK_WAITS_MS.length, 'nothing is sent while it is disabled')

  receiver.otherwise = 200
  const enabled = await world.webhooks.change(world.mailboxId, id, { enabled: true })
  t.match(enabled, { enabled: true, disabled: null, deliveries: { events_waiting: 2 } })
  await receiver.count(3 + WEBHOOK_WAITS_MS.length)
  await world.settled()
  const last = receiver.received.slice(-2).map(({ event }) => event)
  t.match(
    last.sort((a, b) => a.seq - b.seq),
    [
      { type: 'webhook.disabled', data: { webhook_id: id, reason: 'failing', last_seq: 1 } },
      { type: 'message.received' },
    ],
  )
  t.equal(world.letters.length, 1)
})

onEveryEngine('410 disables at once', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.otherwise = 410
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  t.match(await world.webhooks.get(world.mailboxId, id), { enabled: false, disabled: { reason: 'gone' } })
  t.equal(world.letters.length, 1)
})

onEveryEngine('Retry-After stops the webhook for as long as it says', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.next = [(response) => response.writeHead(429, { 'Retry-After': '120' }).end()]
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  await world.happen('message.status')
  await world.later(119 * SECOND)
  t.equal(receiver.received.length, 1)
  t.not((await world.webhooks.get(world.mailboxId, id)).deliveries.paused_until, null)
  await world.later(SECOND)
  await receiver.count(3)
  t.same([...receiver.seqs()].sort(), [1, 1, 2])
})

onEveryEngine('a dead receiver holds up to 100 deliveries; when it is back all come at once', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.otherwise = 500
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen(...Array.from({ length: 300 }, () => 'message.received' as const))
  await receiver.count(100)
  await world.settled()
  const { deliveries } = await world.webhooks.get(world.mailboxId, id)
  t.ok(deliveries.retries_waiting >= 100 && deliveries.retries_waiting < 110, `${deliveries.retries_waiting} wait`)
  t.ok(deliveries.events_waiting >= 190, 'the others are behind the cursor')
  t.ok(receiver.received.length < 120, 'nobody is asked 300 times')
  receiver.otherwise = 200
  await world.later(5 * SECOND)
  const seen = new Set(receiver.seqs())
  t.equal(seen.size, 300)
  t.match(await world.webhooks.get(world.mailboxId, id), {
    deliveries: { last_seq: 300, events_waiting: 0, retries_waiting: 0, failing_since: null },
  })
})

onEveryEngine('a replay delivers again what was delivered, under the same ids', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received', 'message.status', 'message.updated')
  await receiver.count(3)
  await world.settled()
  await world.webhooks.replay(world.mailboxId, id, 1)
  await receiver.count(5)
  await world.settled()
  t.same([...receiver.seqs().slice(3)].sort(), [2, 3])
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  t.equal(ids.size, 3)
  await t.rejects(world.webhooks.replay(world.mailboxId, id, 4), { code: 'invalid_request', hint: /from 0 to 3/ })
})

onEveryEngine('changed types hold for what comes, not for what was left out before', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id } = await makeWebhook(world, receiver.url, ['message.received'])
  await world.happen('message.status', 'message.received', 'message.status')
  await receiver.count(1)
  await world.settled()
  await world.webhooks.change(world.mailboxId, id, { events: ['message.status'] })
  await world.happen('message.status', 'message.received')
  await receiver.count(2)
  await world.settled()
  t.same(receiver.seqs(), [2, 4])
})

onEveryEngine('one that is enabled with skip_missed begins with the next event', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.next = [500]
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  await world.webhooks.change(world.mailboxId, id, { enabled: false })
  await world.happen('message.received', 'message.received')
  await world.webhooks.change(world.mailboxId, id, { enabled: true, skipMissed: true })
  await world.happen('message.status')
  await receiver.count(2)
  await world.later(DAY)
  t.same(receiver.seqs(), [1, 4])
  const { data } = await world.webhooks.deliveries(world.mailboxId, id, { limit: 10 })
  t.same(
    data.map(({ event, status }) => [event.seq, status]),
    [
      [4, 'succeeded'],
      [1, 'skipped'],
    ],
  )
})

onEveryEngine('of a suspended account only what is about the account is told', async (t, world) => {
  const receiver = await receiverFor(t)
  await makeWebhook(world, receiver.url)
  world.account.status = 'suspended'
  await world.happen('account.suspended')
  await receiver.count(1)
  await world.happen('message.received')
  await world.settled()
  t.same(receiver.seqs(), [1])
  world.account.status = 'active'
  await world.happen('account.reinstated')
  await receiver.count(3)
  t.same([...receiver.seqs()].sort(), [1, 2, 3])
})

onEveryEngine('for a day after a rotation both secrets sign, then the new one alone', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id, secret: old, publicKey: oldKey } = await makeWebhook(world, receiver.url)
  const { secret, webhook } = await world.webhooks.rotate(world.mailboxId, id, 24)
  const key = webhook.public_keys[0]?.key ?? ''
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  const [first] = receiver.received
  if (!first) throw new Error('nothing came')
  t.same([isSignedBy(old, first), isSignedBy(secret, first)], [true, true])
  t.same([isSignedFor(oldKey, first), isSignedFor(key, first)], [true, true])
  await world.later(24 * HOUR)
  await world.happen('message.received')
  await receiver.count(2)
  const second = receiver.received[1]
  if (!second) throw new Error('nothing came')
  t.same([isSignedBy(old, second), isSignedBy(secret, second)], [false, true])
  t.same([isSignedFor(oldKey, second), isSignedFor(key, second)], [false, true])
  await world.webhooks.rotate(world.mailboxId, id, 24)
  await world.webhooks.rotate(world.mailboxId, id, 24)
  await t.rejects(world.webhooks.rotate(world.mailboxId, id, 24), { code: 'rate_limited' })
  const { webhook: only } = await world.webhooks.rotate(world.mailboxId, id, 0)
  t.equal(only.public_keys.length, 1)
})

onEveryEngine('events that had their time before anybody could deliver them are named', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id } = await makeWebhook(world, receiver.url)
  await world.webhooks.change(world.mailboxId, id, { enabled: false })
  await world.happen('message.received', 'message.received')
  await world.later(31 * DAY)
  await world.happen('message.received')
  await sweepMailbox(world.store, world.mailboxId, world.clock.now(), { eventsMs: 30 * DAY })
  await world.webhooks.change(world.mailboxId, id, { enabled: true })
  await receiver.count(1)
  await world.settled()
  t.same(receiver.seqs(), [3])
  t.same((await world.webhooks.get(world.mailboxId, id)).deliveries.missed, { from_seq: 1, to_seq: 2 })
  await t.rejects(world.webhooks.replay(world.mailboxId, id, 0), { code: 'invalid_request', hint: /from 2 to 3/ })
})

onEveryEngine('after a restore a webhook goes on, and nothing counts as missed', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id } = await makeWebhook(world, receiver.url)
  const [first = 0] = await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  await world.stop()
  await markRestored(world.store, world.clock.now())
  t.equal(await continueNumbering(world.store), 1)
  const after = await makeWorld(t, world.store, world)
  const [second = 0] = await after.happen('message.received')
  await after.later(0)
  t.ok(second > world.clock.now(), 'past whatever was given')
  await receiver.count(2)
  await after.settled()
  t.same(receiver.seqs(), [first, second])
  t.equal((await after.webhooks.get(world.mailboxId, id)).deliveries.missed, null)
})

onEveryEngine('old deliveries go by age and by number; those that wait stay', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.otherwise = (response, { event }) => response.writeHead(event.seq === 1 ? 500 : 204).end()
  const { id } = await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  const retention = { eventsMs: 30 * DAY, webhookDeliveriesMs: DAY }
  await world.happen(...Array.from({ length: 1300 }, () => 'message.updated' as const))
  await receiver.count(1301)
  await world.settled()
  const all = async () => {
    const found = []
    for (let cursor: string | undefined; ;) {
      const page = await world.webhooks.deliveries(world.mailboxId, id, { limit: 100, cursor })
      found.push(...page.data)
      if (page.next_cursor === null) return found
      cursor = page.next_cursor
    }
  }
  const kept = await all()
  t.ok(kept.length >= 1000 && kept.length < 1200, `${kept.length} are kept`)
  t.equal(kept.at(-1)?.event.seq, 1, 'the one that waits is the oldest')
  t.equal(kept[0]?.event.seq, 1301)
  world.clock.advance(2 * DAY)
  await sweepMailbox(world.store, world.mailboxId, world.clock.now(), retention)
  t.same(
    (await all()).map(({ event }) => event.seq),
    [1],
  )
})

onEveryEngine('a webhook that is removed, or goes with its mailbox, leaves nothing', async (t, world) => {
  const receiver = await receiverFor(t)
  receiver.otherwise = 500
  const { id } = await makeWebhook(world, receiver.url)
  await makeWebhook(world, receiver.url)
  await world.happen('message.received')
  await receiver.count(2)
  await world.settled()
  await world.webhooks.remove(world.mailboxId, id)
  await t.rejects(world.webhooks.get(world.mailboxId, id), { code: 'not_found' })
  await world.settled()
  t.equal([...world.dispatcher.lanes].length, 1)
  const blobs = await openBlobs({ dir: t.testdir(), clock: world.clock })
  await removeMailbox({ store: world.store, blobs }, world.mailboxId)
  await world.later(MINUTE)
  t.equal([...world.dispatcher.lanes].length, 0)
  const rows = await world.store.read(webhooksPartition(world.mailboxId), (view) => view.range(prefixRange()))
  t.same(rows, [])
  t.equal(receiver.received.length, 2)
})

onEveryEngine('a test and a redelivery show the answer, and count for nothing', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id, secret } = await makeWebhook(world, receiver.url)
  const test = await world.webhooks.test(world.mailboxId, id)
  t.match(test, { taken: true, event: { type: 'webhook.test' }, attempt: { status_code: 204, by_hand: true } })
  const [first] = receiver.received
  t.match(first?.event, { seq: 0, type: 'webhook.test', data: { webhook_id: id } })
  t.ok(first && isSignedBy(secret, first))

  receiver.next = [500, 502]
  await world.happen('message.received')
  await receiver.count(2)
  await world.settled()
  const { data } = await world.webhooks.deliveries(world.mailboxId, id, { limit: 1 })
  const [waiting] = data
  const failed = await world.webhooks.redeliver(world.mailboxId, id, waiting?.id ?? '')
  t.match(failed, { status: 'waiting', next_attempt_at: waiting?.next_attempt_at, last_attempt: { status_code: 502 } })
  const again = await world.webhooks.redeliver(world.mailboxId, id, waiting?.id ?? '')
  t.match(again, { status: 'succeeded', next_attempt_at: null, attempts: 3, last_attempt: { by_hand: true } })
  await world.later(DAY)
  t.equal(receiver.received.length, 4, 'it waits no more')
  for (let n = 0; n < 27; n++) await world.webhooks.test(world.mailboxId, id)
  await t.rejects(world.webhooks.test(world.mailboxId, id), { code: 'rate_limited' })
})

onEveryEngine('events of spam go to the webhooks that ask for them, from then on', async (t, world) => {
  const receiver = await receiverFor(t)
  const { id } = await makeWebhook(world, receiver.url)
  const spam = () =>
    changeMailbox(world.store, world.mailboxId, async (_tx, mailbox) =>
      appendEvent(mailbox, world.clock.now(), 'message.received', { labels: ['spam'] }),
    )
  await spam()
  await world.happen('message.received')
  await receiver.count(1)
  await world.settled()
  t.same(receiver.seqs(), [2])
  const before = await world.webhooks.get(world.mailboxId, id)
  t.match(before, { include_spam: false, deliveries: { events_waiting: 0 } })
  const after = await world.webhooks.change(world.mailboxId, id, { includeSpam: true })
  t.equal(after.include_spam, true)
  await spam()
  await receiver.count(2)
  await world.settled()
  t.same(receiver.seqs(), [2, 3], 'and not what was left out before')
  await world.webhooks.change(world.mailboxId, id, { includeSpam: false })
  await spam()
  await world.happen('message.received')
  await receiver.count(3)
  await world.settled()
  t.same(receiver.seqs(), [2, 3, 5])
})
