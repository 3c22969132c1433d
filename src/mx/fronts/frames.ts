/**
 * Frames of a byte stream between two processes: two lengths (32 bits each), a head of MessagePack, and a body of octets that is not packed.
 */
import type { Duplex } from 'node:stream'
import { Packr } from 'msgpackr'
import { sharedPagesOf } from '../../lib/memory/pages.js'
import { HEADROOM_BYTES, LARGE_BYTES } from '../../smtp/message-buffer.js'

/** Keys are sent each time: fields of messages have too many forms for shared ones. */
const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: false })

const SIZES_BYTES = 8
/** Far beyond what a message of the largest size becomes. */
const MAX_HEAD_BYTES = 64 * 1024 * 1024

export type OnFrame = (head: unknown, body: Buffer | undefined) => void

/** @returns writes a frame; one that is not urgent leaves with others of the same turn */
export function createFrameWriter(stream: Duplex) {
  let isCorked = false
  const uncork = (): void => {
    if (!isCorked) return
    isCorked = false
    stream.uncork()
  }
  return (head: unknown, { body, isUrgent }: { body?: Buffer | undefined; isUrgent: boolean }): void => {
    if (!stream.writable) return
    if (!isCorked) {
      isCorked = true
      stream.cork()
      if (!isUrgent) process.nextTick(uncork)
    }
    const packed = packr.pack(head)
    const front = Buffer.allocUnsafe(SIZES_BYTES + packed.length)
    front.writeUInt32LE(packed.length, 0)
    front.writeUInt32LE(body?.length ?? 0, 4)
    packed.copy(front, SIZES_BYTES)
    stream.write(front)
    if (body && body.length > 0) stream.write(body)
    if (isUrgent) uncork()
  }
}

/** @throws by `push`: Error if the stream is not one of frames, or a frame is too large */
export function createFrameReader(maxBodyBytes: number, onFrame: OnFrame) {
  const sizes = Buffer.alloc(SIZES_BYTES)
  /** Buffers that the stream fills, in this order. */
  let targets: Buffer[] = [sizes]
  let index = 0
  let filled = 0

  /** Fills the current target. @returns how far it has read */
  function fill(chunk: Buffer, at: number): number {
    const target = targets[index] ?? sizes
    const copied = chunk.copy(target, filled, at)
    filled += copied
    if (filled < target.length) return at + copied
    filled = 0
    if (target === sizes) targets = targetsFor(sizes.readUInt32LE(0), sizes.readUInt32LE(4))
    else index++
    if (index === targets.length) {
      const [head, body] = targets
      targets = [sizes]
      index = 0
      if (head) onFrame(packr.unpack(head), body)
    }
    return at + copied
  }

  function check(headBytes: number, bodyBytes: number): void {
    if (headBytes === 0 || headBytes > MAX_HEAD_BYTES || bodyBytes > maxBodyBytes)
      throw new Error('a frame is empty, or larger than any message')
  }

  function targetsFor(headBytes: number, bodyBytes: number): Buffer[] {
    check(headBytes, bodyBytes)
    const head = Buffer.allocUnsafeSlow(headBytes)
    return bodyBytes > 0 ? [head, placeFor(bodyBytes)] : [head]
  }

  return {
    push(chunk: Buffer): void {
      for (let at = 0; at < chunk.length;) {
        const isStart = targets[0] === sizes && filled === 0 && chunk.length - at >= SIZES_BYTES
        const bodyAt = isStart ? at + SIZES_BYTES + chunk.readUInt32LE(at) : Infinity
        const end = isStart ? bodyAt + chunk.readUInt32LE(at + 4) : Infinity
        if (end > chunk.length) at = fill(chunk, at)
        else {
          // Most frames are read where they are.
          check(bodyAt - at - SIZES_BYTES, end - bodyAt)
          const body = end > bodyAt ? chunk.subarray(bodyAt, end) : undefined
          onFrame(packr.unpack(chunk.subarray(at + SIZES_BYTES, bodyAt)), body)
          at = end
        }
      }
    },
  }
}

/** A large message has room in front for its trace fields, as in smtp/message-buffer.ts. */
function placeFor(bytes: number): Buffer {
  if (bytes < LARGE_BYTES) return Buffer.allocUnsafeSlow(bytes)
  return sharedPagesOf(HEADROOM_BYTES + bytes).subarray(HEADROOM_BYTES)
}
