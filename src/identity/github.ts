/** GitHub, which has OAuth (RFC 6749) but no OpenID Connect: the identity is read from its API. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { emailOf, nameOf, subjectOf } from './claims.js'
import { fetchBounded } from './fetch.js'
import { ProviderError, type IdentityProvider, type ProviderSettings } from './types.js'

const tokenAnswer = z.union([z.object({ access_token: z.string().min(1).max(4000) }), z.object({ error: z.string() })])
const userAnswer = z.object({ id: z.int().positive(), login: z.string() })
const emailsAnswer = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })).max(1000)

export function createGithubProvider(
  settings: Pick<ProviderSettings, 'id' | 'name' | 'client_id' | 'clientSecret' | 'url' | 'api_url'>,
): IdentityProvider {
  const { id, name, client_id: clientId, clientSecret } = settings
  const site = settings.url.replace(/\/+$/, '')
  const api = settings.api_url.replace(/\/+$/, '')

  async function tokenFor(code: string, redirectUri: string, verifier: string): Promise<string> {
    const answer = await readJson(`${site}/login/oauth/access_token`, tokenAnswer, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }).toString(),
    })
    // Errors come with status 200.
    if ('error' in answer) throw new ProviderError('refused', `the token endpoint says ${word(answer.error)}`)
    return answer.access_token
  }

  const read = <T>(path: string, schema: z.ZodType<T>, token: string): Promise<T> =>
    readJson(`${api}${path}`, schema, {
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token}`,
        'User-Agent': 'restante',
        'X-GitHub-Api-Version': '2022-11-28',
      },
    })

  return {
    id,
    name,

    async begin(redirectUri, { state, verifier }) {
      const url = new URL(`${site}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'user:email',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return url
    },

    async complete(redirectUri, answer, { verifier }) {
      const error = answer.get('error')
      if (error !== null) throw new ProviderError(error === 'access_denied' ? 'denied' : 'refused', word(error))
      const code = answer.get('code') ?? ''
      if (code === '' || code.length > 1000) throw new ProviderError('refused', 'the way back has no code')
      const token = await tokenFor(code, redirectUri, verifier)
      const user = await read('/user', userAnswer, token)
      const emails = await read('/user/emails', emailsAnswer, token)
      const primary = emails.find((each) => each.primary)
      const email = emailOf(primary?.email)
      return {
        subject: subjectOf(String(user.id)),
        username: nameOf(user.login),
        email,
        emailVerified: email !== null && primary?.verified === true,
      }
    },
  }
}

async function readJson<T>(url: string, schema: z.ZodType<T>, request: Parameters<typeof fetchBounded>[1]): Promise<T> {
  const response = await fetchBounded(url, request)
  const path = new URL(url).pathname
  if (response.status !== 200) throw new ProviderError('refused', `${path} answers with ${response.status}`)
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProviderError('refused', `${path} answers with no JSON`)
    throw error
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new ProviderError('refused', `${path} answers with something else than it should`)
  return parsed.data
}

const word = (text: string): string => (/^[\w-]{1,64}$/.test(text) ? text : 'an unknown error')
