import t, { type Test } from 'tap'
import { z } from 'zod'
import { SCOPES, type Caller, type EndedAccess, type Scope } from '../../src/accounts/types.js'
import { permit } from '../../src/http/limits/authorize.js'
import { createHolds } from '../../src/http/limits/long-polls.js'
import { createMcp } from '../../src/api/mcp/server/server.js'
import { createRouter } from '../../src/http/routing/router.js'
import { DAY, ManualClock } from '../../src/lib/clock.js'
import { bindRoutes, routesWith } from '../../src/http/routing/route.js'
import { routes } from '../../src/api/v1-routes.js'
import { startApi, type Api } from './support/api-server.js'
import { fakes } from './support/fakes.js'
import { accountRecord } from '../support/account.js'

const keyWith = (scopes: readonly Scope[]): string => `only-${scopes.map((each) => each.replace(':', '.')).join('-')}`
const without = (scope: Scope): string => keyWith(SCOPES.filter((each) => each !== scope))

t.test('every call on an approved mailbox names the scopes it takes', async (t) => {
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    if (route.auth === 'none') t.strictSame(route.scopes, [], name)
    else if (route.auth !== 'pending') t.not(route.scopes.length, 0, name)
    if (route.method === 'GET') t.notOk(route.scopes.includes('mail:write') || route.scopes.includes('mail:send'), name)
  }
})

t.test('a key without the scope of a call is refused, and told which one it lacks', async (t) => {
  const api = await startApi(t)
  for (const { method, path, scopes } of routes.filter((each) => each.scopes.length > 0)) {
    const there = path.replace(/\{\w+\}/g, 'x')
    const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
    for (const scope of scopes) {
      const answer = await api.call(method, there, { key: without(scope), ...json })
      t.equal(answer.status, 403, `${method} ${path} without ${scope}`)
      t.match(answer.json, { error: { code: 'insufficient_scope', message: scope, hint: `key with ${scope}` } })
    }
    const allowed = await api.call(method, there, { key: keyWith(scopes), ...json })
    t.notMatch(allowed.json, { error: { code: 'insufficient_scope' } }, `${method} ${path} with ${scopes.join(' ')}`)
  }
})

t.test('a call that names no scope is refused to everybody', async (t) => {
  const route = routesWith<object>()({
    method: 'GET',
    path: '/forgotten',
    operationId: 'forgotten',
    summary: 'Nobody thought of its scope',
    tag: 'Service',
    auth: 'mailbox',
    responses: { 200: { description: 'Never', schema: z.object({}) } },
    handler: async () => ({ status: 200, json: {} }),
  })
  const router = createRouter({
    routes: bindRoutes([route], {}),
    mounts: [],
    pages: [],
    accounts: fakes().accounts,
    rates: undefined,
    baseUrl: 'http://localhost',
  })
  const response = await router({
    method: 'GET',
    path: '/forgotten',
    query: '',
    headers: { authorization: 'Bearer good' },
    remoteAddress: '127.0.0.1',
    requestId: 'req_1',
    arrivedAt: 0,
    signal: new AbortController().signal,
    holdSignal: new AbortController().signal,
    readBody: async () => Buffer.alloc(0),
    onEnd: () => undefined,
  })
  t.equal(response.status, 403)
  t.match(String(response.body), /insufficient_scope/)
  const caller = await fakes().accounts.authenticate('good')
  if (!caller) throw new Error('there is no such key')
  t.throws(() => permit(caller, 'mailbox', []), { code: 'insufficient_scope' })
  t.doesNotThrow(() => permit(caller, 'pending', undefined))
})

