/** Streams a file of known size as a resumable download (RFC 9110 §14). */
import type { HttpRequest, HttpResponse } from '../message.js'
import { contentRange, rangeHeaders, rangeOf, type ByteRange } from './ranges.js'

export interface Download {
  sizeBytes: number
  /** Strong, with quotes (RFC 9110 §8.8.3). */
  etag: string
  headers: Record<string, string>
  open(range?: ByteRange): AsyncIterable<Uint8Array>
}

export function downloadResponse(
  { sizeBytes, etag, headers, open }: Download,
  request: Pick<HttpRequest, 'method' | 'headers'>,
): HttpResponse {
  const always = { ...headers, ...rangeHeaders(etag) }
  // The file is not opened for HEAD.
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
  // Never read.
}
