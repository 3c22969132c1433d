/** Which way mail takes out of this server, and which it never takes. */
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import t, { type Test } from 'tap'
import builtIn from 'smtp-server/lib/tls-options'
import { createResolver } from '../../src/dns/resolver.js'
import { MINUTE, systemClock } from '../../src/lib/clock.js'
import type { RelaySettings } from '../support/relay.js'
import { createRouting, type RouteRule, type RoutingDeps, type Smarthost } from '../../src/relay/routing/routes.js'
import { startDnsServer, type Zone } from '../support/peers/dns-server.js'
import { startPeer, type PeerBehaviour } from '../support/peers/peer-server.js'
import { RAW, startWorld } from './world.js'

const PUBLIC = '8.8.4.4'
const NEEDS = { requireTls: false, anyTls: false }
const TLS_PEER: PeerBehaviour = { starttls: 'works', extensions: ['PIPELINING', 'REQUIRETLS'] }
const PLAIN: PeerBehaviour = { command: (line) => (line === 'STARTTLS' ? '502 5.5.1 what?' : undefined) }
const ENFORCE = { id: '1', mode: 'enforce' as const, mx: ['mx.peer.test'], maxAgeSeconds: 86_400 }
const TO = 'you@peer.test'

async function relayTo(t: Test, behaviour: PeerBehaviour, change: Partial<RelaySettings> = {}) {
  const peer = await startPeer(behaviour)
  const world = await startWorld(peer.port, change)
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  const send = async (id: string, to: string, raw = RAW, requireTls = false) => {
    await world.send(id, [to], raw, { require_tls: requireTls })
    return world.settled(id, to)
  }
  /** The zone of the peer is signed, and names the certificate of its MX. */
  const sign = (): void => {
    const { raw } = new X509Certificate(String(builtIn().cert))
    for (const name of ['peer.test', 'mx.peer.test', `_${peer.port}._tcp.mx.peer.test`]) world.dns.sign(name)
    const certificate = createHash('sha256').update(raw).digest()
    world.dns.set(`_${peer.port}._tcp.mx.peer.test`, 'TLSA', [{ usage: 3, selector: 0, matchingType: 1, certificate }])
  }
  return { peer, world, send, sign }
}

async function routing(t: Test, zone: Zone, change: Partial<RoutingDeps> = {}) {
  const dns = await startDnsServer(zone)
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 500 })
  t.teardown(async () => {
    resolver.close()
    await dns.close()
  })
  const deps = { resolver, port: 25, hostname: 'mx.agents.test', allowPrivateAddresses: false, ...change }
  const made = createRouting(deps)
  return async (domain: string, needs = NEEDS): Promise<string[]> => {
    const route = await made.find(domain, needs)
    if (route.kind !== 'targets') return [`${route.kind} ${route.detail}`]
    return route.targets.map(({ host, address, port, security }) => `${host} ${address}:${port} ${security.tls}`)
  }
}

t.test('mail that requires TLS goes to a proven server that promises the same', async (t) => {
  const { peer, send, sign } = await relayTo(t, TLS_PEER, { dane: true })
  sign()
  t.match(await send('msg_1', TO, RAW, true), { status: 'delivered' })
  t.ok(peer.commands.some((line) => line.startsWith('MAIL') && line.endsWith(' REQUIRETLS')))
  t.equal(peer.mail[0]?.encrypted, true)
  t.match(await send('msg_2', TO), { status: 'delivered' })
  t.notOk(
    peer.commands.filter((line) => line.startsWith('MAIL'))[1]?.includes('REQUIRETLS'),
    'other mail does not ask for it',
  )
})

t.test('mail that requires TLS comes back at once where that cannot be had, and says what to do', async (t) => {
  const again = /send it again without require_tls/
  await t.test('an MX that anybody could have named', async (t) => {
    const { peer, send } = await relayTo(t, TLS_PEER)
    const { status, detail } = await send('msg_1', TO, RAW, true)
    t.equal(status, 'bounced')
    t.match(detail, /^5\.7\.10 neither DNSSEC nor an MTA-STS policy proves that mx\.peer\.test is the MX of peer\.test/)
    t.match(detail, again)
    t.equal(peer.connections, 0, 'nobody is even asked')
  })
  await t.test('a server that does not promise it', async (t) => {
    const { peer, send, sign } = await relayTo(t, { starttls: 'works' }, { dane: true })
    sign()
    const { status, detail } = await send('msg_1', TO, RAW, true)
    t.equal(status, 'bounced')
    t.match(detail, /^5\.7\.30 .*REQUIRETLS/)
    t.match(detail, again)
    t.same(peer.mail, [])
  })
  await t.test('a certificate that nobody vouches for, though the MX is in the policy of the domain', async (t) => {
    const mtaSts = { policyFor: async () => ({ ...ENFORCE, mode: 'testing' as const }) }
    const { peer, send } = await relayTo(t, TLS_PEER, { mtaSts })
    const { status, detail } = await send('msg_1', TO, RAW, true)
    t.equal(status, 'bounced')
    t.match(detail, /^5\.7\.10 .*TLS is required by the sender of the message, and fails: certificate-/)
    t.match(detail, again)
    t.same(peer.mail, [])
  })
  await t.test('a server without STARTTLS', async (t) => {
    const { peer, send, sign } = await relayTo(t, PLAIN, { dane: true })
    sign()
    const { status, detail } = await send('msg_1', TO, RAW, true)
    t.equal(status, 'bounced')
    t.match(detail, /^5\.7\.10 /)
    t.match(detail, again)
    t.same(peer.mail, [])
  })
})

