import fc from 'fast-check'
import t from 'tap'
import { structureOf } from '../../../src/imap/message/structure.js'
import type { Part } from '../../../src/imap/message/types.js'
import { leaves, placeIn, readStructure } from '../../../src/mime/structure.js'
import { limits, lines } from '../../mime/support.js'
import type { ImapValue } from '../../support/imap-reader.js'
import { structureList } from './lists.js'

const structure = async (...text: string[]): Promise<ImapValue[]> =>
  structureList(await structureOf(lines(...text), limits))

/** A text part as BODYSTRUCTURE has it, without anything special. */
const plain = (size: number, count: number): ImapValue[] => [
  ...['text', 'plain', ['charset', 'us-ascii'], null, null, '7bit', `${size}`, `${count}`],
  ...[null, null, null, null],
]

t.test('a message without any field of MIME is text', async (t) => {
  t.same(await structure('Subject: x', '', 'one', 'two'), plain(10, 2))
  t.same(structureList(await structureOf(Buffer.alloc(0), limits)), plain(0, 0))
  t.same(structureList(await structureOf(Buffer.from('Subject: x'), limits)), plain(0, 0))
})

t.test('all fields that describe a part are there, as written', async (t) => {
  t.same(
    await structure(
      'content-type: IMAGE/Png; Name="a;\\"b"; (comment) X=1',
      'Content-ID: <1@example.org>',
      'Content-Description: Gr=?x?=',
      ' folded',
      'Content-Transfer-Encoding: BASE64 (comment)',
      'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==',
      'Content-Disposition: attachment; filename=a.png; size=3',
      'Content-Language: de, (German) en-GB,',
      'Content-Location: https://example.org/',
      '  a',
      '',
      'AAAA',
    ),
    [
      ...['IMAGE', 'Png', ['Name', 'a;"b', 'X', '1'], '<1@example.org>', 'Gr=?x?= folded', 'BASE64', '6'],
      ...['Q2hlY2sgSW50ZWdyaXR5IQ==', ['attachment', ['filename', 'a.png', 'size', '3']], ['de', 'en-GB']],
      'https://example.org/a',
    ],
  )
})

const CONTENT_TYPES: [string, ImapValue[]][] = [
  ['text/html; charset=utf-8', ['text', 'html', ['charset', 'utf-8']]],
  ['text/html', ['text', 'html', ['charset', 'us-ascii']]],
  ["text/plain; charset*=us-ascii''utf-8", ['text', 'plain', ['charset*', "us-ascii''utf-8"]]],
  [' (a) text (b) / (c) plain (d) ; (e) a (f) = (g) b (h)', ['text', 'plain', ['a', 'b', 'charset', 'us-ascii']]],
  ['application/x; a="unclosed; b=c', ['application', 'x', ['a', 'unclosed; b=c']]],
  ['application/x; name=a b(1).txt; b=c', ['application', 'x', ['name', 'a b(1).txt', 'b', 'c']]],
  ['application/x; a=b/c=d; b', ['application', 'x', ['a', 'b/c=d']]],
  ['application/x; a=1; a=2;; =3; b=', ['application', 'x', ['a', '1', 'a', '2', 'b', '']]],
  ['application/x junk; a=1', ['application', 'x', ['a', '1']]],
  ['application/x; n*1=b; n*0=a; z=1; n*2="c d"', ['application', 'x', ['z', '1', 'n', 'abc d']]],
  [
    "application/x; n*0*=utf-8'en'%e2%82; n*1*=%ac; n*2=\"a'%\"",
    ['application', 'x', ['n*', "utf-8'en'%e2%82%aca%27%25"]],
  ],
  ['application/x; n*0=a; n*1*=%20b', ['application', 'x', ['n*', "''a%20b"]]],
  ['application/x; n*1=b; n*2=c', ['application', 'x', ['n*1', 'b', 'n*2', 'c']]],
  ['application/x; n*0=a; n*2=c', ['application', 'x', ['n', 'a']]],
  ['text', ['text', 'plain', ['charset', 'us-ascii']]],
  ['/html', ['text', 'plain', ['charset', 'us-ascii']]],
  ['image/', ['text', 'plain', ['charset', 'us-ascii']]],
  ['', ['text', 'plain', ['charset', 'us-ascii']]],
]

