/** Resolvers and block lists, asked over the network of this machine. */
import t, { type Test } from 'tap'
import { createResolver } from '../../../src/dns/resolver.js'
import { checkBlockLists } from '../../../src/ops/doctor/block-lists.js'
import { checkAnswers, checkDnssec, checkOwnResolver, SIGNED_NAME } from '../../../src/ops/doctor/resolver.js'
import { systemClock } from '../../../src/lib/clock.js'
import { startDnsServer, type Zone } from '../../support/peers/dns-server.js'
import { signedZone, signedZonePeers } from '../../support/peers/signed-zone.js'

async function resolverFor(t: Test, zone: Zone) {
  const server = await startDnsServer(zone)
  const resolver = createResolver({
    servers: [server.address],
    validates: 'on',
    clock: systemClock,
    timeoutMs: 300,
    queryTimeoutMs: 100,
  })
  t.teardown(async () => {
    resolver.close()
    await server.close()
  })
  return { server, resolver }
}

t.test('resolvers that answer, that are slow, that know nothing, that are silent', async (t) => {
  const { server, resolver } = await resolverFor(t, { [SIGNED_NAME]: { MX: [] }, 'slow.test': { A: ['192.0.2.1'] } })
  const clock =
    (...times: number[]) =>
    () =>
      times.shift() ?? 0
  t.match(await checkAnswers(resolver, { elapsed: clock(0, 20) }), { state: 'ok', finding: 'they answer in 20 ms' })
  t.match(await checkAnswers(resolver, { name: 'slow.test', elapsed: clock(0, 1500) }), { state: 'warning' })
  t.match(await checkAnswers(resolver, { name: 'gone.test', elapsed: clock() }), {
    state: 'failed',
    finding: /do not resolve names of the Internet/,
  })
  server.behave('dark.test', 'timeout')
  t.match(await checkAnswers(resolver, { name: 'dark.test', elapsed: clock() }), {
    state: 'failed',
    finding: /do not answer/,
    remedy: [
      { kind: 'command', text: 'apt-get install unbound' },
      { kind: 'setting', file: 'server.toml' },
    ],
  })
  t.match(await checkDnssec(resolver, { name: 'dark.test', isTrusted: true }), { state: 'unknown' })
  t.match(await checkDnssec(resolver, { isTrusted: true }), { state: 'warning', finding: /do not validate DNSSEC/ })
  server.sign('slow.test')
  const other = createResolver({ servers: [server.address], validates: 'on', clock: systemClock })
  t.teardown(() => other.close())
  t.match(await checkDnssec(other, { name: 'slow.test', isTrusted: true }), { state: 'ok' })
  t.match(await checkDnssec(other, { name: 'slow.test', isTrusted: false }), {
    state: 'warning',
    finding: /not trusted/,
  })
})

t.test('unbound with a zone that is really signed is seen to check DNSSEC', signedZonePeers(), async (t) => {
  const zone =
    '$TTL 300\n@ SOA ns.peer.test. hostmaster.peer.test. 1 3600 600 86400 60\n@ NS ns.peer.test.\nns A 127.0.0.1\n'
  const resolver = createResolver({ servers: [await signedZone(t, zone)], validates: 'on', clock: systemClock })
  t.teardown(() => resolver.close())
  t.match(await checkDnssec(resolver, { name: 'ns.peer.test', isTrusted: true }), { state: 'ok' })
  t.match(await checkDnssec(resolver, { name: 'ns.plain.test', isTrusted: true }), { state: 'warning' })
})

t.test('a resolver for everybody is named', async (t) => {
  t.match(checkOwnResolver(['8.8.8.8', '127.0.0.1:53']), { state: 'warning', finding: /^8\.8\.8\.8 \(Google\)/ })
  t.match(checkOwnResolver([], ['[2620:fe::fe]:53']), { state: 'warning', finding: /Quad9/ })
  t.match(checkOwnResolver(['127.0.0.1:5300']), { state: 'ok', finding: /on this machine/ })
  t.match(checkOwnResolver(['192.0.2.53']), { state: 'ok' })
  t.match(checkOwnResolver([], []), { state: 'skipped' })
})

t.test('block lists: listed, not listed, refused, gone', async (t) => {
  const HERE = '93.184.215.14'
  const test = { A: ['127.0.0.2'] }
  const { resolver } = await resolverFor(t, {
    '2.0.0.127.clean.test': test,
    '2.0.0.127.lists.test': test,
    '14.215.184.93.lists.test': { A: ['127.0.0.4'], TXT: ['see https://lists.test/why'] },
    '2.0.0.127.refuses.test': { A: ['127.255.255.254'] },
    '2.0.0.127.later.test': test,
    '14.215.184.93.later.test': { A: ['127.255.255.255'] },
    // A domain that was sold, and answers everything with its own address.
    '2.0.0.127.sold.test': { A: ['192.0.2.1'] },
    '14.215.184.93.sold.test': { A: ['192.0.2.1'] },
  })
  const zones = ['clean.test', 'lists.test', 'refuses.test', 'later.test', 'sold.test', 'gone.test']
  const found = await checkBlockLists(zones, ['10.0.0.1', HERE], resolver)
  t.same(
    found.map(({ subject, state }) => [subject, state]),
    [
      ['clean.test', 'ok'],
      ['lists.test', 'failed'],
      ['refuses.test', 'unknown'],
      ['later.test', 'unknown'],
      ['sold.test', 'unknown'],
      ['gone.test', 'unknown'],
    ],
  )
  t.match(found[1]?.finding, `it lists ${HERE} (see https://lists.test/why)`)
  t.match(found[2]?.finding, 'refuses the resolvers')
  t.match(await checkBlockLists([], [HERE], resolver), [{ state: 'skipped' }])
  t.match(await checkBlockLists(zones, ['10.0.0.1'], resolver), [{ state: 'skipped' }])
})
