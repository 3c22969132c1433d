/** Parses the query and the JSON body of a request. */
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { decode } from './match.js'

/** Far above any call. */
const MAX_PARAMETERS = 100

/** @throws ServiceError `invalid_request` for a parameter given twice, too many of them, or broken percent-encoding */
export function parseQuery(query: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  const pairs = query.split('&', MAX_PARAMETERS + 1)
  if (pairs.length > MAX_PARAMETERS)
    throw invalidRequest(`The query has more than ${MAX_PARAMETERS} parameters.`, 'Give each parameter once.', [
      { field: 'query', problem: `It must have at most ${MAX_PARAMETERS} parameters.` },
    ])
  for (const pair of pairs) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode((at === -1 ? pair : pair.slice(0, at)).replaceAll('+', ' '))
    const value = decode((at === -1 ? '' : pair.slice(at + 1)).replaceAll('+', ' '))
    if (name === undefined || value === undefined) {
      throw invalidRequest(
        'The query is not correctly percent-encoded.',
        'Encode it as UTF-8; a percent sign itself is %25.',
        [{ field: name ?? 'query', problem: 'Its percent-encoding is broken or not UTF-8.' }],
      )
    }
    if (name in found) {
      throw invalidRequest(`The query has ${JSON.stringify(name.slice(0, 100))} twice.`, 'Give each parameter once.', [
        { field: name.slice(0, 100), problem: 'It is given twice.' },
      ])
    }
    found[name] = value
  }
  return found
}

/** RFC 8259 §8.1: JSON between systems is UTF-8. */
export function requireJson(headers: Readonly<Record<string, string>>): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const fits = type === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset))
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
  if (fits && encoding === 'identity') return
  throw new ServiceError(
    'unsupported_media_type',
    fits ? 'A compressed body is not accepted.' : 'The body must be JSON in UTF-8.',
    fits ? 'Send it without Content-Encoding.' : 'Send the header `Content-Type: application/json`.',
  )
}
