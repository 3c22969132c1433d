/** Windows of a long text, which the text model judges beside the whole: harmless words above, below or around a lure must not improve the score. */

/** About 200 words. */
const WINDOW_CHARS = 1200
/** A text that is hardly longer than a window is judged as a whole only. */
const MIN_CHARS = 2 * WINDOW_CHARS
/** Back to a space, so that no word is split. */
const MAX_WORD_CHARS = 40

/** @returns windows that cover the text; none for a short one */
export function windowsOf(words: string): string[] {
  if (words.length < MIN_CHARS) return []
  const count = Math.ceil(words.length / WINDOW_CHARS)
  const size = words.length / count
  const windows: string[] = []
  let from = 0
  for (let i = 1; i <= count; i++) {
    let to = i === count ? words.length : Math.floor(i * size)
    const space = i === count ? -1 : words.lastIndexOf(' ', to)
    if (space > to - MAX_WORD_CHARS) to = space + 1
    windows.push(words.slice(from, to))
    from = to
  }
  return windows
}
