/** The records that a domain needs, as its name server loads them and as senders read them. */
import t, { type Test } from 'tap'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import builtIn from 'smtp-server/lib/tls-options'
import { openDkimKeys, type DkimKeyInfo } from '../../src/authentication/keys.js'
import { secretFolder } from '../../src/lib/secret-files.js'
import { loadConfig } from '../../src/config/load.js'
import type { Config } from '../../src/config/schema.js'
import { ManualClock, systemClock } from '../../src/lib/clock.js'
import { createResolver } from '../../src/dns/resolver.js'
import { checkRecords, needsWork } from '../../src/publish/check.js'
import { publishedPolicy } from '../../src/publish/mta-sts.js'
import { domainRecords, hostRecords } from '../../src/publish/records.js'
import { zoneFile } from '../../src/publish/zone.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { peer } from '../support/peers/peers.js'

const certificate = String(builtIn().cert)

function configFor(t: Test, set: string[]) {
  const dir = t.testdir({ 'cert.pem': certificate, 'key.pem': String(builtIn().key) })
  const config = loadConfig({ set: ['domains.names=agents.example', 'domains.hostname=mx.agents.example', ...set] })
  // The settings themselves would be refused: it is for another name.
  const pair = { tls_cert: join(dir, 'cert.pem'), tls_key: join(dir, 'key.pem') }
  return { dir, config: { ...config, smtp: { ...config.smtp, ...(set.includes('smtp.tls_cert=') ? {} : pair) } } }
}

async function setUp(t: Test, ...set: string[]) {
  const { dir, config } = configFor(t, set)
  const keys = await openDkimKeys({
    files: secretFolder(join(dir, 'dkim')),
    clock: new ManualClock(Date.UTC(2026, 10, 21)),
  })
  await keys.generate('agents.example')
  await keys.prepare('agents.example')
  const records = () => recordsFor(config, keys.list())
  return { config, keys, records, dir }
}

function recordsFor(config: Config, keys: DkimKeyInfo[]) {
  return [...domainRecords(config, 'agents.example', keys), ...hostRecords(config, Buffer.from(certificate))]
}

t.test('everything a domain needs is there', async (t) => {
  const { records, config } = await setUp(t)
  const found = records().map(({ name, type, value, required }) => [type, name, value?.slice(0, 40) ?? null, required])
  const id = publishedPolicy(config)?.id ?? ''
  t.same(
    found.filter(([, name]) => !String(name).includes('_domainkey')),
    [
      ['MX', 'agents.example', '10 mx.agents.example.', true],
      ['TXT', 'agents.example', 'v=spf1 mx -all', true],
      ['TXT', '_dmarc.agents.example', 'v=DMARC1; p=quarantine; rua=mailto:dmarc', true],
      ['TXT', '_mta-sts.agents.example', `v=STSv1; id=${id}`, false],
      ['A', 'mta-sts.agents.example', null, false],
      ['TXT', '_smtp._tls.agents.example', 'v=TLSRPTv1; rua=mailto:tls-reports@agent', false],
      ['A', 'mx.agents.example', null, true],
      ['PTR', 'mx.agents.example', null, true],
      ['TXT', 'mx.agents.example', 'v=spf1 a -all', true],
      ['TLSA', '_25._tcp.mx.agents.example', records().at(-1)?.value?.slice(0, 40), false],
    ],
  )
  t.equal(found.filter(([, name]) => String(name).includes('_domainkey')).length, 4, 'keys that wait are there too')
  t.match(records().at(-1)?.value, /^3 1 1 [0-9a-f]{64}$/)
})

t.test('what is printed follows the settings', async (t) => {
  const recordsBy = (...set: string[]) => recordsFor(configFor(t, set).config, [])
  const spf = (...set: string[]) => recordsBy(...set).flatMap(({ kind, value }) => (kind === 'spf' ? [value] : []))
  t.same(spf('relay.outbound=off'), ['v=spf1 -all', 'v=spf1 -all'])
  t.same(spf('relay.smarthost=smtp.provider.example:587'), ['v=spf1 mx a:smtp.provider.example ~all', 'v=spf1 -all'])
  t.same(spf('domains.hostname=agents.example'), ['v=spf1 mx -all'], 'one for a host that is the domain')
  t.notOk(recordsBy('smtp.mta_sts=off').some(({ kind }) => kind.startsWith('mta-sts')))
  const aboutPolicyHost = (...set: string[]) => recordsBy(...set).find(({ kind }) => kind === 'mta-sts-host')?.about
  t.match(aboutPolicyHost(), /^Address of the TLS proxy/)
  t.match(
    aboutPolicyHost('server.https=0.0.0.0:443', 'tls.acme=https://ca.example/dir', 'tls.acme_terms_agreed=true'),
    /^Address of this host, which serves the policy over HTTPS/,
  )
})

