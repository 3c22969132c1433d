/** The machine goes off at every commit in turn, before it is on disk and right after, and comes back. */
import t from 'tap'
import { DAY, HOUR, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { addressOwner } from '../../src/mailbox/addresses.js'
import { eventReader } from '../../src/mailbox/events.js'
import { listMailboxes } from '../../src/mailbox/list.js'
import { readClaim } from '../../src/claims/record.js'
import { ensureOperatorMailboxes } from '../../src/claims/operator.js'
import { memoryEngine } from '../support/memory-engine.js'
import { claim, mortal, runClaimTasks, world } from './world.js'
import type { Mortal, World } from './world.js'
import type { Test } from 'tap'

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

void t.test('a claim cut off at any line gives the name back and leaves nothing', async (t) => {
  const crashes = await atEveryCommit(
    t,
    nothing,
    (w) => claim(w, 'robot'),
    async (w, engine, what) => {
      const stood = (await w.claims.list()).length === 1
      w.clock.advance(MINUTE)
      await runClaimTasks(w)
      if (!stood) {
        t.equal(await addressOwner(w.store, ADDRESS), undefined, `${what}: the name is free after a minute`)
        t.strictSame(await listMailboxes(w.store), [], `${what}: no mailbox`)
        t.equal((await claim(w, 'robot')).address, ADDRESS, `${what}: somebody else can have it`)
      }
      // The claim that stands in either case, and what is left of the other, end after a day.
      w.clock.advance(DAY)
      await runClaimTasks(w)
      w.clock.advance(HOUR)
      await runClaimTasks(w)
      const left = (await engine.holding()).filter((name) => !name.startsWith('queue/') && name !== 'challenges')
      t.strictSame(left, [], `${what}: nothing is left`)
    },
  )
  t.ok(crashes > 15, `${crashes} crashes`)
})

void t.test(
  'an approval cut off at any line is completed by the claim’s task, by approving again, or by whoever asks how it stands',
  async (t) => {
    for (const completedBy of ['task', 'approving again', 'status'] as const) {
      const crashes = await atEveryCommit(
        t,
        async (w) => {
          await claim(w, 'robot')
          w.clock.advance(HOUR)
        },
        (w) => w.claims.approve(ADDRESS, 'ana@example.org'),
        async (w, _engine, crash) => {
          const what = `${crash}, ${completedBy}`
          const approvedBefore = (await w.claims.list()).length === 0
          if (completedBy === 'status') {
            const [mailbox] = await listMailboxes(w.store)
            const { status } = await w.claims.status(mailbox?.id ?? '')
            const usable = (await listMailboxes(w.store))[0]?.status
            t.equal(status, usable, `${what}: who is told "claimed" can use the mailbox`)
            t.equal(status, approvedBefore ? 'claimed' : 'pending', what)
            if (!approvedBefore) await w.claims.approve(ADDRESS, 'ana@example.org')
          } else if (completedBy === 'task') {
            w.clock.advance(MINUTE)
            await runClaimTasks(w)
            if (!approvedBefore) await w.claims.approve(ADDRESS, 'ana@example.org')
          } else {
            await w.claims.approve(ADDRESS, 'ana@example.org')
          }
          const [mailbox, ...others] = await listMailboxes(w.store)
          const account = await w.accounts.ensure('ana@example.org')
          t.match(mailbox, { status: 'claimed', accountId: account.id }, what)
          t.strictSame(others, [], what)
          t.strictSame(await w.accounts.mailboxes(account.id), [mailbox?.id], what)
          t.strictSame(await w.claims.list(), [], what)
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
      t.ok(crashes > 8, `${crashes} crashes`)
    }
  },
)

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
      w.clock.advance(HOUR)
      await runClaimTasks(w)
      const left = (await engine.holding()).filter((name) => !name.startsWith('queue/') && name !== 'challenges')
      t.strictSame(left, [], `${what}: nothing is left`)
    },
  )
  t.ok(crashes > 8, `${crashes} crashes`)
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
  t.ok(crashes > 12, `${crashes} crashes`)
})

void t.test(
  'a decision cut off at any line is what the status and every other call say, also past its day',
  async (t) => {
    const deciders = {
      claimed: (w: World) => w.claims.approve(ADDRESS, 'ana@example.org'),
      declined: (w: World) => w.claims.decline({ address: ADDRESS }),
    }
    for (const [decision, decide] of Object.entries(deciders)) {
      let key = ''
      let claimId = ''
      for (const isLate of [false, true]) {
        const crashes = await atEveryCommit(
          t,
          async (w) => {
            key = (await claim(w, 'robot')).api_key
            claimId = (await listMailboxes(w.store))[0]?.claimId ?? ''
          },
          decide,
          async (w, _engine, crash) => {
            const decided = (await readClaim(w.store, claimId))?.state === decision
            if (isLate) w.clock.advance(DAY)
            const what = `${decision}, ${crash}${isLate ? ', past its day' : ''}`
            const wanted = decided && !(isLate && decision === 'declined') ? decision : isLate ? 'expired' : 'pending'
            // Whatever asks first.
            const caller = await w.accounts.authenticate(key)
            t.equal(caller?.mailboxStatus, wanted, `${what}: other calls`)
            const { status } = await w.claims.status(caller?.mailboxId ?? '')
            t.equal(status, wanted, `${what}: the status`)
            t.equal(caller?.account?.owner, wanted === 'claimed' ? 'ana@example.org' : undefined, what)
          },
        )
        t.ok(crashes > 4, `${crashes} crashes`)
      }
    }
  },
)
