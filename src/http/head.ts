/** Status and header fields of a response, checked against header injection (RFC 9110 §5.5). */
import { STATUS_CODES } from 'node:http'
import type { Fields } from './listener/types.js'
import type { HttpResponse } from './message.js'

/** Default header fields, by lower-case name. */
const DEFAULTS: readonly (readonly [string, [string, string]])[] = [
  ['cache-control', ['Cache-Control', 'no-store']],
  ['x-content-type-options', ['X-Content-Type-Options', 'nosniff']],
  ['referrer-policy', ['Referrer-Policy', 'no-referrer']],
]

/** The driver writes these itself. */
const NOT_OURS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/**
 * @param also stand on the answer too
 * @throws Error on a status, a name or a value that may not stand in a head; that is a fault of the handler
 */
export function outgoingFields({ status, headers = {} }: HttpResponse, requestId: string, also: Fields): Fields {
  if (STATUS_CODES[status] === undefined || status < 200) throw new Error(`A handler answered with status ${status}`)
  const fields: [string, string][] = [['X-Request-Id', requestId]]
  const seen = new Set(['x-request-id'])
  for (const [name, value] of Object.entries(headers)) {
    const lower = checkedName(name)
    if (NOT_OURS.has(lower) || lower === 'x-request-id') continue
    seen.add(lower)
    for (const one of Array.isArray(value) ? value : [value]) {
      if (!/^[\t\x20-\x7e]*$/.test(one))
        throw new Error(`A handler answered with control or non-ASCII characters in ${name}`)
      fields.push([name, one])
    }
  }
  for (const [lower, line] of DEFAULTS) if (!seen.has(lower)) fields.push(line)
  return also.length === 0 ? fields : [...fields, ...also]
}

/** Cache of valid names and their lower case. Handlers use few names. */
const checkedNames = new Map<string, string>()
const MAX_CHECKED_NAMES = 500

/** In lower case. @throws Error on what is no name of a header field */
function checkedName(name: string): string {
  const known = checkedNames.get(name)
  if (known !== undefined) return known
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new Error('A handler answered with a broken header name')
  const lower = name.toLowerCase()
  if (checkedNames.size < MAX_CHECKED_NAMES) checkedNames.set(name, lower)
  return lower
}

/** Adds a request field to `Vary` (RFC 9110 §12.5.5). */
export function withVary(response: HttpResponse, field: string): HttpResponse {
  const { headers = {} } = response
  const name = Object.keys(headers).find((each) => each.length === 4 && each.toLowerCase() === 'vary')
  if (name === undefined) return { ...response, headers: { ...headers, Vary: field } }
  const fields = [headers[name] ?? []].flat().join(', ')
  if (fields.toLowerCase().split(/, */).includes(field.toLowerCase())) return response
  return { ...response, headers: { ...headers, [name]: `${fields}, ${field}` } }
}
