/** Commands as a socket gives them: literals, limits, defects of lines, and where the next command begins. */
import t from 'tap'
import { CommandReader, type ReaderEvent } from '../../../src/imap/wire/command-reader.js'
import { LIMITS_BEFORE_SIGN_IN, LIMITS_SIGNED_IN } from '../../../src/imap/wire/reader-limits.js'
import { bytesOf, drain, feed, newReader, textsOf } from '../reading.js'

const KB = 1024
const MB = KB * KB

/** Short forms of events. */
function shortly(events: ReaderEvent[]): string[] {
  return events.map((event) => {
    switch (event.kind) {
      case 'command':
        return `command ${textsOf(event.segments).join('|')}`
      case 'line':
        return `line ${event.octets.toString('latin1')}`
      case 'bad-line':
        return `bad-line ${event.text}`
      case 'continue':
        return 'continue'
      case 'announced':
        return `announced ${textsOf(event.segments).join('|')}`
      case 'piece':
        return `piece ${event.octets.toString('latin1')}${event.isLast ? '.' : ''}`
      case 'refused': {
        const { status, code, text } = event.refusal
        return `refused ${event.tag} ${status}${code === undefined ? '' : ` [${code}]`} ${text}`
      }
      case 'fatal':
        return `fatal ${event.text}`
    }
  })
}

const read = (text: string | Buffer, reader = newReader()): string[] => shortly(feed(reader, [text]))

t.test('lines are commands, several in a chunk and one in several', async (t) => {
  t.strictSame(read('a NOOP\r\nb CHECK\r\n'), ['command a NOOP', 'command b CHECK'])
  t.strictSame(shortly(feed(newReader(), ['a NO', 'OP\r', '\nb CHE', 'CK\r\n'])), ['command a NOOP', 'command b CHECK'])
  t.strictSame(read('\r\n'), ['command '])
})

t.test('a synchronising literal asks for a continuation, a non-synchronising one does not', async (t) => {
  const reader = newReader()
  t.strictSame(read('a LOGIN {5}\r\n', reader), ['continue'])
  t.strictSame(read('alice {6}\r\n', reader), ['continue'])
  t.strictSame(read('secret\r\n', reader), ['command a LOGIN |{5}alice| |{6}secret|'])
  t.strictSame(read('a LOGIN {5+}\r\nalice {0+}\r\n\r\nb NOOP\r\n'), [
    'command a LOGIN |{5}alice| |{0}|',
    'command b NOOP',
  ])
})

t.test('a literal may hold anything, line ends and NUL too, and a literal8 is marked', async (t) => {
  t.strictSame(read('a X ~{6+}\r\n\r\n\0\n{}y\r\n'), ['command a X |~{6}\r\n\0\n{}|y'])
})

t.test('what only looks like a literal is text', async (t) => {
  for (const text of ['a X {5+', 'a X {}', 'a X {+}', 'a X {-1}', 'a X {5}x', 'a X "{5}"', 'a X {5 }', '9}', '9+}'])
    t.strictSame(read(`${text}\r\n`), [`command ${text}`])
})

t.test('a line with a defect is refused, and the next command is read', async (t) => {
  const cases: [string, string][] = [
    ['a NOOP\nb LOGOUT\r\n', 'bare LF in the command; lines end with CR LF'],
    ['a NO\rOP\r\n', 'bare CR in the command; lines end with CR LF'],
    ['a NOOP\r\r\n', 'bare CR in the command; lines end with CR LF'],
    ['a NO\0OP\r\n', 'NUL in the command'],
    [`a ${'x'.repeat(100)}\r\n`, 'the line has more than 100 octets'],
  ]
  for (const [octets, text] of cases) {
    const expected = [`refused a BAD ${text}`, 'command c NOOP']
    const all = Buffer.from(`${octets}c NOOP\r\n`)
    t.strictSame(shortly(feed(newReader({ maxLineBytes: 100 }), [all])), expected)
    t.strictSame(shortly(feed(newReader({ maxLineBytes: 100 }), bytesOf(all))), expected, 'byte by byte')
  }
})

