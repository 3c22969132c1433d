import t from 'tap'
import type { CheckedRequest } from '../../src/oauth/types.js'
import { BASE, FROM, newProof, queryOf, REDIRECT, world } from './world.js'

const proof = newProof()

t.test('a request that is whole is valid, and what it leaves out is the usual', async (t) => {
  const w = await world(t)
  const checked = await w.oauth.consent.check(
    queryOf(w, proof, { resource: null, state: null, unknown: 'ignored' }),
    FROM,
  )
  t.match(checked, {
    outcome: 'valid',
    request: {
      client: { id: w.clientId, kind: 'registered', host: null, name: 'Helper' },
      redirectUri: REDIRECT,
      state: undefined,
      scopes: ['mail:read', 'mail:send', 'mail:write'],
      resource: `${BASE}/mcp`,
      codeChallenge: proof.challenge,
    },
  })
  const named = await w.oauth.consent.check(
    queryOf(w, proof, { resource: `${BASE}/`, scope: 'offline_access mail:read' }),
    FROM,
  )
  t.match(named, { request: { resource: BASE, scopes: ['mail:read'] } })
})

t.test('nobody is redirected on the word of who cannot be trusted', async (t) => {
  const w = await world(t)
  const cases: Record<string, Record<string, string | null>> = {
    'no client': { client_id: null },
    'an unknown client': { client_id: `client_${'a'.repeat(43)}` },
    'no client at all': { client_id: 'me' },
    'a document over http': { client_id: 'http://agent.example.org/client.json' },
    'no redirect': { redirect_uri: null },
    'another path': { redirect_uri: `${REDIRECT}/x` },
    'a path that leads back': { redirect_uri: 'https://agent.example.org/x/../callback' },
    'a query': { redirect_uri: `${REDIRECT}?x=1` },
    'another port': { redirect_uri: 'https://agent.example.org:8443/callback' },
    'the port that it is': { redirect_uri: 'https://agent.example.org:443/callback' },
    'another case': { redirect_uri: 'HTTPS://agent.example.org/callback' },
    'a host in capitals': { redirect_uri: 'https://AGENT.example.org/callback' },
    'percent-encoding': { redirect_uri: 'https://agent.example.org/%63allback' },
    'a user name': { redirect_uri: 'https://agent.example.org@evil.example/callback' },
    'a user name in front': { redirect_uri: 'https://x@agent.example.org/callback' },
    'a fragment': { redirect_uri: `${REDIRECT}#x` },
    'a longer host': { redirect_uri: 'https://agent.example.org.evil.example/callback' },
    'a blank': { redirect_uri: `${REDIRECT} ` },
    http: { redirect_uri: 'http://agent.example.org/callback' },
    javascript: { redirect_uri: 'javascript:alert(1)' },
    'a state of 10,000': { state: 'x'.repeat(10_000) },
  }
  for (const [name, change] of Object.entries(cases))
    t.match(await w.oauth.consent.check(queryOf(w, proof, change), FROM), { outcome: 'page', todo: String }, name)
  for (const name of ['client_id', 'redirect_uri']) {
    const twice = queryOf(w, proof)
    twice.append(name, twice.get(name) ?? '')
    t.match(await w.oauth.consent.check(twice, FROM), { outcome: 'page' }, `${name} twice`)
  }
})

