/**
 * Reading, writing and waiting, over any engine.
 * Writers of one process wait in line for their partitions, in memory (partition-locks.ts), so only another process can cause a conflict. Readers
 * never wait: each has a snapshot.
 */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.js'
import { after, type Maybe } from '../lib/maybe.js'
import { createCommitListeners, type CommitListener } from './commit-listeners.js'
import type { Check, Engine, Op, Reader } from './engine.js'
import { FateUnknownError, UnreachableStoreError } from './errors.js'
import { checkPartition } from './keys.js'
import { createLines, type Writer } from './partition-locks.js'
import { createOverlay, viewOf } from './overlay.js'
import type { Store, Transaction, View } from './types.js'
import { VersionPoller } from './version-poller.js'
import { createWaiters } from './waiters.js'

/** Max tries over partitions that others keep changing; about 3 seconds with the pauses. */
const MAX_TRIES = 100
/** Conflicts after which each further try is delayed. */
const TRIES_AT_ONCE = 4
const MAX_PAUSE_MS = 64
/** Max time that the writers of a group keep the thread. */
const TURN_MS = 5
/** Pause between queries for the fate of a commit. */
const FATE_PAUSE_MS = 250

/** Max writers in one commit; keeps the turn in which it is applied short. */
const MAX_GROUP = 64
const MAX_GROUP_BYTES = 1024 * 1024

interface Write extends Writer {
  /** Resolves with a function that delivers the result to the caller. */
  run(tx: Transaction): Promise<() => void>
  reject(error: unknown): void
}

/** @param engine belongs to the store, which closes it */
export function createStore(engine: Engine): Store {
  return new EngineStore(engine)
}

class EngineStore implements Store {
  readonly #engine: Engine
  readonly #lines = createLines<Write>((writes) => this.#commitGroup(writes), MAX_GROUP)
  readonly #waiters = createWaiters()
  readonly #listeners = createCommitListeners()
  readonly #poller: VersionPoller
  readonly #stopListening: () => void
  readonly #reading = new Set<Promise<unknown>>()
  readonly #writing = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined

