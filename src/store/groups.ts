/**
 * Group commit: writers of one partition are served in the order in which they came, and those that come while a commit is on its way to
 * the disk share the next one, so that ten waiting writers cost one sync and not ten.
 */

interface Groups<W> {
  add(name: string, writer: W): void
  /** Names at which somebody stands. */
  readonly size: number
}

/**
 * @param serve serves some of the writers at the head of the line, at least one, takes them out of it, and never rejects. More may join
 *   the line while it runs.
 */
export function createGroups<W>(serve: (name: string, line: W[]) => Promise<void>): Groups<W> {
  const lines = new Map<string, W[]>()

  const drain = async (name: string, line: W[]): Promise<void> => {
    while (line.length > 0) await serve(name, line)
    lines.delete(name)
  }

  return {
    add(name, writer) {
      const line = lines.get(name)
      if (line) {
        line.push(writer)
      } else {
        const fresh = [writer]
        lines.set(name, fresh)
        void drain(name, fresh)
      }
    },
    get size() {
      return lines.size
    },
  }
}
