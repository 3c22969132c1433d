/**
 * Memory for incoming messages, shared by all connections. Large blocks are reused instead of left to the garbage collector; those that a while has not
 * needed are given back.
 */
import { SECOND } from '../lib/clock.js'
import { pagesOf, sharedPagesOf } from '../lib/memory/pages.js'

export type MemoryPool = ReturnType<typeof createMemoryPool>

export const BLOCK_BYTES = 256 * 1024
/** Whole large messages held at once; others wait in blocks. */
const PLACES = 2
/** Memory that was free for this long is given back. */
export const UNUSED_MS = 30 * SECOND

export interface MemoryPoolDeps {
  maxBytes: number
  /** Size of a place: the largest message. */
  placeBytes: number
  unusedMs?: number
  /** Called after memory was dropped, which the garbage collector has yet to find. */
  onDropped?: (bytes: number) => void
}

export function createMemoryPool({ maxBytes, placeBytes, unusedMs = UNUSED_MS, onDropped }: MemoryPoolDeps) {
  const blocks: Buffer[] = []
  const places: Buffer[] = []
  const waiting: ((place: Buffer) => void)[] = []
  let used = 0
  let placesMade = 0
  /** The fewest that were free since the last look. */
  let spareBlocks = 0
  let sparePlaces = 0
  let look: NodeJS.Timeout | undefined

  function takeKept(): Buffer | undefined {
    const block = blocks.pop()
    spareBlocks = Math.min(spareBlocks, blocks.length)
    return block
  }

  /** Runs while anything is kept. */
  function dropSpare(): void {
    look = undefined
    blocks.length -= spareBlocks
    places.length -= sparePlaces
    placesMade -= sparePlaces
    const dropped = spareBlocks * BLOCK_BYTES + sparePlaces * placeBytes
    watch()
    if (dropped > 0) onDropped?.(dropped)
  }

  function watch(): void {
    if (look !== undefined || (blocks.length === 0 && places.length === 0)) return
    spareBlocks = blocks.length
    sparePlaces = places.length
    look = setTimeout(dropSpare, unusedMs).unref()
  }

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
    takeBlock: (): Buffer | undefined => (reserve(BLOCK_BYTES) ? (takeKept() ?? pagesOf(BLOCK_BYTES)) : undefined),
    giveBlock(block: Buffer): void {
      used -= BLOCK_BYTES
      blocks.push(block)
      watch()
    },
    /** Waits for memory for a whole large message, shared between threads. */
    async takePlace(): Promise<Buffer> {
      const kept = places.pop()
      sparePlaces = Math.min(sparePlaces, places.length)
      if (kept) return kept
      if (placesMade === PLACES) return new Promise((resolve) => waiting.push(resolve))
      placesMade++
      return sharedPagesOf(placeBytes)
    },
    givePlace(place: Buffer): void {
      const next = waiting.shift()
      if (next) return next(place)
      places.push(place)
      watch()
    },
    /** Bytes kept for later messages. */
    get kept(): number {
      return blocks.length * BLOCK_BYTES + places.length * placeBytes
    },
    /** Bytes that may still be reserved or taken as blocks. */
    get left(): number {
      return maxBytes - used
    },
  }
}