t.test('one host that is down is no reason to send mail that requires TLS back', async (t) => {
  const { peer, world, send } = await relayTo(t, TLS_PEER)
  // The first answers nothing; the second has a certificate that is not good.
  for (const name of ['peer.test', 'down.peer.test', 'mx.peer.test']) world.dns.sign(name)
  world.dns.set('down.peer.test', 'A', ['127.0.0.2'])
  world.dns.set('peer.test', 'MX', [
    { priority: 1, exchange: 'down.peer.test' },
    { priority: 2, exchange: 'mx.peer.test' },
  ])
  t.match(await send('msg_1', TO, RAW, true), { status: 'deferred' })
  t.same(peer.mail, [])
})

t.test('mail that requires TLS between mailboxes of this server never leaves it', async (t) => {
  const { peer, world, send } = await relayTo(t, {})
  t.match(await send('msg_1', 'bob@agents.test', RAW, true), { status: 'delivered' })
  t.equal(world.delivered.length, 1)
  t.equal(peer.connections, 0)
})

t.test('TLS-Required: No lets mail through where the promises of the domain would hold it back', async (t) => {
  const { peer, world, send } = await relayTo(t, PLAIN, { dane: true, mtaSts: { policyFor: async () => ENFORCE } })
  const raw = `TLS-Required: No\r\n${RAW}`
  t.match(await send('msg_1', TO), { status: 'deferred', detail: /^4\.7\.4 .*MTA-STS policy of peer\.test/ })
  world.relay.forgetFailures(undefined)
  t.match(await send('msg_2', TO, raw), { status: 'delivered' })
  t.equal(peer.mail[0]?.encrypted, false)
  t.match(
    await send('msg_3', TO, raw, true),
    { status: 'bounced', detail: /^5\.7\.10 / },
    'but not against require_tls',
  )
  t.match(await send('msg_4', TO, RAW.replace('\r\n\r\n', '\r\n\r\nTLS-Required: No\r\n')), { status: 'deferred' })
  world.relay.forgetFailures(undefined)
  t.match(await send('msg_5', TO, `TLS-Required: yes\r\n${RAW}`), { status: 'deferred' }, 'there is no such thing')
  t.equal(peer.mail.length, 1)
})

t.test('TLS-Required: No goes also while other mail waits for the domain to keep its promises', async (t) => {
  const mtaSts = { policyFor: async () => ENFORCE }
  const behaviour: PeerBehaviour = { ...PLAIN }
  const { peer, world, send } = await relayTo(t, behaviour, { mtaSts })
  const raw = `TLS-Required: No\r\n${RAW}`
  const next = (id: string, to: string) => world.until(id, to, ({ status }) => status !== 'queued')
  t.match(await send('msg_1', TO), { status: 'deferred', detail: /^4\.7\.4 / })
  const waits = /^4\.4\.1 peer\.test is left alone/
  await world.send('msg_2', ['b@peer.test'])
  t.match(await next('msg_2', 'b@peer.test'), { status: 'deferred', attempts: 0, detail: waits })
  await world.send('msg_3', ['c@peer.test'], raw)
  t.match(await next('msg_3', 'c@peer.test'), { status: 'delivered', attempts: 1 })
  await world.send('msg_4', ['d@peer.test'])
  t.match(
    await next('msg_4', 'd@peer.test'),
    { status: 'deferred', attempts: 0, detail: waits },
    'the others still wait',
  )

  behaviour.mail = () => '421 4.3.2 closed today'
  await world.send('msg_5', ['e@peer.test'], raw)
  t.match(await next('msg_5', 'e@peer.test'), { status: 'deferred', attempts: 1, detail: /closed today/ })
  const { connections } = peer
  await world.send('msg_6', ['f@peer.test'], raw)
  t.match(await next('msg_6', 'f@peer.test'), { attempts: 0, detail: waits }, 'what is down is left alone by all')
  t.equal(peer.connections, connections)
  world.relay.forgetFailures('peer.test')
  delete behaviour.mail
  await world.send('msg_7', ['g@peer.test'], raw)
  t.match(await next('msg_7', 'g@peer.test'), { status: 'delivered' }, 'and tried when the operator says so')
})

