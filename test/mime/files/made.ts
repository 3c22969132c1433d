/** Files made octet by octet for the tests of what is read in attachments. */
import { deflateRawSync } from 'node:zlib'

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
