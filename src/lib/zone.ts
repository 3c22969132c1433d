/** Lines of zone files (RFC 1035 §5.1). */

const TXT_STRING_OCTETS = 255

/** A TXT record, its text cut into strings of at most 255 octets (RFC 1035 §3.3). The text is ASCII. */
export function txtLine(name: string, text: string): string {
  const strings = text.match(new RegExp(`[^]{1,${TXT_STRING_OCTETS}}`, 'g')) ?? ['']
  return `${name}. IN TXT ( ${strings.map((part) => `"${part.replace(/["\\]/g, '\\$&')}"`).join(' ')} )`
}
