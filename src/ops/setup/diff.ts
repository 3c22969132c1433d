/** The lines in which two texts differ, each with some around it, as `diff -u` shows them. */

const AROUND = 3
/** Settings files have a few hundred lines. */
const MAX_LINES = 5000

type Line = { sign: ' ' | '-' | '+'; text: string }

export function difference(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  if (old.length > MAX_LINES || fresh.length > MAX_LINES) return `- ${old.length} lines\n+ ${fresh.length} lines`
  const lines = compared(old, fresh)
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  return lines
    .flatMap(({ sign, text }, at) => {
      if (!isNear[at]) return isNear[at - 1] === true ? ['…'] : []
      return [`${sign} ${text}`.trimEnd()]
    })
    .join('\n')
}

/** By the longest common subsequence, after the common beginning and end. */
function compared(old: string[], fresh: string[]): Line[] {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let tail = 0
  while (
    tail < old.length - start &&
    tail < fresh.length - start &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  )
    tail++
  const same = (text: string): Line => ({ sign: ' ', text })
  return [
    ...old.slice(0, start).map(same),
    ...between(old.slice(start, old.length - tail), fresh.slice(start, fresh.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ]
}

function between(old: string[], fresh: string[]): Line[] {
  const width = fresh.length + 1
  const longest = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      longest[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [left, right] = [old[i], fresh[j]]
    if (left !== undefined && left === right) {
      lines.push({ sign: ' ', text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: left })
      i++
    } else {
      lines.push({ sign: '+', text: right ?? '' })
      j++
    }
  }
  return lines
}
