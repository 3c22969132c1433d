import t, { type Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import { NO_OUTCOMES, type DayCounts, type OutcomeCounts } from '../../src/accounts/outcomes.js'
import { accountPartition } from '../../src/accounts/record.js'
import {
  DEFAULT_LINES,
  judge,
  MAX_LEVEL,
  NEW_TRUST,
  progressOf,
  suspensionCause,
  type LevelChange,
} from '../../src/accounts/trust.js'
import { DAY, HOUR, ManualClock } from '../../src/lib/clock.js'
import { encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Engine } from '../../src/store/engine.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import type { Task, TaskOutcome, WorkQueue } from '../../src/queue/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { mortal } from '../support/store/mortal-engine.js'
import { reaching } from '../support/recipients.js'
import { tasksIn } from '../support/store/tasks.js'

const TODAY = 1000

/** Days before today with what happened on them. */
const days = (outcomes: Record<number, Partial<OutcomeCounts>>): DayCounts[] =>
  Object.entries(outcomes)
    .map(([ago, counts]) => ({ day: TODAY - Number(ago), ...NO_OUTCOMES, ...counts }))
    .sort((a, b) => a.day - b.day)

/** So many active days up to today, with as much on each. */
const active = (
  count: number,
  each: Partial<OutcomeCounts> = { sent: 10, delivered: 10 },
): Record<number, Partial<OutcomeCounts>> => Object.fromEntries(Array.from({ length: count }, (_, ago) => [ago, each]))

const rows: {
  what: string
  days: Record<number, Partial<OutcomeCounts>>
  level?: number
  changed?: number
  pinned?: boolean
  spent?: Partial<OutcomeCounts> & { ago: number }
  moves: 'up' | 'down' | 'stays'
}[] = [
  { what: 'seven active days with 50 delivered and nothing against it', days: active(7), moves: 'up' },
  { what: 'six active days', days: active(6, { sent: 50, delivered: 50 }), moves: 'stays' },
  { what: '49 delivered', days: active(7, { sent: 7, delivered: 7 }), moves: 'stays' },
  { what: 'active days that are 30 days ago', days: { ...active(6), 30: { sent: 60, delivered: 60 } }, moves: 'stays' },
  { what: 'active days within 30 days', days: { ...active(6), 29: { sent: 60, delivered: 60 } }, moves: 'up' },
  { what: 'bounces of 2 %', days: active(7, { sent: 50, delivered: 49, bounced: 1 }), moves: 'stays' },
  { what: 'bounces under 2 %', days: active(7, { sent: 51, delivered: 50, bounced: 1 }), moves: 'up' },
  { what: 'a complaint 29 days ago', days: { ...active(7), 29: { complaints: 1 } }, moves: 'stays' },
  { what: 'a complaint 30 days ago', days: { ...active(7), 30: { complaints: 1 } }, moves: 'up' },
  { what: 'a block 29 days ago', days: { ...active(7), 29: { blocks: 1 } }, moves: 'stays' },
  { what: 'the highest level', days: active(30), level: MAX_LEVEL, moves: 'stays' },
  { what: 'a second level on the same day', days: active(30), changed: 0, moves: 'stays' },
  { what: 'days from before the last change', days: active(30), changed: 7, moves: 'up' },
  { what: 'six days since the last change', days: active(30), changed: 6, moves: 'stays' },
  { what: 'a level that is pinned', days: { ...active(30), 0: { complaints: 9 } }, pinned: true, moves: 'stays' },
  { what: 'a complaint', days: { 0: { complaints: 1 } }, moves: 'down' },
  { what: 'a block', days: { 0: { blocks: 1 } }, moves: 'down' },
  { what: 'a complaint on level 0', days: { 0: { complaints: 1 } }, level: 0, moves: 'stays' },
  { what: 'bounces over 5 %', days: active(3, { sent: 100, delivered: 94, bounced: 6 }), moves: 'down' },
  { what: 'bounces of 5 %', days: active(3, { sent: 100, delivered: 95, bounced: 5 }), moves: 'stays' },
  { what: 'one bounce of three', days: { 0: { sent: 3, delivered: 2, bounced: 1 } }, moves: 'stays' },
  {
    what: 'a complaint that lowered it already',
    days: { 1: { complaints: 1 } },
    changed: 1,
    spent: { ago: 1, complaints: 1 },
    moves: 'stays',
  },
  {
    what: 'a second complaint of the same day',
    days: { 1: { complaints: 2 } },
    changed: 1,
    spent: { ago: 1, complaints: 1 },
    moves: 'down',
  },
  {
    what: 'a complaint after the one that lowered it',
    days: { 0: { complaints: 1 }, 1: { complaints: 1 } },
    changed: 1,
    spent: { ago: 1, complaints: 1 },
    moves: 'down',
  },
  {
    what: 'a second complaint on the day of the change',
    days: { 0: { complaints: 2 } },
    changed: 0,
    spent: { ago: 0, complaints: 1 },
    moves: 'stays',
  },
  {
    what: 'bounces that lowered it already',
    days: { 1: { sent: 100, bounced: 50 }, 0: { sent: 20, delivered: 20 } },
    changed: 1,
    spent: { ago: 1, sent: 100, bounced: 50 },
    moves: 'stays',
  },
  {
    what: 'more bounces on the days after',
    days: { 1: { sent: 100, bounced: 50 }, 0: { sent: 20, bounced: 2 } },
    changed: 1,
    spent: { ago: 1, sent: 100, bounced: 50 },
    moves: 'down',
  },
  { what: 'a complaint of eight days ago', days: { 8: { complaints: 1 } }, moves: 'stays' },
]

for (const { what, moves, level = 2, ...row } of rows) {
  void t.test(`${what}: the level ${moves === 'stays' ? 'stays' : `goes ${moves}`}`, (t) => {
    const spent = row.spent ? { day: TODAY - row.spent.ago, ...NO_OUTCOMES, ...row.spent } : null
    const state = { ...NEW_TRUST, pinned: row.pinned ?? false, spent }
    const changedOn = row.changed === undefined ? null : TODAY - row.changed
    const judgement = judge({ level, state, changedOn }, days(row.days), TODAY, DEFAULT_LINES)
    t.equal(judgement.kind, moves)
    if (judgement.kind !== 'stays') t.equal(judgement.to, level + (moves === 'up' ? 1 : -1))
    t.end()
  })
}

void t.test('an account is suspended past a line only, and of enough recipients', (t) => {
  for (const [counts, isOver] of [
    [{ sent: 100, bounced: 10 }, false],
    [{ sent: 100, bounced: 11 }, true],
    [{ sent: 99, bounced: 99, complaints: 99 }, false],
    [{ sent: 1000, complaints: 3 }, false],
    [{ sent: 1000, complaints: 4 }, true],
    [{ sent: 333, complaints: 1 }, true],
    [{ sent: 334, complaints: 1 }, false],
  ] as const) {
    const cause = suspensionCause(days({ 6: counts }), null, TODAY, DEFAULT_LINES)
    t.equal(cause !== undefined, isOver, JSON.stringify(counts))
    t.equal(suspensionCause(days({ 7: counts }), null, TODAY, DEFAULT_LINES), undefined, 'a week later it is forgotten')
  }
  t.match(
    suspensionCause(days({ 0: { sent: 120, bounced: 15, complaints: 1 } }), null, TODAY, DEFAULT_LINES),
    '15 of 120 recipients within 7 days do not exist: 12.5 %, and the limit is 10 %. 1 of 120 recipients within 7 days complained: 0.83 %, and the limit is 0.3 %.',
  )
  const before = { day: TODAY, ...NO_OUTCOMES, sent: 120, bounced: 15 }
  t.equal(suspensionCause(days({ 0: { sent: 130, bounced: 20 } }), before, TODAY, DEFAULT_LINES), undefined)
  t.ok(suspensionCause(days({ 0: { sent: 220, bounced: 26 } }), before, TODAY, DEFAULT_LINES), 'what came after counts')
  t.equal(suspensionCause(days({ 1: { sent: 900, bounced: 800 } }), before, TODAY, DEFAULT_LINES), undefined)
  t.end()
})

void t.test('what was taken back after its day shows nowhere as less than nothing', (t) => {
  const progress = progressOf(days({ 0: { delivered: -3 }, 1: { sent: 2, delivered: 2 } }), null, TODAY)
  t.match(progress, { active_days: 1, delivered: 0, bounce_percent: 0 })
  t.end()
})

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1,
  requestsPerMinute: 1,
  recipientsPerMessage: 50,
  messageBytes: 1,
  attachmentsPerMessage: 1,
  longPollSeconds: 1,
}