for (const [value, wanted] of CONTENT_TYPES)
  t.test(`Content-Type: ${value}`, async (t) => {
    t.same((await structure(`Content-Type: ${value}`, '', 'x')).slice(0, 3), wanted)
  })

const NESTED = [
  'Content-Type: multipart/mixed; boundary=outer',
  '',
  'preamble',
  '--outer',
  '',
  'first',
  '--outer',
  'Content-Type: multipart/digest; boundary="in ner"',
  'Content-Disposition: inline',
  '',
  '--in ner',
  '',
  'Subject: digested',
  'From: ada@example.org',
  '',
  'one',
  'two',
  '',
  '--in ner--',
  'epilogue',
  '',
  '--outer--',
  'after',
]

t.test('multiparts and messages nest, and each knows where it is', async (t) => {
  const raw = lines(...NESTED)
  const root = await structureOf(raw, limits)
  const ada = [[null, null, 'ada', 'example.org']]
  const digested = [null, 'digested', ada, ada, ada, null, null, null, null, null]
  t.same(structureList(root), [
    plain(5, 0),
    [
      ['message', 'rfc822', null, null, null, '7bit', '54', digested, plain(10, 2), '5', null, null, null, null],
      ...['digest', ['boundary', 'in ner'], ['inline', null], null, null],
    ],
    ...['mixed', ['boundary', 'outer'], null, null, null],
  ])
  const texts = (part: Part | undefined): string[] =>
    part ? [raw.toString('latin1', part.headerAt, part.bodyAt), raw.toString('latin1', part.bodyAt, part.end)] : []
  if (root.kind !== 'multipart') throw new Error(root.kind)
  const [first, digest] = root.parts
  t.same(texts(first), ['\r\n', 'first'])
  t.match(texts(digest)[0], /^Content-Type[^]*inline\r\n\r\n$/)
  t.match(texts(digest)[1], /^--in ner\r\n[^]*epilogue\r\n$/)
  if (digest?.kind !== 'multipart' || digest.parts[0]?.kind !== 'message') throw new Error(digest?.kind)
  t.same(texts(digest.parts[0].message), ['Subject: digested\r\nFrom: ada@example.org\r\n\r\n', 'one\r\ntwo\r\n'])
  t.same(texts(root)[1], raw.toString('latin1', root.bodyAt))
})

t.test('message/global is opened too', async (t) => {
  const root = await structureOf(lines('Content-Type: Message/Global', '', 'Subject: x', '', 'y'), limits)
  t.match(root, { kind: 'message', lines: 3, envelope: { subject: 'x' }, message: { kind: 'text', lines: 1 } })
})

