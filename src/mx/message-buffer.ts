/**
 * The bytes of a message while they come, in one piece of memory that grows by doubling: a stranger holds at most twice of what was really
 * sent. It is shared between threads, so that the message is not copied for the one that judges it, and has room in front, so that a
 * large one is not copied for the trace that is put on top of it (trace.ts).
 */
import type { Budget } from './budget.js'

export interface MessageBuffer {
  /** False when there is no memory left; then nothing is kept. */
  push(chunk: Buffer): boolean
  /** The message. Its memory stays taken from the budget until `release`. */
  message(): Buffer
  /** Gives the memory back; may be called again. */
  release(): void
}

/** For Return-Path, Authentication-Results and Received. */
export const HEADROOM_BYTES = 8 * 1024
const FIRST_BYTES = 16 * 1024

export function createMessageBuffer(budget: Budget, maxBytes: number): MessageBuffer {
  let memory: Buffer | undefined
  let bytes = 0

  const room = (): number => (memory ? memory.length - HEADROOM_BYTES : 0)

  function grow(wanted: number): boolean {
    const capacity = Math.min(Math.max(wanted, 2 * room(), FIRST_BYTES), Math.max(maxBytes, wanted))
    if (!budget.take(capacity - room())) return false
    const larger = Buffer.from(new SharedArrayBuffer(HEADROOM_BYTES + capacity))
    memory?.copy(larger, HEADROOM_BYTES, HEADROOM_BYTES, HEADROOM_BYTES + bytes)
    memory = larger
    return true
  }

  function release(): void {
    budget.release(room())
    memory = undefined
    bytes = 0
  }

  return {
    push(chunk) {
      if (bytes + chunk.length > room() && !grow(bytes + chunk.length)) {
        release()
        return false
      }
      memory?.set(chunk, HEADROOM_BYTES + bytes)
      bytes += chunk.length
      return true
    },
    message: () => memory?.subarray(HEADROOM_BYTES, HEADROOM_BYTES + bytes) ?? Buffer.alloc(0),
    release,
  }
}
