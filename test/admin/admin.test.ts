import t, { type Test } from 'tap'
import type { OperatorQueue } from '../../src/relay/operator/types.js'
import { dayView } from '../../src/observe/day/view.js'
import { connect, world } from '../oauth/world.js'
import { ask, type Ask } from '../http/client.js'
import { mailbox } from '../api/support/fakes.js'
import { startFakedAdmin, TOKEN, unasked, type AdminOptions } from './start.js'

/** A queue that is never asked. */
const noQueue: OperatorQueue = {
  list: unasked,
  show: unasked,
  stats: unasked,
  holds: async () => [],
  hold: unasked,
  release: unasked,
  retry: unasked,
  delete: unasked,
}

async function start(t: Test, options: Omit<AdminOptions, 'queue' | 'warn'> = {}) {
  const warnings: string[] = []
  const { server, domain } = await startFakedAdmin(t, {
    queue: noQueue,
    warn: (message) => warnings.push(message),
    ...options,
  })
  t.teardown(() => server.close(0))
  const call = (method: string, path: string, options: Ask & { json?: unknown } = {}) => {
    const { json, headers, ...rest } = options
    const type: Record<string, string> = json === undefined ? {} : { 'Content-Type': 'application/json' }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    return ask(server.port, path, {
      ...rest,
      ...body,
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, ...type, ...headers },
    })
  }
  return { call, domain, warnings, server }
}

t.test('the operator sees what is connected to the mailboxes of an account, and ends it', async (t) => {
  const w = await world(t)
  const { call } = await start(t, { accounts: w.accounts, connections: w.oauth.connections })
  const tokens = await connect(w, { scopes: ['mail:read'] })
  const listed = await call('GET', '/connections?account=ana%40example.org')
  const [connection] = await w.oauth.connections.list(w.accountId)
  t.match(listed.json, {
    data: [{ id: connection?.id, client: { name: 'Helper', host: null }, scopes: ['mail:read'], last_used_at: null }],
  })
  t.notMatch(listed.text, /rst_|[0-9a-f]{64}/, 'no secret, and no hash of one')
  const revoke = (account: string, id: string | undefined) =>
    call('POST', '/connections/revoke', { json: { account, id } })
  await w.accounts.ensure('bob@example.org')
  t.equal((await revoke('bob@example.org', connection?.id)).status, 404, 'not that of another account')
  t.ok(await w.accounts.authenticate(tokens.access_token))
  t.equal((await revoke(w.accountId, connection?.id)).status, 200)
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
  t.match((await revoke(w.accountId, connection?.id)).json, { error: { code: 'not_found', hint: /connection list/ } })
  t.equal((await call('GET', '/connections?account=nobody')).status, 404)
})

t.test('the operator approves a claim, with or without an owner', async (t) => {
  const { call, domain } = await start(t)
  t.match((await call('GET', '/claims')).json, {
    data: [{ address: mailbox.address, agent_name: null, expires_at: String }],
  })
  const approved = await call('POST', '/claims/approve', { json: { address: mailbox.address } })
  t.same(approved.json, { address: mailbox.address, account_id: 'acc_1', already_approved: false })
  await call('POST', '/claims/approve', { json: { address: mailbox.address, owner: 'bob@example.com' } })
  t.same(
    domain.calls.map(({ args }) => args),
    [
      [mailbox.address, undefined],
      [mailbox.address, 'bob@example.com'],
    ],
  )
  t.equal((await call('POST', '/claims/approve', { json: { address: 'no@agents.localhost' } })).status, 404)
  t.equal((await call('POST', '/claims/approve', { json: { adress: 'x' } })).status, 400)
})

t.test('the operator lists mailboxes, makes keys, reads metrics', async (t) => {
  const { call } = await start(t)
  t.match((await call('GET', '/mailboxes')).json, { data: [{ id: mailbox.id, account_id: 'acc_1', used_bytes: 100 }] })
  t.match((await call('POST', '/mailboxes/key', { json: { address: mailbox.address } })).json, { api_key: 'rst_x' })
  t.equal((await call('POST', '/mailboxes/key', { json: { address: 'no@agents.localhost' } })).status, 404)
  const metrics = await call('GET', '/metrics')
  t.equal(metrics.headers['content-type'], 'text/plain; version=0.0.4')
  t.equal(metrics.text, 'restante_up 1\n')
  t.equal((await call('GET', '/healthz')).status, 200)
})

t.test('a reload that fails says what is wrong with the configuration', async (t) => {
  const problems: Error[] = []
  const { call } = await start(t, {
    reload: async () => {
      for (const problem of problems) throw problem
    },
  })
  t.same((await call('POST', '/reload')).json, { reloaded: true })
  problems.push(new Error('smtp.toml:3: max_parts must be a number'))
  const refused = await call('POST', '/reload')
  t.equal(refused.status, 400)
  t.match(refused.json, { error: { message: 'smtp.toml:3: max_parts must be a number', hint: /before stays in use/ } })
})

