/** Parses large JSON bodies in a thread: mail with attachments would block everybody. */
import { Worker } from 'node:worker_threads'
import { brokenJson } from './json.js'

export type LargeJson = ReturnType<typeof createLargeJson>

export type ToJsonThread = { id: number; body: Uint8Array }
export type FromJsonThread = { id: number; value: unknown } | { id: number; problem: string }

interface Question {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  open: Map<number, Question>
}

/** Limit of V8's heap, for the largest body that can be configured. */
const MAX_HEAP_MB = 4096

/** The first body starts the thread; the next one replaces a dead thread. */
export function createLargeJson() {
  let thread: Thread | undefined
  let lastId = 0

  function start(): Thread {
    const worker = new Worker(new URL('./json-thread.js', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const started: Thread = { worker, open: new Map() }
    worker.unref()
    worker.on('message', (message: FromJsonThread) => {
      const question = started.open.get(message.id)
      started.open.delete(message.id)
      if ('problem' in message) question?.reject(brokenJson(message.problem))
      else question?.resolve(message.value)
    })
    const fail = (error: Error): void => {
      if (thread === started) thread = undefined
      for (const { reject } of started.open.values()) reject(error)
      started.open.clear()
    }
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('The thread that parses large bodies ended')))
    return started
  }

  return {
    /** @throws ServiceError `invalid_request` like `parseJson`. The buffer is transferred: it is empty afterwards. */
    parse(body: Buffer): Promise<unknown> {
      thread ??= start()
      const { worker, open } = thread
      const id = ++lastId
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject })
        const { buffer } = body
        // Buffers with shared memory cannot be transferred.
        const isOwn = buffer instanceof ArrayBuffer && body.length === buffer.byteLength
        worker.postMessage({ id, body } satisfies ToJsonThread, isOwn ? [buffer] : [])
      })
    },
    async close(): Promise<void> {
      await thread?.worker.terminate()
    },
  }
}
