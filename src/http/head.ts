/** Status and headers of a response, checked so that no value can break its line (RFC 9110 §5.5). */
import { STATUS_CODES } from 'node:http'
import type { AnswerHead, Fields } from './listener/types.js'
import type { HttpResponse } from './message.js'

/** Defaults on every response, by lower-case name. */
const DEFAULTS: readonly (readonly [string, [string, string]])[] = [
  ['cache-control', ['Cache-Control', 'no-store']],
  ['x-content-type-options', ['X-Content-Type-Options', 'nosniff']],
  ['referrer-policy', ['Referrer-Policy', 'no-referrer']],
]

/** Written by the server below. */
const NOT_OURS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

interface Headers {
  headers: NonNullable<HttpResponse['headers']>
  also: Fields
}

/**
 * @param also further headers
 * @throws Error for an invalid status, name or value: a handler's bug
 */
export function outgoingFields(
  { status, headers = NO_HEADERS, kept, ownFields = [] }: HttpResponse,
  requestId: string,
  also: Fields,
): Pick<AnswerHead, 'fields' | 'shared'> {
  if (STATUS_CODES[status] === undefined || status < 200) throw new Error(`A handler answered with status ${status}`)
  const own: Fields = [['X-Request-Id', requestId], ...ownFields]
  if (kept) return { fields: own, shared: keptFields({ headers, also }) }
  return { fields: [...own, ...checkedFields(headers)], shared: also }
}

const NO_HEADERS = {}

/** Checked fields of cached responses, by their headers, for the listener that had them last. */
const known = new WeakMap<Headers['headers'], { also: Fields; fields: Fields }>()

function keptFields({ headers, also }: Headers): Fields {
  const found = known.get(headers)
  if (found?.also === also) return found.fields
  const fields = [...checkedFields(headers), ...also]
  known.set(headers, { also, fields })
  return fields
}

function checkedFields(headers: Headers['headers']): Fields {
  const fields: [string, string][] = []
  const seen = new Set<string>()
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
  return fields
}

/** Valid names with their lower case: few, and used in most responses. */
const checkedNames = new Map<string, string>()
const MAX_CHECKED_NAMES = 500

/** Lower-case. @throws Error for an invalid header name */
function checkedName(name: string): string {
  const known = checkedNames.get(name)
  if (known !== undefined) return known
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new Error('A handler answered with a broken header name')
  const lower = name.toLowerCase()
  if (checkedNames.size < MAX_CHECKED_NAMES) checkedNames.set(name, lower)
  return lower
}

/** Adds a field to Vary (RFC 9110 §12.5.5). */
export function withVary(response: HttpResponse, field: string): HttpResponse {
  const { headers = {} } = response
  const name = Object.keys(headers).find((each) => each.length === 4 && each.toLowerCase() === 'vary')
  if (name === undefined) return { ...response, headers: { ...headers, Vary: field } }
  const fields = [headers[name] ?? []].flat().join(', ')
  if (fields.toLowerCase().split(/, */).includes(field.toLowerCase())) return response
  return { ...response, headers: { ...headers, [name]: `${fields}, ${field}` } }
}
