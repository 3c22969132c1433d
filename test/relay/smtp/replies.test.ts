/** What the SMTP client takes for a reply, and for the answer to which command. */
import t from 'tap'
import { createReplyReader, isAnswered, isDone, ProtocolError, type Reply } from '../../../src/relay/smtp/replies.js'

/** @param size of the packets */
function read(text: string | Buffer, size = Infinity): Reply[] {
  const reader = createReplyReader(1000)
  const bytes = Buffer.from(text)
  const replies: Reply[] = []
  for (let at = 0; at < bytes.length; at += size) replies.push(...reader.push(bytes.subarray(at, at + size)))
  return replies
}

t.test('replies are read however they are cut into packets', async (t) => {
  const text = '220 mx.test\r\n250-mx.test\r\n250-SIZE 10\r\n250 OK\r\n354\r\n550 5.1.1 nö\n'
  const wanted = [
    { code: 220, lines: ['mx.test'], text: '220 mx.test' },
    { code: 250, lines: ['mx.test', 'SIZE 10', 'OK'], text: '250-mx.test\n250-SIZE 10\n250 OK' },
    { code: 354, lines: [''], text: '354' },
    { code: 550, lines: ['5.1.1 nö'], text: '550 5.1.1 nö' },
  ]
  for (const size of [1, 2, 3, 7, 1000]) t.same(read(text, size), wanted, `${size} octets each`)
  t.same(read(Buffer.from('550 n\xf6\r\n', 'latin1'))[0]?.lines, ['nö'], 'octets that are no UTF-8')
})

t.test('what is no reply is an error', async (t) => {
  const none = [
    '2\r\n',
    '25\r\n',
    '2500\r\n',
    '250ok\r\n',
    'ok\r\n',
    '\r\n',
    ' 250 ok\r\n',
    '150 wait\r\n',
    '650 ok\r\n',
  ]
  for (const text of [...none, '250-a\r\n550 b\r\n', '250-a\r\nb\r\n', '250-a\r\n250\tb\r\n'])
    t.throws(() => read(text), ProtocolError, JSON.stringify(text))
  t.same(read('250 ok'), [], 'a line without end is none yet')
})

t.test('a reply has a limit, in one line and in many; a session has none', async (t) => {
  t.throws(() => read(`250 ${'x'.repeat(1000)}`, 100), /maximum allowed size/)
  t.throws(() => read('250-x\r\n'.repeat(200)), /maximum allowed size/)
  t.equal(read('250 ok\r\n'.repeat(1000)).length, 1000)
})

t.test('which codes answer a command', async (t) => {
  const reply = (code: number): Reply => ({ code, lines: [''], text: String(code) })
  for (const code of [250, 251, 252, 299]) t.equal(isDone('RCPT', reply(code)), true, String(code))
  for (const code of [421, 450, 500, 554]) t.equal(isDone('RCPT', reply(code)), false, String(code))
  for (const code of [211, 214, 220, 221, 235, 334, 354]) t.throws(() => isDone('RCPT', reply(code)), ProtocolError)
  t.equal(isAnswered('DATA', 354, reply(354)), true)
  t.equal(isAnswered('DATA', 354, reply(451)), false)
  for (const code of [200, 220, 221, 250, 334, 350]) t.throws(() => isAnswered('DATA', 354, reply(code)), ProtocolError)
})
