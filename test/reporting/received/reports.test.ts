/** Keeping what reports say, within bounds for each reporter and day, and what they say together. */
import t, { type Test } from 'tap'
import { DAY, ManualClock } from '../../../src/lib/clock.js'
import { readReport } from '../../../src/reporting/received/read.js'
import { createReports } from '../../../src/reporting/received/reports.js'
import type { Proof } from '../../../src/reporting/received/types.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { BEGIN, dmarc, END, record, tls } from './forms.js'

const GOOGLE: Proof = { domain: 'google.com', by: 'dmarc' }
const OWN_IP = '198.51.100.25'

function setUp(t: Test) {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const clock = new ManualClock((END + 3600) * 1000)
  const isLocalDomain = (domain: string) => domain === 'agents.test'
  const reports = createReports({ store, clock, retentionMs: 90 * DAY, isLocalDomain })
  let mails = 0
  const keep = (text: string, proof = GOOGLE, messageId = `msg_${++mails}`) =>
    reports.keep({ report: readReport(Buffer.from(text)), proof, messageId })
  const summary = (query: { days?: number; domain?: string } = {}) =>
    reports.summary({ days: 7, ...query, isOwn: (ip) => ip === OWN_IP })
  return { clock, reports, keep, summary }
}

t.test('a report is kept once, however often it comes', async (t) => {
  const { reports, keep } = setUp(t)
  const first = await keep(dmarc(), GOOGLE, 'msg_first')
  t.match(first, { kind: 'kept', id: /^rep_20261120_[0-9a-f]{16}$/ })
  t.same(await keep(dmarc(), GOOGLE, 'msg_first'), first, 'the same mail, after a crash')
  t.same(await keep(dmarc()), { kind: 'refused', refusal: 'duplicate' })
  t.match(await keep(dmarc(), { domain: 'other.test', by: 'dmarc' }), { kind: 'kept' }, 'another may use the same id')
  t.match(await keep(dmarc({ id: 'another' })), { kind: 'kept' })
  t.equal(await reports.count(), 3)
  const shown = await reports.show(first.kind === 'kept' ? first.id : '')
  t.match(shown, {
    report: {
      reporter: 'google.com',
      proven_by: 'dmarc',
      message_id: 'msg_first',
      begin: '2026-11-20T00:00:00.000Z',
      rows: 1,
    },
    rows: [{ source_ip: '192.0.2.1', count: 2 }],
  })
  t.equal(await reports.show('rep_20261120_0000000000000000'), undefined)
  t.equal(await reports.show('../../etc/passwd'), undefined)
})

t.test('reports that cannot be right are refused', async (t) => {
  const { keep } = setUp(t)
  const refused = async (change: Parameters<typeof dmarc>[0], refusal: string) =>
    t.same(await keep(dmarc(change)), { kind: 'refused', refusal }, refusal)
  await refused({ domain: 'google.com' }, 'not_ours')
  await refused({ domain: 'notagents.test' }, 'not_ours')
  t.match(await keep(dmarc({ domain: 'sub.agents.test' })), { kind: 'kept' })
  await refused({ begin: END, end: BEGIN }, 'bad_dates')
  await refused({ begin: BEGIN, end: BEGIN + 400 * 86_400 }, 'bad_dates')
  await refused({ begin: 9_999_999_998, end: 9_999_999_999 }, 'bad_dates')
  await refused({ begin: BEGIN - 40 * 86_400, end: BEGIN - 39 * 86_400 }, 'too_old')
})

t.test('no reporter fills the day of the others, and no day is without end', async (t) => {
  const { keep, reports } = setUp(t)
  const evil: Proof = { domain: 'evil.test', by: 'dkim' }
  const wide = dmarc({ records: Array.from({ length: 1000 }, () => record()) })
  for (const id of ['a', 'b', 'c']) t.match(await keep(wide.replace('123456789', id), evil), { kind: 'kept' })
  t.same(await keep(wide.replace('123456789', 'd'), evil), { kind: 'refused', refusal: 'full' })
  t.match(await keep(dmarc()), { kind: 'kept' })
  for (let i = 0; i < 299; i++) await keep(dmarc({ id: `n${i}` }))
  t.same(await keep(dmarc({ id: 'one more' })), { kind: 'refused', refusal: 'full' })
  t.equal(await reports.count(), 303)
})

