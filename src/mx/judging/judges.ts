/**
 * Threads that judge messages. The daemon's own thread keeps the sessions, the store and the API: a message that is costly to read holds up
 * other messages at most, and one that a thread dies of (memory, a bug) is put off with a 451, and the thread replaced.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import type { Judge, Judgement } from './judge.js'
import type { FromJudge, JudgeOptions, ToJudge } from './judge-worker.js'

export interface JudgesDeps {
  /** Threads, at least one. */
  count: number
  options: JudgeOptions
  log: Log
  /** The thread's code; another one for tests. */
  worker?: URL
  /** A thread with a question that is so old is asked whether it is there. Questions to the DNS may take long, and are no reason to end it. */
  doubtMs?: number
  /** So long it may take to say so. */
  pongMs?: number
}

export interface Judges {
  judge: Judge
  /** Ends the threads; what they were at work on fails. */
  close(): Promise<void>
}

interface Question {
  resolve: (judgement: Judgement) => void
  reject: (error: Error) => void
  askedAt: number
}

interface Thread {
  worker: Worker
  ready: boolean
  /** By number, the oldest first. */
  open: Map<number, Question>
  /** Runs while a pong is awaited. */
  waiting: NodeJS.Timeout | undefined
}

/** How often the oldest question is looked at until it is so old. */
const LOOKS_IN_DOUBT = 4
/** Of V8's heap. A message of the largest size takes a fraction of it; a thread that reaches it ends, and the process does not. */
const MAX_HEAP_MB = 1024

/** Resolves when all threads are ready. @throws when one of them can't start */
export async function startJudges(deps: JudgesDeps): Promise<Judges> {
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
    worker.on('message', (message: FromJudge) => hear(thread, message))
    worker.on('error', (err) => {
      if (!closed) log.error({ err, open: thread.open.size }, 'a judging thread failed')
    })
    worker.on('exit', () => {
      clearTimeout(thread.waiting)
      clearInterval(doubt)
      const at = threads.indexOf(thread)
      // The next message that has none starts another: a thread that can't start at all is not started again and again.
      if (at !== -1) threads.splice(at, 1)
      for (const { reject } of thread.open.values()) reject(new Error('the thread that judged the message ended'))
      thread.open.clear()
    })
    threads.push(thread)
    return thread
  }

  function hear(thread: Thread, message: FromJudge): void {
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

  function ask(thread: Thread, message: ToJudge): void {
    thread.worker.postMessage(message)
  }

  function ping(thread: Thread): void {
    if (thread.waiting || !thread.ready) return
    ask(thread, { kind: 'ping' })
    thread.waiting = setTimeout(() => {
      log.error({ open: thread.open.size }, 'a judging thread does not answer and is replaced')
      void thread.worker.terminate()
    }, pongMs).unref()
  }

  /** The one with the fewest open questions. */
  function idlest(): Thread {
    if (threads.length < deps.count) return start()
    return threads.reduce((best, thread) => (thread.open.size < best.open.size ? thread : best))
  }

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
    judge: (input) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the judging threads have ended'))
        const thread = idlest()
        const id = ++lastId
        thread.open.set(id, { resolve, reject, askedAt: performance.now() })
        ask(thread, { kind: 'judge', id, input })
      }),
    close,
  }
}
