import t from 'tap'
import { ensureOperatorMailboxes } from '../../../src/lifecycle/claims/operator-mailbox.js'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import { addressOwner } from '../../../src/mailbox/addresses.js'
import { eventReader } from '../../../src/mailbox/events.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { claim, mortal, runClaimTasks, world, type World } from './world.js'

const idOf = async ({ store }: World, address: string): Promise<string> => (await addressOwner(store, address)) ?? ''
const tokenOf = (url: string): string => url.split('/').at(-1) ?? ''
const eventsOf = async ({ store }: World, mailboxId: string): Promise<string[]> =>
  (await eventReader(store)(mailboxId, { after: 0, limit: 10, waitMs: 0 }, new AbortController().signal)).data.map(
    ({ type }) => type,
  )

void t.test('who signed in and came by the link gets the mailbox, and the agent’s key works', async (t) => {
  const w = await world(t)
  const { address, api_key, claim_url } = await claim(w, 'robot')
  const { id } = await w.accounts.ensure('ana@example.org')
  const mailboxId = await idOf(w, address)
  t.strictSame(await w.claims.approveAs(tokenOf(claim_url), id), { address, mailboxId, outcome: 'approved' })
  t.match(await w.accounts.authenticate(api_key), { mailboxStatus: 'claimed', account: { id } })
  t.strictSame(await eventsOf(w, mailboxId), ['claim.claimed'])
  t.match(await w.claims.approveAs(tokenOf(claim_url), id), { outcome: 'already_yours' })
  const other = await w.accounts.ensure('bob@example.org')
  t.match(await w.claims.approveAs(tokenOf(claim_url), other.id), { outcome: 'taken' })
  t.match(await w.claims.decline({ token: tokenOf(claim_url) }), { outcome: 'taken' })
  await t.rejects(w.claims.approveAs('x'.repeat(43), id), { code: 'not_found' })
  await t.rejects(w.claims.approveAs(tokenOf(claim_url), 'acc_nobody'), { code: 'not_found' })
})

void t.test('two humans at once: one gets it, the other reads that it is taken', async (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const w = await world(t, { engine: memoryEngine({ seed, conflicts: 0.3 }) })
    const { address, claim_url } = await claim(w, 'robot')
    const mailboxId = await idOf(w, address)
    const accounts = await Promise.all(['a@x.test', 'b@x.test', 'c@x.test'].map((email) => w.accounts.ensure(email)))
    const results = await Promise.all(accounts.map(({ id }) => w.claims.approveAs(tokenOf(claim_url), id)))
    t.strictSame(results.map(({ outcome }) => outcome).sort(), ['approved', 'taken', 'taken'])
    const winner = accounts[results.findIndex(({ outcome }) => outcome === 'approved')]
    for (const { id } of accounts) t.strictSame(await w.accounts.mailboxes(id), id === winner?.id ? [mailboxId] : [])
  }
})

void t.test('yes and no at once: one of them wins, and all of it', async (t) => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 12; seed++) {
    const w = await world(t, { engine: memoryEngine({ seed, lateness: 6 }) })
    const { address, api_key, claim_url } = await claim(w, 'robot')
    const { id } = await w.accounts.ensure('a@x.test')
    const [yes, no] = await Promise.all([w.claims.approveAs(tokenOf(claim_url), id), w.claims.decline({ address })])
    seen.add(yes.outcome)
    const isApproved = yes.outcome === 'approved'
    t.strictSame([yes.outcome, no.outcome], isApproved ? ['approved', 'taken'] : ['declined', 'declined'])
    t.match(await w.accounts.authenticate(api_key), { mailboxStatus: isApproved ? 'claimed' : 'declined' })
    t.equal((await addressOwner(w.store, address)) !== undefined, isApproved)
  }
  t.ok(seen.has('approved'))
})

