/**
 * Removes invisible characters from text. They split or hide words, reverse text or fill the preview; programs that read such text are deceived, or
 * see text that people don't.
 */

const PLAIN = /^[\t\n -~]*$/
/** Joiners and the emoji variant are meaningful between letters of scripts that need them, and in emoji. */
const NEEDED =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])(?<![A-Za-z])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])(?![A-Za-z])|(?<=[\p{Extended_Pictographic}#*0-9])[\ufe0e\ufe0f]/gu
/** Controls, format characters (zero width, direction, tags), fillers, variation selectors, unassigned and private ones. */
const INVISIBLE = /[^\P{Cc}\t\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\p{Co}\p{Cs}]/gu
/** Spaces other than the ordinary one, left over from padding. */
const PADDING =
  /[ \u00a0\u2000-\u200a\u202f\u205f\u3000]*(?:[\u00a0\u2000-\u200a\u202f\u205f]{2}|[\u00a0\u2000-\u200a\u202f\u205f] [\u00a0\u2000-\u200a\u202f\u205f])[ \u00a0\u2000-\u200a\u202f\u205f\u3000]*/g

export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text
  let out = ''
  let at = 0
  for (const match of text.matchAll(NEEDED)) {
    out += text.slice(at, match.index).replace(INVISIBLE, '') + match[0]
    at = match.index + match[0].length
  }
  return (out + text.slice(at).replace(INVISIBLE, '')).replace(PADDING, ' ')
}

const HIDING = /[\u200b-\u200f\u2060-\u2064\ufeff]/

/** Number of words with an invisible character between two Latin letters, where no language needs one. */
export function hiddenInWords(text: string): number {
  if (!HIDING.test(text)) return 0
  return text.match(/[a-z][\u200b-\u200f\u2060-\u2064\ufeff]+(?=[a-z])/gi)?.length ?? 0
}
