/** A daemon notices when its store can't be read any more, and takes no mail then. */
import { copyFile, open, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ManualClock, SECOND } from '../../../src/lib/clock.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { watchDisk, type StoreFault } from '../../../src/observe/disk.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { createStoreProbe } from '../../../src/store/folder/probe.js'
import { putSchema } from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function opened(t: Test) {
  const dataDir = t.testdir()
  const file = join(dataDir, 'store', 'data.mdb')
  const store = createStore(openLmdb({ path: join(dataDir, 'store') }))
  t.teardown(() => store.close())
  await store.write('meta', (tx) => putSchema(tx, { version: 1, by: '1.0.0' }))
  for (let i = 0; i < 50; i++) await store.write('x', (tx) => tx.put(Buffer.from(`k${i}`), Buffer.alloc(3_000)))
  return { dataDir, file, store, probe: createStoreProbe({ dataDir, store }) }
}

t.test('it is readable while it grows', async (t) => {
  const { store, probe } = await opened(t)
  t.equal(await probe(), undefined)
  for (let i = 0; i < 50; i++) await store.write('y', (tx) => tx.put(Buffer.from(`k${i}`), Buffer.alloc(9_000)))
  t.equal(await probe(), undefined)
})

t.test('a file that is removed, replaced, cut or overwritten is noticed, and nothing is read of it', async (t) => {
  const { file, probe } = await opened(t)
  await copyFile(file, `${file}.copy`)
  await rename(file, `${file}.away`)
  t.match(await probe(), /missing or empty$/)
  await copyFile(`${file}.copy`, file)
  t.match(await probe(), /another file than the one that was opened/)
  await rm(file)
  await rename(`${file}.away`, file)
  t.equal(await probe(), undefined)
  const writing = await open(file, 'r+')
  const { buffer } = await writing.read(Buffer.alloc(64), 0, 64, 24)
  await writing.write(Buffer.alloc(64), 0, 64, 24)
  t.match(await probe(), /page 0.* does not begin like a database/)
  await writing.write(buffer, 0, 64, 24)
  t.equal(await probe(), undefined)
  await writing.close()
  await truncate(file, 20_480)
  t.match(await probe(), /was cut short, from \d+ to 20480 bytes/)
})

t.test('mail is refused while it cannot be read; the log and a metric say so once, and when it is over', async (t) => {
  const clock = new ManualClock()
  const metrics = createMetrics()
  let fault: StoreFault | undefined
  let looks = 0
  const lines: unknown[] = []
  const log = {
    ...quiet,
    error: (fields: object, words?: string) => lines.push({ ...fields, words }),
    info: (_: object, words?: string) => lines.push(words),
  }
  const storeFault = async () => (looks++, fault)
  const disk = watchDisk({ dir: '.', minFreeBytes: 0, clock, log, metrics, storeFault })
  t.equal(await disk.isReadable(), true)
  fault = { kind: 'damaged', problem: 'data.mdb is missing or empty' }
  t.equal(await disk.isReadable(), true, 'looked at every two seconds')
  t.equal(looks, 1)
  clock.advance(2 * SECOND)
  t.same(await Promise.all([disk.isReadable(), disk.isReadable()]), [false, false])
  t.equal(await disk.isLow(), false)
  t.match((await metrics.read('store_unreadable'))[0], { value: 1 })
  fault = undefined
  clock.advance(2 * SECOND)
  t.equal(await disk.isReadable(), true)
  fault = { kind: 'away', problem: 'connect ECONNREFUSED' }
  clock.advance(2 * SECOND)
  t.equal(await disk.isReadable(), false)
  t.match(lines, [
    { problem: 'data.mdb is missing or empty', words: /Stop the daemon, check it with "restante verify"/ },
    'the store can be read again; mail is accepted',
    { problem: 'connect ECONNREFUSED', words: /^the database cannot be reached; .* goes on when it is back$/ },
  ])
  t.equal(looks, 4)
})
