import { join } from 'node:path'
import t from 'tap'
import { addressOwner, reserveAddress } from '../../../src/mailbox/addresses.js'
import { listMailboxes } from '../../../src/mailbox/all-mailboxes.js'
import { createMailbox, readMailbox, removeMailbox } from '../../../src/mailbox/record.js'
import { eventReader } from '../../../src/mailbox/events.js'
import { ensureOperatorMailboxes } from '../../../src/lifecycle/claims/operator-mailbox.js'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { claim, folder, mortal, runClaimTasks, world, type World } from './world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

async function eventsOf({ store }: World, mailboxId: string): Promise<string[]> {
  const { data } = await eventReader(store)(mailboxId, { after: 0, limit: 10, waitMs: 0 }, new AbortController().signal)
  return data.map(({ type }) => type)
}

const idOf = async ({ store }: World, address: string): Promise<string> => (await addressOwner(store, address)) ?? ''

void t.test('an approved mailbox belongs to its owner’s account, and the agent’s key keeps its text', async (t) => {
  const w = await world(t)
  const { address, api_key, claim_url } = await claim(w, 'robot')
  const approved = await w.claims.approve(' Robot@Agents.Example ', 'Ana@Example.org')
  t.match(approved, { address, alreadyApproved: false })

  const caller = await w.accounts.authenticate(api_key)
  t.match(caller, { mailboxStatus: 'claimed', account: { id: approved.accountId, owner: 'ana@example.org', trust: 0 } })
  t.strictSame(await w.accounts.mailboxes(approved.accountId), [caller?.mailboxId])
  t.match(await w.claims.status(caller?.mailboxId ?? ''), { status: 'claimed', expires_at: null })
  t.strictSame(await w.claims.list(), [])
  t.strictSame(await eventsOf(w, caller?.mailboxId ?? ''), ['claim.claimed'])
  t.match(await w.claims.describe(claim_url.split('/').at(-1) ?? ''), { status: 'claimed' })
})

void t.test('without an owner the operator’s own account gets it; one owner has one account', async (t) => {
  const w = await world(t)
  for (const name of ['first', 'second', 'third', 'fourth']) await claim(w, name)
  const mine = await w.claims.approve('first@agents.example')
  t.equal((await w.claims.approve('second@agents.example')).accountId, mine.accountId)
  t.equal((await w.accounts.get(mine.accountId))?.owner, null)
  const [a, b] = await Promise.all([
    w.claims.approve('third@agents.example', 'ana@example.org'),
    w.claims.approve('fourth@agents.example', 'ANA@example.org'),
  ])
  t.equal(a.accountId, b.accountId)
  t.not(a.accountId, mine.accountId)
})

void t.test('what is no address, has no claim, or is no owner’s email is refused', async (t) => {
  const w = await world(t)
  await claim(w, 'robot')
  for (const address of ['nobody@agents.example', '', 'robot', 'x'.repeat(300).slice(0, 200)]) {
    await t.rejects(w.claims.approve(address), { code: 'not_found' }, JSON.stringify(address))
  }
  for (const owner of ['', 'ana', 'Ana <ana@example.org>', 'a@b\n.example']) {
    await t.rejects(w.claims.approve('robot@agents.example', owner), { code: 'invalid_request' }, JSON.stringify(owner))
  }
  t.match(await w.claims.list(), [{ address: 'robot@agents.example' }])
})

void t.test('two approvals at once end in one account, and the later one says so', async (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const w = await world(t, { engine: memoryEngine({ seed, conflicts: 0.3 }) })
    const { address } = await claim(w, 'robot')
    const results = await Promise.all([
      w.claims.approve(address, 'ana@example.org'),
      w.claims.approve(address, 'bob@example.org'),
      w.claims.approve(address),
    ])
    t.equal(results.filter(({ alreadyApproved }) => !alreadyApproved).length, 1)
    t.equal(new Set(results.map(({ accountId }) => accountId)).size, 1)
    const mailboxId = await idOf(w, address)
    const [winner] = results
    t.equal((await readMailbox(w.store, mailboxId))?.accountId, winner?.accountId)
    t.strictSame(await w.accounts.mailboxes(winner?.accountId ?? ''), [mailboxId])
    t.strictSame(await eventsOf(w, mailboxId), ['claim.claimed'])
    t.match(await w.claims.approve(address, 'eve@example.org'), { accountId: winner?.accountId, alreadyApproved: true })
  }
})

