/** Sets of numbers as responses have them: ESEARCH, COPYUID, VANISHED (RFC 9051 §9: sequence-set, uid-set). */

/**
 * The shortest text of a set.
 *
 * @param numbers ascending, without doubles
 * @returns such as `1:3,7`; empty for no numbers, which no response can have
 */
export function formatSet(numbers: Iterable<number>): string {
  const runs: string[] = []
  let first: number | undefined
  let last = 0
  for (const number of numbers) {
    if (first !== undefined && number === last + 1) {
      last = number
      continue
    }
    if (first !== undefined) runs.push(formatRun(first, last))
    first = last = number
  }
  if (first !== undefined) runs.push(formatRun(first, last))
  return runs.join(',')
}

function formatRun(first: number, last: number): string {
  return first === last ? String(first) : `${first}:${last}`
}
