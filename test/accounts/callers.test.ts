import t, { type Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import type { Accounts } from '../../src/accounts/types.js'
import type { AccountMailbox } from '../../src/accounts/usage.js'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { cachedEngine } from '../../src/store/cache/cached-engine.js'
import type { Engine } from '../../src/store/engine.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { decode, encode, key } from '../../src/store/keys.js'
import { readFrom } from '../../src/store/read-from.js'
import { createStore } from '../../src/store/store.js'
import type { Store, View } from '../../src/store/types.js'
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
const RECORD = key('record')
const partitionOf = (mailboxId: string): string => `mailbox/${mailboxId}`

interface Setting {
  accounts: Accounts
  /** Another process on the same store: it tells the first of nothing. */
  other: Accounts
  clock: ManualClock
  accountId: string
  /** How often the record of a mailbox was read. */
  reads: () => number
  save: (change: Partial<AccountMailbox>) => Promise<void>
  remove: () => Promise<void>
}

async function setting(t: Test, engine: Engine = memoryEngine()): Promise<Setting> {
  const store: Store = createStore(engine)
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  let reads = 0
  const mailbox = (id: string, from?: View): Promise<AccountMailbox | undefined> => {
    reads++
    return readFrom(from ?? store, partitionOf(id), async (view) => {
      const bytes = await view.get(RECORD)
      return bytes && decode<AccountMailbox>(bytes)
    })
  }
  const deps = { store, clock, limits: LIMITS, mailbox, mailboxPartition: partitionOf }
  const accounts = createAccounts(deps)
  const { id: accountId } = await accounts.ensure('ana@example.org')
  const record: AccountMailbox = {
    createdAt: clock.now(),
    usedBytes: 0,
    sentCount: 0,
    receivedCount: 0,
    today: { date: '2026-01-01', sent: 0, received: 0 },
    status: 'claimed',
    accountId,
    claimId: null,
  }
  const save: Setting['save'] = (change) =>
    store.write(partitionOf('mbx_1'), async (tx) => {
      await tx.get(RECORD)
      tx.put(RECORD, encode({ ...record, ...change }))
    })
  await save({})
  const remove: Setting['remove'] = () => store.write(partitionOf('mbx_1'), (tx) => tx.delete(RECORD))
  return { accounts, other: createAccounts(deps), clock, accountId, reads: () => reads, save, remove }
}

/** A key that has been used, so that who asks with it is known. */
async function knownKey(s: Setting, expiresAt?: number): Promise<{ id: string; text: string }> {
  const made = await s.accounts.createKey('mbx_1', { ...(expiresAt !== undefined && { expiresAt }) })
  for (let i = 0; i < 3; i++) await s.accounts.authenticate(made.text)
  return { id: made.key.id, text: made.text }
}

t.test('who asks again is known without a reading of records', async (t) => {
  const s = await setting(t)
  const { text, id } = await knownKey(s)
  const before = s.reads()
  t.match(await s.accounts.authenticate(text), { keyId: id, mailboxId: 'mbx_1', account: { id: s.accountId } })
  t.equal(s.reads(), before)
})

t.test('where versions have to be asked for, a request costs one round trip, whatever has changed', async (t) => {
  const engine = memoryEngine({ conflicts: 0, lateness: 0 })
  let trips = 0
  const counting: Engine = {
    ...engine,
    read: (fn) => (trips++, engine.read(fn)),
    versions: (names) => (trips++, engine.versions(names)),
    newest: () => undefined,
  }
  const s = await setting(t, cachedEngine(counting, { maxBytes: 1_000_000 }))
  const { text, id } = await knownKey(s)
  const tripsOf = async (expected: object): Promise<number> => {
    const before = trips
    t.match(await s.accounts.authenticate(text), expected)
    return trips - before
  }
  t.equal(await tripsOf({ keyId: id, account: { status: 'active' } }), 1)
  await s.save({ usedBytes: 5 })
  t.equal(await tripsOf({ keyId: id }), 1, 'its mailbox changed here')
  await s.accounts.suspend(s.accountId, 'spam')
  t.equal(await tripsOf({ account: { status: 'suspended' } }), 1)
  // Not told of: the rows that are kept are old.
  const found = await engine.read((reader) => reader.getMany(partitionOf('mbx_1'), [RECORD]))
  const value = encode({ ...decode<AccountMailbox>(found[0] ?? Buffer.alloc(0)), accountId: null })
  await engine.commit([], [{ partition: partitionOf('mbx_1'), key: RECORD, value }], 'another process')
  t.ok((await tripsOf({ keyId: id, account: undefined })) > 1)
  t.equal(await tripsOf({ keyId: id }), 1)
})

t.test('a key that is revoked, here or by another process, is refused by the next request', async (t) => {
  const s = await setting(t)
  for (const accounts of [s.accounts, s.other]) {
    const { text, id } = await knownKey(s)
    await accounts.revokeKey('mbx_1', id)
    t.equal(await s.accounts.authenticate(text), undefined)
    t.equal(await s.accounts.authenticate(text), undefined)
  }
  const rotated = await knownKey(s)
  await s.other.rotateKey('mbx_1', rotated.id)
  t.equal(await s.accounts.authenticate(rotated.text), undefined)
})

t.test('a suspension, and its end, are seen by the next request', async (t) => {
  const s = await setting(t)
  const { text } = await knownKey(s)
  for (const accounts of [s.accounts, s.other]) {
    await accounts.suspend(s.accountId, 'spam')
    t.match(await s.accounts.authenticate(text), { account: { status: 'suspended' } })
    await accounts.reinstate(s.accountId)
    t.match(await s.accounts.authenticate(text), { account: { status: 'active' } })
  }
})

t.test('access that another process has ended is found among those who wait', async (t) => {
  const s = await setting(t)
  const [revoked, kept] = [await knownKey(s), await knownKey(s)]
  const callers = (await Promise.all([revoked, kept].map(({ text }) => s.accounts.authenticate(text)))).filter(
    (caller) => caller !== undefined,
  )
  t.strictSame(await s.accounts.findEnded(callers), [])
  await s.other.revokeKey('mbx_1', revoked.id)
  t.match(await s.accounts.findEnded(callers), [{ keyId: revoked.id }])
  const [, waits] = callers
  if (!waits) throw new Error('nobody waits')
  await s.other.changeKey('mbx_1', kept.id, { name: 'renamed' })
  t.strictSame(await s.accounts.findEnded([waits]), [], 'what else changes does not end it')
  const pause = { at: s.clock.now(), by: 'human', seq: 0 } as const
  await s.save({ paused: { ...pause, what: 'sending' } })
  t.strictSame(await s.accounts.findEnded([waits]), [], 'nor does a pause of sending')
  await s.save({ paused: { ...pause, what: 'all' } })
  t.match(await s.accounts.findEnded([waits]), [{ keyId: kept.id }], 'one of everything does')
  await s.save({})
  await s.other.suspend(s.accountId, 'spam')
  t.match(await s.accounts.findEnded([waits]), [{ keyId: kept.id }])
  await s.other.reinstate(s.accountId)
  await s.remove()
  t.match(await s.accounts.findEnded([waits]), [{ keyId: kept.id }])
})

t.test('a mailbox that changes, or goes, is seen by the next request', async (t) => {
  const s = await setting(t)
  const { text } = await knownKey(s)
  await s.save({ status: 'pending', accountId: null })
  const caller = await s.accounts.authenticate(text)
  t.match(caller, { mailboxStatus: 'pending' })
  t.equal(caller?.account, undefined)
  await s.save({})
  t.match(await s.accounts.authenticate(text), { mailboxStatus: 'claimed', account: { id: s.accountId } })
  await s.remove()
  t.equal(await s.accounts.authenticate(text), undefined)
})

t.test('a key ends at its hour though nothing is written then', async (t) => {
  const s = await setting(t)
  const { text } = await knownKey(s, s.clock.now() + HOUR / 2)
  s.clock.advance(HOUR / 2 - 1)
  t.ok(await s.accounts.authenticate(text))
  s.clock.advance(1)
  t.equal(await s.accounts.authenticate(text), undefined)
})

t.test('the hour of the last use is noted for who is known, too', async (t) => {
  const s = await setting(t)
  const { text, id } = await knownKey(s)
  s.clock.advance(HOUR)
  await s.accounts.authenticate(text)
  const listed = await s.accounts.keys('mbx_1')
  t.equal(listed.find((each) => each.id === id)?.lastUsedAt, s.clock.now())
})

t.test('on one machine a known key is found in the same turn, and a revoked or suspended one is not', async (t) => {
  const s = await setting(t, openLmdb({ path: t.testdir() }))
  const { id, text } = await knownKey(s)
  t.match(s.accounts.authenticate(text), { keyId: id, account: { status: 'active' } }, 'no promise')
  await s.other.suspend(s.accountId, 'spam')
  t.match(await s.accounts.authenticate(text), { account: { status: 'suspended' } })
  t.match(s.accounts.authenticate(text), { account: { status: 'suspended' } })
  await s.other.revokeKey('mbx_1', id)
  t.equal(await s.accounts.authenticate(text), undefined)
  t.equal(s.accounts.authenticate('no key'), undefined)
})
