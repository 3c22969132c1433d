/**
 * Collects an incoming message. A small one is concatenated, and copied for the thread that judges it. A large one waits in blocks for shared memory,
 * with room in front for the trace fields (mx/intake/trace-fields.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BLOCK_BYTES, type MemoryPool } from './memory-pool.js'

export type MessageBuffer = ReturnType<typeof createMessageBuffer>

/** For Return-Path, Authentication-Results and Received. */
export const HEADROOM_BYTES = 8 * 1024
export const LARGE_BYTES = 128 * 1024

/** Blocks copied before other work gets its turn: a few milliseconds. */
const BLOCKS_AT_ONCE = 32

export function createMessageBuffer(memory: MemoryPool) {
  let chunks: Buffer[] = []
  let reserved = 0
  let blocks: Buffer[] = []
  let bytes = 0

  /** Gives back the memory of a message that was not opened; may be called again. */
  function drop(): void {
    memory.unreserve(reserved)
    for (const block of blocks) memory.giveBlock(block)
    chunks = []
    blocks = []
    reserved = bytes = 0
  }

  function keepSmall(chunk: Buffer): boolean {
    if (!memory.reserve(chunk.length)) return false
    reserved += chunk.length
    chunks.push(chunk)
    return true
  }

  function keepLarge(chunk: Buffer, bytesBefore: number): boolean {
    for (let from = 0; from < chunk.length;) {
      const at = (bytesBefore + from) % BLOCK_BYTES
      const block = at === 0 ? memory.takeBlock() : blocks.at(-1)
      if (!block) return false
      if (at === 0) blocks.push(block)
      from += chunk.copy(block, at, from)
    }
    return true
  }

  function becomeLarge(): boolean {
    const small = Buffer.concat(chunks)
    memory.unreserve(reserved)
    reserved = 0
    chunks = []
    return keepLarge(small, 0)
  }

  function keep(chunk: Buffer): boolean {
    const isSmall = blocks.length === 0
    if (isSmall && bytes + chunk.length < LARGE_BYTES) return keepSmall(chunk)
    return (!isSmall || becomeLarge()) && keepLarge(chunk, bytes)
  }

  return {
    /** False when there is no memory left; then nothing is kept. */
    push(chunk: Buffer): boolean {
      const isKept = keep(chunk)
      if (isKept) bytes += chunk.length
      else drop()
      return isKept
    },
    /** The whole message; its memory is in use until `close`, to be called when nothing reads it any more. */
    async open(): Promise<{ raw: Buffer; close: () => void }> {
      if (blocks.length === 0) return { raw: Buffer.concat(chunks), close: drop }
      const place = await memory.takePlace()
      let end = HEADROOM_BYTES
      for (const [i, block] of blocks.entries()) {
        if (i > 0 && i % BLOCKS_AT_ONCE === 0) await nextTurn()
        end += block.copy(place, end, 0, HEADROOM_BYTES + bytes - end)
      }
      drop()
      return { raw: place.subarray(HEADROOM_BYTES, end), close: () => memory.givePlace(place) }
    },
    drop,
  }
}
