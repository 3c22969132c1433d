/** Withdrawing with a pause what waits: each state that waits, what stays, steps, and a process that dies in between. */
import { HOUR } from '../../../src/lib/clock.js'
import { createWithdrawing } from '../../../src/mailbox/pausing/withdrawing.js'
import type { SendOptions } from '../../../src/mailbox/sending/requests.js'
import { accepted, eventsOf, letter, onEveryEngine, SEND, tasksOf, type World } from '../world.js'

const AGENT: SendOptions = { by: { type: 'key', id: 'key_1', requiresApproval: false } }

const pause = (w: World) => w.mailboxes.pausing.pause(w.id, { what: 'sending', by: 'human' })
const withdraw = (w: World) => w.mailboxes.pausing.withdraw(w.id)
const send = async (w: World, request = {}, options = AGENT) =>
  accepted(await w.mailboxes.sending.send(w.id, letter(request), options)).id
const statusOf = async (w: World, id: string) => (await w.mailboxes.reading.message(w.id, id)).status

onEveryEngine('what is scheduled, checked, held or queued is cancelled, with its event, and kept', async (t, w) => {
  const queued = await send(w)
  const scheduled = await send(w, { sendAt: w.clock.now() + HOUR })
  w.guard.verdict = { ...SEND, decision: 'hold' }
  const held = await send(w)
  w.guard.verdict = SEND
  w.guard.others = { isDoubtful: () => true, ask: async () => SEND }
  const checking = await send(w)
  t.equal(await statusOf(w, checking), 'checking')
  await pause(w)
  const before = (await eventsOf(w)).length
  t.same(await withdraw(w), { withdrawn: 4, on_their_way: 0, has_more: false })
  for (const id of [queued, scheduled, held, checking])
    t.match(await w.mailboxes.reading.message(w.id, id), {
      status: 'cancelled',
      cancelled: { code: 'withdrawn', detail: 'Withdrawn with a pause of the mailbox' },
      recipients: [{ status: 'cancelled' }],
    })
  t.same(
    (await eventsOf(w)).slice(before).map(({ type, data }) => [type, data['message_id'], data['status']]),
    [scheduled, checking, held, queued].map((id) => ['message.status', id, 'cancelled']),
  )
  for (const kind of ['relay', 'scheduled', 'check']) t.same(await tasksOf(w, kind), [], kind)
  t.equal((await w.record()).scheduledCount, 0)
  t.same(await withdraw(w), { withdrawn: 0, on_their_way: 0, has_more: false }, 'again there is nothing')
})

onEveryEngine('what the human sent stays, before the pause and in it, and so does a draft that waits', async (t, w) => {
  const before = await send(w, { sendAt: w.clock.now() + HOUR }, {})
  await w.mailboxes.sending.send(w.id, letter(), { ...AGENT, requiresApproval: true })
  await pause(w)
  const after = await send(w, {}, {})
  t.same(await withdraw(w), { withdrawn: 0, on_their_way: 0, has_more: false })
  t.same([await statusOf(w, before), await statusOf(w, after)], ['scheduled', 'queued'])
  t.equal((await w.mailboxes.deciding.waiting(w.id)).length, 1)
})

onEveryEngine('a delivery that has begun is not stopped, and counted', async (t, w) => {
  const { outbound } = w.mailboxes
  const [leaving, deferred, waiting] = [await send(w), await send(w), await send(w)]
  const end = await outbound.beginDelivery(leaving)
  await outbound.recordAttempt(w.id, deferred, [
    { address: letter().to[0]?.address ?? '', status: 'deferred', smtpCode: 451, detail: 'later', nextAttemptAt: 1 },
  ])
  await pause(w)
  t.same(await withdraw(w), { withdrawn: 1, on_their_way: 2, has_more: false })
  end()
  t.same(await Promise.all([leaving, deferred, waiting].map((id) => statusOf(w, id))), [
    'queued',
    'sending',
    'cancelled',
  ])
})

onEveryEngine('nothing is withdrawn from a mailbox that is not paused, or from another one', async (t, w) => {
  const id = await send(w)
  t.same(await withdraw(w), { withdrawn: 0, on_their_way: 0, has_more: false })
  const other = await w.addMailbox('other')
  await w.mailboxes.pausing.pause(other, { what: 'all', by: 'human' })
  t.same(await w.mailboxes.pausing.withdraw(other), { withdrawn: 0, on_their_way: 0, has_more: false })
  t.equal(await statusOf(w, id), 'queued')
  await t.rejects(w.mailboxes.pausing.withdraw('mbx_none'), { code: 'not_found' })
})

onEveryEngine('it goes in steps, and after a crash the rest waits until it is called again', async (t, w) => {
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.push(await send(w))
  await pause(w)
  let left = 2
  const dying = createWithdrawing({
    store: w.store,
    cancel: async (mailboxId, messageId, how) => {
      if (left-- === 0) throw new Error('the process died')
      return w.mailboxes.sending.cancel(mailboxId, messageId, how)
    },
  })
  await t.rejects(dying.withdraw(w.id), { message: 'the process died' })
  const statuses = () => Promise.all(ids.map((id) => statusOf(w, id)))
  t.same(await statuses(), ['cancelled', 'cancelled', ...Array<string>(5).fill('queued')])
  t.match((await w.record()).paused, { what: 'sending' })
  const stepwise = createWithdrawing({ store: w.store, cancel: w.mailboxes.sending.cancel }, 3)
  t.match(await stepwise.withdraw(w.id), { withdrawn: 3, has_more: true })
  t.match(await stepwise.withdraw(w.id), { withdrawn: 2, has_more: false })
  t.same(await statuses(), Array<string>(7).fill('cancelled'))
  await w.mailboxes.pausing.resume(w.id, 'human')
  t.same(await tasksOf(w, 'relay'), [], 'nothing goes on')
})
