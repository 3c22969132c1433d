/** Responses of the OAuth endpoints: JSON that is never cached (RFC 6749 §5.1), with OAuth errors (§5.2). */
import type { ServiceError } from '../../lib/errors.js'
import { OAuthError } from '../../oauth/errors.js'
import { errorResponse } from '../../http/answers/errors.js'
import type { HttpRequest, HttpResponse } from '../../http/message.js'

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export function given(status: number, json: unknown): HttpResponse {
  return { status, headers: HEADERS, body: JSON.stringify(json) }
}

/** Runs a handler; its refusals become responses. */
export async function answering(request: HttpRequest, run: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return refusal(request, error)
  }
}

function refusal({ headers }: HttpRequest, { code, message }: OAuthError): HttpResponse {
  const answer = given(400, { error: code, error_description: described(message) })
  // RFC 6749 §5.2: a header attempt gets a header challenge.
  if (code !== 'invalid_client' || headers['authorization'] === undefined) return answer
  return { ...answer, status: 401, headers: { ...HEADERS, 'WWW-Authenticate': 'Basic realm="restante"' } }
}

/** Formats other errors, such as limits and internal ones, as OAuth errors. */
export function refuseOtherwise(error: ServiceError, requestId: string): HttpResponse {
  const { status, headers } = errorResponse(error, requestId)
  const code =
    status < 429 ? 'invalid_request' : status < 500 || status === 503 ? 'temporarily_unavailable' : 'server_error'
  const description = described(`${error.message} ${error.hint}`)
  return {
    status,
    headers: { ...headers, ...HEADERS },
    body: JSON.stringify({ error: code, error_description: description, request_id: requestId }),
  }
}

/** Restricts to the characters of RFC 6749 §5.2. */
function described(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^ -~]/g, '?')
}
