/** Decodes encoded words (RFC 2047), valid and malformed ones. */
import { isUtf8 } from 'node:buffer'
import { decodeText } from './charset.js'

const LATIN = /^(?:iso-?8859-1|latin-?1|windows-1252|cp1252|us-ascii)$/i

/**
 * An encoded word, with common errors of senders: spaces and question marks within, and a missing end, which is then the next word or the end of the
 * field.
 */
const WORD =
  /=\?([\w.:+-]{1,64})(?:\*[\w-]{0,32})?\?(?:[Qq]\?((?:(?!=\?\w)[^?]|\?(?!=))*)|[Bb]\?([\w+/=\s-]*))(?:\?=|$|(?==\?\w))/g

/** An address, which a word without an end would take in. */
const ADDRESS = /(<[^<>]{1,320}@[^<>\s]{1,320}>)/

interface Run {
  charset: string
  bytes: Buffer[]
}

/** Decodes all encoded words of an unfolded value. Never throws; other text stays unchanged. */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value
  let out = ''
  let at = 0
  let run: Run | undefined
  const close = (): void => {
    if (run) out += decodeText(Buffer.concat(run.bytes), run.charset)
    run = undefined
  }
  for (const match of value.matchAll(WORD)) {
    const between = value.slice(at, match.index)
    const charset = (match[1] ?? '').toLowerCase()
    // §6.2: white space between two words is dropped. §5 requires whole characters in each; many split one over two.
    const joins = run !== undefined && /^\s*$/.test(between)
    if (!joins || run?.charset !== charset) {
      close()
      run = { charset, bytes: [] }
    }
    if (!joins) out += between
    run?.bytes.push(match[2] === undefined ? decodeB(match[3] ?? '') : decodeQ(match[2]))
    at = match.index + match[0].length
  }
  close()
  return out + value.slice(at)
}

/**
 * Re-encodes words that contain unencoded octets, as ASCII: the octets of a word are in the charset of the word, whatever that of the rest of the
 * field.
 *
 * @param octets one octet a character
 */
export function encodeEightBit(octets: string): string {
  if (!octets.includes('=?')) return octets
  return octets
    .split(ADDRESS)
    .map((part, index) => (index % 2 === 0 ? part.replace(WORD, wordInAscii) : part))
    .join('')
}

function wordInAscii(word: string, charset: string, text: string | undefined): string {
  if (text === undefined || !/[\x80-\xff]/.test(text)) return word
  // Raw UTF-8 in a word that declares Latin-1, without escapes that would be Latin-1.
  const isUtf8Text = LATIN.test(charset) && !/=[89a-f][\da-f]/i.test(text) && isUtf8(Buffer.from(text, 'latin1'))
  const ascii = word.replace(/[\x80-\xff]/g, (char) => `=${char.charCodeAt(0).toString(16)}`)
  return isUtf8Text ? ascii.replace(charset, 'utf-8') : ascii
}

/** Some programs pad within a word, where they joined two; an incomplete block after the padding is dropped. */
function decodeB(text: string): Buffer {
  const blocks = [...text.matchAll(/([^=]+)(=*)/g)].filter(([, block = '', padding = ''], i) => {
    const length = block.trim().length
    return length > 0 && (i === 0 || (!/\s/.test(block.trim()) && (length + padding.length) % 4 === 0))
  })
  return Buffer.concat(blocks.map(([, block = '']) => Buffer.from(block, 'base64')))
}

function decodeQ(text: string): Buffer {
  const octets = Buffer.from(text).toString('latin1')
  return Buffer.from(
    octets
      .replaceAll('_', ' ')
      .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}
