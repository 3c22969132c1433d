/** DNS records for mail programs, as their name server loads them and as programs read them. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { namesByAcme } from '../../src/certificates/names.js'
import { webOrigins } from '../../src/config/derived.js'
import { loadConfig } from '../../src/config/load.js'
import { createResolver } from '../../src/dns/resolver.js'
import { systemClock } from '../../src/lib/clock.js'
import { withAddresses } from '../../src/ops/setup/records.js'
import { checkRecords, needsWork } from '../../src/publish/check.js'
import { programRecords } from '../../src/publish/program-records.js'
import { zoneFile } from '../../src/publish/zone.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { peer } from '../support/peers/peers.js'

const IMAPS = 'imap.listen_tls=[::]:993'
const SUBMISSIONS = 'submission.listen_tls=[::]:465'
const BOTH = [IMAPS, SUBMISSIONS]
const HTTPS = ['server.base_url=https://mx.agents.example', 'server.https=[::]:443']

/** Listeners with TLS need a certificate. */
const ACME = ['tls.acme=https://ca.example/dir', 'tls.acme_terms_agreed=true']

const configFor = (...set: string[]) =>
  loadConfig({ set: ['domains.names=agents.example', 'domains.hostname=mx.agents.example', ...ACME, ...set] })

const recordsFor = (...set: string[]) => programRecords(configFor(...set), 'agents.example')

const values = (...set: string[]) =>
  recordsFor(...set).map(({ type, name, value }) => `${name.replace('.agents.example', '')} ${type} ${value ?? ''}`)

t.test('services are named with their ports, and what is not offered with "."', async (t) => {
  t.same(values(), [], 'without a port for programs there are none')
  const hosts = ['autoconfig A ', 'autodiscover A ']
  t.same(values(...BOTH), [
    '_imaps._tcp SRV 0 1 993 mx.agents.example.',
    '_imap._tcp SRV 0 0 0 .',
    '_submissions._tcp SRV 0 1 465 mx.agents.example.',
    '_submission._tcp SRV 0 0 0 .',
    ...hosts,
  ])
  t.same(values('imap.listen=0.0.0.0:143', 'submission.listen=0.0.0.0:587', ...HTTPS), [
    '_imaps._tcp SRV 0 0 0 .',
    '_imap._tcp SRV 10 1 143 mx.agents.example.',
    '_submissions._tcp SRV 0 0 0 .',
    '_submission._tcp SRV 10 1 587 mx.agents.example.',
    '_autodiscover._tcp SRV 0 1 443 mx.agents.example.',
    ...hosts,
  ])
  t.match(values(IMAPS, 'server.base_url=https://web.agents.example:8443')[4], 'SRV 0 1 8443 web.agents.example.')
  t.notOk(
    recordsFor(...BOTH).some(({ required }) => required),
    'mail itself needs none of them',
  )
})

t.test('the zone lines can be loaded by NSD', peer('nsd-checkzone', '/usr/sbin/nsd-checkzone'), async (t) => {
  const dir = t.testdir({})
  const soa = '$TTL 600\nagents.example. IN SOA ns.agents.example. hostmaster.agents.example. 1 3600 600 86400 60\n'
  const records = withAddresses(recordsFor(...BOTH, ...HTTPS), ['93.184.215.14', '2606:2800:21f::5'])
  const lines = zoneFile(records)
  t.match(lines, 'autoconfig.agents.example. IN A 93.184.215.14')
  t.match(lines, 'autodiscover.agents.example. IN AAAA 2606:2800:21f::5')
  writeFileSync(
    join(dir, 'zone'),
    `${soa}agents.example. IN NS ns.agents.example.\nns.agents.example. IN A 192.0.2.1\n${lines}\n`,
  )
  t.match(execFileSync('/usr/sbin/nsd-checkzone', ['agents.example', join(dir, 'zone')]).toString(), 'is ok')
})

async function checked(t: Test, ...set: string[]) {
  const config = configFor(...set)
  const dns = await startDnsServer({ 'mx.agents.example': { A: ['127.0.0.1'] } })
  t.teardown(() => dns.close())
  const records = programRecords(config, 'agents.example')
  const check = async () => {
    const resolver = createResolver({ servers: [dns.address], clock: systemClock })
    try {
      const found = await checkRecords({ config, resolver }, records)
      t.notOk(
        found.some((each) => each.result === 'missing' && needsWork(each)),
        'a missing one breaks no mail',
      )
      return found.map(({ record, result, note }) =>
        `${record.name.split('.')[0] ?? ''} ${result} ${note ?? ''}`.trim(),
      )
    } finally {
      resolver.close()
    }
  }
  return { dns, records, check }
}

t.test('published as printed they are right, and each wrong one is named', async (t) => {
  const { dns, records, check } = await checked(t, ...BOTH)
  t.same(new Set((await check()).map((each) => each.split(' ')[1])), new Set(['missing']))
  for (const { type, name, value } of records) {
    if (type !== 'SRV') continue
    const [priority = '', weight = '', port = '', target = ''] = (value ?? '').split(' ')
    const plain = target === '.' ? '.' : target.replace(/\.$/, '')
    dns.set(name, 'SRV', [{ priority: Number(priority), weight: Number(weight), port: Number(port), target: plain }])
  }
  t.same((await check()).slice(0, 4), ['_imaps ok', '_imap ok', '_submissions ok', '_submission ok'])
  const record = (port: number, target: string) => ({ priority: 0, weight: 1, port, target })
  dns.set('_imaps._tcp.agents.example', 'SRV', [record(1993, 'mx.agents.example')])
  dns.set('_imap._tcp.agents.example', 'SRV', [record(143, 'mx.agents.example')])
  dns.set('_submissions._tcp.agents.example', 'SRV', [
    record(465, 'mx.agents.example'),
    record(465, 'mx2.agents.example'),
  ])
  dns.set('_submission._tcp.agents.example', 'SRV', [{ priority: 0, weight: 0, port: 0, target: '.' }])
  // Nothing serves HTTPS at this address.
  dns.set('autoconfig.agents.example', 'A', ['127.0.0.99'])
  t.match(await check(), [
    '_imaps differs it leads to 1993 mx.agents.example, not to 993 mx.agents.example',
    '_imap differs it leads to 143 mx.agents.example, which is not offered',
    '_submissions ok also to 465 mx2.agents.example',
    '_submission ok',
    /^autoconfig differs https:\/\/autoconfig\.agents\.example\/mail\/config-v1\.1\.xml cannot be fetched: /,
    'autodiscover missing',
  ])
  dns.behave('_imaps._tcp.agents.example', 'servfail')
  t.match((await check())[0], '_imaps unknown DNS gives no answer now')
})

t.test('the daemon serves and obtains certificates for the names that programs ask', async (t) => {
  const acme = ['smtp.mta_sts=off', ...HTTPS]
  const names = ['autoconfig.agents.example', 'autodiscover.agents.example']
  t.same(namesByAcme(configFor(...acme)), ['mx.agents.example'], 'not without a port for programs')
  t.same(namesByAcme(configFor(...acme, IMAPS)), ['mx.agents.example', ...names])
  t.equal(
    webOrigins(configFor(...HTTPS, SUBMISSIONS)).get('autoconfig.agents.example'),
    'https://autoconfig.agents.example',
  )
  const behindProxy = acme.filter((each) => !each.startsWith('server.https='))
  t.same(namesByAcme(configFor(...behindProxy, IMAPS)), ['mx.agents.example'], 'a proxy has its own')
})
