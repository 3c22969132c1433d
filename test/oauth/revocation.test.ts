import t from 'tap'
import { createDeletion } from '../../src/lifecycle/deletion/deletion.js'
import { HOUR } from '../../src/lib/clock.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { codeOf, connect, newProof, redeeming, refreshing, requestOf, world } from './world.js'

t.test('an owner lists what is connected, the newest first, and ends it at once', async (t) => {
  const w = await world(t)
  const first = await connect(w, { scopes: ['mail:read'] })
  w.clock.advance(HOUR / 2)
  const second = await connect(w)
  await codeOf(w, newProof())
  const listed = await w.oauth.connections.list(w.accountId)
  t.same(
    listed.map(({ scopes }) => scopes.length),
    [3, 1],
    'what was not redeemed is not connected',
  )
  const [, oldest] = listed
  await w.accounts.authenticate(first.access_token)
  await w.accounts.authenticate(first.access_token)
  await w.oauth.connections.revoke('acc_other', oldest?.id ?? '')
  t.ok(await w.accounts.authenticate(first.access_token), 'nobody ends what is not theirs')
  await w.oauth.connections.revoke(w.accountId, oldest?.id ?? '')
  await w.oauth.connections.revoke(w.accountId, oldest?.id ?? '')
  t.equal(await w.accounts.authenticate(first.access_token), undefined)
  t.ok(await w.accounts.authenticate(second.access_token))
  t.same(w.ended, [oldest?.id])
})

t.test('a mailbox that goes takes its connections along, and codes that wait', async (t) => {
  const w = await world(t)
  await w.saveMailbox('mbx_2')
  const stays = await connect(w)
  const goes = await connect(w, { mailboxId: 'mbx_2' })
  const proof = newProof()
  const code = await codeOf(w, proof, { mailboxId: 'mbx_2' })
  await w.oauth.connections.revokeAll(w.accountId, 'mbx_2')
  t.equal(await w.accounts.authenticate(goes.access_token), undefined)
  await t.rejects(w.oauth.grants.token(redeeming(w, code, proof)), { code: 'invalid_grant' })
  t.ok(await w.accounts.authenticate(stays.access_token))
})

t.test('a deletion that is asked for ends all, and its being cancelled brings none back', async (t) => {
  const w = await world(t)
  const key = await w.accounts.createKey(w.mailboxId)
  const tokens = await connect(w)
  await w.accounts.authenticate(tokens.access_token)
  const deletion = createDeletion({
    ...w,
    queue: createWorkQueue({ store: w.store, clock: w.clock }),
    operatorAccountId: 'acc_operator',
  })
  await deletion.start(w.accountId, { kind: 'key', id: key.key.id })
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
  const request = await requestOf(w, newProof())
  await t.rejects(
    w.oauth.consent.allow(request, { accountId: w.accountId, mailboxId: w.mailboxId, scopes: request.scopes }),
    { code: 'account_deletion_pending' },
  )
  await deletion.cancel(w.accountId, { kind: 'key', id: key.key.id })
  t.ok(await w.accounts.authenticate(key.text))
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
  await t.rejects(w.oauth.grants.token(refreshing(w, tokens.refresh_token)), { code: 'invalid_grant' })
  t.same(w.ended, [w.accountId])
})

t.test('a suspension is seen by the next request, and its end too', async (t) => {
  const w = await world(t)
  const tokens = await connect(w)
  for (let i = 0; i < 3; i++) await w.accounts.authenticate(tokens.access_token)
  await w.accounts.suspend(w.accountId, 'spam')
  t.equal((await w.accounts.authenticate(tokens.access_token))?.account?.status, 'suspended')
  const request = await requestOf(w, newProof())
  await t.rejects(
    w.oauth.consent.allow(request, { accountId: w.accountId, mailboxId: w.mailboxId, scopes: request.scopes }),
    { code: 'account_suspended' },
  )
  const next = await w.oauth.grants.token(refreshing(w, tokens.refresh_token))
  await w.accounts.reinstate(w.accountId)
  t.equal((await w.accounts.authenticate(next.access_token))?.account?.status, 'active')
})

t.test('a mailbox that became somebody else’s is not reached by what its owner before had allowed', async (t) => {
  const w = await world(t)
  const tokens = await connect(w)
  for (let i = 0; i < 3; i++) await w.accounts.authenticate(tokens.access_token)
  const { id: other } = await w.accounts.ensure('bob@example.org')
  await w.saveMailbox(w.mailboxId, { accountId: other })
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
})

t.test('who asks again is known without the records being read', async (t) => {
  const w = await world(t)
  const tokens = await connect(w)
  const [first, second, third] = [
    await w.accounts.authenticate(tokens.access_token),
    await w.accounts.authenticate(tokens.access_token),
    await w.accounts.authenticate(tokens.access_token),
  ]
  t.not(second, first)
  t.equal(third, second, 'the very same')
  w.clock.advance(HOUR - 1)
  t.ok(await w.accounts.authenticate(tokens.access_token))
  w.clock.advance(1)
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined, 'but not past its end')
})

t.test('a mailbox and an account have so many connections and no more', async (t) => {
  const w = await world(t)
  await w.saveMailbox('mbx_2')
  for (let i = 0; i < 5; i++) await connect(w)
  await t.rejects(connect(w), { code: 'limit_reached', message: /mailbox can have 5/ })
  for (let i = 0; i < 3; i++) await connect(w, { mailboxId: 'mbx_2' })
  await t.rejects(connect(w, { mailboxId: 'mbx_2' }), { code: 'limit_reached', message: /account can have 8/ })
  const [newest] = await w.oauth.connections.list(w.accountId)
  await w.oauth.connections.revoke(w.accountId, newest?.id ?? '')
  await connect(w, { mailboxId: 'mbx_2' })
})

t.test('nobody allows what is not theirs, or not there', async (t) => {
  const w = await world(t)
  const { id: other } = await w.accounts.ensure('bob@example.org')
  const request = await requestOf(w, newProof(), { scope: 'mail:read' })
  const { scopes } = request
  const allow = (accountId: string, mailboxId: string): Promise<string> =>
    w.oauth.consent.allow(request, { accountId, mailboxId, scopes })
  await t.rejects(allow(other, w.mailboxId), { code: 'not_found' })
  await t.rejects(allow(w.accountId, 'mbx_none'), { code: 'not_found' })
  await w.saveMailbox('mbx_3', { status: 'pending', accountId: null })
  await t.rejects(allow(w.accountId, 'mbx_3'), { code: 'not_found' })
  await t.rejects(
    w.oauth.consent.allow(request, {
      accountId: w.accountId,
      mailboxId: w.mailboxId,
      scopes: ['mail:read', 'mail:send'],
    }),
    /more scopes/,
  )
})
