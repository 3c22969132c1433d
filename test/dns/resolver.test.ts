import t, { type Test } from 'tap'
import { DAY, ManualClock, SECOND } from '../../src/lib/clock.js'
import { createResolver } from '../../src/dns/resolver.js'
import { LookupError, type LookupFailure, type Resolver } from '../../src/dns/types.js'
import { startDnsServer, type DnsServer, type DnsServerOptions, type Zone } from '../support/peers/dns-server.js'
import { freePort } from '../support/ports.js'

interface World {
  dns: DnsServer
  resolver: Resolver
  clock: ManualClock
}

async function world(t: Test, zone: Zone, options: DnsServerOptions & { timeoutMs?: number } = {}): Promise<World> {
  const dns = await startDnsServer(zone, options)
  const clock = new ManualClock()
  const { timeoutMs } = options
  const resolver = createResolver({
    servers: [dns.address],
    clock,
    timeoutMs,
    queryTimeoutMs: timeoutMs && timeoutMs / 2,
  })
  t.teardown(async () => {
    resolver.close()
    await dns.close()
  })
  return { dns, resolver, clock }
}

const failure = (expected: LookupFailure) => ({ name: 'LookupError', failure: expected })

t.test('every kind of record comes out in its plain form', async (t) => {
  const { resolver } = await world(t, {
    'mail.example': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
    'example.com': {
      MX: [
        { priority: 20, exchange: 'b.example' },
        { priority: 10, exchange: 'A.example' },
      ],
      TXT: ['v=spf1 -all', ['one ', 'two'], 'x'.repeat(600)],
    },
    'null.example': { MX: [{ priority: 0, exchange: '' }] },
    '1.2.0.192.in-addr.arpa': { PTR: ['Mail.Example'] },
  })
  t.same(await resolver.a('mail.example'), ['192.0.2.1', '192.0.2.2'])
  t.same(await resolver.aaaa('MAIL.example.'), ['2001:db8::1'])
  t.same(await resolver.mx('example.com'), [
    { priority: 10, exchange: 'a.example' },
    { priority: 20, exchange: 'b.example' },
  ])
  t.same(await resolver.txt('example.com'), ['v=spf1 -all', 'one two', 'x'.repeat(600)])
  t.same(await resolver.mx('null.example'), [{ priority: 0, exchange: '' }])
  t.same(await resolver.ptr('192.0.2.1'), ['mail.example'])
})

t.test('equal priorities come in an order that varies, and lower ones always first', async (t) => {
  const hosts = Array.from({ length: 8 }, (_, i) => ({ priority: 10, exchange: `h${i}.example` }))
  const { resolver } = await world(t, { 'example.com': { MX: [...hosts, { priority: 5, exchange: 'first.example' }] } })
  const firsts = new Set<string>()
  for (let i = 0; i < 100; i++) {
    const found = await resolver.mx('example.com')
    t.equal(found[0]?.exchange, 'first.example')
    firsts.add(found[1]?.exchange ?? '')
  }
  t.ok(firsts.size > 1)
})

t.test('no such name, no such record and no answer are told apart', async (t) => {
  const { resolver } = await world(
    t,
    {
      'example.com': { A: ['192.0.2.1'] },
      'under.empty.example': { A: ['192.0.2.1'] },
      'slow.example': { behaviour: 'timeout' },
      'broken.example': { behaviour: 'servfail' },
      'refused.example': { behaviour: 'refused' },
      'garbage.example': { behaviour: 'garbage' },
    },
    { timeoutMs: 100 },
  )
  await t.rejects(resolver.a('nowhere.example'), failure('not_found'))
  await t.rejects(resolver.txt('example.com'), failure('no_data'))
  await t.rejects(resolver.a('empty.example'), failure('no_data'), 'a name with names under it exists')
  for (const name of ['slow.example', 'broken.example', 'refused.example', 'garbage.example']) {
    await t.rejects(resolver.a(name), failure('temporary'), name)
  }
  await t.rejects(resolver.a('not..a.name'), failure('not_found'))
  await t.rejects(resolver.ptr('not an address'), failure('not_found'))
})

t.test('until when an answer is kept can be asked, of what there is and of what there is not', async (t) => {
  const { resolver, clock } = await world(t, {
    'example.com': { A: ['192.0.2.1'], ttl: 60 },
    'alias.example': { CNAME: ['example.com'], ttl: 20 },
    'brief.example': { A: ['192.0.2.1'], ttl: 0 },
    'broken.example': { behaviour: 'servfail' },
  })
  t.equal(resolver.keptUntil('example.com', 'A'), undefined, 'nobody has asked')
  for (const name of ['example.com', 'alias.example', 'brief.example']) await resolver.a(name)
  for (const name of ['none.example', 'broken.example']) await t.rejects(resolver.a(name))
  const leftMs = (name: string): number | undefined => {
    const until = resolver.keptUntil(name, 'A')
    return until && until - clock.now()
  }
  t.same(['EXAMPLE.com.', 'alias.example', 'none.example'].map(leftMs), [60 * SECOND, 20 * SECOND, 60 * SECOND])
  t.same(['brief.example', 'broken.example', 'a..b'].map(leftMs), [undefined, undefined, undefined])
})

