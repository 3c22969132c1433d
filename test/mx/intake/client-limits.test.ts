/** Limits of one client and its network over all sessions, counting. */
import t from 'tap'
import { HOUR, ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { widerNetwork } from '../../../src/lib/ip.js'
import { createClientLimits, NO_RATES, type ClientRates } from '../../../src/mx/intake/client-limits.js'
import { clientOf } from '../../../src/smtp/server/networks.js'
import { createCounters } from '../../../src/mx/intake/counters.js'

/** The limits, asked by address. */
function limitsWith(rates: Partial<ClientRates>) {
  const clock = new ManualClock()
  const limits = createClientLimits({ rates: { ...NO_RATES, ...rates }, clock })
  return {
    clock,
    limits,
    connect: (ip: string) => limits.connection(clientOf(ip))?.reason,
    mail: (ip: string) => limits.mail(clientOf(ip)),
    named: (ip: string) => limits.recipientNamed(clientOf(ip)),
    unknown: (ip: string) => limits.recipientUnknown(clientOf(ip)),
    taken: (ip: string) => limits.recipientTaken(clientOf(ip)),
  }
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
    const { connect, limits, clock } = limitsWith({ connectionsPerMinute: { address: 3, network: 5 } })
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
      t.equal(connect('198.51.100.1'), undefined)
      limits.connectionPaid(clientOf('198.51.100.1'))
    }
  },
)

t.test('addresses of one IPv6 /64 count as one, and those of one /48 as one network', async (t) => {
  const { connect } = limitsWith({ connectionsPerMinute: { address: 2, network: 4 } })
  t.equal(connect('2001:db8:1:1::1'), undefined)
  t.equal(connect('2001:db8:1:1::2'), undefined)
  t.equal(connect('2001:db8:1:1::3'), 'connection_rate')
  t.equal(connect('2001:db8:1:2::1'), undefined, 'another /64')
  t.equal(connect('2001:db8:1:3::1'), 'connection_rate', 'the /48 is full')
  t.equal(connect('2001:db8:2::1'), undefined)
})

t.test('messages per minute are counted for the address and its network', async (t) => {
  const { mail, clock } = limitsWith({ messagesPerMinute: { address: 2, network: 3 } })
  t.equal(mail('192.0.2.1'), undefined)
  t.equal(mail('192.0.2.1'), undefined)
  t.match(mail('192.0.2.1'), { code: 450, enhanced: '4.7.1', reason: 'message_rate' })
  t.match(mail('192.0.2.2'), { reason: 'message_rate' }, 'its network has had three')
  clock.advance(MINUTE)
  t.equal(mail('192.0.2.2'), undefined)
})

t.test('who harvests names learns none; a relay with a few old addresses among many goes on', async (t) => {
  const { named, unknown, taken, clock } = limitsWith({ badRecipientsPerHour: { address: 5, network: 8 } })
  const harvester = '192.0.2.1'
  for (let i = 0; i < 5; i++) {
    t.equal(named(harvester), undefined)
    unknown(harvester)
  }
  t.match(named(harvester), { code: 421, enhanced: '4.7.0', reason: 'bad_recipients_hour' })
  const neighbour = '192.0.2.9'
  for (let i = 0; i < 3; i++) {
    t.equal(named(neighbour), undefined)
    unknown(neighbour)
  }
  t.match(named('192.0.2.77'), { code: 421 }, 'the network has had eight')
  clock.advance(HOUR)
  t.equal(named(harvester), undefined)

  const relay = '198.51.100.1'
  for (let i = 0; i < 50; i++) {
    t.equal(named(relay), undefined)
    taken(relay)
    taken(relay)
    unknown(relay)
  }
})

t.test('strangers with a million addresses do not grow the memory', async (t) => {
  const { limits, connect, mail, unknown, taken } = limitsWith({
    connectionsPerMinute: { address: 1, network: 1 },
    messagesPerMinute: { address: 1, network: 1 },
    badRecipientsPerHour: { address: 1, network: 1 },
  })
  for (let i = 0; i < 120_000; i++) {
    const ip = `2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`
    connect(ip)
    mail(ip)
    unknown(ip)
    taken(ip)
  }
  t.ok(limits.remembered <= 200_000)
})
