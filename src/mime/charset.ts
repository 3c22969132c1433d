/** Bytes to Unicode, for every charset that a sender may name and for those that name none, or the wrong one. */
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import libmimeCharset from 'libmime/lib/charset.js'

/** How far into HTML a `<meta charset>` is looked for, as browsers do. */
const META_BYTES = 1024
/** Also what everybody means who says ISO 8859-1 (WHATWG Encoding §4.2). */
const WINDOWS = 'windows-1252'
const decoders = new Map<string, TextDecoder | null>()

/**
 * Decodes text. Never throws: what can't be decoded becomes U+FFFD.
 *
 * @param charset as declared, '' when it is not: then UTF-8, or windows-1252 when it is no UTF-8
 */
export function decodeText(bytes: Buffer, charset: string): string {
  const name = charset.trim().toLowerCase()
  // 8-bit text that claims to be ASCII, or nothing, and is no UTF-8 is in nobody knows what; most of it was written on Windows.
  const unnamed = name === '' || name === 'us-ascii' || name === 'ascii'
  const label = unnamed ? (isUtf8(bytes) ? 'utf-8' : WINDOWS) : name
  const decoder = webDecoder(label)
  if (!decoder) return libmimeCharset.decode(bytes, label)
  // Node 20 takes windows-1252 for ISO 8859-1, which has no printable characters from 0x80 to 0x9f.
  return decoder.encoding === WINDOWS ? libmimeCharset.decode(bytes, WINDOWS) : decoder.decode(bytes)
}

/** The charset that HTML itself declares, '' when it does not. */
export function htmlCharset(bytes: Buffer): string {
  return (
    /<meta[^>]{0,200}charset\s{0,8}=\s{0,8}["']?([\w:.+-]{1,40})/i.exec(bytes.toString('latin1', 0, META_BYTES))?.[1] ??
    ''
  )
}

/** The platform's decoder is many times faster than any in script; libmime knows the names and charsets that it does not. */
function webDecoder(name: string): TextDecoder | null {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const decoder = makeDecoder(name)
  // The names come from strangers.
  if (decoders.size < 200) decoders.set(name, decoder)
  return decoder
}

function makeDecoder(name: string): TextDecoder | null {
  for (const label of [name, libmimeCharset.normalizeCharset(name)]) {
    try {
      return new TextDecoder(label)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return null
}
