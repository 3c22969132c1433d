/** Content-Type and Content-Disposition with their parameters (RFC 2045 §5.1, RFC 2183, RFC 2231), parsed by libmime with corrections. */
import libmime from 'libmime'
import { unfold } from './unfold.js'
import { decodeWords } from './words.js'

export interface ParameterField {
  /** Lower case, '' when missing. */
  value: string
  /** By lower-case name. */
  params: Record<string, string>
}

const MISSING: ParameterField = { value: '', params: {} }
/** Max length of a field; real ones have some hundred bytes. */
const MAX_FIELD_CHARS = 16 * 1024

/** @param value of the field, unfolded */
export function readParameters(value: string): ParameterField {
  if (value === '') return MISSING
  const read = libmime.parseHeaderValue(corrected(value.slice(0, MAX_FIELD_CHARS)))
  return { value: decodeWords(read.value).toLowerCase(), params: read.params }
}

/**
 * The unfolded value of a field that describes a part, without the white space of its folding.
 *
 * @param line the whole field, one octet a character; undefined for a missing field
 */
export function fieldValue(line: string | undefined): string {
  if (line === undefined) return ''
  const value = line.slice(line.indexOf(':') + 1)
  if (!/[\x80-\xff]/.test(value)) return value.replace(/[\r\n]+[ \t]*/g, ' ').trim()
  // RFC 2231 §4: decoded in the charset that the parameter names.
  const extended = value.replace(/\*=[^;]*/g, (text) =>
    text.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
  )
  return unfold(extended, '')
}

/**
 * Corrects what libmime misreads: comments (RFC 5322 §3.2.2) outside of quotes, paths of file names with single backslashes, and an unterminated
 * quoted string, which ends with the parameter.
 */
function corrected(text: string): string {
  let out = ''
  let quoteAt = -1
  let comments = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (quoteAt !== -1) {
      if (char === '\\') {
        const next = text.charAt(i + 1)
        out += next === '"' || next === '\\' ? char + next : '\\\\'
        if (next === '"' || next === '\\') i++
        continue
      }
      if (char === '"') quoteAt = -1
      out += char
    } else if (comments > 0 || (char === '(' && /[\s;]$/.test(out) && !inName(out))) {
      if (char === '\\') i++
      else if (char === '(') comments++
      else if (char === ')') comments--
    } else {
      if (char === '"') quoteAt = out.length
      out += char === '\\' ? '\\\\' : char
    }
  }
  if (quoteAt === -1) return out
  const end = out.indexOf(';', quoteAt)
  return end === -1 ? `${out}"` : `${out.slice(0, end)}"${out.slice(end)}`
}

/** File names may contain brackets, and the quotes around them are often missing. */
function inName(before: string): boolean {
  return /name\*?=[^";]*$/i.test(before.slice(before.lastIndexOf(';') + 1))
}
