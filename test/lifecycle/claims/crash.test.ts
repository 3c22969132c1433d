/** The machine goes off at every commit in turn, before it is on disk and right after, and comes back. */
import t, { type Test } from 'tap'
import { DAY, HOUR, ManualClock } from '../../../src/lib/clock.js'
import { addressOwner } from '../../../src/mailbox/addresses.js'
import { eventReader } from '../../../src/mailbox/events.js'
import { listMailboxes } from '../../../src/mailbox/all-mailboxes.js'
import { ensureOperatorMailboxes } from '../../../src/lifecycle/claims/operator-mailbox.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { claim, mortal, runClaimTasks, world, type Mortal, type World } from './world.js'

const ADDRESS = 'robot@agents.example'

/** Runs `act` with a crash at its first commit, then at its second, until it gets through; after each crash `check` gets the restarted server. */
async function atEveryCommit(
  t: Test,
  prepare: (w: World) => Promise<void>,
  act: (w: World) => Promise<unknown>,
  check: (w: World, engine: Mortal, what: string) => Promise<void>,
): Promise<number> {
  let crashes = 0
  for (const when of ['before', 'after'] as const) {
    for (let n = 1; ; n++) {
      const engine = mortal(memoryEngine({ lateness: 0, conflicts: 0 }))
      const clock = new ManualClock()
      const doomed = await world(t, { engine, clock })
      await prepare(doomed)
      engine.dieAt(n, when)
      const survived = await act(doomed).then(
        () => true,
        () => false,
      )
      engine.revive()
      if (survived) break
      crashes++
      await check(await world(t, { engine, clock }), engine, `${when} commit ${n}`)
    }
  }
  return crashes
}

const nothing = async (): Promise<void> => undefined

/** A change that is one commit: it has happened, or it has not. */
const ONE_COMMIT = 2

const isQueue = (name: string): boolean => /^(?:work|queue)\//.test(name)

async function left(engine: Mortal): Promise<string[]> {
  return (await engine.holding()).filter((name) => !isQueue(name) && name !== 'challenges')
}

void t.test('a claim cut off at any line is there whole, or nothing is', async (t) => {
  const crashes = await atEveryCommit(
    t,
    nothing,
    (w) => claim(w, 'robot'),
    async (w, engine, what) => {
      const stands = (await w.claims.list()).length === 1
      t.equal(stands, what.startsWith('after'), what)
      if (stands) {
        const [mailbox] = await listMailboxes(w.store)
        t.match(mailbox, { address: ADDRESS, status: 'pending' }, what)
        t.equal(await addressOwner(w.store, ADDRESS), mailbox?.id, what)
      } else {
        t.strictSame(await left(engine), [], `${what}: nothing was made`)
        t.strictSame(
          (await engine.holding()).filter((name) => !isQueue(name)),
          [],
          `${what}: nothing was spent`,
        )
        t.equal((await claim(w, 'robot')).address, ADDRESS, `${what}: somebody else can have it`)
      }
      w.clock.advance(DAY)
      await runClaimTasks(w)
      t.strictSame(await left(engine), [], `${what}: nothing is left a day later`)
    },
  )
  t.equal(crashes, ONE_COMMIT)
})

void t.test('an approval cut off at any line has happened, or has not', async (t) => {
  const crashes = await atEveryCommit(
    t,
    async (w) => {
      await claim(w, 'robot')
      w.clock.advance(HOUR)
    },
    (w) => w.claims.approve(ADDRESS, 'ana@example.org'),
    async (w, _engine, what) => {
      const isApproved = what.startsWith('after')
      const before = await listMailboxes(w.store)
      t.match(before, [{ status: isApproved ? 'claimed' : 'pending' }], what)
      t.equal((await w.claims.list()).length, isApproved ? 0 : 1, what)
      t.equal((await w.accounts.findOwner('ana@example.org')) !== undefined, isApproved, `${what}: the account`)
      t.match(await w.claims.status(before[0]?.id ?? ''), { status: isApproved ? 'claimed' : 'pending' }, what)
      const { alreadyApproved } = await w.claims.approve(ADDRESS, 'ana@example.org')
      t.equal(alreadyApproved, isApproved, what)
      const [mailbox, ...others] = await listMailboxes(w.store)
      const account = await w.accounts.ensure('ana@example.org')
      t.match(mailbox, { status: 'claimed', accountId: account.id }, what)
      t.strictSame(others, [], what)
      t.strictSame(await w.accounts.mailboxes(account.id), [mailbox?.id], what)
      t.equal((await w.accounts.keys(mailbox?.id ?? '')).length, 1, `${what}: the key is listed`)
      const { data } = await eventReader(w.store)(
        mailbox?.id ?? '',
        { after: 0, limit: 10, waitMs: 0 },
        new AbortController().signal,
      )
      t.strictSame(
        data.map(({ type }) => type),
        ['claim.claimed'],
        what,
      )
      w.clock.advance(2 * DAY)
      await runClaimTasks(w)
      t.equal((await listMailboxes(w.store)).length, 1, `${what}: and stays`)
    },
  )
  t.equal(crashes, ONE_COMMIT)
})

void t.test('a decline cut off at any line has happened, or has not', async (t) => {
  let key = ''
  const crashes = await atEveryCommit(
    t,
    async (w) => {
      key = (await claim(w, 'robot')).api_key
    },
    (w) => w.claims.decline({ address: ADDRESS }),
    async (w, _engine, what) => {
      const isDeclined = what.startsWith('after')
      const caller = await w.accounts.authenticate(key)
      const standing = isDeclined ? 'declined' : 'pending'
      t.equal(caller?.mailboxStatus, standing, what)
      t.match(await w.claims.status(caller?.mailboxId ?? ''), { status: standing }, what)
      t.equal((await addressOwner(w.store, ADDRESS)) === undefined, isDeclined, `${what}: the name is free`)
    },
  )
  t.equal(crashes, ONE_COMMIT)
})

void t.test('an expiry cut off at any line is finished by the next', async (t) => {
  const crashes = await atEveryCommit(
    t,
    async (w) => {
      await claim(w, 'robot')
      w.clock.advance(DAY)
    },
    runClaimTasks,
    async (w, engine, what) => {
      await t.rejects(w.claims.approve(ADDRESS), { code: 'not_found' }, `${what}: too late to approve`)
      await runClaimTasks(w)
      t.equal(await addressOwner(w.store, ADDRESS), undefined, `${what}: the name is free`)
      t.strictSame(await left(engine), [], `${what}: nothing is left`)
    },
  )
  t.ok(crashes > 4, `${crashes} crashes`)
})

void t.test('a start cut off at any line has the operator’s mailbox made by the next', async (t) => {
  const domains = ['one.example', 'two.example']
  const crashes = await atEveryCommit(
    t,
    nothing,
    (w) => ensureOperatorMailboxes({ ...w, domains }),
    async (w, _engine, what) => {
      const operator = await ensureOperatorMailboxes({ ...w, domains })
      t.strictSame(operator.taken, [], what)
      const mailboxes = await listMailboxes(w.store)
      t.match(mailboxes, [{ id: operator.mailboxId, status: 'claimed', accountId: operator.accountId }], what)
      t.equal(mailboxes.length, 1, what)
      t.equal(await addressOwner(w.store, 'abuse@two.example'), operator.mailboxId, what)
    },
  )
  t.equal(crashes, ONE_COMMIT)
})
