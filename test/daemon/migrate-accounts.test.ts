/** A store as version 5 left it: mailboxes with counts of their own, which their account had added up in part. */
import t from 'tap'
import type { Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import { readDays } from '../../src/accounts/counting.js'
import { dayOf, NO_OUTCOMES } from '../../src/accounts/outcomes.js'
import type { OutcomeCounts } from '../../src/accounts/outcomes.js'
import { accountPartition } from '../../src/accounts/record.js'
import { countByAccount } from '../../src/daemon/migrate-accounts.js'
import { DAY } from '../../src/lib/clock.js'
import { mailboxPartition } from '../../src/mailbox/keys.js'
import { encode, key, keyParts, prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { makeWorld, USAGE_LIMITS } from '../mailbox/world.js'
import type { World } from '../mailbox/world.js'
import { memoryEngine } from '../support/memory-engine.js'
import { mortal } from '../support/mortal-engine.js'

const countsOf = (day: number, counts: Partial<OutcomeCounts>) => ({ day, ...NO_OUTCOMES, ...counts })

async function migrate(store: Store): Promise<void> {
  let cursor: string | undefined = ''
  while (cursor !== undefined) cursor = await countByAccount(store, cursor)
}

/** Families of rows that a partition has. */
async function families(store: Store, partition: string): Promise<string[]> {
  const rows = await store.read(partition, (view) => view.range({ ...prefixRange(), limit: 1000 }))
  return [...new Set(rows.map(([row]) => String(keyParts(row)[0])))]
}

/** Yesterday the account counted all of it, today a part, and of the second mailbox nothing; a third one is gone. */
async function fill(world: World): Promise<void> {
  const { store, account, clock } = world
  const today = dayOf(clock)
  const second = await world.addMailbox('second')
  await store.write(mailboxPartition(world.id), (tx) =>
    tx.put(
      key('outcomes'),
      encode([countsOf(today - 1, { sent: 5, delivered: 5 }), countsOf(today, { sent: 4, delivered: 3, blocks: 2 })]),
    ),
  )
  await store.write(mailboxPartition(second), (tx) => tx.put(key('outcomes'), encode([countsOf(today, { blocks: 1 })])))
  await store.write(accountPartition(account.id), (tx) => {
    tx.put(key('account'), encode(account))
    tx.put(key('outcomes', today - 1), encode({ ...NO_OUTCOMES, sent: 5, delivered: 5 }))
    tx.put(key('outcomes', today), encode({ ...NO_OUTCOMES, sent: 11, delivered: 10 }))
    tx.put(
      key('counted', world.id),
      encode([countsOf(today - 1, { sent: 5, delivered: 5 }), countsOf(today, { sent: 1, delivered: 1 })]),
    )
    tx.put(key('counted', 'mbx_gone'), encode([countsOf(today, { sent: 10, delivered: 9 })]))
  })
}

async function check(t: Test, world: World): Promise<void> {
  const { store, account, clock } = world
  const today = dayOf(clock)
  t.same(await store.read(accountPartition(account.id), readDays), [
    countsOf(today - 1, { sent: 5, delivered: 5 }),
    countsOf(today, { sent: 14, delivered: 12, blocks: 3 }),
  ])
  t.notOk((await families(store, accountPartition(account.id))).includes('counted'))
  t.notOk((await families(store, mailboxPartition(world.id))).includes('outcomes'))
}

void t.test('what a crash at any commit leaves is counted once in the end', async (t) => {
  for (let at = 1; ; at++) {
    for (const moment of ['before', 'after'] as const) {
      const engine = memoryEngine({ lateness: 0, conflicts: 0 })
      const dying = mortal(engine, at, moment)
      const first = await makeWorld(t, createStore(dying.engine))
      await fill(first)
      dying.arm()
      await migrate(first.store).catch((error: unknown) => {
        if (!dying.died()) throw error
      })
      const world = await makeWorld(t, createStore(engine), first)
      if (dying.died()) await migrate(world.store)
      await check(t, world)
      if (!dying.died()) {
        t.equal(at, 4, 'one commit for each mailbox, one for the account')
        const { usage } = createAccounts({ ...world, limits: USAGE_LIMITS, mailbox: async () => undefined })
        world.clock.advance(DAY)
        t.match((await usage(world.account.id)).outcomes.last_7_days, { sent: 19, blocks: 3 })
        return
      }
    }
  }
})
