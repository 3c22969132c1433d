/**
 * Histories of concurrent transactions, and whether they are serialisable: whether there is one order of all of them in which each read what it did.
 *
 * A transaction appends its number to lists that it has read, and adds rows of its own blindly; it reads lists and ranges of such rows. What a
 * list holds is the order in which it was written, so each read says after and before which transactions its reader comes. A circle among those
 * has no order.
 */

export interface Seen {
  /** Number of the transaction that read it. */
  by: number
  /** Name of a list, or of a set of rows. */
  what: string
  /** Transactions whose writes it saw: in the order of the list, in none of a set. */
  saw: readonly number[]
}

export interface History {
  lists: readonly Seen[]
  sets: readonly Seen[]
  /** Final contents of each list and set. */
  lastLists: ReadonlyMap<string, readonly number[]>
  lastSets: ReadonlyMap<string, readonly number[]>
}

/** @returns why there is no such order; undefined where there is one */
export function unserialisable({ lists, sets, lastLists, lastSets }: History): string | undefined {
  const after = new Map<number, Map<number, string>>()
  const comesBefore = (first: number | undefined, second: number | undefined, why: string): void => {
    if (first === undefined || second === undefined || first === second) return
    const followers = after.get(first) ?? new Map<number, string>()
    after.set(first, followers.set(second, why))
  }

  for (const [what, writers] of lastLists) {
    if (new Set(writers).size !== writers.length) return `${what} has one twice: ${writers.join(' ')}`
    writers.forEach((writer, i) => comesBefore(writers[i - 1], writer, `wrote ${what} before`))
  }
  for (const { by, what, saw } of lists) {
    const writers = lastLists.get(what) ?? []
    if (saw.some((writer, i) => writers[i] !== writer))
      return `${by} saw ${saw.join(' ')} in ${what}, which became ${writers.join(' ')}`
    comesBefore(saw.at(-1), by, `wrote ${what}, as was read by`)
    // Its own append comes right behind what it saw.
    const next = writers[saw.length] === by ? writers[saw.length + 1] : writers[saw.length]
    comesBefore(by, next, `read ${what} before it was written by`)
  }
  for (const { by, what, saw } of sets) {
    for (const writer of saw) comesBefore(writer, by, `added to ${what}, as was read by`)
    for (const writer of lastSets.get(what) ?? [])
      if (!saw.includes(writer)) comesBefore(by, writer, `read ${what} before it was added to by`)
  }
  return circleIn(after)
}

function circleIn(after: ReadonlyMap<number, ReadonlyMap<number, string>>): string | undefined {
  const done = new Set<number>()
  const path: number[] = []
  const onPath = new Set<number>()

  function walk(node: number): string | undefined {
    path.push(node)
    onPath.add(node)
    for (const next of after.get(node)?.keys() ?? []) {
      if (onPath.has(next)) {
        const circle = [...path.slice(path.indexOf(next)), next]
        return circle
          .slice(1)
          .map((to, i) => `${circle[i]} ${after.get(circle[i] ?? 0)?.get(to)} ${to}`)
          .join(', ')
      }
      const found = done.has(next) ? undefined : walk(next)
      if (found !== undefined) return found
    }
    path.pop()
    onPath.delete(node)
    done.add(node)
    return undefined
  }

  for (const node of after.keys()) {
    const found = done.has(node) ? undefined : walk(node)
    if (found !== undefined) return found
  }
  return undefined
}
