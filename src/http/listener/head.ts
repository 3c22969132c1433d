/** Reads the head of a request, and finds the heads that must not be served (RFC 9112 §3 and §6). */
import { type ServiceError, invalidRequest } from '../../lib/errors.js'
import type { Head } from './types.js'

export const MAX_HEAD_BYTES = 16 * 1024

export type MutableFields = Record<string, string>

export function noFields(): MutableFields {
  return Object.create(null)
}

/** @param name lower-case */
export function addField(fields: MutableFields, name: string, value: string): void {
  const earlier = fields[name]
  fields[name] = earlier === undefined ? value : `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`
}

/** RFC 9110 §7.2 and RFC 3986 §3.2.2: name or address, and port. Two joined fields never match. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i
const ABSOLUTE = /^https?:\/\/([^/?#]+)(\/[^?]*)?(?:\?(.*))?$/is

/** An absolute-form target, or `*` (RFC 9112 §3.2). Undefined for neither. */
export function otherTarget(
  method: string,
  target: string,
): { path: string; query?: string; host?: string } | undefined {
  if (target === '*' && method === 'OPTIONS') return { path: target }
  const [, host, path = '/', query = ''] = ABSOLUTE.exec(target) ?? []
  return host === undefined ? undefined : { path, query, host }
}

/** @param version `1.1` */
export function faultOf({ method, path, headers }: Head, version: string): ServiceError | undefined {
  if (version !== '1.1' && version !== '1.0')
    return invalidRequest(`HTTP/${version} is not supported.`, 'Send the request as HTTP/1.1.')
  if (path[0] !== '/' && !(path === '*' && method === 'OPTIONS'))
    return invalidRequest(
      'The target of the request is neither a path nor an address.',
      'Send a path, such as /v1/mailbox.',
    )
  const { host, 'content-length': length, 'transfer-encoding': coding } = headers
  // RFC 9112 §3.2.
  if (host === undefined ? version === '1.1' : !HOST.test(host))
    return invalidRequest(
      'The Host field is missing, or is no host name.',
      'Send one Host field with the name of this host.',
    )
  // RFC 9112 §6.3: ambiguous lengths. §6.1: chunked is HTTP/1.1 only.
  const isClear =
    coding === undefined
      ? length === undefined || /^\d{1,15}$/.test(length)
      : length === undefined && coding.toLowerCase() === 'chunked' && version === '1.1'
  return isClear ? undefined : unclearLength()
}

export function headTooLarge(): ServiceError {
  return invalidRequest('The head of the request is over 16 KiB.', 'Send shorter header fields, or a shorter query.')
}

function unclearLength(): ServiceError {
  return invalidRequest(
    'The length of the body is ambiguous.',
    'Send one Content-Length, a decimal number, or Transfer-Encoding: chunked.',
  )
}

/** Content length; only for a valid head. */
export function lengthOf({ headers }: Head): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}
