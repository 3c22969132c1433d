/** What a person sees of the log on a terminal. */
import t from 'tap'
import { createLogger } from '../../src/observe/log.js'
import { textLine } from '../../src/observe/log-text.js'

const LINE = {
  level: 'info',
  time: '2026-11-22T22:48:31.619Z',
  part: 'relay',
  message_id: 'msg_1',
  host: null,
  to: ['a@peer.test', 'b@peer.test'],
  reply: '550 no such user',
  msg: 'delivery attempt',
}

t.test('a line is its time, its part, its sentence and its fields, without what is empty', async (t) => {
  t.equal(
    textLine(`${JSON.stringify(LINE)}\n`),
    '22:48:31 relay: delivery attempt  message_id=msg_1 to=a@peer.test,b@peer.test reply="550 no such user"',
  )
  t.match(textLine(JSON.stringify({ ...LINE, level: 'warn' })), /^22:48:31 warn {2}relay: /)
  const err = { type: 'Error', message: 'no relay', stack: 'at x', cause: { message: 'refused', code: 'ECONNREFUSED' } }
  t.equal(
    textLine(JSON.stringify({ ...LINE, to: [], reply: '', message_id: '', err })).split('attempt  ')[1],
    'no relay (refused)',
  )
})

t.test('no line is long, whatever its fields hold', async (t) => {
  const long = textLine(
    JSON.stringify({ ...LINE, record: 'x'.repeat(500), second: 'y'.repeat(500), third: 'z'.repeat(500) }),
  )
  t.ok(long.length < 320, String(long.length))
  t.match(long, /…$/)
})

t.test('what a stranger wrote cannot steer the terminal, and what is no line of ours is shown as it is', async (t) => {
  const line = textLine(JSON.stringify({ ...LINE, helo: '\u001b[2Jx\u202e', msg: 'a\nb' }))
  t.notMatch(line, /[\u0000-\u001f\u202e]/)
  t.equal(textLine('hello\n'), 'hello')
})

t.test('the logger writes it where it is asked to, and JSON everywhere else', async (t) => {
  const written: string[] = []
  const destination = { write: (line: string) => void written.push(line) }
  createLogger({ level: 'info', format: 'text', destination }).info({ domain: 'peer.test' }, 'ready')
  createLogger({ level: 'info', destination }).info({ domain: 'peer.test' }, 'ready')
  t.match(written[0], /^\d\d:\d\d:\d\d ready {2}domain=peer\.test\n$/)
  t.match(JSON.parse(written[1] ?? ''), { domain: 'peer.test', msg: 'ready' })
})
