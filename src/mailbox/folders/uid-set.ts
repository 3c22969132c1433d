/**
 * UIDs in ascending order, as runs: a session keeps them for its sequence numbers (RFC 9051 §2.3.1.2), and a folder whose UIDs are nearly dense takes some hundred
 * bytes.
 */
export class UidSet {
  /** First UID, count, and number of UIDs before, for each run. */
  readonly #runs: Uint32Array
  readonly count: number

  private constructor(runs: Uint32Array, count: number) {
    this.#runs = runs
    this.count = count
  }

  static readonly EMPTY = new UidSet(new Uint32Array(0), 0)

  /** @param uids ascending */
  static of(uids: Iterable<number>): UidSet {
    const runs: number[] = []
    for (const uid of uids) addRun(runs, uid, 1)
    return UidSet.#from(runs)
  }

  /** @param given first and last UID of each, ascending */
  static ofRuns(given: Iterable<readonly [first: number, last: number]>): UidSet {
    const runs: number[] = []
    for (const [first, last] of given) addRun(runs, first, last - first + 1)
    return UidSet.#from(runs)
  }

  static #from(runs: readonly number[]): UidSet {
    return new UidSet(Uint32Array.from(runs), (runs.at(-2) ?? 0) + (runs.at(-1) ?? 0))
  }

  get bytes(): number {
    return this.#runs.byteLength
  }

  /** The last UID; 0 for none. */
  get last(): number {
    const at = this.#runs.length - 3
    return at < 0 ? 0 : this.#at(at) + this.#at(at + 1) - 1
  }

  /** UID of a sequence number from 1 on; undefined past the end. */
  uidOf(seq: number): number | undefined {
    if (seq < 1 || seq > this.count) return undefined
    let [low, high] = [0, this.#runs.length / 3]
    while (low + 1 < high) {
      const middle = (low + high) >>> 1
      if (this.#at(3 * middle + 2) < seq) low = middle
      else high = middle
    }
    return this.#at(3 * low) + seq - 1 - this.#at(3 * low + 2)
  }

  /** Sequence number of a UID; undefined if it is not in the set. */
  seqOf(uid: number): number | undefined {
    const run = this.#runUpTo(uid)
    if (run === undefined) return undefined
    const offset = uid - this.#at(3 * run)
    return offset < this.#at(3 * run + 1) ? this.#at(3 * run + 2) + offset + 1 : undefined
  }

  has(uid: number): boolean {
    return this.seqOf(uid) !== undefined
  }

  /** UIDs of the set from one UID to another, ascending. */
  *between(from: number, to: number): Generator<number> {
    for (let run = this.#runUpTo(from) ?? 0; 3 * run < this.#runs.length; run++) {
      const first = this.#at(3 * run)
      const last = first + this.#at(3 * run + 1) - 1
      if (first > to) return
      for (let uid = Math.max(first, from); uid <= Math.min(last, to); uid++) yield uid
    }
  }

  [Symbol.iterator](): Generator<number> {
    return this.between(1, this.last)
  }

  /** Runs as first and last UID. */
  *runs(): Generator<[first: number, last: number]> {
    for (let at = 0; at < this.#runs.length; at += 3) yield [this.#at(at), this.#at(at) + this.#at(at + 1) - 1]
  }

  /** UIDs of this set that another does not have, ascending. Costs as much as both have runs. */
  *missingIn(other: UidSet): Generator<number> {
    if (other === this) return
    for (const [first, last] of this.runs()) {
      let from = first
      for (let run = other.#runUpTo(first) ?? 0; 3 * run < other.#runs.length; run++) {
        const start = other.#at(3 * run)
        if (start > last) break
        for (; from < start; from++) yield from
        from = Math.max(from, start + other.#at(3 * run + 1))
      }
      for (; from <= last; from++) yield from
    }
  }

  /** The last run that begins at this UID or before. */
  #runUpTo(uid: number): number | undefined {
    let [low, high] = [0, this.#runs.length / 3]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#at(3 * middle) <= uid) low = middle + 1
      else high = middle
    }
    return low === 0 ? undefined : low - 1
  }

  #at(at: number): number {
    return this.#runs[at] ?? 0
  }
}

/** Adds some UIDs that follow each other, to the last run where they follow that. @param runs first UID, count, and number of UIDs before, for each */
function addRun(runs: number[], first: number, count: number): void {
  const at = runs.length - 3
  const [start = 0, length = 0, before = 0] = at < 0 ? [] : runs.slice(at)
  if (at >= 0 && start + length === first) runs[at + 1] = length + count
  else runs.push(first, count, before + length)
}
