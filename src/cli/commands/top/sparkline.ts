/** A row of numbers as bars, one character each. */

const BARS = '▁▂▃▄▅▆▇█'
/** For terminals without Unicode. */
const PLAIN_BARS = '.:-=+*%#'

/** The highest number has the highest bar, zero is a space; unknown is `·`, or `_` without Unicode. */
export function sparkline(numbers: readonly (number | null)[], unicode: boolean): string {
  const bars = [...(unicode ? BARS : PLAIN_BARS)]
  const highest = Math.max(0, ...numbers.map((number) => number ?? 0))
  return numbers
    .map((number) => {
      if (number === null) return unicode ? '·' : '_'
      if (number === 0 || highest === 0) return ' '
      return bars[Math.min(bars.length - 1, Math.floor((number / highest) * bars.length))] ?? ' '
    })
    .join('')
}
