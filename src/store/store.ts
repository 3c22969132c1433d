/**
 * Reading, writing and waiting on one partition, over any engine.
 *
 * Writers of one process stand in a line for their partition, in memory, so that only another process can make a commit conflict; those
 * that wait while a commit is on its way share the next one. Readers never stand in it: they look whether the version moved while they
 * read, and read again when it did.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.js'
import type { Engine, Maybe } from './engine.js'
import { createGroups } from './groups.js'
import { createOverlay, viewOf } from './overlay.js'
import type { Store, Transaction } from './types.js'
import { createWaiters } from './waiters.js'

/** Times a function is run over a partition that somebody else keeps changing; with the pauses about 3 seconds. */
const MAX_TRIES = 100
/** Conflicts after which each further try comes after a pause. */
const TRIES_AT_ONCE = 4
const MAX_PAUSE_MS = 64

/** What one commit takes at most; keeps the turn in which it is applied short. */
const MAX_GROUP = 64
const MAX_GROUP_BYTES = 1024 * 1024

interface Writer {
  /** Resolves with the function that hands its result to the caller. */
  run(tx: Transaction): Promise<() => void>
  reject(error: unknown): void
}

/** What one run of a function came to: its result, or nothing, because the partition moved under it. */
type Run<T> = { moved: false; result: T } | { moved: true }
const MOVED = { moved: true } as const

/** @param engine belongs to the store from here on, which closes it */
export function createStore(engine: Engine): Store {
  const groups = createGroups(commitGroup)
  const waiters = createWaiters()
  const stopListening = engine.onCommit((partition, version) => waiters.tell(partition, version))
  const running = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  /** `close` waits for what is at work. */
  const track = async <T>(start: () => Promise<T>): Promise<T> => {
    assertOpen()
    const work = start()
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }

  /** One commit for the writers at the head of the line. Nobody is told anything, of a refusal either, before it is durable. */
  async function commitGroup(partition: string, line: Writer[]): Promise<void> {
    let tried = 1
    try {
      const settle = await untilStill(partition, async () => {
        const version = await engine.version(partition)
        const overlay = createOverlay(engine, partition)
        const outcomes: (() => void)[] = []
        for (const writer of line) {
          if (outcomes.length === MAX_GROUP || overlay.bytes > MAX_GROUP_BYTES) break
          tried = outcomes.length + 1
          const part = overlay.begin()
          try {
            outcomes.push(await writer.run(part.tx))
            part.end(true)
          } catch (error) {
            part.end(false)
            // Half of one version and half of the next may be why it threw.
            if ((await engine.version(partition)) !== version) return MOVED
            outcomes.push(() => writer.reject(error))
          }
        }
        const ops = overlay.ops()
        const still =
          ops.length > 0 ? await engine.commit(partition, version, ops) : (await engine.version(partition)) === version
        return still ? { moved: false, result: outcomes } : MOVED
      })
      line.splice(0, settle.length)
      for (const tell of settle) tell()
    } catch (error) {
      for (const writer of line.splice(0, tried)) writer.reject(error)
    }
  }

  const assertOpen = (): void => {
    if (closed) {
      throw new ServiceError('unavailable', 'The store is closed.', 'Try again in a moment.', { retryAfterSeconds: 5 })
    }
  }

  return {
    read: (partition, fn) =>
      track(() =>
        untilStill(partition, async () => {
          const version = await engine.version(partition)
          try {
            const result = await fn(viewOf(engine, partition), version)
            return (await engine.version(partition)) === version ? { moved: false, result } : MOVED
          } catch (error) {
            // Half of one version and half of the next may be why it threw.
            if ((await engine.version(partition)) !== version) return MOVED
            throw error
          }
        }),
      ),

    write: <T>(partition: string, fn: (tx: Transaction) => Maybe<T>) =>
      track(
        () =>
          new Promise<T>((resolve, reject) => {
            groups.add(partition, {
              async run(tx) {
                const result = await fn(tx)
                return () => resolve(result)
              },
              reject,
            })
          }),
      ),

    async version(partition) {
      assertOpen()
      return engine.version(partition)
    },

    async partitions(after, limit) {
      assertOpen()
      return engine.partitions(after, limit)
    },

    async wait(partition, after, signal) {
      assertOpen()
      // In this order: a commit that comes while the version is read wakes the waiter already.
      const waiter = waiters.add(partition, after)
      const onAbort = (): void => waiter.wake()
      // Many may wait with one signal; each takes its listener away again.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', onAbort)
      try {
        const version = await engine.version(partition)
        // 0 after more than that: all of it has gone, and nobody may be left to tell of it.
        if (version > after || (version === 0n && after > 0n) || signal.aborted) return version
        const woken = await waiter.woken
        if (woken !== undefined) return woken
        // The version is looked at once more, since a hint may have been lost.
        assertOpen()
        return await engine.version(partition)
      } finally {
        signal.removeEventListener('abort', onAbort)
        waiter.leave()
      }
    },

    onCommit: (fn) => engine.onCommit(fn),

    close() {
      closed ??= (async () => {
        waiters.wakeAll()
        await Promise.allSettled(running)
        stopListening()
        await engine.close()
      })()
      return closed
    },
  }
}

async function untilStill<T>(partition: string, run: () => Promise<Run<T>>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const outcome = await run()
    if (!outcome.moved) return outcome.result
    if (tries >= TRIES_AT_ONCE) await pause(Math.random() * Math.min(2 ** (tries - TRIES_AT_ONCE), MAX_PAUSE_MS))
  }
  throw new ServiceError('unavailable', 'Others keep changing the same thing.', 'Try again in a moment.', {
    retryAfterSeconds: 1,
    cause: new Error(`${partition} moved in each of ${MAX_TRIES} tries`),
  })
}
