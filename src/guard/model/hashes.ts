/** Hashes of features, and sets of their places as bits. Without branches: they would be unpredictable, which costs more than all else here. */

const FNV_PRIME = 0x01000193

/** One more character of a hash (FNV-1a, of UTF-16 code units). */
export function grown(hash: number, code: number): number {
  return Math.imul(hash ^ code, FNV_PRIME)
}

/** The finish of MurmurHash3: scatters similar hashes. */
export function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Marks a place if `counts` is 1. @returns 1 when it is new, otherwise 0 */
export function noted(seen: Uint32Array, place: number, counts: number): number {
  const bits = seen[place >>> 5] ?? 0
  const isNew = ~(bits >>> (place & 31)) & counts
  seen[place >>> 5] = bits | (isNew << (place & 31))
  return isNew
}

/** 1 or 0, for unsigned integers. */
export function isLess(a: number, b: number): number {
  return (a - b) >>> 31
}
