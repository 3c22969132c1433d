import { readState } from '../../../src/mailbox/message-rows.js'
import { changeMailbox } from '../../../src/mailbox/record.js'
import { moved, saveStatus } from '../../../src/mailbox/status.js'
import { onEveryEngine, SEND } from '../world.js'

onEveryEngine(
  'an owner sees what waits for review, the newest first, until it is decided',
  async (t, { mailboxes, ...world }) => {
    t.same(await mailboxes.reading.held(world.id, 10), [])
    world.guard.verdict = {
      ...SEND,
      decision: 'hold',
      reasons: [{ code: 'urgent_words', detail: 'It presses for time' }],
    }
    const first = await world.send({ subject: 'First' })
    world.clock.advance(1000)
    const second = await world.send({ subject: 'Second' })

    const held = await mailboxes.reading.held(world.id, 10)
    t.match(held, [
      { id: second.id, subject: 'Second', heldAt: world.clock.now(), reasons: [{ code: 'urgent_words' }] },
      { id: first.id, subject: 'First', threadId: first.thread_id },
    ])
    t.equal((await mailboxes.reading.held(world.id, 1)).length, 1)
    t.equal(await mailboxes.reading.countHeld(world.id, 10), 2)
    t.equal(await mailboxes.reading.countHeld(world.id, 1), 1)

    await changeMailbox(world.store, world.id, async (tx, mailbox) => {
      const state = await readState(tx, first.id)
      if (state) await saveStatus(tx, mailbox, state, moved(state, 'blocked'), world.clock.now())
    })
    t.same(
      (await mailboxes.reading.held(world.id, 10)).map(({ id }) => id),
      [second.id],
    )
  },
)

onEveryEngine(
  'the last activity of a mailbox is the time of its newest event',
  async (t, { mailboxes, id, clock, deliver }) => {
    t.equal(await mailboxes.reading.lastActivity(id), undefined)
    await deliver()
    const at = clock.now()
    clock.advance(5000)
    t.equal(await mailboxes.reading.lastActivity(id), at)
  },
)
