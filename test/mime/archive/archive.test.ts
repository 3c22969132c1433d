/** What is told of archives made by other people's programs, and of bytes that only look like one. */
import t from 'tap'
import { rar4Of, rar5Of } from '../files/made.js'
import { attachmentRisk } from '../../../src/guard/signals/attachments.js'
import { archiveBudget, watchArchive } from '../../../src/mime/archive/archive.js'
import type { ArchiveContents } from '../../../src/mime/types.js'
import { run } from '../../support/daemon.js'
import { peer } from '../../support/peers/peers.js'

/** Python's own writers of ZIP and tar, one archive for each name of the dictionary that the lines make. */
const MAKE = `
import base64, gzip, io, json, random, struct, sys, tarfile, zipfile
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
def tarred(names, mode='w', format=tarfile.GNU_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=format) as archive:
        for name, data in names:
            info = tarfile.TarInfo(name); info.size = len(data)
            if name.endswith('/'): info.type = tarfile.DIRTYPE
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()
program = [('notes/', b''), ('notes/a.txt', b'words' * 500), ('run.exe', b'MZ')]
made['tar'] = tarred(program)
made['tar.gz'] = tarred(program, 'w:gz')
made['tar.bz2'] = tarred(program, 'w:bz2')
made['tar.xz'] = tarred(program, 'w:xz')
made['plain tar.gz'] = tarred(program[:2], 'w:gz')
long = 'd/' * 80 + 'n' * 120 + '.exe'
for name, form in (('gnu', tarfile.GNU_FORMAT), ('pax', tarfile.PAX_FORMAT), ('ustar', tarfile.USTAR_FORMAT)):
    made[name + ' tar'] = tarred([('x.txt', b'x'), (long if name != 'ustar' else 'd/' * 60 + 'run.exe', b'MZ'), ('f\u00fcr dich.exe', b'')], format=form)
made['many tar'] = tarred([('file-%05d.txt' % i, b'') for i in range(3000)] + [('last.exe', b'MZ')])
made['behind zeros'] = tarred([('zeros.bin', b'\\0' * 60_000_000), ('run.exe', b'MZ')], 'w:gz')
made['gzip of a program'] = gzip.compress(b'MZ')
named = io.BytesIO()
with gzip.GzipFile('invoice.exe', 'wb', fileobj=named) as file: file.write(b'MZ')
made['named gzip'] = named.getvalue()
made['gzip bomb'] = gzip.compress(b'\\0' * 300_000_000)
made['cut tar.gz'] = tarred([('%d.txt' % i, bytes(random.Random(i).randbytes(3000))) for i in range(40)] + [('run.exe', b'MZ')], 'w:gz')[:30_000]
json.dump({name: base64.b64encode(data).decode() for name, data in made.items()}, sys.stdout)
`

