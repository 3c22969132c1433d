import t from 'tap'
import { z } from 'zod'
import { accountWorld } from './support/account-world.js'

const made = z.looseObject({ id: z.string(), api_key: z.string() })
const listed = z.object({ data: z.array(z.looseObject({ id: z.string(), name: z.string() })) })

t.test('a key makes another that may do less, and lists, names and revokes it', async (t) => {
  const w = await accountWorld(t)
  const answer = await w.call('POST', '/v1/keys', { name: 'reader', scopes: ['mail:read'] })
  t.equal(answer.status, 201)
  t.match(answer.json, { object: 'key', name: 'reader', scopes: ['mail:read'], is_current: false, expires_at: null })
  const { id, api_key: text } = made.parse(answer.json)
  t.equal((await w.call('GET', '/v1/threads', undefined, text)).status, 200)
  t.match((await w.call('GET', '/v1/keys', undefined, text)).json, { error: { code: 'insufficient_scope' } })

  t.match((await w.call('PATCH', `/v1/keys/${id}`, { name: 'laptop' })).json, { id, name: 'laptop' })
  const list = await w.call('GET', '/v1/keys')
  t.match(list.json, {
    data: [
      { name: 'key', is_current: true },
      { id, name: 'laptop', is_current: false },
    ],
  })
  t.notMatch(list.text, text, 'no text of a key')
  t.match((await w.call('DELETE', `/v1/keys/${id}`)).json, { id, revoked: true, was_current: false, next_steps: [] })
  t.equal((await w.call('GET', '/v1/threads', undefined, text)).status, 401)
  t.match((await w.call('DELETE', `/v1/keys/${id}`)).json, { error: { code: 'not_found', hint: /GET \/v1\/keys/ } })
})

t.test('without scopes a new key can do with mail what its maker can, and manages no account', async (t) => {
  const w = await accountWorld(t)
  t.match((await w.call('POST', '/v1/keys', {})).json, { scopes: ['mail:read', 'mail:send', 'mail:write'] })
  const some = await w.accounts.createKey(w.id, { scopes: ['mail:read', 'account:manage'] })
  t.match((await w.call('POST', '/v1/keys', {}, some.text)).json, { scopes: ['mail:read'] })
})

t.test('no key makes or rotates one that may do more than itself', async (t) => {
  const w = await accountWorld(t)
  const manager = await w.accounts.createKey(w.id, { scopes: ['mail:read', 'account:manage'] })
  const refused = await w.call('POST', '/v1/keys', { scopes: ['mail:read', 'mail:send'] }, manager.text)
  t.equal(refused.status, 403)
  t.match(refused.json, { error: { code: 'insufficient_scope', message: /mail:send/ } })
  const strong = (await w.accounts.keys(w.id))[0]
  t.match((await w.call('POST', `/v1/keys/${strong?.id}/rotate`, {}, manager.text)).json, {
    error: { code: 'insufficient_scope' },
  })
  t.equal((await w.accounts.keys(w.id)).length, 2, 'there is no new one')
  t.equal((await w.call('GET', '/v1/threads')).status, 200, 'and the old one works')
})

t.test('a key ends when its time is over', async (t) => {
  const w = await accountWorld(t)
  const at = (days: number) => new Date(w.clock.now() + days * 86_400_000).toISOString()
  t.match((await w.call('POST', '/v1/keys', { expires_at: at(-1) })).json, {
    error: { code: 'invalid_request', fields: [{ field: 'expires_at' }] },
  })
  const { id, api_key: text } = made.parse(
    (await w.call('POST', '/v1/keys', { name: 'guest', expires_at: at(2) })).json,
  )
  const rotated = made.parse((await w.call('POST', `/v1/keys/${id}/rotate`, {})).json)
  t.match(rotated, { name: 'guest', expires_at: at(2) })
  t.equal((await w.call('GET', '/v1/threads', undefined, text)).status, 401, 'the old text is of no use')
  t.equal((await w.call('GET', '/v1/threads', undefined, rotated.api_key)).status, 200)
  w.clock.advance(2 * 86_400_000)
  t.equal((await w.call('GET', '/v1/threads', undefined, rotated.api_key)).status, 401)
  t.match((await w.call('POST', `/v1/keys/${rotated.id}/rotate`, {})).json, { error: { code: 'not_found' } })
  await w.call('POST', '/v1/keys', { name: 'next' })
  const { data } = listed.parse((await w.call('GET', '/v1/keys')).json)
  t.strictSame(
    data.map(({ name }) => name),
    ['key', 'next'],
    'making the next one clears it away',
  )
})

