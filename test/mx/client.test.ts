/** What DNS tells of a client: its name, and the blocklists it is on. */
import t from 'tap'
import { clientName, heloMatch, within } from '../../src/mx/client.js'
import { createDnsbl } from '../../src/mx/limits/dnsbl.js'
import { fakeResolver, type Found } from '../support/peers/fake-resolver.js'
import { captureLog } from '../support/log.js'

const records = (table: Record<string, Found>) => fakeResolver((name, type) => table[`${type} ${name}`] ?? 'not_found')

const V6_PTR = 'PTR 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'

t.test('a name counts only when it leads back to the address', async (t) => {
  const resolver = records({
    'PTR 1.2.0.192.in-addr.arpa': ['Liar.example.com.', 'mail.example.com'],
    'A liar.example.com': ['198.51.100.1'],
    'A mail.example.com': ['198.51.100.2', '192.0.2.1'],
    'PTR 2.2.0.192.in-addr.arpa': ['liar.example.com'],
    'PTR 3.2.0.192.in-addr.arpa': ['a b\r\n.example.com', '-x.example.com'],
    'PTR 4.2.0.192.in-addr.arpa': 'temporary',
    'PTR 6.2.0.192.in-addr.arpa': ['broken.example.com'],
    'A broken.example.com': 'temporary',
    [V6_PTR]: ['six.example.com'],
    'AAAA six.example.com': ['2001:DB8:0:0::1'],
  })
  t.same(await clientName(resolver, '192.0.2.1'), { name: 'mail.example.com', confirmed: true, known: true })
  t.same(await clientName(resolver, '192.0.2.2'), { name: 'liar.example.com', confirmed: false, known: true })
  t.same(await clientName(resolver, '192.0.2.3'), { name: null, confirmed: false, known: true }, 'no host names')
  t.same(await clientName(resolver, '192.0.2.4'), { name: null, confirmed: false, known: false }, 'DNS fails')
  t.same(await clientName(resolver, '192.0.2.5'), { name: null, confirmed: false, known: true }, 'no record')
  t.same(await clientName(resolver, '2001:db8::1'), { name: 'six.example.com', confirmed: true, known: true })
  t.same(
    await clientName(resolver, '192.0.2.6'),
    { name: 'broken.example.com', confirmed: false, known: false },
    'DNS fails on the way back',
  )
})

t.test('a hundred names of one address cost a few questions', async (t) => {
  const names = Array.from({ length: 100 }, (_, i) => `host${i}.example.com`)
  const resolver = records({ 'PTR 1.2.0.192.in-addr.arpa': names })
  t.same(await clientName(resolver, '192.0.2.1'), { name: 'host0.example.com', confirmed: false, known: true })
  t.equal(resolver.asked.length, 5)
})

t.test('HELO is compared with where the client is', async (t) => {
  const resolver = records({
    'A mail.example.com': ['192.0.2.1'],
    'A other.example.com': ['198.51.100.1'],
    'A broken.example.com': 'temporary',
  })
  const nameless = { name: null, confirmed: false }
  const match = (helo: string, ip = '192.0.2.1') => heloMatch(resolver, helo, ip, nameless)
  t.equal(await match('Mail.Example.com'), 'match')
  t.equal(await match('other.example.com'), 'mismatch')
  t.equal(await match('nowhere.example.com'), 'mismatch')
  t.equal(await match('broken.example.com'), 'unknown')
  t.equal(await match('[192.0.2.1]'), 'match')
  t.equal(await match('[192.0.2.2]'), 'mismatch')
  t.equal(await match('[IPv6:2001:db8::1]', '2001:db8:0::1'), 'match')
  t.equal(await match('under_score'), 'mismatch')
  const asked = resolver.asked.length
  t.equal(
    await heloMatch(resolver, 'mx.example.com', '192.0.2.9', { name: 'mx.example.com', confirmed: true }),
    'match',
  )
  t.equal(resolver.asked.length, asked, 'what is known is not asked again')
})

t.test('an answer that does not come is not waited for', async (t) => {
  // The time limit alone keeps no process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  t.equal(await within(1, new Promise<string>(() => undefined), 'late'), 'late')
  t.equal(await within(60_000, Promise.resolve('here'), 'late'), 'here')
})

t.test('a client is listed when a list says so in the form of RFC 5782, and not otherwise', async (t) => {
  const { log, lines } = captureLog()
  const resolver = records({
    'A 9.113.0.203.list.example': ['127.0.0.2'],
    'A 9.113.0.203.other.example': ['127.0.0.4', '127.0.0.11'],
    'A 9.113.0.203.sold.example': ['198.51.100.80'],
    'A 9.113.0.203.refuses.example': ['127.255.255.254'],
    'A 9.113.0.203.broken.example': 'temporary',
    'A 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.list.example': ['127.0.0.3'],
  })
  const zones = ['list.example', 'sold.example', 'refuses.example', 'broken.example', 'other.example']
  const lists = createDnsbl({ zones, resolver, log })
  t.same(await lists.zonesListing('203.0.113.9'), ['list.example', 'other.example'])
  t.match(lines, [{ zone: 'refuses.example', answer: '127.255.255.254' }])
  t.same(await lists.zonesListing('2001:db8::1'), ['list.example'], 'nibbles of IPv6')
  t.same(await lists.zonesListing('::ffff:203.0.113.9'), ['list.example', 'other.example'], 'IPv4 mapped into IPv6')
  t.same(await lists.zonesListing('203.0.113.10'), [])
  t.ok(resolver.asked.every((question) => question.startsWith('A ')))
})
