/**
 * Unpacks LZMA and LZMA2 (the LZMA SDK's "lzma-specification.txt"; the chunks of LZMA2 as in the XZ format's reference). Output stays in memory, so its most
 * is set by the caller, who may also ask for it in pieces.
 */

const TOP = 2 ** 24
/** How much longer an octet takes than one of gzip, in budgets of what may be unpacked. */
export const LZMA_COST = 8
const STATES = 12
const LENGTHS_TO_POSITIONS = 4
const END_OF_MODEL = 14
const ALIGN_BITS = 4
const MIN_MATCH = 2
/** Of a probability, 11 bits. */
const HALF = 1024
/** Of LZMA2 both bits of the literal's context and position together. */
const MAX_LITERAL_BITS = 4
/** A chunk is 64 KiB packed, or 2 MiB unpacked, as a rule, and may begin anew with all probabilities. */
const MAX_CHUNKS = 4096
/** A piece takes a few milliseconds. */
const PIECE_BYTES = 8 * 1024

/** Input ended, or it is not what it says. */
export class LzmaError extends Error {
  override readonly name = 'LzmaError'
}

/** Properties as an octet: bits of the literal's context, of its position, and of positions. */
interface Properties {
  lc: number
  lp: number
  pb: number
}

function propertiesOf(octet: number, maxLiteralBits = 12): Properties {
  const [lc, lp, pb] = [octet % 9, Math.floor(octet / 9) % 5, Math.floor(octet / 45)]
  if (octet >= 225 || lc + lp > maxLiteralBits) throw new LzmaError('no properties of LZMA')
  return { lc, lp, pb }
}

const probabilities = (count: number): Uint16Array => new Uint16Array(count).fill(HALF)

/** Probabilities of a match's length. */
const lengths = () => ({
  choice: probabilities(2),
  low: probabilities(16 << 3),
  mid: probabilities(16 << 3),
  high: probabilities(256),
})

const tables = ({ lc, lp }: Properties) => ({
  literals: probabilities(0x300 << (lc + lp)),
  isMatch: probabilities(STATES << 4),
  isRep: probabilities(STATES),
  isRep0: probabilities(STATES),
  isRep1: probabilities(STATES),
  isRep2: probabilities(STATES),
  isRep0Long: probabilities(STATES << 4),
  slots: probabilities(LENGTHS_TO_POSITIONS << 6),
  positions: probabilities(115),
  align: probabilities(1 << ALIGN_BITS),
  matchLengths: lengths(),
  repLengths: lengths(),
})

/** One stream of LZMA, or several that share their output as LZMA2 has them. */
class Decoder {
  readonly #out: Buffer
  #in: Buffer = Buffer.alloc(0)
  #at = 0
  #length = 0
  #properties: Properties = { lc: 0, lp: 0, pb: 0 }
  #tables = tables(this.#properties)
  #state = 0
  #reps = new Uint32Array(4)
  #range = 0
  #code = 0
  /** Of a match that did not fit into the last piece. */
  #pending = 0
  /** Where the dictionary was begun anew. */
  #start = 0

  constructor(maxBytes: number) {
    this.#out = Buffer.alloc(maxBytes)
  }

  get output(): Buffer {
    return this.#out.subarray(0, this.#length)
  }

  get length(): number {
    return this.#length
  }

  reset(properties?: Properties): void {
    if (properties) this.#properties = properties
    this.#tables = tables(this.#properties)
    this.#state = 0
    this.#reps = new Uint32Array(4)
  }

  forget(): void {
    this.#start = this.#length
  }

  store(bytes: Buffer): void {
    this.#length += bytes.copy(this.#out, this.#length)
  }

  begin(input: Buffer): void {
    if (input.length < 5 || input[0] !== 0) throw new LzmaError('no stream of LZMA')
    this.#in = input
    this.#at = 5
    this.#range = 0xffffffff
    this.#code = input.readUInt32BE(1)
    this.#pending = 0
  }

