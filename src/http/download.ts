/** A file of known size as a download that can be taken in parts and gone on with (RFC 9110 §14). */
import type { HttpRequest, HttpResponse } from './message.js'

export interface Download {
  sizeBytes: number
  /** Strong: the same octets for as long as it is the same (RFC 9110 §8.8.3); with its quotes. */
  etag: string
  headers: Record<string, string>
  /** Both ends are included. */
  open(range?: { start: number; end: number }): AsyncIterable<Uint8Array>
}

type Range = { start: number; end: number }

export function downloadResponse(
  { sizeBytes, etag, headers, open }: Download,
  request: Pick<HttpRequest, 'method' | 'headers'>,
): HttpResponse {
  const always = { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' }
  // RFC 9110 §14.2: ranges are for GET alone. A file that nobody will read is not opened either.
  if (request.method === 'HEAD') return { status: 200, headers: always, body: nothing(), length: sizeBytes }
  const range = rangeOf(request.headers, sizeBytes, etag)
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...always, 'Content-Range': `bytes */${sizeBytes}` }, body: '' }
  if (!range) return { status: 200, headers: always, body: open(), length: sizeBytes }
  return {
    status: 206,
    headers: { ...always, 'Content-Range': `bytes ${range.start}-${range.end}/${sizeBytes}` },
    body: open(range),
    length: range.end - range.start + 1,
  }
}

/** Undefined: all of it. Several ranges at once are answered so, as RFC 9110 §14.2 allows. */
function rangeOf(
  headers: Readonly<Record<string, string>>,
  sizeBytes: number,
  etag: string,
): Range | 'unsatisfiable' | undefined {
  const condition = headers['if-range']
  if (condition !== undefined && condition.trim() !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(headers['range'] ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Nobody reads it.
}
