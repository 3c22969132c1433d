import t from 'tap'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import {
  createBodyHash,
  hashBody,
  headerFields,
  relaxedBodyHash,
  relaxedField,
  selectFields,
} from '../../src/authentication/canonical.js'

/** RFC 6376 §3.4.4 word by word, on the whole body at once. */
function plainly(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return createHash('sha256')
    .update(lines.map((line) => `${line}\r\n`).join(''))
    .digest('base64')
}

t.test('the example of RFC 6376 §3.4.5', async (t) => {
  const header = Buffer.from('A: X\r\nB : Y\t\r\n\tZ  \r\n\r\n')
  t.same(headerFields(header).map(relaxedField), ['a:X', 'b:Y Z'])
  t.equal(await relaxedBodyHash(Buffer.from(' C \r\nD \t E\r\n\r\n\r\n')), plainly(' C\r\nD E\r\n'))
  t.equal(await relaxedBodyHash(Buffer.alloc(0)), '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
})

t.test('any body hashes as the RFC says', async (t) => {
  const piece = fc.constantFrom(' ', '\t', '\r\n', '\r\n', 'a', 'word', '.', '\u00e9')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      t.equal(await relaxedBodyHash(Buffer.from(pieces.join(''))), plainly(pieces.join('')))
    }),
    { numRuns: 200 },
  )
})

t.test(
  'the simple form leaves all but empty lines at the end, and a length cuts either form (RFC 6376 §3.4.3, §3.5)',
  async (t) => {
    const piece = fc.constantFrom(' ', '\t', '\r\n', '\r\n', 'a', '\r', 'word')
    const property = fc.asyncProperty(
      fc.array(piece, { maxLength: 20 }),
      fc.nat({ max: 30 }),
      async (pieces, length) => {
        const body = pieces.join('')
        const canonical = `${body.replace(/(?:\r\n)+$/, '')}\r\n`
        const [whole, cut] = [createBodyHash('simple'), createBodyHash('simple', 'sha256', length)]
        await hashBody(Buffer.from(body), [whole, cut])
        const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')
        t.same([whole.digest(), whole.length], [sha256(canonical), canonical.length])
        t.same([cut.digest(), cut.length], [sha256(canonical.slice(0, length)), canonical.length])
      },
    )
    await fc.assert(property, { numRuns: 200 })
  },
)

t.test('of fields that repeat the last is taken first, and each once (RFC 6376 §5.4.2)', async (t) => {
  const fields = headerFields(Buffer.from('A: 1\r\nB: 2\r\na: 3\r\n'))
  t.same(
    selectFields(fields, ['A', 'b', 'a', 'a', 'c', 'B']).map(({ text }) => text),
    ['a: 3', 'B: 2', 'A: 1'],
  )
})

t.test('a long body hashes the same wherever it is cut on the way', async (t) => {
  for (const at of [262_140, 262_141, 262_142, 262_143, 262_144, 262_145]) {
    for (const joint of ['  ', ' \r\n', '\r\n\r\n', '\t x']) {
      const body = 'x'.repeat(at) + joint + 'y'.repeat(300_000) + ' \r\n'
      t.equal(await relaxedBodyHash(Buffer.from(body)), plainly(body), `${at} ${JSON.stringify(joint)}`)
    }
  }
  const spaces = `a${' '.repeat(600_000)}\r\n\r\nb${'\r\n'.repeat(400_000)}`
  t.equal(await relaxedBodyHash(Buffer.from(spaces)), plainly(spaces))
})

t.test('what is no field belongs to the field before it', async (t) => {
  const fields = (text: string) => headerFields(Buffer.from(text, 'latin1'))
  t.same(fields('A: 1\r\n 2\r\nno field\r\nB: 3\r\n\r\n'), [
    { name: 'a', text: 'A: 1\r\n 2\r\nno field' },
    { name: 'b', text: 'B: 3' },
  ])
  t.same(
    fields('X: 1\r\nFrom\r\n : a@b\r\n\r\n').map(({ name }) => name),
    ['x', 'from'],
    'a fold before the colon (obsolete syntax)',
  )
  t.same(
    fields('junk\r\nA: 1\r\n').map(({ name }) => name),
    ['a'],
  )
  t.equal(fields('A: x\xa0\r\n').map(relaxedField)[0], 'a:x\xa0', 'only space and tab are white space')
})
