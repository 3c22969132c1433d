/** OAuth pages for clients: metadata, token, revocation, registration; the consent page is in src/web/consent. Clients are public and have no secret. */
import { ServiceError } from '../../lib/errors.js'
import { OAuthError } from '../../oauth/errors.js'
import type { Grants } from '../../oauth/grants.js'
import type { Registrations } from '../../oauth/registrations.js'
import type { Resources } from '../../oauth/resources.js'
import { parseJson } from '../../http/json/json.js'
import type { HttpRequest, HttpResponse } from '../../http/message.js'
import type { Page } from '../../http/routing/router.js'
import { requireJson } from '../../http/routing/input.js'
import { answering, given, refuseOtherwise } from './answers.js'
import { metadataPages, PATHS } from './metadata.js'

export interface EndpointsDeps {
  grants: Grants
  /** Undefined: registration is disabled. */
  registrations: Pick<Registrations, 'register'> | undefined
  resources: Resources
}

/** Max size of a code, verifier, redirect URI and client id together. */
const MAX_FORM_BYTES = 8 * 1024
const MAX_METADATA_BYTES = 16 * 1024
const MAX_FIELDS = 30

/** @param baseUrl without a trailing slash */
export function oauthPages({ grants, registrations, resources }: EndpointsDeps, baseUrl: string): Page[] {
  return [
    ...metadataPages({ baseUrl, registers: registrations !== undefined, resources }),
    endpoint(PATHS.token, async (request) => given(200, await grants.token(await formOf(request)))),
    endpoint(PATHS.revoke, async (request) => {
      await grants.revoke(await formOf(request))
      return given(200, {})
    }),
    ...(registrations
      ? [
          endpoint(PATHS.register, async (request) => {
            requireJson(request.headers)
            const metadata = jsonOf(await request.readBody(MAX_METADATA_BYTES))
            return given(201, await registrations.register(metadata, request.remoteAddress))
          }),
        ]
      : []),
  ]
}

function endpoint(path: string, run: (request: HttpRequest) => Promise<HttpResponse>): Page {
  return {
    method: 'POST',
    path,
    readableBy: 'named',
    refuse: refuseOtherwise,
    answer: (_params, request) => answering(request, () => run(request)),
  }
}

/** RFC 6749 §3.2: parameters are a form in the body; a query would be logged. @throws OAuthError, ServiceError */
async function formOf(request: HttpRequest): Promise<URLSearchParams> {
  const { headers } = request
  const type = (headers['content-type'] ?? '').toLowerCase().split(';', 1)[0]?.trim()
  if (type !== 'application/x-www-form-urlencoded' || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ServiceError(
      'unsupported_media_type',
      'The body has to be a form.',
      'Send `Content-Type: application/x-www-form-urlencoded`.',
    )
  if (request.query !== '')
    throw new OAuthError('invalid_request', 'Parameters go into the body, and none into the URL.')
  if (headers['authorization'] !== undefined)
    throw new OAuthError(
      'invalid_client',
      'Clients here are public and have no secret: send client_id in the form, and no Authorization header.',
    )
  const form = new URLSearchParams((await request.readBody(MAX_FORM_BYTES)).toString('utf8'))
  if (form.size > MAX_FIELDS) throw new OAuthError('invalid_request', 'The form has too many fields.')
  return form
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new OAuthError('invalid_client_metadata', error.message)
  }
}
