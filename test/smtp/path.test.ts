import fc from 'fast-check'
import t from 'tap'
import { parsePath } from '../../src/smtp/path.js'

const options = { null: true, postmaster: true, maxLocalBytes: 64 }

t.test('paths are read to one form', async (t) => {
  const paths: [text: string, address: string, rest: string][] = [
    ['<>', '', ''],
    ['<carol@peer.test>', 'carol@peer.test', ''],
    ['<Carol@Peer.Test> SIZE=5', 'Carol@peer.test', ' SIZE=5'],
    ['carol@peer.test SIZE=5', 'carol@peer.test', ' SIZE=5'],
    ['<carol@peer.test.>', 'carol@peer.test', ''],
    ['<@a.test,@b.test:carol@peer.test>', 'carol@peer.test', ''],
    ['<"carol"@peer.test>', 'carol@peer.test', ''],
    ['<"carol smith"@peer.test>', '"carol smith"@peer.test', ''],
    ['<"a>b"@peer.test> SIZE=1', '"a>b"@peer.test', ' SIZE=1'],
    ['<"a\\ b\\c"@peer.test>', '"a bc"@peer.test', ''],
    ['<"a\\"b\\\\"@peer.test>', '"a\\"b\\\\"@peer.test', ''],
    ['<carol@[192.0.2.1]>', 'carol@[192.0.2.1]', ''],
    ['<carol@[ipv6:2001:DB8::1]>', 'carol@[IPv6:2001:db8::1]', ''],
    ['<carol@bücher.test>', 'carol@xn--bcher-kva.test', ''],
    ['<Postmaster>', 'Postmaster', ''],
    ['<a_b@under_score.test>', 'a_b@under_score.test', ''],
  ]
  for (const [text, address, rest] of paths) t.match(parsePath(text, options), { kind: 'path', address, rest }, text)
  t.match(parsePath('<carol@bücher.test>', options), { isAscii: false })
  t.match(parsePath('<@bücher.test:carol@peer.test>', options), { isAscii: false }, 'a route counts too')
})

t.test('a path that is taken has no control character and is within its bounds, whatever is sent', async (t) => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '@',
    '"',
    '\\',
    ' ',
    '.',
    ':',
    ',',
    '[',
    ']',
    'a',
    'b.c',
    'xn--',
    'ü',
    '\u200b',
    '\u0000',
    '\r\n',
    'IPv6:',
    '1.2.3.4',
    'postmaster',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (sent) => {
      const path = parsePath(sent, options)
      if (path.kind === 'bad') return true

      return (
        Buffer.byteLength(path.address) <= 254 &&
        !/[\x00-\x1f\x7f-\x9f\u200b]/.test(path.address) &&
        sent.endsWith(path.rest)
      )
    }),
    { numRuns: 5000 },
  )
  t.pass('for 5,000 texts')
})

t.test('what was read is read to the same again', async (t) => {
  for (const text of [
    '<"a\\ \\"b"@peer.test>',
    '<"x..y"@[192.0.2.1]>',
    '<carol@bücher.test>',
    '<"a@b\\\\"@peer.test>',
  ]) {
    const first = parsePath(text, options)
    if (first.kind === 'bad') return t.fail(`${text} is not read`)
    t.match(parsePath(`<${first.address}>`, options), { kind: 'path', address: first.address }, text)
  }
})
