import t from 'tap'
import { ManualClock, SECOND } from '../../src/lib/clock.js'
import { createResolver } from '../../src/dns/resolver.js'
import { createServerList } from '../../src/dns/servers.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { freePort } from '../support/ports.js'

const first = { host: '192.0.2.1', port: 53 }
const second = { host: '192.0.2.2', port: 53 }

t.test('a server that stays silent is asked last for half a minute', async (t) => {
  const clock = new ManualClock()
  const servers = createServerList([first, second], clock)
  servers.failed(first)
  servers.failed(first)
  t.same(servers.inOrder(), [first, second], 'a silence or two may be those of the domain that was asked for')
  servers.failed(first)
  t.same(servers.inOrder(), [second, first])
  for (let i = 0; i < 3; i++) servers.failed(second)
  t.same(servers.inOrder(), [first, second], 'where all are silent, all are tried')
  servers.answered(second)
  t.same(servers.inOrder(), [second, first])
  clock.advance(30 * SECOND)
  t.same(servers.inOrder(), [first, second])
})

t.test('a dead server does not cost each look-up its time-out', async (t) => {
  const dns = await startDnsServer(
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}.example`, { A: ['192.0.2.1'] }])),
  )
  const silent = await startDnsServer(
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}.example`, { behaviour: 'timeout' as const }])),
  )
  const clock = new ManualClock()
  const resolver = createResolver({
    servers: [`127.0.0.1:${await freePort()}`, silent.address, dns.address],
    clock,
    queryTimeoutMs: 20,
  })
  t.teardown(async () => {
    resolver.close()
    await Promise.all([dns.close(), silent.close()])
  })
  for (let i = 0; i < 10; i++) t.same(await resolver.a(`n${i}.example`), ['192.0.2.1'])
  t.equal(silent.queries.length, 3)
})
