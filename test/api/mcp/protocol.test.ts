/** What the endpoint says on the wire, revision by revision: right requests, and requests that are wrong in each way that the standard names. */
import t from 'tap'
import { ENVELOPE, LEGACY, messagesOf, MODERN, rpcOf, startMcp } from './world.js'

const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const PARSE_ERROR = -32700
const HEADER_MISMATCH = -32020
const UNSUPPORTED_VERSION = -32022

t.test('server/discover says what there is without a handshake', async (t) => {
  const { modern } = await startMcp(t)
  const { result } = rpcOf(await modern('server/discover'))
  t.match(result, {
    resultType: 'complete',
    ttlMs: Number,
    cacheScope: 'public',
    supportedVersions: [MODERN],
    capabilities: { tools: {} },
    instructions: /untrusted data/,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'restante', version: '1.2.3' } },
  })
  t.notHas(result.capabilities.tools, 'listChanged', 'the list changes with the version alone')
})

t.test(
  'the handshake of 2025 agrees on a revision, and offers the newest of 2025 for one that nobody knows',
  async (t) => {
    const { legacy } = await startMcp(t)
    const agreed = async (protocolVersion: string): Promise<unknown> => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const { result } = rpcOf(await legacy('initialize', params, { headers: { 'MCP-Protocol-Version': '' } }))
      t.match(result, { serverInfo: { name: 'restante' }, capabilities: { tools: {} }, instructions: String })
      return result.protocolVersion
    }
    for (const revision of ['2025-03-26', '2025-06-18', LEGACY]) t.equal(await agreed(revision), revision)
    t.equal(await agreed('2031-01-01'), LEGACY)
  },
)

t.test(
  'lists say in 2026-07-28 that they are complete and for how long they hold, and nothing of it before',
  async (t) => {
    const { modern, legacy } = await startMcp(t)
    const now = rpcOf(await modern('tools/list')).result
    t.match(now, { resultType: 'complete', cacheScope: 'public' })
    t.ok(now.ttlMs > 0)
    const before = rpcOf(await legacy('tools/list')).result
    t.strictSame(Object.keys(before), ['tools'])
    t.strictSame(before.tools, now.tools)
    t.strictSame(rpcOf(await modern('tools/list')).result.tools, now.tools, 'and come in the same order each time')
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      const { result } = rpcOf(await modern(method))
      t.match(result, { resultType: 'complete', cacheScope: 'public' }, method)
      t.equal(result.ttlMs, now.ttlMs)
    }
    for (const tool of now.tools) {
      t.match(tool, { inputSchema: { type: 'object', additionalProperties: false }, outputSchema: { type: 'object' } })
      t.match(tool, { title: String, description: String, annotations: { readOnlyHint: Boolean } })
    }
  },
)

t.test('a call is answered as JSON in 2026-07-28, with words and data, and as an event stream before', async (t) => {
  const { modern, legacy, errors } = await startMcp(t)
  const call = { name: 'check_inbox', arguments: {} }
  const now = await modern('tools/call', call, { id: 'a-7' })
  t.match(now, { status: 200, headers: { 'content-type': /^application\/json/, 'content-length': String } })
  const { id, result } = rpcOf(now)
  t.equal(id, 'a-7')
  t.match(result, { resultType: 'complete', content: [{ type: 'text' }], structuredContent: { threads: [{}] } })
  const before = await legacy('tools/call', call)
  t.match(before, { status: 200, headers: { 'content-type': /^text\/event-stream/ } })
  t.match(rpcOf(before), { id: 1, result: { content: [{ type: 'text' }], structuredContent: { threads: [{}] } } })
  t.same(errors, [])
})

