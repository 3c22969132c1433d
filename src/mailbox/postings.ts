/**
 * A posting list: the messages of one segment of the index that have a word. It holds the distance from the segment's first seq to the list's
 * first, and from each seq to the next, in 7-bit groups, lowest first, the highest bit of an octet saying that more follow.
 */

/** The octets of a number from 0 on, in 7-bit groups. */
export function pushNumber(bytes: number[], value: number): void {
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  bytes.push(left)
}

/** @param seqs ascending, none before `base` */
export function packSeqs(base: number, seqs: readonly number[]): number[] {
  const bytes: number[] = []
  let last = base
  for (const seq of seqs) {
    pushNumber(bytes, seq - last)
    last = seq
  }
  return bytes
}

export function unpackSeqs(base: number, packed: Uint8Array): number[] {
  const seqs: number[] = []
  let seq = base
  let distance = 0
  let scale = 1
  for (const byte of packed) {
    distance += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte & 0x80) continue
    seq += distance
    seqs.push(seq)
    distance = 0
    scale = 1
  }
  return seqs
}

/** The greatest of some ascending seqs that is not past `atMost`; undefined when all are past it. */
export function lastAtMost(seqs: readonly number[], atMost: number): number | undefined {
  let [low, high] = [0, seqs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((seqs[middle] ?? 0) <= atMost) low = middle + 1
    else high = middle
  }
  return seqs[low - 1]
}
