/** Receives the data of one message within limits. */
import { createLineCheck, describeLineProblem } from '../lines.js'
import type { MemoryPool } from '../memory-pool.js'
import { createMessageBuffer, type MessageBuffer } from '../message-buffer.js'
import { BUSY, HEADER_TOO_LARGE, malformed, TOO_LARGE, type Reply } from '../replies.js'
import { createHeaderCheck } from './header-size.js'

export interface DataLimits {
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  maxHeaderBytes: number
  /** Memory for incoming messages of all connections; 160 MiB by default, and at least four of the largest. */
  maxBufferedBytes?: number
}

const MIB = 1024 * 1024

export function bufferedBytes({ maxBufferedBytes, maxMessageBytes }: Omit<DataLimits, 'maxHeaderBytes'>): number {
  return maxBufferedBytes ?? Math.max(160 * MIB, 4 * maxMessageBytes)
}

/** A message being received. A refused one is read to its end, since the reply can't come earlier (RFC 5321 §4.1.1.4), but not kept. */
export class ReceivedData {
  bytes = 0
  readonly message: MessageBuffer
  refusal: Reply | undefined
  readonly #lines = createLineCheck()
  readonly #header

  constructor(
    memory: MemoryPool,
    private readonly limits: Pick<DataLimits, 'maxMessageBytes' | 'maxHeaderBytes'>,
  ) {
    this.#header = createHeaderCheck(limits.maxHeaderBytes)
    this.message = createMessageBuffer(memory)
  }

  /** Past twice the limit the connection is cut. */
  get isBeyondMeasure(): boolean {
    return this.bytes > 2 * this.limits.maxMessageBytes
  }

  write(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.refusal) return
    if (this.bytes > this.limits.maxMessageBytes) return this.#refuse(TOO_LARGE)
    const problem = this.#lines.push(chunk)
    if (problem) return this.#refuse(malformed(describeLineProblem(problem)))
    if (this.#header.push(chunk)) return this.#refuse(HEADER_TOO_LARGE)
    if (!this.message.push(chunk)) this.#refuse(BUSY)
  }

  end(): void {
    const problem = this.refusal ? undefined : this.#lines.end()
    if (problem) this.#refuse(malformed(describeLineProblem(problem)))
  }

  #refuse(reply: Reply): void {
    this.refusal = reply
    this.message.drop()
  }
}
