import t from 'tap'
import { headerSectionOf, sectionOf } from '../../../src/imap/message/section.js'
import { structureOf } from '../../../src/imap/message/structure.js'
import type { SectionText } from '../../../src/imap/message/types.js'
import { headerLength } from '../../../src/mime/headers.js'
import { limits, lines } from '../../mime/support.js'

const MESSAGE = lines(
  'Subject: outer',
  'To: a@example.org,',
  ' b@example.org',
  'X-Line without a colon',
  'subject : again',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  'preamble',
  '--x',
  'Content-ID: <1>',
  '',
  'one',
  '--x',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  'Content-Type: multipart/alternative; boundary=y',
  '',
  '--y',
  'Content-ID: <2.1>',
  '',
  'two',
  '--y--',
  '--x',
  'Content-Type: message/rfc822',
  '',
  'Subject: plain',
  '',
  'three',
  '--x--',
)
const INNER = 'Subject: inner\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n'
const INNER_TEXT = '--y\r\nContent-ID: <2.1>\r\n\r\ntwo\r\n--y--'

const whole: SectionText = { kind: 'whole' }
const header: SectionText = { kind: 'header' }
const text: SectionText = { kind: 'text' }
const mime: SectionText = { kind: 'mime' }
const fields = (...names: string[]): SectionText & { kind: 'fields' } => ({ kind: 'fields', names, not: false })
const notFields = (...names: string[]): SectionText & { kind: 'fields' } => ({ kind: 'fields', names, not: true })

const all = MESSAGE.toString()
const outerHeader = all.slice(0, all.indexOf('\r\n\r\n') + 4)

const SECTIONS: [string, number[], SectionText, string][] = [
  ['', [], whole, all],
  ['HEADER', [], header, outerHeader],
  ['TEXT', [], text, all.slice(outerHeader.length)],
  ['HEADER.FIELDS (SUBJECT)', [], fields('SUBJECT'), 'Subject: outer\r\nsubject : again\r\n\r\n'],
  ['HEADER.FIELDS (to subject)', [], fields('to', 'x-none'), 'To: a@example.org,\r\n b@example.org\r\n\r\n'],
  ['HEADER.FIELDS (X-None)', [], fields('X-None'), '\r\n'],
  [
    'HEADER.FIELDS.NOT (Subject To)',
    [],
    notFields('Subject', 'To'),
    'X-Line without a colon\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n',
  ],
  ['HEADER.FIELDS.NOT (X-None)', [], notFields('X-None'), outerHeader],
  ['1', [1], whole, 'one'],
  ['1.MIME', [1], mime, 'Content-ID: <1>\r\n\r\n'],
  ['1.HEADER', [1], header, ''],
  ['1.TEXT', [1], text, ''],
  ['1.HEADER.FIELDS (Content-ID)', [1], fields('Content-ID'), ''],
  ['1.1', [1, 1], whole, ''],
  ['2', [2], whole, INNER + INNER_TEXT],
  ['2.MIME', [2], mime, 'Content-Type: message/rfc822\r\n\r\n'],
  ['2.HEADER', [2], header, INNER],
  ['2.HEADER.FIELDS (Subject)', [2], fields('Subject'), 'Subject: inner\r\n\r\n'],
  ['2.HEADER.FIELDS.NOT (Content-Type)', [2], notFields('content-type'), 'Subject: inner\r\n\r\n'],
  ['2.TEXT', [2], text, INNER_TEXT],
  ['2.1', [2, 1], whole, 'two'],
  ['2.1.MIME', [2, 1], mime, 'Content-ID: <2.1>\r\n\r\n'],
  ['2.2', [2, 2], whole, ''],
  ['3.1', [3, 1], whole, 'three'],
  ['3.1.MIME', [3, 1], mime, 'Subject: plain\r\n\r\n'],
  ['3.TEXT', [3], text, 'three'],
  ['3.2', [3, 2], whole, ''],
  ['4', [4], whole, ''],
  ['4.MIME', [4], mime, ''],
  ['4.HEADER', [4], header, ''],
]

t.test('sections of a message', async (t) => {
  const root = await structureOf(MESSAGE, limits)
  for (const [name, path, part, wanted] of SECTIONS) {
    t.equal(sectionOf(MESSAGE, root, { path, text: part }).toString(), wanted, `BODY[${name}]`)
    const partial = { offset: 3, length: 5 }
    t.equal(
      sectionOf(MESSAGE, root, { path, text: part }, partial).toString(),
      wanted.slice(3, 8),
      `BODY[${name}]<3.5>`,
    )
  }
})

t.test('sections are views of the message', async (t) => {
  const root = await structureOf(MESSAGE, limits)
  const section = sectionOf(MESSAGE, root, { path: [2, 1], text: whole }, { offset: 1, length: 100 })
  t.equal(section.buffer, MESSAGE.buffer)
  t.equal(section.toString(), 'wo')
  t.equal(sectionOf(MESSAGE, root, { path: [], text: whole }, { offset: MESSAGE.length + 1, length: 5 }).length, 0)
})

t.test('sections of the header need only the header', async (t) => {
  const start = MESSAGE.subarray(0, headerLength(MESSAGE))
  t.equal(headerSectionOf(start, { kind: 'header' }).toString(), outerHeader)
  t.equal(headerSectionOf(start, fields('to')).toString(), 'To: a@example.org,\r\n b@example.org\r\n\r\n')
  t.equal(headerSectionOf(start, notFields('x'), { offset: 0, length: 7 }).toString(), 'Subject')
})

t.test('number 1 of a message that is no multipart is its body, with its header', async (t) => {
  const raw = lines('Subject: x', '', 'text')
  const root = await structureOf(raw, limits)
  const section = (path: number[], part: SectionText): string => sectionOf(raw, root, { path, text: part }).toString()
  t.equal(section([1], whole), 'text\r\n')
  t.equal(section([1], mime), 'Subject: x\r\n\r\n')
  t.equal(section([1, 1], whole), '')
  t.equal(section([2], whole), '')
})

t.test('without an empty line there is none behind chosen fields', async (t) => {
  const raw = lines('Subject: x', 'To: y')
  const root = await structureOf(raw, limits)
  t.equal(sectionOf(raw, root, { path: [], text: fields('Subject') }).toString(), 'Subject: x\r\n')
  t.equal(sectionOf(raw, root, { path: [], text: text }).toString(), '')
})

t.test('NUL is replaced, and nothing else', async (t) => {
  const raw = Buffer.from('Subject: \0\r\n\r\na\0\xff', 'latin1')
  const root = await structureOf(raw, limits)
  t.equal(sectionOf(raw, root, { path: [], text }).toString('latin1'), 'a\x80\xff')
  t.equal(sectionOf(raw, root, { path: [], text: whole }).length, raw.length)
  t.equal(headerSectionOf(raw.subarray(0, 14), fields('subject')).toString('latin1'), 'Subject: \x80\r\n\r\n')
  t.ok(raw.includes(0), 'the message is left as it is')
})
