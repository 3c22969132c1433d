import t, { type Test } from 'tap'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { createProviders } from '../../src/identity/providers.js'
import { ProviderError, type IdentityProvider, type ProviderSettings } from '../../src/identity/types.js'
import { ManualClock, SECOND } from '../../src/lib/clock.js'
import { oidcPeer, passThrough, type OidcPeer } from '../support/peers/oidc-provider.js'
import { freePort, listenAnywhere } from '../support/ports.js'

const BACK = 'http://127.0.0.1:9/signin/test/callback'
const SECRETS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) }

function settingsOf(peer: Pick<OidcPeer, 'issuer' | 'clientId' | 'clientSecret'>): ProviderSettings {
  return {
    id: 'test',
    kind: 'oidc',
    name: 'Test',
    client_id: peer.clientId,
    clientSecret: peer.clientSecret,
    issuer: peer.issuer,
    trust_email: false,
    url: '',
    api_url: '',
  }
}

interface World {
  peer: OidcPeer
  provider: IdentityProvider
  clock: ManualClock
  /** Goes the whole way. */
  signIn: (name?: string, answer?: 'agree' | 'cancel') => ReturnType<IdentityProvider['complete']>
}

async function world(t: Test, change: Partial<ProviderSettings> = {}): Promise<World> {
  const peer = await oidcPeer()
  await peer.start(BACK)
  t.teardown(() => peer.stop())
  const clock = new ManualClock()
  const [provider] = await createProviders([{ ...settingsOf(peer), ...change }], { clock })
  if (!provider) throw new Error('no provider')
  return {
    peer,
    provider,
    clock,
    async signIn(name = 'ada', answer = 'agree') {
      const back = await passThrough(await provider.begin(BACK, SECRETS), name, answer)
      return provider.complete(BACK, back.searchParams, SECRETS)
    },
  }
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

t.test('who signs in at an issuer is known by subject, name and verified email', async (t) => {
  const { provider, signIn } = await world(t)
  const url = await provider.begin(BACK, SECRETS)
  t.match(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    redirect_uri: BACK,
    code_challenge_method: 'S256',
    state: SECRETS.state,
    nonce: SECRETS.nonce,
  })
  t.not(url.searchParams.get('code_challenge'), SECRETS.verifier)
  t.same(await signIn(), { subject: 'ada', username: 'ada', email: 'ada@example.org', emailVerified: true })
})

t.test('an email that the provider does not call verified is not', async (t) => {
  const { peer, signIn } = await world(t)
  peer.people.set('eve', { email: 'ada@example.org', email_verified: false })
  t.same(await signIn('eve'), { subject: 'eve', username: null, email: 'ada@example.org', emailVerified: false })
  peer.people.set('mute', { email: 'ada@example.org' })
  t.match(await signIn('mute'), { emailVerified: false })
})

t.test('emails of a directory that is trusted count as verified, unless it says that one is not', async (t) => {
  const { peer, signIn } = await world(t, { trust_email: true })
  peer.people.set('mute', { email: 'mute@example.org' })
  t.match(await signIn('mute'), { email: 'mute@example.org', emailVerified: true })
  peer.people.set('eve', { email: 'ada@example.org', email_verified: false })
  t.match(await signIn('eve'), { emailVerified: false })
})

t.test('somebody without an email, or with something else in its place, has none', async (t) => {
  const { peer, signIn } = await world(t)
  peer.people.set('nobody', {})
  t.same(await signIn('nobody'), { subject: 'nobody', username: null, email: null, emailVerified: false })
  for (const email of ['a@b, c@d', '"x" <a@b>', 'a@b\r\nBcc: c@d', 'no address', 7]) {
    peer.people.set('odd', { email, email_verified: true, preferred_username: 'two\nlines\u0000' })
    t.same(await signIn('odd'), { subject: 'odd', username: 'two lines', email: null, emailVerified: false })
  }
})

t.test('a token with the nonce of another sign-in, of another time, client or issuer is refused', async (t) => {
  const { peer, signIn } = await world(t)
  const now = Math.floor(Date.now() / 1000)
  const forgeries: [string, (claims: Record<string, unknown>) => Record<string, unknown>, RegExp][] = [
    ['nonce', (claims) => ({ ...claims, nonce: 'another' }), /nonce/],
    ['no nonce', ({ nonce: _, ...claims }) => claims, /nonce/],
    ['expired', (claims) => ({ ...claims, iat: now - 700, exp: now - 60 }), /timestamp/],
    ['from the future', (claims) => ({ ...claims, iat: now + 600, nbf: now + 600, exp: now + 1200 }), /not before/],
    ['audience', (claims) => ({ ...claims, aud: 'another' }), /aud/],
    ['audiences, not ours', (claims) => ({ ...claims, aud: ['another', 'third'], azp: claims['aud'] }), /aud/],
    ['audiences without a party', (claims) => ({ ...claims, aud: [claims['aud'], 'another'] }), /aud/],
    ['audiences, party', (claims) => ({ ...claims, aud: [claims['aud'], 'another'], azp: 'another' }), /azp/],
    ['authorized party', (claims) => ({ ...claims, azp: 'another' }), /azp/],
    ['no text as party', (claims) => ({ ...claims, azp: [claims['aud']] }), /azp/],
    ['no party', (claims) => ({ ...claims, azp: '' }), /azp/],
    ['issuer', (claims) => ({ ...claims, iss: 'http://localhost:1' }), /iss/],
    ['subject', (claims) => ({ ...claims, sub: 'x'.repeat(256) }), /./],
  ]
  for (const [what, tamper, says] of forgeries) {
    peer.tamper = tamper
    const problem = await problemOf(signIn())
    t.match(problem, /^refused: /, what)
    t.match(problem, says, what)
    t.notMatch(problem, 'ada', 'the log says nothing of whose sign-in it was')
  }
  peer.tamper = (claims) => ({ ...claims, azp: claims['aud'] })
  t.match(await signIn(), { subject: 'ada' }, 'we are the authorized party')
  peer.tamper = (claims) => ({ ...claims, aud: [claims['aud'], 'another'], azp: claims['aud'] })
  t.match(await signIn(), { subject: 'ada' }, 'and so beside another audience')
  peer.tamper = undefined
  peer.hasStrangeKey = true
  t.match(await problemOf(signIn()), /^refused: .*signature/, 'the key of somebody else')
  peer.hasStrangeKey = false
  t.match(await signIn(), { subject: 'ada' }, 'and an honest one is taken after all that')
})

