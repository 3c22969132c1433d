/** Who gets reports on DMARC, what stands in them, and what is counted for them. */
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { ManualClock } from '../../../src/lib/clock.js'
import { readDmarcXml } from '../../../src/reporting/received/dmarc-xml.js'
import { createDmarcCounts, type DmarcResult } from '../../../src/reporting/sent/dmarc-counts.js'
import {
  composeDmarcXml,
  dmarcDestinations,
  isExternal,
  permissionName,
  permitted,
} from '../../../src/reporting/sent/dmarc-report.js'
import { createStore } from '../../../src/store/store.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { peer } from '../../support/peers/peers.js'

const DAY = '2026-11-20'
const SENDER = { domain: 'agents.test', contact: 'postmaster@agents.test' }
const RESULT: DmarcResult = {
  policyDomain: 'peer.test',
  record: 'v=DMARC1; p=reject; sp=none; adkim=s; rua=mailto:r@peer.test',
  ip: '192.0.2.7',
  headerFrom: 'news.peer.test',
  envelopeFrom: 'bounces.peer.test',
  disposition: 'none',
  override: false,
  dkimAligned: true,
  spfAligned: false,
  spf: { domain: 'bounces.peer.test', result: 'softfail', scope: 'mfrom' },
  dkim: [{ domain: 'peer.test', selector: 's1', result: 'pass' }],
}

t.test('who asks for reports, and by what rules', (t) => {
  const at = (address: string, maxBytes: number | null = null) => ({ address, maxBytes })
  const cases: [string[], unknown][] = [
    [['v=DMARC1; p=none; rua=mailto:r@peer.test'], [at('r@peer.test')]],
    [['v=DMARC1;p=none;rua=mailto:r@peer.test!10m'], [at('r@peer.test', 10 * 1024 * 1024)]],
    [['v=DMARC1; rua=mailto:a@peer.test!50K, mailto:b@peer.test'], [at('a@peer.test', 51_200), at('b@peer.test')]],
    [['v=DMARC1; rua=mailto:a@b.test,mailto:c@b.test,mailto:d@b.test'], [at('a@b.test'), at('c@b.test')]],
    [['v=DMARC1; rua=mailto:a%2Bb@b.test?subject=x!1'], [at('a+b@b.test', 1)]],
    [['v=DMARC1; rua=https://b.test/reports, mailto:x'], []],
    [['v=DMARC1; rua=mailto:a@b.test%0D%0ABcc:c@d.test'], []],
    [['v=DMARC1; p=none; ruf=mailto:a@b.test'], []],
    [['v=DMARC1; rua=mailto:a@b.test', 'v=DMARC1; rua=mailto:c@b.test'], []],
    [['v=spf1 -all', 'v=DMARC1; rua=mailto:a@b.test'], [at('a@b.test')]],
    [['v=DMARC2; rua=mailto:a@b.test'], []],
    [[], []],
  ]
  for (const [records, expected] of cases) t.same(dmarcDestinations(records), expected, records.join(' | '))
  t.end()
})

t.test('another organisation has to want it', (t) => {
  const asked = { address: 'reports@other.test', maxBytes: null }
  t.equal(isExternal('peer.test', { address: 'r@mail.peer.test', maxBytes: null }), false)
  t.equal(isExternal('peer.test', asked), true)
  t.equal(permissionName('peer.test', asked), 'peer.test._report._dmarc.other.test')
  t.same(permitted(asked, []), [])
  t.same(permitted(asked, ['yes please']), [])
  t.same(permitted(asked, ['v=DMARC1']), [asked])
  t.same(permitted(asked, ['v=DMARC1;', 'x']), [asked])
  t.same(permitted(asked, ['v=DMARC1; rua=mailto:in@other.test']), [{ address: 'in@other.test', maxBytes: null }])
  t.same(
    permitted(asked, ['v=DMARC1; rua=mailto:in@victim.test']),
    [],
    'not to a third party, nor to the one that was asked for',
  )
  t.end()
})

