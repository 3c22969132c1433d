/** What a key is told whose mailbox or account does not stand well: the same by every operation, over REST and over MCP, and by its claim's status. */
import t, { type Test } from 'tap'
import { createHolds } from '../../src/http/limits/long-polls.js'
import { createMcp } from '../../src/api/mcp/server/server.js'
import { DAY } from '../../src/lib/clock.js'
import { claim, world, type World } from '../lifecycle/claims/world.js'
import { startApi, type Api } from './support/api-server.js'
import { fakes } from './support/fakes.js'

const ADDRESS = 'robot@agents.example'
const OWNER = 'ana@example.org'

const MAIL = { to: ['ada@example.org'], subject: 'Hello', text: 'A word.' }
const CALLS: readonly [method: string, path: string, json?: unknown][] = [
  ['GET', '/v1/threads'],
  ['GET', '/v1/events?wait=30'],
  ['GET', '/v1/account/usage'],
  ['POST', '/v1/send', MAIL],
  ['POST', '/v1/send?dry_run=true', MAIL],
  ['POST', '/v1/keys', { name: 'second' }],
  ['DELETE', '/v1/messages/msg_01'],
]
const TOOLS: readonly [tool: string, args: object][] = [
  ['check_inbox', {}],
  ['wait_for_mail', { timeout_seconds: 1 }],
  ['send_email', MAIL],
  ['usage', {}],
]

/** The claims and accounts as they are, over REST and MCP; the mail behind them is faked, since nobody may get there. */
async function serve(t: Test, w: World): Promise<{ api: Api; asked: () => unknown[] }> {
  const domain = fakes()
  const mcp = createMcp({
    ...domain,
    accounts: w.accounts,
    claims: w.claims,
    holds: createHolds(2, w.accounts),
    limits: { longPollSeconds: 60, attachmentsPerMessage: 2 },
    baseUrl: 'https://mail.example.com',
    version: '1.2.3',
    allowedOrigins: [],
    maxBodyBytes: 100_000,
    newRequestId: () => 'req_1',
    onError: (error) => t.error(error),
  })
  t.teardown(() => mcp.close())
  const api = await startApi(t, { accounts: w.accounts, claims: w.claims, mounts: [mcp.mount] })
  return { api, asked: () => [...api.fakes.calls, ...domain.calls] }
}

interface Said {
  isError?: boolean
  text: string
}

async function tool(api: Api, key: string, name: string, args: object): Promise<Said> {
  const answer = await api.call('POST', '/mcp', {
    key,
    headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
  const line = answer.text.startsWith('{') ? answer.text : /^data: (\{.*)$/m.exec(answer.text)?.[1]
  const { result } = JSON.parse(line ?? '{}') as { result?: { isError?: boolean; content: { text: string }[] } }
  if (!result) throw new Error(`${name}: ${answer.status} ${answer.text}`)
  return { ...(result.isError && { isError: true }), text: result.content.map(({ text }) => text).join('\n') }
}

const cases: readonly {
  name: string
  code: string
  status: string
  /** In the hint of each refusal, and not in it. */
  says: RegExp
  never: RegExp
  prepare: (w: World) => Promise<unknown>
}[] = [
  {
    name: 'pending',
    code: 'claim_pending',
    status: 'pending',
    says: /claim_url|claim link/,
    never: /declined|suspended/,
    prepare: async () => undefined,
  },
  {
    name: 'declined',
    code: 'claim_declined',
    status: 'declined',
    says: /Ask your human if|ask yours whether/,
    never: /claim_url|every minute|GET \/v1\/threads/,
    prepare: (w) => w.claims.decline({ address: ADDRESS }),
  },
  {
    name: 'expired',
    code: 'claim_expired',
    status: 'expired',
    says: /[Cc]laim an address again|another one/,
    never: /every minute|GET \/v1\/threads/,
    prepare: async (w) => w.clock.advance(DAY),
  },
  {
    name: 'suspended',
    code: 'account_suspended',
    status: 'claimed',
    says: /operator/,
    never: /claim_url|GET \/v1\/threads|POST \/v1\/send\b/,
    prepare: async (w) => w.accounts.suspend((await w.claims.approve(ADDRESS, OWNER)).accountId, 'Too many bounces.'),
  },
]

for (const { name, code, status, says, never, prepare } of cases) {
  t.test(`a key whose mailbox is ${name} is told so by every operation`, async (t) => {
    const w = await world(t)
    const { api_key: key } = await claim(w, 'robot')
    await prepare(w)
    const { api, asked } = await serve(t, w)
    for (const [method, path, json] of CALLS) {
      const answer = await api.call(method, path, { key, ...(json !== undefined && { json }) })
      const what = `${method} ${path}`
      t.match(answer, { status: 403, json: { error: { code, hint: says } } }, what)
      t.notMatch(answer.text, never, what)
    }
    for (const [each, args] of TOOLS) {
      const { isError, text } = await tool(api, key, each, args)
      t.equal(isError, true, each)
      t.match(text, new RegExp(`^${code}: `), each)
      t.match(text, says, each)
      t.notMatch(text, never, each)
    }

    const own = await api.call('GET', '/v1/claim/status', { key })
    t.match(own, { status: 200, json: { status, address: ADDRESS } })
    t.match(JSON.stringify(own.json), says, 'the status says the same')
    t.notMatch(JSON.stringify(own.json), never)
    const told = await tool(api, key, 'claim_status', {})
    t.match(told.text, new RegExp(`^${ADDRESS}: ${status}`))
    t.notMatch(told.text, never)
    t.same(asked(), [], 'nothing of the mailbox was looked at')
  })
}

t.test('an account that stands well again does everything by the next call', async (t) => {
  const w = await world(t)
  const { api_key: key } = await claim(w, 'robot')
  const { accountId } = await w.claims.approve(ADDRESS, OWNER)
  const api = await startApi(t, { accounts: w.accounts, claims: w.claims })
  t.equal((await api.call('GET', '/v1/threads', { key })).status, 200)
  await w.accounts.suspend(accountId, 'Too many bounces.')
  t.equal((await api.call('GET', '/v1/threads', { key })).status, 403)
  await w.accounts.reinstate(accountId)
  t.equal((await api.call('GET', '/v1/threads', { key })).status, 200)
  t.match((await api.call('GET', '/v1/claim/status', { key })).json, {
    next_steps: [/types=message\.received&wait=30/],
  })
})