t.test('that mail for any TLS gets through opens no way for mail that waits for a policy to be kept', async (t) => {
  const { peer, world, send } = await relayTo(t, PLAIN, { mtaSts: { policyFor: async () => ENFORCE } })
  t.match(await send('msg_1', TO), { status: 'deferred' })
  const waits = Date.parse(world.recipient('msg_1', TO).next_attempt_at ?? '') - world.clock.now()
  // The pause is over, and the wait of the message is not.
  world.advance(waits - 1)
  await world.send('msg_2', ['b@peer.test'], `TLS-Required: No\r\n${RAW}`)
  t.match(await world.settled('msg_2', 'b@peer.test'), { status: 'delivered' })
  world.advance(1)
  t.match(await world.settled('msg_1', TO, 2), { status: 'deferred', detail: /^4\.7\.4 / })
  await world.send('msg_3', ['c@peer.test'])
  const third = await world.until('msg_3', 'c@peer.test', ({ status }) => status !== 'queued')
  t.match(third, { attempts: 0, detail: /left alone/ })
  const pause = Date.parse(third.next_attempt_at ?? '') - world.clock.now()
  t.ok(pause > MINUTE, 'the pause has grown, as if nothing had got through')
  t.equal(peer.mail.length, 1)
})

const smarthost: Smarthost = { host: '10.0.0.1', port: 587 }
const rule = (domains: string[], to: RouteRule['to']): RouteRule => ({ domains, to })
const at = (last: number): Smarthost => ({ host: `10.0.0.${last}`, port: 25 })

t.test('the most specific route counts, wherever it stands', async (t) => {
  const find = await routing(
    t,
    { 'direct.b.test': { A: [PUBLIC] } },
    {
      smarthost,
      routes: [
        rule(['*'], at(2)),
        rule(['.test'], at(3)),
        rule(['.b.test'], at(4)),
        rule(['direct.b.test'], 'direct'),
        rule(['b.test', 'xn--bcher-kva.test'], at(5)),
        rule(['b.test'], at(6)),
      ],
    },
  )
  t.same(await find('elsewhere.example'), ['10.0.0.2 10.0.0.2:25 opportunistic'], 'all that is left')
  t.same(await find('a.test'), ['10.0.0.3 10.0.0.3:25 opportunistic'])
  t.same(await find('deep.down.a.test'), ['10.0.0.3 10.0.0.3:25 opportunistic'])
  t.same(await find('x.b.test'), ['10.0.0.4 10.0.0.4:25 opportunistic'], 'the longer ending')
  t.same(await find('b.test'), ['10.0.0.5 10.0.0.5:25 opportunistic'], 'the domain itself, and the first of two')
  t.same(await find('bücher.test'), ['10.0.0.5 10.0.0.5:25 opportunistic'], 'a domain in Unicode')
  t.same(await find('B.Test'), ['10.0.0.5 10.0.0.5:25 opportunistic'])
  t.same(await find('direct.b.test'), [`direct.b.test ${PUBLIC}:25 opportunistic`])
})

t.test('a domain goes by its own MX beside a smart host for all others', async (t) => {
  const find = await routing(
    t,
    { 'own.test': { MX: [{ priority: 1, exchange: 'mx.own.test' }] }, 'mx.own.test': { A: [PUBLIC] } },
    { smarthost, routes: [rule(['own.test'], 'direct')] },
  )
  t.same(await find('own.test'), [`mx.own.test ${PUBLIC}:25 opportunistic`])
  t.same(await find('else.test'), ['10.0.0.1 10.0.0.1:587 opportunistic'])
  t.match(await find('own.test', { ...NEEDS, requireTls: true }), [/^failed 5\.7\.10 /])
  t.same(
    await find('else.test', { ...NEEDS, requireTls: true }),
    ['10.0.0.1 10.0.0.1:587 required'],
    'the operator named it, so it is the right one',
  )
})

