/** What is told of archives made by other people's programs, and of bytes that only look like one. */
import t from 'tap'
import { attachmentRisk } from '../../src/guard/attachments.js'
import { watchArchive } from '../../src/mime/archive.js'
import type { ArchiveContents } from '../../src/mime/types.js'
import { run } from '../support/daemon.js'
import { peer } from '../support/peers.js'

/** Python's own writers of ZIP and tar, one archive for each name of the dictionary that the lines make. */
const MAKE = `
import base64, io, json, struct, sys, tarfile, zipfile
made = {}
def zipped(names, comment=b'', big=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in names: archive.writestr(name, data)
        archive.comment = comment
    return out.getvalue()
plain = zipped([('notes.txt', 'words'), ('folder/data.csv', 'a;b')])
made['plain'] = plain
made['program'] = zipped([('notes.txt', 'words'), ('deep/er/invoice.pdf.exe', 'MZ')])
made['nested'] = zipped([('inner.zip', plain)])
made['comment'] = zipped([('run.js', 'x')], comment=b'PK\\x05\\x06' + b'c' * 300)
made['many'] = zipped([('file-%05d.txt' % i, '') for i in range(3000)] + [('last.exe', 'MZ')])
made['empty'] = zipped([])
made['word'] = zipped([('[Content_Types].xml', '<x/>'), ('word/document.xml', '<x/>')])
made['macros'] = zipped([('word/document.xml', '<x/>'), ('word/vbaProject.bin', 'x')])
made['names'] = zipped([('f\\u00fcr dich.exe', 'MZ')])
# The flag that says that a password is needed, in both places where it stands.
locked = bytearray(plain)
locked[6] |= 1
at = locked.index(b'PK\\x01\\x02')
locked[at + 8] |= 1
made['locked'] = bytes(locked)
# Only in the directory, for the second file.
second = bytearray(plain)
at = second.index(b'PK\\x01\\x02', second.index(b'PK\\x01\\x02') + 4)
second[at + 8] |= 1
made['locked second'] = bytes(second)
# A bomb, and headers that lie about what is in it.
made['bomb'] = zipped([('zeros.bin', b'\\0' * 50_000_000)])
lying = bytearray(made['program'])
at = lying.index(b'PK\\x01\\x02')
struct.pack_into('<HHH', lying, at + 28, 65535, 65535, 65535)
made['lying lengths'] = bytes(lying)
lying = bytearray(made['program'])
at = lying.index(b'PK\\x05\\x06')
struct.pack_into('<HHII', lying, at + 8, 65535, 65535, 0xffffffff, 0xffffffff)
made['lying directory'] = bytes(lying)
for fraction in (1, 2, 3): made['cut %d' % fraction] = made['program'][:len(made['program']) * fraction // 4]
made['in front'] = b'#!/bin/sh\\nexit\\n' + plain
tar = io.BytesIO()
with tarfile.open(fileobj=tar, mode='w:gz') as archive:
    info = tarfile.TarInfo('run.exe'); info.size = 2
    archive.addfile(info, io.BytesIO(b'MZ'))
made['tar.gz'] = tar.getvalue()
json.dump({name: base64.b64encode(data).decode() for name, data in made.items()}, sys.stdout)
`

function contentsOf(bytes: Buffer, pieceBytes = 1 << 20): ArchiveContents | undefined {
  const watch = watchArchive()
  for (let at = 0; at < bytes.length; at += pieceBytes) watch.push(bytes.subarray(at, at + pieceBytes))
  return watch.end()
}

const risks = (filename: string, archive: ArchiveContents | undefined): string[] =>
  attachmentRisk({ filename, contentType: 'application/octet-stream', archive }).map(({ code }) => code)

