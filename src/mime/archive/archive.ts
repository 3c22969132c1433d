/**
 * Inspects an archive while its bytes are read: encryption and file names. ZIP by its central directory (APPNOTE §4.3.12) and 7z by its header, both at
 * the end; tar by its headers, also within gzip (RFC 1952) and xz, which are decompressed up to a limit and not stored; RAR and cabinets by their
 * headers. Other kinds are only recognized as archives that cannot be read.
 */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { hasChecksum, TAR_BLOCK_BYTES } from '../../lib/tar-header.js'
import { CABINET, cabinetContents } from './cabinet.js'
import { LZMA_COST } from './lzma.js'
import { rarReader, type RarReader } from './rar.js'
import { SEVEN_ZIP, sevenZipContents } from './seven-zip.js'
import { tarReader, type TarReader } from './tar.js'
import { unpackedXz, XZ } from './xz.js'
import type { ArchiveContents } from '../types.js'

/** Limits for all archives of one message together. */
export interface ArchiveBudget {
  names: number
  unpackedBytes: number
}

/** End of a ZIP or 7z that is kept: enough for a directory of some thousand files. And the beginning of a cabinet. */
const TAIL_BYTES = 128 * 1024
const MAX_NAMES = 500
const MAX_NAME_BYTES = 255
/** Max packed bytes of one gzip or xz file; the rest is not read. */
const MAX_PACKED_BYTES = 4 * 1024 * 1024
const PACKED_SLICE_BYTES = 16 * 1024
const MAX_XZ_UNPACKED_BYTES = 2 * 1024 * 1024
const UNPACKED_CHUNK_BYTES = 256 * 1024

export const archiveBudget = (): ArchiveBudget => ({ names: 4 * MAX_NAMES, unpackedBytes: 32 * 1024 * 1024 })

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

const ZIP = bytes('PK\x03\x04')
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const RAR4 = bytes('Rar!\x1a\x07\x00')
const RAR5 = bytes('Rar!\x1a\x07\x01\x00')
const GZIP = bytes('\x1f\x8b\x08')
/** Signatures of kinds that are not read, and where they are: bzip2, Zstandard, lzip, ACE, LHA. */
const CLOSED: readonly [number, Buffer][] = [
  [0, bytes('BZh')],
  [0, bytes('\x28\xb5\x2f\xfd')],
  [0, bytes('LZIP')],
  [7, bytes('**ACE**')],
  [2, bytes('-lh')],
]

type Kind = 'zip' | '7z' | 'rar4' | 'rar5' | 'cabinet' | 'gzip' | 'xz' | 'tar' | 'closed'

const KEPT_BYTES: Partial<Record<Kind, number>> = {
  zip: TAIL_BYTES,
  '7z': TAIL_BYTES,
  cabinet: TAIL_BYTES,
  gzip: MAX_PACKED_BYTES,
  xz: MAX_PACKED_BYTES,
}
const KEPT_AT_END: ReadonlySet<Kind | 'none'> = new Set(['zip', '7z'])

export function watchArchive(budget: ArchiveBudget = archiveBudget()) {
  let head = Buffer.alloc(0)
  let kind: Kind | 'none' | undefined
  /** The end of a ZIP or 7z, the start of others. */
  const kept: Buffer[] = []
  let keptBytes = 0
  let fileBytes = 0
  let isCut = false
  let tar: TarReader | undefined
  let rar: RarReader | undefined

  function keep(piece: Buffer, most: number, isEnd: boolean): void {
    fileBytes += piece.length
    if (!isEnd && keptBytes >= most) return void (isCut = true)
    kept.push(piece)
    keptBytes += piece.length
    if (!isEnd) return
    for (let first = kept[0]; first && keptBytes - first.length >= most; first = kept[0]) {
      keptBytes -= first.length
      kept.shift()
    }
  }

  function decide(): void {
    kind = kindOf(head)
    const maxNames = Math.max(0, Math.min(MAX_NAMES, budget.names))
    if (kind === 'tar') tar = tarReader(maxNames)
    if (kind === 'rar4' || kind === 'rar5') rar = rarReader(kind === 'rar4' ? 4 : 5, maxNames)
  }

  function take(piece: Buffer): void {
    if (tar) tar.push(piece)
    else if (rar) rar.push(piece)
    else if (kind !== undefined && kind !== 'none') {
      const most = KEPT_BYTES[kind]
      if (most !== undefined) keep(piece, most, KEPT_AT_END.has(kind))
    }
  }

  return {
    push(piece: Buffer): void {
      if (kind !== undefined) return take(piece)
      const missing = TAR_BLOCK_BYTES - head.length
      head = Buffer.concat([head, piece.subarray(0, missing)])
      if (head.length < TAR_BLOCK_BYTES) return
      decide()
      take(head)
      if (piece.length > missing) take(piece.subarray(missing))
    },
    /** Undefined when it is no known kind of archive. */
    async end(): Promise<ArchiveContents | undefined> {
      if (kind === undefined) {
        decide()
        take(head)
      }
      const contents = await contentsOf()
      if (contents) budget.names -= contents.names.length
      return contents
    },
  }

  async function contentsOf(): Promise<ArchiveContents | undefined> {
    const maxNames = Math.max(0, Math.min(MAX_NAMES, budget.names))
    switch (kind) {
      case 'zip':
        return zipContents(Buffer.concat(kept).subarray(-TAIL_BYTES), head, maxNames)
      case '7z':
        return sevenZipContents(head, { tail: Buffer.concat(kept), fileBytes }, budget, maxNames)
      case 'cabinet':
        return cabinetContents(Buffer.concat(kept), maxNames)
      case 'rar4':
      case 'rar5':
        return rar?.end()
      case 'closed':
        return { encrypted: false, names: [], partial: true }
      case 'gzip':
        return packedContents(
          gunzipped(kept),
          { ownName: gzipName(head), cost: 1, isWhole: () => !isCut },
          budget,
          maxNames,
        )
      case 'xz': {
        const read = { isWhole: false }
        const most = Math.max(0, Math.min(MAX_XZ_UNPACKED_BYTES, budget.unpackedBytes / LZMA_COST))
        return packedContents(
          unpackedXz(Buffer.concat(kept), Math.floor(most), read),
          { ownName: '', cost: LZMA_COST, isWhole: () => read.isWhole && !isCut },
          budget,
          maxNames,
        )
      }
      case 'tar': {
        const found = tar?.end()
        return found && told(found.names, found.partial)
      }
      default:
        return undefined
    }
  }
}

