/** A file of known size as a download that is streamed, can be taken in parts and gone on with (RFC 9110 §14). */
import type { HttpRequest, HttpResponse } from '../message.js'
import { contentRange, rangeHeaders, rangeOf, type ByteRange } from './ranges.js'

export interface Download {
  sizeBytes: number
  /** Strong: the same octets for as long as it is the same (RFC 9110 §8.8.3); with its quotes. */
  etag: string
  headers: Record<string, string>
  open(range?: ByteRange): AsyncIterable<Uint8Array>
}

export function downloadResponse(
  { sizeBytes, etag, headers, open }: Download,
  request: Pick<HttpRequest, 'method' | 'headers'>,
): HttpResponse {
  const always = { ...headers, ...rangeHeaders(etag) }
  // A file that nobody will read is not opened either.
  if (request.method === 'HEAD') return { status: 200, headers: always, body: nothing(), length: sizeBytes }
  const range = rangeOf(request, { sizeBytes, etag })
  switch (range) {
    case 'unsatisfiable':
      return { status: 416, headers: { ...always, 'Content-Range': `bytes */${sizeBytes}` }, body: '' }
    case 'all':
      return { status: 200, headers: always, body: open(), length: sizeBytes }
    default:
      return {
        status: 206,
        headers: { ...always, ...contentRange(range, sizeBytes) },
        body: open(range),
        length: range.end - range.start + 1,
      }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Nobody reads it.
}
