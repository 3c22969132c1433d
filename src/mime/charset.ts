/** Decodes bytes to Unicode, for all charsets that senders declare, for undeclared ones and for wrong ones. */
import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import libmimeCharset from 'libmime/lib/charset.js'

/** Max bytes of HTML searched for `<meta charset>`, as in browsers. */
const META_BYTES = 1024
/** Also the actual meaning of ISO 8859-1 (WHATWG Encoding §4.2). */
const WINDOWS = 'windows-1252'
/** Names that neither the platform nor libmime knows, or knows only as a subset of what is sent under them. */
const ALIASES: Record<string, string> = {
  '7bit': '',
  '8bit': '',
  'unknown-8bit': '',
  'x-unknown': '',
  unknown: '',
  default: '',
  none: '',
  binary: '',
  ascii: '',
  'us-ascii': '',
  'ansi_x3.4-1968': '',
  utf8mb4: 'utf-8',
  'x-utf-8': 'utf-8',
  // Text declared as GB 2312 often has more characters: GB 18030 is a superset.
  gb2312: 'gb18030',
  'x-gb2312': 'gb18030',
  'hz-gb-2312': 'hz',
  cp936: 'gb18030',
  'windows-936': 'gb18030',
  ms936: 'gb18030',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  cp932: 'shift_jis',
  'x-ms-cp932': 'shift_jis',
  ms_kanji: 'shift_jis',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  cp50222: 'iso-2022-jp',
  csiso2022jp: 'iso-2022-jp',
  'unicode-1-1-utf-7': 'utf-7',
  'x-unicode-2-0-utf-7': 'utf-7',
  'utf-16': 'utf-16le',
  'iso-10646-ucs-2': 'utf-16be',
}
const decoders = new Map<string, TextDecoder | null>()

/**
 * Decodes text. Never throws: undecodable bytes become U+FFFD.
 *
 * @param charset as declared, '' for none: then UTF-8, or windows-1252 when it is not valid UTF-8
 */
export function decodeText(bytes: Buffer, charset: string): string {
  const declared = charset.trim().toLowerCase()
  const name = Object.hasOwn(ALIASES, declared) ? (ALIASES[declared] ?? '') : declared
  if (ASCII_BASED.test(name) && isAscii(bytes)) return bytes.toString('latin1')
  const label = labelOf(bytes, name)
  const decoder = webDecoder(label)
  if (!decoder) return decodeByLibrary(bytes, label)
  if (decoder.encoding === 'iso-2022-jp') return decoder.decode(withoutIdleEscapes(bytes))
  // Node 20 decodes windows-1252 as ISO 8859-1, which has no printable characters from 0x80 to 0x9f.
  return decoder.encoding === WINDOWS ? libmimeCharset.decode(bytes, WINDOWS) : decoder.decode(bytes)
}

/** Joined words switch to ASCII and back with nothing between, which WHATWG Encoding §12.2 treats as an error. */
function withoutIdleEscapes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\x1b\([BJ](?=\x1b[$(])/g, ''), 'latin1')
}

/**
 * The charset of 8-bit text that claims to be ASCII, or nothing, and is not UTF-8: unknown, but most of it was written on Windows. The same for text
 * that claims to be UTF-8 and isn't, unless it is UTF-8 with a fault: a truncated character is no reason to misread all others.
 */
function labelOf(bytes: Buffer, name: string): string {
  if (name === '') return isUtf8(bytes) ? UTF8 : WINDOWS
  if (name === 'utf-16le' && bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (name === UTF8 || name === 'utf8') return isUtf8(bytes) || hasUtf8(bytes) ? UTF8 : WINDOWS
  // Text in these is never valid UTF-8 as well, once it has a few non-ASCII letters.
  return SINGLE_BYTE.test(name) && isUtf8(bytes) && countUtf8(bytes) >= 3 ? UTF8 : name
}

const UTF8 = 'utf-8'
/** Charsets in which octets below 128 are ASCII regardless of context. */
const ASCII_BASED = /^(?:|utf-?8|iso-?8859-\d{1,2}|latin-?1|windows-125\d|cp125\d)$/
const SINGLE_BYTE = /^(?:iso-?8859-1|latin-?1|windows-1252|cp1252)$/
/** Whole multi-byte characters near the start of a text, as evidence for UTF-8. */
const UTF8_CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
const LOOKED_AT_BYTES = 16 * 1024

function countUtf8(bytes: Buffer): number {
  return bytes.toString('latin1', 0, LOOKED_AT_BYTES).match(UTF8_CHARACTER)?.length ?? 0
}

function hasUtf8(bytes: Buffer): boolean {
  const other = bytes
    .toString('latin1', 0, LOOKED_AT_BYTES)
    .replace(UTF8_CHARACTER, '')
    .match(/[\x80-\xff]/g)
  return countUtf8(bytes) >= (other?.length ?? 0)
}

/** libmime decodes unknown charsets as UTF-8; text that is not valid UTF-8 either is treated as undeclared. */
function decodeByLibrary(bytes: Buffer, label: string): string {
  const text = libmimeCharset.decode(bytes, label)
  return text.includes('\ufffd') && text === bytes.toString() ? decodeText(bytes, '') : text
}

/** The charset declared in the HTML itself, '' for none. */
export function htmlCharset(bytes: Buffer): string {
  return (
    /<meta[^>]{0,200}charset\s{0,8}=\s{0,8}["']?([\w:.+-]{1,40})/i.exec(bytes.toString('latin1', 0, META_BYTES))?.[1] ??
    ''
  )
}

/** The platform's decoder is many times faster than any in script; libmime knows names and charsets that it lacks. */
function webDecoder(name: string): TextDecoder | null {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const decoder = makeDecoder(name)
  // Strangers choose the names.
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
