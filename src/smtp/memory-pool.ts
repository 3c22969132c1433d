/**
 * Memory for incoming messages, shared by all connections. Large memory is never left to the garbage collector: blocks are returned and reused, so the process
 * holds at most what is in use.
 */

export interface MemoryPool {
  /** Accounts for bytes held elsewhere. False if over the limit. */
  reserve(bytes: number): boolean
  unreserve(bytes: number): void
  /** A block of `BLOCK_BYTES` with old contents; undefined if over the limit. */
  takeBlock(): Buffer | undefined
  giveBlock(block: Buffer): void
  /** Waits for one of few buffers for a whole large message; shared between threads. */
  takePlace(): Promise<Buffer>
  givePlace(place: Buffer): void
  /** Bytes still available. */
  readonly left: number
}

export const BLOCK_BYTES = 256 * 1024
/** Others wait in blocks. */
const PLACES = 2

/** @param placeBytes size of the largest message */
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
