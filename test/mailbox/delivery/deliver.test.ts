import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { DAY } from '../../../src/lib/clock.js'
import { messageSchema, threadWithMessagesSchema } from '../../../src/mailbox/objects/objects.js'
import { listMailboxes } from '../../../src/mailbox/all-mailboxes.js'
import { createMailbox, removeMailbox } from '../../../src/mailbox/record.js'
import { mailboxPartition, searchPartition } from '../../../src/mailbox/keys.js'
import { isRawReferenced } from '../../../src/mailbox/raw.js'
import { prefixRange } from '../../../src/store/keys.js'
import { deliveryOf, dryRun, eventsOf, letter, LIMITS, onEveryEngine, present } from '../world.js'

onEveryEngine('a delivered message is there whole: message, thread, event, raw text, counters', async (t, world) => {
  const { mailboxes, id } = world
  const delivery = await deliveryOf(id, {
    subject: 'Ünïcode',
    text: 'Hello agent.',
    headers: ['Message-ID: <a@example.org>'],
  })
  const message = await mailboxes.delivery.deliver(delivery)
  t.ok(messageSchema.safeParse(message).success, 'it has the form that the API describes')
  t.match(message, {
    status: 'received',
    direction: 'inbound',
    labels: ['inbox'],
    unread: true,
    untrusted: true,
    subject: 'Ünïcode',
    message_id: 'a@example.org',
    size_bytes: delivery.raw.length,
    sent_at: '2026-01-01T00:00:00.000Z',
  })
  t.same(await mailboxes.reading.message(id, message.id), message)
  t.same(await mailboxes.reading.raw(id, message.id), delivery.raw)
  const thread = await mailboxes.reading.thread(id, message.thread_id)
  t.ok(threadWithMessagesSchema.safeParse(thread).success)
  t.match(thread, {
    subject: 'Ünïcode',
    unread_count: 1,
    message_count: 1,
    labels: ['inbox'],
    last_direction: 'inbound',
  })
  t.same(thread.participants, [{ address: 'ada@example.org', name: 'Ada' }], 'the mailbox itself is no participant')
  t.same(thread.messages, [message])
  const events = await eventsOf(world)
  t.equal(events.length, 1)
  t.match(events[0], {
    seq: 1,
    type: 'message.received',
    mailbox_id: id,
    data: { message_id: message.id, thread_id: thread.id, subject: 'Ünïcode', labels: ['inbox'], untrusted: true },
  })
  t.match(await world.record(), {
    messageCount: 1,
    receivedCount: 1,
    sentCount: 0,
    usedBytes: delivery.raw.length,
    today: { received: 1, sent: 0 },
    seq: 1,
  })
})

onEveryEngine('a large message goes to a file, and one for several mailboxes is one file', async (t, world) => {
  const { mailboxes, id, store, blobs } = world
  const other = await world.addMailbox('other-agent')
  const text = 'x'.repeat(70_000).replace(/(.{70})/g, '$1\r\n')
  const delivery = await deliveryOf(id, { text })
  const [first, second] = await Promise.all([
    mailboxes.delivery.deliver(delivery),
    mailboxes.delivery.deliver({ ...delivery, mailboxId: other }),
  ])
  t.same(await blobs.get(id, first.id), delivery.raw)
  t.same(await mailboxes.reading.raw(id, first.id), delivery.raw)
  t.same(await mailboxes.reading.raw(other, second.id), delivery.raw)
  t.equal(await isRawReferenced(store, id, first.id), true)
  t.equal(await isRawReferenced(store, id, second.id), false)
  await blobs.delete(id, first.id)
  const third = await mailboxes.delivery.deliver({ ...delivery, mailboxId: other })
  t.same(await mailboxes.reading.raw(other, third.id), delivery.raw, 'whatever becomes of the others’ copies')
})

onEveryEngine(
  'two deliveries with one Message-ID are two messages, two with one delivery id are one',
  async (t, world) => {
    const mail = { headers: ['Message-ID: <same@example.org>'], subject: 'Twice' }
    const first = await world.deliver(mail)
    const second = await world.deliver(mail)
    t.not(first.id, second.id)
    const local = await world.deliver({ ...mail, deliveryId: 'msg_1:agent@agents.example' })
    const again = await world.deliver({ ...mail, deliveryId: 'msg_1:agent@agents.example' })
    t.same(again, local)
    t.equal((await world.record()).messageCount, 3)
    t.equal((await eventsOf(world)).length, 3)
  },
)

