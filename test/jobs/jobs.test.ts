import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { withSweeps, type SweptDeps } from './swept.js'
import { ownAll } from '../../src/cluster/alone.js'
import { CHALLENGES, issueChallenge, spendChallenge } from '../../src/lifecycle/claims/challenge.js'
import { startIndexing } from '../../src/jobs/indexing.js'
import { startJobs, type JobsDeps } from '../../src/jobs/jobs.js'
import { DAY, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { eventReader } from '../../src/mailbox/events.js'
import { claimMailbox, createMailbox } from '../../src/mailbox/record.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import { prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { tasksIn } from '../support/store/tasks.js'

/** What happened, so that a test can wait for it. */
class Diary extends EventEmitter {
  readonly entries: string[] = []
  add(entry: string): void {
    this.entries.push(entry)
    this.emit('entry', entry)
  }
  async until(entry: string, times = 1): Promise<void> {
    while (this.entries.filter((one) => one === entry).length < times) await once(this, 'entry')
  }
}

const NOTHING_SCHEDULED = {
  runScheduled: async () => 'done' as const,
}

interface Setting {
  deps: SweptDeps
  diary: Diary
  clock: ManualClock
  store: Store
}

async function setting(t: Test, changes: Partial<SweptDeps> = {}): Promise<Setting> {
  const store = createStore(memoryEngine({ conflicts: 0.05 }))
  // From now on, since files have the times of the machine.
  const clock = new ManualClock(Date.now())
  const diary = new Diary()
  const deps: SweptDeps = {
    store,
    shards: ownAll(),
    clock,
    blobs: await openBlobs({ dir: join(t.testdir(), 'blobs'), clock }),
    queue: createWorkQueue({ store, clock }),
    mailboxes: { outbound: { ...NOTHING_SCHEDULED, runCheck: async () => undefined } },
    claims: { expire: async () => ({ done: true }) },
    mailSignIn: { run: async () => ({ done: true }) },
    indexer: { indexMailbox: async (id) => diary.add(`indexed ${id}`), mergeIndex: async () => undefined },
    receipts: { sweep: async () => 0 },
    log: {
      info: (fields) => ('sweep' in fields ? diary.add(`swept ${fields.sweep}`) : undefined),
      warn: (_fields, message) => diary.add(message),
      error: (_fields, message) => diary.add(message),
    },
    retention: { eventsMs: 30 * DAY },
    ...changes,
  }
  return { deps, diary, clock, store }
}

function start(t: Test, { deps, store }: Setting) {
  const jobs = startJobs(withSweeps(deps))
  t.teardown(async () => {
    await jobs.stop()
    await store.close()
  })
  return jobs
}

const pending = (id: string, now: number) => ({
  id,
  address: `${id}@agents.example`,
  agentName: null,
  claimId: 'clm_1',
  status: 'pending' as const,
  accountId: null,
  now,
})

void t.test('an accepted message is checked once', async (t) => {
  const diary = new Diary()
  const s = await setting(t, {
    mailboxes: {
      outbound: {
        ...NOTHING_SCHEDULED,
        async runCheck(mailboxId, messageId) {
          diary.add(`${mailboxId} ${messageId}`)
        },
      },
    },
  })
  await s.deps.queue.enqueue('check', {
    id: 'msg_1',
    payload: { mailbox_id: 'mbx_1', message_id: 'msg_1' },
    due: s.clock.now(),
  })
  const jobs = start(t, s)
  await diary.until('mbx_1 msg_1')
  await jobs.stop()
  t.strictSame(await tasksIn(s.deps.queue, 'check', 10), [])
  t.strictSame(diary.entries, ['mbx_1 msg_1'])
})

void t.test('a claim’s task is looked at when the claim says so, until it is done', async (t) => {
  const expired = new Diary()
  const s = await setting(t)
  const begun = s.clock.now()
  s.deps.claims = {
    async expire(id) {
      expired.add(id)
      return s.clock.now() < begun + DAY ? { done: false, retryAt: begun + DAY } : { done: true }
    },
  }
  await s.deps.queue.enqueue('claim', { id: 'clm_1', payload: { claim_id: 'clm_1' }, due: begun })
  start(t, s)
  await expired.until('clm_1')
  while ((await tasksIn(s.deps.queue, 'claim', 1)).some(({ leased }) => leased)) await turn()
  t.match(await tasksIn(s.deps.queue, 'claim', 1), [{ due: begun + DAY }])
  s.clock.advance(DAY)
  s.deps.queue.poke()
  await expired.until('clm_1', 2)
  while ((await tasksIn(s.deps.queue, 'claim', 1)).length > 0) await turn()
})

void t.test('a task that fails is logged and stays', async (t) => {
  const s = await setting(t, {
    mailboxes: {
      outbound: {
        ...NOTHING_SCHEDULED,
        async runCheck() {
          throw new Error('broken')
        },
      },
    },
  })
  await s.deps.queue.enqueue('check', {
    id: 'msg_1',
    payload: { mailbox_id: 'mbx_1', message_id: 'msg_1' },
    due: s.clock.now(),
  })
  const jobs = start(t, s)
  await s.diary.until('task failed; it is tried again')
  await jobs.stop()
  t.equal((await tasksIn(s.deps.queue, 'check', 10)).length, 1)
})

void t.test('every mailbox is indexed at the start, and again after it changed', async (t) => {
  const s = await setting(t)
  for (const id of ['mbx_1', 'mbx_2']) await createMailbox(s.store, pending(id, s.clock.now()))
  start(t, s)
  await s.diary.until('indexed mbx_1')
  await s.diary.until('indexed mbx_2')
  await s.store.write('mailbox/mbx_2', (tx) => claimMailbox(tx, 'acc_1', s.clock.now()))
  await s.diary.until('indexed mbx_2', 2)
  t.equal(s.diary.entries.filter((entry) => entry === 'indexed mbx_1').length, 1)
})

void t.test('many changes of a mailbox are indexed together, and never twice at once', async (t) => {
  const s = await setting(t)
  const diary = new Diary()
  let open: (() => void) | undefined
  let busy = 0
  const indexing = startIndexing({
    store: s.store,
    shards: ownAll(),
    concurrency: 2,
    quietMs: 1,
    onError: () => undefined,
    indexer: {
      async indexMailbox(id) {
        t.equal(++busy, 1)
        diary.add(id)
        await new Promise<void>((resolve) => (open = resolve))
        busy--
      },
      mergeIndex: async () => undefined,
    },
  })
  await createMailbox(s.store, pending('mbx_1', s.clock.now()))
  await diary.until('mbx_1')
  for (let i = 0; i < 5; i++)
    await s.store.write('mailbox/mbx_1', (tx) => tx.put(new Uint8Array([1]), new Uint8Array([i])))
  open?.()
  await diary.until('mbx_1', 2)
  open?.()
  await indexing.stop()
  t.equal(diary.entries.length, 2)
  await s.store.close()
})

void t.test('stopping waits for what is at work', async (t) => {
  const diary = new Diary()
  let finish: (() => void) | undefined
  const s = await setting(t, {
    mailboxes: {
      outbound: {
        ...NOTHING_SCHEDULED,
        async runCheck() {
          diary.add('begun')
          await new Promise<void>((resolve) => (finish = resolve))
          diary.add('ended')
        },
      },
    },
  })
  await s.deps.queue.enqueue('check', {
    id: 'msg_1',
    payload: { mailbox_id: 'mbx_1', message_id: 'msg_1' },
    due: s.clock.now(),
  })
  const jobs = start(t, s)
  await diary.until('begun')
  const stopped = jobs.stop().then(() => diary.add('stopped'))
  for (let i = 0; i < 20; i++) await turn()
  finish?.()
  await stopped
  t.strictSame(diary.entries, ['begun', 'ended', 'stopped'])
})

void t.test('the sweeps drop old events, spent challenges and files that nobody names', async (t) => {
  const s = await setting(t)
  await createMailbox(s.store, pending('mbx_1', s.clock.now()))
  await s.store.write('mailbox/mbx_1', (tx) => claimMailbox(tx, 'acc_1', s.clock.now()))
  for (let i = 0; i < 3; i++)
    await s.store.write(CHALLENGES, (tx) =>
      spendChallenge(tx, issueChallenge(Buffer.alloc(32), 1, s.clock.now()).terms, s.clock.now()),
    )
  const events = async () =>
    (await eventReader(s.store)('mbx_1', { after: 0, limit: 9, waitMs: 0 }, new AbortController().signal)).data.length
  const spent = async () => (await s.store.read('challenges', (view) => view.range(prefixRange()))).length

  const file = () =>
    s.deps.blobs.get('mbx_1', 'msg_1').then(
      () => 'there',
      () => 'gone',
    )
  await s.deps.blobs.put('mbx_1', 'msg_1', Buffer.from('of no message'))

  const jobs = start(t, s)
  await jobs.sweep()
  t.equal(await events(), 1)
  t.equal(await spent(), 3)
  t.equal(await file(), 'there', 'its message may still be stored')
  s.clock.advance(10 * MINUTE + 1)
  await jobs.sweep()
  t.equal(await events(), 1)
  t.equal(await spent(), 0)
  s.clock.advance(30 * DAY)
  await jobs.sweep()
  t.equal(await events(), 0)
  t.equal(await file(), 'gone')
  for (const sweep of ['mailboxes', 'challenges', 'blobs', 'index'])
    t.ok(s.diary.entries.includes(`swept ${sweep}`), sweep)
})

void t.test('a sweep that fails is logged, and the others run', async (t) => {
  const s = await setting(t)
  s.deps.blobs = {
    ...s.deps.blobs,
    sweep: async () => {
      throw new Error('disk')
    },
  }
  await start(t, s).sweep()
  t.ok(s.diary.entries.includes('a sweep failed; the next run continues'))
  t.ok(s.diary.entries.includes('swept challenges'))
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

void t.test('a scheduled message is handed on when its time comes', async (t) => {
  const mailboxes: JobsDeps['mailboxes'] = {
    outbound: {
      runCheck: async () => undefined,
      async runScheduled(mailboxId, messageId) {
        diary.add(`${mailboxId} ${messageId}`)
        if (messageId === 'msg_2') return 'done'
        return times++ === 0 ? { retryAt: clock.now() + DAY } : 'done'
      },
    },
  }
  let times = 0
  const { deps, diary, clock, store } = await setting(t, { mailboxes })
  t.teardown(() => store.close())
  const task = { mailbox_id: 'mbx_1', message_id: 'msg_1' }
  await deps.queue.enqueue('scheduled', { id: 'msg_1', payload: task, due: clock.now() + DAY, lane: 'mbx_1' })
  const other = { ...task, message_id: 'msg_2' }
  await deps.queue.enqueue('scheduled', { id: 'msg_2', payload: other, due: clock.now(), lane: 'mbx_1' })
  const jobs = startJobs(withSweeps(deps))
  await diary.until('mbx_1 msg_2')
  t.notOk(diary.entries.includes('mbx_1 msg_1'), 'not before')
  for (let time = 1; time <= 2; time++) {
    clock.advance(DAY)
    deps.queue.poke()
    await diary.until('mbx_1 msg_1', time)
  }
  await jobs.stop()
  t.equal(await deps.queue.get('scheduled', 'msg_1'), undefined)
})
