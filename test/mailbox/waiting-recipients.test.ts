/** Recipients of mail that delivery does not have stand as the message does. */
import { onEveryEngine, present, SEND } from './world.js'

onEveryEngine('recipients of held, blocked, scheduled and cancelled mail are not queued', async (t, world) => {
  const { mailboxes, id, guard, clock } = world
  const ends: [string, () => Promise<{ id: string }>][] = [
    ['queued', () => world.send()],
    [
      'held',
      () => {
        guard.verdict = { ...SEND, decision: 'hold' }
        return world.send()
      },
    ],
    [
      'blocked',
      () => {
        guard.verdict = { ...SEND, decision: 'block' }
        return world.send()
      },
    ],
    [
      'scheduled',
      () => {
        guard.verdict = SEND
        return world.send({ sendAt: clock.now() + 3_600_000 })
      },
    ],
    [
      'cancelled',
      async () => {
        const sent = await world.send()
        await mailboxes.sending.cancel(id, sent.id)
        return sent
      },
    ],
  ]
  for (const [status, send] of ends) {
    const sent = await send()
    const message = await mailboxes.reading.message(id, sent.id)
    t.match(message, { status, recipients: [{ status }] })
    const label = status === 'queued' ? ['sent'] : status === 'cancelled' ? [] : [status]
    t.same(message.labels, label, 'nothing is called sent before it was let go, or when it was taken back')
    const listed = await mailboxes.reading.messages(id, { limit: 10, q: `is:read`, status: message.status })
    t.match(listed.data, [{ id: sent.id, status, recipients: [{ status }] }], `listed by its status ${status}`)
    const { data } = await mailboxes.events(id, { after: 0, limit: 100, waitMs: 0 }, new AbortController().signal)
    const told = data.findLast((event) => event.data['message_id'] === sent.id)
    t.match(present(told).data, { status, recipients: [{ status }] })
  }
  t.equal((await world.record()).sentCount, 1, 'what is held, blocked, scheduled or cancelled is not counted as sent')
})

onEveryEngine('what is held or blocked gives back the new recipients that it cost', async (t, world) => {
  const { guard, recipients } = world
  const to = (name: string) => ({ to: [{ address: `${name}@example.org`, name: '' }] })
  await world.send(to('sent'))
  for (const decision of ['hold', 'block'] as const) {
    guard.verdict = { ...SEND, decision }
    await world.send(to(decision))
  }
  t.same(await recipients.known(), ['sent@example.org'])
})
