/**
 * The names in a 7z archive (the LZMA SDK's "7zFormat.txt"). They are in a header at the archive's end, which is packed as a rule, by LZMA or LZMA2, and
 * unpacked here up to a limit. Contents are not unpacked.
 */
import { setImmediate } from 'node:timers/promises'
import type { ArchiveContents } from '../types.js'
import { LZMA_COST, LzmaError, unpackLzma, unpackLzma2, type Unpacking } from './lzma.js'

export const SEVEN_ZIP = Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')
const START_BYTES = 32
/** Of a header: enough for some ten thousand files. */
const MAX_HEADER_BYTES = 1024 * 1024
/** A packed header may say of itself that it is packed again. */
const MAX_PACKED = 4
const MAX_NAME_CHARS = 255
/** Packed together, and what packs them: an archiver makes one for some thousand files, of four coders at most. */
const MAX_FOLDERS = 4096
const MAX_CODERS = 32

const ID = {
  end: 0x00,
  header: 0x01,
  archiveProperties: 0x02,
  additionalStreams: 0x03,
  mainStreams: 0x04,
  files: 0x05,
  packInfo: 0x06,
  unpackInfo: 0x07,
  subStreams: 0x08,
  size: 0x09,
  crc: 0x0a,
  folder: 0x0b,
  unpackSize: 0x0c,
  unpackStreams: 0x0d,
  emptyStream: 0x0e,
  emptyFile: 0x0f,
  names: 0x11,
  encodedHeader: 0x17,
}

const CODERS = { copy: '00', lzma: '030101', lzma2: '21', aes: '06f10701' }

/** It is damaged, or has what is not read here. */
class NotReadError extends Error {
  override readonly name = 'NotReadError'
}

/**
 * @param head the archive's first octets
 * @param tail its last ones
 * @param fileBytes its length
 * @param budget of what may be unpacked; reduced by what is
 */
export async function sevenZipContents(
  head: Buffer,
  { tail, fileBytes }: { tail: Buffer; fileBytes: number },
  budget: { unpackedBytes: number },
  maxNames: number,
): Promise<ArchiveContents> {
  let encrypted = false
  try {
    const tailAt = fileBytes - tail.length
    /** @param from behind the start header */
    const at = (from: number, bytes: number): Buffer => {
      const begin = START_BYTES + from - tailAt
      if (begin < 0 || begin + bytes > tail.length) throw new NotReadError('beyond what is kept')
      return tail.subarray(begin, begin + bytes)
    }
    let header = at(numberOf(head, 12), numberOf(head, 20))
    for (let packed = 0; header[0] === ID.encodedHeader; packed++) {
      if (packed === MAX_PACKED) throw new NotReadError('packed too often')
      const streams = streamsOf(new Reader(header, 1))
      encrypted ||= streams.isEncrypted
      const { from, bytes } = streams.packed
      header = await unpacked(at(from, bytes), streams, budget)
    }
    if (header[0] !== ID.header) throw new NotReadError('no header')
    const read = filesOf(new Reader(header, 1), maxNames)
    return { encrypted: encrypted || read.isEncrypted, names: read.names, ...(read.isWhole ? {} : { partial: true }) }
  } catch (error) {
    if (!(error instanceof NotReadError || error instanceof LzmaError || error instanceof RangeError)) throw error
    return { encrypted, names: [], partial: true }
  }
}

/** Octets that name numbers: 64 bits, of which those above 53 are in no archive. */
const numberOf = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

