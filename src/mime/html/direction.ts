/**
 * Text with overridden direction in the order in which it is displayed (UAX #9). Only overrides change the order of Latin letters: text of scripts
 * that are written from right to left is read in the order in which it is stored.
 */

/** Overrides as HTML and CSS open them are written as these too, so that one pass serves both. */
export const REVERSED = '\u202e'
export const FORWARD = '\u202d'
export const POPPED = '\u202c'

const HAS_OVERRIDE = /[\u202d\u202e]/
const CONTROLS = /[\u202a-\u202e\u2066-\u2069\n]/g
/** UAX #9 §3.3.2, max_depth. */
const MAX_DEPTH = 125

interface Level {
  pieces: string[]
  /** True for an override from right to left. */
  isReversed: boolean
  isIsolate: boolean
}

export function asDisplayed(text: string): string {
  if (!HAS_OVERRIDE.test(text)) return text
  const levels: Level[] = [{ pieces: [], isReversed: false, isIsolate: false }]
  let overflow = 0
  const top = (): Level => levels[levels.length - 1] ?? { pieces: [], isReversed: false, isIsolate: false }
  const add = (piece: string): void => {
    if (piece !== '') top().pieces.push(top().isReversed ? reversed(piece) : piece)
  }
  const close = (): void => {
    const closed = levels.pop()
    if (!closed) return
    // Already displayed in itself: the level around places it as one.
    const shown = (closed.isReversed ? closed.pieces.reverse() : closed.pieces).join('')
    if (shown !== '') top().pieces.push(shown)
  }
  let at = 0
  for (const match of text.matchAll(CONTROLS)) {
    add(text.slice(at, match.index))
    at = match.index + 1
    const control = match[0]
    if (control === '\n') {
      // Overrides end with their paragraph.
      while (levels.length > 1) close()
      overflow = 0
      top().pieces.push(control)
    } else if (control === POPPED || control === '\u2069') {
      const closesIsolate = control !== POPPED
      if (overflow > 0) overflow--
      else if (levels.length > 1 && (closesIsolate || !top().isIsolate)) {
        while (closesIsolate && levels.length > 2 && !top().isIsolate) close()
        close()
      }
    } else if (levels.length >= MAX_DEPTH) overflow++
    else {
      const isIsolate = control >= '\u2066'
      levels.push({ pieces: [], isReversed: control === REVERSED, isIsolate })
    }
  }
  add(text.slice(at))
  while (levels.length > 1) close()
  return top().pieces.join('')
}

/** By character, with marks behind the letter that they belong to. */
function reversed(text: string): string {
  return (text.match(/[^\p{M}]\p{M}*|\p{M}+/gsu) ?? []).reverse().join('')
}
