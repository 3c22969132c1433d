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
  walk(base, packed, (seq) => {
    seqs.push(seq)
    return true
  })
  return seqs
}

/** The greatest seq of a list that is not past `atMost`; undefined when all are past it. */
export function lastSeqAtMost(base: number, packed: Uint8Array, atMost: number): number | undefined {
  let last: number | undefined
  walk(base, packed, (seq) => {
    if (seq > atMost) return false
    last = seq
    return true
  })
  return last
}

/** Calls `visit` with each seq until it says false. */
function walk(base: number, packed: Uint8Array, visit: (seq: number) => boolean): void {
  let seq = base
  let distance = 0
  let scale = 1
  for (const byte of packed) {
    distance += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte & 0x80) continue
    seq += distance
    if (!visit(seq)) return
    distance = 0
    scale = 1
  }
}
