/** What an operator may ask of `restante review`, and what is refused before the daemon is asked. */
import t from 'tap'
import { printableLines } from '../../src/cli/terminal/output.js'
import { refuses } from './refused.js'

t.test('what is not clear is refused with what would be right', async (t) => {
  for (const [words, problem] of [
    [['show'], /needs MESSAGE_ID/],
    [['approve'], /needs MESSAGE_ID/],
    [['approve', 'msg_1', 'msg_2'], /does not take "msg_2"/],
    [['approve', 'msg_1', '--reason', 'x'], /takes no --reason/],
    [['suspend', 'msg_1'], /needs --reason TEXT; the owner of the account reads it/],
    [['list', '--limit', '0'], /--limit takes a whole number from 1 to 500, not "0"/],
    [['log', '--limit', 'many'], /--limit takes a whole number/],
    [['log', '--blocked'], /takes no --blocked/],
    [['decline', 'msg_1'], /"review" is one of .*"restante review reject"/],
  ] as const)
    await refuses(t, ['review', ...words], 64, problem)
})

t.test('a message cannot steer the terminal', async (t) => {
  t.equal(printableLines('one\r\ntwo\x1b[2J\rthree\u202E\u2028four'), 'one\ntwo\ufffd[2J\nthree\ufffd\ufffdfour')
})
