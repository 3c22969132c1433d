/** Memory for incoming messages, shared by all connections. Large blocks are reused instead of left to the garbage collector. */

export type MemoryPool = ReturnType<typeof createMemoryPool>

export const BLOCK_BYTES = 256 * 1024
/** Whole large messages held at once; others wait in blocks. */
const PLACES = 2

/** @param placeBytes size of a place: the largest message */
export function createMemoryPool({ maxBytes, placeBytes }: { maxBytes: number; placeBytes: number }) {
  const blocks: Buffer[] = []
  const places: Buffer[] = []
  const waiting: ((place: Buffer) => void)[] = []
  let used = 0
  let placesMade = 0

  const reserve = (bytes: number): boolean => {
    if (used + bytes > maxBytes) return false
    used += bytes
    return true
  }

  return {
    /** Counts bytes held elsewhere; false if over the limit. */
    reserve,
    unreserve(bytes: number): void {
      used -= bytes
    },
    /** A block of `BLOCK_BYTES` with arbitrary content; undefined if over the limit. */
    takeBlock: (): Buffer | undefined =>
      reserve(BLOCK_BYTES) ? (blocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)) : undefined,
    giveBlock(block: Buffer): void {
      used -= BLOCK_BYTES
      blocks.push(block)
    },
    /** Waits for memory for a whole large message, shared between threads. */
    async takePlace(): Promise<Buffer> {
      const kept = places.pop()
      if (kept) return kept
      if (placesMade === PLACES) return new Promise((resolve) => waiting.push(resolve))
      placesMade++
      return Buffer.from(new SharedArrayBuffer(placeBytes))
    },
    givePlace(place: Buffer): void {
      const next = waiting.shift()
      if (next) next(place)
      else places.push(place)
    },
    /** Bytes that may still be reserved or taken as blocks. */
    get left(): number {
      return maxBytes - used
    },
  }
}