t.test('the report is right by its schema, and says what was counted', peer('xmllint', '/usr/bin/xmllint'), (t) => {
  const rows = [
    { row: RESULT, count: 3 },
    {
      row: {
        ...RESULT,
        ip: '2001:db8::1',
        headerFrom: 'a"<&>\'b',
        envelopeFrom: '',
        disposition: 'quarantine' as const,
        override: true,
        dkimAligned: false,
        dkim: [],
        spf: { domain: 'mx.evil.test', result: 'none' as const, scope: 'helo' as const },
      },
      count: 2,
    },
  ]
  const xml = composeDmarcXml(DAY, 'peer.test', { record: `${RESULT.record}; t=y`, rows, leftOut: 9 }, SENDER)
  const checked = execFileSync(
    '/usr/bin/xmllint',
    ['--noout', '--schema', 'test/reporting/sent/dmarc-aggregate.xsd', '-'],
    {
      input: xml,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  t.equal(checked.length, 0)
  t.match(xml, '<error>9 messages are in no record')
  const broken = xml.replace('<p>reject</p>', '<p>maybe</p>')
  t.throws(() =>
    execFileSync('/usr/bin/xmllint', ['--noout', '--schema', 'test/reporting/sent/dmarc-aggregate.xsd', '-'], {
      input: broken,
      stdio: 'pipe',
    }),
  )
  const begin = Date.UTC(2026, 10, 20) / 1000
  t.match(readDmarcXml(xml), {
    org_name: 'agents.test',
    contact: 'postmaster@agents.test',
    report_id: `${DAY}.peer.test@agents.test`,
    begin,
    end: begin + 86_399,
    domain: 'peer.test',
    policy: { p: 'reject', sp: 'none', adkim: 's', aspf: 'r', pct: '100' },
    messages: 5,
    passed: 3,
    quarantined: 2,
    rows: [
      { source_ip: '2001:db8::1', count: 2, dkim: 'fail', spf: 'fail', reasons: ['local_policy', 'other'] },
      {
        source_ip: '192.0.2.7',
        dkim: 'pass',
        spf: 'fail',
        header_from: 'news.peer.test',
        envelope_from: 'bounces.peer.test',
        dkim_results: [{ domain: 'peer.test', selector: 's1', result: 'pass' }],
        spf_results: [{ domain: 'bounces.peer.test', result: 'softfail' }],
      },
    ],
  })
  t.end()
})

t.test('equal results are one row; what strangers make up has an end', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.parse(`${DAY}T12:00:00Z`))
  const { log } = captureLog()
  const isLocalDomain = (domain: string) => domain === 'agents.test'
  const counts = createDmarcCounts({ store, clock, isLocalDomain, log })
  for (let i = 0; i < 3; i++) counts.record({ ...RESULT, headerFrom: 'News.Peer.Test' })
  await counts.flush()
  counts.record(RESULT)
  counts.record({ ...RESULT, ip: '192.0.2.8', record: 'v=DMARC1; p=none; rua=mailto:r@peer.test' })
  counts.record({ ...RESULT, policyDomain: 'agents.test' })
  counts.record({ ...RESULT, headerFrom: 'agents.test' })
  t.same(await counts.days(), [DAY])
  t.same(await counts.domains(DAY, undefined, 10), ['peer.test'])
  const found = await counts.counts(DAY, 'peer.test')
  t.match(found, { record: /p=none/, leftOut: 0 })
  t.same(found?.rows.map(({ row, count }) => [row.ip, count]).sort(), [
    ['192.0.2.7', 4],
    ['192.0.2.8', 1],
  ])

  for (let i = 0; i < 1500; i++)
    counts.record({ ...RESULT, policyDomain: 'evil.test', ip: `10.0.${i >> 8}.${i & 255}` })
  await counts.flush()
  t.match(await counts.counts(DAY, 'evil.test'), { leftOut: 500, rows: { length: 1000 } })
  for (let i = 0; i < 80; i++) counts.record({ ...RESULT, policyDomain: `x${i}.evil.test` })
  await counts.flush()
  t.equal((await counts.domains(DAY, undefined, 1000)).length, 51, 'fifty of one organisation, and the other')
  await counts.finish(DAY, 'peer.test', true)
  t.equal(await counts.counts(DAY, 'peer.test'), undefined)
  t.equal(await counts.reports(DAY), 1)
  clock.advance(24 * 3_600_000)
  t.same(await counts.endedDays(), [DAY])
  await counts.dropDay(DAY)
  t.same(await counts.days(), [])
  await counts.stop()
})
