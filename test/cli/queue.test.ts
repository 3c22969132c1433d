/** What an operator may ask of `restante queue`, and what is refused before the daemon is asked. */
import t from 'tap'
import { ago, inTime, size } from '../../src/cli/terminal/words.js'
import { refuses } from './refused.js'

t.test('ages, waits and sizes are short', (t) => {
  const now = Date.UTC(2026, 10, 21, 12)
  const at = (ms: number): string => new Date(now + ms).toISOString()
  t.equal(ago(at(-42_000), now), '42s')
  t.equal(ago(at(-5 * 60_000), now), '5m')
  t.equal(ago(at(-3 * 3_600_000), now), '3h')
  t.equal(ago(at(-72 * 3_600_000), now), '3d')
  t.equal(ago(at(1000), now), '0s', 'a clock that went back')
  t.equal(inTime(at(240_000), now), 'in 4m')
  t.equal(inTime(at(0), now), 'now')
  t.same([512, 1023, 4300, 1024 * 13, 13 * 2 ** 20, 2 ** 41].map(size), ['512', '1023', '4.2K', '13K', '13M', '2048G'])
  t.end()
})

t.test('what is not clear is refused with what would be right', async (t) => {
  for (const [words, problem] of [
    [['hold'], /name what is meant: an id, --mailbox ADDRESS or --domain DOMAIN/],
    [['release'], /name what is meant/],
    [['delete'], /name what is meant/],
    [['hold', 'msg_1', '--domain', 'example.com'], /name one thing only/],
    [['hold', '--mailbox', 'a@b.test', '--domain', 'example.com'], /name one thing only/],
    [['retry'], /name what to try, or give --all/],
    [['retry', 'msg_1', '--all'], /either a name or --all/],
    [['delete', '--all'], /takes no --all/],
    [['show'], /needs ID/],
    [['hold', 'msg_1', 'msg_2'], /does not take "msg_2"/],
    [['list', '--state', 'stuck'], /--state takes sending, queued, deferred, held, not "stuck"/],
    [['list', '--limit', '0'], /--limit takes a whole number/],
    [['flush'], /"queue" is one of .*"restante queue retry"/],
  ] as const)
    await refuses(t, ['queue', ...words], 64, problem)
})
