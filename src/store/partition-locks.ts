/**
 * Writers wait in line for their partitions, first come, first served, and those that arrive while a commit is written to the disk share the next
 * one: ten waiting writers cost one sync instead of ten. A writer is in the line of each of its partitions at once, and is served when it is first in
 * all of them, which prevents deadlocks.
 */

export interface Writer {
  /** Distinct names. */
  readonly partitions: readonly string[]
}

/**
 * @param serve serves some of the writers, from the first on, and returns their number: at least one. Never rejects. The others wait for the next
 *   turn
 * @param most max writers that are served together
 */
export function createLines<W extends Writer>(serve: (writers: W[]) => Promise<number>, most: number) {
  /** `busy` while a writer is being served there. */
  const lines = new Map<string, { waiting: W[]; busy: boolean }>()

  /** The writers that can be served together with `first`, which is first in all of its lines. */
  function gather(first: W): { writers: W[]; taken: Map<string, number> } {
    const writers = [first]
    /** Writers taken from the head of each line. */
    const taken = new Map(first.partitions.map((partition) => [partition, 1]))
    const isNext = (writer: W, partition: string): boolean => {
      const line = lines.get(partition)
      return line !== undefined && !line.busy && line.waiting[taken.get(partition) ?? 0] === writer
    }
    // Writers added during the loop are visited as well.
    for (const partition of taken.keys()) {
      for (;;) {
        const next = lines.get(partition)?.waiting[taken.get(partition) ?? 0]
        if (!next || writers.length === most || !next.partitions.every((each) => isNext(next, each))) break
        writers.push(next)
        for (const each of next.partitions) taken.set(each, (taken.get(each) ?? 0) + 1)
      }
    }
    return { writers, taken }
  }

  async function run({ writers, taken }: { writers: W[]; taken: Map<string, number> }): Promise<void> {
    for (const partition of taken.keys()) setBusy(partition, true)
    const served = await serve(writers)
    for (const writer of writers.slice(0, served))
      for (const partition of writer.partitions) lines.get(partition)?.waiting.shift()
    for (const partition of taken.keys()) setBusy(partition, false)
    for (const partition of taken.keys()) {
      const head = lines.get(partition)?.waiting[0]
      if (head) startIfFirst(head)
      else lines.delete(partition)
    }
  }

  function setBusy(partition: string, busy: boolean): void {
    const line = lines.get(partition)
    if (line) line.busy = busy
  }

  function startIfFirst(writer: W): void {
    for (const partition of writer.partitions) {
      const line = lines.get(partition)
      if (!line || line.busy || line.waiting[0] !== writer) return
    }
    void run(gather(writer))
  }

  return {
    add(writer: W): void {
      for (const partition of writer.partitions) {
        const line = lines.get(partition)
        if (line) line.waiting.push(writer)
        else lines.set(partition, { waiting: [writer], busy: false })
      }
      startIfFirst(writer)
    },
    /** Number of partitions with waiting writers. */
    get size() {
      return lines.size
    },
  }
}
