/** Receipts and entries of the audit log in the rows that versions up to 0.1.0 wrote, in the form of this version; whatever cuts that off. */
import t, { type Test } from 'tap'
import { createAudit } from '../../../src/audit/audit.js'
import { MIGRATIONS } from '../../../src/daemon/upgrade/migrations.js'
import { upgrade } from '../../../src/daemon/upgrade/upgrade.js'
import { DAY, ManualClock, timestamp } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { createReceipts } from '../../../src/receipts/receipts.js'
import type { Receipt } from '../../../src/receipts/types.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { dyingAtEachCommit } from '../../support/store/mortal-engine.js'
import { receiptAt } from '../../support/receipts.js'

const NOW = Date.UTC(2026, 0, 2, 12)
const clock = new ManualClock(NOW)
const NOTHING = new Uint8Array(0)

/** Of two days, and more than one page of receipts. */
async function oldRows(store: Store): Promise<{ receipts: Receipt[]; entries: string[] }> {
  const receipts: Receipt[] = []
  const entries: string[] = []
  await store.write('meta', (tx) => {
    tx.put(key('mailbox', 'mbx_1'), NOTHING)
    tx.put(key('schema'), encode({ version: 5, by: '0.1.0' }))
  })
  for (const [day, count] of [
    ['2026-01-01', 700],
    ['2026-01-02', 3],
  ] as const) {
    const at = Date.parse(`${day}T08:00:00.000Z`)
    await store.write('receipts', (tx) => tx.put(key('day', day), NOTHING))
    await store.write('audit', (tx) => tx.put(key('day', day), NOTHING))
    await store.write('tls-results', (tx) => tx.put(key('day', day), NOTHING))
    await store.write(`receipts/${day}`, (tx) => {
      for (let i = 0; i < count; i++) {
        const receipt = receiptAt(at + i, { from: `bob${i}@peer.test` })
        receipts.push(receipt)
        tx.put(key('receipt', at + i, receipt.id), encode(receipt))
        for (const address of [receipt.from, 'ada@agents.test', 'ada+news@agents.test'])
          tx.put(key('address', address, at + i, receipt.id), NOTHING)
      }
      tx.put(key('day'), encode({ kept: count, refusedBytes: 0, notKept: count === 3 ? 7 : 0 }))
    })
    await store.write(`audit/${day}`, (tx) => {
      const id = newId('aud', at)
      entries.unshift(id)
      const actor = { type: 'key', id: 'key_1', name: null }
      const rest = { action: 'key.made', result: 'done', code: null, reason: null, actor, from: null, request_id: null }
      tx.put(key('entry', at, id), encode({ id, at: timestamp(at), ...rest, subject: { account_id: 'acc_1' } }))
      tx.put(key('made', 'acc_1'), encode(1))
      tx.put(key('day'), encode({ kept: 1, notKept: 0 }))
    })
  }
  return { receipts, entries }
}

const upgradeOf = (store: Store): Promise<boolean> =>
  upgrade({ store, dataDir: '/data', entries: 9, version: '9.9.9', clock, log: captureLog().log })

async function check(t: Test, store: Store, { receipts, entries }: Awaited<ReturnType<typeof oldRows>>): Promise<void> {
  const kept = createReceipts({ store, clock, retentionMs: 30 * DAY, log: captureLog().log })
  const list = await kept.list({ limit: 1000 })
  t.same(list.data, [...receipts].reverse())
  t.equal(list.not_kept, 7)
  t.same((await kept.list({ limit: 9, address: 'bob1@peer.test' })).data.length, 2, 'one a day')
  const audit = createAudit({ store, clock, retentionMs: 400 * DAY, log: captureLog().log })
  t.same(
    (await audit.list({ limit: 9 })).data.map(({ id }) => id),
    entries,
  )
  t.same(await store.partitions('', 99), [
    ...['audit/2026-01-01', 'audit/2026-01-02', 'meta', 'receipts/2026-01-01', 'receipts/2026-01-02'],
  ])
  t.equal(
    (await store.read('audit/2026-01-01', (view) => view.range({ gte: NOTHING, lt: Uint8Array.of(255) }))).length,
    1,
  )
}

t.test('every receipt and every entry is there as it was, each in one row', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  const old = await oldRows(store)
  await upgradeOf(store)
  await upgradeOf(store)
  await check(t, store, old)
})

t.test('a kill at any commit loses none, and the next start goes on', async (t) => {
  t.ok(MIGRATIONS.some(({ to }) => to === 8))
  await dyingAtEachCommit(() => memoryEngine({ lateness: 0, conflicts: 0 }), {
    prepare: (engine) => oldRows(createStore(engine)),
    run: async (engine) => void (await upgradeOf(createStore(engine))),
    async check(engine, old) {
      const store = createStore(engine)
      await upgradeOf(store)
      await check(t, store, old)
    },
  })
})