onEveryEngine('mail over the quota is refused, and a pending mailbox has the smaller one', async (t, world) => {
  const pending = await world.addMailbox('pending-agent', 'pending')
  const text = 'y'.repeat(40_000).replace(/(.{70})/g, '$1\r\n')
  await world.deliver({ mailboxId: pending, text })
  const record = present(await world.mailboxes.directory.get(pending))
  t.equal(world.mailboxes.directory.hasRoom(record, LIMITS.pendingStorageBytes - record.usedBytes), true)
  t.equal(world.mailboxes.directory.hasRoom(record, LIMITS.pendingStorageBytes - record.usedBytes + 1), false)
  await t.rejects(world.deliver({ mailboxId: pending, text }), { code: 'quota_exceeded' })
  t.equal(present(await world.mailboxes.directory.get(pending)).messageCount, 1)
})

onEveryEngine('an answer finds the conversation of the newest message it refers to', async (t, world) => {
  const a = await world.deliver({ subject: 'One', headers: ['Message-ID: <a@x.example>'] })
  const b = await world.deliver({ subject: 'Two', headers: ['Message-ID: <b@x.example>'], from: 'bob@example.org' })
  t.not(a.thread_id, b.thread_id)
  const byReferences = await world.deliver({
    subject: 'Other words',
    from: 'carol@example.org',
    headers: ['References: <a@x.example> <b@x.example> <unknown@x.example>'],
  })
  t.equal(byReferences.thread_id, b.thread_id)
  const byParent = await world.deliver({
    subject: 'Other words again',
    from: 'dan@example.org',
    headers: ['In-Reply-To: <a@x.example>', 'References: <b@x.example>'],
  })
  t.equal(byParent.thread_id, a.thread_id)
  const thread = await world.mailboxes.reading.thread(world.id, a.thread_id)
  t.same(
    thread.messages.map(({ id }) => id),
    [a.id, byParent.id],
  )
  t.same(
    thread.participants.map(({ address }) => address),
    ['ada@example.org', 'dan@example.org'],
  )
})

onEveryEngine('nobody draws a conversation elsewhere by repeating a Message-ID', async (t, world) => {
  const genuine = await world.deliver({ subject: 'Genuine', headers: ['Message-ID: <a@x.example>'] })
  await world.deliver({ subject: 'Copy', from: 'eve@example.net', headers: ['Message-ID: <a@x.example>'] })
  const answer = await world.deliver({ subject: 'Re: x', headers: ['In-Reply-To: <a@x.example>'] })
  t.equal(answer.thread_id, genuine.thread_id)
})

onEveryEngine('one subject with a shared participant within 30 days is one conversation', async (t, world) => {
  const first = await world.deliver({ subject: 'Lunch?' })
  t.equal((await world.deliver({ subject: 'RE: lunch?' })).thread_id, first.thread_id)
  t.not((await world.deliver({ subject: 'Lunch?', from: 'bob@example.org' })).thread_id, first.thread_id)
  world.clock.advance(30 * DAY)
  t.equal((await world.deliver({ subject: 'Re: Lunch?' })).thread_id, first.thread_id)
  world.clock.advance(30 * DAY + 1)
  t.not((await world.deliver({ subject: 'Lunch?' })).thread_id, first.thread_id)
  const none = await world.deliver({ subject: 'Re: ' })
  t.not((await world.deliver({ subject: 'Re: ' })).thread_id, none.thread_id, 'an empty subject says nothing')
})

onEveryEngine('what an agent sends and what is answered is one conversation', async (t, world) => {
  const sent = await world.send({ subject: 'Question' })
  const { message_id } = await world.mailboxes.reading.message(world.id, sent.id)
  const answer = await world.deliver({ subject: 'Sv: Something', headers: [`In-Reply-To: <${message_id}>`] })
  t.equal(answer.thread_id, sent.thread_id)
  t.equal((await world.send({ subject: 'Re: question' })).thread_id, sent.thread_id)
})

onEveryEngine(
  'who wrote first costs nothing to answer, unless the author’s domain disowns the message',
  async (t, world) => {
    const results = (dmarc: 'pass' | 'fail' | 'none', spf: 'pass' | 'fail' | 'none'): AuthenticationResults => ({
      spf: { result: spf, domain: null },
      dkim: { result: 'none', domain: null, selector: null },
      dmarc: { result: dmarc, domain: null, policy: null },
      arc: { result: 'none' },
    })
    await world.deliver({ from: 'passed@example.org', auth: results('pass', 'pass') })
    await world.deliver({ from: 'local@agents.example', auth: null })
    await world.deliver({ from: 'nothing-known@example.org', auth: results('none', 'none') })
    await world.deliver({ from: 'forged@example.org', auth: results('fail', 'pass') })
    await world.deliver({ from: 'refused@example.org', auth: results('none', 'fail') })
    await world.deliver({ from: 'spam@example.org', auth: results('pass', 'pass'), labels: ['spam'] })
    const freshFor = async (address: string): Promise<string[]> => {
      const request = letter({ to: [{ address, name: '' }] })
      return dryRun(await world.mailboxes.sending.send(world.id, request, { dryRun: true })).new_recipients
    }
    t.same(await freshFor('PASSED@example.org'), [])
    t.same(await freshFor('local@agents.example'), [])
    t.same(await freshFor('nothing-known@example.org'), [])
    t.same(await freshFor('forged@example.org'), ['forged@example.org'])
    t.same(await freshFor('refused@example.org'), ['refused@example.org'])
    t.same(await freshFor('spam@example.org'), ['spam@example.org'])
  },
)