async function setting(
  t: Test,
  engine: Engine = memoryEngine({ conflicts: 0.3 }),
  clock = new ManualClock(Date.UTC(2026, 0, 1, 12)),
) {
  const store = createStore(engine)
  t.teardown(() => store.close())
  const changes: LevelChange[] = []
  const queue = createWorkQueue({ store, clock })
  const accounts = createAccounts({
    store,
    clock,
    limits: LIMITS,
    mailbox: async () => undefined,
    queue,
    onLevel: (_account, change) => changes.push(change),
  })
  const { id } = await accounts.ensure('ada@example.com')
  /** As the transaction of what it counts does it, once for each `what`; then the account is judged, and suspended where that follows. */
  const count = async (counts: Partial<OutcomeCounts>, what?: string, of = id): Promise<void> => {
    await store.write(['mailbox/mbx_1', accountPartition(of)], async (tx) => {
      if (what !== undefined && (await tx.get(key(what)))) return
      if (what !== undefined) tx.put(key(what), encode(1))
      await accounts.countWithin(tx, of, { ...NO_OUTCOMES, ...counts })
    })
    await accounts.trust(of)
  }
  return { store, clock, queue, accounts, changes, id, count }
}

void t.test('a week of good mail earns a level, a complaint costs one, and both days count anew', async (t) => {
  const { accounts, clock, changes, id, count } = await setting(t)
  for (let day = 1; day <= 7; day++) {
    t.equal((await accounts.get(id))?.trust, 0)
    t.match((await accounts.usage(id)).next_level, {
      level: 1,
      progress: { active_days: day - 1 },
      needs: { active_days: 7 },
    })
    await count({ sent: 10, delivered: 10 })
    if (day < 7) clock.advance(DAY)
  }
  t.match(changes, [
    {
      from: 0,
      to: 1,
      by: 'service',
      why: '7 active days with 70 delivered and 0 % bounced, no complaint and no block in 30 days',
    },
  ])
  t.match(await accounts.usage(id), {
    trust_level: 1,
    new_recipients: { limit: 50 },
    outcomes: { last_7_days: { sent: 70, delivered: 70, active_days: 7 }, last_30_days: { sent: 70 } },
    trust: { is_pinned: false, last_change: { from: 0, to: 1, by: 'service' } },
    next_level: { level: 2, progress: { active_days: 0, delivered: 0 } },
  })

  clock.advance(DAY)
  await count({ sent: 1, delivered: 1, complaints: 1 })
  t.match(changes[1], { from: 1, to: 0, why: '1 recipient complained within 7 days' })
  clock.advance(DAY)
  await count({ sent: 1, delivered: 1 })
  t.equal(changes.length, 2, 'the same complaint lowers nothing more')
  t.match(await accounts.usage(id), {
    complaints: { last_30_days: 1 },
    next_level: { progress: { active_days: 1, complaints: 1 } },
  })
})

