import { DAY } from '../../../src/lib/clock.js'
import { createActivity } from '../../../src/mailbox/reading/activity.js'
import { newId } from '../../../src/lib/ids.js'
import { accepted, eventsOf, letter, onEveryEngine, SEND, type World } from '../world.js'

const DAYS = 30
const to = (...addresses: string[]) => addresses.map((address) => ({ address, name: '' }))
const activity = (w: World, atMost?: number) => createActivity(w.store, atMost)(w.id, w.clock.now(), DAYS)
const daysWithMail = async (w: World) =>
  (await activity(w)).days.flatMap(({ day: _day, ...counts }, i) =>
    Object.values(counts).some((each) => typeof each === 'number' && each > 0)
      ? [{ ago: DAYS - 1 - i, ...counts }]
      : [],
  )
const by = (type: 'key' | 'connection', id: string) => ({ by: { type, id, requiresApproval: false } })

const HUMAN = { type: 'session', key_id: null }

onEveryEngine('each day says with which key or connection mail was asked for, also of deleted mail', async (t, w) => {
  const { sending, trash } = w.mailboxes
  const [key, connection] = [newId('key'), newId('con')]
  const first = accepted(await sending.send(w.id, letter(), by('key', key)))
  await sending.send(w.id, letter(), by('key', key))
  w.guard.verdict = { ...SEND, decision: 'block' }
  const blocked = accepted(await sending.send(w.id, letter(), by('connection', connection)))
  await w.mailboxes.outbound.recordAttempt(w.id, first.id, [
    { address: letter().to[0]?.address ?? '', status: 'delivered', smtpCode: 250, detail: 'ok', nextAttemptAt: null },
  ])
  await trash.deleteMessage(w.id, blocked.id)
  await trash.purge(w.id, blocked.id)
  t.same(
    (await daysWithMail(w)).map(({ requesters }) => requesters),
    [
      [
        { by: { type: 'key', key_id: key }, messages: 2 },
        { by: { type: 'connection', key_id: connection }, messages: 1 },
      ],
    ],
  )
  t.match((await eventsOf(w)).find(({ data }) => data['status'] === 'blocked')?.data, {
    requested_by: { type: 'connection', key_id: connection },
  })
})

onEveryEngine('an empty mailbox has days without anything', async (t, w) => {
  const { days, recipients, completeFrom } = await activity(w)
  const today = Math.floor(w.clock.now() / DAY)
  t.same(
    days.map(({ day }) => day),
    Array.from({ length: DAYS }, (_, i) => today - DAYS + 1 + i),
  )
  t.same(days.at(-1), { day: today, received: 0, sent: 0, held: 0, blocked: 0, bounced: 0, requesters: [] })
  t.same([recipients, completeFrom], [[], today - DAYS + 1])
})

onEveryEngine('messages count on the day on which it happened, once, whatever is told of them later', async (t, w) => {
  await w.deliver()
  w.clock.advance(40 * DAY)
  await w.deliver()
  await w.deliver()
  const twice = await w.send({ to: to('ada@example.org', 'bob@example.org') })
  await w.send({ to: to('bob@example.org') })
  w.clock.advance(DAY)
  w.guard.verdict = { ...SEND, decision: 'hold' }
  const held = await w.send({ to: to('eve@example.org') })
  w.guard.verdict = { ...SEND, decision: 'block' }
  await w.send({ to: to('eve@example.org') })
  const results = (status: 'deferred' | 'bounced') => [
    { address: 'ada@example.org', status, smtpCode: 550, detail: 'no', nextAttemptAt: null },
  ]
  await w.mailboxes.outbound.recordAttempt(w.id, twice.id, results('deferred'))
  w.clock.advance(DAY)
  await w.mailboxes.outbound.recordAttempt(w.id, twice.id, results('bounced'))
  await w.mailboxes.outbound.recordAttempt(w.id, twice.id, [
    { address: 'bob@example.org', status: 'delivered', smtpCode: 250, detail: 'ok', nextAttemptAt: null },
  ])
  await w.mailboxes.sending.cancel(w.id, held.id)
  t.same(await daysWithMail(w), [
    { ago: 2, received: 2, sent: 2, held: 0, blocked: 0, bounced: 0, requesters: [{ by: HUMAN, messages: 2 }] },
    { ago: 1, received: 0, sent: 0, held: 1, blocked: 1, bounced: 0, requesters: [{ by: HUMAN, messages: 2 }] },
    { ago: 0, received: 0, sent: 0, held: 0, blocked: 0, bounced: 1, requesters: [] },
  ])
  t.same((await activity(w)).recipients, [
    { address: 'bob@example.org', messages: 2 },
    { address: 'ada@example.org', messages: 1 },
  ])
})

onEveryEngine('of a mailbox with too many events the days that are not whole are left out', async (t, w) => {
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 90; i++) await w.deliver()
    w.clock.advance(DAY)
  }
  const today = Math.floor(w.clock.now() / DAY)
  t.equal((await eventsOf(w)).length, 270)
  const { completeFrom, days } = await activity(w, 250)
  t.equal(completeFrom, today - 2, 'of the day before it only a part was looked at')
  t.equal(days.find(({ day }) => day === completeFrom)?.received, 90)
  t.equal((await activity(w)).completeFrom, today - DAYS + 1)
})
