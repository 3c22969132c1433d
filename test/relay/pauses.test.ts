/** What becomes of mail whose destination is left alone, or that the operator holds: what is shown, when it is tried, when it is given up. */
import t, { type Test } from 'tap'
import { HOUR, MINUTE, SECOND, timestamp } from '../../src/lib/clock.js'
import type { OutboundMail } from '../../src/mailbox/composition/mailboxes.js'
import type { Directory } from '../../src/mailbox/directory/directory.js'
import type { ReadEvents } from '../../src/mailbox/events.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { createHoldRules } from '../../src/relay/queue/holds.js'
import { StartedOperatorQueue } from '../../src/relay/operator/operator.js'
import type { RelaySettings } from '../support/relay.js'
import { RETRY_SPAN_MS } from '../../src/relay/schedule.js'
import { createSenderNotices } from '../../src/relay/delivery/sender-notices.js'
import { createStore } from '../../src/store/store.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { startPeer, type Peer, type PeerBehaviour } from '../support/peers/peer-server.js'
import { startWorld, type World } from './world.js'

const PARSE_LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }
const DEAD: PeerBehaviour = { greeting: () => '421 4.3.2 closed today' }

async function setUp(
  t: Test,
  behaviour: PeerBehaviour,
  change: Partial<RelaySettings> = {},
): Promise<{ peer: Peer; world: World }> {
  const peer = await startPeer(behaviour)
  const world = await startWorld(peer.port, change)
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  return { peer, world }
}

/** The operator's commands over the world's queue, as the daemon has them. */
async function operatorOf(
  t: Test,
  world: World,
  change: Partial<ConstructorParameters<typeof StartedOperatorQueue>[0]> = {},
) {
  const holds = createHoldRules({ store: createStore(memoryEngine()) })
  const nothing = async (): Promise<number> => 1
  const mailboxes: {
    outbound: Pick<OutboundMail, 'recordHold' | 'recordRelease' | 'recordDeletion' | 'keepDeliveries' | 'envelope'>
    directory: Pick<Directory, 'resolve' | 'get'>
    events: ReadEvents
  } = {
    events: async () => ({ data: [], has_more: false, next_after: 0 }),
    outbound: {
      recordHold: nothing,
      recordRelease: nothing,
      recordDeletion: nothing,
      keepDeliveries: (_messageId, fn) => fn(false),
      envelope: async () => undefined,
    },
    directory: {
      resolve: async () => undefined,
      get: async () => undefined,
    },
  }
  const operator = new StartedOperatorQueue({
    queue: world.queue,
    holds,
    clock: world.clock,
    log: captureLog().log,
    route: async () => null,
    mailboxes,
    forgetFailures: (domain) => world.relay.forgetFailures(domain),
    ...change,
  })
  t.teardown(() => operator.stop())
  return { operator, holds }
}

const noticesOf = (world: World): RelaySettings['senderNotices'] =>
  createSenderNotices({ mode: 'all', hostname: 'mx.agents.test', parseLimits: PARSE_LIMITS, clock: world.clock })

t.test('a message to a domain that is left alone loses no attempt, and is tried when it is said to be', async (t) => {
  const behaviour = { ...DEAD }
  const { peer, world } = await setUp(t, behaviour)
  await world.send('msg_1', ['a@peer.test'])
  await world.settled('msg_1', 'a@peer.test')
  await world.calm()
  const connections = peer.connections

  await world.send('msg_2', ['b@peer.test'])
  const waits = await world.until('msg_2', 'b@peer.test', ({ status }) => status === 'deferred')
  t.match(waits, { attempts: 0, smtp_code: null })
  t.match(waits.detail, /^4\.4\.1 peer\.test is left alone for a while, because it failed: .*421 4\.3\.2 closed today/)
  t.equal(await world.calm(), Date.parse(waits.next_attempt_at ?? ''), 'the queue has it at the time that is shown')
  t.equal(peer.connections, connections, 'nobody was asked')

  delete behaviour.greeting
  world.advance(Date.parse(waits.next_attempt_at ?? '') - world.clock.now() - 1)
  await world.calm()
  t.equal(peer.connections, connections, 'and nobody is before')
  world.advance(1)
  t.match(await world.settled('msg_2', 'b@peer.test'), { status: 'delivered', attempts: 1 })
})

