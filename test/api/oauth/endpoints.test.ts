import t from 'tap'
import { HOUR } from '../../../src/lib/clock.js'
import { BASE, codeOf, connect, newProof, redeeming, REDIRECT, refreshing } from '../../oauth/world.js'
import type { Answer } from '../../http/client.js'
import { serve } from './server.js'

const PAGE = 'https://app.example.com'

function bodyOf({ json }: Answer): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

t.test('clients find everything by the metadata, from any page', async (t) => {
  const { api } = await serve(t)
  const server = await api.call('GET', '/.well-known/oauth-authorization-server', { key: null })
  t.equal(server.status, 200)
  t.match(server.headers['access-control-allow-origin'], '*')
  t.match(bodyOf(server), {
    issuer: BASE,
    authorization_endpoint: `${BASE}/oauth/authorize`,
    token_endpoint: `${BASE}/oauth/token`,
    registration_endpoint: `${BASE}/oauth/register`,
    revocation_endpoint: `${BASE}/oauth/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: ['mail:read', 'mail:send', 'mail:write'],
  })
  for (const [path, resource] of [
    ['', BASE],
    ['/mcp', `${BASE}/mcp`],
  ]) {
    const found = await api.call('GET', `/.well-known/oauth-protected-resource${path}`, { key: null })
    t.match(bodyOf(found), { resource, authorization_servers: [BASE], bearer_methods_supported: ['header'] })
    t.equal(found.headers['access-control-allow-origin'], '*')
  }
  const preflight = await api.call('OPTIONS', '/.well-known/oauth-authorization-server', {
    key: null,
    headers: {
      Origin: 'http://localhost:6274',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'mcp-protocol-version',
    },
  })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers['access-control-allow-origin'], '*')
  t.match(preflight.headers['access-control-allow-headers'], /mcp-protocol-version/i)
})

t.test('programs find theirs where there is a port for them', async (t) => {
  const { w, api, mcp } = await serve(t, { mailHost: 'mx.example.com' })
  const found = await api.call('GET', '/.well-known/oauth-protected-resource/mail', { key: null })
  const scopes = ['imap', 'imap:read', 'smtp', 'urn:ietf:params:oauth:scope:mail']
  t.match(bodyOf(found), {
    resource: `${BASE}/mail`,
    authorization_servers: [BASE],
    scopes_supported: scopes,
    bearer_methods_supported: [],
  })
  const server = bodyOf(await api.call('GET', '/.well-known/oauth-authorization-server', { key: null }))
  t.same(server['scopes_supported'], ['mail:read', 'mail:send', 'mail:write', ...scopes])
  t.same(server['protected_resources'], [`${BASE}/mcp`, `${BASE}/mail`])
  const agents = bodyOf(await api.call('GET', '/.well-known/oauth-protected-resource/mcp', { key: null }))
  t.same(agents['scopes_supported'], ['mail:read', 'mail:send', 'mail:write'])

  const { access_token: token } = await connect(w, { change: { resource: `${BASE}/mail`, scope: 'imap smtp' } })
  t.equal((await mcp(token)).status, 401, 'its token is not for agents')
  for (const path of ['/v1/threads', '/v1/claim/status', '/v1/account/usage'])
    t.equal((await api.call('GET', path, { key: token })).status, 401, path)
  const { api: without } = await serve(t)
  t.equal((await without.call('GET', '/.well-known/oauth-protected-resource/mail', { key: null })).status, 404)
})

t.test('where clients cannot register, the metadata names no place for it', async (t) => {
  const { api, post } = await serve(t, { registrationsPerHour: 0 })
  const server = await api.call('GET', '/.well-known/oauth-authorization-server', { key: null })
  t.notOk('registration_endpoint' in bodyOf(server))
  t.equal((await post('/oauth/register', '{}', { 'Content-Type': 'application/json' })).status, 404)
})

t.test('a client registers, gets tokens, and comes in with them', async (t) => {
  const { w, api, post, mcp } = await serve(t)
  const registered = await api.call('POST', '/oauth/register', {
    key: null,
    json: { client_name: 'Helper', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_basic' },
  })
  t.equal(registered.status, 201)
  t.equal(registered.headers['cache-control'], 'no-store')
  t.match(bodyOf(registered), { client_id: w.clientId, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' })
  t.notOk('client_secret' in bodyOf(registered))

  const proof = newProof()
  const granted = await post('/oauth/token', redeeming(w, await codeOf(w, proof), proof))
  t.equal(granted.status, 200)
  t.equal(granted.headers['cache-control'], 'no-store')
  const tokens = bodyOf(granted)
  const [connection] = await w.oauth.connections.list(w.accountId)
  t.match(bodyOf(await mcp(String(tokens['access_token']))), {
    caller: connection?.id,
    scopes: ['mail:read', 'mail:send', 'mail:write'],
  })

  const next = bodyOf(await post('/oauth/token', refreshing(w, String(tokens['refresh_token']))))
  t.equal((await post('/oauth/revoke', new URLSearchParams({ token: String(next['refresh_token']) }))).status, 200)
  t.equal((await mcp(String(next['access_token']))).status, 401)
})

t.test('who comes to /mcp without a good token reads where to get one', async (t) => {
  const { w, api, mcp } = await serve(t)
  const metadata = `resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp", scope="mail:read mail:send mail:write"`
  const without = await mcp(null)
  t.equal(without.status, 401)
  t.equal(without.headers['www-authenticate'], `Bearer ${metadata}`)
  const tokens = await connect(w)
  for (const bearer of [`rst_at_${'a'.repeat(65)}`, tokens.refresh_token, `${tokens.access_token}x`, 'nonsense']) {
    const answer = await mcp(bearer)
    t.equal(answer.status, 401)
    t.match(
      answer.headers['www-authenticate'],
      /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata=/,
    )
    t.ok(String(answer.headers['www-authenticate']).endsWith(metadata))
  }
  w.clock.advance(HOUR)
  t.equal((await mcp(tokens.access_token)).status, 401, 'past its end')

  const plain = await api.call('GET', '/v1/threads', { key: null })
  t.equal(plain.headers['www-authenticate'], 'Bearer realm="restante"')
})

t.test('a token by OAuth is for /mcp and nothing else; a key is for both', async (t) => {
  const { w, api, mcp } = await serve(t)
  const { access_token: token } = await connect(w)
  const whole = await connect(w, { change: { resource: BASE } })
  t.equal((await mcp(token)).status, 200)
  t.equal((await mcp(whole.access_token)).status, 200, 'a token for the whole server too')
  for (const [method, path] of [
    ['GET', '/v1/threads'],
    ['GET', '/v1/account/usage'],
    ['GET', '/v1/claim/status'],
    ['DELETE', '/v1/account'],
  ] as const) {
    const answer = await api.call(method, path, { key: token })
    t.equal(answer.status, 401, path)
    t.match(bodyOf(answer), { error: { code: 'unauthorized', hint: /\/mcp/ } })
  }
  const moved = await api.call('POST', '/moved', { key: token, json: {} })
  t.equal(moved.status, 401, 'nor for the server under another address')
  t.match(moved.headers['www-authenticate'], /error="invalid_token"/)
  const { text } = await w.accounts.createKey(w.mailboxId)
  t.equal((await mcp(text)).status, 200)
})

t.test('tokens are asked for by a form in the body, and by nothing else', async (t) => {
  const { w, api, post } = await serve(t)
  const proof = newProof()
  const code = await codeOf(w, proof)
  const form = redeeming(w, code, proof)
  const json = await api.call('POST', '/oauth/token', { key: null, json: Object.fromEntries(form) })
  t.equal(json.status, 415)
  t.match(bodyOf(json), { error: 'invalid_request', error_description: String })
  const inUrl = await post(`/oauth/token?${form.toString()}`, '')
  t.match([inUrl.status, bodyOf(inUrl)['error']], [400, 'invalid_request'])
  const basic = await post('/oauth/token', form, {
    Authorization: `Basic ${Buffer.from(`${w.clientId}:`).toString('base64')}`,
  })
  t.match([basic.status, bodyOf(basic)['error']], [401, 'invalid_client'])
  t.match(basic.headers['www-authenticate'], /^Basic/)
  const long = await post('/oauth/token', new URLSearchParams({ grant_type: 'refresh_token', x: 'y'.repeat(10_000) }))
  t.match([long.status, bodyOf(long)['error']], [413, 'invalid_request'])
  const many = await post('/oauth/token', Array.from({ length: 40 }, (_, i) => `p${i}=`).join('&'))
  t.match([many.status, bodyOf(many)['error']], [400, 'invalid_request'])
  const secret = await post('/oauth/token', `${form.toString()}&client_secret=x`)
  t.match([secret.status, bodyOf(secret)['error']], [400, 'invalid_client'])
  for (const method of ['GET', 'PUT']) t.equal((await api.call(method, '/oauth/token', { key: null })).status, 405)
  t.equal((await post('/oauth/token', form)).status, 200, 'none of that cost the code')
})

t.test('parallel requests with one code over sockets: one is answered with tokens, and they do not last', async (t) => {
  const { w, post, mcp } = await serve(t)
  const proof = newProof()
  const form = redeeming(w, await codeOf(w, proof), proof)
  const answers = await Promise.all([1, 2, 3, 4].map(() => post('/oauth/token', form)))
  const won = answers.filter(({ status }) => status === 200)
  t.equal(won.length, 1)
  t.equal((await mcp(String(won[0] && bodyOf(won[0])['access_token']))).status, 401)
})

t.test('what is wrong with a registration is said in the form of RFC 7591', async (t) => {
  const { api, post } = await serve(t)
  const register = (json: unknown) => api.call('POST', '/oauth/register', { key: null, json })
  const cases: [string, unknown][] = [
    ['invalid_redirect_uri', {}],
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: 'https://a.example/' }],
    ['invalid_redirect_uri', { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }],
    ['invalid_redirect_uri', { redirect_uris: [`https://a.example/${'x'.repeat(2000)}`] }],
    ...[
      'http://a.example/cb',
      'https://a.example/cb#x',
      'https://user@a.example/cb',
      'https://*.a.example/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'myapp://cb',
      '/cb',
      'https://a.example/c b',
      'https:\\\\a.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://localhost@evil.example/cb',
      'http://[::ffff:127.0.0.1]/cb',
    ].map((uri): [string, unknown] => ['invalid_redirect_uri', { redirect_uris: [uri] }]),
    ['invalid_client_metadata', { redirect_uris: [REDIRECT], client_name: 7 }],
    ['invalid_client_metadata', { redirect_uris: [REDIRECT], grant_types: ['client_credentials'] }],
    ['invalid_client_metadata', { redirect_uris: [REDIRECT], response_types: ['token'] }],
    ['invalid_client_metadata', [REDIRECT]],
    ['invalid_client_metadata', null],
  ]
  for (const [error, json] of cases) {
    const answer = await register(json)
    t.match([answer.status, bodyOf(answer)['error']], [400, error], JSON.stringify(json)?.slice(0, 80))
  }
  t.equal((await post('/oauth/register', 'x', { 'Content-Type': 'application/json' })).status, 400)
  t.equal((await post('/oauth/register', '{}')).status, 415)
  t.equal((await register({ redirect_uris: [REDIRECT], x: 'y'.repeat(20_000) })).status, 413)
})