t.test('header fields that are missing or disagree with the body are refused', async (t) => {
  const { modern, fakes } = await startMcp(t)
  const call = { name: 'check_inbox', arguments: {} }
  for (const [name, value] of [
    ['MCP-Protocol-Version', ''],
    ['MCP-Protocol-Version', LEGACY],
    ['MCP-Protocol-Version', '2027-01-01'],
    ['Mcp-Method', ''],
    ['Mcp-Method', 'tools/list'],
    ['Mcp-Name', ''],
    ['Mcp-Name', 'send_email'],
    ['Mcp-Name', '=?base64?!?='],
  ] as const) {
    const answer = await modern('tools/call', call, { headers: { [name]: value } })
    t.equal(answer.status, 400, `${name}: ${value}`)
    t.match(rpcOf(answer), { id: 1, error: { code: HEADER_MISMATCH, message: String } })
  }
  const encoded = `=?base64?${Buffer.from('check_inbox').toString('base64')}?=`
  t.equal((await modern('tools/call', call, { headers: { 'Mcp-Name': encoded } })).status, 200)
  t.equal(fakes.calls.filter(({ name }) => name === 'listThreads').length, 1, 'what is refused is not done')
})

t.test('a revision that nobody knows is refused with those that are known', async (t) => {
  const { modern, legacy } = await startMcp(t)
  const future = '2031-01-01'
  const answer = await modern(
    'tools/list',
    {},
    {
      headers: { 'MCP-Protocol-Version': future },
      meta: { 'io.modelcontextprotocol/protocolVersion': future },
    },
  )
  t.equal(answer.status, 400)
  t.match(rpcOf(answer).error, { code: UNSUPPORTED_VERSION, data: { supported: [MODERN], requested: future } })
  const past = await legacy('tools/list', {}, { headers: { 'MCP-Protocol-Version': '2023-01-01' } })
  t.equal(past.status, 400)
  t.match(rpcOf(past).error.message, /2023-01-01.*2025-11-25/)
})

