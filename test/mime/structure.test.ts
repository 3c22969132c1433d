/** Where the parts of a message begin and end: as mailsplit has it too where a message is well formed, and better where it is not. */
import fc from 'fast-check'
import { Splitter } from 'mailsplit'
import t from 'tap'
import type { Entity } from '../../src/mime/entity.js'
import { leaves, readStructure } from '../../src/mime/structure.js'
import { limits } from './support.js'

/** Type and encoded content of each leaf. */
type Leaf = [type: string, content: string]

function ourLeaves(raw: Buffer): Leaf[] {
  return [...leaves(readStructure(raw, limits))].map(({ contentType, content }) => [contentType, String(content)])
}

/** As far as its public interface tells. */
async function leavesByMailsplit(raw: Buffer): Promise<Leaf[]> {
  const splitter = new Splitter({ ignoreEmbedded: true })
  splitter.end(raw)
  const found = new Map<unknown, Leaf>()
  const chunks: AsyncIterable<
    | { type: 'node'; multipart: string | false; contentType: string | false }
    | { type: 'body'; node: unknown; value: Buffer }
    | { type: 'data' }
  > = splitter
  for await (const chunk of chunks) {
    if (chunk.type === 'node' && chunk.multipart === false) found.set(chunk, [String(chunk.contentType), ''])
    if (chunk.type !== 'body') continue
    const leaf = found.get(chunk.node)
    if (leaf) leaf[1] += String(chunk.value)
  }
  return [...found.values()]
}

type Part = { type: string; lines: string[] } | { kind: string; preamble: string[]; parts: Part[] }

const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-',
    '--',
    '-- ',
    '--b',
    '--b--',
    '--0b',
    'From: a@b.example',
    '>From me',
    '.',
    'x'.repeat(300),
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
)
const content = fc.array(line, { maxLength: 6 })
/** One empty line is in the table below. */
const body = content.filter((lines) => lines.length !== 1 || lines[0] !== '')
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.record({ type: fc.constantFrom('text/plain', 'text/html', 'message/rfc822', 'image/png'), lines: body }),
    fc.record({
      kind: fc.constantFrom('mixed', 'alternative', 'related', 'signed'),
      preamble: content,
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

/** Boundaries of which one begins like the other. */
function written(one: Part, boundary = '0b1'): string[] {
  if ('type' in one) return [`Content-Type: ${one.type}`, '', ...one.lines]
  const inner = one.parts.flatMap((each) => [`--${boundary}`, ...written(each, `${boundary}1`)])
  const header = [`Content-Type: multipart/${one.kind}; boundary="${boundary}"`, '', ...one.preamble]
  return [...header, ...inner, `--${boundary}--`, 'epilogue']
}

t.test('parts of well-formed messages are what mailsplit finds', async (t) => {
  await fc.assert(
    fc.asyncProperty(part, fc.constantFrom('\r\n', '\n'), async (root, lineEnd) => {
      const raw = Buffer.from(['From: a@b.example', ...written(root), ''].join(lineEnd))
      t.same(ourLeaves(raw), await leavesByMailsplit(raw), JSON.stringify(String(raw)))
    }),
    { numRuns: 500, seed: 20_261_123 },
  )
})

const MIXED = 'Content-Type: multipart/mixed; boundary=b\n\n'
const INNER = 'Content-Type: multipart/alternative; boundary=c\n\n'

/** What mailsplit reads otherwise, or not at all. */
const otherwise: { name: string; raw: string; ours: Leaf[]; theirs: Leaf[] }[] = [
  {
    name: 'white space behind a boundary belongs to its line (RFC 2046 §5.1.1)',
    raw: `${MIXED}--b \t\n\none\n--b \n\ntwo\n--b-- \n`,
    ours: [
      ['text/plain', 'one'],
      ['text/plain', 'two'],
    ],
    theirs: [],
  },
  {
    name: 'the delimiter of an outer multipart ends an inner one (RFC 2046 §5.1.2)',
    raw: `${MIXED}--b\n${INNER}--c\n\none\n--b\n\ntwo\n--b--\n`,
    ours: [
      ['text/plain', 'one'],
      ['text/plain', 'two'],
    ],
    theirs: [['text/plain', 'one\n--b\n\ntwo\n--b--\n']],
  },
  {
    name: 'a part may begin with its text',
    raw: `${MIXED}--b\nno field here\nnor: there\n--b--\n`,
    ours: [['text/plain', 'no field here\nnor: there']],
    theirs: [['text/plain', '']],
  },
  {
    name: 'a part whose header has no end is a part',
    raw: `${MIXED}--b\nContent-Type: text/html\n--b\n\ntwo\n--b--\n`,
    ours: [
      ['text/html', ''],
      ['text/plain', 'two'],
    ],
    theirs: [['text/plain', 'two']],
  },
  {
    name: 'a multipart without parts is a text, without the line end in front of what ends it',
    raw: `${MIXED}--b\n${INNER}one\n--b\n\ntwo\n--b--\n`,
    ours: [
      ['text/plain', 'one'],
      ['text/plain', 'two'],
    ],
    theirs: [['text/plain', 'two']],
  },
  {
    name: 'the line end in front of a delimiter belongs to it, also where nothing else is there (RFC 2046 §5.1.1)',
    raw: `${MIXED}--b\n\n\n--b\n\ntwo\n--b--\n`,
    ours: [
      ['text/plain', ''],
      ['text/plain', 'two'],
    ],
    theirs: [
      ['text/plain', '\n'],
      ['text/plain', 'two'],
    ],
  },
  {
    name: 'comments stand outside of a boundary (RFC 5322 §3.2.2)',
    raw: `Content-Type: multipart/mixed; boundary=b (of the message)\n\n--b\n\none\n--b--\n`,
    ours: [['text/plain', 'one']],
    theirs: [],
  },
  {
    name: 'an unreadable kind of multipart is mixed (RFC 2046 §5.1.3)',
    raw: `Content-Type: multipart/@mixed; boundary=b\n\n--b\n\none\n--b--\n`,
    ours: [['text/plain', 'one']],
    theirs: [['text/plain', 'one']],
  },
  {
    name: 'a message that is cut behind a delimiter has a part there',
    raw: `${MIXED}preamble\n--b`,
    ours: [['text/plain', '']],
    theirs: [],
  },
  {
    name: 'what stands behind a last delimiter that should have been an end is no part',
    raw: `${MIXED}--b\n\none\n--b\n\n`,
    ours: [['text/plain', 'one']],
    theirs: [
      ['text/plain', 'one'],
      ['text/plain', ''],
    ],
  },
]

for (const { name, raw, ours, theirs } of otherwise) {
  t.test(name, async (t) => {
    t.same(ourLeaves(Buffer.from(raw)), ours)
    t.same(await leavesByMailsplit(Buffer.from(raw)), theirs)
    t.same(ourLeaves(Buffer.from(raw.replaceAll('\n', '\r\n'))), withCrlf(ours))
  })
}

const withCrlf = (found: Leaf[]): Leaf[] => found.map(([type, text]) => [type, text.replaceAll('\n', '\r\n')])

t.test(
  'the container of parts has no content of its own, and the end of an inner one no meaning in front of its first part',
  (t) => {
    const root: Entity = readStructure(
      Buffer.from(`${MIXED}preamble\n--b--\n--b\n\none\n--b--\nepilogue\n--b\n\ntwo\n`),
      limits,
    )
    t.equal(String(root.content), '')
    t.same(
      root.children.map(({ content }) => String(content)),
      ['one'],
    )
    t.end()
  },
)
