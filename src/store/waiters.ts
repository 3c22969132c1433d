/**
 * Callers that sleep until a partition changes. A sleeper is an entry in a set: thousands cost only memory, and a commit visits only its own
 * partition's.
 */

interface Sleeper {
  after: bigint
  wake(version?: bigint): void
}

export type Waiters = ReturnType<typeof createWaiters>

export function createWaiters() {
  const sleepers = new Map<string, Set<Sleeper>>()

  return {
    add(partition: string, after: bigint) {
      let wake!: (version?: bigint) => void
      const woken = new Promise<bigint | undefined>((resolve) => (wake = resolve))
      const sleeper = { after, wake }
      const others = sleepers.get(partition)
      if (others) others.add(sleeper)
      else sleepers.set(partition, new Set([sleeper]))
      return {
        /** The new version; undefined when the waiter was woken for another reason. */
        woken,
        wake,
        /** Removes the waiter; must be called however the wait ended. */
        leave() {
          const set = sleepers.get(partition)
          if (set?.delete(sleeper) && set.size === 0) sleepers.delete(partition)
        },
      }
    },
    /** Wakes the waiters whose partition is past the version that they wait for, or is gone (0n). */
    tell(partition: string, version: bigint): void {
      for (const sleeper of sleepers.get(partition) ?? [])
        if (version > sleeper.after || (version === 0n && sleeper.after > 0n)) sleeper.wake(version)
    },
    wakeAll(): void {
      for (const set of sleepers.values()) for (const sleeper of set) sleeper.wake()
    },
    /** Partitions with waiters. */
    partitions: (): Iterable<string> => sleepers.keys(),
    /** Number of partitions with waiters. */
    get size() {
      return sleepers.size
    },
  }
}
