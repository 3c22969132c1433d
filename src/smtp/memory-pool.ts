/**
 * Memory for messages on their way in, shared by all connections. What is large is never left to the garbage collector: blocks are given back
 * and used again, so that the process holds what is in use at most, and not what was.
 */

export interface MemoryPool {
  /** Counts bytes that somebody holds elsewhere. False when that would be too much. */
  reserve(bytes: number): boolean
  unreserve(bytes: number): void
  /** A block of `BLOCK_BYTES`, with whatever stood in it before; undefined when that would be too much. */
  takeBlock(): Buffer | undefined
  giveBlock(block: Buffer): void
  /** Waits for one of the few places for a whole large message; shared between threads. */
  takePlace(): Promise<Buffer>
  givePlace(place: Buffer): void
  /** What may still be reserved or taken as blocks. */
  readonly left: number
}

export const BLOCK_BYTES = 256 * 1024
/** The rest wait their turn in blocks. */
const PLACES = 2

/** @param placeBytes size of a place: the largest message */
export function createMemoryPool({ maxBytes, placeBytes }: { maxBytes: number; placeBytes: number }): MemoryPool {
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
    reserve,
    unreserve(bytes) {
      used -= bytes
    },
    takeBlock: () => (reserve(BLOCK_BYTES) ? (blocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)) : undefined),
    giveBlock(block) {
      used -= BLOCK_BYTES
      blocks.push(block)
    },
    async takePlace() {
      const kept = places.pop()
      if (kept) return kept
      if (placesMade === PLACES) return new Promise((resolve) => waiting.push(resolve))
      placesMade++
      return Buffer.from(new SharedArrayBuffer(placeBytes))
    },
    givePlace(place) {
      const next = waiting.shift()
      if (next) next(place)
      else places.push(place)
    },
    get left() {
      return maxBytes - used
    },
  }
}
