/**
 * Large answers of the API, made smaller for those who take that, on threads of their own.
 *
 * What a stranger wrote stands in these answers beside what others did, so somebody who sees their lengths could guess at them by sending mail
 * (BREACH). So only answers to GET are compressed, which have no key and no secret of ours in them (those are shown once, by the POST that
 * makes them), pages with their forms never are, and each compressed answer has a field of random length.
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
/** Answers that are compressed at once; what comes meanwhile goes as it is, rather than wait. */
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

/** Brotli where both are as welcome; `*` stands for gzip, which everybody knows. */
function wanted(field: string | undefined): keyof typeof CODINGS | undefined {
  const accepted = weights(field)
  const br = accepted.get('br') ?? 0
  const gz = accepted.get('gzip') ?? accepted.get('*') ?? 0
  if (br === 0 && gz === 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}
