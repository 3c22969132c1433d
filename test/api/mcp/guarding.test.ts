/** What stands before the protocol: where a request comes from, keys, limits, scopes. */
import t from 'tap'
import type { Scope } from '../../../src/accounts/types.js'
import { rpcOf, startMcp, until } from './world.js'

const CHECK_INBOX = { name: 'check_inbox', arguments: {} }
const FORWARD = { name: 'forward', arguments: { message_id: 'msg_1', to: 'bob@example.org' } }
const SEND = { name: 'send_email', arguments: { to: 'bob@example.org', subject: 's', text: 't' } }

t.test('a request for a name that is not ours is refused, and told what to do', async (t) => {
  const { modern, fakes } = await startMcp(t)
  for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    const answer = await modern('tools/call', CHECK_INBOX, { headers: { Host: host } })
    t.equal(answer.status, 403, host)
    t.match(rpcOf(answer), { jsonrpc: '2.0', id: null, error: { message: /not called that.*proxy_set_header Host/ } })
  }
  for (const host of ['a@b', 'x/y'])
    t.equal((await modern('tools/call', CHECK_INBOX, { headers: { Host: host } })).status, 400, 'no host name')
  t.same(fakes.calls, [])
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1', '127.0.0.9:1', '[::1]:8080', '192.0.2.7:8080']) {
    t.equal((await modern('tools/call', CHECK_INBOX, { headers: { Host: host } })).status, 200, host)
  }
})

t.test('the name in the base URL is ours, with any port and in any case', async (t) => {
  const { modern } = await startMcp(t, { baseUrl: 'https://mail.example.org' })
  for (const [host, status] of [
    ['mail.example.org', 200],
    ['MAIL.example.org', 200],
    ['mail.example.org:443', 200],
    ['mail.example.org:8080', 200],
    ['mail.example.org.', 403],
    ['example.org', 403],
  ] as const) {
    t.equal((await modern('tools/list', {}, { headers: { Host: host } })).status, status, host)
  }
})

t.test('a page of an origin that is not allowed is refused, whatever its browser sends along', async (t) => {
  const { modern, fakes } = await startMcp(t, { allowedOrigins: ['https://app.example'] })
  for (const origin of ['https://evil.example', 'null', 'http://app.example', 'https://app.example.evil.example']) {
    const answer = await modern('tools/call', SEND, { headers: { Origin: origin } })
    t.equal(answer.status, 403, origin)
    t.match(rpcOf(answer).error.message, /server\.cors_origins/)
  }
  t.same(fakes.calls, [])
  t.equal((await modern('tools/list', {}, { headers: { Origin: 'https://app.example' } })).status, 200)
})

t.test('without a good key there is nothing, and the refusal is one of JSON-RPC', async (t) => {
  const { modern, api } = await startMcp(t)
  const wrong = await modern('tools/list', {}, { key: 'wrong' })
  t.match(wrong, { status: 401, headers: { 'www-authenticate': /^Bearer/ } })
  t.match(rpcOf(wrong), {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, data: { code: 'unauthorized', hint: String } },
  })
  const none = await api.call('POST', '/mcp', { key: null, json: {} })
  t.match(none, { status: 401, json: { jsonrpc: '2.0', error: { data: { code: 'unauthorized' } } } })
})

t.test('requests count as those of the API do, each message of MCP as one', async (t) => {
  const { modern, api, fakes } = await startMcp(t, { limits: { requestsPerMinute: 3 } })
  t.match(await modern('tools/list'), { status: 200, headers: { 'x-ratelimit-remaining': '2' } })
  t.match(await api.call('GET', '/v1/mailbox'), { status: 200, headers: { 'x-ratelimit-remaining': '1' } })
  t.equal((await modern('tools/call', CHECK_INBOX)).status, 200)
  const refused = await modern('tools/call', CHECK_INBOX)
  t.match(refused, { status: 429, headers: { 'retry-after': /^\d+$/, 'x-ratelimit-remaining': '0' } })
  t.match(rpcOf(refused).error, { code: -32000, data: { code: 'rate_limited', hint: String } })
  t.equal((await modern('tools/list', {}, { key: 'good-2' })).status, 200, 'another key has its own')
  const batch = Array.from({ length: 4 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: CHECK_INBOX,
  }))
  const headers = { Accept: 'application/json, text/event-stream' }
  const calls = fakes.calls.length
  t.equal((await api.call('POST', '/mcp', { key: 'good-3', headers, json: batch })).status, 429)
  t.equal(fakes.calls.length, calls, 'and nothing of a batch is done that is more than is left')
  const small = batch.slice(0, 2)
  t.equal((await api.call('POST', '/mcp', { key: 'good-4', headers, json: small })).status, 200)
  t.match((await modern('tools/list', {}, { key: 'good-4' })).headers, { 'x-ratelimit-remaining': '0' })
})

