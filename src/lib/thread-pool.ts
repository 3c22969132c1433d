/**
 * Worker threads for work that would block the main thread. One job per thread. Owners take turns, and none gets all threads, so one owner's work
 * delays another's by one job at most. A job is stopped when its caller is gone or its time is over.
 */
import { parentPort, Worker } from 'node:worker_threads'
import { messageOf } from './thrown.js'
import { ServiceError } from './errors.js'

/** The caller of a job. */
export interface Asker {
  /** Owners take turns; usually an account. */
  readonly owner: string
  /** The API key of the request: limits its waiting jobs. Undefined for the service's own work, which has no such limit. */
  readonly key?: string | undefined
  /** Aborted when the result is no longer needed. Checked only for jobs that go to a thread. */
  readonly signal?: AbortSignal | undefined
  /** Called with the milliseconds that a thread worked on a job, however it ended. */
  charge?(ms: number): void
}

export interface ThreadPoolDeps {
  /** The threads' code; it must call `serveJobs`. */
  code: URL
  /** Number of threads; at least two so that one owner does not block others. Each is started by the first job that needs it. */
  count: number
  workerData?: unknown
  /** Time limit of one job. */
  deadlineMs: number
  /** V8 heap of each thread. */
  maxHeapMb: number
  maxWaiting?: number
  maxWaitingPerKey?: number
  /** Time for a job to end by itself once its caller is gone: replacing a thread costs more than a short job. */
  graceMs?: number
}

/** A job exceeded its limit of time or memory. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

/** The result of a job, and its buffers to transfer instead of copying. */
export interface JobResult<Result> {
  value: Result
  transfer?: ArrayBuffer[]
}

type FromThread<Result> = { value: Result } | { failed: string }

interface Job<J, Result> {
  job: J
  asker: Asker
  thread: Thread<J, Result> | undefined
  resolve(value: Result): void
  reject(error: unknown): void
}

interface Thread<J, Result> {
  worker: Worker
  at: { job: Job<J, Result>; begunAt: number; timer: NodeJS.Timeout } | undefined
}

interface Owner<J, Result> {
  waiting: Job<J, Result>[]
  running: number
}

const MAX_WAITING = 512
const MAX_WAITING_PER_KEY = 16
const GRACE_MS = 200

/** Threads that are started as they are needed. */
export class ThreadPool<J, Result> {
  readonly #deps: ThreadPoolDeps
  readonly #graceMs: number
  readonly #maxWaiting: number
  readonly #maxWaitingPerKey: number
  readonly #maxRunningPerOwner: number
  readonly #threads = new Set<Thread<J, Result>>()
  /** In the order of turns: the owner served last is last. */
  readonly #owners = new Map<string, Owner<J, Result>>()
  readonly #waitingOfKey = new Map<string, number>()
  #waiting = 0
  #closed = false

  constructor(deps: ThreadPoolDeps) {
    this.#deps = deps
    this.#graceMs = deps.graceMs ?? GRACE_MS
    this.#maxWaiting = deps.maxWaiting ?? MAX_WAITING
    this.#maxWaitingPerKey = deps.maxWaitingPerKey ?? MAX_WAITING_PER_KEY
    this.#maxRunningPerOwner = Math.max(1, deps.count - 1)
  }

  /** Number of jobs that no thread has begun. */
  get waiting(): number {
    return this.#waiting
  }