class Reader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  byte(): number {
    return this.take(1)[0] ?? 0
  }

  /** The first octet's leading ones say how many follow, its rest is the highest part. */
  number(): number {
    const first = this.byte()
    let value = 0
    for (let index = 0, mask = 0x80; index < 8; index++, mask >>= 1) {
      if ((first & mask) === 0) return value + (first & (mask - 1)) * 2 ** (8 * index)
      value += this.byte() * 2 ** (8 * index)
    }
    return value
  }

  take(count: number): Buffer {
    if (!(count >= 0 && count <= this.#bytes.length - this.#at)) throw new NotReadError('the header ends too early')
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at)
  }

  /** Each thing that is counted takes an octet at least, or a bit. */
  count(most = 8 * this.#bytes.length): number {
    const count = this.number()
    if (count > Math.min(most, 8 * this.#bytes.length)) throw new NotReadError('more than the header holds')
    return count
  }

  expect(id: number): void {
    if (this.byte() !== id) throw new NotReadError('not in the order of the format')
  }

  /** One bit each, the highest first. */
  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8))
    return Array.from({ length: count }, (_, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0)
  }

  /** Which of so many have a checksum, and the checksums. */
  skipChecksums(count: number): void {
    const isAll = this.byte() !== 0
    const defined = isAll ? count : this.bits(count).filter(Boolean).length
    this.take(4 * defined)
  }
}

interface Folder {
  coders: { id: string; properties: Buffer }[]
  outputs: number
  unpackedBytes: number
  hasChecksum: boolean
}

interface Streams {
  /** The first packed stream, from behind the start header. */
  packed: { from: number; bytes: number }
  folders: Folder[]
  isEncrypted: boolean
}

function streamsOf(reader: Reader): Streams {
  const packed = { from: 0, bytes: 0 }
  let folders: Folder[] = []
  for (let before = 0; ;) {
    const id = reader.byte()
    if (id === ID.end) break
    // Each part once, in their order.
    if (id <= before) throw new NotReadError('not in the order of the format')
    before = id
    if (id === ID.packInfo) readPackInfo(reader, packed)
    else if (id === ID.unpackInfo) folders = foldersOf(reader)
    else if (id === ID.subStreams) skipSubStreams(reader, folders)
    else throw new NotReadError('an unknown part of streams')
  }
  const isEncrypted = folders.some(({ coders }) => coders.some(({ id }) => id === CODERS.aes))
  return { packed, folders, isEncrypted }
}

function readPackInfo(reader: Reader, packed: { from: number; bytes: number }): void {
  packed.from = reader.number()
  const count = reader.count()
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id === ID.size) {
      for (let index = 0; index < count; index++) {
        const bytes = reader.number()
        if (index === 0) packed.bytes = bytes
      }
    } else if (id === ID.crc) reader.skipChecksums(count)
    else throw new NotReadError('an unknown part of packed streams')
  }
}

function foldersOf(reader: Reader): Folder[] {
  reader.expect(ID.folder)
  const count = reader.count(MAX_FOLDERS)
  if (reader.byte() !== 0) throw new NotReadError('folders elsewhere')
  const folders = Array.from({ length: count }, () => folderOf(reader))
  reader.expect(ID.unpackSize)
  for (const folder of folders)
    for (let output = 0; output < folder.outputs; output++) folder.unpackedBytes = reader.number()
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id !== ID.crc) throw new NotReadError('an unknown part of folders')
    const isAll = reader.byte() !== 0
    const defined = isAll ? folders.map(() => true) : reader.bits(count)
    for (const [index, folder] of folders.entries()) folder.hasChecksum = defined[index] === true
    reader.take(4 * defined.filter(Boolean).length)
  }
  return folders
}

function folderOf(reader: Reader): Folder {
  let [inputs, outputs] = [0, 0]
  const coders = Array.from({ length: reader.count(MAX_CODERS) }, () => {
    const flags = reader.byte()
    const id = reader.take(flags & 0x0f).toString('hex')
    const isComplex = (flags & 0x10) !== 0
    inputs += isComplex ? reader.count() : 1
    outputs += isComplex ? reader.count() : 1
    const properties = (flags & 0x20) === 0 ? Buffer.alloc(0) : reader.take(reader.number())
    return { id, properties }
  })
  const bound = Math.max(0, outputs - 1)
  for (let index = 0; index < 2 * bound; index++) reader.number()
  const streams = inputs - bound
  if (streams > 1) for (let stream = 0; stream < streams; stream++) reader.number()
  return { coders, outputs, unpackedBytes: 0, hasChecksum: false }
}