t.test('what else is wrong goes back to the client, with its state and whose answer it is', async (t) => {
  const w = await world(t)
  const cases: [string, Record<string, string | null>][] = [
    ['invalid_request', { response_type: null }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code token' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { code_challenge: null }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge_method: null }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: 's256' }],
    ['invalid_request', { code_challenge: 'x'.repeat(42) }],
    ['invalid_request', { code_challenge: `${'x'.repeat(42)}=` }],
    ['invalid_scope', { scope: 'account:manage' }],
    ['invalid_scope', { scope: 'what' }],
    ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
    ['invalid_target', { resource: `${BASE}/v1` }],
    ['invalid_target', { resource: `${BASE}/mcp/` }],
    ['request_not_supported', { request: 'x.y.z' }],
    ['request_uri_not_supported', { request_uri: 'https://evil.example/r' }],
  ]
  const errorOf = (checked: CheckedRequest): URL => {
    if (checked.outcome !== 'redirect') throw new Error(`not redirected: ${JSON.stringify(checked)}`)
    return new URL(checked.location)
  }
  for (const [error, change] of cases) {
    const { origin, pathname, searchParams } = errorOf(await w.oauth.consent.check(queryOf(w, proof, change), FROM))
    t.equal(origin + pathname, REDIRECT)
    t.equal(searchParams.get('error'), error, JSON.stringify(change))
    t.equal(searchParams.get('state'), 'st4te')
    t.equal(searchParams.get('iss'), BASE)
    t.match(searchParams.get('error_description'), /^[ !#-[\]-~]+$/)
  }
  const long = errorOf(await w.oauth.consent.check(queryOf(w, proof, { state: 'x'.repeat(1001) }), FROM))
  t.same([long.searchParams.get('error'), long.searchParams.get('state')], ['invalid_request', null])
  for (const name of ['scope', 'state', 'code_challenge', 'whatever']) {
    const twice = queryOf(w, proof, { scope: 'mail:read', whatever: '1' })
    twice.append(name, 'mail:send')
    t.equal(errorOf(await w.oauth.consent.check(twice, FROM)).searchParams.get('error'), 'invalid_request', name)
  }
  const both = queryOf(w, proof)
  both.append('resource', BASE)
  t.equal(errorOf(await w.oauth.consent.check(both, FROM)).searchParams.get('error'), 'invalid_target')
})

t.test('a program on the same machine is answered on whatever port it has', async (t) => {
  const w = await world(t)
  const redirectUris = [
    'http://127.0.0.1/cb',
    'http://[::1]:3000/cb',
    'http://localhost:7777/cb?x=1',
    'com.example.app:/cb',
  ]
  const client = await w.oauth.registrations?.register({ redirect_uris: redirectUris }, FROM)
  const outcomeOf = async (uri: string): Promise<string> =>
    (await w.oauth.consent.check(queryOf({ clientId: client?.client_id ?? '' }, proof, { redirect_uri: uri }), FROM))
      .outcome
  for (const uri of [
    'http://127.0.0.1:50123/cb',
    'http://[::1]/cb',
    'http://[::1]:1/cb',
    'http://localhost:1/cb?x=1',
    'com.example.app:/cb',
  ])
    t.equal(await outcomeOf(uri), 'valid', uri)
  for (const uri of [
    'http://127.0.0.1:50123/cb/',
    'http://127.0.0.1:50123/CB',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:080x/cb',
    'http://localhost:50123/cb',
    'http://127.0.0.2/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'https://127.0.0.1/cb',
    'http://localhost:1/cb?x=2',
    'com.example.app:/cb2',
    'com.example.app://cb',
  ])
    t.equal(await outcomeOf(uri), 'page', uri)
})

t.test('allowed and refused go to where the client waits', async (t) => {
  const w = await world(t)
  const uri = 'https://agent.example.org/cb?tenant=7'
  const client = await w.oauth.registrations?.register({ redirect_uris: [uri] }, FROM)
  const checked = await w.oauth.consent.check(
    queryOf({ clientId: client?.client_id ?? '' }, proof, { redirect_uri: uri, state: 'a b&c=ü' }),
    FROM,
  )
  if (checked.outcome !== 'valid') return t.fail('not valid')
  const { request } = checked
  const allowed = new URL(
    await w.oauth.consent.allow(request, { accountId: w.accountId, mailboxId: w.mailboxId, scopes: request.scopes }),
  )
  t.match(Object.fromEntries(allowed.searchParams), {
    tenant: '7',
    state: 'a b&c=ü',
    iss: BASE,
    code: /^rst_ac_[0-9A-Za-z]{43}$/,
  })
  t.match(Object.fromEntries(new URL(w.oauth.consent.refuse(request)).searchParams), {
    tenant: '7',
    error: 'access_denied',
    state: 'a b&c=ü',
    iss: BASE,
  })
})
