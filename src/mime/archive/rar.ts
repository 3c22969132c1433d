/**
 * The names in a RAR archive of version 4 or 5 (the technical notes of WinRAR: technote.txt, "RAR 5.0 archive format"), read as its bytes arrive. Contents
 * are skipped, headers are never packed. Encrypted headers end the list; encrypted files are told.
 */
import type { ArchiveContents } from '../types.js'

/** Longer headers hold what is not read here. */
const MAX_HEADER_BYTES = 64 * 1024
const MAX_HEADERS = 10_000
const MAX_NAME_BYTES = 255
const SIGNATURE_BYTES = { 4: 7, 5: 8 }

/** One header: its length, the data behind it, and what it says. */
interface Header {
  bytes: number
  data: number
  name?: string
  encrypted?: boolean
  isLast?: boolean
}

/** It does not end yet, is none, or says that all behind it is encrypted. */
type Unread = 'more' | 'broken' | 'encrypted'

export type RarReader = ReturnType<typeof rarReader>

export function rarReader(version: 4 | 5, maxNames: number) {
  const read = version === 4 ? headerOf4 : headerOf5
  /** Bytes before the next header. */
  let skip: number = SIGNATURE_BYTES[version]
  let kept = Buffer.alloc(0)
  let headers = 0
  const names: string[] = []
  let encrypted = false
  let isWhole = false
  let done = false

  /** Takes one header off what is kept. @returns false when more is needed, or nothing further is read */
  function take(): boolean {
    const header = read(kept)
    if (header === 'more') {
      done = kept.length >= MAX_HEADER_BYTES
      return false
    }
    if (typeof header === 'string' || ++headers > MAX_HEADERS) {
      encrypted ||= header === 'encrypted'
      done = true
      return false
    }
    encrypted ||= header.encrypted === true
    isWhole = header.isLast === true
    if (header.name !== undefined && names.length === maxNames) done = true
    else if (header.name !== undefined) names.push(header.name)
    done ||= isWhole
    skip = header.bytes + header.data
    return !done
  }

  return {
    push(piece: Buffer): void {
      let rest = piece
      while (!done && rest.length > 0) {
        if (skip > kept.length) {
          const passed = Math.min(skip - kept.length, rest.length)
          skip -= kept.length + passed
          kept = Buffer.alloc(0)
          rest = rest.subarray(passed)
          continue
        }
        kept = Buffer.concat([kept.subarray(skip), rest.subarray(0, MAX_HEADER_BYTES)])
        rest = rest.subarray(MAX_HEADER_BYTES)
        skip = 0
        while (take() && skip <= kept.length) {
          kept = kept.subarray(skip)
          skip = 0
        }
      }
    },
    end(): ArchiveContents {
      return { encrypted, names, ...(isWhole ? {} : { partial: true }) }
    },
  }
}

const MAIN4 = 0x73
const FILE4 = 0x74
const END4 = 0x7b

/** CRC (2), type (1), flags (2), length (2); the fields of a file, of which a password, a large size and a name in Unicode are flags. */
function headerOf4(at: Buffer): Header | Unread {
  if (at.length < 7) return 'more'
  const [type, flags, bytes] = [at[2], at.readUInt16LE(3), at.readUInt16LE(5)]
  if (type === MAIN4 && (flags & 0x80) !== 0) return 'encrypted'
  if (bytes < 7) return 'broken'
  if (at.length < bytes) return 'more'
  if (type === END4) return { bytes, data: 0, isLast: true }
  const hasData = (flags & 0x8000) !== 0 || type === FILE4
  if (hasData && bytes < 11) return 'broken'
  const low = hasData ? at.readUInt32LE(7) : 0
  if (type !== FILE4) return { bytes, data: low }
  if (bytes < 32) return 'broken'
  const isLarge = (flags & 0x100) !== 0
  const from = isLarge ? 40 : 32
  const high = isLarge && bytes >= 40 ? at.readUInt32LE(32) : 0
  const name = at.subarray(from, Math.min(bytes, from + at.readUInt16LE(26)))
  // Before NUL the name in one octet a letter, behind it what makes it Unicode.
  const plain = name.includes(0) ? name.subarray(0, name.indexOf(0)) : name
  const isFolder = (flags & 0xe0) === 0xe0
  return {
    bytes,
    data: low + high * 2 ** 32,
    ...(isFolder ? {} : { name: plain.toString('latin1', 0, MAX_NAME_BYTES).replaceAll('\\', '/') }),
    encrypted: (flags & 4) !== 0,
  }
}

const FILE5 = 2
const ENCRYPTION5 = 4
const END5 = 5

/** CRC (4), the length of the rest, type and flags, all but the first of variable length, as are the fields of a file. */
function headerOf5(at: Buffer): Header | Unread {
  const length = numberAt(at, 4)
  if (!length) return at.length > 14 ? 'broken' : 'more'
  const bytes = length.end + length.value
  if (numberAt(at, length.end)?.value === ENCRYPTION5) return 'encrypted'
  if (length.value < 2 || bytes > MAX_HEADER_BYTES) return 'broken'
  if (at.length < bytes) return 'more'
  const fields = numbersIn(at.subarray(0, bytes), length.end)
  const [type, flags] = [fields.next(), fields.next()]
  const extra = (flags & 1) === 0 ? 0 : fields.next()
  const data = (flags & 2) === 0 ? 0 : fields.next()
  if (type === END5) return { bytes, data: 0, isLast: true }
  if (type !== FILE5) return { bytes, data }
  const ofFile = fields.next()
  fields.next()
  fields.next()
  fields.skip((ofFile & 2) === 0 ? 0 : 4)
  fields.skip((ofFile & 4) === 0 ? 0 : 4)
  fields.next()
  fields.next()
  const name = fields.take(fields.next())
  const isFolder = (ofFile & 1) !== 0
  return {
    bytes,
    data,
    ...(isFolder ? {} : { name: name.toString('utf8', 0, MAX_NAME_BYTES) }),
    encrypted: isEncrypted(at.subarray(Math.max(0, bytes - extra), bytes)),
  }
}

/** Records of a length and a type each, of which the first is that of encryption. */
function isEncrypted(extra: Buffer): boolean {
  for (let at = 0; at < extra.length;) {
    const length = numberAt(extra, at)
    const type = length && numberAt(extra, length.end)
    if (!length || !type || length.value === 0) return false
    if (type.value === 1) return true
    at = length.end + length.value
  }
  return false
}

/** Seven bits an octet, the lowest first; the eighth says that more follow. Undefined where it does not end. */
function numberAt(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  let value = 0
  for (let index = 0; index < 10; index++) {
    const octet = bytes[at + index]
    if (octet === undefined) return undefined
    value += (octet & 0x7f) * 2 ** (7 * index)
    if ((octet & 0x80) === 0) return { value, end: at + index + 1 }
  }
  return undefined
}

/** Fields one after the other; 0 behind the end. */
function numbersIn(header: Buffer, start: number) {
  let at = start
  return {
    next(): number {
      const number = numberAt(header, at)
      at = number ? number.end : header.length
      return number?.value ?? 0
    },
    skip(bytes: number): void {
      at += bytes
    },
    take: (bytes: number): Buffer => header.subarray(at, at + bytes),
  }
}
