/** Runs work with the same name in order, one at a time; work with different names is independent. */
export function createSerial() {
  const ends = new Map<string, Promise<unknown>>()
  return {
    /** Runs `work` when all earlier work with this name has ended, well or not. */
    run<T>(name: string, work: () => Promise<T>): Promise<T> {
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
    /** Number of names with work. */
    get size() {
      return ends.size
    },
  }
}