function skipSubStreams(reader: Reader, folders: readonly Folder[]): void {
  let counts = folders.map(() => 1)
  let id = reader.byte()
  if (id === ID.unpackStreams) {
    counts = folders.map(() => reader.count())
    id = reader.byte()
  }
  if (id === ID.size) {
    // The last of a folder is what is left of it.
    for (const count of counts) for (let stream = 1; stream < count; stream++) reader.number()
    id = reader.byte()
  }
  for (; id !== ID.end; id = reader.byte()) {
    if (id !== ID.crc) throw new NotReadError('an unknown part of streams in folders')
    // A folder of one stream has had its checksum already.
    const unknown = counts.map((count, at) => (count === 1 && folders[at]?.hasChecksum === true ? 0 : count))
    reader.skipChecksums(unknown.reduce((sum, count) => sum + count, 0))
  }
}

async function unpacked(packed: Buffer, { folders }: Streams, budget: { unpackedBytes: number }): Promise<Buffer> {
  const [folder, ...others] = folders
  const [coder, ...further] = folder?.coders ?? []
  if (!folder || !coder || others.length > 0 || further.length > 0) throw new NotReadError('packed in several ways')
  const bytes = folder.unpackedBytes
  if (bytes > Math.min(MAX_HEADER_BYTES, budget.unpackedBytes / LZMA_COST))
    throw new NotReadError('a header beyond the limits')
  budget.unpackedBytes -= LZMA_COST * bytes
  if (coder.id === CODERS.copy) return packed.subarray(0, bytes)
  if (coder.id === CODERS.lzma) return whole(unpackLzma(packed, coder.properties, bytes))
  if (coder.id === CODERS.lzma2) return (await whole(unpackLzma2(packed, bytes))).output
  throw new NotReadError('packed in another way')
}

/** Others have their turn after each piece. */
async function whole<Result>(unpacking: Unpacking<Result>): Promise<Result> {
  for (;;) {
    const step = unpacking.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}

function filesOf(reader: Reader, maxNames: number): { names: string[]; isWhole: boolean; isEncrypted: boolean } {
  let isEncrypted = false
  let id = reader.byte()
  if (id === ID.archiveProperties) {
    while (reader.byte() !== ID.end) reader.take(reader.number())
    id = reader.byte()
  }
  for (; id === ID.additionalStreams || id === ID.mainStreams; id = reader.byte())
    isEncrypted = streamsOf(reader).isEncrypted || isEncrypted
  // An archive of nothing.
  if (id === ID.end) return { names: [], isWhole: true, isEncrypted }
  if (id !== ID.files) throw new NotReadError('no list of files')
  const count = reader.number()
  let names: Buffer | undefined
  let isEmpty: boolean[] = []
  let isFile: boolean[] = []
  for (id = reader.byte(); id !== ID.end; id = reader.byte()) {
    const data = new Reader(reader.take(reader.number()), 0)
    if (id === ID.emptyStream) isEmpty = data.bits(count)
    else if (id === ID.emptyFile) isFile = data.bits(isEmpty.filter(Boolean).length)
    else if (id === ID.names) {
      if (data.byte() !== 0) throw new NotReadError('names elsewhere')
      names = data.rest()
    }
  }
  return { ...namesOf(names ?? Buffer.alloc(0), { count, isEmpty, isFile }, maxNames), isEncrypted }
}

/** UTF-16, each with a NUL behind it. What has neither content nor the mark of a file is a folder. */
function namesOf(
  names: Buffer,
  { count, isEmpty, isFile }: { count: number; isEmpty: readonly boolean[]; isFile: readonly boolean[] },
  maxNames: number,
): { names: string[]; isWhole: boolean } {
  const found: string[] = []
  let empty = 0
  let [index, from] = [0, 0]
  for (let at = 0; at + 1 < names.length && index < count; at += 2) {
    if (names.readUInt16LE(at) !== 0) continue
    const isFolder = isEmpty[index] === true && isFile[empty++] !== true
    if (!isFolder) {
      if (found.length === maxNames) return { names: found, isWhole: false }
      found.push(names.toString('utf16le', Math.max(from, at - 2 * MAX_NAME_CHARS), at))
    }
    from = at + 2
    index++
  }
  return { names: found, isWhole: index === count }
}
