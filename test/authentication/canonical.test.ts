import t from 'tap'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { headerFields, relaxedBodyHash, relaxedField } from '../../src/authentication/canonical.js'

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
