/** One line that tells what a message is about. */
import { toUSVString } from 'node:util'

const MAX_PREVIEW_CHARS = 200
/** Enough to fill the line also when most of it is padding, as in newsletters. */
const LOOKED_AT_CHARS = 4000

const PLAIN = /^[ -~]*$/
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufffd]/gu

/** At most 200 characters of the text on one line, without what can't be seen: such text is there to deceive a reader, or a model. */
export function makePreview(text: string): string {
  const line = text.slice(0, LOOKED_AT_CHARS).replace(/\s+/g, ' ')
  const visible = (PLAIN.test(line) ? line : toUSVString(line).replace(INVISIBLE, '').replace(/ {2,}/g, ' ')).trim()
  // UTF-16 code units are what a length limit counts; a character is not cut in two.
  return visible.length <= MAX_PREVIEW_CHARS ? visible : `${cut(visible, MAX_PREVIEW_CHARS - 1).trimEnd()}…`
}

function cut(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars)
}
