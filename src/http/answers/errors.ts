/** Error answers: `{"error":{"code","message","hint"}}` with `fields` where input was wrong and `request_id` where the fault is ours. */
import { ServiceError } from '../../lib/errors.js'
import { isStorageError } from '../../store/errors.js'
import type { HttpResponse } from '../message.js'
import { RangeNotSatisfiable } from './ranges.js'

/** A `Retry-After` for errors that say nothing themselves: each 429 and 503 has one. */
const DEFAULT_RETRY_SECONDS = 5
/** A full disk takes its operator a while. */
const STORAGE_RETRY_SECONDS = 60

/** The answer to an error. What is not a ServiceError tells nothing of its inside; the log has it under the request id. */
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

/** A fault of ours in words for whoever asked. */
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

/** Of our faults the one that the caller can wait for: nothing was stored, and the same request may come again. */
export function storageFailed(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The server can not store anything now; nothing of this request was kept.',
    'Send the same request again in a minute, a sending one with the same Idempotency-Key.',
    { retryAfterSeconds: STORAGE_RETRY_SECONDS },
  )
}

function internalError(): ServiceError {
  return new ServiceError(
    'internal',
    'Something went wrong on the server.',
    'Try again in a moment; if it stays so, give the operator the request id.',
  )
}
