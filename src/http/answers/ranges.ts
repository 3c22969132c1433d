/** Parts of a file by their octets: what a request asks for, and the answer (RFC 9110 §14). One range at a time; several at once are answered with all of it. */
import { ServiceError } from '../../lib/errors.js'
import type { HttpRequest } from '../message.js'

/** Both ends are included. */
export interface ByteRange {
  start: number
  end: number
}

/** No octet of what was asked for is there; the answer says how many there are. */
export class RangeNotSatisfiable extends ServiceError {
  constructor(readonly sizeBytes: number) {
    super(
      'range_not_satisfiable',
      `The file has ${sizeBytes} bytes: the range lies beyond its end.`,
      'Ask without Range, or for a range within the file; HEAD gives its size.',
    )
  }
}

/** The part of a file that `Range` requests. `all` also for units other than bytes, or when malformed (§14.2). */
export function rangeOf(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | 'all' | 'unsatisfiable' {
  const { range, 'if-range': condition } = headers
  // §14.2: ranges are for GET alone.
  if (range === undefined || method !== 'GET') return 'all'
  // §13.1.5: compared as strong tags, so a weak one never fits; nor does a date, since no answer has one.
  if (condition !== undefined && condition.trim() !== etag) return 'all'
  const [, set = ''] = /^bytes=(.*)$/is.exec(range.trim()) ?? []
  // §5.6.1: empty elements of a list count for nothing.
  const specs = set.split(',').filter((spec) => spec.trim() !== '')
  const [, first, last] = (specs.length === 1 && /^[ \t]*(\d*)-(\d*)[ \t]*$/.exec(specs[0] ?? '')) || []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all'
  return first === '' ? lastOctets(Number(last), sizeBytes) : octets(Number(first), last, sizeBytes)
}

/** §14.1.2: all of it where it has fewer. Of nothing there is no part that `Content-Range` could name. */
function lastOctets(length: number, sizeBytes: number): ByteRange | 'all' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable'
  return sizeBytes === 0 ? 'all' : { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 }
}

function octets(start: number, last: string, sizeBytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const end = last === '' ? Infinity : Number(last)
  // §14.1.1: such a range is invalid, and the field is to be ignored.
  if (end < start) return 'all'
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(end, sizeBytes - 1) }
}

/** For answers that can be taken in parts. */
export function rangeHeaders(etag: string): { ETag: string; 'Accept-Ranges': string } {
  return { ETag: etag, 'Accept-Ranges': 'bytes' }
}

export function contentRange({ start, end }: ByteRange, sizeBytes: number): { 'Content-Range': string } {
  return { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` }
}

type Answer = { status: 200 | 206; headers: Record<string, string>; body: Uint8Array }

/**
 * A file that is in memory, or the part of it that was asked for.
 *
 * @param etag strong (RFC 9110 §8.8.3), with its quotes
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
