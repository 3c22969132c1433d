/** A set of event numbers: a bit each, in pages, since numbers stand close together but for the gap that a restore leaves. */
const PAGE_BITS = 65_536

export class SeqMarks {
  readonly #pages = new Map<number, Uint8Array>()

  add(seq: number): void {
    const page = Math.floor(seq / PAGE_BITS)
    const bits = this.#pages.get(page) ?? new Uint8Array(PAGE_BITS / 8)
    this.#pages.set(page, bits)
    const bit = seq % PAGE_BITS
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
  }

  has(seq: number): boolean {
    const bit = seq % PAGE_BITS
    return (((this.#pages.get(Math.floor(seq / PAGE_BITS))?.[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
  }
}
