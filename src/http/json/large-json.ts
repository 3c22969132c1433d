/** Large JSON bodies are parsed in a thread: a letter with its attachments would keep everybody else waiting for as long as that takes. */
import { Worker } from 'node:worker_threads'
import { brokenJson } from './json.js'

export interface LargeJson {
  /** @throws ServiceError `invalid_request` as `parseJson` does. The buffer is handed over: it is empty afterwards. */
  parse(body: Buffer): Promise<unknown>
  close(): Promise<void>
}

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

/** The thread is started by the first body; one that dies is replaced by the next. */
export function createLargeJson(): LargeJson {
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
    parse(body) {
      thread ??= start()
      const { worker, open } = thread
      const id = ++lastId
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject })
        const { buffer } = body
        // A buffer that shares its memory with others can't be handed over.
        const isOwn = buffer instanceof ArrayBuffer && body.length === buffer.byteLength
        worker.postMessage({ id, body } satisfies ToJsonThread, isOwn ? [buffer] : [])
      })
    },
    async close() {
      await thread?.worker.terminate()
    },
  }
}