t.test('an answer for another redirect, verifier or state is refused, and a code works once', async (t) => {
  const { provider } = await world(t)
  const answer = async (): Promise<URLSearchParams> =>
    (await passThrough(await provider.begin(BACK, SECRETS), 'ada')).searchParams
  const good = await answer()
  await provider.complete(BACK, good, SECRETS)
  t.match(await problemOf(provider.complete(BACK, good, SECRETS)), 'refused: the token endpoint says invalid_grant')
  const others = { state: 'x'.repeat(43), verifier: 'w'.repeat(43), nonce: 'm'.repeat(43) }
  for (const [name, value] of Object.entries(others))
    t.match(await problemOf(provider.complete(BACK, await answer(), { ...SECRETS, [name]: value })), /^refused: /, name)
  const mixed = await answer()
  mixed.set('iss', 'https://elsewhere.example')
  t.match(await problemOf(provider.complete(BACK, mixed, SECRETS)), /^refused: /, 'iss (RFC 9207)')
})

t.test('a human who says no is told apart from an error', async (t) => {
  const { signIn } = await world(t)
  t.match(await problemOf(signIn('ada', 'cancel')), 'denied: access_denied')
})

t.test('a wrong client secret is the operator’s to see', async (t) => {
  const { signIn } = await world(t, { clientSecret: 'another' })
  t.match(await problemOf(signIn()), 'refused: the token endpoint says invalid_client')
})

t.test(
  'a provider that is down is asked again when somebody comes after a while, and keeps its metadata',
  async (t) => {
    const peer = await oidcPeer()
    const clock = new ManualClock()
    const [provider] = await createProviders([settingsOf(peer)], { clock })
    if (!provider) throw new Error('no provider')
    t.match(await problemOf(provider.begin(BACK, SECRETS)), /^unavailable: .*ECONNREFUSED/)
    await peer.start(BACK)
    t.teardown(() => peer.stop())
    t.match(await problemOf(provider.begin(BACK, SECRETS)), /^unavailable: /, 'not at once')
    clock.advance(3 * SECOND)
    t.ok(await provider.begin(BACK, SECRETS))
    await peer.stop()
    clock.advance(2 * 3600 * SECOND)
    t.ok(await provider.begin(BACK, SECRETS), 'what is known of it is used on')
  },
)

t.test(
  'metadata of another issuer, too long or broken ones, redirects and errors make a provider unavailable',
  async (t) => {
    const answers: [string, (origin: string) => { status: number; body: string; headers?: Record<string, string> }][] =
      [
        ['another issuer', () => ({ status: 200, body: '{"issuer":"https://elsewhere.example"}' })],
        ['too long', () => ({ status: 200, body: `{"issuer":"${'x'.repeat(600_000)}"}` })],
        ['no JSON', () => ({ status: 200, body: '<html>' })],
        ['a redirect', (origin) => ({ status: 302, body: '', headers: { location: `${origin}/elsewhere` } })],
        ['an error', () => ({ status: 500, body: '{}' })],
        ['nothing', () => ({ status: 404, body: '{}' })],
      ]
    for (const [what, make] of answers) {
      const asked: string[] = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        const { status, body, headers = {} } = make(`http://${request.headers.host}`)
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
      })
      const port = await listenAnywhere(server)
      const [provider] = await createProviders(
        [settingsOf({ issuer: `http://127.0.0.1:${port}`, clientId: 'c', clientSecret: 's' })],
        {
          clock: new ManualClock(),
        },
      )
      t.match(await problemOf(provider?.begin(BACK, SECRETS) ?? Promise.resolve()), /^unavailable: /, what)
      t.same(asked, ['/.well-known/openid-configuration'], `${what}: asked once, and no redirect is followed`)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  },
)

t.test('an endpoint without TLS elsewhere than on this machine is never asked', async (t) => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const server = createServer((_request, response) => {
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: 'http://192.0.2.1/token',
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
  })
  await listenAnywhere(server, port)
  t.teardown(() => server.close())
  const [provider] = await createProviders([settingsOf({ issuer, clientId: 'c', clientSecret: 's' })], {
    clock: new ManualClock(),
  })
  const answer = new URLSearchParams({ code: 'c', state: SECRETS.state })
  t.match(
    await problemOf(provider?.complete(BACK, answer, SECRETS) ?? Promise.resolve()),
    'refused: http://192.0.2.1 is neither https nor on a loopback address',
  )
})