t.test('an answer is asked for once within its time to live', async (t) => {
  const { resolver, dns, clock } = await world(t, { 'example.com': { A: ['192.0.2.1'], ttl: 60 } })
  await resolver.a('example.com')
  dns.set('example.com', 'A', ['192.0.2.2'])
  clock.advance(59 * SECOND)
  t.same(await resolver.a('EXAMPLE.com'), ['192.0.2.1'])
  t.equal(dns.queries.length, 1)
  clock.advance(SECOND)
  t.same(await resolver.a('example.com'), ['192.0.2.2'])
  dns.ttl('example.com', 0)
  clock.advance(60 * SECOND)
  await resolver.a('example.com')
  await resolver.a('example.com')
  t.equal(dns.queries.length, 4, 'a time to live of 0 is not kept')
  dns.ttl('example.com', 10_000_000)
  await resolver.a('example.com')
  clock.advance(DAY)
  await resolver.a('example.com')
  t.equal(dns.queries.length, 6, 'nothing is kept for more than a day')
})

t.test('what does not exist is remembered as long as the SOA says, and an hour at most', async (t) => {
  const { resolver, dns, clock } = await world(t, { 'example.com': {} }, { negativeTtl: 30 })
  await t.rejects(resolver.a('gone.example'), failure('not_found'))
  await t.rejects(resolver.a('gone.example'), failure('not_found'))
  await t.rejects(resolver.a('example.com'), failure('no_data'))
  await t.rejects(resolver.a('example.com'), failure('no_data'))
  t.equal(dns.queries.length, 2)
  dns.set('gone.example', 'A', ['192.0.2.1'])
  clock.advance(30 * SECOND)
  t.same(await resolver.a('gone.example'), ['192.0.2.1'])

  const long = await world(t, {}, { negativeTtl: 1_000_000 })
  await t.rejects(long.resolver.a('gone.example'), failure('not_found'))
  long.clock.advance(3600 * SECOND)
  await t.rejects(long.resolver.a('gone.example'), failure('not_found'))
  t.equal(long.dns.queries.length, 2)

  const bare = await world(t, {}, { negativeTtl: null })
  await t.rejects(bare.resolver.a('gone.example'), failure('not_found'))
  await t.rejects(bare.resolver.a('gone.example'), failure('not_found'))
  t.equal(bare.dns.queries.length, 2, 'without an SOA it is not remembered')
})

t.test('a failure is not remembered: the next question finds the server well again', async (t) => {
  const { resolver, dns } = await world(t, { 'example.com': { A: ['192.0.2.1'], behaviour: 'servfail' } })
  await t.rejects(resolver.a('example.com'), failure('temporary'))
  dns.behave('example.com', undefined)
  t.same(await resolver.a('example.com'), ['192.0.2.1'])
})

t.test('many who ask the same at once share one question', async (t) => {
  const { resolver, dns } = await world(t, { 'example.com': { A: ['192.0.2.1'], ttl: 0 } })
  const found = await Promise.all(Array.from({ length: 50 }, () => resolver.a('example.com')))
  t.equal(dns.queries.length, 1)
  found[0]?.push('192.0.2.66')
  t.same(found[1], ['192.0.2.1'], 'and none can change the answer of another')
})

t.test('a truncated answer is fetched over TCP', async (t) => {
  const long = Array.from({ length: 20 }, (_, i) => `record ${i} ${'x'.repeat(200)}`)
  const { resolver, dns } = await world(t, {
    'forced.example': { A: ['192.0.2.1'], behaviour: 'truncated' },
    'long.example': { TXT: long },
    'medium.example': { TXT: ['y'.repeat(900)] },
  })
  t.same(await resolver.a('forced.example'), ['192.0.2.1'])
  t.same(await resolver.txt('long.example'), long)
  t.same(
    dns.queries.map((query) => query.transport),
    ['udp', 'tcp', 'udp', 'tcp'],
  )
  t.same(await resolver.txt('medium.example'), ['y'.repeat(900)])
  t.equal(dns.queries.length, 5, 'what fits 1232 octets comes over UDP (RFC 6891)')
})

