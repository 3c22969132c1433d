/** A stable sort that lets others have their turns: 100,000 comparisons at once would keep the thread for a tenth of a second. */
import type { TimedTurns } from '../../mailbox/search/turns.js'

const RUN = 512

export async function sortInTurns(
  items: readonly number[],
  compare: (a: number, b: number) => number,
  turns: TimedTurns,
): Promise<number[]> {
  let runs: number[][] = []
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare))
    await turns.next()
  }
  while (runs.length > 1) {
    const longer: number[][] = []
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], compare, turns))
    runs = longer
  }
  return runs[0] ?? []
}

async function merged(
  some: number[],
  others: number[],
  compare: (a: number, b: number) => number,
  turns: TimedTurns,
): Promise<number[]> {
  const all: number[] = []
  let [i, j] = [0, 0]
  while (i < some.length || j < others.length) {
    const [a, b] = [some[i], others[j]]
    // The first one where they are equal.
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      all.push(a ?? 0)
      i++
    } else {
      all.push(b)
      j++
    }
    if (all.length % RUN === 0) await turns.next()
  }
  return all
}