onEveryEngine('a notice from the null sender is marked as one', async (t, world) => {
  t.equal((await world.deliver({ envelopeFrom: '' })).automation, 'bounce')
  t.equal((await world.deliver()).automation, null)
})

onEveryEngine(
  'bounces, automatic answers, list mail and complaints can be listed by their labels',
  async (t, world) => {
    const kinds = [
      { header: 'X-Failed-Recipients: ada@example.org', label: 'bounce' },
      { header: 'Auto-Submitted: auto-replied', label: 'auto-reply' },
      { header: 'List-Id: <l.example>', label: 'list' },
    ]
    const complaint = 'Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\nx\r\n'
    t.same((await world.deliver({ raw: Buffer.from(complaint) })).labels, ['inbox', 'complaint'])
    for (const [i, { header, label }] of kinds.entries()) {
      const message = await world.deliver({ headers: [header], subject: `${label} ${i}` })
      t.same(message.labels, ['inbox', label])
      const { data } = await world.mailboxes.reading.threads(world.id, { limit: 10, label })
      t.same(
        data.map(({ id }) => id),
        [message.thread_id],
      )
    }
    t.match((await world.deliver({ headers: ['X-Failed-Recipients: ada@example.org'] })).report, {
      kind: 'delivery',
      recipients: [{ address: 'ada@example.org', action: 'failed' }],
    })
    t.same((await world.deliver({ headers: ['Precedence: bulk'], subject: 'News' })).labels, ['inbox'])
  },
)

onEveryEngine('an address resolves in any case and with a tag, and only on our domains', async (t, world) => {
  const { mailboxes, id } = world
  t.equal((await mailboxes.directory.resolve('Agent@Agents.Example'))?.id, id)
  t.equal((await mailboxes.directory.resolve('agent+news@agents.example'))?.id, id)
  t.equal(await mailboxes.directory.resolve('nobody@agents.example'), undefined)
  t.equal(await mailboxes.directory.resolve('agent@elsewhere.example'), undefined)
  t.equal(await mailboxes.directory.resolve(`${'a'.repeat(2000)}@agents.example`), undefined)
  t.equal(await mailboxes.directory.resolve('+@agents.example'), undefined)
})

onEveryEngine('huge text is cut, and says so', async (t, world) => {
  const message = await world.deliver({ text: `${'0123456789\r\n'.repeat(30_000)}` })
  t.equal(message.truncated, true)
  t.ok(message.text.length <= 256 * 1024)
  t.equal((await world.mailboxes.reading.raw(world.id, message.id)).length, message.size_bytes)
})

onEveryEngine('a removed mailbox leaves nothing, and takes nothing any more', async (t, world) => {
  const { store, blobs, id, mailboxes } = world
  const large = await world.deliver({ text: 'z'.repeat(70_000).replace(/(.{70})/g, '$1\r\n') })
  for (let i = 0; i < 5; i++) await world.deliver()
  await mailboxes.reading.threads(id, { limit: 5, q: 'hello' })
  const kept = await world.addMailbox('kept-agent')
  await removeMailbox({ store, blobs }, id)
  await removeMailbox({ store, blobs }, id)
  for (const partition of [mailboxPartition(id), searchPartition(id)]) {
    t.same(await store.read(partition, (view) => view.range({ ...prefixRange() })), [])
  }
  await t.rejects(blobs.get(id, large.id))
  t.same(
    (await listMailboxes(store)).map((mailbox) => mailbox.id),
    [kept],
  )
  await t.rejects(world.deliver(), { code: 'not_found' })
})

onEveryEngine('making a mailbox twice changes nothing', async (t, world) => {
  await world.deliver()
  const before = await world.record()
  const { id, address } = before
  await createMailbox(world.store, {
    id,
    address,
    agentName: null,
    claimId: null,
    status: 'pending',
    accountId: null,
    now: 5,
  })
  t.same(await world.record(), before)
})
