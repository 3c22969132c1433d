/** HTML that can't be put together without escaping: what is interpolated into it is text, unless it is such HTML itself. */
import { escapeHtml } from '../../lib/text.js'

const MARKUP = Symbol('markup')

export interface Html {
  readonly [MARKUP]: string
}

type Piece = string | number | Html | null | undefined | false | readonly Piece[]

/**
 * A template tag. Strings and numbers are escaped for element content and quoted attributes alike; null, undefined and false are nothing.
 *
 * @example
 * html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  let markup = texts[0] ?? ''
  for (const [i, piece] of pieces.entries()) markup += render(piece) + (texts[i + 1] ?? '')
  return { [MARKUP]: markup }
}

export function toText(markup: Html): string {
  return markup[MARKUP]
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece))
  if (isMarkup(piece)) return piece[MARKUP]
  return piece.map(render).join('')
}

function isMarkup(piece: Html | readonly Piece[]): piece is Html {
  return MARKUP in piece
}
