/**
 * Who writes at the same partitions stands in line for them, in the order in which they came, and those that come while a commit is on its way
 * to the disk share the next one: ten waiting writers cost one sync and not ten. A writer stands in the line of each of its partitions at once, and is
 * served when it is the first in all of them, so that nobody waits for somebody who waits for him.
 */

export interface Writer {
  /** Each once. */
  readonly partitions: readonly string[]
}

interface Line<W> {
  waiting: W[]
  /** Somebody is being served here. */
  busy: boolean
}

export interface Lines<W> {
  add(writer: W): void
  /** Partitions at which somebody stands. */
  readonly size: number
}

/**
 * @param serve serves some of the writers, from the first on, and says how many: at least one. Never rejects. The others wait for the next turn
 * @param most writers that are served together
 */
export function createLines<W extends Writer>(serve: (writers: W[]) => Promise<number>, most: number): Lines<W> {
  const lines = new Map<string, Line<W>>()

  /** The writers that can be served together with this one, which is the first in all of its lines. */
  function gather(first: W): { writers: W[]; taken: Map<string, number> } {
    const writers = [first]
    /** How many of each line, from its head on. */
    const taken = new Map(first.partitions.map((partition) => [partition, 1]))
    const isNext = (writer: W, partition: string): boolean => {
      const line = lines.get(partition)
      return line !== undefined && !line.busy && line.waiting[taken.get(partition) ?? 0] === writer
    }
    // What is added on the way is walked as well.
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
    add(writer) {
      for (const partition of writer.partitions) {
        const line = lines.get(partition)
        if (line) line.waiting.push(writer)
        else lines.set(partition, { waiting: [writer], busy: false })
      }
      startIfFirst(writer)
    },
    get size() {
      return lines.size
    },
  }
}