t.test('a network that registers too often is told to wait', async (t) => {
  const { api } = await serve(t)
  const register = (i: number) =>
    api.call('POST', '/oauth/register', { key: null, json: { redirect_uris: [`https://a.example/${i}`] } })
  let last = await register(0)
  for (let i = 1; i <= 40 && last.status === 201; i++) last = await register(i)
  t.equal(last.status, 429)
  t.match(bodyOf(last), { error: 'temporarily_unavailable' })
  t.match(last.headers['retry-after'], /^\d+$/)
})

t.test('pages that the operator names may ask for tokens, and no others', async (t) => {
  const { w, api, post } = await serve(t, { corsOrigins: [PAGE] })
  const preflight = (origin: string) =>
    api.call('OPTIONS', '/oauth/token', {
      key: null,
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
  t.equal((await preflight(PAGE)).headers['access-control-allow-origin'], PAGE)
  t.equal((await preflight('https://evil.example')).headers['access-control-allow-origin'], undefined)
  const proof = newProof()
  const named = await post('/oauth/token', redeeming(w, await codeOf(w, proof), proof), { Origin: PAGE })
  t.equal(named.headers['access-control-allow-origin'], PAGE)
  const wrong = await post('/oauth/token', 'grant_type=x', { Origin: 'https://evil.example' })
  t.equal(wrong.headers['access-control-allow-origin'], undefined)
})
