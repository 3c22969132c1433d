/** A posting list: the seqs of messages with a word, as distances in 7-bit groups, lowest first; the high bit marks continuation. */

/** Writes a non-negative number in 7-bit groups. @returns the next offset */
export function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let end = at
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes[end++] = (left % 0x80) | 0x80
  bytes[end++] = left
  return end
}

function pushNumber(bytes: number[], value: number): void {
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  bytes.push(left)
}

/** @param seqs ascending, none before `base` */
export function packSeqs(base: number, seqs: readonly number[]): number[] {
  const [first = base] = seqs
  // Most words are in one message: an exact array avoids the spare capacity of one that grows.
  if (seqs.length === 1 && first - base < 0x80) return [first - base]
  const bytes: number[] = []
  let last = base
  for (const seq of seqs) {
    pushNumber(bytes, seq - last)
    last = seq
  }
  return bytes
}

/** The same list relative to another base. @param base not after the first seq */
export function rebased(packed: Uint8Array, from: number, base: number): ArrayLike<number> {
  if (from === base) return packed
  let first = from - base
  let at = 0
  for (let scale = 1; ; scale *= 0x80) {
    const byte = packed[at++] ?? 0
    first += (byte & 0x7f) * scale
    if (byte < 0x80) break
  }
  if (at === packed.length && first < 0x80) return [first]
  const bytes: number[] = []
  pushNumber(bytes, first)
  for (; at < packed.length; at++) bytes.push(packed[at] ?? 0)
  return bytes
}

export function unpackSeqs(base: number, packed: Uint8Array): number[] {
  const seqs: number[] = []
  appendSeqs(seqs, base, packed)
  return seqs
}

export function appendSeqs(seqs: number[], base: number, packed: Uint8Array): void {
  let seq = base
  let distance = 0
  let scale = 1
  for (let at = 0; at < packed.length; at++) {
    const byte = packed[at] ?? 0
    distance += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte & 0x80) continue
    seq += distance
    seqs.push(seq)
    distance = 0
    scale = 1
  }
}

/** The greatest of some ascending seqs up to `atMost`; undefined if none. */
export function lastAtMost(seqs: readonly number[], atMost: number): number | undefined {
  let [low, high] = [0, seqs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((seqs[middle] ?? 0) <= atMost) low = middle + 1
    else high = middle
  }
  return seqs[low - 1]
}
