/** What an upgrade of the data folder says before it begins and on its way, what it does without room, and with rows that can't be read. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { writeBackupStatus } from '../../src/ops/backup/status.js'
import { MIGRATIONS } from '../../src/daemon/upgrade/migrations.js'
import type { Migration } from '../../src/daemon/upgrade/migration.js'
import { upgrade, type UpgradeDeps } from '../../src/daemon/upgrade/upgrade.js'
import { words } from '../../src/daemon/upgrade/plan.js'
import { HOUR, ManualClock, MINUTE, SECOND } from '../../src/lib/clock.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { encode, key } from '../../src/store/keys.js'
import { putSchema, readSchema, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const NEXT = SCHEMA_VERSION + 1
const LETTERS = 100

async function setting(t: Test, change: Partial<UpgradeDeps> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'upgrade-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  await store.write('meta', (tx) => {
    tx.put(key('mailbox', 'mbx_1'), encode(1))
    tx.put(key('schema'), encode({ version: SCHEMA_VERSION, by: '0.9.0' }))
  })
  const clock = new ManualClock()
  const { log, lines } = captureLog()
  const alive: string[] = []
  const migration: Migration = {
    to: NEXT,
    about: 'letters are short',
    moves: { unit: 'letters', count: async () => LETTERS, perSecond: 1, bytesEach: 1_000_000 },
    // Ten a second and no more, where ten seconds for ten were expected.
    step: async (_store, cursor, work) => {
      if (cursor === String(LETTERS)) return undefined
      clock.advance(SECOND)
      work.moved(10)
      return String(Number(cursor) + 10)
    },
  }
  const run = (): Promise<boolean> =>
    upgrade({
      store,
      dataDir,
      entries: 9,
      version: '9.9.9',
      clock,
      log,
      alive: (status) => void alive.push(status),
      migrations: [...MIGRATIONS, migration],
      ...change,
    })
  return { store, dataDir, lines, alive, run, clock }
}

const room = (freeBytes: number) => ({ freeBytes: async () => freeBytes, minFreeBytes: 50_000_000 })

t.test(
  'before anything is changed the log has what is to be moved, how long that may take, and the way back',
  async (t) => {
    const { dataDir, lines, run } = await setting(t)
    const last = { at: '2026-01-01T03:00:00.000Z', file: '/backups/a.tar.gz', bytes: 1, encrypted: false }
    await writeBackupStatus(dataDir, { last, failed: null })
    await run()
    t.match(lines[0], {
      from: SCHEMA_VERSION,
      to: NEXT,
      about_seconds: 100,
      most_bytes: 100_000_000,
      last_backup: last.at,
    })
    const said = String(lines[0]?.msg)
    t.match(said, `from version ${SCHEMA_VERSION} to ${NEXT}: 100 letters; about 2 minutes, up to 100 MB of disk.`)
    t.match(said, 'Restante 0.9.0 must not work on the folder from now on')
    t.match(said, /a backup made with it \(restante backup\).*2026-01-01T03:00:00\.000Z \(\/backups\/a\.tar\.gz\)/)
  },
)

t.test('without a backup the log says so', async (t) => {
  const { lines, run } = await setting(t)
  await run()
  t.match(lines[0], { last_backup: null, msg: /this folder knows of none$/ })
})

t.test('its progress is told every few seconds, and the time left follows from what was seen', async (t) => {
  const { lines, alive, run } = await setting(t)
  await run()
  const told = lines.filter(({ msg }) => msg === 'upgrading goes on')
  t.match(told, [
    { done: 50, of: 100, unit: 'letters', percent: 50, seconds_left: 5 },
    { done: 100, percent: 100, seconds_left: 0 },
  ])
  t.equal(told.length, 2, 'in ten seconds')
  t.same(alive, [
    'upgrading what is stored: letters are short',
    'upgrading what is stored: 50 % of 100 letters, less than a minute left',
    'upgrading what is stored: 100 % of 100 letters, less than a minute left',
  ])
})

t.test('a disk without room is refused in words, and nothing is changed', async (t) => {
  const { store, run } = await setting(t, { room: room(149_999_999) })
  const before = await store.version('meta')
  await t.rejects(run(), {
    name: 'UnfitFolderError',
    message:
      /there is no room .* up to 100 MB are needed, 50 MB have to stay free \(server\.min_free_bytes\), and there are 150 MB\. Make room and start again; nothing was changed, and the version that was here before still opens it$/,
  })
  t.equal(await store.version('meta'), before)
  t.match(await readSchema(store), { version: SCHEMA_VERSION })
})

t.test('one that was begun is not said to have changed nothing', async (t) => {
  const { store, run } = await setting(t, { room: room(0) })
  await store.write('meta', (tx) => putSchema(tx, { version: NEXT, by: '9.9.9', from: SCHEMA_VERSION }))
  await t.rejects(run(), { message: /what an earlier start has done of it stays done$/ })
})

t.test('with room it goes on', async (t) => {
  const { store, run } = await setting(t, { room: room(150_000_000) })
  await run()
  t.match(await readSchema(store), { version: NEXT })
})

t.test('times are said as people say them', async (t) => {
  t.same([0, 59 * SECOND, MINUTE, 10 * MINUTE, 89 * MINUTE, 2 * HOUR].map(words), [
    'less than a minute',
    'less than a minute',
    'about 1 minute',
    'about 10 minutes',
    'about 89 minutes',
    'about 2 hours',
  ])
})

async function rowsOf(store: Store, partition: string): Promise<[Uint8Array, Uint8Array][]> {
  return store.read(partition, (view) => view.range({ gte: new Uint8Array(0), lt: Uint8Array.of(255) }))
}

t.test(
  'an old task that cannot be read stops no start: it is named, kept aside as it was, and the others go on',
  async (t) => {
    const { store, clock, lines, run } = await setting(t, { migrations: MIGRATIONS })
    const at = clock.now()
    const task = { payload: {}, attempts: 0, failures: 0, queuedAt: at }
    const garbled: [Uint8Array, Uint8Array][] = [
      [key('task', at, 'cut'), Buffer.from('{"payload":{"mes')],
      [key('ready', 2, 'mbx_a', at, 'number'), encode(7)],
      [key('leased', at, 'empty'), new Uint8Array(0)],
      [Buffer.concat([key('parked', 'room'), Buffer.of(0x77)]), encode(task)],
    ]
    await store.write(['meta', 'work/relay/3'], (tx) => {
      tx.put(key('schema'), encode({ version: 2, by: '0.1.0' }))
      const work = tx.in('work/relay/3')
      work.put(key('task', at, 'whole'), encode(task))
      work.put(key('count'), Buffer.from('{'))
      for (const [row, value] of garbled) work.put(row, value)
    })
    await run()
    t.same((await createWorkQueue({ store, clock }).counts('relay')).ready, 1)
    const named = lines.filter(({ level }) => level === 'warn')
    t.same(
      named.map(({ partition, row }) => `${String(partition)} ${String(row)}`).sort(),
      garbled.map(([row]) => `work/relay/3 ${Buffer.from(row).toString('hex')}`).sort(),
    )
    t.same(
      new Map(
        (await rowsOf(store, 'aside')).map(([row, value]) => [
          Buffer.from(row).toString('hex'),
          Buffer.from(value).toString(),
        ]),
      ),
      new Map(
        garbled
          .map(([row, value]): [string, string] => [
            Buffer.from(key('row', 'work/relay/3', Buffer.from(row).toString('hex'))).toString('hex'),
            Buffer.from(value).toString(),
          ])
          .sort(),
      ),
    )
  },
)

t.test('an old receipt that cannot be read is kept aside too', async (t) => {
  const { store, clock, lines, run } = await setting(t, { migrations: MIGRATIONS })
  const row = key('receipt', clock.now(), 'rcp_1')
  await store.write(['meta', 'receipts/2026-01-01'], (tx) => {
    tx.put(key('schema'), encode({ version: 5, by: '0.1.0' }))
    tx.in('receipts/2026-01-01').put(row, encode({ from: 'half' }))
  })
  await run()
  t.equal(lines.filter(({ level }) => level === 'warn').length, 1)
  t.equal((await rowsOf(store, 'aside')).length, 1)
  t.same(await rowsOf(store, 'receipts/2026-01-01'), [])
})

t.test('where a step cannot go on without a row that is garbled, the start ends with the place of it', async (t) => {
  const { store, run } = await setting(t, { migrations: MIGRATIONS })
  await store.write(['meta', 'review'], (tx) => {
    tx.put(key('schema'), encode({ version: 3, by: '0.1.0' }))
    tx.in('review').put(key('intent', 'rev_1'), Buffer.from('{"cut'))
  })
  await t.rejects(run(), {
    name: 'UnfitFolderError',
    message: /^the upgrade to version 4 .* came to a row that can't be read, at its beginning.*restante verify/,
  })
})