t.test('a key has so many requests at work at once, over REST and MCP together', async (t) => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const { modern, api } = await startMcp(t, {
    limits: { requestsAtOncePerKey: 2 },
    mailboxes: ({ reading }) => ({
      reading: {
        ...reading,
        threads: async (...args) => {
          await held
          return reading.threads(...args)
        },
      },
    }),
  })
  const two = [modern('tools/call', CHECK_INBOX), modern('tools/call', CHECK_INBOX)]
  await until(() => api.server.openRequests === 2)
  t.match(rpcOf(await modern('tools/list')).error.data, { code: 'rate_limited' })
  t.equal((await api.call('GET', '/v1/mailbox')).status, 429)
  release()
  for (const answer of await Promise.all(two)) t.equal(answer.status, 200)
  t.equal((await modern('tools/list')).status, 200)
})

t.test('a connection by OAuth is told which scopes to ask for; a key is told by the result of its call', async (t) => {
  const byOAuth = await startMcp(t, {
    caller: (caller) => ({ ...caller, audience: 'https://mail.example.org/mcp' }),
    baseUrl: 'https://mail.example.org',
  })
  const byKey = await startMcp(t)
  const cases: [key: string, call: object, scopes: Scope[], missing: string][] = [
    ['only-mail.read', SEND, ['mail:read', 'mail:send'], 'mail:send'],
    ['only-mail.write', CHECK_INBOX, ['mail:write', 'mail:read'], 'mail:read'],
    ['only-mail.send', FORWARD, ['mail:send', 'mail:read'], 'mail:read'],
  ]
  for (const [key, call, scopes, missing] of cases) {
    for (const ask of [byOAuth.modern, byOAuth.legacy]) {
      const answer = await ask('tools/call', { ...call }, { key })
      t.equal(answer.status, 403)
      const challenge = answer.headers['www-authenticate'] ?? ''
      t.match(challenge, /^Bearer error="insufficient_scope", error_description="[^"]+"/)
      t.ok(challenge.includes(`scope="${scopes.join(' ')}"`), challenge)
      t.match(
        challenge,
        /resource_metadata="https:\/\/mail\.example\.org\/\.well-known\/oauth-protected-resource\/mcp"/,
      )
      t.match(answer.json, { error: 'insufficient_scope' })
    }
    for (const ask of [byKey.modern, byKey.legacy]) {
      const answer = await ask('tools/call', { ...call }, { key })
      t.match([answer.status, answer.headers['www-authenticate']], [200, undefined])
      t.match(rpcOf(answer).result, {
        isError: true,
        content: [{ text: new RegExp(`^insufficient_scope: [^]*${missing}`) }],
      })
    }
  }
  for (const [method, params] of [
    ['resources/read', { uri: 'mailbox://usage' }],
    ['prompts/get', { name: 'triage_inbox' }],
  ] as const) {
    const headers: Record<string, string> = 'uri' in params ? { 'Mcp-Name': params.uri } : {}
    const answer = await byOAuth.modern(method, params, { key: 'only-mail.send', headers })
    t.match(answer, { status: 403, headers: { 'www-authenticate': /scope="mail:send mail:read"/ } }, method)
    const refused = await byKey.modern(method, params, { key: 'only-mail.send', headers })
    t.match(rpcOf(refused).error.message, /insufficient_scope/)
  }
  t.same([...byOAuth.fakes.calls, ...byKey.fakes.calls], [])
  t.equal((await byOAuth.modern('tools/call', CHECK_INBOX, { key: 'only-mail.read' })).status, 200)
  const batch = await byOAuth.api.call('POST', '/mcp', {
    key: 'only-mail.read',
    headers: { Accept: 'application/json, text/event-stream' },
    json: [CHECK_INBOX, SEND].map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })),
  })
  t.equal(batch.status, 403, 'one call of a batch is enough')
})
