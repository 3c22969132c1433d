import t from 'tap'
import { addressLiteral, addressText, clientNetwork, isLoopback, isPublicAddress, unmapped } from '../../src/lib/ip.js'

t.test('addresses of the public Internet are told from all others', async (t) => {
  const open = [
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '223.255.255.254',
    '2a00:1450::1',
    '2001:4860:4860::8888',
    '64:ff9b::808:808',
  ]
  const closed = [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.9',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '::ffff:127.0.0.1',
      '::7f00:1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
      'ff02::1',
    ],
    ...[
      '64:ff9b::a00:1',
      '64:ff9b::10.0.0.1',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      '5f00::1',
    ],
    ...['', 'localhost', '1.2.3', '2130706433'],
  ]
  for (const ip of open) t.equal(isPublicAddress(ip), true, ip)
  for (const ip of closed) t.equal(isPublicAddress(ip), false, ip || 'nothing')
})

t.test('one client is one IPv4 address or one IPv6 /64', async (t) => {
  t.equal(clientNetwork('192.0.2.1'), '192.0.2.1')
  t.equal(clientNetwork('::ffff:192.0.2.1'), '192.0.2.1')
  t.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), clientNetwork('2001:db8:1:2::9'))
  t.not(clientNetwork('2001:db8:1:2::1'), clientNetwork('2001:db8:1:3::1'))
  t.equal(clientNetwork('2001:db8::1'), '2001:db8:0:0::/64')
  t.equal(unmapped('::ffff:192.0.2.1'), '192.0.2.1')
  t.equal(clientNetwork('2001:db8:1:2:0:0:0:1'), clientNetwork('2001:db8:1:2:ffff:0:0:9'))
})

t.test('an IPv4 address mapped into IPv6 is that IPv4 address, however it is written', async (t) => {
  t.equal(unmapped('::ffff:c000:201'), '192.0.2.1')
  t.equal(unmapped('::ffff:0:0:1'), '::ffff:0:0:1')
  t.equal(unmapped('2001:db8::1'), '2001:db8::1')
  t.equal(unmapped('nonsense'), 'nonsense')
})

t.test('a binary address is told as text, the mapped form as IPv4', async (t) => {
  const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
  t.equal(addressText(bytes('c0000201')), '192.0.2.1')
  t.equal(addressText(bytes('00000000 00000000 0000ffff c0000201')), '192.0.2.1')
  t.equal(addressText(bytes('20010db8 00010002 00000000 00000001')), '2001:db8:1:2:0:0:0:1')
  t.equal(addressText(Buffer.alloc(0)), '')
})

t.test('loopback is recognised in every form', async (t) => {
  for (const ip of ['127.8.0.1', '0:0:0:0:0:0:0:1', '::1', '::1%lo', '::ffff:127.0.0.1']) t.ok(isLoopback(ip), ip)
  for (const ip of ['192.0.2.1', '2001:db8::1', 'localhost', '']) t.notOk(isLoopback(ip), ip)
})

t.test('addresses are written as SMTP wants them', async (t) => {
  t.equal(addressLiteral('192.0.2.1'), '[192.0.2.1]')
  t.equal(addressLiteral('2001:db8::1'), '[IPv6:2001:db8::1]')
})
