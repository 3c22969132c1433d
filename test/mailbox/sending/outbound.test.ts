import t from 'tap'
import fc from 'fast-check'
import { HOUR, MINUTE } from '../../../src/lib/clock.js'
import type { MessageStatus } from '../../../src/mailbox/objects/objects.js'
import { statusFrom, TRANSITIONS } from '../../../src/mailbox/status.js'
import type { RecipientResult } from '../../../src/mailbox/sending/outbound-mail.js'
import { deliveryOf, eventsOf, onEveryEngine, SEND, tasksOf, uncheck, type World } from '../world.js'
import { tasksIn } from '../../support/store/tasks.js'

const to = (...addresses: string[]) => addresses.map((address) => ({ address, name: '' }))
const result = (
  address: string,
  status: RecipientResult['status'],
  nextAttemptAt: number | null = null,
): RecipientResult => ({
  address,
  status,
  smtpCode: { delivered: 250, deferred: 451, bounced: 550 }[status],
  detail: `${status} reply`,
  nextAttemptAt,
})
const statuses = async (world: World, messageId: string): Promise<unknown[]> =>
  (await eventsOf(world)).filter(({ data }) => data.message_id === messageId).map(({ data }) => data.status)

onEveryEngine('a message the guard lets go has one relay task a domain', async (t, world) => {
  const { mailboxes, id } = world
  const sent = await world.send({ to: to('ada@example.org', 'bob@Example.org'), cc: to('eve@example.net') })
  t.equal(sent.status, 'queued')
  const message = await mailboxes.reading.message(id, sent.id)
  t.match(message, { status: 'queued', check: { decision: 'send', category: 'legitimate', reviewed_by: null } })
  t.same(await tasksOf(world, 'relay'), [`${sent.id}:example.net`, `${sent.id}:example.org`])
  const [task] = await tasksIn(world.queue, 'relay', 10)
  t.match(task, { payload: { mailbox_id: id, message_id: sent.id }, due: world.clock.now() })
  const outbound = await mailboxes.outbound.message(id, sent.id)
  t.same(outbound, { message, raw: await mailboxes.reading.raw(id, sent.id), accountId: world.account.id })
  t.same(await statuses(world, sent.id), ['checking', 'queued'])
})

onEveryEngine('a message that an earlier version stored before its check is checked', async (t, world) => {
  const { mailboxes, id, account } = world
  const sent = await world.send()
  await uncheck(world, sent.id)
  await mailboxes.outbound.runCheck(id, sent.id)
  t.match(await mailboxes.reading.message(id, sent.id), { status: 'queued', check: { decision: 'send' } })
  t.same(await tasksOf(world, 'relay'), [`${sent.id}:example.org`])
  await mailboxes.outbound.runCheck(id, sent.id)
  t.same(await statuses(world, sent.id), ['checking', 'queued', 'queued'], 'a second check changes nothing')
  await mailboxes.outbound.runCheck(id, 'msg_01J00000000000000000000000')
  await mailboxes.outbound.runCheck('mbx_unknown', sent.id)
  t.same(await tasksOf(world, 'relay'), [`${sent.id}:example.org`], 'nor does one of what is not there')

  const stopped = await world.send()
  await uncheck(world, stopped.id)
  account.status = 'suspended'
  await mailboxes.outbound.runCheck(id, stopped.id)
  t.match(await mailboxes.reading.message(id, stopped.id), {
    status: 'held',
    check: { reasons: [{ code: 'account_stopped' }] },
  })
  t.same(await tasksOf(world, 'relay'), [`${sent.id}:example.org`])
})

onEveryEngine('a message is held or blocked as the guard says, and never without a verdict sent', async (t, world) => {
  const { mailboxes, id } = world
  const verdicts = [
    { verdict: { ...SEND, decision: 'hold' as const }, status: 'held', reason: 'no_findings' },
    { verdict: { ...SEND, decision: 'block' as const }, status: 'blocked', reason: 'no_findings' },
    { verdict: new Error('the model is gone'), status: 'held', reason: 'guard_failed' },
  ]
  for (const { verdict, status, reason } of verdicts) {
    world.guard.verdict = verdict
    const sent = await world.send()
    t.equal(sent.status, status, 'who sends is told at once')
    t.match(await mailboxes.reading.message(id, sent.id), { status, check: { reasons: [{ code: reason }] } })
    t.equal(await mailboxes.outbound.message(id, sent.id), undefined)
  }
  t.same(await tasksOf(world, 'relay'), [])
})