t.test('an envelope that is missing or broken is refused', async (t) => {
  const { modern, api } = await startMcp(t)
  const broken = { 'io.modelcontextprotocol/clientCapabilities': 'all' }
  const answer = await modern('tools/list', {}, { meta: broken })
  t.match([answer.status, rpcOf(answer).error.code], [400, INVALID_PARAMS])
  const without = await api.call('POST', '/mcp', {
    headers: { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/list' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  })
  t.match([without.status, rpcOf(without).error], [400, { code: INVALID_PARAMS, message: /_meta/ }])
})

t.test('batches are answered in 2025, where there were such, up to ten messages, and refused since', async (t) => {
  const { api } = await startMcp(t)
  const list = (id: number, params: object = {}): object => ({ jsonrpc: '2.0', id, method: 'tools/list', params })
  const post = (json: unknown) =>
    api.call('POST', '/mcp', { headers: { Accept: 'application/json, text/event-stream' }, json })
  const two = await post([list(1), list(2), { jsonrpc: '2.0', method: 'notifications/initialized' }])
  t.equal(two.status, 200)
  t.strictSame(
    messagesOf(two)
      .map(({ id, result }) => [id, Array.isArray(result.tools)])
      .sort(),
    [
      [1, true],
      [2, true],
    ],
  )
  for (const refused of [
    [],
    [list(1), list(2, { _meta: ENVELOPE })],
    [list(1), 'text'],
    Array.from({ length: 11 }, (_, n) => list(n)),
  ]) {
    const answer = await post(refused)
    t.match([answer.status, rpcOf(answer).error.code], [400, INVALID_REQUEST])
  }
})

t.test('there are no sessions: every method but POST is refused', async (t) => {
  const { api } = await startMcp(t)
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const answer = await api.call(method, '/mcp', { headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': 'x' } })
    t.match(answer, { status: 405, headers: { allow: 'POST' } }, method)
  }
})

t.test('notifications are taken without an answer', async (t) => {
  const { modern, legacy, api, errors } = await startMcp(t)
  for (const answer of [
    await legacy('notifications/initialized'),
    await legacy('notifications/cancelled', { requestId: 99 }),
    await modern('notifications/cancelled', { requestId: 99 }),
    await modern('notifications/nobody_knows'),
  ]) {
    t.match(answer, { status: 202, text: '' })
  }
  const posted = await api.call('POST', '/mcp', {
    headers: { Accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, result: {} },
  })
  t.match(posted, { status: 202, text: '' }, 'and so is an answer to what was never asked')
  t.same(errors, [])
})

t.test('what is no message is refused with the error that says why', async (t) => {
  const { api, errors } = await startMcp(t, { maxBodyBytes: 2000 })
  const accept = 'application/json, text/event-stream'
  const post = (body: string, headers: Record<string, string> = {}) =>
    api.call('POST', '/mcp', { headers: { 'Content-Type': 'application/json', Accept: accept, ...headers }, body })
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const cases: [string, Record<string, string>, number, number][] = [
    ['{"jsonrpc":', {}, 400, PARSE_ERROR],
    ['', {}, 400, PARSE_ERROR],
    ['null', {}, 400, INVALID_REQUEST],
    ['"text"', {}, 400, INVALID_REQUEST],
    ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', {}, 400, INVALID_REQUEST],
    ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', {}, 400, INVALID_REQUEST],
    [list, { 'Content-Type': 'text/plain' }, 415, -32000],
    ['a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, -32000],
    [list, { Accept: 'application/json' }, 406, -32000],
    [list, { Accept: 'text/html' }, 406, -32000],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, {}, 400, PARSE_ERROR],
    [`{"a":"${'x'.repeat(2000)}"}`, {}, 413, -32000],
  ]
  for (const [body, headers, status, code] of cases) {
    const answer = await post(body, headers)
    t.equal(answer.status, status, body.slice(0, 60))
    t.match(rpcOf(answer), { jsonrpc: '2.0', error: { code, message: String } })
  }
  const deep = rpcOf(await post(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)).error
  t.match(deep, { message: /nested deeper than 32 levels/, data: { code: 'invalid_request', hint: String } })
  t.same(errors, [], 'none of it is a fault of ours')
})

t.test('an unknown method, tool or argument is named', async (t) => {
  const { modern, legacy } = await startMcp(t)
  const noMethod = await modern('tools/nothing')
  t.match([noMethod.status, rpcOf(noMethod).error.code], [404, METHOD_NOT_FOUND])
  t.match(rpcOf(await legacy('tools/nothing')).error, { code: METHOD_NOT_FOUND })
  t.match(rpcOf(await modern('initialize', {})).error, { code: METHOD_NOT_FOUND }, 'the handshake is one of 2025')
  for (const ask of [modern, legacy]) {
    const noTool = rpcOf(await ask('tools/call', { name: 'steal_mail', arguments: {} }))
    t.match(noTool.error, { code: INVALID_PARAMS, message: /no tool "steal_mail".*tools\/list/ })
    const inherited = rpcOf(await ask('tools/call', { name: 'constructor', arguments: {} }))
    t.equal(inherited.error.code, INVALID_PARAMS)
    const noArgument = rpcOf(await ask('tools/call', { name: 'check_inbox', arguments: { unread: true } }))
    t.match(noArgument.result, { isError: true, content: [{ text: /^invalid_request: [^]*unread/ }] })
    const wrongType = rpcOf(await ask('tools/call', { name: 'check_inbox', arguments: { limit: 'ten' } }))
    t.match(wrongType.result, { isError: true, content: [{ text: /^invalid_request: [^]*limit/ }] })
    const noObject = rpcOf(await ask('tools/call', { name: 'check_inbox', arguments: [1] }))
    t.equal(noObject.error.code, INVALID_PARAMS)
  }
})

t.test('a call may be as large as a request of the API, and is whole', async (t) => {
  const { modern, fakes } = await startMcp(t, { maxBodyBytes: 2_000_000 })
  const text = 'ä'.repeat(500_000)
  const call = { name: 'send_email', arguments: { to: 'bob@example.org', subject: 's', text } }
  t.notOk(rpcOf(await modern('tools/call', call)).result.isError)
  t.match(fakes.calls.at(-1), { name: 'send', args: [String, { text }] })
})

t.test('what a client may listen for is nothing: such a stream ends at once', async (t) => {
  const { modern } = await startMcp(t)
  const answer = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  t.equal(answer.status, 200)
  t.match(rpcOf(answer), { id: 1, result: { resultType: 'complete' } })
})