function contentsOf(bytes: Buffer, pieceBytes = 1 << 20): Promise<ArchiveContents | undefined> {
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
  const told = (name: string): Promise<ArchiveContents | undefined> => contentsOf(bytesOf(name))

  t.test('the names in a ZIP are told, however its bytes come', async (t) => {
    const wanted = { encrypted: false, names: ['notes.txt', 'folder/data.csv'] }
    for (const size of [1, 3, 7, 64, 1000])
      t.same(await contentsOf(bytesOf('plain'), size), wanted, `in pieces of ${size}`)
    t.same(await told('empty'), undefined, 'an empty one begins with its end')
    t.same((await told('names'))?.names, ['für dich.exe'])
    t.same((await told('comment'))?.names, ['run.js'], 'a comment that looks like the end')
  })

  t.test('a program inside is told of, one level deep', async (t) => {
    t.same(risks('report.zip', await told('program')), ['program_in_archive'])
    t.same(risks('report.zip', await told('plain')), [])
    t.same(risks('report.zip', await told('names')), ['program_in_archive'])
    t.same(risks('report.pdf.exe', await told('plain')), ['double_extension'])
    t.same((await told('nested'))?.names, ['inner.zip'])
    t.same(risks('letter.docx', await told('word')), [])
    t.same(risks('letter.docx', await told('macros')), ['hidden_macros'])
  })

  t.test('a ZIP that takes a password is told of', async (t) => {
    t.same(await told('locked'), { encrypted: true, names: ['notes.txt', 'folder/data.csv'] })
    t.equal((await told('locked second'))?.encrypted, true)
    t.same(risks('report.zip', await told('locked')), ['encrypted_archive'])
  })

  t.test(
    'headers that lie and files that are cut lead to nothing worse than fewer names, and that is told',
    async (t) => {
      t.ok(bytesOf('bomb').length < 100_000)
      t.same(await told('bomb'), { encrypted: false, names: ['zeros.bin'] }, 'nothing is unpacked')
      for (const name of ['lying lengths', 'lying directory', 'cut 1', 'cut 2', 'cut 3']) {
        const contents = await told(name)
        t.ok(contents && contents.names.length <= 500, name)
        t.ok(
          contents?.names.every((one) => one.length <= 255),
          name,
        )
        t.same(risks('report.zip', contents && { ...contents, names: [] }), ['archive_not_searched'], name)
      }
    },
  )

  t.test('a program in a tar is told of as in a ZIP, packed with gzip or not, however its bytes come', async (t) => {
    const wanted = { encrypted: false, names: ['notes/a.txt', 'run.exe'] }
    for (const size of [1, 7, 511, 512, 513, 4000, 1 << 20]) {
      t.same(await contentsOf(bytesOf('tar'), size), wanted, `tar in pieces of ${size}`)
      t.same(await contentsOf(bytesOf('tar.gz'), size), wanted, `tar.gz in pieces of ${size}`)
    }
    t.same(risks('program.tar', await told('tar')), ['program_in_archive'])
    t.same(risks('program.tar.gz', await told('tar.gz')), ['program_in_archive'])
    t.same(risks('logs.tar.gz', await told('plain tar.gz')), [])
  })

  t.test('long names in a tar are read in each of the ways of writing them', async (t) => {
    for (const form of ['gnu', 'pax', 'ustar']) {
      const contents = await told(`${form} tar`)
      t.equal(contents?.names.length, 3, form)
      t.equal(contents?.partial, undefined, form)
      t.equal(contents?.names.filter((name) => name.endsWith('.exe')).length, 2, form)
      t.ok(contents?.names.includes('für dich.exe'), form)
    }
  })

  t.test('what lies beyond the limits is not searched, and that is told: no padding hides a program', async (t) => {
    t.ok(bytesOf('behind zeros').length < 100_000)
    const behind = await told('behind zeros')
    t.same(behind, { encrypted: false, names: ['zeros.bin'], partial: true })
    t.same(risks('data.tar.gz', behind), ['archive_not_searched'])
    for (const name of ['many', 'many tar']) {
      const many = await told(name)
      t.equal(many?.names.length, 500, name)
      t.same(risks('photos.zip', many), ['archive_not_searched'], name)
    }
    const cut = await told('cut tar.gz')
    t.ok(cut && cut.names.length > 3 && cut.partial === true, 'a gzip that ends early')
    const broken = Buffer.from(bytesOf('tar.gz'))
    broken.fill(0, broken.length - 8)
    t.same(risks('a.tar.gz', await contentsOf(broken)), ['archive_not_searched'], 'one whose sum is wrong')
  })

  t.test('the archives of one message have one budget', async (t) => {
    const budget = archiveBudget()
    const told = async (name: string): Promise<ArchiveContents | undefined> => {
      const watch = watchArchive(budget)
      watch.push(bytesOf(name))
      return watch.end()
    }
    for (let i = 0; i < 4; i++) t.equal((await told('many'))?.names.length, 500)
    t.same(await told('program'), { encrypted: false, names: [], partial: true }, 'no name is left')
    t.same(await told('tar'), { encrypted: false, names: [], partial: true })
    const before = (budget.unpackedBytes = 3 * 1024 * 1024)
    for (let i = 0; i < 5; i++) await told('behind zeros')
    t.ok(before - budget.unpackedBytes < before + 5 * 256 * 1024 + 1, 'a chunk more at most for each')
  })

  t.test('a single file in gzip is known by its name, within or without', async (t) => {
    t.same(await told('named gzip'), { encrypted: false, names: ['invoice.exe'] })
    t.same(risks('invoice.gz', await told('named gzip')), ['program_in_archive'])
    t.same(risks('invoice.exe.gz', await told('gzip of a program')), ['program_in_archive'])
    t.same(risks('words.txt.gz', await told('gzip of a program')), [])
    t.same(await told('gzip bomb'), { encrypted: false, names: [] }, 'no more is unpacked than its first block')
  })

  t.test('of kinds that are not read it is told that nobody has looked into them', async (t) => {
    const closed = { encrypted: false, names: [], partial: true }
    t.same(await told('tar.bz2'), closed)
    t.same(await told('tar.xz'), closed)
    t.same(await contentsOf(Buffer.from('7z\xbc\xaf\x27\x1c\x00\x04', 'latin1')), closed)
    t.same(await contentsOf(Buffer.from('MSCF\0\0\0\0\x40\0\0\0', 'latin1')), closed)
    t.same(risks('backup.7z', closed), ['archive_not_searched'])
    t.same(risks('invoice.exe.xz', closed), ['program_in_archive', 'archive_not_searched'])
  })

  t.test('what does not begin as an archive is none', async (t) => {
    t.equal(await told('in front'), undefined)
    t.equal(await contentsOf(Buffer.alloc(2000)), undefined)
    t.equal(await contentsOf(Buffer.from('BZ')), undefined)
    t.equal(await contentsOf(Buffer.alloc(0)), undefined)
  })

  for (const name of ['program', 'tar.gz', 'gnu tar', 'named gzip'])
    t.test(
      `every piece of ${name}, wherever it is cut and whichever byte is wrong, is read without a fault`,
      async (t) => {
        const bytes = bytesOf(name).subarray(0, 1100)
        for (let end = 0; end <= bytes.length; end++) await contentsOf(bytes.subarray(0, end))
        for (let at = 0; at < bytes.length; at++) {
          const wrong = Buffer.from(bytes)
          wrong[at] = 0xff
          const contents = await contentsOf(wrong)
          if (contents && contents.names.length > 3) t.fail(`names from nowhere with byte ${at} wrong`)
        }
        t.pass('read')
      },
    )
})

