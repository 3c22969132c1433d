/**
 * Values of rows that many messages read and few change, decoded once for the same bytes. It depends on nothing but the bytes of a row, so it needs
 * no word of a commit and can't be stale. The values are shared, and frozen with all they contain.
 */
import { asBuffer } from './keys.js'

const MAX_ROWS = 4096
/** Larger rows are decoded each time. */
const MAX_ROW_BYTES = 2048

/** @returns `decode` with a memory of its own, of at most 8 MB of rows */
export function decodedOnce<T extends object>(decode: (row: Uint8Array) => T): (row: Uint8Array) => T {
  const known = new Map<string, T>()
  return (row) => {
    if (row.length > MAX_ROW_BYTES) return decode(row)
    const bytes = asBuffer(row).toString('latin1')
    const before = known.get(bytes)
    if (before) return before
    const value = freeze(decode(row))
    if (known.size >= MAX_ROWS) known.clear()
    known.set(bytes, value)
    return value
  }
}

function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part)
  return Object.freeze(value)
}