t.test('lists go by day, the newest first, in pages; what is past its time goes', async (t) => {
  const { clock, keep, reports } = setUp(t)
  for (let day = 0; day < 5; day++)
    await keep(dmarc({ begin: BEGIN - day * 86_400, end: END - day * 86_400, id: String(day) }))
  await keep(JSON.stringify(tls()))
  const days = async (query: Partial<Parameters<typeof reports.list>[0]>) => {
    const page = await reports.list({ limit: 100, ...query })
    return { days: page.data.map(({ end }) => end.slice(8, 10)), cursor: page.next_cursor }
  }
  t.same((await days({})).days, ['20', '20', '19', '18', '17', '16'])
  t.same((await days({ kind: 'tls' })).days, ['20'])
  t.same((await days({ domain: 'other.test' })).days, [])
  const first = await days({ limit: 4 })
  t.same(first.days, ['20', '20', '19', '18'])
  t.same((await days({ limit: 4, cursor: first.cursor ?? '' })).days, ['17', '16'])
  await t.rejects(days({ cursor: 'x' }), { code: 'invalid_request' })

  clock.advance(88 * DAY)
  const never = new AbortController().signal
  t.equal(await reports.sweep(never), 3)
  t.equal(await reports.count(), 3)
  clock.advance(10 * DAY)
  t.same((await days({})).days, [], 'not told of, even before the sweep')
  t.equal(await reports.sweep(never), 3)
})

t.test('the summary says where mail in our name comes from, and what to do', async (t) => {
  const { clock, keep, summary } = setUp(t)
  const fails = { dkim: 'fail', spf: 'fail' }
  const auth = (domain: string, result: string) => `<dkim><domain>${domain}</domain><result>${result}</result></dkim>`
  const reported = {
    records: [
      record({ ip: OWN_IP, count: 90 }),
      record({ ip: OWN_IP, count: 10, ...fails, auth: auth('agents.test', 'fail') }),
      record({ ip: '203.0.113.5', count: 4, ...fails, auth: auth('sendgrid.test', 'pass') }),
      record({ ip: '203.0.113.6', count: 3, ...fails, auth: auth('agents.test', 'fail') }),
      record({ ip: '203.0.113.7', count: 50, ...fails, auth: '', disposition: 'quarantine' }),
      record({ ip: '203.0.113.8', count: 1 }),
    ],
  }
  await keep(dmarc(reported))
  await keep(dmarc(reported), { domain: 'yahoo.com', by: 'dmarc' })
  await keep(JSON.stringify(tls()))
  const found = await summary()
  t.match(found, {
    days: 7,
    reports: 3,
    dmarc: [
      {
        domain: 'agents.test',
        reports: 2,
        reporters: ['google.com', 'yahoo.com'],
        messages: 316,
        passed: 182,
        failed: 134,
        quarantined: 100,
        policy: 'quarantine',
        sources: [
          {
            ip: OWN_IP,
            own: true,
            messages: 200,
            failed: 20,
            hint: /its signature is there and not valid.*restante dkim check/,
          },
          { ip: '203.0.113.7', own: false, failed: 100, hint: /somebody forges your name, and such mail is put aside/ },
          { ip: '203.0.113.5', signed_by: ['sendgrid.test'], hint: /have it sign as agents\.test/ },
          { ip: '203.0.113.6', hint: /mailing lists/ },
          { ip: '203.0.113.8', hint: null },
        ],
        sources_left_out: 0,
      },
    ],
    tls: [
      {
        domain: 'agents.test',
        sessions_ok: 10,
        sessions_failed: 3,
        failures: [{ type: 'certificate-expired', sessions: 3, mx: ['mx.agents.test'], meaning: /had expired/ }],
      },
    ],
  })
  t.match(await summary({ domain: 'other.test' }), { reports: 0, dmarc: [], tls: [] })
  clock.advance(7 * DAY)
  t.match(await summary(), { reports: 0 })
  t.match(await summary({ days: 9 }), { reports: 3 })
})