  constructor(engine: Engine) {
    this.#engine = engine
    this.#poller = new VersionPoller({ engine, waiters: this.#waiters, listeners: this.#listeners })
    this.#stopListening = engine.onCommit((partition, version, byOther) => {
      this.#poller.saw(partition, version)
      this.#waiters.tell(partition, version)
      this.#listeners.tell(partition, version, byOther)
    })
  }

  read<T>(partition: string, fn: (view: View) => Maybe<T>): Promise<T> {
    return this.#track(() => this.#engine.read((reader) => fn(viewOf(reader, partition))), this.#reading)
  }

  write<T>(named: string | readonly string[], fn: (tx: Transaction) => Maybe<T>): Promise<T> {
    return this.#track(
      () =>
        new Promise<T>((resolve, reject) => {
          const partitions = typeof named === 'string' ? [named] : [...new Set(named)]
          for (const partition of partitions) checkPartition(partition)
          this.#lines.add({
            partitions,
            run: async (tx) => {
              const result = await fn(tx)
              return () => resolve(result)
            },
            reject,
          })
        }),
      this.#writing,
    )
  }

  version(partition: string): Maybe<bigint> {
    this.#assertOpen()
    return after(this.#engine.versions([partition]), ([version = 0n]) => version)
  }

  versions(partitions: readonly string[]): Maybe<bigint[]> {
    this.#assertOpen()
    return this.#engine.versions(partitions)
  }

  known(partition: string): bigint | undefined {
    this.#assertOpen()
    return this.#engine.known?.(partition)
  }

  newest(): bigint | undefined {
    this.#assertOpen()
    return this.#engine.newest()
  }

  async partitions(after: string, limit: number): Promise<string[]> {
    this.#assertOpen()
    return this.#engine.read((reader) => reader.partitions(after, limit))
  }

  async wait(partition: string, known: bigint, signal: AbortSignal): Promise<bigint> {
    this.#assertOpen()
    // In this order: a commit during the read of the version wakes the waiter already.
    const waiter = this.#waiters.add(partition, known)
    this.#poller.start()
    const onAbort = (): void => waiter.wake()
    // Many may wait with one signal; each removes its listener.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', onAbort)
    try {
      const version = await this.version(partition)
      // 0 after a greater version: the partition is gone, and no later commit may come.
      if (version > known || (version === 0n && known > 0n) || signal.aborted) return version
      const woken = await waiter.woken
      if (woken !== undefined) return woken
      // Reads the version again, since a hint may have been lost.
      return await this.version(partition)
    } finally {
      signal.removeEventListener('abort', onAbort)
      waiter.leave()
    }
  }

  onCommit(fn: CommitListener): () => void {
    return this.#listeners.add(fn)
  }

  follow(partitions: () => Iterable<string>): () => void {
    this.#assertOpen()
    return this.#poller.follow(partitions)
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing)
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#waiters.wakeAll()
      await Promise.allSettled([...this.#reading, ...this.#writing])
      this.#stopListening()
      await this.#poller.stop()
      await this.#engine.close()
    })()
    return this.#closed
  }

  /** Lets `close` wait for work in progress. */
  async #track<T>(start: () => Promise<T>, among: Set<Promise<unknown>>): Promise<T> {
    this.#assertOpen()
    const work = start()
    among.add(work)
    try {
      return await work
    } finally {
      among.delete(work)
    }
  }

  /** One commit for the writers at the head of their lines. None gets a result, not even a refusal, before it is durable. */
  async #commitGroup(writes: Write[]): Promise<number> {
    let tried = 1
    try {
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        const { checks, ops, outcomes } = await this.#attempt(async (reader) => {
          const overlay = createOverlay(reader)
          const outcomes: (() => void)[] = []
          let turnEnds = performance.now() + TURN_MS
          for (const write of writes) {
            if (overlay.bytes > MAX_GROUP_BYTES) break
            if (performance.now() > turnEnds) {
              await nextTurn()
              turnEnds = performance.now() + TURN_MS
            }
            tried = outcomes.length + 1
            const part = overlay.begin(write.partitions)
            try {
              const tell = await write.run(part.tx)
              part.end(true)
              outcomes.push(() => {
                part.committed()
                tell()
              })
            } catch (error) {
              // Not of this write alone: the engine reads again, on another connection.
              if (error instanceof UnreachableStoreError) throw error
              part.end(false)
              outcomes.push(() => write.reject(error))
            }
          }
          return { checks: overlay.checks(), ops: overlay.ops(), outcomes }
        })
        // Reads of several partitions may be inconsistent then, so a refusal based on them does not count.
        const isBelieved = ops.length === 0 && !this.#engine.attempt && (this.#engine.wholeStore || checks.length < 2)
        if (isBelieved || (await this.#commit(checks, ops))) {
          for (const tell of outcomes) tell()
          return outcomes.length
        }
        if (tries >= TRIES_AT_ONCE) await pause(Math.random() * Math.min(2 ** (tries - TRIES_AT_ONCE), MAX_PAUSE_MS))
      }
      throw tooBusy(writes[0])
    } catch (error) {
      for (const write of writes.slice(0, tried)) write.reject(error)
      return tried
    }
  }

  #attempt<T>(fn: (reader: Reader) => Maybe<T>): Promise<T> {
    return this.#engine.attempt ? this.#engine.attempt(fn) : this.#engine.read(fn)
  }

  /** @returns false when another process changed what it depends on */
  async #commit(checks: Check[], ops: Op[]): Promise<boolean> {
    const mark = randomUUID()
    try {
      return (await this.#engine.commit(checks, ops, mark)) !== 'conflict'
    } catch (error) {
      const [first] = ops
      if (!(error instanceof FateUnknownError) || !first) throw error
      return this.#fateOf(first.partition, mark)
    }
  }

  async #fateOf(partition: string, mark: string): Promise<boolean> {
    for (let asked = 1; ; asked++) {
      try {
        return await this.#engine.fate(partition, mark)
      } catch (error) {
        if (asked === MAX_TRIES) throw error
        await pause(FATE_PAUSE_MS)
      }
    }
  }

  #assertOpen(): void {
    if (this.#closed) {
      throw new ServiceError('unavailable', 'The store is closed.', 'Try again in a moment.', { retryAfterSeconds: 5 })
    }
  }
}

function tooBusy(write: Write | undefined): ServiceError {
  return new ServiceError(
    'unavailable',
    'Concurrent requests keep changing the same thing.',
    'Try again in a moment.',
    {
      retryAfterSeconds: 1,
      cause: new Error(`${write?.partitions.join(', ')} changed in each of ${MAX_TRIES} tries`),
    },
  )
}
