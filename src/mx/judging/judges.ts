/**
 * Judging threads. The main thread keeps sessions, store and API: a costly message only delays other messages, and one that kills its thread (memory, a bug)
 * gets a 451, and the thread is replaced.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import type { Judgement, JudgeInput } from './judge.js'
import type { FromJudge, JudgeOptions, ToJudge } from './judge-worker.js'

export interface JudgesDeps {
  count: number
  options: JudgeOptions
  log: Log
  /** Replaced in tests. */
  worker?: URL
  /** Age of a question at which its thread is pinged. DNS look-ups may take long, which is no reason to end it. */
  doubtMs?: number
  pongMs?: number
}

interface Question {
  resolve: (judgement: Judgement) => void
  reject: (error: Error) => void
  askedAt: number
}

interface Thread {
  worker: Worker
  ready: boolean
  /** By number, oldest first. */
  open: Map<number, Question>
  /** Runs while a pong is awaited. */
  waiting: NodeJS.Timeout | undefined
}

/** Number of checks of the oldest question within `doubtMs`. */
const LOOKS_IN_DOUBT = 4
/** V8 heap of a thread, many times what the largest message needs; beyond it only the thread ends. */
const MAX_HEAP_MB = 1024

/** Resolves when all threads are ready. @throws if one can't start */
export async function startJudges(deps: JudgesDeps) {
  const {
    options,
    log,
    worker: code = new URL('./judge-worker.js', import.meta.url),
    doubtMs = 60 * SECOND,
    pongMs = 10 * SECOND,
  } = deps
  const threads: Thread[] = []
  let lastId = 0
  let closed = false

  function start(): Thread {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
    const worker = new Worker(code, { workerData: options, execArgv: [], resourceLimits })
    const thread: Thread = { worker, ready: false, open: new Map(), waiting: undefined }
    const doubt = setInterval(() => {
      const [oldest] = thread.open.values()
      if (oldest && performance.now() - oldest.askedAt >= doubtMs) ping(thread)
    }, doubtMs / LOOKS_IN_DOUBT).unref()
    worker.on('message', (message: FromJudge) => receive(thread, message))
    worker.on('error', (err) => {
      if (!closed) log.error({ err, open: thread.open.size }, 'a judging thread failed')
    })
    worker.on('exit', () => {
      clearTimeout(thread.waiting)
      clearInterval(doubt)
      const at = threads.indexOf(thread)
      // The next message starts another: a thread that can't start is not restarted in a loop.
      if (at !== -1) threads.splice(at, 1)
      for (const { reject } of thread.open.values()) reject(new Error('the thread that judged the message ended'))
      thread.open.clear()
    })
    threads.push(thread)
    return thread
  }

  function receive(thread: Thread, message: FromJudge): void {
    thread.ready = true
    if (message.kind === 'ready') return
    clearTimeout(thread.waiting)
    thread.waiting = undefined
    if (message.kind === 'pong') return
    const question = thread.open.get(message.id)
    if (!question) return
    thread.open.delete(message.id)
    if (message.kind === 'judgement') question.resolve(message.judgement)
    else question.reject(new Error(message.reason))
  }

  function send(thread: Thread, message: ToJudge): void {
    thread.worker.postMessage(message)
  }

  function ping(thread: Thread): void {
    if (thread.waiting || !thread.ready) return
    send(thread, { kind: 'ping' })
    thread.waiting = setTimeout(() => {
      log.error({ open: thread.open.size }, 'a judging thread does not answer and is replaced')
      void thread.worker.terminate()
    }, pongMs).unref()
  }

  function idlest(): Thread {
    if (threads.length < deps.count) return start()
    return threads.reduce((best, thread) => (thread.open.size < best.open.size ? thread : best))
  }

  /** Ends the threads; open questions fail. */
  async function close(): Promise<void> {
    closed = true
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  try {
    await Promise.all(Array.from({ length: deps.count }, () => once(start().worker, 'message')))
  } catch (error) {
    await close()
    throw error
  }
  return {
    judge: (input: JudgeInput): Promise<Judgement> =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the judging threads have ended'))
        const thread = idlest()
        const id = ++lastId
        thread.open.set(id, { resolve, reject, askedAt: performance.now() })
        send(thread, { kind: 'judge', id, input })
      }),
    collect: (): void => {
      for (const thread of threads) if (thread.ready) send(thread, { kind: 'collect' })
    },
    close,
  }
}
