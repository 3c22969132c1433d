/** Lines of work by name: work in one line runs in order, one at a time; lines are independent. */

export interface Line {
  /** Runs `work` when all earlier work in this line has ended, well or not. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Number of lines with work. */
  readonly size: number
}

export function createLine(): Line {
  const ends = new Map<string, Promise<unknown>>()

  return {
    run(name, work) {
      const before = ends.get(name)
      const result = before ? before.then(work) : work()
      const end = result
        .catch(() => 'only the caller is notified')
        .then(() => {
          if (ends.get(name) === end) ends.delete(name)
        })
      ends.set(name, end)
      return result
    },
    get size() {
      return ends.size
    },
  }
}
