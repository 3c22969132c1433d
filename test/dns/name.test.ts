import t from 'tap'
import { addressOfReverseName, queryName, reverseName } from '../../src/dns/name.js'

t.test('a name is asked for in one form, whatever way it was written', async (t) => {
  t.equal(queryName('Example.COM.'), 'example.com')
  t.equal(queryName('_dmarc.Example.com'), '_dmarc.example.com')
  t.equal(queryName('bücher.example'), 'xn--bcher-kva.example')
})

t.test('what cannot be a name is not asked for', async (t) => {
  const bad = ['', '.', 'a..b', '.a', 'a\t.example', 'a\0.example', 'a\r\n.example', `${'a'.repeat(64)}.example`]
  for (const name of [...bad, `${'a.'.repeat(130)}example`]) t.equal(queryName(name), undefined, JSON.stringify(name))
  t.equal(queryName(`${'a'.repeat(63)}.example`), `${'a'.repeat(63)}.example`)
})

t.test('an address has a name under arpa and back again', async (t) => {
  t.equal(reverseName('192.0.2.1'), '1.2.0.192.in-addr.arpa')
  const v6 = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'
  t.equal(reverseName('2001:db8::1'), v6)
  t.equal(reverseName('fe80::1%eth0')?.endsWith('.0.8.e.f.ip6.arpa'), true)
  t.equal(reverseName('::ffff:192.0.2.1'), '1.2.0.192.in-addr.arpa', 'a mapped address is an IPv4 address')
  t.equal(reverseName('::'), `${'0.'.repeat(32)}ip6.arpa`)
  t.equal(reverseName('mail.example'), undefined)
  t.equal(addressOfReverseName('1.2.0.192.in-addr.arpa'), '192.0.2.1')
  t.equal(addressOfReverseName(v6), '2001:0db8:0000:0000:0000:0000:0000:0001')
  t.equal(addressOfReverseName('2.0.192.in-addr.arpa'), undefined)
  t.equal(addressOfReverseName('999.2.0.192.in-addr.arpa'), undefined)
})