onEveryEngine('the relay does not take a message that is still being checked', async (t, world) => {
  const sent = await world.send()
  await uncheck(world, sent.id)
  t.equal(await world.mailboxes.outbound.message(world.id, sent.id), undefined)
  t.equal(await world.mailboxes.outbound.message(world.id, 'msg_01J00000000000000000000000'), undefined)
})

onEveryEngine('more than 20 messages an hour in one conversation are held', async (t, world) => {
  const { mailboxes, id } = world
  const status = async (): Promise<MessageStatus> => {
    const sent = await world.send({ subject: 'Loop' })
    return (await mailboxes.reading.message(id, sent.id)).status
  }
  for (let i = 0; i < 20; i++) t.equal(await status(), 'queued')
  const queued = (await tasksOf(world, 'relay')).length
  const held = await world.send({ subject: 'Loop' })
  t.equal((await tasksOf(world, 'relay')).length, queued, 'nothing is left to deliver it')
  t.match(await mailboxes.reading.message(id, held.id), {
    status: 'held',
    check: { decision: 'hold', reasons: [{ code: 'thread_rate' }, { code: 'no_findings' }] },
  })
  const other = await world.send({ subject: 'Another' })
  t.equal((await mailboxes.reading.message(id, other.id)).status, 'queued')
  world.clock.advance(HOUR)
  t.equal(await status(), 'queued')
})

