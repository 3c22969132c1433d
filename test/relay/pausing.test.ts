/** Mail of a paused mailbox: the real queue, relay and mailboxes, and a peer that takes what arrives. */
import { setTimeout as later } from 'node:timers/promises'
import type { Test } from 'tap'
import { SECOND } from '../../src/lib/clock.js'
import { HELD } from '../../src/queue/types.js'
import { createHoldBack, createHoldRules } from '../../src/relay/queue/holds.js'
import { startResuming } from '../../src/relay/queue/resuming.js'
import { accepted, letter, onEveryEngine, type World } from '../mailbox/world.js'
import { startPeer, type PeerBehaviour } from '../support/peers/peer-server.js'
import { tasksIn } from '../support/store/tasks.js'
import { startWorld } from './world.js'

const AGENT = { by: { type: 'key' as const, id: 'key_1', requiresApproval: false } }
const TO = [{ address: 'ada@peer.test', name: '' }]

async function relayOf(t: Test, w: World, behaviour: PeerBehaviour = {}) {
  const peer = await startPeer(behaviour)
  const { store, queue, clock, mailboxes } = w
  const holds = createHoldBack({ holds: createHoldRules({ store }), mailboxes })
  const relay = await startWorld(peer.port, { queue, clock, mailboxes, holds })
  const resuming = startResuming({
    queue,
    clock,
    mailboxes,
    log: { error: (found) => t.fail('a fault of ours', { found }) },
  })
  t.teardown(async () => {
    await resuming.stop()
    await relay.close()
    await peer.close()
  })
  const send = async (subject: string, options: object = AGENT) =>
    accepted(await mailboxes.sending.send(w.id, letter({ subject, to: TO }), options))
  /** Resolves when it is so; the clock goes on meanwhile. */
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 2000 && !(await isSo()); i++) {
      clock.advance(SECOND)
      queue.poke()
      await later(5)
    }
    t.ok(await isSo(), 'it comes to that')
  }
  const tasks = () => tasksIn(queue, 'relay', 1000)
  const subjects = (): string[] => peer.mail.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '').sort()
  return { peer, send, until, tasks, subjects }
}

onEveryEngine('what waits goes on when the mailbox is resumed; what its human sends goes at once', async (t, w) => {
  let isWilling = false
  const { send, until, tasks, subjects } = await relayOf(t, w, {
    rcpt: () => (isWilling ? undefined : '451 4.7.1 not now'),
  })
  const { id } = await send('before')
  await until(async () => (await w.mailboxes.reading.message(w.id, id)).recipients[0]?.status === 'deferred')
  await w.mailboxes.pausing.pause(w.id, { what: 'all', by: 'human' })
  isWilling = true
  await until(async () => (await tasks()).every(({ due }) => due === HELD))
  const [waiting] = (await w.mailboxes.reading.message(w.id, id)).recipients
  t.match(waiting, {
    status: 'deferred',
    next_attempt_at: null,
    detail: /^waits, because the mailbox is paused; before that: 4/,
  })
  await send('of the human', {})
  await until(async () => subjects().length === 1)
  t.same(subjects(), ['of the human'])

  await w.mailboxes.pausing.resume(w.id, 'human')
  await until(async () => (await tasks()).length === 0)
  t.same(subjects(), ['before', 'of the human'])
  t.match(await w.mailboxes.reading.message(w.id, id), { status: 'delivered' })
  await until(async () => (await tasksIn(w.queue, 'resume', 10)).length === 0)
  t.same(await w.mailboxes.outbound.parked(w.id, 10), [])
})

onEveryEngine('time in a pause does not count against the time for delivery', async (t, w) => {
  let isWilling = false
  const { send, until, tasks } = await relayOf(t, w, { rcpt: () => (isWilling ? undefined : '451 4.7.1 not now') })
  const { id } = await send('patient')
  await until(async () => (await w.mailboxes.reading.message(w.id, id)).recipients[0]?.status === 'deferred')
  await w.mailboxes.pausing.pause(w.id, { what: 'sending', by: 'human' })
  await until(async () => (await tasks()).every(({ due }) => due === HELD))
  w.clock.advance(30 * 24 * 3600 * SECOND)
  isWilling = true
  await w.mailboxes.pausing.resume(w.id, 'human')
  await until(async () => (await tasks()).length === 0)
  t.match(await w.mailboxes.reading.message(w.id, id), { status: 'delivered' })
})

onEveryEngine('a pause beside 50 sends on their way loses none, and sends none that came after', async (t, w) => {
  const { send, until, tasks, subjects } = await relayOf(t, w)
  let isPaused = false
  const sends = Array.from({ length: 50 }, async (_, i) => {
    await later(i)
    const wasPaused = isPaused
    return { wasPaused, ...(await send(`number ${i}`)), subject: `number ${i}` }
  })
  const pausing = (async () => {
    await later(25)
    await w.mailboxes.pausing.pause(w.id, { what: 'sending', by: 'human' })
    isPaused = true
  })()
  const [ended] = await Promise.all([Promise.allSettled(sends), pausing])
  const taken = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  for (const each of ended) if (each.status === 'rejected') t.match(each.reason, { code: 'mailbox_paused' })
  t.notOk(
    taken.some(({ wasPaused }) => wasPaused),
    'none is accepted after the answer of the pause',
  )
  t.ok(taken.length < 50, 'the pause came in between')
  await until(async () => (await tasks()).every(({ due }) => due === HELD))
  const arrived = new Set(subjects())
  for (const { id, subject } of taken) {
    const { recipients } = await w.mailboxes.reading.message(w.id, id)
    t.match(recipients[0]?.detail, arrived.has(subject) ? /^250|^2/ : /waits, because the mailbox is paused/, subject)
  }
  await w.mailboxes.pausing.resume(w.id, 'human')
  await until(async () => (await tasks()).length === 0)
  t.same(subjects(), taken.map(({ subject }) => subject).sort(), 'each arrives, once')
})

onEveryEngine('pausing and resuming again and again loses nothing', async (t, w) => {
  const { send, until, tasks, subjects } = await relayOf(t, w)
  const sent: string[] = []
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 3; i++) {
      await send(`round ${round} ${i}`)
      sent.push(`round ${round} ${i}`)
    }
    await w.mailboxes.pausing.pause(w.id, { what: 'sending', by: 'human' })
    w.queue.poke()
    await later(round)
    await w.mailboxes.pausing.resume(w.id, 'human')
  }
  await until(async () => (await tasks()).length === 0)
  t.same(subjects(), sent.sort(), 'each arrives, once')
})
