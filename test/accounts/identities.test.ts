import t, { type Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import { forgetOwner } from '../../src/accounts/identities.js'
import type { SignedIn } from '../../src/accounts/sessions.js'
import type { AccountRecord, Accounts } from '../../src/accounts/types.js'
import { DAY, ManualClock } from '../../src/lib/clock.js'
import { prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1_000_000,
  requestsPerMinute: 600,
  recipientsPerMessage: 50,
  messageBytes: 2_000_000,
  attachmentsPerMessage: 20,
  longPollSeconds: 60,
}

function setting(t: Test): { accounts: Accounts; store: Store; clock: ManualClock } {
  const store = createStore(memoryEngine({ conflicts: 0.3 }))
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const accounts = createAccounts({
    store,
    clock,
    limits: LIMITS,
    mailbox: async () => undefined,
    operator: 'Op@example.org',
    staff: ['Staff@Example.org'],
  })
  return { accounts, store, clock }
}

const who = (changes: Partial<SignedIn> = {}): SignedIn => ({
  provider: 'example',
  subject: 'sub-1',
  username: 'ana',
  email: 'Ana@Example.org',
  emailVerified: true,
  ...changes,
})

async function all(accounts: Accounts): Promise<AccountRecord[]> {
  const list: AccountRecord[] = []
  for await (const account of accounts.list()) list.push(account)
  return list
}

void t.test('the first sign-in makes the account, and later ones find it', async (t) => {
  const { accounts, clock } = setting(t)
  const first = await accounts.signIn(who())
  t.match(first, { isNew: true, account: { owner: 'ana@example.org', status: 'active', suspension: null } })
  const firstAt = clock.now()
  clock.advance(DAY)
  const second = await accounts.signIn(who({ username: 'ana2' }))
  t.strictSame(second, { account: first.account, isNew: false })
  t.strictSame(await accounts.identities(first.account.id), [
    { ...who({ username: 'ana2', email: 'Ana@example.org' }), firstAt, lastAt: clock.now() },
  ])
  t.strictSame(await accounts.findOwner('ANA@example.org'), first.account)
})

void t.test('many first sign-ins at once make one account', async (t) => {
  const { accounts } = setting(t)
  const made = await Promise.all(Array.from({ length: 8 }, (_, i) => accounts.signIn(who({ subject: `s${i % 2}` }))))
  t.equal(new Set(made.map(({ account }) => account.id)).size, 1)
  t.equal(made.filter(({ isNew }) => isNew).length, 1)
  t.equal((await all(accounts)).length, 1)
})

void t.test('a verified email joins the account that the operator made for it, the operator’s own too', async (t) => {
  const { accounts } = setting(t)
  const made = await accounts.ensure('ana@example.org')
  t.strictSame(await accounts.signIn(who()), { account: made, isNew: false })
  const operator = await accounts.ensure(null)
  t.equal((await accounts.signIn(who({ subject: 'op', email: 'op@EXAMPLE.org' }))).account.id, operator.id)
})

void t.test('an email that nobody verified opens nobody’s account', async (t) => {
  const { accounts } = setting(t)
  const made = await accounts.ensure('ana@example.org')
  await accounts.ensure(null)
  const unverified = await accounts.signIn(who({ emailVerified: false }))
  t.not(unverified.account.id, made.id)
  t.match(unverified, { isNew: true, account: { owner: null } })
  const operators = await accounts.signIn(who({ subject: 'x', email: 'op@example.org', emailVerified: false }))
  t.match(operators, { isNew: true, account: { owner: null } })
  const none = await accounts.signIn(who({ subject: 'y', email: null, emailVerified: true }))
  t.match(none, { isNew: true, account: { owner: null } })
  t.equal((await accounts.signIn(who({ subject: 'y', email: null }))).account.id, none.account.id)
  for (const email of [
    'Ana <ana@example.org>',
    'ana@example.org, b@example.org',
    'a',
    `${'a'.repeat(5000)}@example.org`,
  ]) {
    const { account } = await accounts.signIn(who({ subject: email.slice(0, 900), email }))
    t.equal(account.owner, null, email.slice(0, 40))
    t.match(await accounts.identities(account.id), [{ email: null, emailVerified: false }])
  }
})

void t.test('an email that changes at the provider changes on the identity, and moves no account', async (t) => {
  const { accounts } = setting(t)
  const { account } = await accounts.signIn(who())
  const bob = await accounts.ensure('bob@example.org')
  const again = await accounts.signIn(who({ email: 'bob@example.org' }))
  t.equal(again.account.id, account.id)
  t.equal(again.account.owner, 'ana@example.org')
  t.match(await accounts.identities(account.id), [{ email: 'bob@example.org' }])
  t.strictSame(await accounts.identities(bob.id), [])
})

void t.test('an account without an owner gets its human’s email once that is verified, if it is free', async (t) => {
  const { accounts } = setting(t)
  const { account } = await accounts.signIn(who({ emailVerified: false }))
  const verified = await accounts.signIn(who())
  t.match(verified, { isNew: false, account: { id: account.id, owner: 'ana@example.org' } })
  t.match(await accounts.findOwner('ana@example.org'), { id: account.id })
  t.equal((await all(accounts)).length, 1)

  await accounts.ensure('eve@example.org')
  const other = await accounts.signIn(who({ subject: 'e', email: null }))
  const taken = await accounts.signIn(who({ subject: 'e', email: 'eve@example.org' }))
  t.match(taken.account, { id: other.account.id, owner: null })
})

void t.test('two providers and two subjects are two identities, whatever their names have in common', async (t) => {
  const { accounts } = setting(t)
  const ids = new Set<string>()
  for (const [provider, subject] of [
    ['a', 'b\0c'],
    ['a\0b', 'c'],
    ['a', 'b'],
    ['b', 'a'],
  ] as const)
    ids.add((await accounts.signIn(who({ provider, subject, email: null }))).account.id)
  t.equal(ids.size, 4)
  for (const changes of [{ subject: '' }, { provider: '' }, { subject: 'x'.repeat(1001) }])
    await t.rejects(accounts.signIn(who(changes)), { code: 'invalid_request' })
})

void t.test('what a provider calls somebody can’t dress up as something else', async (t) => {
  const { accounts } = setting(t)
  const { account } = await accounts.signIn(who({ username: `a\u0000\nb${'x'.repeat(500)}` }))
  const [identity] = await accounts.identities(account.id)
  t.match(identity?.username, /^a bx+$/)
  t.equal(identity?.username?.length, 100)
})

void t.test('staff is who has a verified email that the operator named, in any case', async (t) => {
  const { accounts } = setting(t)
  t.equal(accounts.isStaff({ email: 'STAFF@example.ORG', emailVerified: true }), true)
  t.equal(accounts.isStaff({ email: 'staff@example.org', emailVerified: false }), false)
  t.equal(accounts.isStaff({ email: null, emailVerified: true }), false)
  t.equal(accounts.isStaff({ email: 'ana@example.org', emailVerified: true }), false)
  t.equal(accounts.isStaff({ email: 'Staff <staff@example.org>', emailVerified: true }), false)
})

void t.test('the list has the operator’s account, those with owners by email, and those without', async (t) => {
  const { accounts } = setting(t)
  const none = await accounts.signIn(who({ email: null }))
  await accounts.ensure('bob@example.org')
  await accounts.ensure('ana@example.org')
  const operator = await accounts.ensure(null)
  const list = await all(accounts)
  t.strictSame(
    list.map(({ owner }) => owner),
    [null, 'ana@example.org', 'bob@example.org', null],
  )
  t.equal(list[0]?.id, operator.id)
  t.equal(list[3]?.id, none.account.id)
})

void t.test('an account that is forgotten is found by nothing, and its human begins anew', async (t) => {
  const { accounts, store } = setting(t)
  const { account } = await accounts.signIn(who())
  await forgetOwner(store, account)
  t.equal(await accounts.findOwner('ana@example.org'), undefined)
  t.strictSame(await store.read('meta', (view) => view.range(prefixRange())), [])
  const again = await accounts.signIn(who())
  t.not(again.account.id, account.id)
  t.equal(again.isNew, true)
  await forgetOwner(store, account)
  t.match(await accounts.findOwner('ana@example.org'), { id: again.account.id }, 'and once more takes nothing from it')
})