onEveryEngine('each recipient’s results move the message on, and every change is told once', async (t, world) => {
  const { mailboxes, id, clock } = world
  const sent = await world.send({ to: to('ada@example.org', 'bob@example.org', 'eve@example.net') })
  await mailboxes.outbound.startSending(id, sent.id)
  await mailboxes.outbound.startSending(id, sent.id)
  clock.advance(MINUTE)
  const next = clock.now() + MINUTE
  const first = await mailboxes.outbound.recordAttempt(id, sent.id, [
    result('ADA@example.org', 'delivered'),
    result('bob@example.org', 'deferred', next),
    result('stranger@example.org', 'bounced'),
  ])
  t.match(first, { status: 'sent', sent_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:01:00.000Z' })
  t.match(first.recipients, [
    { address: 'ada@example.org', status: 'delivered', smtp_code: 250, attempts: 1, next_attempt_at: null },
    {
      address: 'bob@example.org',
      status: 'deferred',
      smtp_code: 451,
      attempts: 1,
      next_attempt_at: new Date(next).toISOString(),
    },
    { address: 'eve@example.net', status: 'queued', smtp_code: null, attempts: 0 },
  ])
  await mailboxes.outbound.recordAttempt(id, sent.id, [result('eve@example.net', 'bounced')])
  const last = await mailboxes.outbound.recordAttempt(id, sent.id, [result('bob@example.org', 'delivered')])
  t.equal(last.status, 'partially_delivered')
  t.equal(last.recipients[1]?.attempts, 2)
  t.same(
    await mailboxes.outbound.recordAttempt(id, sent.id, [result('bob@example.org', 'bounced')]),
    last,
    'who has ended stays so',
  )
  t.same(await statuses(world, sent.id), ['checking', 'queued', 'sending', 'sent', 'sent', 'partially_delivered'])
  t.equal(await mailboxes.outbound.message(id, sent.id), undefined)
  const event = (await eventsOf(world)).at(-1)
  t.match(event?.data, {
    thread_id: sent.thread_id,
    recipients: [
      {
        address: 'ada@example.org',
        status: 'delivered',
        smtp_code: 250,
        detail: 'delivered reply',
        next_attempt_at: null,
      },
      {},
      {},
    ],
    check: { decision: 'send' },
  })
  await t.rejects(mailboxes.outbound.recordAttempt(id, 'msg_01J00000000000000000000000', []), { code: 'not_found' })
})

t.test('every order of results keeps to the table of transitions', async (t) => {
  const statusesArbitrary = fc.constantFrom('deferred' as const, 'delivered' as const, 'bounced' as const)
  const keepsToTheTable = fc.property(
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.tuple(fc.nat(3), statusesArbitrary), { maxLength: 20 }),
    (count, results) => {
      const recipients = Array.from({ length: count }, (_, i) => ({
        address: `r${i}@example.org`,
        status: 'queued' as RecipientResult['status'] | 'queued',
        smtp_code: null,
        detail: null,
        attempts: 0,
        next_attempt_at: null,
        at: '2026-01-01T00:00:00.000Z',
      }))
      let status: MessageStatus = 'sending'
      for (const [pick, next] of results) {
        const recipient = recipients[pick % count]
        if (!recipient || recipient.status === 'delivered' || recipient.status === 'bounced') continue
        recipient.status = next
        const after = statusFrom(recipients)
        if (after !== status && !TRANSITIONS[status].includes(after)) throw new Error(`${status} to ${after}`)
        status = after
      }
      const ended = recipients.every((recipient) => recipient.status === 'delivered' || recipient.status === 'bounced')
      return ended === ['delivered', 'partially_delivered', 'bounced'].includes(status)
    },
  )
  t.doesNotThrow(() => fc.assert(keepsToTheTable))
})

onEveryEngine('a notice of failure joins the conversation once, with the new state or not at all', async (t, world) => {
  const { mailboxes, id } = world
  const sent = await world.send()
  await mailboxes.outbound.startSending(id, sent.id)
  const { raw, parsed } = await deliveryOf(id, { from: 'postmaster@agents.example', subject: 'Not delivered' })
  const failed = [result('ada@example.org', 'bounced')]
  const { seq } = await world.record()
  await mailboxes.outbound.recordAttempt(id, sent.id, failed, { notice: { raw, parsed, delayed: [] } })
  await mailboxes.outbound.recordAttempt(id, sent.id, failed, { notice: { raw, parsed, delayed: [] } })
  t.match(await eventsOf(world, seq), [
    { type: 'message.status', data: { status: 'bounced' } },
    {
      type: 'message.received',
      data: { thread_id: sent.thread_id, automation: 'bounce', labels: ['inbox', 'bounce'] },
    },
  ])
  const thread = await mailboxes.reading.thread(id, sent.thread_id)
  t.match([thread.message_count, thread.unread_count], [2, 1])
  t.same(await mailboxes.reading.raw(id, thread.messages[1]?.id ?? ''), raw)

  const other = await world.send()
  await mailboxes.outbound.runCheck(id, other.id)
  await mailboxes.outbound.startSending(id, other.id)
  const large = Buffer.concat([raw, Buffer.alloc(64 * 1024, 'x')])
  t.match(
    await mailboxes.outbound.recordAttempt(id, other.id, failed, { notice: { raw: large, parsed, delayed: [] } }),
    {
      status: 'bounced',
    },
  )
  t.equal(
    (await mailboxes.reading.thread(id, other.thread_id)).messages.filter(({ automation }) => automation).length,
    1,
  )

  const late = await world.send()
  await mailboxes.outbound.runCheck(id, late.id)
  await mailboxes.outbound.recordAttempt(id, late.id, [result('ada@example.org', 'deferred')], {
    notice: { raw, parsed, delayed: ['ada@example.org'] },
  })
  t.match(await mailboxes.outbound.message(id, late.id), { toldOfDelay: ['ada@example.org'] }, 'with the notice')
  t.notOk('toldOfDelay' in (await mailboxes.reading.message(id, late.id)))
})

onEveryEngine(
  'who does not exist, by the word of a server, is suppressed; by our own word nobody is',
  async (t, world) => {
    const { mailboxes, id } = world
    const words: [number | null, string, number][] = [
      [550, '550 5.1.1 no such user', 1],
      [550, '550-5.1.1 no such user 550 5.1.1 read more', 1],
      [553, '553 5.1.8 we do not like your domain', 0],
      [550, '550 5.7.1 refused', 0],
      [null, '5.1.2 the domain does not exist', 0],
    ]
    for (const [smtpCode, detail, count] of words) {
      world.suppressed.length = 0
      const sent = await world.send()
      await mailboxes.outbound.runCheck(id, sent.id)
      await mailboxes.outbound.startSending(id, sent.id)
      const ended = { ...result('ada@example.org', 'bounced'), smtpCode, detail }
      await mailboxes.outbound.recordAttempt(id, sent.id, [ended])
      await mailboxes.outbound.recordAttempt(id, sent.id, [ended])
      t.equal(world.suppressed.length, count, detail)
    }
  },
)

onEveryEngine('what an operator deletes is ended with its task and others of it go on', async (t, world) => {
  const { mailboxes, id } = world
  const sent = await world.send({ to: to('ada@example.org', 'eve@example.net') })
  t.equal(await mailboxes.outbound.recordDeletion(id, sent.id, 'example.org'), 1)
  t.same(await tasksOf(world, 'relay'), [`${sent.id}:example.net`])
  t.match((await mailboxes.reading.message(id, sent.id)).recipients, [{ status: 'bounced' }, { status: 'queued' }])
  t.equal(await mailboxes.outbound.recordDeletion('mbx_gone', sent.id, 'example.net'), 0, 'nothing is there to be told')
  t.same(await tasksOf(world, 'relay'), [], 'but a task without its mailbox goes')
})
