/** Checks run side by side, and none can hold up or break the others. */
import t from 'tap'
import { advice, failed, ok, setting, warning } from '../../../src/ops/doctor/finding.js'
import { runChecks } from '../../../src/ops/doctor/run.js'
import { reportSchema, type Check } from '../../../src/ops/doctor/types.js'
import { ManualClock } from '../../../src/lib/clock.js'

const options = { version: '1.2.3', clock: new ManualClock() }
const fine: Check = { id: 'files.space', run: async () => ok('there is room') }

t.test('one that hangs is told as unknown, and the others as they are', async (t) => {
  let aborted = false
  const hangs: Check = {
    id: 'dns.mx',
    run: (signal) => {
      signal.addEventListener('abort', () => (aborted = true))
      return new Promise(() => undefined)
    },
  }
  const report = await runChecks([hangs, fine], { ...options, timeoutMs: 20 })
  t.match(report.checks, [
    { id: 'files.space', state: 'ok' },
    { id: 'dns.mx', state: 'unknown', finding: 'there was no answer within 20 ms', remedy: [] },
  ])
  t.ok(aborted, 'it is told that its time is over')
})

t.test('one that throws is told as unknown with what it said', async (t) => {
  const breaks: Check = { id: 'tls.web', run: () => Promise.reject(new Error('no such\u001b[2J thing')) }
  const { checks, state } = await runChecks([breaks, fine], options)
  t.match(checks[1], { id: 'tls.web', state: 'unknown', finding: 'the check failed: no such [2J thing' })
  t.equal(state, 'ok')
})

t.test(
  'the report counts, names the worst, stands in the order of the groups, and has the documented shape',
  async (t) => {
    const many: Check = {
      id: 'mail.queue',
      run: async () => [
        warning('old', advice('look')),
        { ...failed('broken', setting('smtp.listen', '[]')), subject: 'x' },
      ],
    }
    const report = await runChecks([many, fine], { ...options, configDir: '/etc/restante' })
    t.same(report.counts, { ok: 1, skipped: 0, unknown: 0, warning: 1, failed: 1 })
    t.equal(report.state, 'failed')
    t.same(
      report.checks.map(({ id, subject }) => [id, subject]),
      [
        ['files.space', null],
        ['mail.queue', null],
        ['mail.queue', 'x'],
      ],
    )
    t.same(report.checks[2]?.remedy, [{ kind: 'setting', text: 'listen = []', file: '/etc/restante/smtp.toml' }])
    t.same(reportSchema.parse(report), report)
  },
)
