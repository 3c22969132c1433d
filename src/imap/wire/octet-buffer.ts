/** Collects octets up to a limit. Grows by doubling: what is allocated follows what has arrived, not what was announced. */

const FIRST_BYTES = 256
const NOTHING = Buffer.alloc(0)

export class OctetBuffer {
  #octets: Buffer = NOTHING
  #length = 0

  constructor(private readonly maxBytes: number) {}

  get length(): number {
    return this.#length
  }

  /** Octets beyond the limit are dropped. */
  append(piece: Buffer): void {
    const added = Math.min(piece.length, this.maxBytes - this.#length)
    if (added <= 0) return
    const needed = this.#length + added
    if (needed > this.#octets.length) {
      const grown = Buffer.alloc(Math.min(this.maxBytes, Math.max(FIRST_BYTES, needed, this.#octets.length * 2)))
      this.#octets.copy(grown, 0, 0, this.#length)
      this.#octets = grown
    }
    piece.copy(this.#octets, this.#length, 0, added)
    this.#length = needed
  }

  /** @returns a view of what was collected */
  octets(): Buffer {
    return this.#octets.subarray(0, this.#length)
  }
}