  /** Number of jobs in progress. */
  get running(): number {
    return [...this.#threads].filter(({ at }) => at).length
  }

  /**
   * @throws TookTooLong when it exceeds the limits of time or memory; its thread is replaced
   * @throws ServiceError `rate_limited` when the key has too many waiting jobs, `unavailable` when too many wait at all
   * @throws the reason of the caller's signal once that is aborted
   */
  async run(given: J, asker: Asker): Promise<Result> {
    const { key, signal } = asker
    if (this.#closed) throw ended()
    signal?.throwIfAborted()
    if (key !== undefined && (this.#waitingOfKey.get(key) ?? 0) >= this.#maxWaitingPerKey)
      throw tooManyOfKey(this.#maxWaitingPerKey)
    if (this.#waiting >= this.#maxWaiting) throw tooManyOfAll()
    let onAbort: (() => void) | undefined
    try {
      return await new Promise<Result>((resolve, reject) => {
        const job: Job<J, Result> = { job: given, asker, thread: undefined, resolve, reject }
        onAbort = () => this.#abandon(job)
        signal?.addEventListener('abort', onAbort, { once: true })
        this.#joinLine(job)
        this.#pump()
      })
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Ends the threads; jobs in progress fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const owner of this.#owners.values()) for (const job of owner.waiting.splice(0)) job.reject(ended())
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()))
  }

  #start(): Thread<J, Result> {
    const resourceLimits = { maxOldGenerationSizeMb: this.#deps.maxHeapMb }
    const worker = new Worker(this.#deps.code, { workerData: this.#deps.workerData, execArgv: [], resourceLimits })
    const thread: Thread<J, Result> = { worker, at: undefined }
    this.#threads.add(thread)
    worker.on('message', (message: FromThread<Result>) => {
      const job = this.#finish(thread)
      worker.unref()
      if ('value' in message) job?.resolve(message.value)
      else job?.reject(new Error(message.failed))
      this.#pump()
    })
    worker.once('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#drop(thread, isMemory ? new TookTooLong('a job needed too much memory', { cause: error }) : error)
    })
    worker.once('exit', () => this.#drop(thread, new Error('a thread ended during a job')))
    return thread
  }

  /** Ends a thread; the next job that needs one starts another. */
  #drop(thread: Thread<J, Result>, error: unknown): void {
    if (!this.#threads.delete(thread)) return
    this.#finish(thread)?.reject(error)
    void thread.worker.terminate()
    this.#pump()
  }

  /** Removes the finished job from a thread, and charges for it. */
  #finish(thread: Thread<J, Result>): Job<J, Result> | undefined {
    const { at } = thread
    if (!at) return undefined
    thread.at = undefined
    clearTimeout(at.timer)
    const { asker } = at.job
    const owner = this.#owners.get(asker.owner)
    if (owner) owner.running--
    if (owner?.running === 0 && owner.waiting.length === 0) this.#owners.delete(asker.owner)
    asker.charge?.(performance.now() - at.begunAt)
    return at.job
  }

  #pump(): void {
    while (!this.#closed) {
      const free = [...this.#threads].find(({ at }) => !at)
      const job = free || this.#threads.size < this.#deps.count ? this.#nextJob() : undefined
      if (!job) return
      const thread = free ?? this.#start()
      const tooLong = new TookTooLong(`a job took longer than ${this.#deps.deadlineMs} ms`)
      job.thread = thread
      thread.at = {
        job,
        begunAt: performance.now(),
        timer: setTimeout(() => this.#drop(thread, tooLong), this.#deps.deadlineMs),
      }
      thread.worker.ref()
      thread.worker.postMessage(job.job)
    }
  }

  /** The next job of the owner whose turn it is. */
  #nextJob(): Job<J, Result> | undefined {
    for (const [name, owner] of this.#owners) {
      const job = owner.running < this.#maxRunningPerOwner ? owner.waiting[0] : undefined
      if (!job) continue
      this.#owners.delete(name)
      this.#owners.set(name, owner)
      owner.running++
      this.#leaveLine(job)
      return job
    }
    return undefined
  }

  #joinLine(job: Job<J, Result>): void {
    const { owner: name, key } = job.asker
    const owner = this.#owners.get(name) ?? { waiting: [], running: 0 }
    this.#owners.set(name, owner)
    owner.waiting.push(job)
    this.#waiting++
    if (key !== undefined) this.#waitingOfKey.set(key, (this.#waitingOfKey.get(key) ?? 0) + 1)
  }

  #leaveLine(job: Job<J, Result>): void {
    const { owner: name, key } = job.asker
    const owner = this.#owners.get(name)
    owner?.waiting.splice(owner.waiting.indexOf(job), 1)
    if (owner?.running === 0 && owner.waiting.length === 0) this.#owners.delete(name)
    this.#waiting--
    if (key === undefined) return
    const left = (this.#waitingOfKey.get(key) ?? 1) - 1
    if (left === 0) this.#waitingOfKey.delete(key)
    else this.#waitingOfKey.set(key, left)
  }

  /** Removes a job whose caller is gone. */
  #abandon(job: Job<J, Result>): void {
    const { thread, asker } = job
    job.reject(asker.signal?.reason)
    if (!thread) return this.#leaveLine(job)
    if (thread.at?.job !== job) return
    clearTimeout(thread.at.timer)
    thread.at.timer = setTimeout(() => this.#drop(thread, asker.signal?.reason), this.#graceMs)
  }
}

/** Runs the jobs of a pool within a thread, one after the other. */
export function serveJobs<J, Result>(run: (job: J) => Promise<JobResult<Result>> | JobResult<Result>): void {
  const port = parentPort
  port?.on('message', (job: J) => {
    const failed = (error: unknown): void => {
      const told = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
      port.postMessage({ failed: told } satisfies FromThread<Result>)
    }
    void (async () => {
      const { value, transfer } = await run(job)
      port.postMessage({ value } satisfies FromThread<Result>, transfer)
    })().catch(failed)
  })
}

function ended(): Error {
  return new Error('the threads have ended')
}

function tooManyOfKey(count: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `${count} expensive requests of this key are already waiting.`,
    'Wait for their responses before sending more; long HTML, many files and large files are expensive.',
    { retryAfterSeconds: 2 },
  )
}

function tooManyOfAll(): ServiceError {
  return new ServiceError('unavailable', 'Too many expensive requests are waiting.', 'Try again in some seconds.', {
    retryAfterSeconds: 5,
  })
}
