/**
 * Buffers a message while it arrives. A small one is assembled and copied for its judging thread. A large one waits in blocks for a shared buffer, which the
 * thread reads directly, with headroom for trace fields (mx/judging/trace-fields.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BLOCK_BYTES, type MemoryPool } from './memory-pool.js'

export interface MessageBuffer {
  /** False without memory; then nothing is kept. */
  push(chunk: Buffer): boolean
  /** The whole message; its memory is in use until `close`. */
  open(): Promise<{ raw: Buffer; close: () => void }>
  /** Releases an unopened message; idempotent. */
  drop(): void
}

/** For Return-Path, Authentication-Results and Received. */
export const HEADROOM_BYTES = 8 * 1024
/** Larger messages are large. */
export const LARGE_BYTES = 128 * 1024

/** Blocks copied per turn of the event loop: a few milliseconds. */
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
