/** The names in a cabinet ([MS-CAB] §2.3, §2.4): in plain text, in front of what is packed. */
import type { ArchiveContents } from '../types.js'

export const CABINET = Buffer.from('MSCF\0\0\0\0', 'latin1')
const HEADER_BYTES = 36
const ENTRY_BYTES = 16
const MAX_NAME_BYTES = 255
const IS_UTF8 = 0x80

/** @param start the cabinet's first octets */
export function cabinetContents(start: Buffer, maxNames: number): ArchiveContents {
  const names: string[] = []
  if (start.length < HEADER_BYTES) return { encrypted: false, names, partial: true }
  const count = start.readUInt16LE(28)
  let at = start.readUInt32LE(16)
  while (names.length < Math.min(count, maxNames) && at + ENTRY_BYTES <= start.length) {
    const from = at + ENTRY_BYTES
    const end = start.indexOf(0, from)
    if (end === -1) break
    const charset = (start.readUInt16LE(at + 14) & IS_UTF8) === 0 ? 'latin1' : 'utf8'
    names.push(start.toString(charset, Math.max(from, end - MAX_NAME_BYTES), end).replaceAll('\\', '/'))
    at = end + 1
  }
  return { encrypted: false, names, ...(names.length < count ? { partial: true } : {}) }
}
