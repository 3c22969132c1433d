/** Tasks in the rows that versions up to 0.1.0 wrote, in the form of this version; whatever cuts that off. */
import t, { type Test } from 'tap'
import { MIGRATIONS } from '../../../src/daemon/upgrade/migrations.js'
import { upgrade } from '../../../src/daemon/upgrade/upgrade.js'
import { HOUR, ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { HELD } from '../../../src/queue/types.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'

const NOW = Date.UTC(2026, 0, 1)
const clock = new ManualClock(NOW)
const at = NOW - HOUR

async function put(store: Store, partition: string, rows: [Uint8Array, unknown][]): Promise<void> {
  await store.write(partition, (tx) => {
    for (const [row, value] of rows) tx.put(row, encode(value))
  })
}

/** Tasks of each family, in several shards, and more than one page of them. */
async function oldRows(store: Store): Promise<number> {
  const record = { payload: { to: 'a.test' }, attempts: 0, failures: 0, queuedAt: at }
  const ofLane = { ...record, lane: 'mbx_a', priority: 2 }
  await put(store, 'meta', [
    [key('mailbox', 'mbx_1'), ''],
    [key('schema'), { version: 2, by: '0.1.0' }],
  ])
  await put(store, 'work/relay/0', [
    [key('task', NOW + HOUR, 'waits'), { ...ofLane, attempts: 3, failures: 1 }],
    [key('place', 'waits'), NOW + HOUR],
    [key('task', HELD, 'held'), ofLane],
    [key('place', 'held'), HELD],
    [key('ready', 0, 'mbx_b', at, 'ready'), { ...record, lane: 'mbx_b', priority: 0 }],
    [key('place', 'ready'), { in: 'ready', due: at, priority: 0, lane: 'mbx_b' }],
    [key('parked', 'a.test', 2, 'mbx_a', at, 'parked'), ofLane],
    [key('place', 'parked'), { in: 'parked', due: at, priority: 2, lane: 'mbx_a', room: 'a.test' }],
    [key('leased', NOW + MINUTE, 'leased'), { ...ofLane, attempts: 1, token: 'x' }],
    [key('place', 'leased'), { in: 'leased', due: NOW + MINUTE }],
    [key('count'), { waiting: 1, ready: 2, leased: 1, held: 1 }],
  ])
  await put(
    store,
    'work/relay/15',
    Array.from({ length: 1_100 }, (_, n): [Uint8Array, unknown][] => [
      [key('task', NOW + HOUR + n, `many-${n}`), record],
      [key('place', `many-${n}`), NOW + HOUR + n],
    ]).flat(),
  )
  // From before there were leases as a family of their own.
  await put(store, 'work/notice/7', [
    [key('task', NOW + MINUTE, 'old leased'), { ...record, token: 'x', attempts: 1 }],
    [key('place', 'old leased'), NOW + MINUTE],
  ])
  return 1_106
}

const upgradeOf = (store: Store): Promise<boolean> =>
  upgrade({ store, dataDir: '/data', entries: 9, version: '9.9.9', clock, log: captureLog().log })

async function check(t: Test, store: Store): Promise<void> {
  const queue = createWorkQueue({ store, clock })
  t.same(await queue.counts('relay'), { waiting: 1_101, ready: 3, leased: 0, held: 1 })
  t.same(await queue.counts('notice'), { waiting: 0, ready: 1, leased: 0, held: 0 })
  const payload = { to: 'a.test' }
  const rest = { payload, queuedAt: at, leased: false }
  t.same(await queue.get('relay', 'waits'), { ...rest, id: 'waits', due: NOW + HOUR, attempts: 3 })
  t.same(await queue.get('relay', 'held'), { ...rest, id: 'held', due: HELD, attempts: 0 })
  t.same(await queue.get('relay', 'ready'), { ...rest, id: 'ready', due: at, attempts: 0 })
  t.same(await queue.get('relay', 'parked'), { ...rest, id: 'parked', due: at, attempts: 0 })
  t.same(await queue.get('relay', 'leased'), { ...rest, id: 'leased', due: at, attempts: 1 })
  t.same(await queue.get('notice', 'old leased'), { ...rest, id: 'old leased', due: at, attempts: 1 })
  t.same(await store.partitions('work/', 9), [], 'nothing is left of the old rows')
  t.same(await store.partitions('queue/', 9), ['queue/notice/0', 'queue/relay/0'])
  const order: string[] = []
  await new Promise<void>((resolve) => {
    const worker = queue.run(
      'relay',
      async ({ id }) => {
        order.push(id)
        if (order.length === 3) setImmediate(() => void worker.stop().then(resolve))
        return { done: false, retryAt: NOW + HOUR }
      },
      { concurrency: 1, onError: (error) => t.fail(String(error)) },
    )
  })
  t.equal(order[0], 'ready', 'priorities are kept')
}

t.test('every task of the old rows is in the queue, as it was', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  await oldRows(store)
  await upgradeOf(store)
  await upgradeOf(store)
  await check(t, store)
})

t.test('a kill at any commit leaves each task in one place, and the next start goes on', async (t) => {
  t.ok(MIGRATIONS.some(({ to }) => to === 3))
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1; ; at++) {
      const engine = memoryEngine({ lateness: 0, conflicts: 0 })
      const before = createStore(engine)
      const tasks = await oldRows(before)
      const { engine: dying, arm, died } = mortal(engine, at, moment)
      arm()
      await upgradeOf(createStore(dying)).catch(() => undefined)
      const store = createStore(engine)
      let rows = 0
      for (const partition of await store.partitions('', 99))
        if (/^(work|queue)\//.test(partition))
          for (const family of ['task', 'ready', 'parked', 'leased'])
            rows += await store.read(
              partition,
              async (view) =>
                (await view.range({ gte: key(family), lt: Buffer.concat([key(family), Buffer.of(255)]), limit: 9_999 }))
                  .length,
            )
      if (rows !== tasks) t.equal(rows, tasks, `${moment} commit ${at}`)
      await upgradeOf(store)
      if (!died()) break
      if (at % 4 === 1) await check(t, store)
    }
  }
})
