/** DANE (RFC 7672): against a signed zone on NSD behind a validating unbound, and case by case against our own DNS server. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createResolver } from '../../src/dns/resolver.js'
import type { Resolver } from '../../src/dns/types.js'
import { systemClock } from '../../src/lib/clock.js'
import { limitsOf, mayVouchFor, publicKeyInfo } from '../../src/dns/certificate.js'
import { daneProblem, usableRecords } from '../../src/dns/dane.js'
import { Deliverer } from '../../src/relay/delivery/delivery.js'
import { createRouting, type RoutingDeps } from '../../src/relay/routing/routes.js'
import type { TlsResult } from '../../src/relay/tls/tls-results.js'
import { createAuthority, EXPIRED, opensslPeer } from '../support/peers/certificates.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { startPeer, type PeerBehaviour } from '../support/peers/peer-server.js'
import { signedZone, signedZonePeers } from '../support/peers/signed-zone.js'

const digest = (algorithm: string, bytes: Buffer): Buffer => createHash(algorithm).update(bytes).digest()
const keyOf = (pem: string): Buffer => new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })

async function deliver(resolver: Resolver, port: number, change: Partial<RoutingDeps> = {}, domain = 'peer.test') {
  const results: TlsResult[] = []
  const tlsResults = { record: (result: TlsResult) => void results.push(result) }
  const routing = createRouting({
    resolver,
    port,
    hostname: 'mx.agents.test',
    allowPrivateAddresses: true,
    dane: true,
    tlsResults,
    ...change,
  })
  const relay = new Deliverer({
    hostname: 'mx.agents.test',
    connectTimeoutMs: 2000,
    responseTimeoutMs: 2000,
    tlsResults,
  })
  const route = await routing.find(domain, { requireTls: false, anyTls: false })
  if (route.kind !== 'targets') return { ...route, results, encrypted: false }
  const mail = { from: 'a@agents.test', recipients: ['b@peer.test'], raw: Buffer.from('x: y\r\n\r\n') }
  const { outcomes, encrypted } = await relay.attempt(route.targets, mail)
  relay.destroy()
  return { ...outcomes.get('b@peer.test'), results, encrypted }
}

async function server(t: Test, behaviour: PeerBehaviour) {
  const made = await startPeer(behaviour)
  t.teardown(() => made.close())
  return made
}

t.test('records are usable with usage 2 or 3, a known selector, and a whole digest', async (t) => {
  const record = (usage: number, selector: number, matchingType: number, bytes: number) => ({
    usage,
    selector,
    matchingType,
    data: Buffer.alloc(bytes),
  })
  const usable = usableRecords([
    record(3, 1, 1, 32),
    record(2, 0, 2, 64),
    record(3, 0, 0, 500),
    record(0, 1, 1, 32),
    record(1, 1, 1, 32),
    record(3, 2, 1, 32),
    record(3, 1, 1, 31),
    record(3, 1, 3, 32),
    record(3, 1, 0, 0),
  ])
  t.same(
    usable.map(({ usage }) => usage),
    [3, 2, 3],
  )
  t.same(
    usableRecords([record(3, 1, 1, 32), record(3, 1, 2, 64)]).map(({ matchingType }) => matchingType),
    [2],
    'the stronger digest',
  )
})

t.test('the public key is found in a certificate as it stands there', opensslPeer(), async (t) => {
  const { cert } = createAuthority(t.testdir({})).issue(['mx.peer.test'])
  t.same(publicKeyInfo(new X509Certificate(cert).raw), keyOf(cert))
  t.equal(publicKeyInfo(Buffer.from('30820100', 'hex')), undefined)
  t.equal(publicKeyInfo(Buffer.alloc(0)), undefined)
})

t.test('a certificate is good when a TLSA record of a signed zone says so', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const good = authority.issue(['mx.peer.test'])
  const expired = authority.issue(['else.test'], EXPIRED)
  const foreign = authority.issue(['else.test'])
  const [toGood, toExpired, toForeign] = [good, expired, foreign].map(({ key, cert }) => ({
    starttls: 'works' as const,
    certificate: { key, cert },
  }))
  const ports = {
    good: (await server(t, toGood ?? {})).port,
    expired: (await server(t, toExpired ?? {})).port,
    foreign: (await server(t, toForeign ?? {})).port,
    broken: (await server(t, { starttls: 'broken' })).port,
  }
  const dns = await startDnsServer(
    {
      'peer.test': { MX: [{ priority: 1, exchange: 'mx.peer.test' }], ttl: 0, signed: true },
      'mx.peer.test': { A: ['127.0.0.1'], ttl: 0, signed: true },
    },
    { negativeTtl: 0 },
  )
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  t.teardown(async () => {
    resolver.close()
    await dns.close()
  })
  const tlsa = (port: number, usage: number, selector: number, matchingType: number, certificate: Buffer): void => {
    dns.ttl(`_${port}._tcp.mx.peer.test`, 0)
    dns.set(`_${port}._tcp.mx.peer.test`, 'TLSA', [{ usage, selector, matchingType, certificate }])
  }
  t.match(
    await deliver(resolver, ports.good),
    { kind: 'delivered', results: [{ policy: { type: 'no-policy-found' }, outcome: 'success' }] },
    'no TLSA record',
  )

  const raw = new X509Certificate(expired.cert).raw
  for (const [selector, content] of [
    [0, raw],
    [1, keyOf(expired.cert)],
  ] as const) {
    for (const [matching, data] of [
      [0, content],
      [1, digest('sha256', content)],
      [2, digest('sha512', content)],
    ] as const) {
      tlsa(ports.expired, 3, selector, matching, data)
      t.match(
        await deliver(resolver, ports.expired),
        { kind: 'delivered', encrypted: true },
        `3 ${selector} ${matching}: names and dates don't count`,
      )
    }
  }
  tlsa(ports.good, 3, 1, 1, Buffer.alloc(32))
  const refused = await deliver(resolver, ports.good)
  t.match(refused, { kind: 'deferred', detail: /^4\.7\.5 .*TLSA records of mx\.peer\.test.*matches no TLSA record/ })
  t.match(refused.results, [{ outcome: 'validation-failure', policy: { type: 'tlsa', mxHosts: ['mx.peer.test'] } }])

  tlsa(ports.good, 2, 0, 1, authority.sha256)
  t.match(await deliver(resolver, ports.good), {
    kind: 'delivered',
    results: [{ outcome: 'success', policy: { type: 'tlsa' } }],
  })
  tlsa(ports.good, 2, 1, 2, digest('sha512', keyOf(authority.ca)))
  t.match(await deliver(resolver, ports.good), { kind: 'delivered' })
  tlsa(ports.foreign, 2, 0, 1, authority.sha256)
  t.match(await deliver(resolver, ports.foreign), { kind: 'deferred', detail: /is not for mx\.peer\.test/ })
  tlsa(ports.expired, 2, 0, 1, authority.sha256)
  t.match(await deliver(resolver, ports.expired), { kind: 'deferred', detail: /expired/ })

  tlsa(ports.foreign, 1, 1, 1, Buffer.alloc(32))
  t.match(
    await deliver(resolver, ports.foreign),
    { kind: 'delivered', encrypted: true, results: [{ outcome: 'tlsa-invalid' }] },
    'unusable records ask for TLS only',
  )
  tlsa(ports.broken, 1, 1, 1, Buffer.alloc(32))
  t.match(await deliver(resolver, ports.broken), { kind: 'deferred' }, 'and for no less')

  const sts = { policyFor: async () => ({ id: '1', mode: 'enforce' as const, mx: ['other.test'], maxAgeSeconds: 1 }) }
  tlsa(ports.good, 3, 1, 1, digest('sha256', keyOf(good.cert)))
  t.match(await deliver(resolver, ports.good, { mtaSts: sts }), { kind: 'delivered' }, 'DANE comes before MTA-STS')
  t.match(await deliver(resolver, ports.good, { mtaSts: sts, dane: false }), { kind: 'deferred' })

  tlsa(ports.good, 3, 1, 1, Buffer.alloc(32))
  for (const insecure of ['peer.test', 'mx.peer.test']) {
    dns.sign(insecure, false)
    t.match(await deliver(resolver, ports.good), { kind: 'delivered' }, `no DANE when ${insecure} is not signed`)
    dns.sign(insecure)
  }
  t.match(await deliver(resolver, ports.good, { dane: false }), { kind: 'delivered' })

  dns.behave(`_${ports.good}._tcp.mx.peer.test`, 'servfail')
  t.match(await deliver(resolver, ports.good), {
    kind: 'deferred',
    detail: /^4\.7\.5 the TLSA records of .* cannot be read now/,
    results: [{ outcome: 'dnssec-invalid' }],
  })
})

t.test('an MX that is an alias is looked up under the name behind it, then under its own', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const { key, cert } = authority.issue(['real.test'])
  const { port } = await server(t, { starttls: 'works', certificate: { key, cert } })
  const right = { usage: 3, selector: 1, matchingType: 1, certificate: digest('sha256', keyOf(cert)) }
  const wrong = { ...right, certificate: Buffer.alloc(32) }
  for (const [zone, expected] of [
    [
      {
        [`_${port}._tcp.real.test`]: { TLSA: [right], signed: true },
        [`_${port}._tcp.mx.peer.test`]: { TLSA: [wrong], signed: true },
      },
      'delivered',
    ],
    [{ [`_${port}._tcp.mx.peer.test`]: { TLSA: [wrong], signed: true } }, 'deferred'],
    [{ [`_${port}._tcp.mx.peer.test`]: { TLSA: [right], signed: true } }, 'delivered'],
  ] as const) {
    const dns = await startDnsServer({
      'peer.test': { MX: [{ priority: 1, exchange: 'mx.peer.test' }], signed: true },
      'mx.peer.test': { CNAME: ['real.test'], signed: true },
      'real.test': { A: ['127.0.0.1'], signed: true },
      ...zone,
    })
    const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
    t.match(await deliver(resolver, port), { kind: expected })
    resolver.close()
    await dns.close()
  }
})

t.test(
  'a signed zone on NSD behind a validating unbound decides which server is genuine',
  signedZonePeers(),
  async (t) => {
    const authority = createAuthority(t.testdir({}))
    const good = authority.issue(['mx.peer.test'])
    const [genuine, other] = [
      await server(t, { starttls: 'works', certificate: { key: good.key, cert: good.cert } }),
      await server(t, { starttls: 'works' }),
    ]
    const pin = digest('sha256', keyOf(good.cert)).toString('hex')
    const zone = `$TTL 300
@ SOA ns.peer.test. hostmaster.peer.test. 1 3600 600 86400 60
@ NS ns
ns A 127.0.0.1
@ MX 10 mx
mx A 127.0.0.1
_${genuine.port}._tcp.mx TLSA 3 1 1 ${pin}
_${other.port}._tcp.mx TLSA 3 1 1 ${pin}
bogus A 127.0.0.1
`
    // The record says something else than what was signed.
    const address = await signedZone(t, zone, (signed) =>
      signed.replace(/^(bogus\.peer\.test\.\s+300\s+IN\s+A\s+)127\.0\.0\.1/m, '$1127.0.0.2'),
    )
    const resolver = createResolver({ servers: [address], clock: systemClock, timeoutMs: 5000 })
    t.teardown(() => resolver.close())
    const answer = await resolver.checked.mx('peer.test')
    t.match(answer, { authentic: true, records: [{ exchange: 'mx.peer.test' }] })
    t.match(await deliver(resolver, genuine.port), {
      kind: 'delivered',
      encrypted: true,
      results: [{ outcome: 'success', policy: { type: 'tlsa' } }],
    })
    t.match(await deliver(resolver, other.port), { kind: 'deferred', detail: /^4\.7\.5 .*matches no TLSA record/ })
    t.equal(other.mail.length, 0)
    await t.rejects(
      resolver.checked.a('nothing.peer.test'),
      { name: 'LookupError', failure: 'not_found', authentic: true },
      'that there is nothing is proven too',
    )
    await t.rejects(
      resolver.checked.a('bogus.peer.test'),
      { name: 'LookupError', failure: 'temporary' },
      'a forged record is no answer',
    )
    const unbelieved = createResolver({ servers: [address], validates: 'off', clock: systemClock })
    t.match(await unbelieved.checked.mx('peer.test'), { authentic: false })
    unbelieved.close()
  },
)

t.test(
  'an MX that is an alias is held to the records of its zone where they are proven, wherever the alias leads',
  signedZonePeers(),
  async (t) => {
    const { key, cert } = createAuthority(t.testdir({})).issue(['else.test'])
    const genuine = await server(t, { starttls: 'works', certificate: { key, cert } })
    const other = await server(t, { starttls: 'works' })
    const pin = digest('sha256', keyOf(cert)).toString('hex')
    const tlsa = (name: string, data = pin): string =>
      [genuine.port, other.port].map((port) => `_${port}._tcp.${name} TLSA 3 1 1 ${data}\n`).join('')
    const nonsense = '00'.repeat(32)
    const soa = (name: string): string =>
      `$TTL 300\n@ SOA ns.${name}. hostmaster.${name}. 1 3600 600 86400 60\n@ NS ns\nns A 127.0.0.1\n`
    const zone = `${soa('peer.test')}
out MX 10 mx-out
mx-out CNAME host.plain.test.
${tlsa('mx-out')}
twice MX 10 mx-twice
mx-twice CNAME mx-out
${tlsa('mx-twice')}
bare MX 10 mx-bare
mx-bare CNAME host.plain.test.
within MX 10 mx-within
mx-within CNAME real
real A 127.0.0.1
${tlsa('real')}${tlsa('mx-within', nonsense)}
own MX 10 mx-own
mx-own CNAME bare-host
bare-host A 127.0.0.1
${tlsa('mx-own')}
far MX 10 alias.plain.test.
`
    const plain = `${soa('plain.test')}
host A 127.0.0.1
alias CNAME host
${tlsa('host', nonsense)}${tlsa('alias', nonsense)}`
    const address = await signedZone(t, zone, undefined, plain)
    const resolver = createResolver({ servers: [address], clock: systemClock, timeoutMs: 5000 })
    t.teardown(() => resolver.close())
    t.match(await resolver.checked.a('mx-out.peer.test'), { authentic: false, name: 'host.plain.test' })
    t.match(await resolver.checked.cname('mx-out.peer.test'), { authentic: true, records: ['host.plain.test'] })
    t.match(await resolver.checked.cname('alias.plain.test'), { authentic: false, records: ['host.plain.test'] })

    const to = (domain: string, { port } = genuine) => deliver(resolver, port, {}, `${domain}.peer.test`)
    const proven = { kind: 'delivered', results: [{ outcome: 'success', policy: { type: 'tlsa' } }] }
    for (const [domain, base] of [
      ['out', 'mx-out'],
      ['twice', 'mx-twice'],
      ['within', 'real'],
      ['own', 'mx-own'],
    ] as const) {
      t.match(await to(domain), proven, domain)
      const refused = new RegExp(`^4\\.7\\.5 .*the TLSA records of ${base}\\.peer\\.test.*matches no TLSA record`)
      t.match(await to(domain, other), { kind: 'deferred', detail: refused }, `${domain}, with another certificate`)
    }
    t.equal(other.mail.length, 0)
    for (const domain of ['bare', 'far']) {
      const free = { kind: 'delivered', results: [{ policy: { type: 'no-policy-found' } }] }
      t.match(await to(domain, other), free, `${domain}: what is not proven binds nobody`)
    }
  },
)

t.test('an alias of which it is not known whether it is proven gets no mail now', async (t) => {
  const { port } = await server(t, { starttls: 'works' })
  const { dns, resolver } = await ownZone(t)
  const lost = { ...resolver.checked, cname: () => resolver.checked.a('lost.test') }
  t.match(await deliver({ ...resolver, checked: lost }, port), {
    kind: 'deferred',
    detail: /^4\.7\.5 .*mx\.peer\.test cannot be read now/,
    results: [{ outcome: 'dnssec-invalid' }],
  })
  dns.sign('peer.test', false)
  t.match(
    await deliver({ ...resolver, checked: lost }, port),
    { kind: 'delivered' },
    'where nothing is proven nobody asks',
  )
})

async function ownZone(t: Test) {
  const dns = await startDnsServer({
    'peer.test': { MX: [{ priority: 1, exchange: 'mx.peer.test' }], ttl: 0, signed: true },
    'mx.peer.test': { CNAME: ['host.plain.test'], ttl: 0 },
    'host.plain.test': { A: ['127.0.0.1'], ttl: 0 },
    'lost.test': { behaviour: 'servfail' },
  })
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  t.teardown(async () => {
    resolver.close()
    await dns.close()
  })
  return { dns, resolver }
}

/** Certificates in a row, each by extensions of its own and signed by the one before; the server's own, which is the last, comes first. */
function chainOf(t: Test, ...extensions: string[]): X509Certificate[] {
  const dir = t.testdir({})
  const openssl = (...args: string[]): void =>
    void execFileSync('/usr/bin/openssl', args, { cwd: dir, stdio: 'ignore' })
  const newKey = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  return extensions
    .map((lines, i) => {
      writeFileSync(join(dir, 'extensions'), lines)
      openssl('req', '-new', ...newKey, '-subj', `/CN=number ${i}`, '-keyout', `${i}.key`, '-out', `${i}.csr`)
      const by = i === 0 ? ['-signkey', '0.key'] : ['-CA', `${i - 1}.pem`, '-CAkey', `${i - 1}.key`, '-CAcreateserial']
      openssl('x509', '-req', '-in', `${i}.csr`, ...by, '-days', '2', '-extfile', 'extensions', '-out', `${i}.pem`)
      return new X509Certificate(readFileSync(join(dir, `${i}.pem`)))
    })
    .reverse()
}

