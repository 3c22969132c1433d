/** Messages made as programs make them, part by part, and then as careless ones do: with a few bytes changed. */
import fc from 'fast-check'
import t from 'tap'
import { randomFrom } from '../support/random.js'
import { MIME_WORDS } from './dictionary.js'
import { mutate } from './mutate.js'
import { checkParsed, checkRoundTrip, LIMITS, parseOrRefuse } from './targets.js'

interface Leaf {
  kind: 'leaf'
  type: string
  encoding: 'base64' | 'quoted-printable' | '8bit'
  filename: string | undefined
  content: string
}

interface Branch {
  kind: 'branch'
  type: 'mixed' | 'alternative' | 'related' | 'digest' | 'signed'
  parts: Part[]
}

interface Nested {
  kind: 'nested'
  part: Part
}

type Part = Leaf | Branch | Nested

const { part } = fc.letrec<{ part: Part; leaf: Leaf; branch: Branch; nested: Nested }>((tie) => ({
  leaf: fc.record({
    kind: fc.constant('leaf' as const),
    type: fc.constantFrom(
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
      'image/png',
      'text/calendar',
      'application/pdf',
    ),
    encoding: fc.constantFrom('base64' as const, 'quoted-printable' as const, '8bit' as const),
    filename: fc.option(fc.stringMatching(/^[a-z]{1,8}\.[a-z]{3}$/), { nil: undefined }),
    content: fc.string({ maxLength: 200 }),
  }),
  branch: fc.record({
    kind: fc.constant('branch' as const),
    type: fc.constantFrom(
      'mixed' as const,
      'alternative' as const,
      'related' as const,
      'digest' as const,
      'signed' as const,
    ),
    parts: fc.array(tie('part'), { maxLength: 4 }),
  }),
  nested: fc.record({ kind: fc.constant('nested' as const), part: tie('part') }),
  part: fc.oneof({ maxDepth: 6, depthSize: 'medium' }, tie('leaf'), tie('branch'), tie('nested')),
}))

function encoded({ encoding, content }: Leaf): string {
  const bytes = Buffer.from(content, 'utf8')
  if (encoding === 'base64') return bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
  if (encoding === '8bit') return content.replace(/[\r\n\0]/g, ' ')
  return [...bytes]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
    .replace(/(?:=..){25}/g, '$&=\r\n')
}

function written(part: Part, depth = 0): string {
  switch (part.kind) {
    case 'leaf': {
      const name = part.filename === undefined ? '' : `Content-Disposition: attachment; filename=${part.filename}\r\n`
      return `Content-Type: ${part.type}\r\nContent-Transfer-Encoding: ${part.encoding}\r\n${name}\r\n${encoded(part)}\r\n`
    }
    case 'branch': {
      const boundary = `b${depth}`
      const parts = part.parts.map((each) => `--${boundary}\r\n${written(each, depth + 1)}`).join('')
      return `Content-Type: multipart/${part.type}; boundary=${boundary}\r\n\r\n${parts}--${boundary}--\r\n`
    }
    case 'nested':
      return `Content-Type: message/rfc822\r\n\r\nFrom: inner@b.example\r\n${written(part.part, depth + 1)}`
  }
}

const message = part.map((root) => `From: a@b.example\r\nSubject: made\r\n${written(root)}`)

t.test('a message of any shape is parsed within the limits or refused', async (t) => {
  await fc.assert(
    fc.asyncProperty(message, async (text) => {
      const raw = Buffer.from(text, 'utf8')
      const parsed = await parseOrRefuse(raw)
      if (parsed) await checkParsed(raw, parsed)
      const deep = /boundary=b(?:[6-9]|\d\d)/.test(text)
      if (parsed && deep) throw new Error(`deeper than ${LIMITS.maxDepth}, and taken`)
    }),
    { numRuns: 300, seed: 20_260_104 },
  )
  t.pass()
})

t.test('the same with bytes changed', async (t) => {
  await fc.assert(
    fc.asyncProperty(message, fc.nat(), async (text, seed) => {
      const raw = Buffer.from(text, 'utf8')
      const changed = mutate(randomFrom(seed), raw, raw, MIME_WORDS)
      const parsed = await parseOrRefuse(changed)
      if (parsed) await checkParsed(changed, parsed)
    }),
    { numRuns: 300, seed: 20_260_105 },
  )
  t.pass()
})

t.test('an address comes back from the message it was written into, whatever its form', async (t) => {
  const local = fc.oneof(
    fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,30}$/),
    fc.stringMatching(/^"[ -!#-[\]-~]{1,20}"$/),
  )
  const address = fc.tuple(local, fc.domain()).map((sides) => sides.join('@'))
  const named = fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 60 }), address)
    .map(([name, spec]) => `${name} <${spec}>`)
  await fc.assert(fc.asyncProperty(fc.oneof(address, named), checkRoundTrip), { numRuns: 400, seed: 20_260_106 })
  t.pass()
})