t.test('nothing but healthz is answered without the token', async (t) => {
  const { call, domain } = await start(t)
  for (const Authorization of ['', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
    for (const path of ['/claims', '/mailboxes', '/metrics', '/nothing']) {
      t.equal((await call('GET', path, { headers: { Authorization } })).status, 401, `${Authorization} ${path}`)
    }
  }
  t.equal((await call('GET', '/healthz', { headers: { Authorization: '' } })).status, 200)
  t.same(domain.calls, [])
  const empty = await start(t, { token: '' })
  t.equal((await empty.call('GET', '/claims', { headers: { Authorization: 'Bearer ' } })).status, 401)
})

t.test('a web page cannot reach it, by whatever name it calls it', async (t) => {
  const { call } = await start(t)
  for (const Host of ['evil.example', 'localhost.evil.example:8081', '127.0.0.1.evil.example']) {
    t.equal((await call('GET', '/claims', { headers: { Host } })).status, 400, Host)
  }
  t.equal((await call('GET', '/claims', { headers: { Origin: 'http://127.0.0.1' } })).status, 400)
  for (const Host of ['localhost', '127.0.0.1:8081', '[::1]:8081']) {
    t.equal((await call('GET', '/claims', { headers: { Host } })).status, 200, Host)
  }
})

t.test('a listener that other machines reach is warned of', async (t) => {
  const { warnings } = await start(t, { host: '0.0.0.0' })
  t.match(warnings, [/reachable from other machines/])
  t.same((await start(t)).warnings, [])
})

t.test('the operator makes a link by which a human signs in, for an account by any of its names', async (t) => {
  const { call } = await start(t)
  const made = await call('POST', '/accounts/sign-in', { json: { account: mailbox.address } })
  t.equal(made.status, 201)
  t.match(made.json, {
    account_id: 'acc_1',
    url: 'https://mail.example/signin-link/thetoken',
    expires_at: '1970-01-01T00:10:00.000Z',
  })
  t.equal((await call('POST', '/accounts/sign-in', { json: { account: 'nobody' } })).status, 404)
})

t.test('the operator makes a link for one of the staff, and for nobody else', async (t) => {
  const w = await world(t)
  const { call } = await start(t, {
    accounts: { ...w.accounts, isStaff: ({ email, emailVerified }) => emailVerified && email === 'amy@example.org' },
  })
  const made = await call('POST', '/accounts/sign-in-staff', { json: { email: 'Amy@EXAMPLE.org' } })
  t.equal(made.status, 201)
  t.same(made.json, {
    staff: 'amy@example.org',
    url: 'https://mail.example/signin-link/stafftoken',
    expires_at: '1970-01-01T00:10:00.000Z',
  })
  for (const email of ['eve@example.org', 'amy', 'Amy <amy@example.org>']) {
    const refused = await call('POST', '/accounts/sign-in-staff', { json: { email } })
    t.notMatch(JSON.stringify(refused), '/docs/api/', 'operations of the operator have no pages')
    t.equal(refused.status, 400, email)
    t.match(refused.json, { error: { message: /not in identity\.staff/, hint: /restart the daemon/ } })
  }
})

t.test('a wrong path or method is told of without pages that are not there', async (t) => {
  const { call } = await start(t)
  const near = await call('GET', '/mailboxs')
  t.equal(near.status, 404)
  t.match(near.json, { error: { hint: /^Did you mean GET \/mailboxes\? .*"restante help" lists them\.$/ } })
  const far = await call('GET', '/nothing/like/it')
  t.match(far.json, { error: { hint: /^The commands of restante .*"restante help" lists them\.$/ } })
  const wrong = await call('DELETE', '/mailboxes')
  t.equal(wrong.status, 405)
  t.match(wrong.json, { error: { hint: /^Use GET, HEAD, OPTIONS\.$/ } })
  for (const { json } of [near, far, wrong]) t.notMatch(JSON.stringify(json), '/docs')
})

t.test('the numbers of the day and of this moment', async (t) => {
  const { call } = await start(t, {
    day: { view: async (resolution) => dayView([], 0, resolution), now: () => Promise.reject(new Error('not asked')) },
  })
  t.match((await call('GET', '/day')).json, { resolution: '10m', step_seconds: 600, steps: { length: 144 } })
  t.match((await call('GET', '/day?resolution=1m')).json, { resolution: '1m', steps: { length: 120 } })
  t.match((await call('GET', '/day?resolution=1h')).json, { error: { code: 'invalid_request' } })
  t.match((await call('GET', '/day?since=0')).json, { error: { code: 'invalid_request' } })
  t.match((await call('GET', '/day', { headers: { Authorization: 'Bearer wrong' } })).json, {
    error: { code: 'unauthorized' },
  })
  const without = await start(t)
  t.match((await without.call('GET', '/now')).json, { error: { code: 'not_found' } })
})
