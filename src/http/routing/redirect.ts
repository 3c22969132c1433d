/** Plain HTTP beside HTTPS: redirects, and ACME challenges. */
import type { HttpChallenges } from '../../certificates/types.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { answerChallenge, CHALLENGE_PREFIX } from './acme-challenge.js'
import { hostOf } from '../host-name.js'
import type { HttpHandler, HttpResponse } from '../message.js'

export interface RedirectDeps {
  /** HTTPS origin by host name; other names are refused. */
  origins: ReadonlyMap<string, string>
  challenges: HttpChallenges
}

export function createRedirect({ origins, challenges }: RedirectDeps): HttpHandler {
  return async ({ method, path, query, headers }): Promise<HttpResponse> => {
    const isReading = method === 'GET' || method === 'HEAD'
    if (isReading && path.startsWith(CHALLENGE_PREFIX))
      return answerChallenge(challenges, path.slice(CHALLENGE_PREFIX.length))
    const origin = origins.get(hostOf({ headers }))
    if (origin === undefined)
      throw new ServiceError(
        'not_found',
        'Nothing is served under this host name.',
        'Call the service by its https address.',
      )
    // A redirect would work, and leak the key in clear each time.
    if (headers['authorization'] !== undefined || !isReading)
      throw invalidRequest(
        'This request came without TLS, where others can read and change it.',
        `Call ${origin} instead. Replace any key that was sent here: others may have read it.`,
      )
    return { status: 308, headers: { Location: `${origin}${path}${query === '' ? '' : `?${query}`}` } }
  }
}
