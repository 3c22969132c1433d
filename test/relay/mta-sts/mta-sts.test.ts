/** MTA-STS as a sender sees it: policies from a host of the test's own, over HTTPS with an authority of its own (RFC 8461). */
import { createServer } from 'node:https'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { createResolver } from '../../../src/dns/resolver.js'
import { DAY, HOUR, ManualClock, MINUTE, systemClock } from '../../../src/lib/clock.js'
import { MtaSts, type MtaStsDeps } from '../../../src/relay/mta-sts/mta-sts.js'
import { matchesPolicy, parsePolicy, policyId } from '../../../src/relay/mta-sts/policy.js'
import { Deliverer } from '../../../src/relay/delivery/delivery.js'
import { createRouting } from '../../../src/relay/routing/routes.js'
import type { TlsResult } from '../../../src/relay/tls/tls-results.js'
import { createStore } from '../../../src/store/store.js'
import {
  createAuthority,
  EXPIRED,
  opensslPeer,
  type Authority,
  type Certificate,
} from '../../support/peers/certificates.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { listenAnywhere } from '../../support/ports.js'

const policy = (lines: Partial<Record<'version' | 'mode' | 'mx' | 'max_age', string>> = {}): string =>
  Object.entries({ version: 'STSv1', mode: 'enforce', mx: 'mx.peer.test', max_age: '86400', ...lines })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

async function setUp(t: Test, change: Partial<MtaStsDeps> & { certificate?: Certificate; authority?: Authority } = {}) {
  const { certificate, authority = createAuthority(t.testdir({})), ...deps } = change
  const { key, cert } = certificate ?? authority.issue(['mta-sts.peer.test'])
  const host = {
    requests: [] as string[],
    answer: ((_request, response) => {
      response.setHeader('content-type', 'text/plain; charset=utf-8')
      response.end(policy())
    }) as RequestListener,
  }
  const server = createServer({ key, cert }, (request, response) => {
    host.requests.push(`${request.headers.host?.split(':')[0] ?? ''}${request.url ?? ''}`)
    host.answer(request, response)
  })
  const port = await listenAnywhere(server)
  const dns = await startDnsServer({
    'peer.test': { MX: [{ priority: 1, exchange: 'mx.peer.test' }] },
    'mx.peer.test': { A: ['127.0.0.1'] },
    'mta-sts.peer.test': { A: ['127.0.0.1'] },
    '_mta-sts.peer.test': { TXT: ['v=STSv1; id=one;'], ttl: 0 },
  })
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const clock = new ManualClock()
  const store = createStore(memoryEngine())
  const { log, lines } = captureLog()
  const results: TlsResult[] = []
  const tlsResults = { record: (result: TlsResult) => void results.push(result) }
  const options: MtaStsDeps = {
    resolver,
    store,
    clock,
    log,
    tlsResults,
    port,
    ca: authority.ca,
    allowPrivateAddresses: true,
    timeoutMs: 2000,
    ...deps,
  }
  const parts: MtaSts[] = []
  const start = (): MtaSts => {
    const part = new MtaSts(options)
    parts.push(part)
    return part
  }
  t.teardown(async () => {
    for (const part of parts) await part.stop()
    resolver.close()
    await dns.close()
    await store.close()
    server.closeAllConnections()
    server.close()
  })
  return { authority, host, dns, resolver, clock, lines, results, tlsResults, start, sts: start() }
}

t.test('a record is one that begins with its version and has an id', async (t) => {
  t.equal(policyId(['v=STSv1; id=20160831085700Z;']), '20160831085700Z')
  t.equal(policyId(['spf', 'v=STSv1;id=1']), '1')
  t.equal(policyId(['v=STSv1; id=1', 'v=STSv1; id=2']), undefined, 'two are none')
  t.equal(policyId(['v=STSv1; id=not-allowed']), undefined)
  t.equal(policyId(['v=STSv2; id=1']), undefined)
  t.equal(policyId([]), undefined)
})

t.test('a policy is read as RFC 8461 has it, or not at all', async (t) => {
  t.match(
    parsePolicy('version: STSv1\nmode: testing\nmx: A.example\nmx: *.b.example\nfuture: x\nmax_age: 99999999\n', '1'),
    {
      mode: 'testing',
      mx: ['a.example', '*.b.example'],
      maxAgeSeconds: 31_557_600,
    },
  )
  for (const wrong of [
    policy({ version: 'STSv2' }),
    policy({ mode: 'strict' }),
    policy({ max_age: '-1' }),
    policy({ max_age: 'soon' }),
    policy({ mx: '*' }),
    policy({ mx: 'a.*.b' }),
    policy({ mx: '' }),
    '<html>',
    '',
    `version: STSv1\nmode: enforce\nmax_age: 1\n`,
    policy() + 'mx: a.example\n'.repeat(200),
  ])
    t.equal(parsePolicy(wrong, '1'), undefined, wrong.slice(0, 80))
})

