/**
 * The bytes of a message while they come, and the whole of it when it is there. A small one is put together and copied for the thread that
 * judges it, which costs less than anything cleverer. A large one waits in blocks for a place to be judged in; there it is shared with that
 * thread, and has room in front for the trace that is put on top of it (mx/judging/trace-fields.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BLOCK_BYTES, type MemoryPool } from './memory-pool.js'

export interface MessageBuffer {
  /** False when there is no memory left; then nothing is kept. */
  push(chunk: Buffer): boolean
  /** The whole message; its memory is in use until `close`, which is to be called when nobody reads it any more. */
  open(): Promise<{ raw: Buffer; close: () => void }>
  /** Gives back the memory of a message that was not opened; may be called again. */
  drop(): void
}

/** For Return-Path, Authentication-Results and Received. */
export const HEADROOM_BYTES = 8 * 1024
/** From here on a message is large. */
export const LARGE_BYTES = 128 * 1024

/** Blocks that are copied before others get their turn: a few milliseconds. */
const BLOCKS_AT_ONCE = 32

export function createMessageBuffer(memory: MemoryPool): MessageBuffer {
  /** Of a small message. */
  let chunks: Buffer[] = []
  let reserved = 0
  /** Of a large one. */
  let blocks: Buffer[] = []
  let bytes = 0

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
    push(chunk) {
      const isKept = keep(chunk)
      if (isKept) bytes += chunk.length
      else drop()
      return isKept
    },
    async open() {
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