t.test('the policy says what the settings say, and its id changes with it', async (t) => {
  const policyOf = (...set: string[]) => publishedPolicy(configFor(t, set).config)
  const testing = policyOf()
  t.equal(testing?.text, 'version: STSv1\r\nmode: testing\r\nmx: mx.agents.example\r\nmax_age: 604800\r\n')
  t.match(testing?.id, /^[a-z0-9]{1,32}$/)
  t.equal(policyOf()?.id, testing?.id)
  t.not(policyOf('smtp.mta_sts=enforce')?.id, testing?.id)
  t.not(policyOf('smtp.mta_sts_max_age_days=30')?.id, testing?.id)
  t.not(policyOf('domains.hostname=mx2.agents.example')?.id, testing?.id)
  t.equal(policyOf('smtp.mta_sts=none')?.text, 'version: STSv1\r\nmode: none\r\nmax_age: 604800\r\n')
  t.equal(policyOf('smtp.mta_sts=off'), undefined)
  t.equal(policyOf('smtp.mta_sts=enforce', 'smtp.tls_cert=', 'smtp.tls_key='), undefined, 'nothing to insist on')
})

t.test('the zone lines can be loaded by NSD', peer('nsd-checkzone', '/usr/sbin/nsd-checkzone'), async (t) => {
  const { records, dir } = await setUp(t)
  const soa = '$TTL 600\nagents.example. IN SOA ns.agents.example. hostmaster.agents.example. 1 3600 600 86400 60\n'
  const zone = `${soa}agents.example. IN NS ns.agents.example.\nns.agents.example. IN A 192.0.2.1\n${zoneFile(records())}\n`
  writeFileSync(join(dir, 'zone'), zone)
  t.match(
    execFileSync('/usr/sbin/nsd-checkzone', ['agents.example', join(dir, 'zone')]).toString(),
    'zone agents.example is ok',
  )
  // The advice for DNSSEC is a comment, and can be loaded as well once it is wanted.
  writeFileSync(join(dir, 'zone'), zone.replace(/^; (_25\._tcp)/m, '$1'))
  t.match(execFileSync('/usr/sbin/nsd-checkzone', ['agents.example', join(dir, 'zone')]).toString(), 'is ok')
})

t.test('published as printed, everything is well; each thing that is not is named', async (t) => {
  const { config, records, keys } = await setUp(t, 'relay.allow_private_addresses=true')
  const dns = await startDnsServer({ 'mx.agents.example': { A: ['127.0.0.1'] } })
  const check = async () => {
    const resolver = createResolver({ servers: [dns.address], clock: systemClock })
    const checks = await checkRecords({ config, resolver }, records())
    resolver.close()
    return checks
  }
  const complaints = async () =>
    (await check()).filter(needsWork).map(({ record, result, note }) => `${record.kind} ${result}: ${note ?? ''}`)

  t.match(await complaints(), [
    /^mx missing/,
    /^spf missing/,
    /^dkim missing/,
    /^dkim missing/,
    /^dmarc missing/,
    /^reverse differs: 127\.0\.0\.1 leads to no name/,
    /^spf missing/,
  ])

  for (const { type, name, value } of records()) if (type === 'TXT' && value !== null) dns.set(name, 'TXT', [value])
  dns.set('agents.example', 'MX', [{ priority: 10, exchange: 'mx.agents.example' }])
  dns.set('1.0.0.127.in-addr.arpa', 'PTR', ['mx.agents.example'])
  t.same(await complaints(), [])
  t.match(
    (await check()).filter(({ result }) => result !== 'ok').map(({ record }) => record.kind),
    ['mta-sts-host', 'tlsa'],
  )

  dns.set('agents.example', 'TXT', ['v=spf1 ip4:127.0.0.0/8 -all'])
  t.same(await complaints(), [], 'an SPF record of other words that lets this host send')
  const signing = keys.list().find(({ state }) => state === 'signs')
  dns.set('agents.example', 'MX', [{ priority: 5, exchange: 'mx.elsewhere.example' }])
  dns.set('agents.example', 'TXT', ['v=spf1 ip4:192.0.2.1 -all'])
  dns.set(signing?.recordName ?? '', 'TXT', ['v=DKIM1; k=rsa; p='])
  dns.set('_dmarc.agents.example', 'TXT', ['v=DMARC1; p=quarantine', 'v=DMARC1; p=none'])
  dns.set('_mta-sts.agents.example', 'TXT', ['v=STSv1; id=1'])
  dns.set('mta-sts.agents.example', 'A', ['127.0.0.99'])
  dns.set('_smtp._tls.agents.example', 'TXT', ['v=TLSRPTv1; rua=postmaster@agents.example'])
  dns.set('1.0.0.127.in-addr.arpa', 'PTR', ['host7.provider.example'])
  t.match(await complaints(), [
    'mx differs: mail goes to mx.elsewhere.example, not to mx.agents.example',
    'spf differs: mail from 127.0.0.1 gets "fail": v=spf1 ip4:192.0.2.1 -all',
    /^dkim differs: /,
    'dmarc differs: there are 2 of them, which makes all of them invalid',
    'mta-sts differs: it is: v=STSv1; id=1',
    /^mta-sts-host differs: https:\/\/mta-sts\.agents\.example\/\.well-known\/mta-sts\.txt cannot be fetched: /,
    /^tls-rpt differs: it has no rua=/,
    'reverse differs: 127.0.0.1 leads to host7.provider.example',
  ])
  dns.behave('agents.example', 'servfail')
  t.match((await check())[0], { result: 'unknown', note: /DNS gives no answer now/ })
  await dns.close()
})

