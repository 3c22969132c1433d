/** Clients of OAuth: what the official ones keep for their flow, and one that sends what it likes. */
import { createHash, randomBytes } from 'node:crypto'
import { request, type Answer } from './agent.js'

interface Tokens {
  access_token: string
  token_type: string
  refresh_token?: string | undefined
  scope?: string | undefined
}

interface Information {
  client_id: string
}

/** The memory of an official client of either generation, as both ask for it. */
export interface ClientMemory {
  readonly redirectUrl: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method: string }
  clientMetadataUrl?: string
  state(): string
  clientInformation(): Information | undefined
  saveClientInformation(information: Information): void
  tokens(): Tokens | undefined
  saveTokens(tokens: Tokens): void
  redirectToAuthorization(url: URL): void
  saveCodeVerifier(verifier: string): void
  codeVerifier(): string
  invalidateCredentials(which: string): void
  /** The last URL that it would have sent its human to; reading it clears it. */
  takeUrl(): URL
}

/** @param documentUrl of its metadata; without it the client registers itself */
export function clientMemory(name: string, redirectUrl: string, documentUrl?: string): ClientMemory {
  let information: Information | undefined
  let tokens: Tokens | undefined
  let url: URL | undefined
  let kept = ''
  return {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    state: () => randomBytes(16).toString('base64url'),
    clientInformation: () => information,
    saveClientInformation: (given) => void (information = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (given) => void (url = given),
    saveCodeVerifier: (verifier) => void (kept = verifier),
    codeVerifier: () => kept,
    invalidateCredentials(which) {
      if (which === 'all' || which === 'tokens') tokens = undefined
    },
    takeUrl() {
      if (!url) throw new Error('the client did not ask its human')
      const taken = url
      url = undefined
      return taken
    },
  }
}

export interface RawClient {
  id: string
  verifier: string
  /** URL that a browser is sent to; `undefined` omits a parameter. */
  authorizeUrl(change?: Record<string, string | undefined>): string
  /** A request for tokens; the same. */
  token(fields: Record<string, string | undefined>): Promise<Answer>
}

/** One that registers itself, and may then say anything. */
export async function rawClient(baseUrl: string, redirectUri: string, name = 'A liar'): Promise<RawClient> {
  const registered = await request(`${baseUrl}/oauth/register`, 'POST', {
    client_name: name,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  })
  if (registered.status !== 201) throw new Error(`register: ${registered.status} ${JSON.stringify(registered.body)}`)
  const id: string = registered.body.client_id
  const verifier = randomBytes(32).toString('base64url')
  const given = (fields: Record<string, string | undefined>): URLSearchParams => {
    const all = new URLSearchParams()
    for (const [key, value] of Object.entries(fields)) if (value !== undefined) all.set(key, value)
    return all
  }
  return {
    id,
    verifier,
    authorizeUrl: (change = {}) =>
      `${baseUrl}/oauth/authorize?${given({
        response_type: 'code',
        client_id: id,
        redirect_uri: redirectUri,
        state: 'st',
        resource: `${baseUrl}/mcp`,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...change,
      }).toString()}`,
    async token(fields) {
      const sent = {
        client_id: id,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource: `${baseUrl}/mcp`,
        ...fields,
      }
      const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: given(sent) })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
  }
}
