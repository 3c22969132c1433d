/**
 * Words of a text, for the search index and for queries alike: NFKC, without regard to case, split at whatever is no letter, mark or digit.
 *
 * Scripts that put no space between words are cut into pairs of neighbouring characters, and the last character of a run stands alone as well,
 * so that each character begins a token. A query for several such characters asks for all their pairs; one for a single character asks for
 * every token that begins with it.
 */

const MAX_TOKEN_CHARS = 64
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/u
const PIECES = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

/** A word of a query. */
export interface Term {
  token: string
  /** Every token that begins so is meant. */
  prefix: boolean
}

/** The tokens of a text, each once, in the order in which they come, at most `max`. */
export function tokensOf(texts: Iterable<string>, max: number): string[] {
  const tokens = new Set<string>()
  for (const text of texts) {
    for (const { piece, unspaced } of pieces(text)) {
      for (const token of unspaced ? [...pairs(piece), piece.at(-1) ?? ''] : [piece.join('')]) {
        tokens.add(token)
        if (tokens.size >= max) return [...tokens]
      }
    }
  }
  return [...tokens]
}

/** The words of a query, at most `max`; the last one may be unfinished. */
export function termsOf(query: string, max: number): Term[] {
  const terms: Term[] = []
  for (const { piece, unspaced } of pieces(query)) {
    if (!unspaced) terms.push({ token: piece.join(''), prefix: false })
    else if (piece.length === 1) terms.push({ token: piece.join(''), prefix: true })
    else terms.push(...pairs(piece).map((token) => ({ token, prefix: false })))
  }
  const last = terms.at(-1)
  if (last) last.prefix = true
  return terms.slice(0, max)
}

function* pieces(text: string): Generator<{ piece: string[]; unspaced: boolean }> {
  for (const [word] of fold(text).matchAll(WORD)) {
    for (const [part] of word.matchAll(PIECES)) {
      const unspaced = UNSPACED.test(part)
      const characters = [...part]
      yield { piece: unspaced ? characters : characters.slice(0, MAX_TOKEN_CHARS), unspaced }
    }
  }
}

function pairs(characters: string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

/** Upper case first: it alone brings `ß` and `ss` together, and the two forms of sigma. */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}