t.test('a line of exactly the limit is read', async (t) => {
  const line = `a ${'x'.repeat(98)}`
  t.strictSame(read(`${line}\r\n`, newReader({ maxLineBytes: 100 })), [`command ${line}`])
})

t.test('the literal of a line that is refused is not read as a command', async (t) => {
  const inner = 'x LOGOUT\r\n'
  t.strictSame(read(`a NO\0OP {10+}\r\n${inner} {10+}\r\n${inner}\r\nb NOOP\r\n`), [
    'refused a BAD NUL in the command',
    'command b NOOP',
  ])
  const long = `a ${'x'.repeat(200)} {10+}\r\n${inner}\r\nb NOOP\r\n`
  t.strictSame(read(long, newReader({ maxLineBytes: 100 })), [
    'refused a BAD the line has more than 100 octets',
    'command b NOOP',
  ])
})

t.test('a refused command ends where the client waits for a continuation', async (t) => {
  t.strictSame(read('a NO\0OP {10}\r\nb NOOP\r\n'), ['refused a BAD NUL in the command', 'command b NOOP'])
})

t.test('a literal over the limit is refused at once if the client waits, else skipped', async (t) => {
  const limits = { maxLiteralBytes: 4 }
  const refused = 'refused a NO [TOOBIG] the literal of 5 octets is larger than 4 octets'
  t.strictSame(read('a X {5}\r\nb NOOP\r\n', newReader(limits)), [refused, 'command b NOOP'])
  t.strictSame(read('a X {5+}\r\n12\r\n5 {2+}\r\nab\r\nb NOOP\r\n', newReader(limits)), [refused, 'command b NOOP'])
})

t.test('4 GB are refused, and end the connection if they come without asking', async (t) => {
  t.match(read('a APPEND x {4294967296}\r\nb NOOP\r\n'), [/^refused a NO \[TOOBIG\]/, 'command b NOOP'])
  t.match(read('a APPEND x {4294967296+}\r\nb NOOP\r\n'), [/^fatal a literal of 4294967296 octets/])
  t.match(read(`a X {${'9'.repeat(30)}+}\r\n`), [/^fatal /])
  t.match(read(`a X {${'9'.repeat(300)}+}\r\nb NOOP\r\n`), ['fatal the size of the literal has no end'])
  t.match(read(`a X {${'0'.repeat(40)}2+}\r\nxy\r\n`), ['command a X |{2}xy|'], 'leading zeros are digits')
})

t.test('after the end nothing is read', async (t) => {
  const reader = newReader()
  feed(reader, ['a X {4294967296+}\r\n'])
  t.strictSame(feed(reader, ['b NOOP\r\n']), [])
  t.equal(reader.pendingBytes, 0)
})

t.test('literals are counted, and so are the octets of a command', async (t) => {
  const many = `a X ${'{1+}\r\nx '.repeat(4)}\r\nb NOOP\r\n`
  t.strictSame(read(many, newReader({ maxLiterals: 3 })), [
    'refused a BAD more than 3 literals in a command',
    'command b NOOP',
  ])
  const large = `a X {60+}\r\n${'x'.repeat(60)}\r\nb NOOP\r\n`
  const refused = 'refused a BAD [TOOBIG] the command has more than 50 octets'
  t.strictSame(read(large, newReader({ maxCommandBytes: 50 })), [refused, 'command b NOOP'])
  t.strictSame(read('a X {60}\r\nb NOOP\r\n', newReader({ maxCommandBytes: 50 })), [refused, 'command b NOOP'])
  const lines = `a X {1+}\r\nx${'y'.repeat(50)}\r\nb NOOP\r\n`
  t.strictSame(read(lines, newReader({ maxCommandBytes: 50 })), [refused, 'command b NOOP'])
})

t.test('a refused command that goes on and on ends the connection', async (t) => {
  const lines = 'x {1+}\r\ny'.repeat(200)
  t.strictSame(read(`a \0${lines}\r\nb NOOP\r\n`, newReader({ maxDroppedBytes: 1000 })), [
    'fatal the refused command has no end',
  ])
  t.match(read(`a \0${lines}\r\nb NOOP\r\n`, newReader({ maxDroppedBytes: 2000 })), [/^refused a/, 'command b NOOP'])
})