t.test('archives of other programs', peer('python3', '/usr/bin/python3'), async (t) => {
  const answer = await run('/usr/bin/python3', ['-c', MAKE])
  t.equal(answer.code, 0, answer.stderr)
  const made = new Map(
    Object.entries(JSON.parse(answer.stdout)).map(([name, text]) => [name, Buffer.from(String(text), 'base64')]),
  )
  const bytesOf = (name: string): Buffer => made.get(name) ?? Buffer.alloc(0)
  const told = (name: string): ArchiveContents | undefined => contentsOf(bytesOf(name))

  t.test('the names in a ZIP are told, however its bytes come', async (t) => {
    const wanted = { encrypted: false, names: ['notes.txt', 'folder/data.csv'] }
    for (const size of [1, 3, 7, 64, 1000]) t.same(contentsOf(bytesOf('plain'), size), wanted, `in pieces of ${size}`)
    t.same(told('empty'), undefined, 'an empty one begins with its end')
    t.same(told('names')?.names, ['für dich.exe'])
    t.same(told('comment')?.names, ['run.js'], 'a comment that looks like the end')
    t.equal(told('many')?.names.length, 200, 'no more than 200')
  })

  t.test('a program inside is told of, one level deep', async (t) => {
    t.same(risks('report.zip', told('program')), ['program_in_archive'])
    t.same(risks('report.zip', told('plain')), [])
    t.same(risks('report.zip', told('names')), ['program_in_archive'])
    t.same(risks('report.pdf.exe', told('plain')), ['double_extension'])
    t.same(told('nested')?.names, ['inner.zip'])
    t.same(risks('letter.docx', told('word')), [])
    t.same(risks('letter.docx', told('macros')), ['hidden_macros'])
  })

  t.test('a ZIP that takes a password is told of', async (t) => {
    t.same(told('locked'), { encrypted: true, names: ['notes.txt', 'folder/data.csv'] })
    t.equal(told('locked second')?.encrypted, true)
    t.same(risks('report.zip', told('locked')), ['encrypted_archive'])
  })

  t.test('headers that lie and files that are cut lead to nothing worse than fewer names', async (t) => {
    t.ok(bytesOf('bomb').length < 100_000)
    t.same(told('bomb'), { encrypted: false, names: ['zeros.bin'] }, 'nothing is unpacked')
    for (const name of ['lying lengths', 'lying directory', 'cut 1', 'cut 2', 'cut 3']) {
      const contents = told(name)
      t.ok(contents && contents.names.length <= 200, name)
      t.ok(
        contents?.names.every((one) => one.length <= 255),
        name,
      )
    }
  })

  t.test('what does not begin as an archive is none', async (t) => {
    t.equal(told('in front'), undefined)
    t.equal(told('tar.gz'), undefined)
    t.same(risks('program.tar.gz', undefined), [], 'only a scanner looks into these')
    t.equal(contentsOf(Buffer.from('7z\xbc\xaf\x27\x1c\x00\x04', 'latin1')), undefined)
  })

  t.test('every piece of a ZIP, wherever it is cut and whichever byte is wrong, is read without a fault', async (t) => {
    const bytes = bytesOf('program')
    for (let end = 0; end <= bytes.length; end++) contentsOf(bytes.subarray(0, end))
    for (let at = 0; at < bytes.length; at++) {
      const wrong = Buffer.from(bytes)
      wrong[at] = 0xff
      const contents = contentsOf(wrong)
      if (contents && contents.names.length > 2) t.fail(`names from nowhere with byte ${at} wrong`)
    }
    t.pass('read')
  })
})

t.test('RAR archives with encrypted headers are told by their first header', async (t) => {
  // Mark, main header (type 0x73) with its flags, as unrar's documentation has them.
  const rar4 = (flags: number): Buffer => {
    const bytes = Buffer.alloc(64)
    bytes.write('Rar!\x1a\x07\x00', 'latin1')
    bytes[9] = 0x73
    bytes.writeUInt16LE(flags, 10)
    return bytes
  }
  t.same(contentsOf(rar4(0x80)), { encrypted: true, names: [] })
  t.same(contentsOf(rar4(0)), { encrypted: false, names: [] })
  const rar5 = (type: number): Buffer =>
    Buffer.from([...Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), 1, 2, 3, 4, 0x21, type, 0, 0, 0])
  t.same(contentsOf(rar5(4)), { encrypted: true, names: [] })
  t.same(contentsOf(rar5(1)), { encrypted: false, names: [] })
  t.equal(contentsOf(Buffer.from('Rar!')), undefined)
})
