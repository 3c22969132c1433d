/**
 * Compresses large API responses, in threads.
 *
 * Responses mix text of several strangers, so an attacker who sends mail and sees response lengths could guess at the rest (BREACH).
 * So only responses to GET are compressed, which contain no secrets (POST shows those once), pages with forms are never compressed,
 * and each compressed response has a field of random length.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { weights } from './accept.js'
import { withVary } from '../head.js'
import type { HttpRequest, HttpResponse } from '../message.js'

const MIN_BYTES = 1024
/** Larger responses are mail that compresses badly, and would block a thread for long. */
const MAX_BYTES = 8 * 1024 * 1024
/** Max concurrent compressions; further responses are sent uncompressed rather than wait. */
const MAX_AT_WORK = 4
const MAX_PADDING = 64

const CODINGS = {
  br: promisify((body: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    brotliCompress(
      body,
      { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } },
      done,
    ),
  ),
  gzip: promisify((body: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    gzip(body, { level: 4 }, done),
  ),
}

export type Compress = (
  request: Pick<HttpRequest, 'method' | 'headers'>,
  response: HttpResponse,
) => Promise<HttpResponse>

export function createCompression(): Compress {
  let atWork = 0
  return async ({ method, headers }, response) => {
    const { kept } = response
    const body = wholeBody(response)
    if ((method !== 'GET' && method !== 'HEAD') || body === undefined || body.length < MIN_BYTES) return response
    const varied = withVary(response, 'Accept-Encoding')
    const coding = wanted(headers['accept-encoding'])
    if (coding === undefined) return varied
    const made = kept?.coded[coding]
    if (made) return inForm(varied, coding, made)
    if (atWork >= MAX_AT_WORK || body.length > MAX_BYTES) return varied
    atWork++
    try {
      const compressed = await CODINGS[coding](Buffer.from(body))
      if (kept) kept.coded[coding] = compressed
      return inForm(varied, coding, compressed)
    } finally {
      atWork--
    }
  }
}

/** Compressible responses: JSON, or a cached one stored as its bytes. */
function wholeBody({ body, kept }: HttpResponse): string | Uint8Array | undefined {
  if (typeof body === 'string') return body
  return kept && body instanceof Uint8Array ? body : undefined
}

function inForm(response: HttpResponse, coding: keyof typeof CODINGS, body: Uint8Array): HttpResponse {
  const padding = randomBytes(MAX_PADDING)
    .toString('base64url')
    .slice(0, randomInt(1, MAX_PADDING + 1))
  return { ...response, headers: { ...response.headers, 'Content-Encoding': coding, 'X-Padding': padding }, body }
}

/** Prefers brotli at equal weight; `*` means gzip, which every client supports. */
function wanted(field: string | undefined): keyof typeof CODINGS | undefined {
  const accepted = weights(field)
  const br = accepted.get('br') ?? 0
  const gz = accepted.get('gzip') ?? accepted.get('*') ?? 0
  if (br === 0 && gz === 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}
