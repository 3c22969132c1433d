/**
 * A posting list: the messages of one batch that have a word, as one row. A row a word and message would be three quarters of what indexing
 * costs when much mail comes at once.
 *
 * The first seq is in the row's key; the value holds the distance from each seq to the next in 7-bit groups, lowest first, the highest bit
 * of an octet saying that more follow. The list of a single message is empty.
 */

/** @param seqs ascending */
export function packSeqs(seqs: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (let i = 1; i < seqs.length; i++) {
    let distance = (seqs[i] ?? 0) - (seqs[i - 1] ?? 0)
    for (; distance >= 0x80; distance = Math.floor(distance / 0x80)) bytes.push((distance % 0x80) | 0x80)
    bytes.push(distance)
  }
  return Uint8Array.from(bytes)
}

/** The greatest seq of a list that is not past `atMost`, which is not before `first`. */
export function lastSeqAtMost(first: number, packed: Uint8Array, atMost: number): number {
  let last = first
  let distance = 0
  let scale = 1
  for (const byte of packed) {
    distance += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte & 0x80) continue
    if (last + distance > atMost) break
    last += distance
    distance = 0
    scale = 1
  }
  return last
}
