/**
 * Keys as tuples whose byte order is the order of their parts, values as JSON, and the limits common to all engines.
 * The encoding is that of FoundationDB's tuple layer, reduced to three types: a string is 0x02, its UTF-8 with NUL written as 0x00 0xFF, then 0x00; a
 * number is 0x15 and eight bytes, big-endian; 16 bytes, such as those of an id, are 0x30 and these. Each part marks its end, so no tuple's bytes are
 * the start of another part's bytes, and `('a', 'b')` never collides with `('ab')`.
 */
import { hash } from 'node:crypto'

const STRING = 0x02
const NUMBER = 0x15
const BYTES = 0x30
const BYTES_LENGTH = 16
const NUMBER_LENGTH = 9
const MAX_NUMBER = 0xffff_ffff_ffff_ffffn

/** Key and partition together stay below LMDB's limit of 1,978 bytes with 4 KiB pages. */
export const MAX_KEY_BYTES = 1_500
export const MAX_PARTITION_BYTES = 400

/** A part of a key: text, an unsigned number, or 16 bytes. */
export type KeyPart = string | number | bigint | Uint8Array

/**
 * A key that sorts by its parts, from left to right: strings by code point, numbers by size, bytes by their order; strings before numbers, and these
 * before bytes. A lone surrogate in a string is written as U+FFFD, as everywhere in UTF-8.
 *
 * @param parts numbers are integers from 0 to 2^53-1, or bigints from 0 to 2^64-1; bytes are 16
 * @throws RangeError for any other number, and for another number of bytes
 */
export function key(...parts: KeyPart[]): Uint8Array {
  return pack(parts)
}

/** All keys that start with these parts, including the key of exactly these parts. */
export function prefixRange(...parts: KeyPart[]): { gte: Uint8Array; lt: Uint8Array } {
  const gte = pack(parts)
  // No part starts with 0xFF, so this is past every key with the prefix.
  return { gte, lt: Buffer.concat([gte, Buffer.of(0xff)]) }
}

/** The next possible key; where a range read in pages continues. */
export function keyAfter(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.of(0)])
}

/** A 16-byte look-up key for a text of any length: the first half of its SHA-256. */
export function hashPart(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, BYTES_LENGTH)
}

/** The parts of a key made by `key`; numbers come back as bigints. */
export function keyParts(bytes: Uint8Array): (string | bigint | Buffer)[] {
  const buffer = asBuffer(bytes)
  const parts: (string | bigint | Buffer)[] = []
  let at = 0
  while (at < buffer.length) {
    const type = buffer[at]
    if (type === NUMBER && at + 9 <= buffer.length) {
      parts.push(buffer.readBigUInt64BE(at + 1))
      at += 9
    } else if (type === BYTES && at + BYTES_LENGTH < buffer.length) {
      parts.push(buffer.subarray(at + 1, at + 1 + BYTES_LENGTH))
      at += 1 + BYTES_LENGTH
    } else if (type === STRING) {
      const end = stringEnd(buffer, at + 1)
      parts.push(unpackString(buffer.subarray(at + 1, end)))
      at = end + 1
    } else {
      throw new RangeError(`Not a key made of parts: ${buffer.toString('hex')}`)
    }
  }
  return parts
}

/** @throws TypeError for values that JSON can't represent */
export function encode(value: unknown): Uint8Array {
  const json: string | undefined = JSON.stringify(value)
  if (json === undefined) throw new TypeError('Only values that JSON can represent are stored')
  return Buffer.from(json)
}

/** Trusts that the value was written as a `T`: only the service writes to the store. */
export function decode<T>(bytes: Uint8Array): T {
  return JSON.parse(asBuffer(bytes).toString('utf8'))
}

/** The same bytes with Buffer's methods, not copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** @throws RangeError when the name is invalid for a partition */
export function checkPartition(partition: string): void {
  const bytes = Buffer.byteLength(partition)
  if (bytes === 0 || bytes > MAX_PARTITION_BYTES || partition.includes('\0')) {
    throw new RangeError(`A partition's name has 1 to ${MAX_PARTITION_BYTES} bytes and no NUL; this one has ${bytes}`)
  }
}

/** @throws RangeError when the key is too long */
export function checkKey(bytes: Uint8Array): void {
  if (bytes.length > MAX_KEY_BYTES) {
    throw new RangeError(`A key has at most ${MAX_KEY_BYTES} bytes; this one has ${bytes.length}`)
  }
}

function pack(parts: readonly KeyPart[]): Buffer {
  let length = 0
  for (const part of parts) {
    if (typeof part === 'string') length += (isSimple(part) ? part : escaped(part)).length + 2
    else length += typeof part === 'object' ? 1 + BYTES_LENGTH : NUMBER_LENGTH
  }
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') at = writeString(bytes, at, part)
    else at = typeof part === 'object' ? writeBytes(bytes, at, part) : writeNumber(bytes, at, part)
  }
  return bytes
}

/** Up to this length a loop takes less time than a call of the runtime. */
const SHORT_CHARS = 24
const NOT_SIMPLE = /[^\x01-\x7f]/

/** True for text that is written as it is: ASCII without NUL. */
function isSimple(text: string): boolean {
  if (text.length > SHORT_CHARS) return !NOT_SIMPLE.test(text)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0 || unit > 0x7f) return false
  }
  return true
}

/** The bytes of a text with each NUL escaped, one character for each. */
function escaped(text: string): string {
  return Buffer.from(text).toString('latin1').replaceAll('\0', '\0\xff')
}

function writeString(into: Buffer, start: number, text: string): number {
  into[start] = STRING
  const plain = isSimple(text) ? text : escaped(text)
  const end = start + 1 + plain.length
  if (plain.length > SHORT_CHARS) into.write(plain, start + 1, 'latin1')
  else for (let i = 0; i < plain.length; i++) into[start + 1 + i] = plain.charCodeAt(i)
  into[end] = 0
  return end + 1
}

function writeBytes(into: Buffer, start: number, part: Uint8Array): number {
  if (part.length !== BYTES_LENGTH) throw new RangeError(`A part of a key has ${BYTES_LENGTH} bytes: ${part.length}`)
  into[start] = BYTES
  into.set(part, start + 1)
  return start + 1 + BYTES_LENGTH
}

function unpackString(bytes: Buffer): string {
  if (!bytes.includes(0)) return bytes.toString('utf8')
  return Buffer.from(bytes.toString('latin1').replaceAll('\0\xff', '\0'), 'latin1').toString('utf8')
}

function writeNumber(into: Buffer, start: number, value: number | bigint): number {
  into[start] = NUMBER
  if (typeof value === 'bigint') {
    if (value < 0n || value > MAX_NUMBER) throw new RangeError(`Not an unsigned 64 bit number: ${value}`)
    return into.writeBigUInt64BE(value, start + 1)
  }
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a whole number: ${value}`)
  if (value < 0) throw new RangeError(`Not an unsigned 64 bit number: ${value}`)
  into.writeUInt32BE(Math.floor(value / 2 ** 32), start + 1)
  return into.writeUInt32BE(value % 2 ** 32, start + 5)
}

/** Position of the string's closing 0x00: the first one not followed by 0xFF. */
function stringEnd(buffer: Buffer, start: number): number {
  let end = buffer.indexOf(0, start)
  while (end !== -1 && buffer[end + 1] === 0xff) end = buffer.indexOf(0, end + 2)
  if (end === -1) throw new RangeError(`Not a key made of parts: ${buffer.toString('hex')}`)
  return end
}