t.test('a star stands for exactly one label', async (t) => {
  const one = parsePolicy(policy({ mx: '*.example.com' }), '1')
  if (!one) throw new Error('not read')
  t.ok(matchesPolicy(one, 'MX.example.com'))
  t.notOk(matchesPolicy(one, 'a.mx.example.com'))
  t.notOk(matchesPolicy(one, 'example.com'))
  t.notOk(matchesPolicy(one, '.example.com.evil.test'))
})

t.test('a policy is fetched once, kept over a restart, and fetched again for a new id', opensslPeer(), async (t) => {
  const { sts, host, dns, start, clock } = await setUp(t)
  const [first] = await Promise.all([
    sts.policyFor('peer.test'),
    sts.policyFor('peer.test'),
    sts.policyFor('peer.test'),
  ])
  t.match(first, { id: 'one', mode: 'enforce', mx: ['mx.peer.test'] })
  t.same(host.requests, ['mta-sts.peer.test/.well-known/mta-sts.txt'], 'one fetch for all who wait')
  t.match(await start().policyFor('peer.test'), { id: 'one' })
  t.equal(host.requests.length, 1)

  dns.set('_mta-sts.peer.test', 'TXT', ['v=STSv1; id=two'])
  host.answer = (_request, response) =>
    void response.setHeader('content-type', 'text/plain').end(policy({ mode: 'testing' }))
  t.match(await sts.policyFor('peer.test'), { id: 'two', mode: 'testing' })

  host.answer = (_request, response) => void response.writeHead(503).end()
  dns.set('_mta-sts.peer.test', 'TXT', ['v=STSv1; id=three'])
  t.match(await sts.policyFor('peer.test'), { id: 'two' }, 'the old one holds while the new one cannot be had')
  t.match(await sts.policyFor('peer.test'), { id: 'two' })
  t.equal(host.requests.length, 3, 'and the host is left alone for a while')
  clock.advance(6 * MINUTE)
  await sts.policyFor('peer.test')
  t.equal(host.requests.length, 4)

  dns.behave('_mta-sts.peer.test', 'servfail')
  t.match(await sts.policyFor('peer.test'), { id: 'two' }, 'whoever keeps the record from us wins nothing')
  dns.behave('_mta-sts.peer.test', undefined)
  dns.remove('_mta-sts.peer.test')
  t.match(await sts.policyFor('peer.test'), { id: 'two' })
  clock.advance(DAY)
  t.equal(await sts.policyFor('peer.test'), undefined, 'until its time is over')
})

t.test('a policy in use is fetched again before it ends, and mail does not wait for that', opensslPeer(), async (t) => {
  const { sts, host, clock, lines } = await setUp(t)
  await sts.policyFor('peer.test')
  clock.advance(13 * HOUR)
  t.match(await sts.policyFor('peer.test'), { id: 'one' })
  while (lines.filter(({ msg }) => msg === 'MTA-STS policy fetched').length < 2) await nextTurn()
  t.equal(host.requests.length, 2)
  clock.advance(23 * HOUR)
  t.match(await sts.policyFor('peer.test'), { id: 'one' })
})

t.test('what is served in any other way is no policy', opensslPeer(), async (t) => {
  const { sts, host, results, dns } = await setUp(t, { timeoutMs: 1500 })
  const answers: [string, RequestListener][] = [
    ['sts-policy-fetch-error', (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['sts-policy-fetch-error', (_request, response) => void response.writeHead(404).end(policy())],
    ['sts-policy-invalid', (_request, response) => void response.setHeader('content-type', 'text/html').end(policy())],
    ['sts-policy-invalid', (_request, response) => void response.setHeader('content-type', 'text/plain').end('x')],
    [
      'sts-policy-invalid',
      (_request, response) => void response.setHeader('content-type', 'text/plain').end('x'.repeat(100_000)),
    ],
    ['sts-policy-fetch-error', (request) => void request.socket.destroy()],
    ['sts-policy-fetch-error', () => undefined],
  ]
  for (const [i, [failure, answer]] of answers.entries()) {
    host.answer = answer
    dns.set('_mta-sts.peer.test', 'TXT', [`v=STSv1; id=${i}`])
    t.equal(await sts.policyFor('peer.test'), undefined)
    t.match(results.at(-1), { outcome: failure, domain: 'peer.test', mxHost: '', policy: { type: 'sts' } })
  }
  t.equal(host.requests.length, answers.length, 'no redirect was followed')
})

t.test('a policy host needs a certificate for its name, and an address of the Internet', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  for (const certificate of [
    authority.issue(['mta-sts.other.test']),
    authority.issue(['mta-sts.peer.test'], EXPIRED),
  ]) {
    const { sts, results, host } = await setUp(t, { authority, certificate })
    t.equal(await sts.policyFor('peer.test'), undefined)
    t.match(results, [{ outcome: 'sts-webpki-invalid' }])
    t.equal(host.requests.length, 0)
  }
  const { sts, host } = await setUp(t, { authority, allowPrivateAddresses: false })
  t.equal(await sts.policyFor('peer.test'), undefined)
  t.equal(host.requests.length, 0, 'no request went into our own network')
})

t.test('only so many policies are kept', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const names = ['a', 'b', 'c'].map((name) => `${name}.test`)
  const { dns, start, host, clock } = await setUp(t, {
    authority,
    certificate: authority.issue(names.map((name) => `mta-sts.${name}`)),
    maxPolicies: 2,
  })
  for (const name of names) {
    dns.set(`mta-sts.${name}`, 'A', ['127.0.0.1'])
    dns.set(`_mta-sts.${name}`, 'TXT', ['v=STSv1; id=1'])
    dns.ttl(`_mta-sts.${name}`, 0)
    await start().policyFor(name)
    clock.advance(1)
  }
  for (const name of names) dns.remove(`_mta-sts.${name}`)
  const kept = await Promise.all(names.map((name) => start().policyFor(name)))
  t.same(
    kept.map((one) => one !== undefined),
    [false, true, true],
  )
  t.equal(host.requests.length, 3)
})

