/** A store as version 5 left it: counts of mailboxes that their account had added up in part, rows about recipients, a decision that was not counted. */
import t, { type Test } from 'tap'
import { readDays } from '../../../src/accounts/outcome-counting.js'
import { dayOf, NO_OUTCOMES, type OutcomeCounts } from '../../../src/accounts/outcomes.js'
import { accountPartition } from '../../../src/accounts/record.js'
import { countInPlace } from '../../../src/daemon/upgrade/migrate-accounts.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import type { MessageState } from '../../../src/mailbox/message.js'
import { readState, saveMessage } from '../../../src/mailbox/message-rows.js'
import { logKey, REVIEW_PARTITION, untoldKey } from '../../../src/mailbox/review/rows.js'
import { encode, key, keyParts, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { BY, HELD_BY_GUARD, reviewIn } from '../../mailbox/review/world.js'
import { makeWorld, present, SEND, type World } from '../../mailbox/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'

const OLD_FAMILIES = ['counted', 'reserved', 'reserved-on', 'review-counted', 'review-counted-on']

const countsOf = (day: number, counts: Partial<OutcomeCounts>) => ({ day, ...NO_OUTCOMES, ...counts })

/** @param reached where the steps that were finished have come; the step that was cut off is done again */
async function migrate(store: Store, reached = { cursor: '' }): Promise<void> {
  for (;;) {
    const next = await countInPlace(store, reached.cursor)
    if (next === undefined) return
    reached.cursor = next
  }
}

/** Families of rows that a partition has. */
async function families(store: Store, partition: string): Promise<Set<string>> {
  const rows = await store.read(partition, (view) => view.range({ ...prefixRange(), limit: 1000 }))
  return new Set(rows.map(([row]) => String(keyParts(row)[0])))
}

const stateOf = async ({ store, id }: World, messageId: string): Promise<MessageState> =>
  present(await store.read(mailboxPartition(id), (view) => readState(view, messageId)))

const to = (name: string) => ({ to: [{ address: `${name}@example.org`, name: '' }] })

interface Old {
  /** Messages that wait, as they have to be in the end. */
  waiting: MessageState[]
  /** One that is on its way. */
  leaving: MessageState
}

async function fill(world: World): Promise<Old> {
  const { store, account, clock } = world
  const of = accountPartition(account.id)
  const today = dayOf(clock)
  const second = await world.addMailbox('second')
  const queued = await stateOf(world, (await world.send(to('queued'))).id)
  const { id: sending } = await world.send(to('leaving'))
  await world.mailboxes.outbound.startSending(world.id, sending)
  world.guard.verdict = HELD_BY_GUARD
  const held = await stateOf(world, (await world.send(to('held'))).id)
  const { id: rejected } = await world.send(to('rejected'))
  world.guard.verdict = SEND
  const leaving = await stateOf(world, sending)

  await store.write(mailboxPartition(world.id), async (tx) => {
    for (const state of [queued, held]) {
      const { fresh: _fresh, freshCountedOn: _day, ...old } = state
      await saveMessage(tx, state, old)
    }
    // Yesterday the account counted all of it, today a part.
    const tally = [
      countsOf(today - 1, { sent: 5, delivered: 5 }),
      countsOf(today, { sent: 4, delivered: 3, blocks: 2 }),
    ]
    tx.put(key('outcomes'), encode(tally))
  })
  await store.write(mailboxPartition(second), (tx) => tx.put(key('outcomes'), encode([countsOf(today, { blocks: 1 })])))
  await store.write(of, (tx) => {
    tx.put(key('account'), encode(account))
    tx.put(key('outcomes', today - 1), encode({ ...NO_OUTCOMES, sent: 5, delivered: 5 }))
    tx.put(key('outcomes', today), encode({ ...NO_OUTCOMES, sent: 11, delivered: 10 }))
    const counted = [countsOf(today - 1, { sent: 5, delivered: 5 }), countsOf(today, { sent: 1, delivered: 1 })]
    tx.put(key('counted', world.id), encode(counted))
    tx.put(key('counted', 'mbx_gone'), encode([countsOf(today, { sent: 10, delivered: 9 })]))
    const reserve = (messageId: string, reservation: object): void => {
      tx.put(key('reserved', messageId), encode(reservation))
      tx.put(key('reserved-on', today, messageId), encode(1))
    }
    reserve(queued.id, { fresh: ['queued@example.org'] })
    reserve(leaving.id, { fresh: ['leaving@example.org'] })
    reserve(held.id, { fresh: ['held@example.org'], returned: true })
    tx.put(key('review-counted', 'msg_old'), encode({ blocks: 1, day: today }))
    tx.put(key('review-counted-on', today, 'msg_old'), encode(1))
  })
  await store.write(REVIEW_PARTITION, (tx) => {
    const log = { id: 'rev_1', messageId: rejected, mailboxId: world.id, accountId: account.id, decision: 'reject' }
    const guard = { category: 'scam', decision: 'block', codes: [] }
    const blockedAt = null
    tx.put(logKey(log.id), encode({ ...log, by: BY.by, at: clock.now(), note: null, guard, blockedAt }))
    tx.put(untoldKey(log.id), encode(1))
  })
  return { waiting: [queued, held], leaving }
}

async function check(t: Test, world: World, { waiting, leaving }: Old): Promise<void> {
  const { store, account, clock } = world
  const today = dayOf(clock)
  const counts = await store.read(accountPartition(account.id), readDays)
  t.match(
    counts.filter(({ sent }) => sent > 0),
    [countsOf(today - 1, { sent: 5, delivered: 5 }), { day: today, sent: 14, delivered: 12 }],
  )
  t.equal(
    counts.reduce((sum, { blocks }) => sum + blocks, 0),
    4,
    'three of the guard, and one of staff',
  )
  const left = await families(store, accountPartition(account.id))
  t.same(
    OLD_FAMILIES.filter((family) => left.has(family)),
    [],
  )
  t.notOk((await families(store, mailboxPartition(world.id))).has('outcomes'))
  for (const state of [...waiting, leaving]) t.same(await stateOf(world, state.id), state)
}

void t.test('a crash at any commit leaves what is counted once in the end', async (t) => {
  for (let at = 1; ; at++) {
    for (const moment of ['before', 'after'] as const) {
      const engine = memoryEngine({ lateness: 0, conflicts: 0 })
      const dying = mortal(engine, at, moment)
      const first = await makeWorld(t, createStore(dying.engine))
      const old = await fill(first)
      dying.arm()
      const reached = { cursor: '' }
      await migrate(first.store, reached).catch((error: unknown) => {
        if (!dying.died()) throw error
      })
      const world = await makeWorld(t, createStore(engine), first)
      if (dying.died()) await migrate(world.store, reached)
      await check(t, world, old)
      if (!dying.died()) {
        t.ok(at > 4, 'there were commits to die at')
        return
      }
    }
  }
})

void t.test('what waited costs and gives back what it did', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  const world = await makeWorld(t, store)
  const { waiting } = await fill(world)
  await migrate(store)
  t.same(await world.recipients.known(), ['leaving@example.org', 'queued@example.org'])
  const [queued, held] = waiting
  await world.mailboxes.sending.cancel(world.id, present(queued).id)
  t.same(await world.recipients.known(), ['leaving@example.org'])
  await reviewIn(world).reviewing.approve(present(held).id, BY)
  t.same(await world.recipients.known(), ['held@example.org', 'leaving@example.org'])
})
