/** What a file is by its first bytes, whatever its name and declared type say. */

import { pictureFormat } from './picture-size.js'
import type { FileKind } from '../types.js'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** [MS-SHLLINK] §2.1: the header's size and class. */
const SHORTCUT = bytes('4c000000 01140200 0000 0000 c000 000000000046')
/** [MS-ONESTORE] §2.3.1: `guidFileType` of a section. */
const ONENOTE = bytes('e4525c7b 8cd8 a74d ae b1 5378d02996d3')
/** [MS-CFB] §2.2. */
const OLE = bytes('d0cf11e0a1b11ae1')

const MARKS: readonly [FileKind, Buffer][] = [
  ['shortcut', SHORTCUT],
  ['onenote', ONENOTE],
  ['ole', OLE],
  ['zip', bytes('504b0304')],
  ['pdf', Buffer.from('%PDF-')],
  // ELF, Mach-O in both orders of bytes, and its universal form.
  ['program', bytes('7f454c46')],
  ['program', bytes('feedface')],
  ['program', bytes('feedfacf')],
  ['program', bytes('cefaedfe')],
  ['program', bytes('cffaedfe')],
  ['image', Buffer.from('vhdxfile')],
  ['image', Buffer.from('conectix')],
  ['picture', bytes('89504e470d0a1a0a')],
  ['picture', bytes('ffd8ff')],
  ['picture', Buffer.from('GIF8')],
]

/** Place of the first volume descriptor (ECMA-119 §7.2, §8.1: sector 16, after its type). */
const VOLUME_AT = 16 * 2048 + 1

/** @param head the first bytes of the file, 33 KiB for disk images */
export function kindOf(head: Buffer): FileKind | undefined {
  for (const [kind, mark] of MARKS) if (head.subarray(0, mark.length).equals(mark)) return kind
  if (pictureFormat(head) !== undefined) return 'picture'
  if (isWindowsProgram(head)) return 'program'
  if (/^#! ?\/(?:usr\/)?(?:local\/)?bin\//.test(head.toString('latin1', 0, 64))) return 'script'
  if (['CD001', 'BEA01'].includes(head.toString('latin1', VOLUME_AT, VOLUME_AT + 5))) return 'image'
  return undefined
}

/** `MZ`, and the header of a portable executable where the field at 0x3c says; words may start with MZ too. */
export function isWindowsProgram(head: Buffer): boolean {
  if (head.length < 0x40 || head.toString('latin1', 0, 2) !== 'MZ') return false
  const at = head.readUInt32LE(0x3c)
  return at + 2 <= head.length && /^[PNL]E$/.test(head.toString('latin1', at, at + 2))
}