t.test('an enforced policy that leaves out a host of the MX records is told', async (t) => {
  const { config, records } = await setUp(t, 'smtp.mta_sts=enforce')
  const hosts = ['mx.agents.example', 'backup.agents.example'].map((exchange) => ({ priority: 10, exchange }))
  const dns = await startDnsServer({ 'agents.example': { MX: hosts } })
  const resolver = createResolver({ servers: [dns.address], clock: systemClock })
  const [mx] = await checkRecords({ config, resolver }, records().slice(0, 1))
  t.match(mx, { result: 'differs', note: /lacks backup\.agents\.example/ })
  resolver.close()
  await dns.close()
})

t.test('a TLSA record may be left out, and may not name another certificate', async (t) => {
  const { config, records } = await setUp(t)
  const dns = await startDnsServer({ 'mx.agents.example': { A: ['127.0.0.1'] } })
  t.teardown(() => dns.close())
  const name = '_25._tcp.mx.agents.example'
  const check = async () => {
    const resolver = createResolver({ servers: [dns.address], clock: systemClock })
    const own = records().filter(({ kind }) => kind === 'tlsa')
    const [found] = await checkRecords({ config, resolver }, own)
    resolver.close()
    return { ...found, needsWork: found && needsWork(found) }
  }
  const record = (usage: number, certificate: Buffer) => ({ usage, selector: 1, matchingType: 1, certificate })
  const value = records().find(({ kind }) => kind === 'tlsa')?.value ?? ''
  const right = record(3, Buffer.from(value.slice('3 1 1 '.length), 'hex'))
  t.match(await check(), { result: 'missing', needsWork: false })
  dns.set(name, 'TLSA', [right])
  t.match(await check(), { result: 'ok', note: /do not validate it by DNSSEC/ })
  dns.sign('agents.example')
  dns.sign(name)
  t.match(await check(), { result: 'ok', note: null, needsWork: false })
  dns.set(name, 'TLSA', [record(3, Buffer.alloc(32)), right])
  t.match(await check(), { result: 'ok' }, 'a second one for the next key')
  dns.set(name, 'TLSA', [record(3, Buffer.alloc(32))])
  t.match(await check(), {
    result: 'differs',
    note: /certificate for STARTTLS does not match it \(the certificate matches no TLSA record\): senders with DANE deliver nothing/,
    needsWork: true,
  })
  dns.set(name, 'TLSA', [record(2, Buffer.alloc(32))])
  t.match(await check(), { result: 'differs', needsWork: true })
  dns.set(name, 'TLSA', [record(1, Buffer.alloc(32))])
  t.match(await check(), { result: 'ok', note: /no usable record/ })
  dns.behave(name, 'servfail')
  t.match(await check(), { result: 'unknown', needsWork: false })
})
