import t from 'tap'
import { dataOf } from '../../../src/relay/smtp/data.js'

const sent = (text: string): string => Buffer.concat([...dataOf(Buffer.from(text, 'latin1'))]).toString('latin1')

t.test('lines end with CRLF, and a dot in front of one is doubled', async (t) => {
  t.equal(sent('a\r\n.\r\n..b\r\nc.\r\n'), 'a\r\n..\r\n...b\r\nc.\r\n')
  t.equal(sent('.a'), '..a\r\n')
  t.equal(sent(''), '')
  t.equal(sent('a\n.\nb\n'), 'a\r\n..\r\nb\r\n', 'a line feed alone is no line that another server might see')
  t.equal(sent('a\r.\rb\r'), 'a\r\n..\r\nb\r\n')
  t.equal(sent('a\n\r.\r\n'), 'a\r\n\r\n..\r\n')
})

t.test('it does not matter where a message is cut', async (t) => {
  for (let before = 65_530; before < 65_540; before++) {
    const fill = 'x'.repeat(before)
    for (const tail of ['\r\n.\r\nz\r\n', '\n.\nz\n', '\r.\rz\r']) t.equal(sent(fill + tail), `${fill}\r\n..\r\nz\r\n`)
  }
})
