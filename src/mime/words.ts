/** Encoded words (RFC 2047), as they are written and as they should be. */
import { decodeText } from './charset.js'

/**
 * A word, with what real senders get wrong: spaces and question marks within, and an end that is missing, which is then the next word or
 * the end of the field.
 */
const WORD =
  /=\?([\w.:+-]{1,64})(?:\*[\w-]{0,32})?\?(?:[Qq]\?((?:(?!=\?\w)[^?]|\?(?!=))*)|[Bb]\?([\w+/=\s-]*))(?:\?=|$|(?==\?\w))/g

interface Run {
  charset: string
  encoding: 'q' | 'b'
  bytes: Buffer[]
}

/** Replaces all encoded words of an unfolded value by what they say. Never throws; what isn't one stays as it is. */
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
    const encoding = match[2] === undefined ? 'b' : 'q'
    // §6.2: white space between two words is none. §5 says that each is whole in itself; many split a character over two.
    const joins = run !== undefined && /^\s*$/.test(between)
    if (!joins || run?.charset !== charset || run.encoding !== encoding) {
      close()
      run = { charset, encoding, bytes: [] }
    }
    if (!joins) out += between
    run?.bytes.push(encoding === 'b' ? decodeB(match[3] ?? '') : decodeQ(match[2] ?? ''))
    at = match.index + match[0].length
  }
  close()
  return out + value.slice(at)
}

/** Some programs pad within a word, where they joined two. */
function decodeB(text: string): Buffer {
  const blocks = text.split('=').filter((block) => block.trim() !== '')
  return Buffer.concat(blocks.map((block) => Buffer.from(block, 'base64')))
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
