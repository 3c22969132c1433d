/** A one-line preview of a message. */
import { toUSVString } from 'node:util'
import { cut } from '../../lib/text.js'

const MAX_PREVIEW_CHARS = 200
/** Lengths of text to read: the first is usually enough to fill the line, the others for text with padding, as in newsletters. */
const LOOKED_AT_CHARS = [250, 500, 4000]

const PLAIN = /^[ -~]*$/
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufffd]/gu

/** At most 200 characters of the text on one line, without invisible characters, which deceive readers and models. */
export function makePreview(text: string): string {
  let visible = ''
  for (const chars of LOOKED_AT_CHARS) {
    visible = visibleLine(text.slice(0, chars))
    // Length limits count UTF-16 code units.
    if (visible.length > MAX_PREVIEW_CHARS) return `${cut(visible, MAX_PREVIEW_CHARS - 1).trimEnd()}…`
    if (text.length <= chars) break
  }
  return visible
}

function visibleLine(text: string): string {
  const line = text.replace(/\s{2,}|[^\S ]/g, ' ')
  return (PLAIN.test(line) ? line : toUSVString(line).replace(INVISIBLE, '').replace(/ {2,}/g, ' ')).trim()
}