const NOT_PUBLIC = {
  A: [
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.0.0.8', '192.0.2.1'],
    ...['192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
    '255.255.255.255',
  ],
  AAAA: [
    ...['::', '::1', '::10.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.4.4', '::ffff:0:8.8.4.4', '64:ff9b::10.0.0.1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b:1::8.8.4.4', '100::1', '2001::1', '2001:10::1', '2001:20::1', '2001:db8::1'],
    ...[
      '2002:a00:1::1',
      '2002:808:404::1',
      '3fff::1',
      '5f00::1',
      'fc00::1',
      'fd00::1',
      'fe80::1',
      'fec0::1',
      'ff02::1',
    ],
  ],
}

t.test('an MX in a special network is never connected to, whichever it is', async (t) => {
  const zone: Zone = {}
  for (const type of ['A', 'AAAA'] as const)
    for (const [i, address] of NOT_PUBLIC[type].entries())
      zone[`n${i}.${type.toLowerCase()}.test`] = { [type]: [address] }
  const find = await routing(t, zone)
  for (const type of ['A', 'AAAA'] as const) {
    for (const [i, address] of NOT_PUBLIC[type].entries()) {
      t.match(await find(`n${i}.${type.toLowerCase()}.test`), [/^failed 5\.4\.4 .*private or loopback/], address)
    }
  }
})

t.test('what is no host name leads nowhere', async (t) => {
  const find = await routing(t, {
    'ip.test': { MX: [{ priority: 0, exchange: PUBLIC }] },
    'hex.test': { MX: [{ priority: 0, exchange: '0x7f.1' }] },
    'null.test': { MX: [{ priority: 0, exchange: '' }] },
    'mixed.test': {
      MX: [
        { priority: 0, exchange: '' },
        { priority: 10, exchange: 'mx.mixed.test' },
      ],
    },
    'mx.mixed.test': { A: [PUBLIC] },
  })
  t.match(await find('ip.test'), [/^failed 5\.4\.4 no host/], 'an address in place of a host')
  t.match(await find('hex.test'), [/^failed 5\.4\.4 no host/])
  t.match(await find('null.test'), [/^failed 5\.1\.10 /])
  t.same(
    await find('mixed.test'),
    [`mx.mixed.test ${PUBLIC}:25 opportunistic`],
    'a null MX beside another counts for nothing',
  )
  for (const literal of ['[8.8.4.4]', '[IPv6:2a00:1450::1]', '8.8.4.4', '0x8080404', '2a00:1450::1'])
    t.match(await find(literal), [/^failed 5\.1\.2 /], literal)
})

t.test('mail for a domain in Unicode, by an MX that is an alias, arrives', async (t) => {
  const { peer, world, send } = await relayTo(t, {})
  world.dns.set('xn--bcher-kva.test', 'MX', [{ priority: 1, exchange: 'alias.peer.test' }])
  world.dns.set('alias.peer.test', 'CNAME', ['mx.peer.test'])
  t.match(await send('msg_1', 'ada@bücher.test'), { status: 'delivered' })
  t.match(peer.mail, [{ to: ['ada@xn--bcher-kva.test'] }])
})

t.test('the next MX takes it when the better one is down, in order of preference', async (t) => {
  const { peer, world, send } = await relayTo(t, {})
  for (const last of [2, 3]) world.dns.set(`down${last}.peer.test`, 'A', [`127.0.0.${last}`])
  world.dns.set('peer.test', 'MX', [
    { priority: 30, exchange: 'mx.peer.test' },
    { priority: 10, exchange: 'down2.peer.test' },
    { priority: 20, exchange: 'down3.peer.test' },
  ])
  t.match(await send('msg_1', TO), { status: 'delivered' })
  t.equal(peer.mail.length, 1)
  world.dns.set('else.test', 'MX', [
    { priority: 10, exchange: 'down2.peer.test' },
    { priority: 20, exchange: 'down3.peer.test' },
  ])
  t.match(await send('msg_2', 'you@else.test'), { status: 'deferred', detail: /^down3\.peer\.test \[127\.0\.0\.3\]/ })
})

t.test('mail goes over IPv6 where a host has nothing else', async (t) => {
  const peer = await startPeer()
  const door = createServer((socket) => {
    const inner = connect(peer.port, '127.0.0.1')
    socket.on('error', () => inner.destroy()).pipe(inner)
    inner.on('error', () => socket.destroy()).pipe(socket)
  })
  door.listen({ host: '::1', port: 0 })
  await once(door, 'listening')
  const address = door.address()
  const world = await startWorld(address !== null && typeof address !== 'string' ? address.port : 0)
  t.teardown(async () => {
    await world.close()
    await peer.close()
    door.close()
  })
  world.dns.set('six.test', 'AAAA', ['::1'])
  await world.send('msg_1', ['you@six.test'])
  t.match(await world.settled('msg_1', 'you@six.test'), { status: 'delivered' })
  t.equal(peer.mail.length, 1)
})
