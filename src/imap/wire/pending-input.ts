/** Chunks of a socket that are not read yet, as a queue; nothing is copied. */

export class PendingInput {
  #chunks: Buffer[] = []
  /** Index of the first chunk that is not read to its end, and what is read of it. */
  #first = 0
  #offset = 0
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  /** Takes up to `maxBytes`, of the first chunk only; undefined if there is nothing. */
  take(maxBytes: number): Buffer | undefined {
    const chunk = this.#chunks[this.#first]
    if (!chunk || maxBytes <= 0) return undefined
    const piece = chunk.subarray(this.#offset, this.#offset + maxBytes)
    this.#offset += piece.length
    this.#bytes -= piece.length
    if (this.#offset === chunk.length) {
      this.#first++
      this.#offset = 0
      this.#forgetRead()
    }
    return piece
  }

  /** Takes octets up to and with the first `octet`, of the first chunk only; without it the whole chunk. */
  takeThrough(octet: number): Buffer | undefined {
    const chunk = this.#chunks[this.#first]
    if (!chunk) return undefined
    const at = chunk.indexOf(octet, this.#offset)
    return this.take((at === -1 ? chunk.length : at + 1) - this.#offset)
  }

  takeAll(): Buffer {
    const all = Buffer.concat(this.#chunks.slice(this.#first)).subarray(this.#offset)
    this.#chunks = []
    this.#first = 0
    this.#offset = 0
    this.#bytes = 0
    return all
  }

  /** Each chunk is moved once for each doubling at most: `shift` would move all of them each time. */
  #forgetRead(): void {
    if (this.#first * 2 < this.#chunks.length) return
    this.#chunks = this.#chunks.slice(this.#first)
    this.#first = 0
  }
}
