import t, { type Test } from 'tap'
import { systemClock } from '../../../src/lib/clock.js'
import { createResolver } from '../../../src/dns/resolver.js'
import { findChosenHost, findRoute, type ChosenHost, type Route } from '../../../src/relay/routing/route.js'
import { startDnsServer, type Zone } from '../../support/peers/dns-server.js'

const PUBLIC = '8.8.4.4'

async function routes(t: Test, zone: Zone, allowPrivateAddresses = false) {
  const dns = await startDnsServer(zone)
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 500 })
  t.teardown(async () => {
    resolver.close()
    await dns.close()
  })
  const deps = { resolver, port: 25, hostname: 'mx.agents.test', allowPrivateAddresses }
  return {
    dns,
    resolver,
    to: (domain: string) => findRoute(deps, domain),
  }
}

const hosts = (route: Route): string[] =>
  route.kind === 'targets'
    ? route.targets.map(({ host, address }) => `${host} ${address}`)
    : [`${route.kind} ${route.detail}`]

t.test('mail goes to the MX hosts, the most preferred first, over IPv4 and IPv6', async (t) => {
  const { to } = await routes(t, {
    'example.test': {
      MX: [
        { priority: 20, exchange: 'b.example.test' },
        { priority: 10, exchange: 'a.example.test' },
      ],
    },
    'a.example.test': { A: [PUBLIC], AAAA: ['2a00:1450::1'] },
    'b.example.test': { A: ['8.8.8.8'] },
  })
  t.same(hosts(await to('example.test')), [
    `a.example.test ${PUBLIC}`,
    'a.example.test 2a00:1450::1',
    'b.example.test 8.8.8.8',
  ])
})

t.test('hosts of one preference take turns', async (t) => {
  const exchanges = ['a', 'b', 'c'].map((name) => `${name}.example.test`)
  const { to } = await routes(t, {
    'example.test': { MX: exchanges.map((exchange) => ({ priority: 5, exchange })) },
    ...Object.fromEntries(exchanges.map((name) => [name, { A: [PUBLIC] }])),
  })
  const first = new Set<string | undefined>()
  for (let i = 0; i < 200 && first.size < 3; i++) first.add(hosts(await to('example.test'))[0])
  t.equal(first.size, 3)
})

t.test('a domain without MX records is its own host', async (t) => {
  const { to } = await routes(t, {
    'plain.test': { A: [PUBLIC] },
    'bücher.test': {},
    'xn--bcher-kva.test': { A: [PUBLIC] },
  })
  t.same(hosts(await to('plain.test')), [`plain.test ${PUBLIC}`])
  t.same(hosts(await to('bücher.test')), [`xn--bcher-kva.test ${PUBLIC}`], 'a domain in Unicode')
})

t.test('what can never work bounces with its reason', async (t) => {
  const { to } = await routes(t, {
    'null.test': { MX: [{ priority: 0, exchange: '' }] },
    'empty.test': { TXT: ['nothing else'] },
    'literal.test': { MX: [{ priority: 0, exchange: '8.8.8.8' }] },
    'loop.test': {
      MX: [
        { priority: 10, exchange: 'MX.agents.test' },
        { priority: 20, exchange: 'later.test' },
      ],
    },
    'later.test': { A: [PUBLIC] },
  })
  const detail = async (domain: string): Promise<string> => hosts(await to(domain)).join()
  t.match(await detail('null.test'), /^failed 5\.1\.10 .*takes no mail/)
  t.match(await detail('missing.test'), /^failed 5\.1\.2 .*does not exist/)
  t.match(await detail('empty.test'), /^failed 5\.4\.4 /)
  t.match(await detail('literal.test'), /^failed 5\.4\.4 /, 'an address in place of a host')
  t.match(await detail('[8.8.8.8]'), /^failed 5\.1\.2 /, 'an address literal')
  t.match(await detail('loop.test'), /^failed 5\.4\.6 /)
})

t.test('better hosts than ourselves are used when we are a backup', async (t) => {
  const { to } = await routes(t, {
    'backup.test': {
      MX: [
        { priority: 5, exchange: 'first.test' },
        { priority: 10, exchange: 'mx.agents.test' },
      ],
    },
    'first.test': { A: [PUBLIC] },
  })
  t.same(hosts(await to('backup.test')), [`first.test ${PUBLIC}`])
})

t.test('DNS trouble defers', async (t) => {
  const { to, dns } = await routes(t, {
    'bad.test': { behaviour: 'servfail' },
    'half.test': {
      MX: [
        { priority: 0, exchange: 'gone.test' },
        { priority: 1, exchange: 'there.test' },
      ],
    },
    'gone.test': { behaviour: 'servfail' },
    'there.test': { A: [PUBLIC] },
    'lost.test': { MX: [{ priority: 0, exchange: 'gone.test' }] },
  })
  t.match(hosts(await to('bad.test')).join(), /^deferred 4\.4\.3 /)
  t.match(hosts(await to('lost.test')).join(), /^deferred 4\.4\.3 /)
  t.same(hosts(await to('half.test')), [`there.test ${PUBLIC}`], 'one host that can be found is enough')
  t.ok(dns.queries.length > 0)
})

t.test("nobody's MX points into our own network", async (t) => {
  const zone: Zone = {
    'inside.test': { A: ['10.0.0.1', '127.0.0.1', '169.254.169.254'], AAAA: ['::1', 'fd00::1', '::ffff:10.0.0.1'] },
    'both.test': { A: ['192.168.0.1', PUBLIC] },
  }
  const strict = await routes(t, zone)
  t.match(hosts(await strict.to('inside.test')).join(), /^failed 5\.4\.4 .*relay\.allow_private_addresses/)
  t.same(hosts(await strict.to('both.test')), [`both.test ${PUBLIC}`])
  const open = await routes(t, zone, true)
  t.equal((await open.to('both.test')).kind, 'targets')
  t.equal(hosts(await open.to('inside.test')).length, 4, 'four addresses of a host are enough')
})

t.test('a smart host may be anywhere, and nothing bounces because of it', async (t) => {
  const { resolver } = await routes(t, { 'smart.test': { A: ['10.0.0.9'] } })
  const hop = (host: string): ChosenHost => ({
    host,
    port: 587,
    security: { tls: 'opportunistic' },
    setting: 'relay.smarthost',
  })
  t.same(hosts(await findChosenHost(resolver, hop('smart.test'))), ['smart.test 10.0.0.9'])
  t.same(hosts(await findChosenHost(resolver, hop('127.0.0.1'))), ['127.0.0.1 127.0.0.1'])
  t.match(hosts(await findChosenHost(resolver, hop('gone.test'))).join(), /^deferred 4\.4\.3 /)
})
