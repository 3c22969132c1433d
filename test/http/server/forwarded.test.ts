/** Who counts as the client behind proxies: the operator's list decides, and never what a client says of itself. */
import t from 'tap'
import { createClientAddress } from '../../../src/http/server/forwarded.js'
import { startApi } from '../../api/support/api-server.js'

t.test('without trusted proxies the header counts for nothing', async (t) => {
  const clientOf = createClientAddress([])
  t.equal(clientOf('127.0.0.1', '198.51.100.7'), '127.0.0.1', 'also from this machine')
})

t.test('the header of a trusted proxy is read from its end', async (t) => {
  const clientOf = createClientAddress(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'])
  for (const [peer, header, client, why] of [
    ['127.0.0.1', '198.51.100.7', '198.51.100.7', 'one proxy'],
    ['127.0.0.1', '192.0.2.1, 198.51.100.7', '198.51.100.7', 'what the client wrote itself stands to the left'],
    ['127.0.0.1', '192.0.2.1, 198.51.100.7,10.1.2.3 , 10.9.9.9', '198.51.100.7', 'past other proxies'],
    ['127.0.0.1', '10.1.2.3, 10.9.9.9', '10.1.2.3', 'all of them are proxies: the first that asked'],
    ['203.0.113.5', '198.51.100.7', '203.0.113.5', 'whoever is not trusted speaks for itself'],
    ['127.0.0.1', undefined, '127.0.0.1', 'a proxy that says nothing'],
    ['127.0.0.1', '', '127.0.0.1', 'an empty header'],
    ['127.0.0.1', '198.51.100.7, unknown', '127.0.0.1', 'what cannot be read ends the list'],
    ['127.0.0.1', '198.51.100.7, unknown, 10.1.2.3', '10.1.2.3', 'and what was read before it counts'],
    ['127.0.0.1', '198.51.100.7:4711', '198.51.100.7', 'with a port'],
    ['127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7', 'IPv6 with a port'],
    ['127.0.0.1', '2001:db8::7', '2001:db8::7', 'IPv6'],
    ['127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7', 'mapped'],
    ['127.0.0.1', 'fe80::1%eth0', '127.0.0.1', 'a zone is no address of a client'],
    ['2001:db8:1:0:0:0:0:9', '198.51.100.7', '198.51.100.7', 'a proxy on IPv6, as the socket tells its address'],
    ['127.0.0.1', `198.51.100.7, ${'10.0.0.1, '.repeat(200)}10.0.0.1`, '10.0.0.1', 'a long list is not read through'],
  ] as const)
    t.equal(clientOf(peer, header), client, why)
})

t.test('a network that cannot be read is no setting', async (t) => {
  for (const bad of ['10.0.0.0/33', 'proxy.example', '10.0.0/8', '::1/129', ''])
    t.throws(() => createClientAddress([bad]), /not an address or network/)
})

t.test('requests of two clients behind a proxy are counted apart', async (t) => {
  const left = async (trustedProxies: string[], client: string, api = startApi(t, { trustedProxies })) => {
    const { call } = await api
    const ask = async (address: string) =>
      (await call('GET', '/v1/claim/challenge', { key: null, headers: { 'X-Forwarded-For': address } })).headers[
        'x-ratelimit-remaining'
      ]
    await ask('198.51.100.7')
    return { again: await ask('198.51.100.7'), other: await ask(client) }
  }
  const trusted = await left(['127.0.0.1'], '203.0.113.9')
  t.equal(Number(trusted.other), Number(trusted.again) + 1, 'the second client begins anew')
  const strange = await left([], '203.0.113.9')
  t.equal(Number(strange.other), Number(strange.again) - 1, 'without trust all are the one who connects')
})
