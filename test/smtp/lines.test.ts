import fc from 'fast-check'
import t from 'tap'
import { createLineCheck, type LineProblem } from '../../src/smtp/lines.js'

function check(chunks: Buffer[]): LineProblem | undefined {
  const lines = createLineCheck()
  for (const chunk of chunks) {
    const problem = lines.push(chunk)
    if (problem) return problem
  }
  return lines.end()
}

/** The same rule, byte by byte. */
function isGood(data: Buffer): boolean {
  const text = data.toString('latin1')
  return !/\0|\r(?!\n)|(?<!\r)\n/.test(text) && text.split('\r\n').every((line) => line.length <= 998)
}

t.test('each problem has its name', async (t) => {
  t.equal(check([Buffer.from('a\r\nb\r\n')]), undefined)
  t.equal(check([Buffer.from('a\nb\r\n')]), 'bare LF')
  t.equal(check([Buffer.from('a\rb\r\n')]), 'bare CR')
  t.equal(check([Buffer.from('a\r\r\n')]), 'bare CR')
  t.equal(check([Buffer.from('a\r'), Buffer.from('b')]), 'bare CR')
  t.equal(check([Buffer.from('a\r')]), 'bare CR')
  t.equal(check([Buffer.from('a\0\r\n')]), 'NUL')
  t.equal(check([Buffer.from('x'.repeat(998) + '\r\n')]), undefined)
  t.equal(check([Buffer.from('x'.repeat(999) + '\r\n')]), 'line too long')
  t.equal(check([Buffer.from('x'.repeat(600)), Buffer.from('x'.repeat(399))]), 'line too long')
})

t.test('where data is cut into chunks makes no difference', async (t) => {
  const piece = fc.oneof(
    fc.constantFrom('\r\n', '\r', '\n', '\0', '.', '\r\n.\r\n', 'x'.repeat(500), 'y'.repeat(997), ''),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant('ab\r\n') }, piece)),
      fc.array(fc.nat(3000)),
      (pieces, cuts) => {
        const data = Buffer.from(pieces.join(''))
        const points = [0, ...cuts.filter((cut) => cut < data.length).sort((a, b) => a - b), data.length]
        const chunks = points.slice(1).map((to, i) => data.subarray(points[i], to))
        return (check(chunks) === undefined) === isGood(data)
      },
    ),
    { numRuns: 2000 },
  )
  t.pass('2,000 random messages')
})
