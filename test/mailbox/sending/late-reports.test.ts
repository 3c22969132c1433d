import type { RecipientReport } from '../../../src/mailbox/delivery/bounce-proof.js'
import type { RecipientResult } from '../../../src/mailbox/sending/outbound-mail.js'
import { eventsOf, onEveryEngine, present, type World } from '../world.js'

const result = (address: string, status: RecipientResult['status']): RecipientResult => ({
  address,
  status,
  smtpCode: status === 'delivered' ? 250 : 451,
  detail: `${status} reply`,
  nextAttemptAt: null,
})
const report = (address: string, kind: RecipientReport['kind']): RecipientReport => ({
  address,
  kind,
  smtpCode: kind === 'bounced' ? 550 : null,
  detail: `5.1.1 ${kind}`,
})

async function sentTo(world: World, results: Record<string, RecipientResult['status']>): Promise<string> {
  const { mailboxes, id } = world
  const sent = await world.send({ to: Object.keys(results).map((address) => ({ address, name: '' })) })
  await mailboxes.outbound.runCheck(id, sent.id)
  await mailboxes.outbound.startSending(id, sent.id)
  await mailboxes.outbound.recordAttempt(
    id,
    sent.id,
    Object.entries(results).map(([address, status]) => result(address, status)),
  )
  return sent.id
}

onEveryEngine('a bounce that comes after the delivery takes it back, once', async (t, world) => {
  const { mailboxes, id } = world
  const messageId = await sentTo(world, { 'ada@example.org': 'delivered', 'bob@example.org': 'delivered' })
  const before = (await world.record()).seq
  const message = present(await mailboxes.outbound.recordReport(id, messageId, [report('Ada@Example.org', 'bounced')]))
  t.match(message, {
    status: 'partially_delivered',
    recipients: [
      { address: 'ada@example.org', status: 'bounced', smtp_code: 550, detail: '5.1.1 bounced' },
      { address: 'bob@example.org', status: 'delivered' },
    ],
  })
  await mailboxes.outbound.recordReport(id, messageId, [report('ada@example.org', 'bounced')])
  const events = await eventsOf(world, before)
  t.match(events, [{ type: 'message.status', data: { message_id: messageId, status: 'partially_delivered' } }])
  t.equal(events.length, 1)
  t.match(await mailboxes.outbound.recordReport(id, messageId, [report('bob@example.org', 'bounced')]), {
    status: 'bounced',
  })
})

onEveryEngine('a complaint is told of its recipient, and the message stays delivered', async (t, world) => {
  const messageId = await sentTo(world, { 'ada@example.org': 'delivered' })
  const message = await world.mailboxes.outbound.recordReport(world.id, messageId, [
    report('ada@example.org', 'complained'),
  ])
  t.match(message, { status: 'delivered', recipients: [{ status: 'complained' }] })
})

onEveryEngine('a delay on the way is told in the words of the recipient, once', async (t, world) => {
  const messageId = await sentTo(world, { 'ada@example.org': 'delivered' })
  const delayed = { ...report('ada@example.org', 'delayed'), detail: '4.4.1 host is down' }
  const message = await world.mailboxes.outbound.recordReport(world.id, messageId, [delayed])
  t.match(message, {
    status: 'delivered',
    recipients: [{ status: 'delivered', smtp_code: 250, detail: 'delayed on its way: 4.4.1 host is down' }],
  })
  const { seq } = await world.record()
  await world.mailboxes.outbound.recordReport(world.id, messageId, [{ ...delayed, detail: 'and again' }])
  t.equal((await world.record()).seq, seq)
})

onEveryEngine('a report about somebody else changes nothing, unless there is one recipient only', async (t, world) => {
  const { mailboxes, id } = world
  const many = await sentTo(world, { 'ada@example.org': 'delivered', 'bob@example.org': 'delivered' })
  const { seq } = await world.record()
  t.match(await mailboxes.outbound.recordReport(id, many, [report('eve@example.net', 'bounced')]), {
    status: 'delivered',
  })
  t.equal((await world.record()).seq, seq, 'no event')
  const one = await sentTo(world, { 'ada@example.org': 'delivered' })
  const forwarded = await mailboxes.outbound.recordReport(id, one, [report('ada@forwarded.example', 'bounced')])
  t.match(forwarded, { status: 'bounced', recipients: [{ address: 'ada@example.org', status: 'bounced' }] })
})

onEveryEngine('a bounce before our own record of the delivery counts', async (t, world) => {
  const { mailboxes, id } = world
  const messageId = await sentTo(world, { 'ada@example.org': 'deferred', 'bob@example.org': 'delivered' })
  t.match(await mailboxes.outbound.recordReport(id, messageId, [report('ada@example.org', 'bounced')]), {
    status: 'partially_delivered',
  })
  t.match(await mailboxes.outbound.recordAttempt(id, messageId, [result('ada@example.org', 'delivered')]), {
    recipients: [{ status: 'bounced' }, {}],
  })
})

onEveryEngine('nothing comes back about a message that never left', async (t, world) => {
  const { mailboxes, id } = world
  const sent = await world.send()
  t.equal(await mailboxes.outbound.recordReport(id, sent.id, [report('ada@example.org', 'bounced')]), undefined)
  t.match(await mailboxes.reading.message(id, sent.id), { status: 'queued' })
  t.equal(await mailboxes.outbound.recordReport(id, 'msg_01J00000000000000000000000', []), undefined)
})