void t.test(
  'a claim that nobody approves within 24 hours is gone with everything of it, and its name is free',
  async (t) => {
    const engine = mortal(memoryEngine())
    const w = await world(t, { engine })
    const { address, api_key, claim_url } = await claim(w, 'robot')
    const mailboxId = await idOf(w, address)
    w.clock.advance(MINUTE)
    await runClaimTasks(w)
    w.clock.advance(DAY - MINUTE - 1)
    await runClaimTasks(w)
    t.match(await w.accounts.authenticate(api_key), { mailboxId }, 'a millisecond before')

    w.clock.advance(1)
    t.match(await w.claims.status(mailboxId), { status: 'expired' }, 'over, though not cleaned up yet')
    t.strictSame(await w.claims.list(), [])
    await t.rejects(w.claims.approve(address), { code: 'not_found' })
    await runClaimTasks(w)
    t.equal(await w.accounts.authenticate(api_key), undefined)
    t.equal(await w.claims.describe(claim_url.split('/').at(-1) ?? ''), undefined)
    await t.rejects(w.claims.status(mailboxId), { code: 'not_found' })
    t.strictSame(await listMailboxes(w.store), [])
    w.clock.advance(HOUR)
    await runClaimTasks(w)
    t.strictSame(leftovers(await engine.holding()), [])
    t.equal((await claim(w, 'robot')).address, address)
  },
)

void t.test('a claim approved at the last millisecond stays', async (t) => {
  const w = await world(t)
  const { address, api_key } = await claim(w, 'robot')
  w.clock.advance(DAY - 1)
  await w.claims.approve(address)
  for (const wait of [1, HOUR, DAY]) {
    w.clock.advance(wait)
    await runClaimTasks(w)
    t.match(await w.accounts.authenticate(api_key), { mailboxStatus: 'claimed' })
  }
})

void t.test('approval and expiry at one moment: one of them wins, and all of it', async (t) => {
  const outcomes = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const w = await world(t, { engine: memoryEngine({ seed, lateness: 6 }) })
    const { address, api_key } = await claim(w, 'robot')
    w.clock.advance(DAY - 1)
    const approval = w.claims.approve(address).then(
      () => 'approved',
      () => 'refused',
    )
    for (let i = 0; i < 6 * seed; i++) await new Promise((resolve) => setImmediate(resolve))
    w.clock.advance(1)
    await runClaimTasks(w)
    const outcome = await approval
    await runClaimTasks(w)
    outcomes.add(outcome)
    const caller = await w.accounts.authenticate(api_key)
    if (outcome === 'approved') t.match(caller, { mailboxStatus: 'claimed', account: { owner: null } })
    else t.equal(caller, undefined)
  }
  t.strictSame([...outcomes].sort(), ['approved', 'refused'], 'both happened')
})

void t.test('a mailbox deleted after its approval is not brought back by what the claim still has to do', async (t) => {
  const w = await world(t)
  const { address } = await claim(w, 'robot')
  await w.claims.approve(address)
  const mailboxId = await idOf(w, address)
  await removeMailbox(w, mailboxId)
  w.clock.advance(DAY)
  await runClaimTasks(w)
  t.equal(await readMailbox(w.store, mailboxId), undefined)
})

void t.test('claims live on disk through a restart', async (t) => {
  const path = join(folder(t), 'store')
  const before = await world(t, { engine: openLmdb({ path }) })
  const { address, api_key } = await claim(before, 'robot')
  await before.store.close()
  const after = await world(t, { engine: openLmdb({ path }), clock: before.clock })
  t.teardown(() => after.store.close())
  t.match(await after.claims.list(), [{ address }])
  await after.claims.approve(address, 'ana@example.org')
  t.match(await after.accounts.authenticate(api_key), { account: { owner: 'ana@example.org' } })
})

void t.test('postmaster and abuse of every domain reach the operator, at every start', async (t) => {
  const w = await world(t)
  const first = await ensureOperatorMailboxes({ ...w, domains: ['one.example'] })
  const again = await ensureOperatorMailboxes({ ...w, domains: ['two.example', 'One.example'] })
  t.strictSame(again, { ...first, taken: [] })
  for (const address of [
    'postmaster@one.example',
    'abuse@one.example',
    'postmaster@two.example',
    'ABUSE@two.example',
  ]) {
    t.equal(await addressOwner(w.store, address), first.mailboxId, address)
  }
  t.match(await readMailbox(w.store, first.mailboxId), {
    address: 'postmaster@one.example',
    status: 'claimed',
    accountId: first.accountId,
  })
  t.equal((await w.accounts.get(first.accountId))?.owner, null)
  t.match(await w.claims.approve('abuse@two.example'), { alreadyApproved: true, accountId: first.accountId })
})

void t.test('an operator’s address that somebody else has is named', async (t) => {
  const w = await world(t)
  await reserveAddress(w.store, 'abuse@one.example', 'mbx_other', w.clock.now())
  const other = {
    id: 'mbx_other',
    address: 'abuse@one.example',
    agentName: null,
    claimId: 'clm_other',
    status: 'pending',
  } as const
  await createMailbox(w.store, { ...other, accountId: null, now: w.clock.now() })
  const operator = await ensureOperatorMailboxes({ ...w, domains: ['one.example'] })
  t.strictSame(operator.taken, ['abuse@one.example'])
})

/** What may stay when a claim is gone: the queue is the worker's to empty, and spent challenges go by themselves. */
function leftovers(partitions: string[]): string[] {
  return partitions.filter((partition) => !partition.startsWith('queue/') && partition !== 'challenges')
}