t.test('aliases are followed, in one answer or over several, but not for ever', async (t) => {
  const { resolver, dns, clock } = await world(t, {
    'www.example': { CNAME: ['web.example'], ttl: 10 },
    'web.example': { CNAME: ['host.example'] },
    'host.example': { A: ['192.0.2.1'] },
    'dangling.example': { CNAME: ['nowhere.example'] },
    'bare.example': { CNAME: ['typeless.example'] },
    'typeless.example': { TXT: ['x'] },
    'loop.example': { CNAME: ['loop.example'] },
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`c${i}.example`, { CNAME: [`c${i + 1}.example`] }])),
    'c12.example': { A: ['192.0.2.12'] },
  })
  t.same(await resolver.a('www.example'), ['192.0.2.1'])
  t.equal(dns.queries.length, 1)
  clock.advance(10 * SECOND)
  await resolver.a('www.example')
  t.equal(dns.queries.length, 2, 'the shortest time to live of the chain counts')
  await t.rejects(resolver.a('dangling.example'), failure('not_found'))
  await t.rejects(resolver.a('bare.example'), failure('no_data'))
  await t.rejects(resolver.a('loop.example'), failure('temporary'))
  await t.rejects(resolver.a('c0.example'), failure('temporary'))
  t.same(await resolver.a('c4.example'), ['192.0.2.12'])
})

t.test('an answer to another question is not believed', async (t) => {
  const { resolver } = await world(t, { 'example.com': { A: ['192.0.2.1'], behaviour: 'other-question' } })
  t.same(await resolver.a('example.com'), ['192.0.2.1'])
})

t.test('each question leaves from another port', async (t) => {
  const { resolver, dns } = await world(t, {}, { negativeTtl: null })
  await Promise.all(Array.from({ length: 20 }, (_, i) => resolver.a(`n${i}.example`).catch(() => undefined)))
  t.ok(new Set(dns.queries.map((query) => query.port)).size > 15)
})

t.test('a server that is down is passed over', async (t) => {
  const dead = `127.0.0.1:${await freePort()}`
  const { dns, clock } = await world(t, { 'example.com': { A: ['192.0.2.1'] } })
  const resolver = createResolver({ servers: [dead, dns.address], clock })
  t.same(await resolver.a('example.com'), ['192.0.2.1'])
  await t.rejects(createResolver({ servers: [dead], clock }).a('example.com'), failure('temporary'))
})

t.test('a flood of different questions is answered in full', async (t) => {
  const zone = Object.fromEntries(
    Array.from({ length: 600 }, (_, i) => [`n${i}.example`, { A: [`192.0.2.${i % 250}`] }]),
  )
  const { resolver } = await world(t, zone)
  const found = await Promise.all(Object.keys(zone).map((name) => resolver.a(name)))
  t.same(
    found,
    Object.values(zone).map(({ A }) => A),
  )
})

t.test('names for this machine only are not asked for, unless a server was named', async (t) => {
  const resolver = createResolver({ servers: [], clock: new ManualClock() })
  t.same(await resolver.a('localhost'), ['127.0.0.1'])
  t.same(await resolver.a('agents.localhost.'), ['127.0.0.1'])
  t.same(await resolver.aaaa('agents.localhost'), ['::1'])
  await t.rejects(resolver.mx('agents.localhost'), failure('not_found'))
  await t.rejects(resolver.txt('_dmarc.agents.localhost'), failure('not_found'))
  await t.rejects(resolver.a('x.invalid'), failure('not_found'))
  await t.rejects(resolver.a('x.onion'), failure('not_found'))
  const named = await world(t, { 'agents.localhost': { A: ['192.0.2.9'] } })
  t.same(await named.resolver.a('agents.localhost'), ['192.0.2.9'])
})

t.test('closing ends what is under way, and what comes later fails at once', async (t) => {
  const { resolver, dns } = await world(t, { 'slow.example': { behaviour: 'timeout' } })
  const waiting = t.rejects(resolver.a('slow.example'), failure('temporary'))
  resolver.close()
  await waiting
  await t.rejects(resolver.a('example.com'), failure('temporary'))
  t.ok(dns.queries.length <= 1)
})

t.test('a server address that cannot be read is refused with what would be right', async (t) => {
  for (const bad of ['', 'dns.example', '127.0.0.1:0', '127.0.0.1:70000', '127.0.0.1:x']) {
    t.throws(() => createResolver({ servers: [bad], clock: new ManualClock() }), /Not a DNS server/, bad)
  }
  for (const good of ['127.0.0.1', '::1', '[::1]:5353', '192.0.2.1:53']) {
    t.doesNotThrow(() => createResolver({ servers: [good], clock: new ManualClock() }), good)
  }
})

t.test('the error says what was looked up', async (t) => {
  const { resolver } = await world(t, {})
  const error: unknown = await resolver.mx('Nowhere.Example').catch((e: unknown) => e)
  t.type(error, LookupError)
  t.match(error, { message: 'MX nowhere.example: no such name', lookedUp: 'nowhere.example', rrtype: 'MX' })
})
