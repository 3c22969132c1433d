import { HOUR } from '../../../src/lib/clock.js'
import { putSchema, SCHEMA_PARTITION, SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { accepted, eventsOf, letter, onEveryEngine, present, tasksOf, type World } from '../world.js'

const AGENT = { by: { type: 'key' as const, id: 'key_1', requiresApproval: false } }
const PAUSED = { code: 'mailbox_paused' }

const pause = (w: World, what: 'sending' | 'all' = 'sending') => w.mailboxes.pausing.pause(w.id, { what, by: 'human' })
const resume = (w: World) => w.mailboxes.pausing.resume(w.id, 'human')

onEveryEngine('an agent sends nothing while its mailbox is paused, in any way; its human does', async (t, w) => {
  const { sending } = w.mailboxes
  const original = await w.deliver()
  const draft = await w.mailboxes.drafts.create(w.id, { to: letter().to, subject: 'Draft', text: 'Words.' }, {})
  await pause(w)
  const before = await w.record()
  t.match(before.paused, { what: 'sending', at: w.clock.now(), by: 'human' })
  const reply = { text: 'Yes.', html: null, attachments: [], all: false }
  const forward = { to: letter().to, cc: [], bcc: [], text: '', includeAttachments: false }
  const ways: Record<string, () => Promise<unknown>> = {
    send: () => sending.send(w.id, letter(), AGENT),
    connection: () => sending.send(w.id, letter(), { by: { ...AGENT.by, type: 'connection' } }),
    later: () => sending.send(w.id, letter({ sendAt: w.clock.now() + HOUR }), AGENT),
    asking: () => sending.send(w.id, letter(), { ...AGENT, requiresApproval: true }),
    dry: () => sending.send(w.id, letter(), { ...AGENT, dryRun: true }),
    reply: () => sending.reply(w.id, original.id, reply, AGENT),
    forward: () => sending.forward(w.id, original.id, forward, AGENT),
    draft: () => sending.sendDraft(w.id, draft.id, AGENT),
  }
  for (const [name, way] of Object.entries(ways)) await t.rejects(way(), PAUSED, name)
  t.same(await w.record(), before, 'nothing is left of any')
  t.match(accepted(await sending.send(w.id, letter(), {})), { status: 'queued' })
  t.ok(await w.deliver(), 'mail still arrives')
  await resume(w)
  t.equal((await w.record()).paused, undefined)
  t.match(accepted(await sending.sendDraft(w.id, draft.id, AGENT)), { status: 'queued' })
})

onEveryEngine('a retry of what was accepted before the pause is answered as before', async (t, w) => {
  const options = { ...AGENT, idempotencyKey: 'one' }
  const first = accepted(await w.mailboxes.sending.send(w.id, letter({ subject: 'Once' }), options))
  await pause(w)
  t.same(await w.mailboxes.sending.send(w.id, letter({ subject: 'Once' }), options), first)
  await t.rejects(
    w.mailboxes.sending.send(w.id, letter({ subject: 'Other' }), { ...AGENT, idempotencyKey: 'two' }),
    PAUSED,
  )
})

onEveryEngine('pausing and resuming are told by events, once each', async (t, w) => {
  await pause(w)
  await pause(w)
  await pause(w, 'all')
  await resume(w)
  await resume(w)
  t.match(
    (await eventsOf(w)).map(({ type, data }) => [type, data]),
    [
      ['mailbox.paused', { what: 'sending', by: 'human' }],
      ['mailbox.paused', { what: 'all', by: 'human' }],
      ['mailbox.resumed', { by: 'human' }],
    ],
  )
  await t.rejects(w.mailboxes.pausing.pause('mbx_none', { what: 'all', by: 'operator' }), { code: 'not_found' })
  await t.rejects(w.mailboxes.pausing.resume('mbx_none', 'operator'), { code: 'not_found' })
})

onEveryEngine('what was sent before the pause waits, and what the human sends does not', async (t, w) => {
  const { outbound } = w.mailboxes
  const [before] = [await w.send({ to: [{ address: 'ada@peer.test', name: '' }] })]
  t.equal((await outbound.message(w.id, before.id))?.isPaused, undefined)
  await pause(w)
  await pause(w, 'all')
  const after = await w.send()
  t.equal((await outbound.message(w.id, before.id))?.isPaused, true)
  t.equal((await outbound.message(w.id, after.id))?.isPaused, undefined)

  const task = (messageId: string, domain: string) => ({ mailbox_id: w.id, message_id: messageId, domain })
  t.equal(await outbound.park(task(after.id, 'example.org'), `${after.id}:example.org`), false)
  t.equal(await outbound.park(task('msg_none', 'peer.test'), 'msg_none:peer.test'), false)
  t.equal(await outbound.park(task(before.id, 'peer.test'), `${before.id}:peer.test`), true)
  const events = (await eventsOf(w)).length
  t.equal(await outbound.park(task(before.id, 'peer.test'), `${before.id}:peer.test`), true, 'again')
  t.equal((await eventsOf(w)).length, events, 'which is told once')
  t.match((await w.mailboxes.reading.message(w.id, before.id)).recipients, [
    { status: 'queued', detail: 'waits, because the mailbox is paused', next_attempt_at: null, attempts: 0 },
  ])
  t.same(await outbound.parked(w.id, 10), [], 'none goes on yet')
  t.same(await tasksOf(w, 'resume'), [])

  await resume(w)
  const first = await outbound.parked(w.id, 10)
  t.match(first, [{ id: `${before.id}:peer.test`, at: w.clock.now() }])
  t.equal((await tasksOf(w, 'resume')).length, 1)
  t.equal(await outbound.park(task(before.id, 'peer.test'), `${before.id}:peer.test`), false, 'it need not wait')

  await pause(w)
  t.equal(await outbound.park(task(before.id, 'peer.test'), `${before.id}:peer.test`), true, 'a second pause')
  await outbound.unpark(w.id, first)
  await resume(w)
  const second = await outbound.parked(w.id, 10)
  t.equal(second.length, 1, 'what goes on after the first one does not forget it')
  await outbound.unpark(w.id, second)
  t.same(await outbound.parked(w.id, 10), [])
})

onEveryEngine('a scheduled message whose time comes in a pause is queued, and waits with the others', async (t, w) => {
  const { outbound, sending } = w.mailboxes
  const { id } = accepted(await sending.send(w.id, letter({ sendAt: w.clock.now() + HOUR }), AGENT))
  await pause(w)
  w.clock.advance(HOUR)
  t.equal(await outbound.runScheduled(w.id, id), 'done')
  t.match(await outbound.message(w.id, id), { isPaused: true, message: { status: 'queued' } })
  t.match(await sending.cancel(w.id, id), { status: 'cancelled' }, 'its sender can still withdraw it')
})

onEveryEngine('of sends at the moment of the pause, each one is there before it or not at all', async (t, w) => {
  const { sending } = w.mailboxes
  const sends = Array.from({ length: 50 }, async (_, i) => {
    await new Promise((resolve) => setTimeout(resolve, i % 10))
    return sending.send(w.id, letter({ subject: `Number ${i}` }), AGENT)
  })
  const pausing = new Promise((resolve) => setTimeout(resolve, 5)).then(() => pause(w))
  const [ended] = await Promise.all([Promise.allSettled(sends), pausing])
  const { paused, sentCount } = await w.record()
  let there = 0
  for (const each of ended) {
    if (each.status === 'rejected') t.match(each.reason, PAUSED)
    else {
      there++
      const { id } = accepted(each.value)
      t.equal((await w.mailboxes.outbound.message(w.id, id))?.isPaused, true, 'it was accepted before the pause')
    }
  }
  t.equal(sentCount, there)
  t.ok(present(paused).seq >= there)
  t.equal((await w.mailboxes.reading.messages(w.id, { limit: 100 })).data.length, there, 'nothing else exists')
})

onEveryEngine('a program from before pauses keeps others from pausing', async (t, w) => {
  await w.store.write(SCHEMA_PARTITION, (tx) => putSchema(tx, { version: SCHEMA_VERSION - 1, by: 'test' }))
  await t.rejects(pause(w), { code: 'unavailable' })
  t.equal((await w.record()).paused, undefined)
})
