import t from 'tap'
import { z } from 'zod'
import { accountWorld } from './account-world.js'

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

t.test('names and scopes that can not be are refused by field', async (t) => {
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
