/**
 * Text without what nobody sees. Such characters part words, hide others in them, turn their direction around or fill the preview; who reads
 * by program is deceived by them, or told what a person is not.
 */

const PLAIN = /^[\t\n -~]*$/
/** Between letters of scripts that need them, and in emoji, joiners and the emoji variant say something; elsewhere nothing. */
const NEEDED =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])(?<![A-Za-z])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])(?![A-Za-z])|(?<=[\p{Extended_Pictographic}#*0-9])[\ufe0e\ufe0f]/gu
/** Controls, format characters (zero width, direction, tags), fillers, variation selectors, unassigned and private ones. */
const INVISIBLE = /[^\P{Cc}\t\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\p{Co}\p{Cs}]/gu
/** Blanks other than the ordinary one, which padding is made of where the characters between them have gone. */
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

/** In how many words an invisible character stands between two Latin letters, where no language needs one. */
export function hiddenInWords(text: string): number {
  return text.match(/[a-z][\u200b-\u200f\u2060-\u2064\ufeff]+(?=[a-z])/gi)?.length ?? 0
}
