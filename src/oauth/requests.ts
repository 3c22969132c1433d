/** Checks authorization requests (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1). */
import type { Clients } from './clients.js'
import { givenTwice, knownScopes, scopeNames, valueOf } from './parameters.js'
import { isChallenge } from './pkce.js'
import { answerAt, isRegistered } from './redirect-uris.js'
import { resourceOf, type Resources } from './resources.js'
import { PROGRAM_DEFAULT, withoutContained } from './scopes.js'
import type { AuthorizationRequest, CheckedRequest } from './types.js'

export interface RequestsDeps {
  clients: Pick<Clients, 'find'>
  resources: Resources
  issuer: string
}

const MAX_QUERY_CHARS = 8000
const MAX_STATE_CHARS = 1000

/** RFC 6749 §4.1.2.1, RFC 8707 §2, RFC 9101 §6. */
type RequestError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'request_not_supported'
  | 'request_uri_not_supported'

type Checked =
  Pick<AuthorizationRequest, 'scopes' | 'resource' | 'codeChallenge'> | { error: RequestError; words: string }

export async function checkRequest(
  { clients, resources, issuer }: RequestsDeps,
  query: URLSearchParams,
  remoteAddress: string,
): Promise<CheckedRequest> {
  if (query.toString().length > MAX_QUERY_CHARS) return page('The request is too long.')
  const id = valueOf(query, 'client_id')
  if (id === undefined || query.getAll('client_id').length > 1) return page('The request does not name a program.')
  const client = await clients.find(id, remoteAddress)
  if ('problem' in client) return { outcome: 'page', ...client }
  const redirectUri = valueOf(query, 'redirect_uri')
  if (redirectUri === undefined || query.getAll('redirect_uri').length > 1)
    return page('The request has no address for your answer.')
  if (!isRegistered(client.redirectUris, redirectUri))
    return page(
      'The request wants your answer at an address that the program has not registered. It may belong to somebody else.',
    )
  const checked = checkRest(query, resources)
  const state = stateOf(query)
  if ('error' in checked) {
    const { error, words } = checked
    const location = answerAt(redirectUri, { error, error_description: words, state, iss: issuer })
    return { outcome: 'redirect', location, words }
  }
  return { outcome: 'valid', request: { client, redirectUri, state, ...checked } }
}

/** Unchanged, for the client to recognize its own request; an invalid one is left out. */
function stateOf(query: URLSearchParams): string | undefined {
  const all = query.getAll('state')
  return all.length === 1 && all[0] && all[0].length <= MAX_STATE_CHARS ? all[0] : undefined
}

function checkRest(query: URLSearchParams, resources: Resources): Checked {
  if (givenTwice(query) !== undefined) return wrong('invalid_request', 'A parameter is given twice')
  if ((query.get('state') ?? '').length > MAX_STATE_CHARS)
    return wrong('invalid_request', `state has more than ${MAX_STATE_CHARS} characters`)
  if (valueOf(query, 'request') !== undefined) return wrong('request_not_supported', 'Send the parameters themselves')
  if (valueOf(query, 'request_uri') !== undefined)
    return wrong('request_uri_not_supported', 'Send the parameters themselves')
  const type = valueOf(query, 'response_type')
  if (type === undefined) return wrong('invalid_request', 'response_type is missing: it must be code')
  if (type !== 'code') return wrong('unsupported_response_type', 'response_type must be code')
  if ((valueOf(query, 'response_mode') ?? 'query') !== 'query')
    return wrong('invalid_request', 'response_mode must be query')
  const codeChallenge = valueOf(query, 'code_challenge')
  // The default method is plain (RFC 7636 §4.3).
  if (codeChallenge === undefined || valueOf(query, 'code_challenge_method') !== 'S256')
    return wrong('invalid_request', 'code_challenge is required, with code_challenge_method=S256 (RFC 7636)')
  if (!isChallenge(codeChallenge))
    return wrong('invalid_request', 'code_challenge must be SHA-256 in base64url without padding: 43 characters')
  const named = resourceOf(resources, query)
  if (named.is === 'unknown') return wrong('invalid_target', `resource must be ${resources.all.join(' or ')}`)
  const asked = valueOf(query, 'scope')
  const names = asked === undefined ? [] : scopeNames(asked)
  const resource = resources.meant(named.is === 'named' ? named.resource : undefined, names)
  const offered = resources.scopesOf(resource)
  const standard = resource === resources.ofPrograms ? PROGRAM_DEFAULT : offered
  const scopes =
    asked === undefined ? standard : withoutContained(knownScopes(names).filter((scope) => offered.includes(scope)))
  if (scopes.length === 0) return wrong('invalid_scope', `The scopes of ${resource} are ${offered.join(' ')}`)
  return { scopes, resource, codeChallenge }
}

function wrong(error: RequestError, words: string): Checked {
  return { error, words }
}

function page(problem: string): CheckedRequest {
  return {
    outcome: 'page',
    problem,
    todo: 'Nothing was allowed. Go back to the program and start again; if it fails again, tell its developer.',
  }
}