t.test('an endless line ends the connection, and takes no memory until then', async (t) => {
  const reader = newReader({ maxLineBytes: 8 * KB, maxDroppedBytes: 64 * MB })
  const chunk = Buffer.alloc(64 * KB, 'x')
  const before = process.memoryUsage().arrayBuffers
  let pushed = 0
  let events: ReaderEvent[] = []
  let most = 0
  while (events.length === 0 && pushed < 128 * MB) {
    events = feed(reader, [chunk])
    pushed += chunk.length
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  t.strictSame(shortly(events), ['fatal the line has no end'])
  t.ok(pushed <= 65 * MB, `after ${pushed} octets`)
  t.ok(most < 16 * MB, `${most} octets of memory`)
})

t.test('an announced literal takes no memory before it comes', async (t) => {
  const before = process.memoryUsage().arrayBuffers
  const readers = Array.from({ length: 200 }, () => {
    const reader = newReader({ maxLiteralBytes: 100 * MB, maxCommandBytes: 101 * MB })
    feed(reader, ['a X {104857600}\r\nstart'])
    return reader
  })
  t.equal(readers.length, 200)
  t.ok(process.memoryUsage().arrayBuffers - before < 4 * MB)
})

t.test('octets one by one cost as much for each when there are many', async (t) => {
  const size = 2 * MB
  const reader = newReader({ maxLiteralBytes: size, maxCommandBytes: 3 * MB })
  const start = process.cpuUsage()
  feed(reader, [`a X {${size}+}\r\n`])
  const octet = Buffer.from('x')
  for (let i = 0; i < size; i++) reader.push(octet)
  const events = feed(reader, ['\r\n'])
  t.equal(
    events[0]?.kind === 'command' && events[0].segments[1]?.kind === 'literal' && events[0].segments[1].size,
    size,
  )
  const { user } = process.cpuUsage(start)
  t.ok(user < 8_000_000, `${user} microseconds`)
})

function appendReader(): CommandReader {
  return new CommandReader({ limits: LIMITS_SIGNED_IN, decides: (name) => name === 'APPEND' })
}

t.test('the owner decides on a literal of APPEND, and takes it in pieces', async (t) => {
  const reader = appendReader()
  reader.push(Buffer.from('a append INBOX {10}\r\n'))
  t.strictSame(shortly(drain(reader)), ['announced a append INBOX |{10}'])
  reader.accept({ maxBytes: 100 * MB, stream: true })
  t.strictSame(shortly(drain(reader)), ['continue'])
  t.strictSame(shortly(feed(reader, ['12345', '67', '890 (\\Seen) {0+}\r\n'])).slice(0, 3), [
    'piece 12345',
    'piece 67',
    'piece 890.',
  ])
  reader.accept({ maxBytes: 1, stream: true })
  t.strictSame(shortly(feed(reader, ['\r\nb NOOP\r\n'])), [
    'piece .',
    'command a append INBOX |{10}| (\\Seen) |{0}|',
    'command b NOOP',
  ])
})

t.test('pieces of a stream are views of the chunks', async (t) => {
  const reader = appendReader()
  feed(reader, ['a APPEND INBOX {1000+}\r\n'])
  reader.accept({ maxBytes: 1000, stream: true })
  const chunk = Buffer.alloc(500, 'x')
  const [event] = feed(reader, [chunk])
  t.ok(event?.kind === 'piece' && event.octets.buffer === chunk.buffer && event.octets.byteOffset === chunk.byteOffset)
})

t.test('the owner may keep a literal, or refuse it at any time', async (t) => {
  const kept = appendReader()
  feed(kept, ['a APPEND {5+}\r\n'])
  kept.accept({ maxBytes: 10, stream: false })
  t.strictSame(shortly(feed(kept, ['INBOX {2+}\r\n'])), ['announced a APPEND |{5}INBOX| |{2}'])
  kept.refuse({ status: 'NO', code: 'TRYCREATE', text: 'no such mailbox' })
  t.strictSame(shortly(feed(kept, ['xy\r\nb NOOP\r\n'])), [
    'refused a NO [TRYCREATE] no such mailbox',
    'command b NOOP',
  ])

  const late = appendReader()
  feed(late, ['a APPEND INBOX {6+}\r\n'])
  late.accept({ maxBytes: 10, stream: true })
  t.strictSame(shortly(feed(late, ['abc'])), ['piece abc'])
  late.refuse({ status: 'NO', code: 'OVERQUOTA', text: 'mailbox is full' })
  t.strictSame(shortly(feed(late, ['def\r\nb NOOP\r\n'])), [
    'refused a NO [OVERQUOTA] mailbox is full',
    'command b NOOP',
  ])

  const waiting = appendReader()
  feed(waiting, ['a APPEND INBOX {6}\r\n'])
  waiting.accept({ maxBytes: 5, stream: true })
  t.strictSame(shortly(feed(waiting, ['b NOOP\r\n'])), [
    'refused a NO [TOOBIG] the literal of 6 octets is larger than 5 octets',
    'command b NOOP',
  ])
})

t.test('a decision that is due is not passed over', async (t) => {
  const reader = appendReader()
  feed(newReader(), [])
  reader.push(Buffer.from('a APPEND INBOX {6+}\r\nabcdef\r\n'))
  reader.next()
  t.throws(() => reader.next(), /waits for a decision/)
  t.throws(() => newReader().accept({ maxBytes: 1, stream: true }), /no literal/)
  t.throws(() => newReader().refuse({ status: 'NO', text: 'no' }), /no command/)
})

t.test('a defect after a streamed literal refuses the command', async (t) => {
  const reader = appendReader()
  feed(reader, ['a APPEND INBOX {2+}\r\n'])
  reader.accept({ maxBytes: 5, stream: true })
  t.strictSame(shortly(feed(reader, ['xy\0\r\nb NOOP\r\n'])), [
    'piece xy.',
    'refused a BAD NUL in the command',
    'command b NOOP',
  ])
})

t.test('a raw line is no command, and is read once', async (t) => {
  const reader = newReader({ maxLineBytes: 20 })
  reader.push(Buffer.from('a IDLE\r\nDONE {5+}\r\nb NOOP\r\n'))
  t.equal(reader.next()?.kind, 'command')
  reader.expectLine()
  t.strictSame(shortly(drain(reader)), ['line DONE {5+}', 'command b NOOP'])
  reader.expectLine()
  t.strictSame(shortly(feed(reader, [`${'x'.repeat(21)}\r\nc NOOP\r\n`])), [
    'bad-line the line has more than 20 octets',
    'command c NOOP',
  ])
})

t.test('what was sent ahead can be taken away', async (t) => {
  const reader = newReader()
  reader.push(Buffer.from('a STARTTLS\r\nb LOGIN x y\r\n'))
  t.equal(reader.next()?.kind, 'command')
  t.equal(reader.pendingBytes, 13)
  t.equal(reader.takePending().toString(), 'b LOGIN x y\r\n')
  t.strictSame(drain(reader), [])
})

t.test('limits change for the next line', async (t) => {
  const reader = new CommandReader({ limits: LIMITS_BEFORE_SIGN_IN, decides: () => false })
  const long = `a X ${'y'.repeat(10_000)}\r\n`
  t.match(shortly(feed(reader, [long])), ['refused a BAD the line has more than 8192 octets'])
  reader.setLimits(LIMITS_SIGNED_IN)
  t.match(shortly(feed(reader, [long])), [/^command/])
})

t.test('the tag of a refused command is given if it is valid', async (t) => {
  for (const [start, tag] of [
    ['a1', 'a1'],
    ['+', 'undefined'],
    ['(x)', 'undefined'],
    ['x'.repeat(300), 'undefined'],
  ])
    t.match(read(`${start} \0\r\n`), [`refused ${tag} BAD NUL in the command`])
})