t.test('nothing that a key with an end makes outlives it', async (t) => {
  const w = await accountWorld(t)
  const at = (days: number) => new Date(w.clock.now() + days * 86_400_000).toISOString()
  const end = at(2)
  const guest = await w.accounts.createKey(w.id, { expiresAt: Date.parse(end) })
  const later = await w.call('POST', '/v1/keys', { expires_at: at(3) }, guest.text)
  t.match(later, { status: 400, json: { error: { code: 'invalid_request', fields: [{ field: 'expires_at' }] } } })
  t.match(later.text, end, 'it says until when one may')
  const sooner = await w.call('POST', '/v1/keys', { expires_at: at(1) }, guest.text)
  t.match(sooner, { status: 201, json: { expires_at: at(1) } })
  const child = made.parse((await w.call('POST', '/v1/keys', { scopes: ['account:manage'] }, guest.text)).json)
  t.match(child, { expires_at: end }, 'without an end of its own it has that of its maker')
  t.match((await w.call('POST', '/v1/keys', {}, child.api_key)).json, { expires_at: end }, 'and so has its child')
  const offset = end.replace('Z', '+00:00')
  t.match((await w.call('POST', '/v1/keys', { expires_at: offset }, guest.text)).status, 201, 'as long is not longer')

  const mailbox = await w.call('POST', '/v1/mailboxes', { name: 'guest-box' }, guest.text)
  t.equal(mailbox.status, 201)
  const box = made.parse(mailbox.json)
  t.match(
    (await w.accounts.keys(box.id)).map(({ expiresAt }) => expiresAt),
    [Date.parse(end)],
  )

  const [own] = await w.accounts.keys(w.id)
  t.match(await w.call('POST', `/v1/keys/${own?.id}/rotate`, {}, guest.text), {
    status: 403,
    json: { error: { code: 'insufficient_scope', message: /ends at/ } },
  })
  t.equal((await w.call('GET', '/v1/threads')).status, 200, 'the key without an end goes on as it was')
  t.match((await w.call('POST', `/v1/keys/${child.id}/rotate`, {}, guest.text)).json, { expires_at: end })
  const hook = { url: 'https://hooks.example.org/x' }
  t.equal((await w.call('POST', '/v1/webhooks', hook, guest.text)).status, 403, 'a webhook would have no end')
  t.equal((await w.call('PATCH', '/v1/webhooks/whk_1', hook, guest.text)).status, 403)
  t.match(await w.call('PATCH', '/v1/webhooks/whk_1', { enabled: true }, guest.text), { status: 404 }, 'allowed')
  t.equal((await w.call('POST', '/v1/webhooks', hook)).status, 201)

  w.clock.advance(2 * 86_400_000)
  for (const text of [guest.text, child.api_key, box.api_key])
    t.equal((await w.call('GET', '/v1/keys', undefined, text)).status, 401)
})

t.test('what a key holds open ends when its time is over, and gives nothing out any more', async (t) => {
  const w = await accountWorld(t)
  const guest = await w.accounts.createKey(w.id, { expiresAt: w.clock.now() + 1000 })
  const poll = w.call('GET', '/v1/events?wait=60', undefined, guest.text)
  const stream = w.call('GET', '/v1/events', undefined, guest.text, { Accept: 'text/event-stream' })
  await w.held(2)
  w.clock.advance(1000)
  await w.mailboxes.settings.change(w.id, { displayName: 'secret' })
  const answer = await poll
  t.equal(answer.status, 401)
  t.match(answer.json, { error: { code: 'unauthorized', hint: /expired/ } })
  const { status, text } = await stream
  t.equal(status, 200)
  t.notMatch(text, 'mailbox.updated', 'the stream ends before the event')
})

t.test('a key can revoke and rotate itself, and is told', async (t) => {
  const w = await accountWorld(t)
  const [own] = await w.accounts.keys(w.id)
  const rotated = made.parse((await w.call('POST', `/v1/keys/${own?.id}/rotate`, {})).json)
  t.equal((await w.call('GET', '/v1/threads')).status, 401)
  const gone = await w.call('DELETE', `/v1/keys/${rotated.id}`, undefined, rotated.api_key)
  t.match(gone.json, { revoked: true, was_current: true, next_steps: [/your human/] })
  t.equal((await w.call('GET', '/v1/threads', undefined, rotated.api_key)).status, 401)
})

t.test('the keys of another mailbox are nobody else’s business', async (t) => {
  const w = await accountWorld(t)
  const other = await w.addMailbox('other@agents.example', 'bob@example.org')
  const [theirs] = await w.accounts.keys(other.id)
  for (const [method, path, json] of [
    ['PATCH', `/v1/keys/${theirs?.id}`, { name: 'mine' }],
    ['POST', `/v1/keys/${theirs?.id}/rotate`, {}],
    ['DELETE', `/v1/keys/${theirs?.id}`, undefined],
  ] as const) {
    const answer = await w.call(method, path, json)
    t.equal(answer.status, 404, method)
  }
  t.equal((await w.call('GET', '/v1/threads', undefined, other.key)).status, 200)
})

t.test('names and scopes that cannot be are refused by field', async (t) => {
  const w = await accountWorld(t)
  for (const [json, field] of [
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['mail:everything'] }, 'scopes.0'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ colour: 'red' }, 'colour'],
  ] as const) {
    t.match((await w.call('POST', '/v1/keys', json)).json, { error: { code: 'invalid_request', fields: [{ field }] } })
  }
})
