import t, { type Test } from 'tap'
import { createAccounts, type AccountsDeps } from '../../src/accounts/accounts.js'
import { listKey } from '../../src/accounts/key-ring.js'
import { putKey } from '../../src/accounts/keys.js'
import { AGENT_SCOPES, type Accounts, type EndedAccess } from '../../src/accounts/types.js'
import type { AccountMailbox } from '../../src/accounts/usage.js'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { newId, sha256Hex } from '../../src/lib/ids.js'
import { StorageError } from '../../src/store/errors.js'
import { encode, key, prefixRange } from '../../src/store/keys.js'
import type { Engine } from '../../src/store/engine.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { mortal } from '../support/store/mortal-engine.js'

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1_000_000,
  requestsPerMinute: 600,
  recipientsPerMessage: 50,
  messageBytes: 2_000_000,
  attachmentsPerMessage: 20,
  longPollSeconds: 60,
}

const CLAIM_TEXT = `rst_pending_${'c'.repeat(43)}`
const CLAIM_ID = newId('key', 5)

interface Setting {
  /** Of the accounts, but for the store. */
  deps: Omit<AccountsDeps, 'store'>
  accounts: Accounts
  store: Store
  clock: ManualClock
  accountId: string
  ended: EndedAccess[]
}

/** An approved mailbox `mbx_1` whose claim made CLAIM_TEXT, as it was stored before keys had names, and a pending `mbx_2`. */
async function setting(t: Test, engine: Engine = memoryEngine()): Promise<Setting> {
  const store = createStore(engine)
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const mailboxes = new Map<string, AccountMailbox>()
  const deps = { clock, limits: LIMITS, mailbox: async (id: string) => mailboxes.get(id) }
  const accounts = createAccounts({ store, ...deps })
  const { id: accountId } = await accounts.ensure('ana@example.org')
  const counters = {
    createdAt: clock.now(),
    usedBytes: 0,
    sentCount: 0,
    receivedCount: 0,
    today: { date: '2026-01-01', sent: 0, received: 0 },
  }
  mailboxes.set('mbx_1', { ...counters, status: 'claimed', accountId, claimId: 'clm_1' })
  mailboxes.set('mbx_2', { ...counters, status: 'pending', accountId: null, claimId: 'clm_2' })
  await putKey(store, sha256Hex(CLAIM_TEXT), { keyId: CLAIM_ID, mailboxId: 'mbx_1', createdAt: 5 })
  await store.write(`account/${accountId}`, (tx) => listKey(tx, 'mbx_1', CLAIM_ID, sha256Hex(CLAIM_TEXT)))
  const ended: EndedAccess[] = []
  accounts.onAccessEnd((each) => ended.push(each))
  return { accounts, store, clock, accountId, ended, deps }
}

void t.test('a list of keys shows names, scopes and the hour of the last use, and no text', async (t) => {
  const s = await setting(t)
  const made = await s.accounts.createKey('mbx_1', {
    name: '  laptop ',
    scopes: ['mail:send', 'mail:read', 'mail:read'],
  })
  t.strictSame(made.key, {
    id: made.key.id,
    mailboxId: 'mbx_1',
    name: 'laptop',
    scopes: ['mail:read', 'mail:send'],
    createdAt: s.clock.now(),
    lastUsedAt: null,
    expiresAt: null,
    requiresApproval: false,
  })
  const usedAt = s.clock.now()
  t.strictSame((await s.accounts.authenticate(made.text))?.scopes, ['mail:read', 'mail:send'])
  s.clock.advance(HOUR - 1)
  await s.accounts.authenticate(made.text)
  t.strictSame(await s.accounts.keys('mbx_1'), [
    {
      id: CLAIM_ID,
      mailboxId: 'mbx_1',
      name: 'key',
      scopes: [...AGENT_SCOPES],
      createdAt: 5,
      lastUsedAt: null,
      expiresAt: null,
      requiresApproval: false,
    },
    { ...made.key, lastUsedAt: usedAt, expiresAt: null },
  ])
  s.clock.advance(1)
  await s.accounts.authenticate(made.text)
  t.equal((await s.accounts.keys('mbx_1'))[1]?.lastUsedAt, usedAt + HOUR)
  t.notMatch(JSON.stringify(await s.accounts.keys('mbx_1')), made.text)
})

void t.test('the key of a claim is in the list, and can be revoked for good', async (t) => {
  const s = await setting(t)
  t.match(await s.accounts.authenticate(CLAIM_TEXT), { keyId: CLAIM_ID, scopes: AGENT_SCOPES })
  t.match(await s.accounts.keys('mbx_1'), [{ id: CLAIM_ID }])
  await s.accounts.revokeKey('mbx_1', CLAIM_ID)
  t.equal(await s.accounts.authenticate(CLAIM_TEXT), undefined)
  t.strictSame(await s.accounts.keys('mbx_1'), [])
})

void t.test('a revoked key ends at once, and those who hold something open by it are told', async (t) => {
  const s = await setting(t)
  const a = await s.accounts.createKey('mbx_1')
  const b = await s.accounts.createKey('mbx_1')
  await s.accounts.revokeKey('mbx_1', a.key.id)
  t.equal(await s.accounts.authenticate(a.text), undefined)
  t.ok(await s.accounts.authenticate(b.text))
  await s.accounts.revokeKey('mbx_1', a.key.id)
  await s.accounts.revokeKey('mbx_1', 'key_none')
  t.strictSame(s.ended, [{ keyId: a.key.id }])
  await t.rejects(s.accounts.revokeKey('mbx_3', a.key.id), { code: 'not_found' })
})