function kindOf(head: Buffer): Kind | 'none' {
  if (startsWith(head, ZIP)) return 'zip'
  if (startsWith(head, RAR4)) return 'rar4'
  if (startsWith(head, RAR5)) return 'rar5'
  if (startsWith(head, GZIP)) return 'gzip'
  if (startsWith(head, SEVEN_ZIP)) return '7z'
  if (startsWith(head, XZ)) return 'xz'
  if (startsWith(head, CABINET)) return 'cabinet'
  if (CLOSED.some(([at, mark]) => startsWith(head.subarray(at), mark))) return 'closed'
  return hasChecksum(head) ? 'tar' : 'none'
}

function startsWith(all: Buffer, start: Buffer): boolean {
  return all.subarray(0, start.length).equals(start)
}

function told(names: string[], partial: boolean): ArchiveContents {
  return { encrypted: false, names, ...(partial ? { partial } : {}) }
}

function zipContents(tail: Buffer, head: Buffer, maxNames: number): ArchiveContents {
  const names: string[] = []
  // Bit 0 of the general purpose flags: of the first file, in case the directory can't be read.
  let encrypted = head.length >= 8 && (head.readUInt16LE(6) & 1) === 1
  let entries = 0
  const { start, count } = directory(tail)
  for (let at = start; at !== -1 && at + ENTRY_BYTES <= tail.length && tail.readUInt32LE(at) === ENTRY;) {
    entries++
    encrypted ||= (tail.readUInt16LE(at + 8) & 1) === 1
    const [name, extra, comment] = [tail.readUInt16LE(at + 28), tail.readUInt16LE(at + 30), tail.readUInt16LE(at + 32)]
    const from = at + ENTRY_BYTES
    if (names.length < maxNames) names.push(tail.toString('utf8', from, from + Math.min(name, MAX_NAME_BYTES)))
    at = from + name + extra + comment
  }
  const partial = entries === 0 || entries < count || names.length < entries
  return { encrypted, names, ...(partial ? { partial } : {}) }
}

/** The directory's start by the record at the very end; when the directory is longer than the kept end, the first entry within it. */
function directory(tail: Buffer): { start: number; count: number } {
  const end = tail.lastIndexOf(bytes('PK\x05\x06'))
  if (end === -1 || end + 22 > tail.length) return { start: -1, count: 0 }
  const start = end - tail.readUInt32LE(end + 12)
  return { start: start >= 0 ? start : tail.indexOf(bytes('PK\x01\x02')), count: tail.readUInt16LE(end + 10) }
}

const gunzipped = (pieces: Buffer[]): AsyncIterable<unknown> =>
  Readable.from(slices(pieces)).pipe(createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES }))

/** The names in a compressed tar; for another file its own name, if the compressed file has it. */
async function packedContents(
  unpacked: AsyncIterable<unknown>,
  { ownName, cost, isWhole }: { ownName: string; cost: number; isWhole: () => boolean },
  budget: ArchiveBudget,
  maxNames: number,
): Promise<ArchiveContents> {
  const tar = tarReader(maxNames)
  let first = Buffer.alloc(0)
  let isTar = false
  let failed = false
  try {
    for await (const chunk of unpacked) {
      if (!Buffer.isBuffer(chunk)) continue
      budget.unpackedBytes -= cost * chunk.length
      if (isTar) {
        if (!tar.push(chunk) || budget.unpackedBytes <= 0) break
        continue
      }
      first = Buffer.concat([first, chunk])
      if (first.length < TAR_BLOCK_BYTES) continue
      isTar = hasChecksum(first)
      if (!isTar || !tar.push(first) || budget.unpackedBytes <= 0) break
    }
  } catch {
    // Broken, or not gzip: everything read before the fault counts.
    failed = true
  }
  const found = isTar ? tar.end() : undefined
  if (found) return told(found.names, found.partial || !isWhole() || failed || budget.unpackedBytes <= 0)
  // Of a single file the beginning is enough.
  const isUnread = first.length < TAR_BLOCK_BYTES && !isWhole()
  return told(ownName === '' || maxNames === 0 ? [] : [ownName], failed || isUnread || budget.unpackedBytes <= 0)
}

/** Small slices: the slice with a fault yields no output at all. */
function* slices(pieces: Buffer[]): Generator<Buffer> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PACKED_SLICE_BYTES) yield piece.subarray(at, at + PACKED_SLICE_BYTES)
}

/** RFC 1952 §2.3: after ten octets, and extra fields if bit 2 of the flags is set; present if bit 3 is; '' for none. */
function gzipName(head: Buffer): string {
  const flags = head[3] ?? 0
  if ((flags & 8) === 0) return ''
  const start = 10 + ((flags & 4) === 0 ? 0 : 2 + (head.length >= 12 ? head.readUInt16LE(10) : 0))
  const end = head.indexOf(0, start)
  return end === -1 ? '' : head.toString('latin1', start, Math.min(end, start + MAX_NAME_BYTES))
}
