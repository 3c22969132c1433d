/** Forms with files: as browsers send them, and as nobody should. */
import t from 'tap'
import { parseMultipart, type FormFile } from '../../../src/web/page/multipart.js'
import { multipart } from '../page-visit.js'

const TYPE = 'multipart/form-data; boundary=b'
const body = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'))
const file = (filename: string, content = 'x'): FormFile => ({
  ...{ filename, contentType: 'text/plain' },
  content: Buffer.from(content),
})
const roundTrip = (files: FormFile[]) => {
  const { type, body } = multipart(new URLSearchParams(), files)
  return parseMultipart(body, type).files
}

t.test('fields and files come as they were sent', async (t) => {
  const fields = new URLSearchParams([
    ['to', 'ada@example.org'],
    ['keep', 'a'],
    ['keep', 'b'],
    ['text', 'Grüße\r\n\r\n--b\r\n'],
    ['empty', ''],
  ])
  const bytes = Buffer.from([0, 13, 10, 45, 45, 255])
  const { type, body } = multipart(fields, [{ filename: 'ä "1".bin', contentType: 'image/png', content: bytes }])
  const read = parseMultipart(body, type)
  t.same([...read.fields], [...fields])
  t.same(read.files, [{ filename: 'ä "1".bin', contentType: 'image/png', content: bytes }])
  const quoted = type.replace(/boundary=(.*)/, 'boundary="$1"')
  t.same([...parseMultipart(body, quoted).fields], [...fields])
})

t.test('a file field in which nothing was chosen is no file', async (t) => {
  t.same(roundTrip([file('', '')]), [])
  t.equal(roundTrip([file('', 'x')])[0]?.filename, 'file')
})

t.test('a name has no folders, no line breaks and nothing invisible', async (t) => {
  const names = ['../../etc/passwd', 'C:\\temp\\a.txt', 'a\r\nBcc: x@example.org.txt', 'gpj.\u202eexe', '..', '\u200b']
  t.same(
    roundTrip(names.map((name) => file(name))).map(({ filename }) => filename),
    ['passwd', 'a.txt', 'aBcc: x@example.org.txt', 'gpj.exe', 'file', 'file'],
  )
  const [long] = roundTrip([file(`${'ä'.repeat(400)}.pdf`)])
  t.equal(long?.filename.length, 254)
  t.match(long?.filename, /ä\.pdf$/)
})

t.test('what is no form is refused', async (t) => {
  for (const type of [
    '',
    'text/plain',
    'multipart/form-data',
    `multipart/mixed; boundary=b`,
    'multipart/form-data; boundary=',
  ]) {
    t.throws(() => parseMultipart(body('--b--', ''), type), { code: 'unsupported_media_type' }, type)
  }
  const head = 'Content-Disposition: form-data; name="a"'
  for (const broken of [
    body(''),
    body('--c', head, '', 'x', '--c--', ''),
    body('--b', head, '', 'x'),
    body('--b', head, '', 'x', '--b'),
    body('--b', head, '', 'x', '--bx--', ''),
    body('--b', 'Content-Disposition: attachment; name="a"', '', 'x', '--b--', ''),
    body('--b', 'X: y', '', 'x', '--b--', ''),
    body('--b', `X: ${'y'.repeat(5000)}`, head, '', 'x', '--b--', ''),
    body('preamble', '--b', head, '', 'x', '--b--', ''),
  ]) {
    t.throws(() => parseMultipart(broken, TYPE), { code: 'invalid_request' }, broken.toString())
  }
})

t.test('a thousand parts are read, and no more', async (t) => {
  const parts = (count: number): Buffer =>
    body(
      ...Array.from({ length: count }, () => ['--b', 'Content-Disposition: form-data; name="a"', '', 'x']).flat(),
      '--b--',
      '',
    )
  t.equal(parseMultipart(parts(1000), TYPE).fields.getAll('a').length, 1000)
  t.throws(() => parseMultipart(parts(1001), TYPE), { code: 'invalid_request' })
})
