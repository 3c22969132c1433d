import t from 'tap'
import { accountPartition } from '../../src/accounts/record.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.js'
import { putRow, readRow } from '../../src/oauth/record.js'
import { BASE, codeOf, connect, newProof, redeeming, REDIRECT, refreshing, sweep, world } from './world.js'

t.test('a code becomes tokens, and the access token is a caller of the mailbox', async (t) => {
  const w = await world(t)
  const tokens = await connect(w, { scopes: ['mail:read'] })
  t.match(tokens, { token_type: 'Bearer', expires_in: 3600, scope: 'mail:read' })
  t.match(tokens.access_token, /^rst_at_[0-9A-Za-z]{65}$/)
  t.match(tokens.refresh_token, /^rst_rt_[0-9A-Za-z]{65}$/)
  const [connection] = await w.oauth.connections.list(w.accountId)
  t.match(connection, {
    mailboxId: 'mbx_1',
    client: { id: w.clientId, name: 'Helper', kind: 'registered', host: null },
    scopes: ['mail:read'],
    resource: `${BASE}/mcp`,
    lastUsedAt: null,
  })
  const caller = await w.accounts.authenticate(tokens.access_token)
  t.match(caller, {
    keyId: connection?.id,
    mailboxId: 'mbx_1',
    account: { id: w.accountId },
    scopes: ['mail:read'],
    endsAt: w.clock.now() + HOUR,
    audience: `${BASE}/mcp`,
  })
  t.equal((await w.oauth.connections.list(w.accountId))[0]?.lastUsedAt, w.clock.now())
  t.equal(await w.accounts.authenticate(tokens.refresh_token), undefined, 'a refresh token is no access token')
})

t.test('nothing that a token could be made of again is stored', async (t) => {
  const w = await world(t)
  const proof = newProof()
  const code = await codeOf(w, proof)
  const tokens = await w.oauth.grants.token(redeeming(w, code, proof))
  const next = await w.oauth.grants.token(refreshing(w, tokens.refresh_token))
  const row = JSON.stringify(
    await w.store.read(`account/${w.accountId}`, async (view) =>
      (await view.range({ gte: Buffer.of(0), lt: Buffer.of(255) })).map(([k, v]) => [
        Buffer.from(k).toString('latin1'),
        Buffer.from(v).toString(),
      ]),
    ),
  )
  for (const secret of [
    code,
    proof.verifier,
    ...[tokens, next].flatMap((each) => [each.access_token, each.refresh_token]),
  ])
    t.notOk(row.includes(secret.slice(-43)))
})

