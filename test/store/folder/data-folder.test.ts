/** What passes for a new data folder, and what is refused as a damaged one. */
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDkimKeys } from '../../../src/authentication/keys.js'
import { secretFolder } from '../../../src/lib/secret-files.js'
import { openSecrets } from '../../../src/config/secrets.js'
import { systemClock } from '../../../src/lib/clock.js'
import { openBlobs } from '../../../src/store/blobs/blobs.js'
import { examineDataFolder, examineFolderBeside, markKeysUsed } from '../../../src/store/folder/data-folder.js'
import { key } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { readLmdbFile } from '../../../src/store/engines/lmdb/lmdb-pages.js'
import { createStore } from '../../../src/store/store.js'

const folders = async (t: Test): Promise<{ dataDir: string; dkimDir: string }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-folder-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  return { dataDir, dkimDir: join(dataDir, 'dkim') }
}

async function withStore(dataDir: string, rows: number): Promise<void> {
  const store = createStore(openLmdb({ path: join(dataDir, 'store') }))
  for (let i = 0; i < rows; i++) await store.write('meta', (tx) => tx.put(key('n', i), Buffer.alloc(2_000)))
  await store.close()
}

t.test('a folder is new until a daemon has made something that goes with a database', async (t) => {
  const folder = await folders(t)
  const { dataDir, dkimDir } = folder
  t.equal(await examineDataFolder({ ...folder, dataDir: join(dataDir, 'missing') }), 'new')
  t.equal(await examineDataFolder(folder), 'new')
  // What setup and "dkim new" make.
  await (await openDkimKeys({ files: secretFolder(dkimDir), clock: systemClock })).generate('agents.test')
  t.equal(await examineDataFolder(folder), 'new')
  // Folders without anything in them, and a start that was ended before its first commit.
  await mkdir(join(dataDir, 'secrets'))
  await openBlobs({ dir: join(dataDir, 'blobs'), clock: systemClock })
  await mkdir(join(dataDir, 'store'))
  t.equal(await examineDataFolder(folder), 'new')
  await writeFile(join(dataDir, 'store', 'data.mdb'), '')
  t.equal(await examineDataFolder(folder), 'new')
  await withStore(dataDir, 0)
  t.equal(await examineDataFolder(folder), 'new')
  await withStore(dataDir, 3)
  t.same(await examineDataFolder(folder), { entries: 5 })
})

const TRACES: Record<string, (dataDir: string) => Promise<unknown>> = {
  secrets: (dataDir) => openSecrets(dataDir),
  'files of mail': async (dataDir) => {
    const blobs = await openBlobs({ dir: join(dataDir, 'blobs'), clock: systemClock })
    await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  },
  'DKIM keys that mail was signed with': (dataDir) => markKeysUsed({ dataDir, dkimDir: join(dataDir, 'dkim') }),
}

for (const [name, make] of Object.entries(TRACES))
  t.test(`a folder with ${name} and no database is damaged, and it is said what to do`, async (t) => {
    const folder = await folders(t)
    const { dataDir } = folder
    const file = join(dataDir, 'store', 'data.mdb')
    await make(dataDir)
    const refused = async (problem: RegExp): Promise<void> =>
      void (await t.rejects(examineDataFolder(folder), {
        name: 'DamagedFolderError',
        problem,
        message: /restante restore FILE --to/,
      }))
    const words = new RegExp(`^has ${name}.*missing or empty`)
    await refused(words)
    await mkdir(join(dataDir, 'store'))
    await writeFile(join(dataDir, 'store', 'lock.mdb'), '')
    await refused(words)
    await writeFile(file, '')
    await refused(words)
    await rm(file)
    await withStore(dataDir, 0)
    await refused(/its database/)
    await withStore(dataDir, 30)
    t.same(await examineDataFolder(folder), { entries: 32 })
    await truncate(file, (((readLmdbFile(file)?.lastPage ?? 0) + 1) * 4_096) / 2)
    await refused(/damaged database.*cut short/)
    await writeFile(file, 'not a database at all, but 8 KiB of words'.repeat(200))
    await refused(/damaged database.*does not begin like a database/)
  })

t.test('keys in a folder of their own are no sign: they may be there before the data folder', async (t) => {
  const { dataDir } = await folders(t)
  const elsewhere = await folders(t)
  await markKeysUsed({ dataDir, dkimDir: elsewhere.dkimDir })
  t.equal(await examineDataFolder({ dataDir, dkimDir: elsewhere.dkimDir }), 'new')
  await markKeysUsed(elsewhere)
  t.equal(await examineDataFolder({ dataDir, dkimDir: elsewhere.dkimDir }), 'new')
  await markKeysUsed(elsewhere)
  await cp(elsewhere.dkimDir, join(dataDir, 'dkim'), { recursive: true })
  await t.rejects(examineDataFolder({ dataDir, dkimDir: join(dataDir, 'dkim') }), { name: 'DamagedFolderError' })
})

t.test('a folder beside a shared database has no secrets when that is new, and no rows of its own', async (t) => {
  const folder = await folders(t)
  const { dataDir } = folder
  const refused = async (isNew: boolean, message: RegExp): Promise<void> =>
    void (await t.rejects(examineFolderBeside(folder, { isNew }), { name: /^(Unfit|Damaged)FolderError$/, message }))
  await examineFolderBeside(folder, { isNew: true })
  // Those of the others are in the database.
  await examineFolderBeside(folder, { isNew: false })
  await openSecrets(dataDir)
  await examineFolderBeside(folder, { isNew: false })
  await refused(true, /has secrets, but the database of store\.url is empty/)
  await withStore(dataDir, 0)
  await examineFolderBeside(folder, { isNew: false })
  await withStore(dataDir, 30)
  await refused(false, /has a database of its own.*"restante store copy"/)
  await writeFile(join(dataDir, 'store', 'data.mdb'), 'not a database at all, but 8 KiB of words'.repeat(200))
  await refused(false, /damaged database.*does not begin like a database/)
})
