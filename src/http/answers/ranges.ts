/** Byte ranges (RFC 9110 §14). One range at a time; several get the whole file. */
import { ServiceError } from '../../lib/errors.js'
import type { HttpRequest } from '../message.js'

/** Inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** The range is outside the file; the response has its size. */
export class RangeNotSatisfiable extends ServiceError {
  constructor(readonly sizeBytes: number) {
    super(
      'range_not_satisfiable',
      `The file has ${sizeBytes} bytes: the range lies beyond its end.`,
      'Ask without Range, or for a range within the file; HEAD gives its size.',
    )
  }
}

/** The requested part of a file. `all` for other units and malformed ranges (§14.2). */
export function rangeOf(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | 'all' | 'unsatisfiable' {
  const { range, 'if-range': condition } = headers
  // §14.2: only for GET.
  if (range === undefined || method !== 'GET') return 'all'
  // §13.1.5: strong comparison, so weak tags and dates never match.
  if (condition !== undefined && condition.trim() !== etag) return 'all'
  const [, set = ''] = /^bytes=(.*)$/is.exec(range.trim()) ?? []
  // §5.6.1: empty list elements are ignored.
  const specs = set.split(',').filter((spec) => spec.trim() !== '')
  const [, first, last] = (specs.length === 1 && /^[ \t]*(\d*)-(\d*)[ \t]*$/.exec(specs[0] ?? '')) || []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all'
  return first === '' ? lastOctets(Number(last), sizeBytes) : octets(Number(first), last, sizeBytes)
}

/** §14.1.2: the whole file if it is shorter. An empty file has no range. */
function lastOctets(length: number, sizeBytes: number): ByteRange | 'all' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable'
  return sizeBytes === 0 ? 'all' : { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 }
}

function octets(start: number, last: string, sizeBytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const end = last === '' ? Infinity : Number(last)
  // §14.1.1: an invalid range is ignored.
  if (end < start) return 'all'
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(end, sizeBytes - 1) }
}

/** Headers of resumable responses. */
export function rangeHeaders(etag: string): { ETag: string; 'Accept-Ranges': string } {
  return { ETag: etag, 'Accept-Ranges': 'bytes' }
}

export function contentRange({ start, end }: ByteRange, sizeBytes: number): { 'Content-Range': string } {
  return { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` }
}

type Answer = { status: 200 | 206; headers: Record<string, string>; body: Uint8Array }

/**
 * A file in memory, or the requested part.
 *
 * @param etag strong, with quotes (RFC 9110 §8.8.3)
 * @throws RangeNotSatisfiable
 */
export function bytesAnswer(
  request: Pick<HttpRequest, 'method' | 'headers'>,
  { content, etag, headers }: { content: Uint8Array; etag: string; headers: Record<string, string> },
): Answer {
  const sizeBytes = content.length
  const range = rangeOf(request, { sizeBytes, etag })
  const always = { ...headers, ...rangeHeaders(etag) }
  switch (range) {
    case 'unsatisfiable':
      throw new RangeNotSatisfiable(sizeBytes)
    case 'all':
      return { status: 200, headers: always, body: content }
    default:
      return {
        status: 206,
        headers: { ...always, ...contentRange(range, sizeBytes) },
        body: content.subarray(range.start, range.end + 1),
      }
  }
}
