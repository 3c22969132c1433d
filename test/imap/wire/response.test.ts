/** Responses as they are sent. */
import t from 'tap'
import { BadCommand } from '../../../src/imap/wire/refusal.js'
import { ResponseLine } from '../../../src/imap/wire/response.js'
import { statusLine } from '../../../src/imap/wire/status-line.js'
import { Scanner } from '../../../src/imap/wire/scanner.js'
import { randomFrom, below } from '../../support/random.js'
import { segmentsOf } from '../reading.js'

const SEED = 20_261_127

function written(write: (line: ResponseLine) => unknown, utf8 = false): string {
  const line = new ResponseLine({ utf8 })
  write(line)
  return Buffer.concat(line.end()).toString('utf8')
}

t.test('a line is built from typed parts', async (t) => {
  const text = written((line) =>
    line
      .raw('* ')
      .number(12)
      .raw(' FETCH (FLAGS ')
      .list(['\\Seen', '$Junk'], (flag) => line.atom(flag))
      .raw(' INTERNALDATE ')
      .dateTime(Date.UTC(1996, 6, 17, 9, 44, 25))
      .raw(' X ')
      .nstring(null)
      .raw(' Y ')
      .list([], () => undefined)
      .raw(')'),
  )
  t.equal(text, '* 12 FETCH (FLAGS (\\Seen $Junk) INTERNALDATE "17-Jul-1996 09:44:25 +0000" X NIL Y ())\r\n')
})

t.test('a string is quoted if it is short and safe', async (t) => {
  const cases: [value: string | Buffer, rev1: string, utf8?: string][] = [
    ['', '""'],
    ['NIL', '"NIL"'],
    ['a "b" \\', '"a \\"b\\" \\\\"'],
    ['a\r\nb', '{4}\r\na\r\nb'],
    ['a\nb', '{3}\r\na\nb'],
    ['é', '{2}\r\né', '"é"'],
    ['😀', '{4}\r\n😀', '"😀"'],
    ['x'.repeat(1000), `"${'x'.repeat(1000)}"`],
    ['x'.repeat(1001), `{1001}\r\n${'x'.repeat(1001)}`],
    [Buffer.from('plain'), '"plain"'],
    [Buffer.from('é'), '{2}\r\né'],
  ]
  for (const [value, rev1, utf8 = rev1] of cases) {
    t.equal(
      written((line) => line.string(value)),
      `${rev1}\r\n`,
    )
    t.equal(
      written((line) => line.string(value), true),
      `${utf8}\r\n`,
    )
  }
})

t.test('NUL is never sent in a literal, and as it is in a literal8', async (t) => {
  const octets = Buffer.from('a\0b\0')
  const line = new ResponseLine({ utf8: false })
  t.strictSame(Buffer.concat(line.literal(octets).end()), Buffer.from('{4}\r\na\x80b\x80\r\n', 'latin1'))
  t.strictSame(octets, Buffer.from('a\0b\0'), 'what was given is not changed')
  t.equal(
    written((l) => l.string('\0')),
    '{1}\r\n\ufffd\r\n',
  )
  t.equal(
    written((l) => l.literal8(octets)),
    '~{4}\r\na\0b\0\r\n',
  )
})

t.test('buffers are sent without a copy', async (t) => {
  const octets = Buffer.alloc(100_000, 'x')
  const parts = new ResponseLine({ utf8: false }).raw('* 1 FETCH (BODY[] ').literal(octets).raw(')').end()
  t.strictSame(
    parts.map((part) => part.length),
    ['* 1 FETCH (BODY[] {100000}\r\n'.length, 100_000, 3],
  )
  t.equal(parts[1], octets)
})

t.test('mailbox names are atoms where they can be, in the encoding that is enabled', async (t) => {
  const cases: [name: string, rev1: string, utf8?: string][] = [
    ['INBOX', 'INBOX'],
    ['a/b.c', 'a/b.c'],
    ['', '""'],
    ['nil', '"nil"'],
    ['a b', '"a b"'],
    ['a]', '"a]"'],
    ['50%', '"50%"'],
    ['A&B', 'A&-B', 'A&B'],
    ['Entwürfe', 'Entw&APw-rfe', '"Entwürfe"'],
  ]
  for (const [name, rev1, utf8 = rev1] of cases) {
    t.equal(
      written((line) => line.mailbox(name)),
      `${rev1}\r\n`,
    )
    t.equal(
      written((line) => line.mailbox(name), true),
      `${utf8}\r\n`,
    )
  }
})

t.test('what would break a line is refused', async (t) => {
  const line = new ResponseLine({ utf8: true })
  for (const text of ['a\r\n', 'a\n', '\0', 'é']) t.throws(() => line.raw(text), /one line/)
  for (const text of ['', 'a b', '(', '\\', '"', 'é', '\\*']) t.throws(() => line.atom(text), /not an atom/, text)
  for (const value of [-1, 1.5, NaN, Infinity, 2 ** 60]) t.throws(() => line.number(value), /not a number/)
  t.throws(() => statusLine('a', { status: 'OK', text: 'x\r\n* BYE' }), /one line/)
})

t.test('status responses have tag, code and text', async (t) => {
  t.equal(statusLine('a1', { status: 'OK', text: 'done' }).toString(), 'a1 OK done\r\n')
  t.equal(statusLine(undefined, { status: 'BYE', code: 'TOOBIG', text: 'bye' }).toString(), '* BYE [TOOBIG] bye\r\n')
  const bad = new BadCommand('a1', { status: 'NO', code: 'BADCHARSET (UTF-8)', text: 'unknown charset' })
  t.equal(statusLine(bad.tag, bad.refusal).toString(), 'a1 NO [BADCHARSET (UTF-8)] unknown charset\r\n')
})

t.test('any text that is written is read back', async (t) => {
  const random = randomFrom(SEED)
  const alphabet = ['a', '"', '\\', '\r', '\n', ' ', 'é', '😀', '{', '}', '5', '+', '\t', ']']
  for (let n = 0; n < 2000; n++) {
    const utf8 = below(random, 2) === 0
    const text = Array.from({ length: below(random, 10) }, () => alphabet[below(random, alphabet.length)]).join('')
    const octets = written((line) => line.raw('a ').astring(text), utf8)
    const scanner = new Scanner(segmentsOf(octets), { utf8, maxRanges: 1 })
    scanner.space()
    t.equal(scanner.astring('a text'), text)
    scanner.end()
  }
})