t.test('what is malformed gives a structure that is legal', async (t) => {
  t.same(await structure('Content-Type: multipart/mixed', '', '--x', '', 'a'), plain(10, 3), 'no boundary')
  t.same(await structure('Content-Type: multipart/mixed; boundary=x', '', 'a'), plain(3, 1), 'no part')
  const unclosed = await structure('Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'a')
  t.same(unclosed.slice(0, 2), [plain(3, 1), 'mixed'], 'unclosed')
  const inner = await structure(
    'Content-Type: multipart/mixed; boundary=x',
    ...['', '--x', 'Content-Type: multipart/mixed; boundary=y', '', '--y', '', 'a', '--x', '', 'b', '--x--'],
  )
  t.same(
    inner.slice(0, 2),
    [[plain(1, 0), 'mixed', ['boundary', 'y'], null, null, null], plain(1, 0)],
    'inner unclosed',
  )
  const again = await structure(
    'Content-Type: multipart/mixed; boundary=x',
    ...[
      '',
      '--x--',
      '--x',
      'Content-Type: multipart/mixed; boundary=y',
      '',
      '--y',
      '',
      'a',
      '--y--',
      '--y',
      '--x',
      '',
      'b',
      '--x--',
    ],
  )
  t.same(
    again.slice(0, 2),
    [[plain(1, 0), 'mixed', ['boundary', 'y'], null, null, null], plain(1, 0)],
    'delimiters of none that is open',
  )
  const digest = await structure(
    'Content-Type: multipart/digest; boundary=x',
    '',
    '--x',
    'Content-Type: text',
    '',
    'a',
    '--x--',
  )
  t.same(digest.slice(0, 1), [plain(1, 0)], 'a type that is none in a digest')
  const parameters = await structureOf(lines(`Content-Type: a/b${'; c=d'.repeat(2000)}`, '', ''), limits)
  t.equal(parameters.content.parameters.length, 1000, 'too many parameters')
  const inHeader = await structure(
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-ID: 1',
    '--x',
    '',
    'b',
    '--x--',
  )
  t.same(inHeader.slice(0, 2), [plain(0, 0).with(3, '1'), plain(1, 0)], 'a delimiter within a header')
  const noMessage = await structure(
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: message/rfc822',
    '--x--',
  )
  t.same(
    noMessage[0],
    ['application', 'octet-stream', null, null, null, '7bit', '0', ...Array<null>(4).fill(null)],
    'a message that never begins',
  )
  const bare = await structureOf(
    Buffer.from('Content-Type: multipart/mixed; boundary=x\n\n--x\n\na\nb\n--x--\n'),
    limits,
  )
  t.same(structureList(bare).slice(0, 1), [plain(3, 1)], 'bare LF')
  const nul = await structureOf(Buffer.from('Content-Type: a/b; c="d\0e"\r\nContent-ID: \0\r\n\r\n\0'), limits)
  t.same(structureList(nul).slice(0, 7), ['a', 'b', ['c', 'd?e'], '?', null, '7bit', '1'], 'NUL')
})

t.test('past a limit, parts are not opened or not listed, and those behind are', async (t) => {
  const few = { maxHeaderBytes: 100, maxParts: 4, maxDepth: 4 }
  const multipart = (boundary: string, ...parts: string[][]): string[] => [
    `Content-Type: multipart/mixed; boundary=${boundary}`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part]),
    `--${boundary}--`,
  ]
  const text = ['', 'x']
  const types = async (message: string[], maxDepth = 4): Promise<unknown> =>
    shape(await structureOf(lines(...message), { ...few, maxDepth }))
  const shape = (part: Part): unknown =>
    part.kind === 'multipart'
      ? part.parts.map(shape)
      : part.kind === 'message'
        ? { message: shape(part.message) }
        : part.content.subtype

  t.same(await types(multipart('a', multipart('b', multipart('c', text))), 3), [['octet-stream']], 'depth')
  t.same(await types(multipart('a', text, text, text, text, text)), ['plain', 'plain', 'plain'], 'parts')
  const many = multipart('b', text, text, text, text, text)
  const message = ['Content-Type: message/rfc822', '', ...many]
  t.same(
    await types(multipart('a', message, text)),
    [{ message: ['plain', 'plain', 'plain'] }, 'plain'],
    'parts of a message',
  )
  t.same(
    await types(multipart('a', message, ['Content-Type: message/rfc822', '', ...text])),
    [{ message: ['plain', 'plain', 'plain'] }, 'octet-stream'],
    'messages',
  )
  const long = await structureOf(lines(`X: ${'a'.repeat(50)}`, `Y: ${'b'.repeat(60)}`, 'Z: c', '', 'd'), few)
  t.equal(long.bodyAt, 55 + 65, 'a header ends at the first line end past the limit')
})

/** What messages are made of. */
const piece = fc.constantFrom(
  ...[
    '\r\n',
    '\r\n',
    '\r\n\r\n',
    '\n',
    ' ',
    'a',
    '\0',
    '\xff',
    ':',
    '"',
    '(',
    '--a',
    '--a--',
    '--b',
    '--b--',
    '\r\n--a\r\n',
  ],
  ...[
    '\r\n--b\r\n',
    '\r\nContent-Type: multipart/mixed; boundary=a\r\n',
    '\r\nContent-Type: multipart/digest; boundary=b\r\n',
  ],
  ...[
    '\r\nContent-Type: message/rfc822\r\n\r\n',
    '\r\nContent-Type: text/html; charset*0=',
    '\r\nSubject: ',
    '\r\nFrom: ',
  ],
  ...[
    '\r\nContent-Disposition: ',
    '\r\nContent-Language: ',
    'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n',
  ],
)
const message = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'))