void t.test('what is counted adds up by the day, and nothing is counted of an account that is gone', async (t) => {
  const { store, accounts, id, count } = await setting(t)
  await count({ sent: 3, delivered: 3 })
  await count({ sent: 2, bounced: 1 })
  t.match((await accounts.usage(id)).outcomes.last_7_days, { sent: 5, delivered: 3, bounced: 1 })
  await count({ delivered: -1, bounced: 1 })
  t.match((await accounts.usage(id)).outcomes.last_7_days, { sent: 5, delivered: 2, bounced: 2 })
  const gone = 'acc_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'
  await store.write(accountPartition(gone), (tx) => accounts.countWithin(tx, gone, { ...NO_OUTCOMES, sent: 1 }))
  t.equal(await store.version(accountPartition(gone)), 0n)
})

void t.test('good news are judged with every tenth recipient of a day, bad ones at once', async (t) => {
  const { store, accounts, id, clock } = await setting(t)
  const add = (counts: Partial<OutcomeCounts>): Promise<void> =>
    store.write(accountPartition(id), (tx) => accounts.countWithin(tx, id, { ...NO_OUTCOMES, ...counts }))
  for (let day = 1; day < 7; day++) {
    await add({ sent: 10, delivered: 10 })
    clock.advance(DAY)
  }
  await add({ sent: 1, delivered: 1 })
  t.equal((await accounts.get(id))?.trust, 1, 'with the first of the seventh day')
  clock.advance(DAY)
  await add({ sent: 1, delivered: 1 })
  await add({ complaints: 1 })
  t.equal((await accounts.get(id))?.trust, 0)
  await accounts.setTrust(id, { level: 2, pinned: true })
  clock.advance(DAY)
  await add({ sent: 1, delivered: 1, complaints: 1 })
  await accounts.setTrust(id, { pinned: false })
  for (let sent = 2; sent < 10; sent++) await add({ sent: 1, delivered: 1 })
  t.equal((await accounts.get(id))?.trust, 2)
  await add({ sent: 1, delivered: 1 })
  t.equal((await accounts.get(id))?.trust, 1)
})

