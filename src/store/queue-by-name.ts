/** Lines of work by name: what stands in one line runs one after the other, first come, first served; lines don't know each other. */

export interface Line {
  /** Runs `work` when all that stood in this line before has ended, well or not. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Lines in which somebody stands. */
  readonly size: number
}

export function createLine(): Line {
  const ends = new Map<string, Promise<unknown>>()

  return {
    run(name, work) {
      const before = ends.get(name)
      const result = before ? before.then(work) : work()
      const end = result
        .catch(() => 'only the caller is told of it')
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
