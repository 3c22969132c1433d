/** Commands into what they say, and those that say nothing. */
import t from 'tap'
import type { AppendLiteral } from '../../../src/imap/grammar/append.js'
import { parseAppendUpToLiteral, parseCommand } from '../../../src/imap/grammar/parse.js'
import { writeSection } from '../../../src/imap/grammar/section.js'
import { CommandReader } from '../../../src/imap/wire/command-reader.js'
import { LIMITS_SIGNED_IN } from '../../../src/imap/wire/reader-limits.js'
import { BadCommand } from '../../../src/imap/wire/refusal.js'
import { ResponseLine } from '../../../src/imap/wire/response.js'
import { randomFrom } from '../../support/random.js'
import { bytesOf, feed, newReader, randomChunks, segmentsOf } from '../reading.js'
import { ACCEPTED, ITEMS } from './commands.js'
import { REFUSED } from './refused-commands.js'

const SEED = 20_261_127

/** Octets of a text; half of a surrogate pair in the range DC80 to DCFF is that octet alone. */
function octetsOf(text: string): Buffer {
  const parts = text.split(/([\udc80-\udcff])/)
  return Buffer.concat(
    parts.map((part) =>
      /^[\udc80-\udcff]$/.test(part) ? Buffer.from([part.charCodeAt(0) & 0xff]) : Buffer.from(part),
    ),
  )
}

function refusalOf(text: string, { utf8 = false } = {}): BadCommand {
  try {
    const command = parseCommand(segmentsOf(octetsOf(`a1 ${text}\r\n`)), { utf8 })
    throw new Error(`accepted: ${JSON.stringify(command)}`)
  } catch (error) {
    if (error instanceof BadCommand) return error
    throw error
  }
}

t.test('every command says what the RFCs have it say', async (t) => {
  for (const { text, expected, utf8 } of ACCEPTED) {
    const command = parseCommand(segmentsOf(`A.01 ${text}\r\n`), { utf8 })
    t.strictSame(command, { tag: 'A.01', ...expected }, text.slice(0, 80))
  }
})

t.test('what is no command is refused, with its tag and the place', async (t) => {
  for (const { text, why, utf8 } of REFUSED) {
    const { tag, refusal } = refusalOf(text, { utf8 })
    t.match(refusal.text, why, JSON.stringify(text.slice(0, 80)))
    t.match(refusal.text, /^[ -~]{1,160}, at column \d+(?: after literal \d+)?$/)
    t.equal(tag, 'a1')
  }
})

t.test('a command without a tag is refused without one', async (t) => {
  for (const line of [
    '',
    ' ',
    ' NOOP',
    '+ NOOP',
    'a+b NOOP',
    '"a" NOOP',
    '(',
    'a\\ NOOP',
    '\u00e9 NOOP',
    '{1+}\r\nx NOOP',
    'x'.repeat(5000),
  ]) {
    try {
      parseCommand(segmentsOf(`${line}\r\n`), { utf8: false })
      t.fail(line)
    } catch (error) {
      t.ok(error instanceof BadCommand && error.tag === undefined && error.refusal.status === 'BAD', line.slice(0, 20))
    }
  }
})

t.test('an unknown charset and an unknown event are NO, with what is known', async (t) => {
  t.strictSame(refusalOf('SEARCH CHARSET X ALL').refusal, {
    status: 'NO',
    code: 'BADCHARSET (US-ASCII UTF-8)',
    text: 'unknown charset, at column 19',
  })
  t.match(refusalOf('NOTIFY SET (personal (X))').refusal, {
    status: 'NO',
    code: 'BADEVENT (MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange)',
  })
})

t.test('the column is that of the token that is wrong', async (t) => {
  t.match(refusalOf('FETCH 1 (FLAGS FOO)').refusal.text, /at column 19$/)
  t.match(refusalOf('FETCH 1 (FLAGS').refusal.text, /at column 18$/)
  t.match(refusalOf('LOGIN {1+}\r\na b c').refusal.text, /at column 3 after literal 1$/)
})

