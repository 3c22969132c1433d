/** Content-Type and Content-Disposition with their parameters (RFC 2045 §5.1, RFC 2183, RFC 2231), read by libmime, corrected around it. */
import libmime from 'libmime'
import type { MimeNode } from 'mailsplit'
import { unfold } from './unfold.js'
import { decodeWords } from './words.js'

export interface ParameterField {
  /** Lower case, '' when missing. */
  value: string
  /** By lower-case name. */
  params: Record<string, string>
}

const MISSING: ParameterField = { value: '', params: {} }
/** Parameters beyond this are cut off: some hundred bytes is what real ones have. */
const MAX_FIELD_CHARS = 16 * 1024

/** @param name in lower case; of several fields the first counts */
export function parameterField(node: MimeNode, name: 'content-type' | 'content-disposition'): ParameterField {
  const text = fieldText(node, name).slice(0, MAX_FIELD_CHARS)
  if (text === '') return MISSING
  const { value, params } = libmime.parseHeaderValue(corrected(text))
  return { value: decodeWords(value).toLowerCase(), params }
}

function fieldText(node: MimeNode, name: string): string {
  if (!node.headers) return ''
  const line = node.headers.getList().find(({ key }) => key === name)?.line ?? ''
  if (!/[\x80-\xff]/.test(line)) return node.headers.getFirst(name)
  // RFC 2231 §4: what is in the charset that the parameter names.
  const extended = line.replace(/\*=[^;]*/g, (value) =>
    value.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
  )
  return unfold(extended.slice(extended.indexOf(':') + 1), '')
}

/** The boundary of a multipart as it stands in its delimiter lines; null when it has none. */
export function boundaryOf(node: MimeNode): Buffer | null {
  if (!node.multipart) return null
  const boundary = parameterField(node, 'content-type').params['boundary'] ?? ''
  return boundary === '' ? null : Buffer.from(boundary)
}

/**
 * What libmime leaves in the value or loses: comments (RFC 5322 §3.2.2) outside of quotes, paths of file names written with single
 * backslashes, and a quoted string without an end, which is taken to end with the parameter.
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

/** Names of files have brackets, and the quotes around them are often missing. */
function inName(before: string): boolean {
  return /name\*?=[^";]*$/i.test(before.slice(before.lastIndexOf(';') + 1))
}
