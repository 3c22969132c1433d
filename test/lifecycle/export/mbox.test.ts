/** The mbox writer alone: what it does to lines, wherever a message is cut into pieces. */
import fc from 'fast-check'
import t from 'tap'
import { asctime, createQuoter, toMbox } from '../../../src/lifecycle/export/mbox.js'
import { fileNameOf } from '../../../src/lifecycle/export/names.js'
import type { WalkedMessage } from '../../../src/mailbox/reading/export-walk.js'

function quote(message: Buffer, cuts: number[] = []): string {
  const quoter = createQuoter()
  const places = [0, ...cuts.map((cut) => cut % (message.length + 1)).sort((a, b) => a - b), message.length]
  const written = places.slice(1).map((end, i) => quoter.write(message.subarray(places[i], end)))
  return Buffer.concat([...written, quoter.end()]).toString('latin1')
}

/** mboxrd as it is defined, on a whole message. */
function defined(message: Buffer): string {
  const text = message.toString('latin1').replaceAll('\r\n', '\n')
  const lines = text.split('\n').map((line) => (/^>*From /.test(line) ? `>${line}` : line))
  const whole = lines.join('\n')
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`
}

t.test('lines that look like the start of a message are quoted, and only those', async (t) => {
  for (const [message, written] of [
    ['From me\r\n', '>From me\n'],
    ['a\r\nFrom me\r\n>From you\r\n>>From us', 'a\n>From me\n>>From you\n>>>From us\n'],
    ['a\r\n From me\r\nFrom: x\r\nfrom me\r\nFrom\r\n', 'a\n From me\nFrom: x\nfrom me\nFrom\n'],
    ['a\rFrom me\r\n', 'a\rFrom me\n'],
    ['a\n\nFrom me\n', 'a\n\n>From me\n'],
    ['no end', 'no end\n'],
    ['ends with CR\r', 'ends with CR\r\n'],
    ['ends with F\r\nFrom', 'ends with F\nFrom\n'],
    ['NUL \0 and \xff\xfe\r\n', 'NUL \0 and \xff\xfe\n'],
    ['', ''],
  ] as const) {
    t.equal(quote(Buffer.from(message, 'latin1')), written, JSON.stringify(message))
  }
})

t.test('it makes no difference where a message is cut', async () => {
  const word = fc.constantFrom('From ', '>', '\r', '\n', '\r\n', 'F', 'Fr', 'rom ', 'x', '\0', '\xe9', ' ', '>>From ')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 20 }), (words, cuts) => {
      const message = Buffer.from(words.join(''), 'latin1')
      return quote(message, cuts) === defined(message)
    }),
    { numRuns: 5_000 },
  )
})

t.test('reading takes off what writing put on', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('From ', '>', '\n', 'x'), { maxLength: 30 }), (words) => {
      const text = words.join('')
      const read = quote(Buffer.from(text)).replace(/(^|\n)>(>*From )/g, '$1$2')
      return read === text || read === `${text}\n`
    }),
    { numRuns: 2_000 },
  )
})

t.test('each message begins with its sender and its date', async (t) => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5)
  const raw = (text: string): Buffer => Buffer.from(text, 'latin1')
  const message = (change: Partial<WalkedMessage>): WalkedMessage => ({
    direction: 'inbound',
    at,
    rawBytes: 1,
    raw: raw('A: b\r\n\r\nHi\r\n'),
    ...change,
  })
  const lines: string[] = []
  const messages = [
    message({ raw: raw('Return-Path: <ada@example.org>\r\nA: b\r\n\r\n') }),
    message({ raw: raw('Return-Path: <>\r\n') }),
    message({ raw: raw('return-path:<"a b"@example.org>\r\n') }),
    message({ raw: raw('Return-Path: <j\xe9@example.org>\r\n') }),
    message({ raw: raw('X: y\r\nReturn-Path: <forged@example.org>\r\n') }),
    message({ direction: 'outbound', raw: raw('Return-Path: <forged@example.org>\r\n') }),
    message({ raw: raw('') }),
  ]
  async function* all() {
    yield* messages
  }
  let whole = ''
  for await (const piece of toMbox(all(), 'me@agents.test', async () => undefined)) whole += piece.toString('latin1')
  lines.push(...whole.split('\n').filter((line) => line.startsWith('From ')))
  t.same(
    lines.map((line) => line.replace(' Fri Jan  2 03:04:05 2026', '')),
    [
      'From ada@example.org',
      'From MAILER-DAEMON',
      'From "a_b"@example.org',
      'From j_@example.org',
      'From MAILER-DAEMON',
      'From me@agents.test',
      'From MAILER-DAEMON',
    ],
  )
  t.equal(asctime(0), 'Thu Jan  1 00:00:00 1970')
})

t.test('a file has a name that no system misunderstands, and no two addresses have the same', async (t) => {
  for (const [address, name] of [
    ['ada.agent@agents.test', 'ada.agent@agents.test'],
    ['a/../b@x.test', 'a%2F..%2Fb@x.test'],
    ['..@x.test', '%2E.@x.test'],
    ['-rf@x.test', '%2Drf@x.test'],
    ['con.agent@x.test', '%63on.agent@x.test'],
    ['contact@x.test', 'contact@x.test'],
    ['a%2Fb@x.test', 'a%252Fb@x.test'],
    ['müller@x.test', 'm%C3%BCller@x.test'],
    ['a:b\\c*?"<>|@x', 'a%3Ab%5Cc%2A%3F%22%3C%3E%7C@x'],
  ] as const)
    t.equal(fileNameOf(address), name)
  const long = [`${'a'.repeat(300)}1@x.test`, `${'a'.repeat(300)}2@x.test`].map(fileNameOf)
  t.ok(long.every((name) => name.length <= 180))
  t.not(long[0], long[1])
})