t.test('texts of refusals have nothing of passwords and mail', async (t) => {
  for (const text of [
    'LOGIN u "hunter2',
    'LOGIN u hunter2 x',
    'LOGIN u {7+}\r\nhunter2 x',
    'AUTHENTICATE PLAIN hunter2?',
    'SEARCH TEXT hunter2 (',
  ])
    t.notMatch(refusalOf(text).refusal.text, /hunter2/, text)
  t.equal(
    refusalOf(`FETCH 1 ${'x'.repeat(60)}`).refusal.text,
    `unknown fetch item "${'X'.repeat(20)}...", at column 12`,
  )
})

t.test('chunks change nothing: not one octet at a time, not any number', async (t) => {
  const random = randomFrom(SEED)
  const lines = [...ACCEPTED, ...REFUSED].map(({ text }) => octetsOf(`a1 ${text}\r\n`))
  const whole = feed(newReader(), [Buffer.concat(lines)])
  t.equal(whole.filter(({ kind }) => kind === 'command').length, whole.length, 'nothing but commands')
  t.equal(whole.length, lines.length)
  t.strictSame(feed(newReader(), bytesOf(Buffer.concat(lines))), whole)
  for (const largest of [2, 3, 7, 50, 1000])
    t.strictSame(
      feed(newReader(), randomChunks(random, Buffer.concat(lines), largest)),
      whole,
      `chunks up to ${largest}`,
    )
})

t.test('10,000 parentheses are refused where they are too deep', async (t) => {
  const deep = '('.repeat(10_000)
  t.match(refusalOf(`SEARCH ${deep}`).refusal.text, /nested more than 50 deep, at column 61$/)
  t.match(refusalOf(`SEARCH ${'NOT '.repeat(10_000)}ALL`).refusal.text, /nested more than 50 deep/)
  t.match(refusalOf(`SEARCH ${'OR '.repeat(10_000)}ALL`).refusal.text, /nested more than 50 deep/)
  for (const start of [
    'FETCH 1 ',
    'FETCH 1 BODY[',
    'LIST ',
    'LIST "" ',
    'STATUS a ',
    'STORE 1 FLAGS ',
    'ID ',
    'NOTIFY SET ',
    'SELECT a ',
    'APPEND a ',
    'SORT ',
  ])
    t.match(refusalOf(`${start}${deep}`).refusal.text, /^expected|^unknown/)
  const fits = `${'('.repeat(50)}ALL${')'.repeat(50)}`
  t.match(parseCommand(segmentsOf(`a SEARCH ${fits}\r\n`), { utf8: false }), { key: { key: 'all' } })
  const beside = Array.from({ length: 60 }, () => '(ALL)').join(' ')
  t.match(parseCommand(segmentsOf(`a SEARCH ${beside}\r\n`), { utf8: false }), { key: { key: 'and' } })
})

t.test('what one command may ask for has limits', async (t) => {
  const many = (count: number, word: string, between = ' '): string =>
    Array.from({ length: count }, () => word).join(between)
  const cases: [string, RegExp][] = [
    [`SEARCH ${many(201, 'ALL')}`, /^more than 200 search keys/],
    [`SEARCH (${many(100, 'ALL')}) (${many(100, 'ALL')})`, /^more than 200 search keys/],
    [`FETCH 1 (${many(101, 'FLAGS')})`, /^more than 100 items: fetch items/],
    [`FETCH 1 BODY[HEADER.FIELDS (${many(101, 'A')})]`, /^more than 100 items: header names/],
    [`FETCH 1 BODY[${many(101, '1', '.')}]`, /^more than 100 numbers/],
    [`FETCH ${many(10_001, '1', ',')} FLAGS`, /^too many ranges/],
    [`SEARCH ${many(5001, '1', ',')} UID ${many(5000, '1', ',')}`, /^too many ranges/],
    [`STORE 1 FLAGS (${many(101, 'a')})`, /^more than 100 items: flags/],
    [`STORE 1 FLAGS ${many(101, 'a')}`, /^more than 100 items: flags/],
    [`LIST "" (${many(101, 'a')})`, /^more than 100 items: patterns/],
    [`ID (${many(31, '"a" NIL')})`, /^more than 30 items/],
    [`ID ("${'a'.repeat(31)}" NIL)`, /^a field name has more than 30 octets/],
    [`ID ("a" "${'a'.repeat(1025)}")`, /^a value has more than 1024 octets/],
    [`ENABLE ${many(51, 'A')}`, /^more than 50 items/],
    [`SORT (${many(21, 'DATE')}) UTF-8 ALL`, /^more than 20 items/],
    [`NOTIFY SET ${many(21, '(personal NONE)')}`, /^more than 20 groups/],
    [`NOTIFY SET (mailboxes (${many(201, 'a')}) NONE)`, /^more than 200 items/],
    [`SELECT "${'a'.repeat(1001)}"`, /^the mailbox name has more than 1000 octets/],
  ]
  for (const [text, why] of cases) t.match(refusalOf(text).refusal.text, why)
})