  /** @returns true at a mark that ends the stream */
  run(until: number): boolean {
    const tables = this.#tables
    const reps = this.#reps
    const mask = (1 << this.#properties.pb) - 1
    const end = Math.min(until, this.#out.length)
    this.#repeat(end)
    while (this.#length < end) {
      const state = this.#state
      const position = (this.#length - this.#start) & mask
      if (this.#bit(tables.isMatch, (state << 4) + position) === 0) {
        this.#literal()
        continue
      }
      if (this.#bit(tables.isRep, state) === 0) {
        reps.copyWithin(1, 0)
        this.#pending = this.#lengthOf(tables.matchLengths, position)
        this.#state = state < 7 ? 7 : 10
        reps[0] = this.#distance(this.#pending - MIN_MATCH)
        if (reps[0] === 0xffffffff) return true
      } else if (!this.#takesRep0(state, position)) {
        this.#state = state < 7 ? 9 : 11
        this.#pending = 1
      } else {
        this.#pending = this.#lengthOf(tables.repLengths, position)
        this.#state = state < 7 ? 8 : 11
      }
      this.#repeat(end)
    }
    return false
  }

  /** Makes the distance that is repeated the first. @returns false for a repetition of one octet */
  #takesRep0(state: number, position: number): boolean {
    const { isRep0, isRep0Long, isRep1, isRep2 } = this.#tables
    if (this.#bit(isRep0, state) === 0) return this.#bit(isRep0Long, (state << 4) + position) === 1
    const which = this.#bit(isRep1, state) === 0 ? 1 : 2 + this.#bit(isRep2, state)
    const distance = this.#reps[which] ?? 0
    this.#reps.copyWithin(1, 0, which)
    this.#reps[0] = distance
    return true
  }

  #literal(): void {
    const { lc, lp } = this.#properties
    const position = this.#length - this.#start
    const previous = position === 0 ? 0 : (this.#out[this.#length - 1] ?? 0)
    const base = 0x300 * (((position & ((1 << lp) - 1)) << lc) + (previous >> (8 - lc)))
    const { literals } = this.#tables
    let symbol = 1
    if (this.#state >= 7) {
      let match = this.#out[this.#length - (this.#reps[0] ?? 0) - 1] ?? 0
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1
        match <<= 1
        const bit = this.#bit(literals, base + ((1 + expected) << 8) + symbol)
        symbol = (symbol << 1) | bit
        if (bit !== expected) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(literals, base + symbol)
    this.#out[this.#length++] = symbol & 0xff
    this.#state = this.#state < 4 ? 0 : this.#state - (this.#state < 10 ? 3 : 6)
  }

  /** Copies what is left of a match. */
  #repeat(end: number): void {
    if (this.#pending === 0) return
    const distance = (this.#reps[0] ?? 0) + 1
    if (distance > this.#length - this.#start) throw new LzmaError('a match before the beginning')
    for (; this.#pending > 0 && this.#length < end; this.#pending--, this.#length++)
      this.#out[this.#length] = this.#out[this.#length - distance] ?? 0
  }

  #lengthOf({ choice, low, mid, high }: ReturnType<typeof lengths>, position: number): number {
    if (this.#bit(choice, 0) === 0) return MIN_MATCH + this.#tree(low, position << 3, 3)
    if (this.#bit(choice, 1) === 0) return MIN_MATCH + 8 + this.#tree(mid, position << 3, 3)
    return MIN_MATCH + 16 + this.#tree(high, 0, 8)
  }

  #distance(length: number): number {
    const { slots, positions, align } = this.#tables
    const slot = this.#tree(slots, Math.min(length, LENGTHS_TO_POSITIONS - 1) << 6, 6)
    if (slot < 4) return slot
    const bits = (slot >> 1) - 1
    const distance = ((2 | (slot & 1)) << bits) >>> 0
    if (slot < END_OF_MODEL) return distance + this.#reversed(positions, distance - slot, bits)
    return distance + this.#direct(bits - ALIGN_BITS) * 2 ** ALIGN_BITS + this.#reversed(align, 0, ALIGN_BITS)
  }

  #tree(probs: Uint16Array, base: number, bits: number): number {
    let at = 1
    for (let bit = 0; bit < bits; bit++) at = (at << 1) | this.#bit(probs, base + at)
    return at - (1 << bits)
  }

  #reversed(probs: Uint16Array, base: number, bits: number): number {
    let [at, value] = [1, 0]
    for (let index = 0; index < bits; index++) {
      const bit = this.#bit(probs, base + at)
      at = (at << 1) | bit
      value |= bit << index
    }
    return value
  }

  #direct(bits: number): number {
    let value = 0
    for (let index = 0; index < bits; index++) {
      this.#range >>>= 1
      const bit = this.#code >= this.#range ? 1 : 0
      if (bit === 1) this.#code -= this.#range
      value = value * 2 + bit
      this.#normalise()
    }
    return value
  }

  #bit(probs: Uint16Array, at: number): 0 | 1 {
    const probability = probs[at] ?? HALF
    const bound = (this.#range >>> 11) * probability
    const isOne = this.#code >= bound
    if (isOne) {
      this.#range -= bound
      this.#code -= bound
      probs[at] = probability - (probability >> 5)
    } else {
      this.#range = bound
      probs[at] = probability + ((2048 - probability) >> 5)
    }
    this.#normalise()
    return isOne ? 1 : 0
  }

  #normalise(): void {
    if (this.#range >= TOP) return
    const octet = this.#in[this.#at++]
    // An octet more than there is may be asked for by the last bit.
    if (octet === undefined && this.#at > this.#in.length + 1) throw new LzmaError('input ended')
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | (octet ?? 0)) >>> 0
  }
}

/** What is unpacked so far, after each piece: the same memory, of which more is filled. */
export type Unpacking<Result = Buffer> = Generator<Buffer, Result>

/** @param properties five octets: those of the model, and the size of the dictionary, which is not needed */
export function* unpackLzma(packed: Buffer, properties: Buffer, unpackedBytes: number): Unpacking {
  const decoder = new Decoder(unpackedBytes)
  decoder.reset(propertiesOf(properties[0] ?? 0xff))
  decoder.begin(packed)
  for (let isEnd = false; !isEnd && decoder.length < unpackedBytes;) {
    isEnd = decoder.run(decoder.length + PIECE_BYTES)
    yield decoder.output
  }
  return decoder.output
}

/**
 * @param maxBytes at most as much is unpacked, as if the stream ended there
 * @returns all of it, and how long the packed stream was; undefined when it goes on
 */
export function* unpackLzma2(
  packed: Buffer,
  maxBytes: number,
): Unpacking<{ output: Buffer; packedBytes: number | undefined }> {
  const decoder = new Decoder(maxBytes)
  let chunks = 0
  for (let at = 0; ;) {
    const control = packed.readUInt8(at)
    if (++chunks > MAX_CHUNKS) throw new LzmaError('too many chunks')
    if (control === 0) return { output: decoder.output, packedBytes: at + 1 }
    if (decoder.length >= maxBytes) return { output: decoder.output, packedBytes: undefined }
    if (control < 0x80) {
      if (control > 2) throw new LzmaError('no chunk of LZMA2')
      if (control === 1) decoder.forget()
      const bytes = packed.readUInt16BE(at + 1) + 1
      decoder.store(packed.subarray(at + 3, at + 3 + bytes))
      at += 3 + bytes
    } else {
      const reset = (control >> 5) & 3
      const unpackedBytes = ((control & 0x1f) << 16) + packed.readUInt16BE(at + 1) + 1
      const packedBytes = packed.readUInt16BE(at + 3) + 1
      if (reset === 3) decoder.forget()
      if (reset > 0) decoder.reset(reset > 1 ? propertiesOf(packed[at + 5] ?? 0xff, MAX_LITERAL_BITS) : undefined)
      const from = at + (reset > 1 ? 6 : 5)
      decoder.begin(packed.subarray(from, from + packedBytes))
      const end = Math.min(decoder.length + unpackedBytes, maxBytes)
      while (decoder.length < end) {
        if (decoder.run(Math.min(end, decoder.length + PIECE_BYTES))) break
        yield decoder.output
      }
      at = from + packedBytes
    }
    yield decoder.output
  }
}