const TOOLS: Record<string, { takes: Scope[]; args: object }> = {
  check_inbox: { takes: ['mail:read'], args: {} },
  read_conversation: { takes: ['mail:read'], args: { thread_id: 'thr_1' } },
  search_mail: { takes: ['mail:read'], args: { query: 'x' } },
  wait_for_mail: { takes: ['mail:read'], args: { timeout_seconds: 1 } },
  send_email: { takes: ['mail:send'], args: { to: ['a@b.org'], subject: 's', text: 't' } },
  reply: { takes: ['mail:send'], args: { message_id: 'msg_1', text: 't' } },
  forward: { takes: ['mail:send', 'mail:read'], args: { message_id: 'msg_1', to: ['a@b.org'] } },
  read_message: { takes: ['mail:read'], args: { message_id: 'msg_1' } },
  get_attachment: { takes: ['mail:read'], args: { message_id: 'msg_1', attachment_id: 'att_1' } },
  mark_read: { takes: ['mail:write'], args: { thread_id: 'thr_1' } },
  label: { takes: ['mail:write'], args: { thread_id: 'thr_1', add_labels: ['a'] } },
  trash: { takes: ['mail:write'], args: { action: 'delete', message_id: 'msg_1' } },
  list_trash: { takes: ['mail:read'], args: {} },
  list_suppressions: { takes: ['mail:read'], args: {} },
  remove_suppression: { takes: ['account:manage'], args: { address: 'a@b.org' } },
  list_drafts: { takes: ['mail:read'], args: {} },
  save_draft: { takes: ['mail:write'], args: { text: 't' } },
  send_draft: { takes: ['mail:send'], args: { draft_id: 'drf_1' } },
  check_before_sending: { takes: ['mail:send'], args: { to: ['a@b.org'] } },
  get_message_status: { takes: ['mail:read'], args: { message_id: 'msg_1' } },
  cancel_send: { takes: ['mail:send'], args: { message_id: 'msg_1' } },
  usage: { takes: ['mail:read'], args: {} },
  claim_status: { takes: [], args: {} },
}

async function mcpApi(
  t: Test,
): Promise<{ api: Api; ask: (key: string, method: string, params: object) => Promise<string> }> {
  const domain = fakes()
  const mcp = createMcp({
    holds: createHolds(2, domain.accounts),
    mailboxes: domain.mailboxes,
    claims: domain.claims,
    accounts: domain.accounts,
    suppressions: domain.suppressions,
    limits: { longPollSeconds: 1, attachmentsPerMessage: 2 },
    baseUrl: 'https://mail.example.com',
    version: '0.0.0',
    allowedOrigins: [],
    maxBodyBytes: 100_000,
    newRequestId: () => 'req_1',
    onError: () => undefined,
  })
  t.teardown(() => mcp.close())
  const api = await startApi(t, { mounts: [mcp.mount] })
  return {
    api,
    async ask(key, method, params) {
      const answer = await api.call('POST', '/mcp', {
        key,
        headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' },
        json: { jsonrpc: '2.0', id: 1, method, params },
      })
      return answer.text
    },
  }
}

t.test('MCP tools take the same scopes', async (t) => {
  const { ask } = await mcpApi(t)
  const listed = [...(await ask('good', 'tools/list', {})).matchAll(/"name":"(\w+)","title"/g)].map((match) => match[1])
  t.strictSame(listed.sort(), Object.keys(TOOLS).sort())
  for (const [name, { takes, args }] of Object.entries(TOOLS)) {
    for (const scope of takes) {
      const refused = await ask(without(scope), 'tools/call', { name, arguments: args })
      t.match(refused, `insufficient_scope: This key lacks the scope ${scope}.`, `${name} without ${scope}`)
      t.match(refused, '"isError":true')
    }
    // With its scope it would wait.
    if (name === 'wait_for_mail') continue
    const allowed = await ask(keyWith(takes), 'tools/call', { name, arguments: args })
    t.notMatch(allowed, 'insufficient_scope', name)
  }
})

const holder = (keyId: string, accountId: string): Caller => ({
  keyId,
  mailboxId: 'mbx_1',
  mailboxStatus: 'claimed',
  scopes: [],
  account: accountRecord({ id: accountId }),
})

/** Ends when its signal does, and says that it has begun. */
function waiting(): { begun: Promise<void>; run: (signal: AbortSignal) => Promise<string> } {
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  return {
    begun,
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('what came last'), { once: true })
        begin()
      }),
  }
}

t.test('what a key holds open ends when it is revoked, or its account suspended, and gives nothing out', async (t) => {
  const listeners: ((ended: EndedAccess) => void)[] = []
  const holds = createHolds(2, {
    onAccessEnd: (listener) => (listeners.push(listener), () => undefined),
    findEnded: async () => [],
  })
  const tell = (ended: EndedAccess): void => listeners.forEach((listener) => listener(ended))
  const server = new AbortController()
  const open = async (keyId: string, accountId: string) => {
    const { begun, run } = waiting()
    const result = holds.hold(holder(keyId, accountId), server.signal, run)
    result.catch(() => undefined)
    await begun
    return { result }
  }
  const a = await open('key_a', 'acc_1')
  const b = await open('key_b', 'acc_1')
  const c = await open('key_c', 'acc_2')
  tell({ keyId: 'key_a' })
  await t.rejects(a.result, { code: 'unauthorized', hint: /revoked, rotated or expired/ })
  const again = await open('key_a', 'acc_1')
  tell({ accountId: 'acc_1' })
  await t.rejects(again.result, { code: 'unauthorized' })
  await t.rejects(b.result, { code: 'unauthorized' })
  server.abort()
  t.equal(await c.result, 'what came last', 'others end when the server does')
})