t.test(
  'mail to a domain that stays dead is given up 40 hours after its first turn, with a notice of delay after 4, however few attempts were made',
  async (t) => {
    const { world } = await setUp(t, DEAD)
    await world.restart({ senderNotices: noticesOf(world) })
    const begin = world.clock.now()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const name of names) await world.send(`msg_${name}`, [`${name}@peer.test`])
    const ended = new Map<string, number>()
    while (ended.size < names.length) {
      world.advance((await world.calm()) - world.clock.now())
      await world.calm()
      for (const name of names) {
        if (world.recipient(`msg_${name}`, `${name}@peer.test`).status !== 'bounced' || ended.has(name)) continue
        ended.set(name, world.clock.now())
      }
    }
    const recipients = names.map((name) => world.recipient(`msg_${name}`, `${name}@peer.test`))
    t.ok(
      recipients.some(({ attempts }) => attempts < 10),
      'some have attempts left',
    )
    for (const [name, at] of ended) {
      t.ok(at >= begin + RETRY_SPAN_MS && at <= begin + RETRY_SPAN_MS + HOUR, `${name} ended at ${timestamp(at)}`)
    }
    for (const { detail } of recipients) t.match(detail, /closed today.*\(given up after .*about 4[01] hours/)

    for (const name of names) {
      const told = world.notices.filter((text) => text.includes(`Final-Recipient: rfc822; ${name}@peer.test`))
      t.match(told, [/^Subject: Delayed: /m, /^Subject: Not delivered: /m], `${name}: once each`)
      t.equal(told.length, 2)
      const at = Date.parse(/^Date: (.*)$/m.exec(told[0] ?? '')?.[1] ?? '')
      t.ok(at >= begin + 4 * HOUR - SECOND && at < begin + 5 * HOUR, `told at ${timestamp(at)}`)
      t.match(told[0], /(attempts? in about [45] hours ha(s|ve) failed|In about [45] hours no attempt could be made)/)
      t.match(told[0], /^Action: delayed\r$/m)
      const until = Date.parse(/^Will-Retry-Until: (.*)$/m.exec(told[0] ?? '')?.[1] ?? '')
      t.equal(until, Math.floor((begin + RETRY_SPAN_MS) / SECOND) * SECOND)
    }
  },
)

t.test(
  'restante queue retry has a domain and its subdomains tried at once, also when they are left alone',
  async (t) => {
    const behaviour = { ...DEAD }
    const { peer, world } = await setUp(t, behaviour)
    world.dns.set('sub.peer.test', 'MX', [{ priority: 10, exchange: 'mx.peer.test' }])
    const { operator } = await operatorOf(t, world)
    const mail = [
      ['msg_1', 'a@peer.test'],
      ['msg_2', 'b@sub.peer.test'],
      ['msg_3', 'c@other.test'],
    ] as const
    for (const [id, address] of mail) {
      await world.send(id, [address])
      await world.settled(id, address)
    }
    await world.calm()
    delete behaviour.greeting
    t.match(await operator.retry({ domain: 'peer.test' }), { changed: 2, finished: true })
    world.advance(SECOND)
    t.match(await world.settled('msg_1', 'a@peer.test', 2), { status: 'delivered' })
    t.match(await world.settled('msg_2', 'b@sub.peer.test', 2), { status: 'delivered' })
    await world.calm()
    t.match(world.recipient('msg_3', 'c@other.test'), { status: 'deferred', attempts: 1 })
    t.equal(peer.mail.length, 2)
  },
)

t.test('the time in which the operator holds a message is not counted against it', async (t) => {
  const { world } = await setUp(t, DEAD)
  const { operator, holds } = await operatorOf(t, world)
  await world.restart({
    holds: async ({ id, payload }) =>
      (await holds.matches({
        id,
        messageId: payload.message_id,
        mailboxId: payload.mailbox_id,
        domain: payload.domain,
      })) !== undefined,
  })
  const begin = world.clock.now()
  await world.send('msg_1', ['a@peer.test'])
  await world.settled('msg_1', 'a@peer.test')
  await world.calm()
  await operator.hold({ domain: 'peer.test' }, {})
  // This one is held by the relay itself, at its first turn.
  await world.send('msg_2', ['b@peer.test'])
  const held = await world.calm()
  t.ok(held > begin + 1000 * HOUR, 'nothing is due')
  world.advance(100 * HOUR)
  await operator.release({ domain: 'peer.test' })
  const released = world.clock.now()

  const ids = ['msg_1', 'msg_2']
  const ends: number[] = []
  while (ends.length < ids.length) {
    world.advance((await world.calm()) - world.clock.now())
    await world.calm()
    for (const one of [world.recipient('msg_1', 'a@peer.test'), world.recipient('msg_2', 'b@peer.test')])
      if (one.status === 'bounced' && Date.parse(one.at) === world.clock.now()) ends.push(world.clock.now())
  }
  for (const end of ends) {
    t.ok(end >= released + RETRY_SPAN_MS - MINUTE, 'it had all of its 40 hours')
    t.ok(end <= released + RETRY_SPAN_MS + HOUR, 'and not more')
  }
})

