/** Connections of mail programs: what they may ask for, and what their tokens are for. */
import t from 'tap'
import { HOUR } from '../../src/lib/clock.js'
import { createResources } from '../../src/oauth/resources.js'
import { AGENT_SCOPES, MAIL_SCOPE, type OAuthScope } from '../../src/oauth/scopes.js'
import { BASE, codeOf, connect, FROM, newProof, queryOf, redeeming, refreshing, world } from './world.js'

const HOST = 'mx.example.com'
const MAIL = `${BASE}/mail`
const proof = newProof()

t.test('scopes tell what a request is for, where its resource does not', async (t) => {
  const w = await world(t, { mailHost: HOST })
  const cases: [resource: string | null, scope: string | null, meant: string, scopes: readonly OAuthScope[]][] = [
    [null, 'imap smtp', MAIL, ['imap', 'smtp']],
    [null, `${MAIL_SCOPE} offline_access`, MAIL, [MAIL_SCOPE]],
    [null, `${MAIL_SCOPE} imap imap:read smtp`, MAIL, [MAIL_SCOPE]],
    [null, 'imap:read', MAIL, ['imap:read']],
    [null, 'imap imap:read', MAIL, ['imap']],
    [BASE, 'imap', MAIL, ['imap']],
    [MAIL, null, MAIL, ['imap', 'smtp']],
    [MAIL, 'imap mail:read', MAIL, ['imap']],
    ['imap://mx.example.com', 'imap', MAIL, ['imap']],
    ['imaps://MX.example.com:993/', 'imap', MAIL, ['imap']],
    ['https://mx.example.com', 'smtp', MAIL, ['smtp']],
    ['mx.example.com', 'smtp', MAIL, ['smtp']],
    // A request for both is one of an agent: nothing that a program could use is given by the way.
    [null, 'mail:read imap', `${BASE}/mcp`, ['mail:read']],
    [BASE, 'mail:read imap smtp', BASE, ['mail:read']],
    [`${BASE}/mcp`, 'mail:read imap', `${BASE}/mcp`, ['mail:read']],
    [null, null, `${BASE}/mcp`, AGENT_SCOPES],
  ]
  for (const [resource, scope, meant, scopes] of cases) {
    const checked = await w.oauth.consent.check(queryOf(w, proof, { resource, scope }), FROM)
    const request = checked.outcome === 'valid' ? checked.request : checked
    t.match(request, { resource: meant }, `${resource} ${scope}`)
    t.same('scopes' in request && request.scopes, scopes, `${resource} ${scope}`)
  }
})

t.test('what does not fit together is refused', async (t) => {
  const w = await world(t, { mailHost: HOST })
  const errorOf = async (from: typeof w, change: Record<string, string | null>): Promise<string | null> => {
    const checked = await from.oauth.consent.check(queryOf(from, proof, change), FROM)
    return checked.outcome === 'redirect' ? new URL(checked.location).searchParams.get('error') : checked.outcome
  }
  t.equal(await errorOf(w, { scope: 'imap' }), 'invalid_scope', 'the MCP server takes no scope of programs')
  t.equal(await errorOf(w, { resource: MAIL, scope: 'mail:read' }), 'invalid_scope')
  for (const resource of [
    `${MAIL}/`,
    'imap://elsewhere.example',
    'ftp://mx.example.com',
    'mx.example.com/x',
    `${HOST}.x`,
  ])
    t.equal(await errorOf(w, { resource, scope: 'imap' }), 'invalid_target', resource)
  const without = await world(t)
  t.equal(await errorOf(without, { resource: MAIL, scope: 'imap' }), 'invalid_target', 'no port for programs')
  t.equal(await errorOf(without, { resource: null, scope: 'imap' }), 'invalid_scope')
  t.same(createResources(BASE).all, [`${BASE}/mcp`])
})

t.test('tokens are for the mailbox in programs, and keep that when they are refreshed', async (t) => {
  const w = await world(t, { mailHost: HOST })
  const tokens = await connect(w, { change: { resource: MAIL, scope: 'imap smtp' } })
  t.equal(tokens.scope, 'imap smtp')
  t.match(await w.accounts.authenticate(tokens.access_token), {
    mailboxId: w.mailboxId,
    scopes: ['imap', 'submission'],
    audience: MAIL,
    endsAt: w.clock.now() + HOUR,
  })
  const next = await w.oauth.grants.token(refreshing(w, tokens.refresh_token, { scope: 'imap', resource: MAIL }))
  t.match(await w.accounts.authenticate(next.access_token), { scopes: ['imap'], audience: MAIL })
  const third = await w.oauth.grants.token(refreshing(w, next.refresh_token, { resource: BASE }))
  t.match(await w.accounts.authenticate(third.access_token), { scopes: ['imap', 'submission'] })
  await t.rejects(w.oauth.grants.token(refreshing(w, third.refresh_token, { resource: `${BASE}/mcp` })), {
    code: 'invalid_target',
  })
  const all = await connect(w, { change: { resource: 'imap://mx.example.com', scope: MAIL_SCOPE } })
  t.equal(all.scope, MAIL_SCOPE)
  t.match(await w.accounts.authenticate(all.access_token), { scopes: ['imap', 'submission'], audience: MAIL })
})

t.test('a code for programs is no code for agents', async (t) => {
  const w = await world(t, { mailHost: HOST })
  const code = await codeOf(w, proof, { change: { scope: 'imap', resource: MAIL } })
  await t.rejects(w.oauth.grants.token(redeeming(w, code, proof)), { code: 'invalid_grant' })
})