/** Up to the last announced literal of APPEND. */
function announced(octets: string, { utf8 = false } = {}): AppendLiteral {
  const reader = new CommandReader({ limits: LIMITS_SIGNED_IN, decides: (name) => name === 'APPEND' })
  reader.push(Buffer.from(octets))
  let literal: AppendLiteral | undefined
  for (let event = reader.next(); event; event = reader.next()) {
    if (event.kind !== 'announced') continue
    literal = parseAppendUpToLiteral(event.segments, { utf8 })
    reader.accept({ maxBytes: 100, stream: literal.kind === 'message' })
  }
  if (!literal) throw new Error('nothing was announced')
  return literal
}

t.test('a literal of APPEND is known for what it is when it is announced', async (t) => {
  t.strictSame(announced('a APPEND {5}\r\n'), { kind: 'mailbox name' })
  const message = {
    kind: 'message',
    mailbox: 'INBOX',
    index: 0,
    message: { flags: [], internalDateMs: undefined, isUtf8: false },
  }
  t.match(announced('a APPEND {5+}\r\ninbox {6}\r\n'), message)
  t.match(announced('a append inbox {6}\r\n'), { ...message, message: { literal: { size: 6, octets: undefined } } })
  t.match(announced('a APPEND INBOX (\\Seen) "01-Jan-2026 00:00:00 +0000" {6}\r\n'), {
    ...message,
    message: { flags: ['\\Seen'], internalDateMs: Date.UTC(2026, 0, 1) },
  })
  t.match(announced('a APPEND INBOX UTF8 (~{6}\r\n'), { ...message, message: { isUtf8: true } })
  t.match(announced('a APPEND INBOX UTF8 (~{2+}\r\nxy) (\\Draft) {6}\r\n'), {
    ...message,
    index: 1,
    message: { flags: ['\\Draft'] },
  })
  for (const wrong of [
    'a APPEND INBOX x {6}\r\n',
    'a APPEND  {6}\r\n',
    'a APPEND INBOX(\\Seen) {6}\r\n',
    'a APPEND a&b {6}\r\n',
    'a APPEND INBOX UTF8 ({6}\r\n',
  ])
    t.throws(() => announced(wrong), BadCommand, wrong)
})

t.test('a streamed message leaves its size in the command', async (t) => {
  const reader = new CommandReader({ limits: LIMITS_SIGNED_IN, decides: (name) => name === 'APPEND' })
  feed(reader, ['a APPEND INBOX {3+}\r\n'])
  reader.accept({ maxBytes: 100, stream: true })
  const event = feed(reader, ['xyz\r\n']).at(-1)
  t.ok(event?.kind === 'command')
  if (event?.kind !== 'command') return
  t.match(parseCommand(event.segments, { utf8: false }), { messages: [{ literal: { size: 3, octets: undefined } }] })
})

t.test('sections are written as they are read', async (t) => {
  for (const [text, item] of ITEMS) {
    if (item.item !== 'SECTION') continue
    const line = new ResponseLine({ utf8: false })
    writeSection(line, item.section)
    const written = Buffer.concat(line.end()).toString()
    const command = parseCommand(segmentsOf(`a FETCH 1 BODY${written}`), { utf8: false })
    t.match(command, { items: [{ section: item.section }] }, text)
  }
})