t.test('a code works once, for a minute, for who asked for it, and only with the verifier', async (t) => {
  const w = await world(t)
  const other = await w.oauth.registrations?.register({ redirect_uris: [REDIRECT] }, '192.0.2.1')
  const wrong: Record<string, Record<string, string | null>> = {
    'another client': { client_id: other?.client_id ?? '' },
    'another redirect': { redirect_uri: `${REDIRECT}/` },
    'another verifier': { code_verifier: newProof().verifier },
    'another resource': { resource: BASE },
  }
  for (const [name, change] of Object.entries(wrong)) {
    const proof = newProof()
    const code = await codeOf(w, proof)
    await t.rejects(w.oauth.grants.token(redeeming(w, code, proof, change)), { code: 'invalid_grant' }, name)
    await t.rejects(w.oauth.grants.token(redeeming(w, code, proof)), { code: 'invalid_grant' }, `${name}: it is spoilt`)
  }
  const malformed: Record<string, [Record<string, string | null>, string]> = {
    'no verifier': [{ code_verifier: null }, 'invalid_request'],
    'a short verifier': [{ code_verifier: 'x'.repeat(42) }, 'invalid_request'],
    'no client': [{ client_id: null }, 'invalid_request'],
    'an unknown client': [{ client_id: `client_${'a'.repeat(43)}` }, 'invalid_client'],
    'a resource elsewhere': [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    'a secret': [{ client_secret: 'x' }, 'invalid_client'],
    'another grant': [{ grant_type: 'password' }, 'unsupported_grant_type'],
  }
  const proof = newProof()
  const code = await codeOf(w, proof)
  for (const [name, [change, error]] of Object.entries(malformed))
    await t.rejects(w.oauth.grants.token(redeeming(w, code, proof, change)), { code: error }, name)
  const twice = redeeming(w, code, proof)
  twice.append('code', code)
  await t.rejects(w.oauth.grants.token(twice), { code: 'invalid_request' })
  await w.oauth.grants.token(redeeming(w, code, proof, { redirect_uri: null }))

  const late = await codeOf(w, proof)
  w.clock.advance(MINUTE)
  await t.rejects(w.oauth.grants.token(redeeming(w, late, proof)), { code: 'invalid_grant' })
})

t.test('a code that comes again ends what came of it', async (t) => {
  const w = await world(t)
  const proof = newProof()
  const code = await codeOf(w, proof)
  const tokens = await w.oauth.grants.token(redeeming(w, code, proof))
  const [connection] = await w.oauth.connections.list(w.accountId)
  await w.accounts.authenticate(tokens.access_token)
  await t.rejects(w.oauth.grants.token(redeeming(w, code, proof)), { code: 'invalid_grant' })
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
  await t.rejects(w.oauth.grants.token(refreshing(w, tokens.refresh_token)), { code: 'invalid_grant' })
  t.same(w.ended, [connection?.id], 'what it holds open is told')
  t.match(w.grants.at(-2), { grant: 'authorization_code', outcome: 'replayed', connectionId: connection?.id })
})

t.test('of two who redeem a code at once one wins, and is ended by the other', async (t) => {
  const w = await world(t)
  const proof = newProof()
  const code = await codeOf(w, proof)
  const results = await Promise.allSettled([1, 2, 3].map(() => w.oauth.grants.token(redeeming(w, code, proof))))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  t.same(await w.oauth.connections.list(w.accountId), [])
})

t.test('a refresh token works once; the next one goes on', async (t) => {
  const w = await world(t)
  const first = await connect(w)
  w.clock.advance(HOUR)
  t.equal(await w.accounts.authenticate(first.access_token), undefined, 'an access token has an hour')
  const second = await w.oauth.grants.token(refreshing(w, first.refresh_token))
  t.not(second.refresh_token, first.refresh_token)
  t.ok(await w.accounts.authenticate(second.access_token))
  const third = await w.oauth.grants.token(refreshing(w, second.refresh_token))
  t.ok(await w.accounts.authenticate(second.access_token), 'the access token before goes on to its end')
  t.ok(await w.accounts.authenticate(third.access_token))
  const fourth = await w.oauth.grants.token(refreshing(w, third.refresh_token))
  t.equal(await w.accounts.authenticate(second.access_token), undefined, 'and the one before that does not')

  await t.rejects(
    w.oauth.grants.token(refreshing(w, first.refresh_token)),
    { code: 'invalid_grant' },
    'stolen, long ago',
  )
  t.equal(await w.accounts.authenticate(fourth.access_token), undefined)
  await t.rejects(w.oauth.grants.token(refreshing(w, fourth.refresh_token)), { code: 'invalid_grant' })
  t.same(await w.oauth.connections.list(w.accountId), [])
  t.equal(w.ended.length, 1)
})

t.test('of two who refresh at once one wins, and the connection ends', async (t) => {
  const w = await world(t)
  const { refresh_token: token } = await connect(w)
  const results = await Promise.allSettled([1, 2].map(() => w.oauth.grants.token(refreshing(w, token))))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  t.same(await w.oauth.connections.list(w.accountId), [])
})

t.test('a refresh gives fewer scopes when asked, and never more', async (t) => {
  const w = await world(t)
  const { refresh_token: token } = await connect(w, { scopes: ['mail:read', 'mail:send'] })
  for (const scope of ['mail:write', 'mail:read mail:write', 'account:manage', 'what'])
    await t.rejects(w.oauth.grants.token(refreshing(w, token, { scope })), { code: 'invalid_scope' }, scope)
  await t.rejects(w.oauth.grants.token(refreshing(w, token, { resource: BASE })), { code: 'invalid_target' })
  const other = await w.oauth.registrations?.register({ redirect_uris: [REDIRECT] }, '192.0.2.1')
  await t.rejects(
    w.oauth.grants.token(refreshing({ clientId: other?.client_id ?? '' }, token)),
    { code: 'invalid_grant' },
    'another client',
  )
  const narrow = await w.oauth.grants.token(refreshing(w, token, { scope: 'mail:read' }))
  t.equal(narrow.scope, 'mail:read')
  t.same((await w.accounts.authenticate(narrow.access_token))?.scopes, ['mail:read'])
  const whole = await w.oauth.grants.token(refreshing(w, narrow.refresh_token))
  t.equal(whole.scope, 'mail:read mail:send')
})

t.test('a connection that is not refreshed for 30 days ends, and everything of it is swept', async (t) => {
  const w = await world(t)
  const first = await connect(w)
  w.clock.advance(30 * DAY - SECOND)
  const second = await w.oauth.grants.token(refreshing(w, first.refresh_token))
  await sweep(w)
  w.clock.advance(30 * DAY)
  t.same(await w.oauth.connections.list(w.accountId), [])
  await t.rejects(w.oauth.grants.token(refreshing(w, second.refresh_token)), { code: 'invalid_grant' })
  await sweep(w)
  const rows = await w.store.read(`account/${w.accountId}`, (view) =>
    view.range({ gte: Buffer.of(0), lt: Buffer.of(255) }),
  )
  t.notOk(rows.some(([name]) => Buffer.from(name).includes('connection')))
})

t.test('what was allowed and never redeemed is swept', async (t) => {
  const w = await world(t)
  await codeOf(w, newProof())
  w.clock.advance(HOUR)
  await sweep(w)
  const rows = await w.store.read(`account/${w.accountId}`, (view) =>
    view.range({ gte: Buffer.of(0), lt: Buffer.of(255) }),
  )
  t.notOk(rows.some(([name]) => Buffer.from(name).includes('connection')))
})

t.test('either token revoked ends the connection; what is no token is no error', async (t) => {
  const w = await world(t)
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const tokens = await connect(w)
    const hint = kind === 'access_token' ? 'refresh_token' : 'what'
    await t.rejects(
      w.oauth.grants.revoke(new URLSearchParams({ token: tokens[kind], client_id: 'https://other.example/c' })),
      { code: 'invalid_grant' },
    )
    t.ok(await w.accounts.authenticate(tokens.access_token))
    await w.oauth.grants.revoke(
      new URLSearchParams({ token: tokens[kind], token_type_hint: hint, client_id: w.clientId }),
    )
    t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
    await t.rejects(w.oauth.grants.token(refreshing(w, tokens.refresh_token)), { code: 'invalid_grant' })
    await w.oauth.grants.revoke(new URLSearchParams({ token: tokens[kind] }))
  }
  await w.oauth.grants.revoke(new URLSearchParams({ token: 'rst_at_nothing' }))
  await w.oauth.grants.revoke(new URLSearchParams({ token: `rst_rt_${'a'.repeat(65)}` }))
  await t.rejects(w.oauth.grants.revoke(new URLSearchParams()), { code: 'invalid_request' })
})

