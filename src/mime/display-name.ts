/**
 * Checks display names. Many mail programs show the name alone, so a name that is an address passes for the sender (RFC 5322 §3.4: a display name is
 * only a label).
 */
import { nfkc } from '../lib/normalize.js'

export const MAX_DISPLAY_NAME_CHARS = 100

/** Control characters, line and paragraph separators, and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u
/** Characters that are invisible, or change the direction of text. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Valid uses of such characters: in emoji, and between letters of joining scripts. */
const JOINED =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f?\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}0-9#*])\ufe0f|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}])[\u200c\u200d](?=\p{L})/gu
/** RFC 2047 §2. */
const ENCODED_WORD = /=\?[^\s?]{1,75}\?[bq]\?/i
/** name@host.name, with or without spaces around the `@`, also spelt out. */
const ADDRESS =
  /[^\s@<>()[\]",;:]{1,64}\s{0,3}(?:@|[([{]\s{0,3}(?:at|@)\s{0,3}[)\]}])\s{0,3}[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,62}(?:\s{0,3}\.\s{0,3}[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,62})+/giu

/**
 * The problem of a display name.
 *
 * @param own addresses that the name may contain: those of the mailbox itself
 * @returns a phrase for after "it"; undefined for a valid name
 */
export function displayNameProblem(name: string, own: readonly string[] = []): string | undefined {
  if ([...name].length > MAX_DISPLAY_NAME_CHARS) return `has more than ${MAX_DISPLAY_NAME_CHARS} characters`
  if (CONTROL.test(name)) return 'contains control characters or line breaks'
  if (INVISIBLE.test(name.replace(JOINED, '')))
    return 'contains characters that are invisible, or that change the direction of text'
  if (ENCODED_WORD.test(name))
    return 'contains an encoded word ("=?…?="): give the name itself, it is encoded when it is sent'
  const known = new Set(own.map((address) => address.toLowerCase()))
  const found = [...asRead(name).matchAll(ADDRESS)].map(([address]) => address.replace(/\s/g, '').toLowerCase())
  if (found.some((address) => !known.has(address)))
    return 'contains a mail address: readers would take it for the address of the sender'
  return undefined
}

/** The name as it looks: full-width and small forms of `@` and `.` as these, without combining marks on letters. */
function asRead(name: string): string {
  return nfkc(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[\u3002\u2024\u2027\u00b7\u06d4]/g, '.')
}
