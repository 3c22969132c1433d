/** Error responses: `{"error":{"code","message","hint"}}`, with `fields` for invalid input and `request_id` for internal errors. */
import { ServiceError } from '../../lib/errors.js'
import { isStorageError } from '../../store/errors.js'
import type { HttpResponse } from '../message.js'
import { RangeNotSatisfiable } from './ranges.js'

/** `Retry-After` for 429 and 503 without their own. */
const DEFAULT_RETRY_SECONDS = 5
/** A full disk takes its operator a while. */
const STORAGE_RETRY_SECONDS = 60

/** The response to an error. Errors other than ServiceError reveal nothing; the log has them under the request id. */
export function errorResponse(error: unknown, requestId: string): HttpResponse {
  if (!(error instanceof ServiceError)) return errorResponse(asServiceError(error), requestId)
  const { code, message, hint, fields, oldestSeq, status } = error
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  if (status === 429 || status === 503) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)))
  }
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer realm="restante"'
  // RFC 9110 §15.5.17.
  if (error instanceof RangeNotSatisfiable) headers['Content-Range'] = `bytes */${error.sizeBytes}`
  const body = {
    error: {
      code,
      message,
      hint,
      ...(fields && { fields }),
      ...(oldestSeq !== undefined && { oldest_seq: oldestSeq }),
      ...(code === 'internal' && { request_id: requestId }),
    },
  }
  return { status, headers, body: JSON.stringify(body) }
}

/** An internal error as shown to the caller. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return isStorageError(error) ? storageFailed() : internalError()
}

/** The answer of a server that is starting or stopping. */
export function notReady(): ServiceError {
  return new ServiceError('unavailable', 'The service is starting or stopping.', 'Try again in a few seconds.', {
    retryAfterSeconds: 2,
  })
}

/** The internal error that a caller can retry: nothing was stored. */
export function storageFailed(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The server cannot store anything now; nothing of this request was stored.',
    'Send the same request again in a minute, a sending one with the same Idempotency-Key.',
    { retryAfterSeconds: STORAGE_RETRY_SECONDS },
  )
}

function internalError(): ServiceError {
  return new ServiceError(
    'internal',
    'Something went wrong on the server.',
    'Try again in a moment; if it persists, give the operator the request id.',
  )
}
