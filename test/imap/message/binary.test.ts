import t from 'tap'
import { binaryOf, binarySizeOf } from '../../../src/imap/message/binary.js'
import { structureOf } from '../../../src/imap/message/structure.js'
import { limits, lines } from '../../mime/support.js'

const MESSAGE = lines(
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: application/x',
  'Content-Transfer-Encoding: BASE64',
  '',
  'AAECCg==',
  '--x',
  'Content-Transfer-Encoding: quoted-printable (comment)',
  '',
  'a=3Db=',
  'c=0Ad',
  '--x',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('\nx\ny\r\nz\r').toString('base64'),
  '--x',
  'Content-Transfer-Encoding: x-unknown',
  '',
  'a=3D',
  '--x',
  'Content-Transfer-Encoding: 8bit',
  '',
  'a=3D',
  '--x',
  'Content-Type: message/rfc822',
  '',
  'Content-Transfer-Encoding: base64',
  '',
  'AAECCg==',
  '--x',
  'Content-Type: multipart/mixed; boundary=y',
  'Content-Transfer-Encoding: base64',
  '',
  '--y',
  '',
  'AAECCg==',
  '--y--',
  '--x--',
)

const PARTS: [string, number[], string][] = [
  ['base64', [1], '\0\x01\x02\n'],
  ['quoted-printable', [2], 'a=bc\r\nd'],
  ['lines of text end with CRLF', [3], '\r\nx\r\ny\r\nz\r'],
  ['8bit', [5], 'a=3D'],
  ['an embedded message is left as it is', [6], 'Content-Transfer-Encoding: base64\r\n\r\nAAECCg=='],
  ['a part of it is decoded', [6, 1], '\0\x01\x02\r\n'],
  ['a multipart has no encoding', [7], '--y\r\n\r\nAAECCg==\r\n--y--'],
  ['no such part', [8], ''],
  ['all', [], MESSAGE.toString()],
]

t.test('parts without their encoding, and their sizes', async (t) => {
  const root = await structureOf(MESSAGE, limits)
  for (const [name, path, wanted] of PARTS) {
    t.strictSame(await binaryOf(MESSAGE, root, path), { kind: 'decoded', value: Buffer.from(wanted) }, name)
    t.strictSame(await binarySizeOf(MESSAGE, root, path), { kind: 'decoded', value: wanted.length }, name)
    for (const partial of [
      { offset: 0, length: 2 },
      { offset: 1, length: 2 },
      { offset: 3, length: 1000 },
      { offset: 5000, length: 1 },
    ]) {
      const value = Buffer.from(wanted).subarray(partial.offset, partial.offset + partial.length)
      t.strictSame(
        await binaryOf(MESSAGE, root, path, partial),
        { kind: 'decoded', value },
        `${name} ${partial.offset}`,
      )
    }
  }
})

t.test('an encoding that is not known is said', async (t) => {
  const root = await structureOf(MESSAGE, limits)
  t.same(await binaryOf(MESSAGE, root, [4]), { kind: 'unknown encoding' })
  t.same(await binarySizeOf(MESSAGE, root, [4]), { kind: 'unknown encoding' })
})

t.test('a CRLF is one wherever pieces are cut', async (t) => {
  for (const length of [256 * 1024 - 2, 256 * 1024 - 1, 256 * 1024]) {
    const text = `${'x'.repeat(length)}\r\ny`
    const raw = Buffer.from(`Content-Type: text/plain\r\n\r\n${text}`)
    t.same(await binarySizeOf(raw, await structureOf(raw, limits), [1]), { kind: 'decoded', value: text.length })
  }
})

t.test('a large part is decoded in turns, and no further than it is asked for', async (t) => {
  const content = Buffer.from('0123456789\n'.repeat(300_000))
  const encoded = content.toString('base64').replace(/.{76}/g, '$&\r\n')
  const raw = Buffer.from(`Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n`)
  const root = await structureOf(raw, limits)
  const expected = Buffer.from(content.toString().replaceAll('\n', '\r\n'))
  const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await work()
    isDone = true
    return turns
  }
  t.ok(
    (await turnsOf(async () => t.same(await binaryOf(raw, root, [1]), { kind: 'decoded', value: expected }))) > 10,
    'whole',
  )
  t.ok(
    (await turnsOf(async () => t.match(await binarySizeOf(raw, root, [1]), { value: expected.length }))) > 10,
    'size',
  )
  const partial = { offset: 100, length: 1000 }
  const start = async (): Promise<void> => {
    t.same(await binaryOf(raw, root, [1], partial), { kind: 'decoded', value: expected.subarray(100, 1100) })
  }
  t.ok((await turnsOf(start)) <= 2, 'start')
  t.same(await binaryOf(raw, root, [1], { offset: 3_000_000, length: 7 }), {
    kind: 'decoded',
    value: expected.subarray(3_000_000, 3_000_007),
  })
})