const CA = 'basicConstraints=critical,CA:TRUE'
const LEAF = 'subjectAltName=DNS:mx.peer.test,DNS:*.wild.test'

t.test('a pinned authority vouches only as far as it may', opensslPeer(), async (t) => {
  /** With the topmost of a chain pinned. */
  const problem = (chain: X509Certificate[], name = 'mx.peer.test'): string | undefined => {
    const data = digest('sha256', chain.at(-1)?.raw ?? Buffer.alloc(0))
    return daneProblem(
      chain,
      { names: [name], records: [{ usage: 2, selector: 0, matchingType: 1, data }] },
      Date.now(),
    )
  }
  t.equal(problem(chainOf(t, CA, CA, LEAF)), undefined)
  t.equal(problem(chainOf(t, `${CA},pathlen:1`, CA, LEAF)), undefined, 'one authority below it is one')
  t.match(problem(chainOf(t, `${CA},pathlen:0`, CA, LEAF)), /chain of certificates is too long/)
  t.match(problem(chainOf(t, `${CA},pathlen:1`, CA, CA, LEAF)), /chain of certificates is too long/)
  t.equal(problem(chainOf(t, `${CA},pathlen:0`, LEAF)), undefined)
  t.match(problem(chainOf(t, CA, LEAF, LEAF)), /one that may sign none/)

  const constrained = (constraints: string, name?: string) =>
    problem(chainOf(t, `${CA}\nnameConstraints=critical,${constraints}`, CA, LEAF), name)
  t.equal(constrained('permitted;DNS:peer.test'), undefined)
  t.equal(constrained('permitted;DNS:mx.peer.test'), undefined)
  t.match(constrained('permitted;DNS:eer.test'), /for which it may not/)
  t.match(constrained('permitted;DNS:else.test'), /an authority vouches for mx\.peer\.test, for which it may not/)
  t.match(constrained('excluded;DNS:peer.test'), /for which it may not/)
  t.equal(constrained('excluded;DNS:a.wild.test', 'b.wild.test'), undefined)
  t.match(constrained('excluded;DNS:a.wild.test', 'a.wild.test'), /for which it may not/, 'a wildcard is no way around')
  t.equal(constrained('permitted;email:peer.test'), undefined, 'names of other kinds are not asked for')
  t.match(
    problem(chainOf(t, `${CA}\n1.2.3.4=critical,DER:0500`, LEAF)),
    /asks for more than is understood/,
    'what has to be understood and is not',
  )
  t.equal(problem(chainOf(t, `${CA}\n1.2.3.4=DER:0500`, LEAF)), undefined)
})