void t.test('rotation gives a new text for the same name and scopes, and the old one ends', async (t) => {
  const s = await setting(t)
  const old = await s.accounts.createKey('mbx_1', { name: 'phone', scopes: ['mail:read'] })
  const fresh = await s.accounts.rotateKey('mbx_1', old.key.id)
  t.not(fresh.text, old.text)
  t.match(fresh.key, { name: 'phone', scopes: ['mail:read'], lastUsedAt: null, expiresAt: null })
  t.equal(await s.accounts.authenticate(old.text), undefined)
  t.match(await s.accounts.authenticate(fresh.text), { keyId: fresh.key.id, scopes: ['mail:read'] })
  t.strictSame(s.ended, [{ keyId: old.key.id }])
  await t.rejects(s.accounts.rotateKey('mbx_1', old.key.id), { code: 'not_found' })
  t.equal((await s.accounts.keys('mbx_1')).length, 2)

  const claims = await s.accounts.rotateKey('mbx_1', CLAIM_ID)
  t.equal(await s.accounts.authenticate(CLAIM_TEXT), undefined)
  t.strictSame(claims.key.scopes, AGENT_SCOPES)
})

void t.test('two who rotate one key at once get one key between them', async (t) => {
  const s = await setting(t)
  const old = await s.accounts.createKey('mbx_1')
  const both = await Promise.allSettled([1, 2].map(() => s.accounts.rotateKey('mbx_1', old.key.id)))
  const won = both.filter(({ status }) => status === 'fulfilled')
  t.equal(won.length, 1)
  t.strictSame((await s.accounts.keys('mbx_1')).map(({ id }) => id).filter((id) => id !== CLAIM_ID).length, 1)
})

void t.test(
  'a mailbox has 20 keys at most, also when many are made at once, and can rotate each of them',
  async (t) => {
    const s = await setting(t)
    const made = await Promise.allSettled(Array.from({ length: 30 }, () => s.accounts.createKey('mbx_1')))
    t.equal(made.filter(({ status }) => status === 'fulfilled').length, 19, 'and the one of the claim')
    await t.rejects(s.accounts.createKey('mbx_1'), { code: 'invalid_request', hint: /Revoke/ })
    const keys = await s.accounts.keys('mbx_1')
    t.equal(keys.length, 20)
    await s.accounts.rotateKey('mbx_1', keys[7]?.id ?? '')
    t.equal((await s.accounts.keys('mbx_1')).length, 20)
    await s.accounts.revokeKey('mbx_1', keys[8]?.id ?? '')
    t.ok(await s.accounts.createKey('mbx_1'))
  },
)

void t.test('a key and its entry come and go in one commit', async (t) => {
  for (const moment of ['before', 'after'] as const) {
    const engine = memoryEngine({ conflicts: 0 })
    const s = await setting(t, engine)
    const { key: old } = await s.accounts.createKey('mbx_1')
    const dying = mortal(engine, 1, moment)
    const second = createAccounts({ store: createStore(dying.engine), ...s.deps })
    dying.arm()
    await t.rejects(second.rotateKey('mbx_1', old.id), /died/)
    const keys = await s.accounts.keys('mbx_1')
    t.equal(keys.length, 2, 'that of the claim, and the old one or the new one')
    t.equal(
      keys.some(({ id }) => id === old.id),
      moment === 'before',
    )
  }
})

void t.test('names and scopes that can’t be are refused with what would be right', async (t) => {
  const s = await setting(t)
  for (const name of ['', '   ', 'a'.repeat(65), 'a\nb', 'a\u202eb', 'a\u200bb', '\u0000'])
    await t.rejects(s.accounts.createKey('mbx_1', { name }), { code: 'invalid_request', fields: [{ field: 'name' }] })
  for (const scopes of [[], ['mail:all'], ['mail:read', ''], ['MAIL:READ']])
    await t.rejects(s.accounts.createKey('mbx_1', { scopes }), {
      code: 'invalid_request',
      fields: [{ field: 'scopes' }],
    })
  t.ok(await s.accounts.createKey('mbx_1', { name: '🗝'.repeat(64) }))
  t.strictSame(await s.accounts.keys('mbx_2'), [], 'a pending mailbox has no list yet')
  await t.rejects(s.accounts.rotateKey('mbx_2', 'key_1'), { code: 'claim_pending' })
})

void t.test('a disk that takes nothing more stops nobody from reading', async (t) => {
  const engine = memoryEngine()
  let full = false
  const s = await setting(t, {
    ...engine,
    commit: async (checks, ops, mark) => {
      if (full) throw new StorageError('no space left')
      return engine.commit(checks, ops, mark)
    },
  })
  const made = await s.accounts.createKey('mbx_1')
  full = true
  t.match(await s.accounts.authenticate(made.text), { keyId: made.key.id })
  t.equal((await s.accounts.keys('mbx_1'))[1]?.lastUsedAt, null)
})

void t.test('a use that is noted late brings no revoked key back', async (t) => {
  const s = await setting(t)
  const made = await s.accounts.createKey('mbx_1')
  await Promise.all([s.accounts.authenticate(made.text), s.accounts.revokeKey('mbx_1', made.key.id)])
  t.equal(await s.accounts.authenticate(made.text), undefined)
  const left = await s.store.read(`key/${sha256Hex(made.text)}`, (view) => view.range(prefixRange()))
  t.strictSame(left, [])
})

void t.test('an account stored before there were suspensions has none', async (t) => {
  const s = await setting(t)
  const old = { id: s.accountId, owner: 'ana@example.org', status: 'active', trust: 2, createdAt: 1 }
  await s.store.write(`account/${s.accountId}`, (tx) => tx.put(key('account'), encode(old)))
  t.strictSame(await s.accounts.get(s.accountId), { ...old, suspension: null })
})
