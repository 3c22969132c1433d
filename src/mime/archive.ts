/**
 * What can be told of an archive while its bytes go by: whether it takes a password, and what it holds. Nothing is unpacked. ZIP by its
 * central directory (APPNOTE §4.3.12), which stands at the end; RAR by its first header.
 */
import type { ArchiveContents } from './types.js'

export interface ArchiveWatch {
  push(piece: Buffer): void
  /** Undefined when it is no archive that is known. */
  end(): ArchiveContents | undefined
}

/** Of the end: room for the directory of some hundred files. */
const TAIL_BYTES = 64 * 1024
const HEAD_BYTES = 64
const MAX_NAMES = 200
const MAX_NAME_BYTES = 255

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const RAR4 = Buffer.from('Rar!\x1a\x07\x00', 'latin1')
const RAR5 = Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1')

export function watchArchive(): ArchiveWatch {
  let head = Buffer.alloc(0)
  let isArchive: boolean | undefined
  let tail: Buffer[] = []
  let tailBytes = 0
  return {
    push(piece) {
      if (isArchive === false) return
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)])
      isArchive ??=
        head.length < RAR5.length
          ? undefined
          : startsWith(head, ZIP) || startsWith(head, RAR4) || startsWith(head, RAR5)
      if (isArchive === false) return void (tail = [])
      tail.push(piece)
      tailBytes += piece.length
      for (let first = tail[0]; first && tailBytes - first.length >= TAIL_BYTES; first = tail[0]) {
        tailBytes -= first.length
        tail.shift()
      }
    },
    end() {
      if (isArchive !== true) return undefined
      if (startsWith(head, ZIP)) return zipContents(Buffer.concat(tail).subarray(-TAIL_BYTES), head)
      return { encrypted: startsWith(head, RAR4) ? isRar4Encrypted(head) : isRar5Encrypted(head), names: [] }
    },
  }
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

function zipContents(tail: Buffer, head: Buffer): ArchiveContents {
  const names: string[] = []
  // Bit 0 of the general purpose flags: of the first file, in case the directory can't be read.
  let encrypted = head.length >= 8 && (head.readUInt16LE(6) & 1) === 1
  for (let at = firstEntry(tail); at !== -1 && at + ENTRY_BYTES <= tail.length && tail.readUInt32LE(at) === ENTRY;) {
    encrypted ||= (tail.readUInt16LE(at + 8) & 1) === 1
    const [name, extra, comment] = [tail.readUInt16LE(at + 28), tail.readUInt16LE(at + 30), tail.readUInt16LE(at + 32)]
    const start = at + ENTRY_BYTES
    if (names.length < MAX_NAMES) names.push(tail.toString('utf8', start, start + Math.min(name, MAX_NAME_BYTES)))
    at = start + name + extra + comment
  }
  return { encrypted, names }
}

/** The directory's start by the record at the very end; when the directory is longer than the tail, the first entry that is still in it. */
function firstEntry(tail: Buffer): number {
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end === -1 || end + 22 > tail.length) return -1
  const start = end - tail.readUInt32LE(end + 12)
  return start >= 0 ? start : tail.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
}

/** Flags of the main header, behind the 7 octets of the mark: 0x80 is for encrypted headers. */
function isRar4Encrypted(head: Buffer): boolean {
  return head.length >= 12 && (head.readUInt16LE(10) & 0x80) !== 0
}

/** The type of the first header, behind its checksum and its length of one octet: 4 is the one for encryption. */
function isRar5Encrypted(head: Buffer): boolean {
  return head[13] === 4
}
