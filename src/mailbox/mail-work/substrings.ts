/**
 * Which tokens of the index a text must have to contain a string. Words within the string are words of the text; one at its beginning or end may be part of a
 * longer one. Tokens are runs of characters of one kind, whatever is around them, so the string is cut as the text is.
 */
import { MAX_TOKEN_CHARS, pairs, pieces, WORD } from './tokens.js'

/** Where in a token of the text this one stands. */
export type Standing = 'whole' | 'start' | 'end' | 'within'

export interface TokenPart {
  token: string
  standing: Standing
}

export interface Substring {
  /** Folded: a text contains the string if the folded text contains this. */
  folded: string
  /** All are of a text that contains it; none if the index cannot tell. */
  parts: TokenPart[]
  /** Every text with the only part contains the string. */
  isOneToken: boolean
}

/** @param folded by `foldText` */
export function substringOf(folded: string): Substring {
  const parts: TokenPart[] = []
  for (const match of folded.matchAll(WORD)) {
    const [word] = match
    const isOpenBefore = match.index === 0
    const isOpenAfter = match.index + word.length === folded.length
    const all = [...pieces(word)]
    for (const [i, { piece, unspaced }] of all.entries()) {
      const before = isOpenBefore && i === 0
      const after = isOpenAfter && i === all.length - 1
      if (unspaced) parts.push(...partsOfUnspaced(piece))
      // Of a longer word the index has the beginning.
      else if (piece.length < MAX_TOKEN_CHARS) parts.push({ token: piece.join(''), standing: standing(before, after) })
      else if (!before) parts.push({ token: piece.join(''), standing: 'whole' })
    }
  }
  const [only] = parts
  return { folded, parts, isOneToken: parts.length === 1 && only?.token === folded }
}

/** Each character begins a token: with the next one, or alone at the end of a run. */
function partsOfUnspaced(piece: string[]): TokenPart[] {
  return piece.length === 1
    ? [{ token: piece.join(''), standing: 'start' }]
    : pairs(piece).map((token) => ({ token, standing: 'whole' }))
}

function standing(isOpenBefore: boolean, isOpenAfter: boolean): Standing {
  if (isOpenBefore) return isOpenAfter ? 'within' : 'end'
  return isOpenAfter ? 'start' : 'whole'
}