t.test('an authority that stands in the record as a whole need not be sent by the server', opensslPeer(), async (t) => {
  const [leaf, middle, root] = chainOf(t, CA, CA, LEAF)
  const other = chainOf(t, CA)[0]
  if (!leaf || !middle || !root || !other) throw new Error('no chain')
  const problem = (chain: X509Certificate[], selector: number, data: Buffer) =>
    daneProblem(
      chain,
      { names: ['mx.peer.test'], records: [{ usage: 2, selector, matchingType: 0, data }] },
      Date.now(),
    )
  const key = (certificate: X509Certificate): Buffer => publicKeyInfo(certificate.raw) ?? Buffer.alloc(0)
  t.equal(problem([leaf, middle], 0, root.raw), undefined, '2 0 0')
  t.equal(problem([leaf, middle], 1, key(root)), undefined, '2 1 0')
  t.equal(problem([leaf, middle, root], 1, key(root)), undefined, '2 1 0, sent all the same')
  t.equal(problem([leaf], 1, key(middle)), undefined)
  t.match(problem([leaf, middle], 1, key(other)), /match no TLSA record/)
  t.match(problem([leaf, middle], 0, other.raw), /match no TLSA record/)
  t.match(problem([leaf], 1, key(root)), /match no TLSA record/, 'with a link that is missing')
  t.match(problem([leaf, middle], 1, Buffer.from('no key')), /match no TLSA record/)
})

t.test('certificates that are cut or garbled are read to their end and no further', opensslPeer(), async (t) => {
  const [certificate] = chainOf(t, `${CA},pathlen:3\nnameConstraints=permitted;DNS:peer.test`)
  const der = Buffer.from(certificate?.raw ?? '')
  t.match(limitsOf(der), { pathLength: 3, permitted: ['peer.test'], excluded: [] })
  for (let i = 0; i < der.length; i++) {
    if (limitsOf(der.subarray(0, i))) t.fail(`cut at ${i}`)
    const garbled = Buffer.from(der)
    garbled.writeUInt8(0xff, i)
    limitsOf(garbled)
    publicKeyInfo(garbled)
  }
  t.ok(mayVouchFor({ pathLength: undefined, permitted: undefined, excluded: ['.a.test'] }, 'a.test'))
  t.notOk(mayVouchFor({ pathLength: undefined, permitted: undefined, excluded: ['.a.test'] }, 'b.A.test'))
})
