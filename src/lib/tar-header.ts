/** Fields of a tar header (POSIX.1-2017, pax, "ustar Interchange Format"). */

export const TAR_BLOCK_BYTES = 512

/** True if a block is a header: its checksum field has the sum of the block with that field read as spaces. */
export function hasChecksum(block: Buffer): boolean {
  return block.length >= TAR_BLOCK_BYTES && numberAt(block, 148, 8) === checksumOf(block)
}

/** With the checksum field read as spaces. */
export function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (let i = 0; i < TAR_BLOCK_BYTES; i++) if (i < 148 || i >= 156) sum += block[i] ?? 0
  return sum
}

/** Octal digits, or base 256 with the first bit set (GNU). Undefined when it is neither, or no possible file size. */
export function numberAt(block: Buffer, start: number, length: number): number | undefined {
  if (((block[start] ?? 0) & 0x80) !== 0) {
    const value = Number(BigInt(`0x${block.toString('hex', start + 1, start + length)}`))
    return Number.isSafeInteger(value) ? value : undefined
  }
  const digits = /^ *([0-7]*)[ \0]*$/.exec(block.toString('latin1', start, start + length))?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits || '0', 8)
}

/** Up to the first NUL. */
export function textAt(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end)
}
