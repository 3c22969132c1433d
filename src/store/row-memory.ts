/** Values made from rows, by the bytes of the row: the same bytes make the same value, so none is ever out of date. */
import { asBuffer } from './keys.js'

/** A row is kept as text; its value, what lists show of it and that as JSON take as much again a few times. */
const BYTES_A_BYTE = 8
const BYTES_BESIDE = 512

/**
 * Remembers what `make` returned for a row. The values are shared by all callers, who must not change them.
 *
 * @param maxBytes of rows and values together, estimated; what was not asked for is forgotten first
 */
export function createRowMemory<T extends object>(
  make: (row: Uint8Array) => T,
  maxBytes: number,
): (row: Uint8Array) => T {
  // Two generations: when the younger one is full, the older one goes.
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  let youngBytes = 0

  return (row) => {
    const name = asBuffer(row).toString('latin1')
    const known = young.get(name)
    if (known) return known
    const value = old.get(name) ?? make(row)
    youngBytes += BYTES_A_BYTE * row.length + BYTES_BESIDE
    if (youngBytes > maxBytes / 2) {
      old = young
      young = new Map()
      youngBytes = 0
    }
    young.set(name, value)
    return value
  }
}

/**
 * A record and all it contains, frozen: what is shared by all cannot be changed by one. For small records; freezing a large one takes as long as
 * decoding it.
 */
export function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}
