/** Octets to and from PostgreSQL. Parameters are binary; results come as text, which the library reads right. */

const BYTEA = 17
const HEADER_BYTES = 20

/** The binary form of a `bytea[]`: dimensions, no nulls, type of the elements, their count, lower bound 1; then each with its length. */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + 4 + length, HEADER_BYTES)
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(0, 4)
  bytes.writeInt32BE(BYTEA, 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const value of values) {
    at = bytes.writeInt32BE(value.length, at)
    bytes.set(value, at)
    at += value.length
  }
  return bytes
}

/** @param text `\x` and hexadecimal digits */
export function octets(text: string | null | undefined): Buffer {
  if (text === null || text === undefined || !text.startsWith('\\x'))
    throw new Error('bytea_output of the PostgreSQL server must be hex')
  return Buffer.from(text.slice(2), 'hex')
}
