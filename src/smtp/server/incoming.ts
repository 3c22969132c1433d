/** Messages from DATA to the reply: their memory, their end, and who waits for them. What becomes of a whole message is the caller's decision. */
import type { Log } from '../../observe/log.js'
import { createMemoryPool, type MemoryPool } from '../memory-pool.js'
import { HEADROOM_BYTES } from '../message-buffer.js'
import { BUSY, replyCodes, TOO_LARGE, type Reply } from '../replies.js'
import type { DataSink } from '../session.js'
import type { Visitor } from './connections.js'
import { bufferedBytes, ReceivedData, type DataLimits } from './receive.js'

export interface IncomingDeps {
  limits: DataLimits
  log: Pick<Log, 'info'>
  /** Called after memory was dropped, which the garbage collector has yet to find. */
  onDropped?: (bytes: number) => void
}

/** Decides on a message. Never rejects. @param isWhole false if the client left before the end: then the reply is not sent */
export type Finish = (received: ReceivedData, isWhole: boolean) => Promise<Reply>

export class Incoming {
  readonly #memory: MemoryPool
  readonly #atWork = new Set<Promise<unknown>>()

  constructor(private readonly deps: IncomingDeps) {
    const { limits, onDropped } = deps
    const placeBytes = HEADROOM_BYTES + limits.maxMessageBytes
    this.#memory = createMemoryPool({
      maxBytes: bufferedBytes(limits),
      placeBytes,
      ...(onDropped && { onDropped }),
    })
  }

  /** Checks for memory at DATA, before the client sends the message. @param bytes declared size */
  roomFor(bytes: number, { session }: Visitor): Reply | undefined {
    if (bytes <= this.#memory.left) return undefined
    this.deps.log.info({ connection_id: session.id, reply: replyCodes(BUSY), reason: BUSY.reason }, BUSY.text)
    return BUSY
  }

  receive(visitor: Visitor, decide: Finish): DataSink {
    const received = new ReceivedData(this.#memory, this.deps.limits)
    let isOver = false
    // Closing waits for it from here on.
    let settle: () => void = () => undefined
    this.#track(new Promise<void>((resolve) => (settle = resolve)))
    const finish = async (isWhole: boolean): Promise<Reply> => {
      isOver = true
      try {
        return await decide(received, isWhole)
      } finally {
        // The reply is written before waiters continue.
        setImmediate(settle)
      }
    }
    return {
      write: (chunk) => {
        received.write(chunk)
        if (!isOver && received.isBeyondMeasure) {
          visitor.cut(TOO_LARGE)
          void finish(true)
        }
        return undefined
      },
      end: () => {
        received.end()
        return finish(true)
      },
      abort: () => {
        received.message.drop()
        if (!isOver) void finish(false)
      },
    }
  }

  /** Resolves when all messages in progress have their reply. */
  settled(): Promise<unknown> {
    return Promise.all(this.#atWork)
  }

  #track(work: Promise<unknown>): void {
    this.#atWork.add(work)
    void work.finally(() => this.#atWork.delete(work))
  }
}
