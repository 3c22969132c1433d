/**
 * Compresses large API responses in threads, for clients that accept it.
 *
 * Responses mix text of strangers with others', so observed lengths could be probed by sending mail (BREACH). So only GET responses are compressed, which
 * contain no keys or secrets (those are shown once, by POST), pages with forms never are, and each compressed response has a field of random length.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { weights } from './accept.js'
import type { Maybe } from '../../lib/maybe.js'
import { withVary } from '../head.js'
import type { HttpRequest, HttpResponse } from '../message.js'
import { onceForKept } from './once-for-kept.js'

const MIN_BYTES = 1024
/** Larger responses are mail that compresses badly, and would block a thread for long. */
const MAX_BYTES = 8 * 1024 * 1024
/** Max concurrent compressions; further responses are sent uncompressed. */
const MAX_AT_WORK = 4
const MAX_PADDING = 64

const CODINGS = {
  // A list of 18 KB takes 0.12 ms so, and has 6 % more bytes than at quality 4 with its usual window, which takes 0.4 ms.
  br: promisify((body: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    brotliCompress(
      body,
      {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 1,
          [constants.BROTLI_PARAM_LGWIN]: windowFor(body.length),
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      },
      done,
    ),
  ),
  gzip: promisify((body: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    gzip(body, { level: 4 }, done),
  ),
}

export type Compress = (request: Pick<HttpRequest, 'method' | 'headers'>, response: HttpResponse) => Maybe<HttpResponse>

const variedByCoding = onceForKept((response) => withVary(response, 'Accept-Encoding'))

export function createCompression(): Compress {
  let atWork = 0
  async function compressed(
    coding: keyof typeof CODINGS,
    body: string | Uint8Array,
    varied: HttpResponse,
  ): Promise<HttpResponse> {
    atWork++
    try {
      const made = await CODINGS[coding](Buffer.from(body))
      if (varied.kept) varied.kept.coded[coding] = made
      return inForm(varied, coding, made)
    } finally {
      atWork--
    }
  }

  return ({ method, headers }, response) => {
    const { kept } = response
    const body = wholeBody(response)
    if ((method !== 'GET' && method !== 'HEAD') || body === undefined || body.length < MIN_BYTES) return response
    const varied = variedByCoding(response)
    const coding = wanted(headers['accept-encoding'])
    if (coding === undefined) return varied
    const made = kept?.coded[coding]
    if (made) return inForm(varied, coding, made)
    if (atWork >= MAX_AT_WORK || body.length > MAX_BYTES) return varied
    return compressed(coding, body, varied)
  }
}

/** Compressible responses: JSON, or a cached one stored as its bytes. */
function wholeBody({ body, kept }: HttpResponse): string | Uint8Array | undefined {
  if (typeof body === 'string') return body
  return kept && body instanceof Uint8Array ? body : undefined
}

/** The least window that covers a body, as its logarithm: its memory is cleared for each. */
const windowFor = (bytes: number): number =>
  Math.min(constants.BROTLI_DEFAULT_WINDOW, Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(bytes)) + 1))

/** No longer a cached response: its padding is of one request. */
function inForm(
  { kept: _kept, ...response }: HttpResponse,
  coding: keyof typeof CODINGS,
  body: Uint8Array,
): HttpResponse {
  const padding = randomBytes(MAX_PADDING)
    .toString('base64url')
    .slice(0, randomInt(1, MAX_PADDING + 1))
  return { ...response, headers: { ...response.headers, 'Content-Encoding': coding, 'X-Padding': padding }, body }
}

/** Brotli if equally accepted; `*` means gzip, which everybody supports. */
function wanted(field: string | undefined): keyof typeof CODINGS | undefined {
  if (field === undefined) return undefined
  const accepted = weights(field)
  const br = accepted.get('br') ?? 0
  const gz = accepted.get('gzip') ?? accepted.get('*') ?? 0
  if (br === 0 && gz === 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}
