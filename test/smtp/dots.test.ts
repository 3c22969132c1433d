import fc from 'fast-check'
import t from 'tap'
import { createDotDecoder } from '../../src/smtp/dots.js'
import { LineReader, type LineDefect } from '../../src/smtp/line-reader.js'

interface Decoded {
  data: string
  /** What came behind the end; undefined when there was none. */
  rest: string | undefined
}

/** Gives the pieces one after the other, as packets come. */
function decode(pieces: Buffer[]): Decoded {
  const decoder = createDotDecoder()
  let data = ''
  for (const [i, piece] of pieces.entries()) {
    const out = decoder.push(piece)
    data += out.data.toString('latin1')
    if (out.rest !== undefined)
      return { data, rest: Buffer.concat([out.rest, ...pieces.slice(i + 1)]).toString('latin1') }
  }
  return { data, rest: undefined }
}

/** RFC 5321 §4.5.2 to the letter, on the whole of it. */
function expected(bytes: string): Decoded {
  const framed = `\r\n${bytes}`
  const end = framed.indexOf('\r\n.\r\n')
  const text = end === -1 ? framed : framed.slice(0, end + 2)
  const data = text.replaceAll('\r\n.', '\r\n').slice(2)
  return { data, rest: end === -1 ? undefined : framed.slice(end + 5) }
}

t.test('CR LF . CR LF ends the data, dots are un-stuffed, however it is cut into packets', async (t) => {
  const bytes = fc.array(fc.constantFrom('\r', '\n', '.', '\0', 'a', '\r\n', '\r\n.', '\r\n.\r\n'), { maxLength: 40 })
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
      const whole = Buffer.from(parts.join(''), 'latin1')
      const wanted = expected(whole.toString('latin1'))
      const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
      const got = decode(at.slice(1).map((end, i) => whole.subarray(at[i], end)))
      // Held back until it is clear what they are; without an end there is no message anyway.
      if (wanted.rest === undefined) return got.rest === undefined && wanted.data.startsWith(got.data)
      return got.data === wanted.data && got.rest === wanted.rest
    }),
    { numRuns: 5000 },
  )
  t.pass('for 5,000 messages')
})

t.test('no other end of data ends it, wherever it is cut', async (t) => {
  const variants = [
    '\n.\n',
    '\n.\r',
    '\r.\n',
    '\r.\r',
    '\n.\r\n',
    '\r.\r\n',
    '\r\n\0.\r\n',
    '\r\n.\n',
    '\r\n.\r',
    '\r\n.\0\r\n',
  ]
  for (const variant of variants) {
    const whole = Buffer.from(`text${variant}MAIL FROM:<evil@peer.test>\r\n`)
    const ended: number[] = []
    for (let cut = 0; cut <= whole.length; cut++) {
      const { rest } = decode([whole.subarray(0, cut), whole.subarray(cut)])
      if (rest !== undefined) ended.push(cut)
    }
    const bytewise = decode([...whole].map((byte) => Buffer.from([byte])))
    t.same({ ended, rest: bytewise.rest }, { ended: [], rest: undefined }, JSON.stringify(variant))
  }
})

t.test('a message of nothing but dots costs no more than another', async (t) => {
  const decoder = createDotDecoder()
  const { data, rest } = decoder.push(Buffer.from(`${'..\r\n'.repeat(100_000)}.\r\n`))
  t.equal(data.length, 300_000)
  t.equal(rest?.length, 0)
})

interface Heard {
  line: string
  defect: LineDefect | undefined
}

function heardBy(reader: LineReader, chunk: Buffer): Heard[] {
  const heard: Heard[] = []
  for (let at = 0; at < chunk.length;) {
    const read = reader.read(chunk, at)
    if (!read) break
    heard.push({ line: read.line.toString('latin1'), defect: read.defect })
    at = read.end
  }
  return heard
}

t.test('command lines are the same wherever they are cut', async (t) => {
  const whole = Buffer.from(`NOOP\r\nbare\nx\ry\r\n${'z'.repeat(21)}\r\n${'z'.repeat(20)}\r\n\r\nlast`)
  const wanted = [
    { line: 'NOOP', defect: undefined },
    { line: 'bare', defect: 'bare LF' },
    { line: 'x\ry', defect: undefined },
    { line: 'z'.repeat(21), defect: 'too long' },
    { line: 'z'.repeat(20), defect: undefined },
    { line: '', defect: undefined },
  ]
  for (let cut = 0; cut <= whole.length; cut++) {
    const reader = new LineReader(20)
    const heard = [...heardBy(reader, whole.subarray(0, cut)), ...heardBy(reader, whole.subarray(cut))]
    t.same(heard, wanted, `cut at ${cut}; what has no line end is not run`)
  }
})

t.test('a line that does not end takes no memory and is told of', async (t) => {
  const reader = new LineReader(20)
  for (let i = 0; i < 70; i++) heardBy(reader, Buffer.alloc(1024, 'x'))
  t.ok(reader.isEndless)
  t.same(
    heardBy(reader, Buffer.from('\r\n')),
    [{ line: 'x'.repeat(21), defect: 'too long' }],
    'no more of it is kept than shows that it is too long',
  )
})
