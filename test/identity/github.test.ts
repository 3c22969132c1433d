import t, { type Test } from 'tap'
import { createProviders } from '../../src/identity/providers.js'
import { ProviderError, type Identity, type IdentityProvider } from '../../src/identity/types.js'
import { systemClock } from '../../src/lib/clock.js'
import { startGithub, type GithubPeer } from '../support/peers/github.js'

const BACK = 'http://127.0.0.1:9/signin/github/callback'
const SECRETS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) }

async function world(
  t: Test,
): Promise<{ github: GithubPeer; provider: IdentityProvider; signIn: () => Promise<Identity> }> {
  const github = await startGithub()
  t.teardown(() => github.stop())
  const [provider] = await createProviders(
    [
      {
        id: 'github',
        kind: 'github',
        name: 'GitHub',
        client_id: github.clientId,
        clientSecret: github.clientSecret,
        issuer: '',
        trust_email: false,
        url: github.url,
        api_url: github.apiUrl,
      },
    ],
    { clock: systemClock },
  )
  if (!provider) throw new Error('no provider')
  return {
    github,
    provider,
    signIn: async () => provider.complete(BACK, await agree(await provider.begin(BACK, SECRETS)), SECRETS),
  }
}

/** The way back, once the human has agreed. */
async function agree(url: URL): Promise<URLSearchParams> {
  const link = /<a href="([^"]+)">Authorize/.exec(await (await fetch(url)).text())?.[1]
  if (link === undefined) throw new Error('no link')
  return new URL(link.replaceAll('&amp;', '&')).searchParams
}

async function problemOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof ProviderError) return `${error.problem}: ${error.message}`
    throw error
  }
  return 'none'
}

t.test('who signs in with GitHub is known by the number of the account and its primary verified email', async (t) => {
  const { github, signIn } = await world(t)
  github.user.emails.unshift({ email: 'old@example.org', primary: false, verified: true })
  t.same(await signIn(), { subject: '4711', username: 'grace', email: 'grace@example.org', emailVerified: true })
})

t.test('a primary email that is not verified is not, and an account without emails has none', async (t) => {
  const { github, signIn } = await world(t)
  github.user.emails = [
    { email: 'ada@example.org', primary: true, verified: false },
    { email: 'grace@example.org', primary: false, verified: true },
  ]
  t.match(await signIn(), { email: 'ada@example.org', emailVerified: false })
  github.user.emails = []
  t.match(await signIn(), { email: null, emailVerified: false })
})

t.test('a code works once, and only with the verifier of its sign-in', async (t) => {
  const { provider } = await world(t)
  const answer = await agree(await provider.begin(BACK, SECRETS))
  t.match(
    await problemOf(provider.complete(BACK, answer, { ...SECRETS, verifier: 'w'.repeat(43) })),
    'refused: the token endpoint says bad_verification_code',
  )
  t.match(await problemOf(provider.complete(BACK, answer, SECRETS)), /^refused: /)
})

t.test('a human who says no is told apart from an error', async (t) => {
  const { provider } = await world(t)
  const answer = (error: string): Promise<string> =>
    problemOf(provider.complete(BACK, new URLSearchParams({ error, state: SECRETS.state }), SECRETS))
  t.equal(await answer('access_denied'), 'denied: access_denied')
  t.equal(await answer('redirect_uri_mismatch'), 'refused: redirect_uri_mismatch')
  t.equal(await answer('<script>\n'), 'refused: an unknown error')
  t.match(await problemOf(provider.complete(BACK, new URLSearchParams(), SECRETS)), 'refused: the way back has no code')
})

t.test('answers that are broken, of another shape or an error are no identity', async (t) => {
  const { github, signIn } = await world(t)
  const cases: [string, number, string, string][] = [
    [
      '/login/oauth/access_token',
      200,
      '{"error":"incorrect_client_credentials"}',
      'refused: the token endpoint says incorrect_client_credentials',
    ],
    ['/login/oauth/access_token', 200, 'access_token=x', 'refused: /login/oauth/access_token answers with no JSON'],
    [
      '/api/v3/user',
      200,
      '{"id":"4711","login":"x"}',
      'refused: /api/v3/user answers with something else than it should',
    ],
    ['/api/v3/user', 403, '{}', 'refused: /api/v3/user answers with 403'],
    ['/api/v3/user/emails', 503, '{}', 'unavailable: '],
    ['/api/v3/user/emails', 200, `[${'1,'.repeat(400_000)}1]`, 'refused: an answer has more than'],
  ]
  for (const [path, status, body, says] of cases) {
    github.answers.set(path, { status, body })
    t.match(await problemOf(signIn()), says, path)
    github.answers.delete(path)
  }
})
