/**
 * Finished tasks that have not left the disk yet. Where doing a task again does no harm, its rows may stay for a moment and leave with the next
 * commit of their shard, so that finishing costs no commit of its own while there is more to do.
 */

export interface Leaving {
  id: string
  token: string | undefined
}

/** So long the rows of finished tasks wait for a commit to go with. */
const LONGEST_STAY_MS = 250

interface Waiting extends Leaving {
  gone: () => void
  failed: (error: unknown) => void
}

interface Shard {
  waiting: Set<Waiting>
  timer: NodeJS.Timeout
}

/** @param remove takes what is waiting in a shard off the disk, by calling `leaveWith` or otherwise */
export function createLeaving(remove: (partition: string) => Promise<void>) {
  const shards = new Map<string, Shard>()

  const flush = async (partition: string): Promise<void> => {
    const batch = [...(shards.get(partition)?.waiting ?? [])]
    if (batch.length === 0) return
    try {
      await remove(partition)
    } catch (error) {
      drop(partition, batch)
      for (const each of batch) each.failed(error)
    }
  }

  const drop = (partition: string, batch: Waiting[]): void => {
    const shard = shards.get(partition)
    if (!shard) return
    for (const each of batch) shard.waiting.delete(each)
    if (shard.waiting.size > 0) {
      // They came after the commit had begun, and the timer may have gone off by then.
      shard.timer.refresh()
      return
    }
    clearTimeout(shard.timer)
    shards.delete(partition)
  }

  return {
    /** Resolves when it has left the disk. */
    add(partition: string, task: Leaving): Promise<void> {
      return new Promise((gone, failed) => {
        const shard = shards.get(partition) ?? {
          waiting: new Set(),
          timer: setTimeout(() => void flush(partition), LONGEST_STAY_MS),
        }
        shards.set(partition, shard)
        shard.waiting.add({ ...task, gone, failed })
      })
    },

    /** A commit of this shard takes along what waits: `work` removes those it is given, as often as it is run. */
    async leaveWith<T>(partition: string, work: (tasks: () => Leaving[]) => Promise<T>): Promise<T> {
      let batch: Waiting[] = []
      const result = await work(() => (batch = [...(shards.get(partition)?.waiting ?? [])]))
      drop(partition, batch)
      for (const each of batch) each.gone()
      return result
    },

    /** Without waiting any longer. */
    async flush(partitions: string[]): Promise<void> {
      await Promise.all(partitions.map(flush))
    },
  }
}
