import t from 'tap'
import { addressText, clientNetwork, isLoopback } from '../../src/http/address.js'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

t.test('an address is told as text, the mapped form as IPv4', async (t) => {
  t.equal(addressText(bytes('c0000201')), '192.0.2.1')
  t.equal(addressText(bytes('00000000 00000000 0000ffff c0000201')), '192.0.2.1')
  t.equal(addressText(bytes('20010db8 00010002 00000000 00000001')), '2001:db8:1:2:0:0:0:1')
  t.equal(addressText(Buffer.alloc(0)), '')
})

t.test('one IPv6 customer is one client', async (t) => {
  t.equal(clientNetwork('2001:db8:1:2:0:0:0:1'), clientNetwork('2001:db8:1:2:ffff:0:0:9'))
  t.not(clientNetwork('2001:db8:1:2:0:0:0:1'), clientNetwork('2001:db8:1:3:0:0:0:1'))
  t.equal(clientNetwork('192.0.2.1'), '192.0.2.1')
})

t.test('loopback is recognised', async (t) => {
  t.ok(isLoopback('127.8.0.1'))
  t.ok(isLoopback('0:0:0:0:0:0:0:1'))
  t.notOk(isLoopback('192.0.2.1'))
})