t.test(
  'any octets give a structure with places that lie in one another, and strings that a response may have',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(message, async (raw) => {
        const few = { maxHeaderBytes: 200, maxParts: 6, maxDepth: 4 }
        const check = (part: Part, from: number, to: number): number => {
          const { headerAt, bodyAt, end } = part
          if (!(from <= headerAt && headerAt <= bodyAt && bodyAt <= end && end <= to)) throw new Error('out of place')
          if (part.kind === 'message') return 1 + check(part.message, bodyAt, end)
          const { type, subtype } = part.content
          if (part.kind === 'basic' && /^(?:text|multipart)\/|^message\/(?:rfc822|global)$/i.test(`${type}/${subtype}`))
            throw new Error('a basic part is none')
          if (part.kind !== 'multipart') return 1
          if (part.parts.length === 0) throw new Error('no parts')
          return part.parts.reduce((sum, each) => sum + check(each, bodyAt, end), 1)
        }
        const root = await structureOf(raw, few)
        if (check(root, 0, raw.length) > 2 * few.maxParts) throw new Error('too many parts')
        if (/[\0\r\n]/.test(JSON.stringify(structureList(root)).replace(/\\[0rnu]/g, '\0')))
          throw new Error('not legal')
      }),
      { numRuns: 2000, seed: 27 },
    )
    t.pass()
  },
)

t.test('the parts are those of the API', async (t) => {
  await fc.assert(
    fc.asyncProperty(message, async (raw) => {
      // It does not look into messages, nor at lines that end with CR alone.
      if (!raw.includes(0x0a) || /rfc822|digest/.test(raw.toString('latin1'))) return
      const ours = (part: Part): string[] =>
        part.kind === 'multipart'
          ? part.parts.flatMap(ours)
          : part.end > part.bodyAt
            ? [`${raw.length - part.bodyAt} ${part.end - part.bodyAt}`]
            : []
      const theirs = [...leaves(readStructure(raw, limits))].flatMap((entity) => {
        const place = placeIn(raw, entity)
        return place ? [`${place.fromEnd} ${place.length}`] : []
      })
      const found = ours(await structureOf(raw, limits))
      // The API leaves out an empty part where the last delimiter should have been an end.
      const last = found.at(-1)?.split(' ').map(Number) ?? []
      const [fromEnd = 0, length = 0] = last
      if (
        found.length > theirs.length &&
        raw.toString('latin1', raw.length - fromEnd, raw.length - fromEnd + length).trim() === ''
      )
        found.pop()
      if (found.join() !== theirs.join()) throw new Error(`${found.join()} and not ${theirs.join()}`)
    }),
    { numRuns: 2000, seed: 28 },
  )
  t.pass()
})

t.test('a large message is read in turns', async (t) => {
  const texts = Buffer.from(`Content-Type: text/plain\r\n\r\n${'a line\r\n'.repeat(1_000_000)}`)
  const parts = lines('Content-Type: multipart/mixed; boundary=x', '', ...Array<string>(20_000).fill('--x\r\n\r\nx'))
  const embedded = Buffer.from(`Content-Type: message/rfc822\r\n\r\n${'a:\r\n'.repeat(1_000_000)}`)
  for (const [name, raw, least] of [
    ['text', texts, 10],
    ['parts', parts, 12],
    ['a header', embedded, 5],
  ] as const) {
    let turns = 0
    let isRead = false
    const count = (): void => {
      turns++
      if (!isRead) setImmediate(count)
    }
    setImmediate(count)
    await structureOf(raw, limits)
    isRead = true
    t.ok(turns >= least, `${name}: ${turns} turns`)
  }
})