t.test('who knows the handle of a connection and no token of it cannot end it', async (t) => {
  const w = await world(t)
  const tokens = await connect(w)
  const handle = tokens.access_token.slice('rst_at_'.length).slice(0, 22)
  const other = await connect(w)
  const made = {
    'a made up secret': `${handle}${'a'.repeat(43)}`,
    'all but the last character': tokens.refresh_token.slice(7, -1) + (tokens.refresh_token.endsWith('0') ? '1' : '0'),
    'the secret of the other kind': tokens.access_token.slice(7),
    'the secret of another connection': `${handle}${other.refresh_token.slice(-43)}`,
  }
  for (const [name, secret] of Object.entries(made)) {
    const token = `rst_rt_${secret}`
    await w.oauth.grants.revoke(new URLSearchParams({ token }))
    await w.oauth.grants.revoke(new URLSearchParams({ token, client_id: 'https://other.example/c' }))
    await t.rejects(w.oauth.grants.token(refreshing(w, token)), { code: 'invalid_grant' }, name)
    t.match(w.grants.at(-1), { grant: 'refresh_token', outcome: 'refused' })
  }
  await w.oauth.grants.revoke(new URLSearchParams({ token: `rst_at_${tokens.refresh_token.slice(7)}` }))
  t.ok(await w.accounts.authenticate(tokens.access_token))
  t.same(w.ended, [])

  const next = await w.oauth.grants.token(refreshing(w, tokens.refresh_token))
  await w.oauth.grants.token(refreshing(w, next.refresh_token))
  await w.oauth.grants.revoke(new URLSearchParams({ token: tokens.refresh_token }))
  t.equal(await w.accounts.authenticate(next.access_token), undefined, 'one that was rotated out was issued, and may')
})

t.test('a connection of before its tokens had a MAC goes on, and its next tokens have one', async (t) => {
  const w = await world(t)
  const old = await connect(w)
  const [connection] = await w.oauth.connections.list(w.accountId)
  await w.store.write(accountPartition(w.accountId), async (tx) => {
    const row = await readRow(tx, connection?.id ?? '')
    if (row?.state.is !== 'connected') throw new Error('not connected')
    const { macKey: _, ...state } = row.state
    putRow(tx, { ...row, state })
  })
  await w.oauth.grants.revoke(new URLSearchParams({ token: `${old.access_token.slice(0, 29)}${'a'.repeat(43)}` }))
  const second = await w.oauth.grants.token(refreshing(w, old.refresh_token))
  await t.rejects(w.oauth.grants.token(refreshing(w, old.refresh_token)), { code: 'invalid_grant' })
  t.ok(await w.accounts.authenticate(second.access_token), 'whether that one was issued cannot be told')
  const third = await w.oauth.grants.token(refreshing(w, second.refresh_token))
  await t.rejects(w.oauth.grants.token(refreshing(w, second.refresh_token)), { code: 'invalid_grant' })
  t.equal(await w.accounts.authenticate(third.access_token), undefined, 'a replay of a later one ends it')
})
