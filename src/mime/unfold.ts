/** Converts a header field from octets to text: unfolded (RFC 5322 §2.2.3), 8-bit text decoded, encoded words unchanged. */
import { decodeText } from './charset.js'
import { encodeEightBit } from './words.js'

/** @param line one octet a character @param charset of the message, for fields that are neither ASCII nor UTF-8 */
export function unfold(line: string, charset: string): string {
  if (/^[ -~]*$/.test(line)) return line.trim()
  const unfolded = line.replace(/\r?\n[ \t]?/g, ' ').trim()
  if (!/[\x80-\xff]/.test(unfolded)) return unfolded
  const encoded = encodeEightBit(unfolded)
  // RFC 6532 allows UTF-8; older software sends the charset of the text.
  return /[\x80-\xff]/.test(encoded) ? decodeEightBit(Buffer.from(encoded, 'latin1'), charset) : encoded
}

function decodeEightBit(bytes: Buffer, charset: string): string {
  const utf8 = bytes.toString('utf8')
  return utf8.includes('\ufffd') ? decodeText(bytes, /^utf-?8$/i.test(charset) ? '' : charset) : utf8
}
