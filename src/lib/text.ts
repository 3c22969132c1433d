/** Texts of strangers, brought into a form in which they can't break what they are put into. */

/** On one line, without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** At most `length` characters of printable ASCII, with `?` for everything else. */
export function asciiOnly(text: string, length: number): string {
  return text.slice(0, length).replace(/[^ -~]/g, '?')
}

/** The first `length` UTF-16 code units, without half a character at the end. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