void t.test(
  'a claim approved by its page in the last millisecond stays, and a millisecond later it is too late',
  async (t) => {
    const w = await world(t)
    const { id } = await w.accounts.ensure('ana@example.org')
    const [first, second] = [await claim(w, 'robot-1'), await claim(w, 'robot-2')]
    w.clock.advance(DAY - 1)
    t.match(await w.claims.approveAs(tokenOf(first.claim_url), id), { outcome: 'approved' })
    w.clock.advance(1)
    t.match(await w.claims.approveAs(tokenOf(second.claim_url), id), { outcome: 'expired' })
    t.match(await w.claims.decline({ token: tokenOf(second.claim_url) }), { outcome: 'expired' })
    for (const wait of [0, HOUR, DAY]) {
      w.clock.advance(wait)
      await runClaimTasks(w)
      t.match(await w.accounts.authenticate(first.api_key), { mailboxStatus: 'claimed' })
      t.equal(await w.accounts.authenticate(second.api_key), undefined)
    }
  },
)

void t.test(
  'a declined name is free at once, its key reads why until the day is over, then all of it is gone',
  async (t) => {
    const engine = mortal(memoryEngine())
    const w = await world(t, { engine })
    const { address, api_key, claim_url } = await claim(w, 'robot')
    const mailboxId = await idOf(w, address)
    t.strictSame(await w.claims.decline({ address }), { address, mailboxId, outcome: 'declined' })
    t.match(await w.claims.decline({ token: tokenOf(claim_url) }), { outcome: 'already_declined' })
    await t.rejects(w.claims.decline({ address }), { code: 'not_found' }, 'its address leads nowhere')
    t.equal(await addressOwner(w.store, address), undefined, 'mail to it is refused')
    t.strictSame(await w.claims.list(), [])
    t.strictSame(await eventsOf(w, mailboxId), ['claim.declined'])
    t.match(await w.claims.describe(tokenOf(claim_url)), { status: 'declined', address })

    const second = await claim(w, 'robot', '198.51.100.1')
    w.clock.advance(DAY - 1)
    await runClaimTasks(w)
    t.match(await w.accounts.authenticate(api_key), { mailboxId, mailboxStatus: 'declined' })
    t.match(await w.claims.status(mailboxId), { status: 'declined', expires_at: null })
    const owner = await w.claims.approve(address)
    w.clock.advance(1)
    await runClaimTasks(w)
    t.equal(await w.accounts.authenticate(api_key), undefined)
    t.match(
      await w.accounts.authenticate(second.api_key),
      { account: { id: owner.accountId } },
      'who took the name keeps it',
    )
    w.clock.advance(HOUR)
    await runClaimTasks(w)
    t.notOk((await engine.holding()).some((partition) => partition.includes(mailboxId)))
  },
)

void t.test('a crash at any commit of a refusal ends in a whole one', async (t) => {
  const dry = mortal(memoryEngine())
  const plain = await world(t, { engine: dry })
  const { address } = await claim(plain, 'robot')
  const before = dry.commits
  await plain.claims.decline({ address })
  const commits = dry.commits - before
  for (const side of ['before', 'after'] as const) {
    for (let at = 1; at <= commits; at++) {
      const engine = mortal(memoryEngine())
      const first = await world(t, { engine })
      await claim(first, 'robot')
      const mailboxId = await idOf(first, address)
      engine.dieAt(at, side)
      await t.rejects(first.claims.decline({ address }))
      engine.revive()
      const w = await world(t, { engine, clock: first.clock })
      w.clock.advance(MINUTE)
      await runClaimTasks(w)
      const { status } = await w.claims.status(mailboxId)
      t.equal((await addressOwner(w.store, address)) === undefined, status === 'declined', `${side} ${at}: ${status}`)
      t.strictSame(await eventsOf(w, mailboxId), status === 'declined' ? ['claim.declined'] : [])
    }
  }
})

void t.test('the operator’s own mailbox cannot be declined away', async (t) => {
  const w = await world(t)
  await ensureOperatorMailboxes({ ...w, domains: ['agents.example'] })
  await t.rejects(w.claims.decline({ address: 'postmaster@agents.example' }), { code: 'not_found' })
  await t.rejects(w.claims.decline({ address: 'nobody@agents.example' }), { code: 'not_found' })
})
