/** What an operator may ask of `restante receipts`, and what is refused before the daemon is asked. */
import t from 'tap'
import { parseWhen } from '../../src/cli/terminal/arguments.js'
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.js'
import { refuses } from './refused.js'

t.test('a time is a moment, a date or an age', (t) => {
  const now = Date.UTC(2026, 10, 21, 12)
  t.equal(parseWhen('30m', now), now - 30 * MINUTE)
  t.equal(parseWhen('2h', now), now - 2 * HOUR)
  t.equal(parseWhen('3d', now), now - 3 * DAY)
  t.equal(parseWhen('1w', now), now - 7 * DAY)
  t.equal(parseWhen('2026-11-20', now), Date.UTC(2026, 10, 20))
  t.equal(parseWhen('2026-11-20T08:00:00Z', now), Date.UTC(2026, 10, 20, 8))
  t.equal(parseWhen('2026-11-20T08:00:00+01:00', now), Date.UTC(2026, 10, 20, 7))
  for (const nonsense of ['', 'h', '2', '-2h', '2 h', '1.5h', '2026-02-30', '2026-11-20T25:00:00Z', 'yesterday'])
    t.equal(parseWhen(nonsense, now), undefined, nonsense)
  t.end()
})

t.test('nonsense is refused with what would be right', async (t) => {
  for (const [words, problem] of [
    [['--since', 'yesterday'], /--since takes a time such as .*, not "yesterday"/],
    [['--until', '2026-13-01'], /--until takes a time/],
    [['--since', '2999-01-01'], /lies in the future/],
    [['--since', '1h', '--until', '2h'], /--since has to be before --until/],
    [['--since', '999999w'], /--since takes a time/],
    [['--address', 'bob'], /--address takes a whole address such as bob@example\.org, not "bob"/],
    [['--limit', '0'], /--limit takes a whole number from 1/],
    [['--limit', '1e9'], /--limit takes a whole number/],
    [['--limit', ' '], /--limit takes a whole number/],
    [['--owner', 'bob@peer.test'], /takes no --owner/],
    [['bob@peer.test', 'x'], /does not take "x"/],
    [[`rcp_${'0'.repeat(26)}`, '--since', '1d'], /--since cannot be combined with the number of one receipt/],
  ] as const)
    await refuses(t, ['receipts', ...words], 64, problem)
})
