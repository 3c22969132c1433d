import { join } from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { createSessions } from '../../src/accounts/sessions.js'
import { loadConfig } from '../../src/config/load.js'
import { createRetentionReport, noteSweep, readSweep, sweepsOf } from '../../src/jobs/retention.js'
import { removalWords, retained, TIMETABLE } from '../../src/jobs/retention-table.js'
import { DAY, ManualClock } from '../../src/lib/clock.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import { createExpiring } from '../../src/store/expiring.js'
import { createStore } from '../../src/store/store.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const settings = loadConfig({})

void t.test('every sweep of the table is run by the clock, and every sweep that is run is in the table', async (t) => {
  const store = createStore(memoryEngine())
  const clock = new ManualClock()
  const blobs = await openBlobs({ dir: join(t.testdir(), 'blobs'), clock })
  const run = sweepsOf({ store, blobs, clock, receipts: { sweep: async () => 0 }, retention: { eventsMs: DAY } })
  const named = retained(settings).flatMap(({ removal }) => (removal.by === 'sweep' ? [removal.sweep] : []))
  // Reports to others are the relay's: daemon/daemon.ts adds those sweeps.
  t.same([...new Set(named)].sort(), [...run.map(({ name }) => name), 'tls-reports', 'dmarc-reports'].sort())
  t.same(Object.keys(TIMETABLE).sort(), [...new Set(named)].sort())
  await store.close()
})

void t.test(
  'sessions and links that have ended are gone within the hour, and nothing is left of them with the account',
  async (t) => {
    const store = createStore(memoryEngine())
    const clock = new ManualClock()
    const blobs = await openBlobs({ dir: join(t.testdir(), 'blobs'), clock })
    const sessions = createSessions({ store, clock })
    const identity = { provider: 'oidc', subject: 's', username: null, email: null, emailVerified: false }
    await sessions.open('acc_1', identity, { userAgent: 'B', network: 'n', device: undefined })
    const links = createExpiring<string>(store, 'link')
    await links.put('short', 'x', clock.now() + 1000)
    await links.put('long', 'y', clock.now() + 100 * DAY)
    const [sweep] = sweepsOf({
      store,
      blobs,
      clock,
      sessions,
      receipts: { sweep: async () => 0 },
      retention: { eventsMs: DAY },
    }).filter(({ name }) => name === 'expired')
    clock.advance(15 * DAY)
    t.same(await sweep?.run(new AbortController().signal), { removed: 2 })
    t.equal(await links.get('long', clock.now()), 'y')
    t.equal(await store.version('token/link/short'), 0n, 'its partition is gone')
    const rows = await store.read('account/acc_1', (view) =>
      view.range({ gte: new Uint8Array(0), lt: Uint8Array.of(0xff) }),
    )
    t.notMatch(rows.map(([row]) => Buffer.from(row).toString()).join(), /session/)
    t.same(await sweep?.run(new AbortController().signal), { removed: 0 })
    await store.close()
  },
)

void t.test('the operator sees what is kept, how long, how much, and when it was last swept', async (t) => {
  const store = createStore(memoryEngine())
  const clock = new ManualClock(Date.UTC(2026, 10, 21))
  const queue = createWorkQueue({ store, clock })
  const blobs = await openBlobs({ dir: join(t.testdir(), 'blobs'), clock })
  await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  await blobs.delete('mbx_1', 'msg_1')
  await queue.enqueue('deletion', { id: 'acc_1', payload: {}, due: clock.now() + DAY })
  await createExpiring<string>(store, 'link').put('a', 'x', clock.now() + DAY)
  await noteSweep(store, 'trash', { at: clock.now(), done: { removed: 3 } })
  t.equal(await readSweep(store, 'receipts'), undefined)
  const report = await createRetentionReport({ store, blobs, queue, receipts: { count: async () => 12 }, settings })()
  const row = (what: RegExp) => report.find((each) => what.test(each.what))
  t.match(row(/Files of deleted/), {
    kept: '7 days',
    setting: 'retention.trash_days',
    amount: { count: 1, unit: 'files', at_least: false },
    last_swept_at: '2026-11-21T00:00:00.000Z',
    last_removed: 3,
  })
  t.match(row(/Receipts/), { amount: { count: 12 }, last_swept_at: null, last_removed: null })
  t.match(row(/deletion was requested/), { kept: '30 days', setting: null, amount: { count: 1, unit: 'accounts' } })
  t.match(row(/Sessions/), { amount: { count: 1 } })
  t.equal(row(/Events/)?.amount, null, 'what is not quickly counted is not counted')
  await store.close()
})

void t.test('docs/accounts.md has the table', async (t) => {
  const path = join(process.cwd(), 'docs', 'accounts.md')
  const rows = retained(settings).map(
    ({ what, kept, setting, removal }) =>
      `| ${what} | ${kept} | ${setting === null ? 'fixed' : setting.replace(/[\w.]+/g, '`$&`')} | ${removalWords(removal)} |`,
  )
  const wanted = ['| data | kept | setting | removed by |', '| --- | --- | --- | --- |', ...rows].join('\n')
  const current = await readFile(path, 'utf8')
  const fresh = current.replace(
    /(<!-- retention table:.*-->\n)[\s\S]*(<!-- end of retention table -->)/,
    (_whole, start: string, end: string) => `${start}\n${wanted}\n\n${end}`,
  )
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, fresh)
  else t.equal(current, fresh, 'docs/accounts.md is stale: UPDATE_DOCS=1 npx tap test/jobs/retention.test.ts')
  t.match(fresh, 'Files of deleted messages')
})
