/** Files made octet by octet for the tests of what is read in attachments. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  name: string
  data: Buffer | string
  /** What the headers claim about its size. */
  claimedBytes?: number
}

/** A ZIP (APPNOTE §4.3) of compressed members. */
export function zipOf(members: ZipMember[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, data, claimedBytes } of members) {
    const content = Buffer.from(data)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimedBytes ?? content.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

/** The start of a portable executable. */
export function windowsProgram(): Buffer {
  const program = Buffer.alloc(512)
  program.write('MZ')
  program.writeUInt32LE(0x80, 0x3c)
  program.write('PE\0\0', 0x80)
  return program
}

/** [MS-SHLLINK] §2.1, and a string as §2.4 has it. */
export function shortcut(command: string): Buffer {
  const header = Buffer.alloc(76)
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex').copy(header)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(command.length)
  return Buffer.concat([header, length, Buffer.from(command, 'utf16le')])
}

/** A OneNote section with one stored file ([MS-ONESTORE] §2.6.13). */
export function oneNote(stored: Buffer): Buffer {
  const section = Buffer.alloc(1024)
  Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex').copy(section)
  const object = Buffer.alloc(36)
  Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex').copy(object)
  object.writeUInt32LE(stored.length, 16)
  return Buffer.concat([section, object, stored])
}

/** A compound file ([MS-CFB]) with nothing but a directory of these names. */
export function compoundFile(names: string[]): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(0, 76)
  const table = Buffer.alloc(512, 0xff)
  const directory = Buffer.alloc(512 * Math.ceil(names.length / 4))
  for (let sector = 0; sector < directory.length / 512; sector++)
    table.writeUInt32LE(sector + 1 < directory.length / 512 ? sector + 2 : 0xfffffffe, 4 * (sector + 1))
  for (const [index, name] of names.entries()) {
    directory.write(name, index * 128, 'utf16le')
    directory.writeUInt16LE(2 * name.length + 2, index * 128 + 64)
  }
  return Buffer.concat([header, table, directory])
}

/** An ISO 9660 image (ECMA-119) with these files in its root folder. */
export function diskImage(names: string[]): Buffer {
  const records = names.map((name) => {
    const record = Buffer.alloc(33 + name.length + ((name.length + 1) % 2))
    record[0] = record.length
    record[32] = name.length
    record.write(name, 33, 'latin1')
    return record
  })
  const image = Buffer.alloc(19 * 2048)
  image.write('\x01CD001\x01', 16 * 2048, 'latin1')
  const root = 16 * 2048 + 156
  image[root] = 34
  image.writeUInt32LE(18, root + 2)
  image.writeUInt32LE(2048, root + 10)
  image[root + 25] = 2
  Buffer.concat(records).copy(image, 18 * 2048)
  return image
}

interface RarFile {
  /** A folder where it ends with a slash. */
  name: string
  data: Buffer
}

const rarBlock = (type: number, flags: number, fields: Buffer, data: Buffer = Buffer.alloc(0)): Buffer => {
  const header = Buffer.alloc(5)
  header[0] = type
  header.writeUInt16LE(flags, 1)
  header.writeUInt16LE(7 + fields.length, 3)
  const body = Buffer.concat([header, fields])
  const check = Buffer.alloc(2)
  check.writeUInt16LE(crc32(body) & 0xffff)
  return Buffer.concat([check, body, data])
}

/** A RAR of version 4 with stored files. */
export function rar4Of(files: readonly RarFile[], encrypted = false): Buffer {
  const blocks = files.map(({ name, data }) => {
    const [isFolder, written] = [name.endsWith('/'), Buffer.from(name.replace(/\/$/, ''), 'latin1')]
    const content = isFolder ? Buffer.alloc(0) : data
    const fields = Buffer.alloc(25)
    fields.writeUInt32LE(content.length, 0)
    fields.writeUInt32LE(content.length, 4)
    fields[8] = 3
    fields.writeUInt32LE(crc32(content), 9)
    fields[17] = 20
    fields[18] = 0x30
    fields.writeUInt16LE(written.length, 19)
    fields.writeUInt32LE(isFolder ? 0x41ed : 0x81a4, 21)
    return rarBlock(
      0x74,
      0x8000 | (isFolder ? 0xe0 : 0) | (encrypted ? 4 : 0),
      Buffer.concat([fields, written]),
      content,
    )
  })
  const start = Buffer.from('Rar!\x1a\x07\x00', 'latin1')
  return Buffer.concat([start, rarBlock(0x73, 0, Buffer.alloc(6)), ...blocks, rarBlock(0x7b, 0x4000, Buffer.alloc(0))])
}

function variable(value: number): Buffer {
  const octets: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    octets.push((rest % 128) | (rest >= 128 ? 0x80 : 0))
    if (rest < 128) return Buffer.from(octets)
  }
}

function rarHeader(fields: readonly (number | Buffer)[], data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat(fields.map((field) => (typeof field === 'number' ? variable(field) : field)))
  const sized = Buffer.concat([variable(body.length), body])
  const check = Buffer.alloc(4)
  check.writeUInt32LE(crc32(sized))
  return Buffer.concat([check, sized, data])
}

/** A RAR of version 5 with stored files. */
export function rar5Of(files: readonly RarFile[], encrypted = false): Buffer {
  const blocks = files.map(({ name, data }) => {
    const [isFolder, written] = [name.endsWith('/'), Buffer.from(name.replace(/\/$/, ''))]
    const content = isFolder ? Buffer.alloc(0) : data
    const check = Buffer.alloc(4)
    check.writeUInt32LE(crc32(content))
    const extra = encrypted ? Buffer.concat([variable(4), variable(1), Buffer.alloc(3)]) : Buffer.alloc(0)
    const front = encrypted ? [2, 3, extra.length] : [2, 2]
    const file = [isFolder ? 1 : 4, content.length, isFolder ? 0x41ed : 0x81a4, ...(isFolder ? [] : [check]), 0, 1]
    return rarHeader([...front, content.length, ...file, written.length, written, extra], content)
  })
  const start = Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1')
  return Buffer.concat([start, rarHeader([1, 0, 0]), ...blocks, rarHeader([5, 0, 0])])
}

/** A cabinet ([MS-CAB]) that lists these files, with nothing behind the list but what a folder of it might hold. */
export function cabinetOf(names: readonly string[]): Buffer {
  const header = Buffer.alloc(44)
  header.write('MSCF')
  header.writeUInt32LE(44, 16)
  header[24] = 3
  header[25] = 1
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(names.length, 28)
  const entries = names.map((name) => {
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(100, 0)
    // The name is in UTF-8.
    entry.writeUInt16LE(0x80 | 0x20, 14)
    return Buffer.concat([entry, Buffer.from(`${name}\0`)])
  })
  return Buffer.concat([header, ...entries, Buffer.alloc(600, 'x')])
}
