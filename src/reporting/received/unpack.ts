/** Unpacks a report within limits: gzip (RFC 1952), or the first file of a ZIP archive (APPNOTE §4.3), by first bytes, since names and types are often wrong. */
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { hasCode } from '../../lib/thrown.js'
import { Refused } from './types.js'

const MAX_PACKED_BYTES = 10 * 1024 * 1024
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024

const END = Buffer.from('PK\x05\x06', 'latin1')
const END_BYTES = 22
/** APPNOTE §4.3.16: a comment of 64 KiB may follow the record. */
const TAIL_BYTES = END_BYTES + 0xffff
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const MAX_ENTRIES = 20

/** @throws Refused */
export function unpack(packed: Buffer): Buffer {
  if (packed.length > MAX_PACKED_BYTES) throw new Refused('too_large')
  if (packed[0] === 0x1f && packed[1] === 0x8b) return inflated(() => gunzipSync(withoutLineEnds(packed), LIMIT))
  if (packed.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return unzipped(packed)
  return packed
}

const LIMIT = { maxOutputLength: MAX_UNPACKED_BYTES }

/** Some reporters append one. Gzip ends with the length of its content, whose highest byte is no line end below 160 MiB. */
function withoutLineEnds(packed: Buffer): Buffer {
  let end = packed.length
  while (end > 0 && (packed[end - 1] === 0x0a || packed[end - 1] === 0x0d)) end--
  return packed.subarray(0, end)
}

function inflated(inflate: () => Buffer): Buffer {
  try {
    return inflate()
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) throw new Refused('too_large')
    throw new Refused('broken')
  }
}

/** By the directory at the end, since lengths in file headers may be missing. */
function unzipped(zip: Buffer): Buffer {
  const tail = Math.max(0, zip.length - TAIL_BYTES)
  const end = zip.subarray(tail).lastIndexOf(END)
  if (end === -1 || tail + end + END_BYTES > zip.length) throw new Refused('broken')
  let at = zip.readUInt32LE(tail + end + 16)
  for (let entries = 0; entries < MAX_ENTRIES; entries++) {
    if (at + ENTRY_BYTES > zip.length || zip.readUInt32LE(at) !== ENTRY) break
    const [nameBytes, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    const name = zip.toString('latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    // Skips folders and system files.
    if (!name.endsWith('/') && !name.startsWith('__MACOSX/')) return fileAt(zip, at)
    at += ENTRY_BYTES + nameBytes + extra + comment
  }
  throw new Refused('broken')
}

function fileAt(zip: Buffer, at: number): Buffer {
  const isEncrypted = (zip.readUInt16LE(at + 8) & 1) === 1
  const method = zip.readUInt16LE(at + 10)
  const bytes = zip.readUInt32LE(at + 20)
  const local = zip.readUInt32LE(at + 42)
  if (isEncrypted || local + LOCAL_BYTES > zip.length || zip.readUInt32LE(local) !== LOCAL) throw new Refused('broken')
  const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const content = zip.subarray(start, start + bytes)
  if (method === 0) return content
  if (method === 8) return inflated(() => inflateRawSync(content, LIMIT))
  throw new Refused('broken')
}
