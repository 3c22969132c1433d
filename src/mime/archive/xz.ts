/** The beginning of what an xz file holds (its "File Format" 1.2.1), as far as LZMA2 is all that packs it. */
import { setImmediate } from 'node:timers/promises'
import { LzmaError, unpackLzma2 } from './lzma.js'

export const XZ = Buffer.from('\xfd7zXZ\x00', 'latin1')
const STREAM_HEADER_BYTES = 12
const LZMA2 = 0x21

const FOOTER_BYTES = 12
/** §2.1.1.2: octets of a check, by its number. */
const CHECK_BYTES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]

/**
 * @param start the file, or its first octets
 * @param told whether all of the file was read, set at the end: several blocks or streams one after the other are not
 * @returns the first block's contents piece by piece, which end where `start` or `maxBytes` do
 */
export async function* unpackedXz(
  start: Buffer,
  maxBytes: number,
  told: { isWhole: boolean },
): AsyncGenerator<Buffer, void> {
  told.isWhole = false
  try {
    const blockAt = STREAM_HEADER_BYTES + 4 * start.readUInt8(STREAM_HEADER_BYTES) + 4
    const flags = start.readUInt8(STREAM_HEADER_BYTES + 1)
    let filterAt = STREAM_HEADER_BYTES + 2
    // Two lengths may stand in front of the filters.
    for (const mask of [0x40, 0x80]) if ((flags & mask) !== 0) while ((start.readUInt8(filterAt++) & 0x80) !== 0);
    if ((flags & 3) !== 0 || start[filterAt] !== LZMA2) return
    let given = 0
    const unpacking = unpackLzma2(start.subarray(blockAt), maxBytes)
    for (let step = unpacking.next(); ; step = unpacking.next()) {
      if (step.done !== true) {
        yield step.value.subarray(given)
        given = step.value.length
        await setImmediate()
        continue
      }
      const { packedBytes } = step.value
      if (packedBytes !== undefined) told.isWhole = endsAfter(start, blockAt + packedBytes)
      return
    }
  } catch (error) {
    // It is cut, or damaged: what was read before counts.
    if (!(error instanceof LzmaError || error instanceof RangeError)) throw error
  }
}

/** True if the block's end is followed by the index and the footer, and nothing else. */
function endsAfter(file: Buffer, end: number): boolean {
  const check = CHECK_BYTES[file.readUInt8(STREAM_HEADER_BYTES - 5) & 0x0f] ?? 0
  const indexAt = 4 * Math.ceil(end / 4) + check
  const footerAt = file.length - FOOTER_BYTES
  const indexBytes = 4 * (file.readUInt32LE(footerAt + 4) + 1)
  return file[indexAt] === 0 && indexAt + indexBytes === footerAt && file.toString('latin1', file.length - 2) === 'YZ'
}
