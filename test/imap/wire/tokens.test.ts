/** Numbers, dates, flags and base64. */
import t from 'tap'
import { decodeBase64 } from '../../../src/imap/wire/base64.js'
import { formatDateTime, parseDate, parseDateTime } from '../../../src/imap/wire/dates.js'
import { BadCommand } from '../../../src/imap/wire/refusal.js'
import { Scanner } from '../../../src/imap/wire/scanner.js'
import { readFlags, readNumber, readNumber64, readNzNumber } from '../../../src/imap/wire/tokens.js'
import { segmentsOf } from '../reading.js'

function read<T>(text: string, reader: (scanner: Scanner, what: string) => T, utf8 = false): T {
  const scanner = new Scanner(segmentsOf(`a ${text}\r\n`), { utf8, maxRanges: 1 })
  scanner.space()
  const value = reader(scanner, 'it')
  scanner.end()
  return value
}

t.test('numbers have 32 or 63 bits', async (t) => {
  t.equal(read('0', readNumber), 0)
  t.equal(read('007', readNumber), 7)
  t.equal(read('4294967295', readNumber), 4294967295)
  t.throws(() => read('4294967296', readNumber), /larger than 4294967295/)
  t.throws(() => read('9'.repeat(1000), readNumber), BadCommand)
  t.throws(() => read('0', readNzNumber), /is 0/)
  t.throws(() => read('-1', readNumber), /expected/)
  t.throws(() => read('1.5', readNumber), /expected the end/)
  t.equal(read('4294967296', readNumber64), 4294967296)
  t.equal(read('0009007199254740991', readNumber64), Number.MAX_SAFE_INTEGER)
  t.equal(read('9223372036854775807', readNumber64), Number.MAX_SAFE_INTEGER)
  t.throws(() => read('9223372036854775808', readNumber64), /larger/)
  t.throws(() => read('10000000000000000000', readNumber64), /larger/)
})

t.test('days are days of the calendar', async (t) => {
  t.equal(parseDate('1-Feb-1994'), Date.UTC(1994, 1, 1))
  t.equal(parseDate('01-FEB-1994'), Date.UTC(1994, 1, 1))
  t.equal(parseDate('29-Feb-2000'), Date.UTC(2000, 1, 29))
  t.equal(parseDate('31-Dec-9999'), Date.UTC(9999, 11, 31))
  t.equal(parseDate('1-Jan-0050'), Date.parse('0050-01-01T00:00:00Z'))
  for (const text of [
    '29-Feb-1900',
    '31-Apr-2020',
    '32-Jan-2020',
    '0-Jan-2020',
    '1-Jan-20',
    '1-Jan-02020',
    '1 Jan 2020',
    '',
    '1-J\u00e4n-2020',
  ])
    t.equal(parseDate(text), undefined, text)
})

t.test('times have a zone, and come back', async (t) => {
  t.equal(parseDateTime('17-Jul-1996 02:44:25 -0700'), Date.UTC(1996, 6, 17, 9, 44, 25))
  t.equal(parseDateTime(' 1-Jan-2026 05:30:00 +0530'), Date.UTC(2026, 0, 1))
  t.equal(parseDateTime('31-Dec-2016 23:59:60 +0000'), Date.UTC(2017, 0, 1))
  for (const text of [
    '1-Jan-2026 00:00:00 +0000',
    '01-Jan-2026 0:00:00 +0000',
    '01-Jan-2026 24:00:00 +0000',
    '01-Jan-2026 00:60:00 +0000',
    '01-Jan-2026 00:00:61 +0000',
    '01-Jan-2026 00:00:00 GMT',
    '01-Jan-2026 00:00:00 +0060',
    '01-Jan-2026 00:00:00 +2400',
    '31-Feb-2026 00:00:00 +0000',
    ' 01-Jan-2026 00:00:00 +0000',
  ])
    t.equal(parseDateTime(text), undefined, text)
  for (const ms of [0, Date.UTC(1996, 6, 17, 9, 44, 25), Date.UTC(2026, 11, 3, 23, 59, 59)])
    t.equal(parseDateTime(formatDateTime(ms)), ms)
  t.equal(formatDateTime(Date.UTC(2026, 11, 3, 4, 5, 6)), ' 3-Dec-2026 04:05:06 +0000')
})

t.test('flags are given once, system flags in one case', async (t) => {
  t.strictSame(read('(\\SEEN \\seen $Junk $junk \\X)', readFlags), ['\\Seen', '$junk', '\\X'])
  t.strictSame(read('()', readFlags), [])
  for (const text of ['(\\)', '(\\*)', '(a b', 'a  b', '("a")', '(a\\b)', '\u00e9'])
    t.throws(() => read(text, readFlags), BadCommand, text)
})

t.test('strings are what was quoted or counted', async (t) => {
  const string = (text: string, utf8 = false): string => read(text, (scanner, what) => scanner.string(what), utf8)
  t.equal(string('""'), '')
  t.equal(string('"a\\\\\\"b"'), 'a\\"b')
  t.equal(string('"\t\x7f"'), '\t\x7f')
  t.equal(string('"\u00e9"', true), '\u00e9')
  t.equal(string('{4+}\r\n\r\n"\\'), '\r\n"\\')
  t.equal(string('{0+}\r\n'), '')
  t.throws(() => string('abc'), /expected it/)
  t.throws(() => string('NIL'), /expected it/)
  const nstring = (text: string): string | undefined => read(text, (scanner, what) => scanner.nstring(what))
  t.equal(nstring('nil'), undefined)
  t.equal(nstring('"NIL"'), 'NIL')
  t.equal(nstring('{3+}\r\nNIL'), 'NIL')
})

t.test('base64 has one form', async (t) => {
  t.strictSame(decodeBase64('AHRlc3Q='), Buffer.from('\0test'))
  t.strictSame(decodeBase64(''), Buffer.alloc(0))
  for (const text of ['AHRlc3Q', 'AHRlc3Q= ', 'AHRl\nc3Q=', 'AHRlc3R=', '=', 'A', 'AB==', '_-==', '*'])
    t.equal(decodeBase64(text), undefined, text)
})
