/**
 * Callers that sleep until a partition changes. A sleeper is an entry in a set: thousands cost only memory, and a commit visits only its own
 * partition's.
 */

export interface Waiter {
  /** The new version; undefined when the waiter was woken for another reason. */
  woken: Promise<bigint | undefined>
  wake(version?: bigint): void
  /** Removes the waiter; must be called however the wait ended. */
  leave(): void
}

export interface Waiters {
  add(partition: string, after: bigint): Waiter
  /** Wakes the waiters whose partition is past the version that they wait for. */
  tell(partition: string, version: bigint): void
  wakeAll(): void
  /** Number of partitions with waiters. */
  readonly size: number
}

interface Sleeper {
  after: bigint
  wake(version?: bigint): void
}

export function createWaiters(): Waiters {
  const sleepers = new Map<string, Set<Sleeper>>()

  return {
    add(partition, after) {
      let resolve: (version?: bigint) => void
      const woken = new Promise<bigint | undefined>((settle) => {
        resolve = settle
      })
      const sleeper: Sleeper = { after, wake: (version) => resolve(version) }
      const others = sleepers.get(partition)
      if (others) others.add(sleeper)
      else sleepers.set(partition, new Set([sleeper]))
      return {
        woken,
        wake: sleeper.wake,
        leave() {
          const set = sleepers.get(partition)
          if (set?.delete(sleeper) && set.size === 0) sleepers.delete(partition)
        },
      }
    },
    tell(partition, version) {
      for (const sleeper of sleepers.get(partition) ?? []) if (version > sleeper.after) sleeper.wake(version)
    },
    wakeAll() {
      for (const set of sleepers.values()) for (const sleeper of set) sleeper.wake()
    },
    get size() {
      return sleepers.size
    },
  }
}