for (const { what, heldAt, heldFor } of [
  { what: 'made while an attempt passes four hours', heldAt: 4 * HOUR - MINUTE, heldFor: 5 * HOUR },
  { what: 'made between four hours and the attempt after them', heldAt: 4 * HOUR + MINUTE, heldFor: 5 * HOUR },
]) {
  t.test(`a rule of the operator ${what} leaves one notice of delay to each recipient`, async (t) => {
    let act: (() => Promise<void>) | undefined
    const { world } = await setUp(
      t,
      { rcpt: () => '451 4.3.0 not now' },
      {
        signer: {
          async sign(raw) {
            const now = act
            act = undefined
            await now?.()
            return raw
          },
        },
      },
    )
    const { operator, holds } = await operatorOf(t, world)
    await world.restart({
      senderNotices: noticesOf(world),
      holds: async ({ id, payload }) =>
        (await holds.matches({
          id,
          messageId: payload.message_id,
          mailboxId: payload.mailbox_id,
          domain: payload.domain,
        })) !== undefined,
    })
    const begin = world.clock.now()
    const to = ['a@peer.test', 'b@peer.test']
    await world.send('msg_1', to)
    const nextTry = async (): Promise<number> => {
      await world.settled('msg_1', 'b@peer.test')
      return world.calm()
    }
    while ((await nextTry()) < begin + heldAt) world.advance((await world.calm()) - world.clock.now())
    world.advance(begin + heldAt - world.clock.now())
    const hold = async (): Promise<void> => void (await operator.hold({ domain: 'peer.test' }, {}))
    if (heldAt < 4 * HOUR) {
      const { attempts } = world.recipient('msg_1', 'b@peer.test')
      act = async () => {
        await hold()
        world.clock.advance(2 * MINUTE)
      }
      await world.queue.reschedule('relay', 'msg_1:peer.test', world.clock.now())
      await world.settled('msg_1', 'b@peer.test', attempts + 1)
      t.equal(world.notices.length, 1)
      world.advance((await world.calm()) - world.clock.now())
    } else await hold()
    t.ok((await world.calm()) > begin + 1000 * HOUR, 'held')
    world.advance(heldFor)
    await operator.release({ domain: 'peer.test' })
    while (world.recipient('msg_1', 'b@peer.test').status !== 'bounced') {
      world.advance((await world.calm()) - world.clock.now())
      await world.calm()
    }
    for (const address of to) {
      const about = world.notices.filter((text) => text.includes(`Final-Recipient: rfc822; ${address}`))
      t.match(about, [/^Action: delayed\r$/m, /^Action: failed\r$/m], address)
      t.equal(about.length, 2)
    }
  })
}

t.test('the metrics say how many tasks wait, how many domains are left alone, and how it went with each', async (t) => {
  const metrics = createMetrics()
  const { world } = await setUp(
    t,
    { rcpt: (address) => (address.startsWith('no') ? '550 5.1.1 no' : undefined) },
    { metrics },
  )
  const numbers = async (name: string): Promise<Record<string, number>> => {
    const { body } = await metrics.render()
    const lines = body.matchAll(new RegExp(`^restante_${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
    return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
  }
  for (let i = 0; i < 5; i++) {
    await world.send(`msg_${i}`, [`a${i}@peer.test`])
    await world.settled(`msg_${i}`, `a${i}@peer.test`)
  }
  await world.send('msg_no', ['no@peer.test'])
  await world.settled('msg_no', 'no@peer.test')
  world.dns.set('dead.test', 'MX', [{ priority: 10, exchange: 'nowhere.test' }])
  world.dns.set('nowhere.test', 'A', ['127.0.0.2'])
  await world.send('msg_dead', ['a@dead.test'])
  await world.settled('msg_dead', 'a@dead.test')
  await world.calm()

  const tasks = Object.values(await numbers('relay_queue_tasks'))
  t.equal(
    tasks.reduce((sum, count) => sum + count, 0),
    1,
  )
  t.same(await numbers('relay_destinations_paused'), { '': 1 })
  t.match(await numbers('relay_destination_recipients_total'), {
    'destination="peer.test",status="delivered"': 1,
    'destination="peer.test",status="bounced"': 1,
    'destination="other",status="delivered"': 4,
    'destination="other",status="deferred"': 1,
  })
  t.same(await numbers('relay_destination_active'), {})
  t.match(await numbers('relay_destination_attempt_seconds_count'), {
    'destination="peer.test"': 2,
    'destination="other"': 5,
  })
  t.same(await numbers('relay_deliveries'), { 'pace="normal"': 0, 'pace="slow"': 0 })
  world.relay.forgetFailures('dead.test')
  t.same(await numbers('relay_destinations_paused'), { '': 0 })
})