t.test('names in RAR archives of both versions, behind the data of each file', async (t) => {
  const files = ['letter.txt', 'photos/', 'photos/\u00e9.jpg', 'run.exe'].map((name) => ({
    name,
    data: Buffer.alloc(3000, 'Rar!'),
  }))
  for (const make of [rar4Of, rar5Of]) {
    const archive = make(files)
    const { names = [], ...told } = (await contentsOf(archive)) ?? {}
    t.same(told, { encrypted: false })
    t.same([names.length, names[0], names[2]], [3, 'letter.txt', 'run.exe'])
    const inPieces = watchArchive()
    for (let at = 0; at < archive.length; at += 7) inPieces.push(archive.subarray(at, at + 7))
    t.same((await inPieces.end())?.names, names, 'in pieces')
    const cut = await contentsOf(archive.subarray(0, -3100))
    t.same([cut?.partial, cut?.names.length], [true, 2], 'cut')
    t.match(await contentsOf(make(files, true)), { encrypted: true, names: ['letter.txt'] })
    for (let at = 8; at < 200; at++) {
      const wrong = Buffer.from(archive)
      wrong[at] = 0xff
      t.ok(((await contentsOf(wrong))?.names.length ?? 0) <= 4)
    }
  }
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
  t.same(await contentsOf(rar4(0x80)), { encrypted: true, names: [], partial: true })
  t.same(await contentsOf(rar4(0)), { encrypted: false, names: [], partial: true })
  const rar5 = (type: number): Buffer =>
    Buffer.from([...Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), 1, 2, 3, 4, 0x21, type, 0, 0, 0])
  t.same(await contentsOf(rar5(4)), { encrypted: true, names: [], partial: true })
  t.same(await contentsOf(rar5(1)), { encrypted: false, names: [], partial: true })
  t.equal(await contentsOf(Buffer.from('Rar!')), undefined)
})
