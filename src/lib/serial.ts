/** One at a time, of what is about the same thing. */

/** @returns a function that runs `work` when all that was given before it under the same name has ended, well or not */
export function createInTurn(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    const mine = (async () => {
      await before?.catch(() => undefined)
      return work()
    })()
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
