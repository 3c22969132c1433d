/**
 * Finds commits of other processes by the versions of what is waited for, all in one query: often while the engine does not hear them, and seldom while
 * it does, since a notification may get lost. With an engine of one process nothing runs.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { createCommitListeners } from './commit-listeners.js'
import type { Engine, Hearing } from './engine.js'
import { StorageError } from './errors.js'
import type { Waiters } from './waiters.js'

/** Max time that a waiter sleeps on after a commit that the engine did not hear, apart from the query. */
const POLL_MS = 250
/** The same for a notification that was lost while the engine heard all others. */
const HEAL_MS = 5_000

export interface VersionPollerDeps {
  engine: Pick<Engine, 'versions' | 'hears'>
  waiters: Waiters
  listeners: ReturnType<typeof createCommitListeners>
  /** In milliseconds, as `Hearing.sinceMs`; `performance.now` by default. */
  now?: () => number
}

export class VersionPoller {
  readonly #deps: VersionPollerDeps
  readonly #now: () => number
  readonly #followed = new Set<{ partitions: () => Iterable<string> }>()
  /** The last reported versions of followed partitions. */
  #seen = new Map<string, bigint>()
  #polledAt = -Infinity
  #running: Promise<void> | undefined
  #isStopped = false
  #endPause: () => void = () => undefined

  constructor(deps: VersionPollerDeps) {
    this.#deps = deps
    this.#now = deps.now ?? (() => performance.now())
  }

  /** See `Store.follow`. */
  follow(partitions: () => Iterable<string>): () => void {
    const followed = { partitions }
    this.#followed.add(followed)
    this.start()
    return () => void this.#followed.delete(followed)
  }

  /** Polls until nothing is waited for any more. Called when that begins. */
  start(): void {
    if (this.#deps.engine.hears && !this.#isStopped) this.#running ??= this.#run()
  }

  /** A commit was reported to the listeners. */
  saw(partition: string, version: bigint): void {
    const seen = this.#seen.get(partition)
    if (seen !== undefined && version > seen) this.#seen.set(partition, version)
  }

  /** Resolves when no query is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endPause()
    await this.#running
  }

  /** Queries the versions if it is time to, and reports those that moved. */
  async poll(): Promise<void> {
    const { engine, waiters, listeners } = this.#deps
    const startedAt = this.#now()
    if (!this.#isDue(engine.hears?.() ?? { state: 'alone', sinceMs: -Infinity }, startedAt)) return
    const followed = new Set([...this.#followed].flatMap(({ partitions }) => [...partitions()]))
    const names = [...new Set([...followed, ...waiters.partitions()])]
    if (names.length === 0) return
    let versions: readonly bigint[]
    try {
      versions = await engine.versions(names)
    } catch (error) {
      // Whoever reads or writes is told; the next poll tries again.
      if (error instanceof StorageError) return
      throw error
    }
    this.#polledAt = startedAt
    const seen = new Map<string, bigint>()
    names.forEach((name, i) => {
      const version = versions[i] ?? 0n
      waiters.tell(name, version)
      if (!followed.has(name)) return
      const before = this.#seen.get(name) ?? 0n
      const hasMoved = version > before || (version === 0n && before > 0n)
      seen.set(name, hasMoved ? version : before)
      if (hasMoved) listeners.tell(name, version, true)
    })
    this.#seen = seen
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && (this.#followed.size > 0 || this.#deps.waiters.size > 0)) {
      const ended = new Promise<void>((resolve) => (this.#endPause = resolve))
      await Promise.race([pause(POLL_MS), ended])
      if (!this.#isStopped) await this.poll()
    }
    this.#running = undefined
  }

  #isDue(hearing: Hearing, now: number): boolean {
    switch (hearing.state) {
      case 'alone':
        // The last commits of others may not have been heard.
        return this.#polledAt < hearing.sinceMs
      case 'unheard':
        return true
      case 'heard':
        return this.#polledAt < hearing.sinceMs || now - this.#polledAt >= HEAL_MS
    }
  }
}
