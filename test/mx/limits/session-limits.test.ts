/** The session guard, counting: what one client and its network may ask for. */
import t from 'tap'
import { HOUR, ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { widerNetwork } from '../../../src/lib/ip.js'
import { createCounters } from '../../../src/mx/limits/counters.js'
import { createGuard, NO_LIMITS, type Guard, type GuardLimits } from '../../../src/mx/limits/session-limits.js'

function guardWith(limits: Partial<GuardLimits>): { guard: Guard; clock: ManualClock } {
  const clock = new ManualClock()
  return { guard: createGuard({ limits: { ...NO_LIMITS, ...limits }, clock }), clock }
}

t.test('a network is an IPv4 /24 or an IPv6 /48', async (t) => {
  t.equal(widerNetwork('203.0.113.77'), '203.0.113.0/24')
  t.equal(widerNetwork('::ffff:203.0.113.77'), '203.0.113.0/24')
  t.equal(widerNetwork('2001:db8:1:2:3::4'), '2001:db8:1::/48')
  t.equal(widerNetwork('nonsense'), 'nonsense')
})

t.test('a window ends after its time, and what was not counted for longest is forgotten past the bound', async (t) => {
  const clock = new ManualClock()
  const counters = createCounters({ windowMs: 1000, maxKeys: 4, clock })
  t.equal(counters.add('a'), 1)
  t.equal(counters.add('a'), 2)
  clock.advance(999)
  t.equal(counters.add('a'), 3)
  clock.advance(1)
  t.equal(counters.count('a'), 0)
  t.equal(counters.add('a'), 1, 'a new window')
  for (let i = 0; i < 10_000; i++) counters.add(`key ${i}`)
  t.ok(counters.size <= 4)
  t.equal(counters.count('key 9999'), 1)
  t.equal(counters.count('a'), 0)
  clock.advance(1000)
  counters.add('b')
  counters.add('c')
  clock.advance(1000)
  counters.add('d')
  t.ok(counters.size <= 3, 'what has ended goes')
  for (let i = 0; i < 100; i++) {
    counters.add('busy')
    counters.add(`other ${i}`)
  }
  t.equal(counters.count('busy'), 100, 'who goes on is not forgotten among many')
})

t.test(
  'a client that connects too often without mail waits out the minute; one that brings mail does not',
  async (t) => {
    const { guard, clock } = guardWith({ connectionsPerMinute: { address: 3, network: 5 } })
    const connect = (ip: string) => guard.arrive(ip).refusal?.reason
    t.same(
      [1, 2, 3, 4].map(() => connect('192.0.2.1')),
      [undefined, undefined, undefined, 'connection_rate'],
    )
    t.equal(connect('192.0.2.2'), undefined, 'another address')
    t.equal(connect('192.0.2.3'), 'connection_rate', 'its network has had six')
    t.equal(connect('192.0.3.1'), undefined, 'another network')
    clock.advance(MINUTE)
    t.equal(connect('192.0.2.1'), undefined)
    for (let i = 0; i < 100; i++) {
      const { guarded, refusal } = guard.arrive('198.51.100.1')
      t.equal(refusal, undefined)
      guarded.messageAccepted()
      guarded.messageAccepted()
    }
  },
)

t.test('addresses of one IPv6 /64 count as one, and those of one /48 as one network', async (t) => {
  const { guard } = guardWith({ connectionsPerMinute: { address: 2, network: 4 } })
  const connect = (ip: string) => guard.arrive(ip).refusal?.reason
  t.equal(connect('2001:db8:1:1::1'), undefined)
  t.equal(connect('2001:db8:1:1::2'), undefined)
  t.equal(connect('2001:db8:1:1::3'), 'connection_rate')
  t.equal(connect('2001:db8:1:2::1'), undefined, 'another /64')
  t.equal(connect('2001:db8:1:3::1'), 'connection_rate', 'the /48 is full')
  t.equal(connect('2001:db8:2::1'), undefined)
})

t.test('messages per minute are counted for the address and its network', async (t) => {
  const { guard, clock } = guardWith({ messagesPerMinute: { address: 2, network: 3 } })
  const one = guard.arrive('192.0.2.1').guarded
  const other = guard.arrive('192.0.2.2').guarded
  t.equal(one.mail(), undefined)
  t.equal(one.mail(), undefined)
  t.match(one.mail(), { code: 450, enhanced: '4.7.1', reason: 'message_rate' })
  t.match(other.mail(), { reason: 'message_rate' }, 'its network has had three')
  clock.advance(MINUTE)
  t.equal(other.mail(), undefined)
})

t.test('who harvests names learns none; a relay with a few old addresses among many goes on', async (t) => {
  const { guard, clock } = guardWith({ badRecipientsPerHour: { address: 5, network: 8 } })
  const harvester = guard.arrive('192.0.2.1').guarded
  for (let i = 0; i < 5; i++) {
    t.equal(harvester.recipientNamed(), undefined)
    harvester.recipientUnknown()
  }
  t.match(harvester.recipientNamed(), { code: 421, enhanced: '4.7.0', reason: 'bad_recipients_hour' })
  t.match(guard.arrive('192.0.2.1').guarded.recipientNamed(), { code: 421 }, 'in its next session too')
  const neighbour = guard.arrive('192.0.2.9').guarded
  for (let i = 0; i < 3; i++) {
    t.equal(neighbour.recipientNamed(), undefined)
    neighbour.recipientUnknown()
  }
  t.match(guard.arrive('192.0.2.77').guarded.recipientNamed(), { code: 421 }, 'the network has had eight')
  clock.advance(HOUR)
  t.equal(harvester.recipientNamed(), undefined)

  const relay = guard.arrive('198.51.100.1').guarded
  for (let i = 0; i < 50; i++) {
    t.equal(relay.recipientNamed(), undefined)
    relay.recipientTaken()
    relay.recipientTaken()
    relay.recipientUnknown()
  }
})

t.test('a session ends at its limit and not before', async (t) => {
  const { guard } = guardWith({ badRecipientsPerSession: 2, commandErrors: 3, transactionsPerSession: 2 })
  const session = guard.arrive('192.0.2.1').guarded
  t.equal(session.recipientUnknown(), undefined)
  t.equal(session.recipientUnknown(), undefined)
  t.match(session.recipientUnknown(), { code: 421, reason: 'bad_recipients' })
  t.equal(session.mail(), undefined)
  t.equal(session.mail(), undefined)
  t.match(session.mail(), { code: 421, reason: 'session_transactions' })
  t.equal(session.replied(500), undefined)
  t.equal(session.replied(250), undefined)
  t.equal(session.replied(550), undefined, 'a mailbox that is not there is no error of the client')
  t.equal(session.replied(503), undefined)
  session.messageAccepted()
  t.equal(session.replied(501), undefined)
  t.equal(session.replied(502), undefined)
  t.match(session.replied(504), { code: 421, reason: 'command_errors' })
})

t.test('a session that asks on and on without bringing mail is ended', async (t) => {
  const { guard } = guardWith({})
  const session = guard.arrive('192.0.2.1').guarded
  let asked = 0
  while (!session.replied(250)) asked++
  t.equal(asked, 10_000)
})

t.test('strangers with a million addresses do not grow the memory', async (t) => {
  const { guard } = guardWith({
    connectionsPerMinute: { address: 1, network: 1 },
    messagesPerMinute: { address: 1, network: 1 },
    badRecipientsPerHour: { address: 1, network: 1 },
  })
  for (let i = 0; i < 120_000; i++) {
    const { guarded } = guard.arrive(`2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`)
    guarded.mail()
    guarded.recipientUnknown()
    guarded.recipientTaken()
  }
  t.ok(guard.remembered <= 200_000)
})