t.test('what a key holds open ends within seconds when another process has ended its access', async (t) => {
  let look = (): void => undefined
  let isStopped = false
  const ended: Caller[] = []
  const peers: string[] = []
  const errors: unknown[] = []
  let asked = 0
  const holds = createHolds(
    2,
    {
      onAccessEnd: () => () => undefined,
      async findEnded(callers) {
        if (asked++ === 1) throw new Error('no answer')
        return callers.filter((caller) => ended.includes(caller))
      },
    },
    {
      others: { nodes: { peers: () => peers }, onError: (error) => errors.push(error) },
      every: (work) => {
        look = work
        isStopped = false
        return () => (isStopped = true)
      },
    },
  )
  const server = new AbortController()
  const [a, b] = [holder('key_a', 'acc_1'), holder('key_b', 'acc_1')]
  const [first, second] = [waiting(), waiting()]
  const held = [holds.hold(a, server.signal, first.run), holds.hold(b, server.signal, second.run)]
  for (const each of held) each.catch(() => undefined)
  await Promise.all([first.begun, second.begun])
  ended.push(a)
  look()
  t.equal(asked, 0, 'alone it is not asked')
  peers.push('another')
  look()
  await t.rejects(async () => held[0], { code: 'unauthorized' })
  look()
  while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.match(errors, [{ message: 'no answer' }])
  t.notOk(isStopped)
  server.abort()
  t.equal(await held[1], 'what came last')
  t.ok(isStopped)
})

t.test('what a key holds open ends by itself when its time is over', async (t) => {
  const holds = createHolds(5, { onAccessEnd: () => () => undefined, findEnded: async () => [] })
  const server = new AbortController().signal
  const endsAt = Date.now() + 30
  const { run } = waiting()
  await t.rejects(holds.hold({ ...holder('key_a', 'acc_1'), endsAt }, server, run), {
    code: 'unauthorized',
    hint: /expired/,
  })
  await new Promise<void>((resolve) => holds.watch({ ...holder('key_a', 'acc_1'), endsAt: Date.now() + 5 }, resolve))
  await new Promise<void>((resolve) => holds.watch({ ...holder('key_a', 'acc_1'), endsAt: 0 }, resolve))
  t.equal(holds.count, 0)

  const clock = new ManualClock()
  const late = createHolds(5, { onAccessEnd: () => () => undefined, findEnded: async () => [] }, { clock })
  const held = late.hold({ ...holder('key_a', 'acc_1'), endsAt: clock.now() + DAY }, server, async () => {
    clock.advance(DAY)
    return 'found in the moment of the end'
  })
  await t.rejects(held, { code: 'unauthorized' }, 'before its timer has come')
})

t.test('an event stream of MCP ends with the key that opened it', async (t) => {
  const ends: (() => void)[] = []
  let release = 0
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('data: 1\n\n')),
  })
  const router = createRouter({
    routes: [],
    pages: [],
    accounts: fakes().accounts,
    rates: undefined,
    baseUrl: 'http://localhost',
    holds: { heldBy: () => 0, watch: (_caller, onEnd) => (ends.push(onEnd), { release: () => void release++ }) },
    mounts: [
      {
        path: '/mcp',
        auth: 'pending',
        maxBodyBytes: 100,
        fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
      },
    ],
  })
  const response = await router({
    method: 'GET',
    path: '/mcp',
    query: '',
    headers: { authorization: 'Bearer good' },
    remoteAddress: '127.0.0.1',
    requestId: 'req_1',
    arrivedAt: 0,
    signal: new AbortController().signal,
    holdSignal: new AbortController().signal,
    readBody: async () => Buffer.alloc(0),
    onEnd: () => undefined,
  })
  const { body } = response
  if (typeof body !== 'object' || body instanceof Uint8Array) throw new Error('that is no stream')
  const chunks: string[] = []
  for await (const chunk of body) {
    chunks.push(Buffer.from(chunk).toString())
    for (const end of ends) end()
  }
  t.strictSame(chunks, ['data: 1\n\n'])
  t.not(release, 0)
})