void t.test(
  'past a line an account is suspended with the numbers, and what was before suspends it no more after it is reinstated',
  async (t) => {
    const { store, accounts, queue, clock, id, count } = await setting(t)
    await count({ sent: 99, delivered: 70, bounced: 29 })
    t.equal((await accounts.get(id))?.status, 'active')
    await count({ sent: 1, delivered: 1 })
    const account = await accounts.get(id)
    t.match(account, {
      status: 'suspended',
      suspension: {
        by: 'service',
        reason: '29 of 100 recipients within 7 days do not exist: 29 %, and the limit is 10 %.',
      },
    })
    t.match(await accounts.usage(id), {
      suspension_lines: { recipients: 100, bounce_percent: 29, max_bounce_percent: 10 },
    })
    t.equal((await tasksIn(queue, 'standing', 10)).length, 1, 'its mail is held and its owner told')
    await t.rejects(reaching({ store, clock, accounts })(id, 'msg_1', ['bob@example.org'], []), {
      code: 'account_suspended',
      message: /29 of 100 recipients/,
      hint: /operator of this server/,
    })

    clock.advance(HOUR)
    await accounts.reinstate(id)
    await count({ sent: 50, delivered: 39, bounced: 11 })
    t.equal((await accounts.get(id))?.status, 'active')
    await count({ sent: 50, delivered: 50 })
    t.match(await accounts.get(id), { status: 'suspended', suspension: { reason: /^11 of 100 / } })
  },
)

void t.test("the operator's own account is never suspended by itself", async (t) => {
  const { accounts, count } = await setting(t)
  const { id } = await accounts.ensure(null)
  await count({ sent: 1000, bounced: 1000 }, 'all', id)
  t.match(await accounts.get(id), { status: 'active' })
  t.match((await accounts.trust(id)).days, [{ sent: 1000 }])
})

void t.test('the operator sets a level and pins it', async (t) => {
  const { accounts, clock, id, count } = await setting(t)
  await count({ complaints: 1 })
  await accounts.setTrust(id, { level: 3 })
  clock.advance(DAY)
  await count({ sent: 1, delivered: 1 })
  t.equal((await accounts.get(id))?.trust, 3, 'what was known when it was set lowers nothing')
  await accounts.setTrust(id, { pinned: true })
  await count({ sent: 1, delivered: 1, complaints: 2 })
  t.match(await accounts.usage(id), {
    trust_level: 3,
    trust: { is_pinned: true, last_change: { by: 'operator', from: 0, to: 3 } },
  })
  await accounts.setTrust(id, { pinned: false })
  await count({ sent: 1, delivered: 1 })
  t.equal((await accounts.get(id))?.trust, 2)
  await t.rejects(accounts.setTrust(id, { level: 7 }), { code: 'invalid_request' })
  await t.rejects(accounts.setTrust('acc_none', { level: 1 }), { code: 'not_found' })
})

void t.test('a crash at any commit neither loses an outcome nor doubles one, and suspends all the same', async (t) => {
  for (let at = 1; ; at++) {
    for (const moment of ['before', 'after'] as const) {
      const engine = memoryEngine({ conflicts: 0 })
      const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
      const dying = mortal(engine, at, moment)
      const first = await setting(t, dying.engine, clock)
      dying.arm()
      await first.count({ sent: 120, delivered: 100, bounced: 20 }, 'message').catch((error: unknown) => {
        if (!dying.died()) throw error
      })
      if (!dying.died()) {
        t.equal(at, 2, 'one commit counts, suspends and queues what follows')
        return
      }
      const next = await setting(t, { ...engine, close: async () => undefined }, clock)
      await next.count({ sent: 120, delivered: 100, bounced: 20 }, 'message')
      t.match((await next.accounts.usage(first.id)).outcomes.last_7_days, { sent: 120, delivered: 100, bounced: 20 })
      t.match(await next.accounts.get(first.id), { status: 'suspended' }, `${moment} commit ${at}`)
      t.match(await nextTask(next.queue), { account_id: first.id }, 'and is told of')
    }
  }
})

async function nextTask(queue: WorkQueue): Promise<unknown> {
  let resolve: (payload: unknown) => void = () => undefined
  const promise = new Promise<unknown>((passed) => (resolve = passed))
  const take = async ({ payload }: Task<unknown>): Promise<TaskOutcome<unknown>> => {
    resolve(payload)
    return { done: true }
  }
  const worker = queue.run('standing', take, { concurrency: 1, onError: t.error })
  const payload = await promise
  await worker.stop()
  return payload
}

void t.test('counts are kept for as long as they are looked back on', async (t) => {
  const { accounts, clock, id, count } = await setting(t)
  for (let day = 0; day < 60; day++) {
    await count({ sent: 1, delivered: 1 })
    clock.advance(DAY)
  }
  const kept = (await accounts.trust(id)).days.length
  t.ok(kept >= 30 && kept <= 42, String(kept))
})