t.test(
  'enforce: only hosts of the policy, only with a good certificate, and the next one when it is not',
  opensslPeer(),
  async (t) => {
    const { sts, host, dns, resolver, authority, results, tlsResults } = await setUp(t)
    const good = authority.issue(['mx.peer.test', 'second.peer.test'])
    const servers = {
      good: await startPeer({ starttls: 'works', certificate: good }),
      expired: await startPeer({ starttls: 'works', certificate: authority.issue(['mx.peer.test'], EXPIRED) }),
      wrong: await startPeer({ starttls: 'works', certificate: authority.issue(['else.test']) }),
      plain: await startPeer({ command: (line) => (line === 'STARTTLS' ? '502 no' : undefined) }),
    }
    t.teardown(async () => {
      for (const server of Object.values(servers)) await server.close()
    })
    const deliver = async (port: number) => {
      const routing = createRouting({
        resolver,
        port,
        hostname: 'mx.agents.test',
        allowPrivateAddresses: true,
        mtaSts: sts,
        tlsResults,
      })
      const relay = new Deliverer({
        hostname: 'mx.agents.test',
        connectTimeoutMs: 2000,
        responseTimeoutMs: 2000,
        tlsResults,
      })
      const route = await routing.find('peer.test', { requireTls: false, anyTls: false })
      if (route.kind !== 'targets') return route
      // The test's authority stands for one that everybody trusts.
      const targets = route.targets.map((target) => ({ ...target, security: { ...target.security, ca: authority.ca } }))
      const mail = { from: 'a@agents.test', recipients: ['b@peer.test'], raw: Buffer.from('x: y\r\n\r\n') }
      const attempt = await relay.attempt(targets, mail)
      relay.destroy()
      return attempt.outcomes.get('b@peer.test')
    }
    results.length = 0
    t.match(await deliver(servers.good.port), { kind: 'delivered' })
    t.match(results.at(-1), {
      outcome: 'success',
      mxHost: 'mx.peer.test',
      receivingIp: '127.0.0.1',
      policy: { type: 'sts', mxHosts: ['mx.peer.test'] },
    })
    t.match(await deliver(servers.expired.port), {
      kind: 'deferred',
      detail: /^4\.7\.5 .*MTA-STS policy of peer\.test.*certificate-expired/,
    })
    t.match(results.at(-1), { outcome: 'certificate-expired' })
    t.match(await deliver(servers.wrong.port), { kind: 'deferred', detail: /certificate-host-mismatch/ })
    t.match(await deliver(servers.plain.port), { kind: 'deferred', detail: /^4\.7\.4 .*starttls-not-supported/ })
    t.same([servers.expired.mail, servers.wrong.mail, servers.plain.mail], [[], [], []])

    dns.set('_mta-sts.peer.test', 'TXT', ['v=STSv1; id=two'])
    host.answer = (_request, response) =>
      void response.setHeader('content-type', 'text/plain').end(policy({ mx: '*.other.test' }))
    t.match(await deliver(servers.good.port), {
      kind: 'deferred',
      detail: /^4\.7\.5 the MTA-STS policy of peer\.test does not name its MX/,
    })
    t.match(results.at(-1), { outcome: 'validation-failure', policy: { type: 'sts' } })

    dns.set('_mta-sts.peer.test', 'TXT', ['v=STSv1; id=three'])
    host.answer = (_request, response) =>
      void response.setHeader('content-type', 'text/plain').end(policy({ mode: 'testing' }))
    t.match(await deliver(servers.expired.port), { kind: 'delivered' }, 'testing: mail goes all the same')
    t.match(results.at(-1), { outcome: 'certificate-expired', policy: { type: 'sts' } }, 'and is reported')
    t.match(await deliver(servers.plain.port), { kind: 'delivered' })
    t.match(results.at(-1), { outcome: 'starttls-not-supported' })
  },
)
