/** What is told of archives made by other people's programs, and of bytes that only look like one. */
import t from 'tap'
import { LzmaError, unpackLzma2 } from '../../../src/mime/archive/lzma.js'
import { cabinetOf, rar4Of, rar5Of } from '../files/made.js'
import { attachmentRisk } from '../../../src/guard/signals/attachments.js'
import { archiveBudget, watchArchive } from '../../../src/mime/archive/archive.js'
import type { ArchiveContents } from '../../../src/mime/types.js'
import { run } from '../../support/daemon.js'
import { peer } from '../../support/peers/peers.js'

/** Python's own writers of ZIP and tar, one archive for each name of the dictionary that the lines make. */
const MAKE = `
import base64, gzip, io, json, lzma, random, struct, sys, tarfile, zipfile, zlib
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
made['blocks tar.xz'] = lzma.compress(tarred(program[:2])) + lzma.compress(tarred(program[2:]))
made['cut tar.xz'] = made['tar.xz'][:-40]
made['xz bomb'] = lzma.compress(b'\\0' * 100_000_000, preset=0)
made['single xz'] = lzma.compress(b'words ' * 5000)
number = lambda n: b'\\xff' + struct.pack('<Q', n)
def seven(names, filter=lzma.FILTER_LZMA1, claimed=None, extra=b''):
    """An archive of empty files, and its header packed."""
    text = b''.join(name.encode('utf-16le') + b'\\0\\0' for name in names)
    all = b'\\xff' * (len(names) // 8) + (bytes([0xff << 8 - len(names) % 8 & 0xff]) if len(names) % 8 else b'')
    header = b'\\x01\\x05' + number(len(names)) + b'\\x0e' + number(len(all)) + all + b'\\x0f' + number(len(all)) + all + b'\\x11' + number(len(text) + 1) + b'\\0' + text + extra + b'\\0\\0'
    packed = lzma.compress(header, format=lzma.FORMAT_RAW, filters=[{'id': filter, 'preset': 6}])
    coder = b'\\x23\\x03\\x01\\x01\\x05\\x5d\\0\\0\\x80\\0' if filter == lzma.FILTER_LZMA1 else b'\\x21\\x21\\x01\\x16'
    info = b'\\x17\\x06' + number(0) + b'\\x01\\x09' + number(len(packed)) + b'\\0\\x07\\x0b\\x01\\0\\x01' + coder + b'\\x0c' + number(claimed or len(header)) + b'\\0\\0'
    start = struct.pack('<QQI', len(packed), len(info), zlib.crc32(info))
    return b'7z\\xbc\\xaf\\x27\\x1c\\0\\x04' + struct.pack('<I', zlib.crc32(start)) + start + packed + info
varied = ['%d/%s.txt' % (i, random.Random(i).randbytes(9).hex()) for i in range(450)]
made['many 7z'] = seven(varied + ['run.exe'])
made['many 7z of LZMA2'] = seven(varied + ['run.exe'], lzma.FILTER_LZMA2)
made['too many 7z'] = seven(varied * 10 + ['run.exe'], lzma.FILTER_LZMA2)
made['7z bomb'] = seven(['a'], extra=b'\\x19' + number(50_000_000) + b'\\0' * 50_000_000)
made['7z that lies'] = seven(['a' * 20_000], claimed=2**40)
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
    t.same(await contentsOf(Buffer.from('7z\xbc\xaf\x27\x1c\x00\x04', 'latin1')), closed)
    t.same(await contentsOf(Buffer.from('MSCF\0\0\0\0\x40\0\0\0', 'latin1')), closed)
    t.same(await contentsOf(Buffer.from('0123456**ACE**', 'latin1')), closed)
    t.same(await contentsOf(Buffer.from('  -lh5-', 'latin1')), closed)
    t.same(await contentsOf(Buffer.from('LZIP\x01', 'latin1')), closed)
    t.same(risks('backup.7z', closed), ['archive_not_searched'])
    t.same(risks('invoice.exe.xz', closed), ['program_in_archive', 'archive_not_searched'])
  })

  t.test('names in a tar that is packed by xz, and that its end or a second stream was not read', async (t) => {
    const wanted = { encrypted: false, names: ['notes/a.txt', 'run.exe'] }
    for (const size of [7, 512, 1 << 20]) t.same(await contentsOf(bytesOf('tar.xz'), size), wanted, `pieces of ${size}`)
    t.same(risks('program.tar.xz', await told('tar.xz')), ['program_in_archive'])
    t.same(await told('single xz'), { encrypted: false, names: [] })
    t.same(await told('xz bomb'), { encrypted: false, names: [] }, 'no more is unpacked than a piece')
    for (const name of ['blocks tar.xz', 'cut tar.xz']) t.equal((await told(name))?.partial, true, name)
  })

  t.test('names in the packed header of a 7z, within its limits', async (t) => {
    for (const name of ['many 7z', 'many 7z of LZMA2']) {
      const contents = await told(name)
      t.same([contents?.names.length, contents?.names.at(-1), contents?.partial], [451, 'run.exe', undefined], name)
      t.match(contents?.names[7], /^7\/[0-9a-f]{18}\.txt$/)
      t.same(risks('photos.7z', contents), ['program_in_archive'])
    }
    const many = await told('too many 7z')
    t.same([many?.names.length, many?.partial], [500, true])
    t.ok(bytesOf('7z bomb').length < 20_000)
    for (const name of ['7z bomb', '7z that lies'])
      t.same(await told(name), { encrypted: false, names: [], partial: true }, name)
    const budget = archiveBudget()
    budget.unpackedBytes = 1000
    const watch = watchArchive(budget)
    watch.push(bytesOf('many 7z'))
    t.same(await watch.end(), { encrypted: false, names: [], partial: true }, 'beyond what a message may unpack')
  })

  t.test('what does not begin as an archive is none', async (t) => {
    t.equal(await told('in front'), undefined)
    t.equal(await contentsOf(Buffer.alloc(2000)), undefined)
    t.equal(await contentsOf(Buffer.from('BZ')), undefined)
    t.equal(await contentsOf(Buffer.alloc(0)), undefined)
  })

  for (const name of ['program', 'tar.gz', 'tar.xz', 'gnu tar', 'named gzip'])
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

/** What 7-Zip 26.02 makes of a folder with a text, a program, a file without content and an empty folder. */
const BY_7ZIP = {
  'LZMA2, header by LZMA':
    'N3q8ryccAASPbwvbqQAAAAAAAAAiAAAAAAAAAKSYclIBAAhNWgp3b3JkcwoAAACBMweuD86xsaEJKq7TqoUmKBP7lbRiEkcuaKA8LdV2ULr6h8CjF7ropAH0zjOSzT9IVGk5mktpO1FvPrXOcfvhiaU94n7WqpjWWmZBEZdvx8UZlqaydSqvxxdb0siQjKDN53vDrWfSzEamlBPWpshiCZrqLuuSTeEApLVV/arHte8syG8o6EetDFFdPwaCTNHQJa+4iN2kAAAAFwYNAQmAnAAHCwEAASMDAQEFXQAQAAAMgRYKAaM+xKYAAA==',
  'header not packed':
    'N3q8ryccAAQaYCd6DQAAAAAAAAAWAQAAAAAAAKM+xKYBAAhNWgp3b3JkcwoAAQQGAAEJDQAHCwEAASEhAQAMCQAIDQIJAwoBQZuCJ4a0qNYAAAUGDgHwDwEQGQ0AAAAAAAAAAAAAAAAAEYCDAGQAAABkAC8AZABlAGUAcAAAAGQALwBlAG0AcAB0AHkAAABkAC8AbgBvAHQAaABpAG4AZwAuAGoAcwAAAGQALwBkAGUAZQBwAC8AaQBuAHYAbwBpAGMAZQAuAHAAZABmAC4AZQB4AGUAAABkAC8AbgBvAHQAZQBzAC4AdAB4AHQAAAAZABQyAQBzImcZcX/dAbO8FBlxf90Bs7wUGXF/3QGzvBQZcX/dAbO8FBlxf90Bs7wUGXF/3QEVGgEAEIDtQRCA7UEQgO1BIICkgSCApIEggKSBAAA=',
  stored:
    'N3q8ryccAATQEjl7nQAAAAAAAAAiAAAAAAAAALRaM/RNWgp3b3JkcwoAAIEzB64xmExDfRYpbeZ4gK2DkaN69CGP5uLhcNTmKEBHETuC57k5bUidwdpyG3OTHOT+opwpR11k9i9RpyVE9tju/9dbqjjMgCbGQ8LJQIb43NBC1w50djQx8Jb5BqqCISHJB9LotU4uYZRSZeuF5L5vKp/3Q4rofEV30ZGZyqrcj94dCy/PqONZvP2H0bkUQAAAFwYJAQmAlAAHCwEAASMDAQEFXQAQAAAMgQYKAbjrjKYAAA==',
  'by BCJ2':
    'N3q8ryccAARqz+Ss1gAAAAAAAAAiAAAAAAAAAKAfkoNNWgp3b3JkcwoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgTMHrs6ATzlLtrp8q5DQuSlkd8VdM6L/9WEiManmBQIaDoOyWwbYiCj2D0hDPEeffMf/l0sp/SXJRGA6F+yDvTqMyzI+GecYvEScZLz14XBYk1nI71VzzbE2EiOyZA7W3Ov0PhXZRfs1FwIvu69G8nJaSPMbOU7zehPdsdop7G7K8jERWW4BtR3tV9GMDPqIQGhKQaQF29sNbIi/Z0DVsET7mAQrxTkdrRuYCknjZB5b5ybgAAAAFwYdAQmAuQAHCwEAASMDAQEFXQAQAAAMgUYKAedVJJIAAA==',
  encrypted:
    'N3q8ryccAARcRpATxgAAAAAAAAAiAAAAAAAAADDFPDBseMFyC5VxEcnNHqY3z3viAACBMweuD87ysgwHsMPa919FiphISvln99bgyxCfeauQKwORyah7H+ngumR7cQME606b4LJUJAUcbq+OJ3j3hjxBrCR/Y+kNLN8ZetZ7/ouTtHh0UynVwdFqDGJw/H3JPrdDKKP6S7MvEeyo591P91869Ht9GLJstP4kfKCS7Lj5aPqr1hCyj6ygjQW6SM+nKNCh1H/PiNpgy9GiwlZUc+QosxmjOpEdDdnQ7NZj82CVN6wAAAAXBhABCYC2AAcLAQABIwMBAQVdABAAAAyBJgoBPrDHVQAA',
  'encrypted with its header':
    'N3q8ryccAARfHnev0AAAAAAAAAA+AAAAAAAAAB347ds2CwLUOPxZ3287UwTrKy3J8D+wmO5ri1QuMmJUoGCWuXH6H5+gaDEbLqZquKHgYMVvvRot40Nd/uLGn3lPCdqpZjcnSzzDJWTt0OFKKBU8bSDZ+uZ34kFEKNTdYKU9DOf+473+72iz9QAstrWPUr7hWeJAy+JsAQR2iJo1nzJ+C9fuuXSCcbhuv8K4/uT7bd8SoU9VFuK5qsNC19wvOLcEdfJg0uKWMCoxMhLsNi6o7EAkd9I4DdBqy7tkBt/oZQjCe9rL+Jz/csw1ymUubFlPFwYQAQmAwAAHCwEAAiQG8QcBElMPqCLqXS2CePZZ2h2xRDGwWiMDAQEFXQAQAAABAAyAtYEmCgECYoaWAAA=',
}

t.test('archives of 7-Zip: names, programs, and what is encrypted', async (t) => {
  const wanted = ['d/nothing.js', 'd/deep/invoice.pdf.exe', 'd/notes.txt']
  for (const [name, text] of Object.entries(BY_7ZIP)) {
    const archive = Buffer.from(text, 'base64')
    const contents = await contentsOf(archive)
    const isEncrypted = name.startsWith('encrypted')
    const isClosed = name === 'encrypted with its header'
    t.same(
      contents,
      isClosed ? { encrypted: true, names: [], partial: true } : { encrypted: isEncrypted, names: wanted },
      name,
    )
    t.same(
      risks('photos.7z', contents),
      [...(isClosed ? [] : ['program_in_archive']), ...(isEncrypted ? ['encrypted_archive'] : [])],
      name,
    )
    for (const size of [1, 31, 33]) t.same(await contentsOf(archive, size), contents, `${name}, in pieces of ${size}`)
    for (let end = 0; end < archive.length; end++) await contentsOf(archive.subarray(0, end))
    for (let at = 0; at < archive.length; at++)
      for (const value of [0, 0xff]) {
        const wrong = Buffer.from(archive)
        wrong[at] = value
        const names = (await contentsOf(wrong))?.names ?? []
        if (names.length > 40 || names.some((one) => one.length > 255))
          t.fail(`names from nowhere with byte ${at} of ${name} wrong`)
      }
  }
})

/** A 7z archive of nothing but a header. */
function sevenZip(header: Buffer): Buffer {
  const start = Buffer.alloc(32)
  start.write('7z\xbc\xaf\x27\x1c\x00\x04', 'latin1')
  start.writeBigUInt64LE(BigInt(header.length), 20)
  return Buffer.concat([start, header])
}

t.test('a header of 7z that says much of little is not read', async (t) => {
  const repeated = Buffer.concat([Buffer.from([1, 4]), Buffer.from([8, 0, 8, 0]), Buffer.from([0, 0])])
  const folders = Buffer.concat([Buffer.from([1, 4, 7, 0x0b, 0xc0, 0xff, 0xff, 0]), Buffer.alloc(80_000)])
  for (const header of [repeated, folders])
    t.same(await contentsOf(sevenZip(header)), { encrypted: false, names: [], partial: true })
  t.same(await contentsOf(sevenZip(Buffer.from([1, 4, 8, 0, 0, 0]))), { encrypted: false, names: [] })
})

t.test('LZMA2 has no more chunks, and no larger tables, than archivers make', async (t) => {
  const unpackedAll = (packed: Buffer): number => [...unpackLzma2(packed, 1 << 20)].length
  const stored = (count: number): Buffer =>
    Buffer.concat([...Array.from({ length: count }, () => Buffer.from([1, 0, 0, 0x61])), Buffer.from([0])])
  t.equal(unpackedAll(stored(4000)), 4000)
  t.throws(() => unpackedAll(stored(5000)), LzmaError)
  t.throws(() => unpackedAll(Buffer.from([0xe0, 0, 0, 0, 5, 8, 0, 0, 0, 0, 0, 0, 0])), /no properties/)
})

t.test('names in a cabinet', async (t) => {
  const cabinet = cabinetOf(['letter.txt', 'deep\\run.exe', 'f\u00fcr dich.js'])
  const wanted = { encrypted: false, names: ['letter.txt', 'deep/run.exe', 'f\u00fcr dich.js'] }
  for (const size of [1, 512, 1000]) t.same(await contentsOf(cabinet, size), wanted)
  t.same(risks('driver.cab', wanted), ['program_in_archive'])
  t.match(await contentsOf(cabinet.subarray(0, 110)), { names: ['letter.txt', 'deep/run.exe'], partial: true })
  for (let end = 0; end < 200; end++) await contentsOf(cabinet.subarray(0, end))
})
