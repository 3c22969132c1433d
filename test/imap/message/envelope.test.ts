import t from 'tap'
import { envelopeOf } from '../../../src/imap/message/envelope.js'
import type { ImapValue } from '../../support/imap-reader.js'
import { lines } from '../../mime/support.js'
import { envelopeList } from './lists.js'

const envelope = (...fields: string[]): ImapValue[] => envelopeList(envelopeOf(lines(...fields)))
const ada = [null, null, 'ada', 'example.org']

t.test('the fields of an envelope stand in the order of RFC 9051', async (t) => {
  t.same(
    envelope(
      'Message-ID: <1@example.org>',
      'In-Reply-To: <0@example.org>',
      'bcc: b@example.org',
      'CC : c@example.org',
      'To: d@example.org',
      'Reply-To: e@example.org',
      'Sender: f@example.org',
      'From: ada@example.org',
      'Subject: Hi',
      'Date: Fri, 27 Nov 2026 12:00:00 +0000',
      'X-Other: x',
      '',
    ),
    [
      'Fri, 27 Nov 2026 12:00:00 +0000',
      'Hi',
      [ada],
      [[null, null, 'f', 'example.org']],
      [[null, null, 'e', 'example.org']],
      [[null, null, 'd', 'example.org']],
      [[null, null, 'c', 'example.org']],
      [[null, null, 'b', 'example.org']],
      '<0@example.org>',
      '<1@example.org>',
    ],
  )
})

t.test('a missing field is NIL, an empty string is empty, and an empty list is NIL', async (t) => {
  t.same(envelope(''), Array(10).fill(null))
  t.same(envelope('Date:', 'Subject: ', 'In-Reply-To:\t', 'Message-ID:', 'From:', 'To: ,', 'Cc: (none)', 'Bcc:  '), [
    '',
    '',
    ...Array<null>(6).fill(null),
    '',
    '',
  ])
})

t.test('Sender and Reply-To are From when they are missing or empty', async (t) => {
  t.same(envelope('From: ada@example.org', 'Sender:').slice(2, 5), [[ada], [ada], [ada]])
})

t.test('values are unfolded and otherwise as they are', async (t) => {
  const [, subject] = envelope('Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n  =?utf-8?Q?_x?=', 'From: a@b.example')
  t.equal(subject, '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=  =?utf-8?Q?_x?=')
  const eightBit = envelopeOf(Buffer.from('Subject: Gr\xfc\xdfe \0\r\nFrom: "J\xf6rg" <j@b.example>\r\n\r\n', 'latin1'))
  t.equal(eightBit.subject, 'Gr\xfc\xdfe ?')
  t.equal(eightBit.from[0]?.name, 'J\xf6rg')
})

t.test('of repeated fields the first counts, but all addresses are listed', async (t) => {
  const [, subject, from, , , to] = envelope(
    'Subject: 1',
    'Subject: 2',
    'To: ada@example.org',
    'To: ada@example.org',
    'From: ada@example.org',
  )
  t.same([subject, from, to], ['1', [ada], [ada, ada]])
})

t.test('fields end at the empty line, and a header needs none', async (t) => {
  t.same(envelope('Subject: 1', '', 'From: ada@example.org').slice(1, 3), ['1', null])
  t.same(envelopeList(envelopeOf(Buffer.from('Subject: 1\nFrom: ada@example.org'))).slice(1, 3), ['1', [ada]])
})

const ADDRESSES: [string, ImapValue][] = [
  ['ada@example.org', [ada]],
  ['<ada@example.org>', [ada]],
  ['Ada Lovelace <ada@example.org>', [['Ada Lovelace', null, 'ada', 'example.org']]],
  ['"Lovelace,  Ada" <ada@example.org>', [['Lovelace,  Ada', null, 'ada', 'example.org']]],
  ['"A \\"B\\" \\\\ C" D<ada@example.org>', [['A "B" \\ C D', null, 'ada', 'example.org']]],
  ['J. R. Ada <ada@example.org>', [['J. R. Ada', null, 'ada', 'example.org']]],
  [
    '=?utf-8?Q?A=2C_B?=  =?utf-8?Q?C?= <ada@example.org>',
    [['=?utf-8?Q?A=2C_B?= =?utf-8?Q?C?=', null, 'ada', 'example.org']],
  ],
  ['ada@example.org (Ada (the \\) Countess))', [['Ada (the ) Countess)', null, 'ada', 'example.org']]],
  ['ada@example.org (Ada), ada@example.org', [['Ada', null, 'ada', 'example.org'], ada]],
  ['(first) ada (second) @ (third) example.org', [['third', null, 'ada', 'example.org']]],
  ['"a b"@example.org', [[null, null, 'a b', 'example.org']]],
  ['a . b @ example . org', [[null, null, 'a.b', 'example.org']]],
  ['ada@[192.0.2.1]', [[null, null, 'ada', '[192.0.2.1]']]],
  ['<@a.example,@b.example:ada@example.org>', [[null, '@a.example,@b.example', 'ada', 'example.org']]],
  ['ada@example.org, , ada@example.org,', [ada, ada]],
  ['ada@example.org; ada@example.org', [ada, ada]],
  [
    'A Group:ada@example.org, Ada <ada@example.org>;, ada@example.org',
    [[null, null, 'A Group', null], ada, ['Ada', null, 'ada', 'example.org'], [null, null, null, null], ada],
  ],
  [
    'undisclosed-recipients:;',
    [
      [null, null, 'undisclosed-recipients', null],
      [null, null, null, null],
    ],
  ],
  ['Unclosed: ada@example.org', [[null, null, 'Unclosed', null], ada, [null, null, null, null]]],
  // Out of form.
  ['ada', [[null, null, 'ada', '']]],
  ['ada (Ada)', [['Ada', null, 'ada', '']]],
  ['<ada>', [[null, null, 'ada', '']]],
  ['<>', [[null, null, '', '']]],
  ['Ada Lovelace', [['Ada Lovelace', null, '', '']]],
  ['Ada ada@example.org', [['Ada', null, 'ada', 'example.org']]],
  ['ada@example.org> x, ada@example.org', [[null, null, 'ada', 'example.org'], ada]],
  ['Ada <ada@example.org', [['Ada', null, 'ada', 'example.org']]],
  ['"Ada <ada@example.org>', [[null, null, 'Ada <ada@example.org>', '']]],
  ['ada@', [ada.with(3, '')]],
  ['@example.org', [[null, null, '', 'example.org']]],
  [': ; , : @ < > ( \\', null],
]

for (const [text, wanted] of ADDRESSES)
  t.test(`addresses: ${text}`, async (t) => {
    t.same(envelope(`To: ${text}`)[5], wanted)
  })

t.test('a list is cut at 10,000 addresses, and costs no more than its length', async (t) => {
  for (const [word, most] of [
    ['a,', 10_000],
    ['a:;', 10_000],
    ['(', 0],
    ['"', 1],
    ['<', 1],
    ['\\', 1],
    [': ', 1],
    ['a ', 1],
  ] as const) {
    const { to } = envelopeOf(Buffer.from(`To: ${word.repeat(100_000)}`))
    t.ok(to.length <= most + 1, `${word}: ${to.length}`)
  }
  // Lines without a colon.
  t.same(envelopeOf(Buffer.from('a\r\n'.repeat(100_000))).to, [])
})
