/** Reads small files of a ZIP that is whole in memory (APPNOTE §4.3), each and all within limits. */
import { inflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  /** Undefined when it is encrypted, broken, too large, or packed in another way. */
  read(): Buffer | undefined
}

const MAX_ENTRIES = 2000
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50

/** @param budget bytes that all reads may unpack together; reduced by each */
export function zipEntries(file: Buffer, budget: { bytes: number }): ZipEntry[] {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + 22 > file.length) return []
  const entries: ZipEntry[] = []
  for (let at = file.readUInt32LE(end + 16); entries.length < MAX_ENTRIES && at + 46 <= file.length;) {
    if (file.readUInt32LE(at) !== CENTRAL) break
    const [flags, method] = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10)]
    const [packed, unpacked] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)]
    const [name, extra, comment] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30), file.readUInt16LE(at + 32)]
    const local = file.readUInt32LE(at + 42)
    entries.push({
      name: file.toString('utf8', at + 46, at + 46 + Math.min(name, 255)),
      read: () => ((flags & 1) === 1 ? undefined : unpackedAt(file, { local, method, packed, unpacked }, budget)),
    })
    at += 46 + name + extra + comment
  }
  return entries
}

interface Place {
  local: number
  method: number
  packed: number
  unpacked: number
}

function unpackedAt(
  file: Buffer,
  { local, method, packed, unpacked }: Place,
  budget: { bytes: number },
): Buffer | undefined {
  if (local + 30 > file.length || file.readUInt32LE(local) !== LOCAL || unpacked > budget.bytes) return undefined
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  const content = file.subarray(start, start + packed)
  if (method === 0) return content
  if (method !== 8) return undefined
  // The declared size is a claim: output over the budget ends the work.
  const room = Math.max(1, Math.min(unpacked, budget.bytes))
  try {
    const whole = inflateRawSync(content, { maxOutputLength: room })
    budget.bytes -= whole.length
    return whole
  } catch {
    budget.bytes -= room
    return undefined
  }
}
