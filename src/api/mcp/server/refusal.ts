/** Refusals before the protocol, as JSON-RPC 2.0 errors without a request id. */
import type { ErrorCode, ServiceError } from '../../../lib/errors.js'
import { errorResponse } from '../../../http/answers/errors.js'
import type { HttpResponse } from '../../../http/message.js'

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL = -32603
/** The first of the range for servers; MCP defines -32020 and below. */
const SERVER_ERROR = -32000

/** Before the protocol, a request is only checked to be JSON. */
const NUMBERS: Partial<Record<ErrorCode, number>> = { invalid_request: PARSE_ERROR, internal: INTERNAL }

/** The API error with its status and headers; code and hint are in `data`. */
export function refusal(error: ServiceError, requestId: string): HttpResponse {
  const { code, message, hint, fields } = error
  const data = { code, hint, ...(fields && { fields }), ...(code === 'internal' && { request_id: requestId }) }
  const body = rpcError(NUMBERS[code] ?? SERVER_ERROR, `${message} ${hint}`, data)
  return { ...errorResponse(error, requestId), body: JSON.stringify(body) }
}

export function forbidden(message: string): Response {
  return Response.json(rpcError(SERVER_ERROR, message), { status: 403 })
}

export function badRequest(message: string): Response {
  return Response.json(rpcError(INVALID_REQUEST, message), { status: 400 })
}

function rpcError(code: number, message: string, data?: object): object {
  return { jsonrpc: '2.0', id: null, error: { code, message, ...(data && { data }) } }
}
