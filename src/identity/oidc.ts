/**
 * Any issuer of OpenID Connect: discovery, the authorization code flow with PKCE (RFC 7636), state, nonce and `iss` (RFC 9207), and the check
 * of the ID token with its signature (OpenID Connect Core §3.1.3.7).
 */
import * as client from 'openid-client'
import { type Clock, HOUR, SECOND } from '../lib/clock.js'
import { messageOf } from '../lib/thrown.js'
import { emailOf, nameOf, subjectOf } from './claims.js'
import { fetchBounded, TIMEOUT_SECONDS } from './fetch.js'
import { ProviderError, type Identity, type IdentityProvider, type ProviderSettings } from './types.js'

/** Max age of cached metadata. An unknown key id fetches the keys again. */
const METADATA_LIFE_MS = HOUR
/** Pause after a failure of a provider, for all sign-ins. */
const RETRY_MS = 3 * SECOND
/** Max difference between its clock and ours. */
const CLOCK_TOLERANCE_SECONDS = 10

export function createOidcProvider(
  settings: Pick<ProviderSettings, 'id' | 'name' | 'issuer' | 'client_id' | 'clientSecret' | 'trust_email'>,
  { clock }: { clock: Clock },
): IdentityProvider {
  const { id, name, trust_email: trustEmail } = settings
  const configuration = cached(() => discover(settings), clock)

  return {
    id,
    name,

    async begin(redirectUri, { state, nonce, verifier }) {
      const config = await configuration()
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async complete(redirectUri, answer, { state, nonce, verifier }) {
      const config = await configuration()
      const back = new URL(redirectUri)
      back.search = answer.toString()
      try {
        const tokens = await client.authorizationCodeGrant(config, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new ProviderError('refused', 'there is no ID token')
        // OpenID Connect Core §3.1.3.7, 4 and 5. The library requires `azp` only with several audiences.
        if (claims.azp !== undefined && claims.azp !== settings.client_id)
          throw new ProviderError('refused', 'the ID token was issued to another client (azp)')
        const hasMore = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
        return identityOf({ ...more, ...claims }, hasMore ? more : claims, trustEmail)
      } catch (error) {
        throw problemOf(error)
      }
    },
  }
}

type Claims = Readonly<Record<string, unknown>>

/** @param contact source of both `email` and `email_verified` */
function identityOf(claims: Claims, contact: Claims, trustEmail: boolean): Identity {
  const email = emailOf(contact['email'])
  const verified = contact['email_verified']
  return {
    subject: subjectOf(String(claims['sub'])),
    username: nameOf(claims['preferred_username']) ?? nameOf(claims['name']),
    email,
    // Some providers send a string. An explicit false is never overridden.
    emailVerified:
      email !== null && (verified === true || verified === 'true' || (trustEmail && verified === undefined)),
  }
}

async function discover({
  issuer,
  client_id: clientId,
  clientSecret,
}: Pick<ProviderSettings, 'issuer' | 'client_id' | 'clientSecret'>): Promise<client.Configuration> {
  const url = new URL(issuer)
  try {
    return await client.discovery(
      url,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticationBy(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: (address, { method, headers, body, signal }) =>
          fetchBounded(address, { method: method === 'POST' ? method : 'GET', headers, body: bodyOf(body), signal }),
        // fetchBounded decides which addresses may do without TLS.
        execute: [
          client.enableNonRepudiationChecks,
          ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    )
  } catch (error) {
    const { problem, message } = problemOf(error)
    // Whatever is wrong with its metadata, there is nothing that somebody who signs in could do otherwise.
    throw new ProviderError('unavailable', problem === 'unavailable' ? message : `discovery: ${message}`)
  }
}

/** The client only sends forms. */
function bodyOf(body: client.FetchBody): string | null {
  if (body === null || body === undefined) return null
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new Error('the body is not a form')
}

/** Sends the secret in the form if possible, since many providers take special characters only there; else by RFC 6749 §2.3.1. */
function authenticationBy(secret: string): client.ClientAuth {
  if (secret === '') return client.None()
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic)(server, ...rest)
}

const DENIED = [
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]

/** The error without personal data: causes contain claims, and descriptions may. */
function problemOf(error: unknown): ProviderError {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner instanceof ProviderError) return inner
  if (error instanceof client.AuthorizationResponseError) {
    const word = /^[\w-]{1,64}$/.test(error.error) ? error.error : 'an unknown error'
    if (DENIED.includes(error.error)) return new ProviderError('denied', word)
    const isDown = error.error === 'server_error' || error.error === 'temporarily_unavailable'
    return new ProviderError(isDown ? 'unavailable' : 'refused', `the way back says ${word}`)
  }
  if (error instanceof client.ResponseBodyError) {
    const word = /^[\w-]{1,64}$/.test(error.error) ? error.error : 'an unknown error'
    return new ProviderError('refused', `the token endpoint says ${word} (${error.status})`)
  }
  if (error instanceof client.ClientError) {
    const isTime = error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT'
    // The library's message is more exact, and contains at most the name of a claim.
    const { message } = isOfProtocol(error.cause) ? error.cause : error
    return new ProviderError(isTime ? 'unavailable' : 'refused', `${message.slice(0, 200)}${about(error)}`)
  }
  return new ProviderError('refused', messageOf(error))
}

/** Other messages, such as a JSON parser's, quote their input. */
function isOfProtocol(cause: unknown): cause is Error {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('OAUTH_')
}

/** Name of the claim or attribute. */
function about(error: Error): string {
  for (let inner: unknown = error.cause, depth = 0; typeof inner === 'object' && inner !== null && depth < 4; depth++) {
    for (const part of ['claim', 'attribute'] as const) {
      const name: unknown = part in inner ? Reflect.get(inner, part) : undefined
      if (typeof name === 'string' && /^\w{1,40}$/.test(name)) return ` (${name})`
    }
    inner = 'cause' in inner ? inner.cause : undefined
  }
  return ''
}

/** Shares one load among all callers; if reloading fails, the old value stays in use. */
function cached<T>(load: () => Promise<T>, clock: Clock): () => Promise<T> {
  let found: { value: T; until: number } | undefined
  let failed: { error: unknown; until: number } | undefined
  let loading: Promise<T> | undefined

  async function attempt(): Promise<T> {
    try {
      const value = await load()
      found = { value, until: clock.now() + METADATA_LIFE_MS }
      failed = undefined
      return value
    } catch (error) {
      failed = { error, until: clock.now() + RETRY_MS }
      if (found) return found.value
      throw error
    } finally {
      loading = undefined
    }
  }

  return async () => {
    if (found && clock.now() < found.until) return found.value
    if (failed && clock.now() < failed.until) {
      if (found) return found.value
      throw failed.error
    }
    return (loading ??= attempt())
  }
}
