/** What holds for blobs in files only: modes, hard links, and what else is in the folder. */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DAY, HOUR, ManualClock } from '../../../src/lib/clock.js'
import { openBlobs, readBlobs } from '../../../src/store/blobs/blobs.js'
import type { Blobs } from '../../../src/store/types.js'

interface Opened {
  blobs: Blobs
  clock: ManualClock
  dir: string
}

/** The clock starts at the real time, because the age of a file is the file system's. */
async function open(t: { testdir(): string }): Promise<Opened> {
  const dir = join(t.testdir(), 'blobs')
  const clock = new ManualClock(Date.now())
  return { blobs: await openBlobs({ dir, clock }), clock, dir }
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)
const nobody = async (): Promise<boolean> => false

t.test('nobody but the service can read blobs', async (t) => {
  const { blobs, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('secret'))
  t.same(
    await Promise.all([dir, join(dir, 'mbx_1'), join(dir, '.trash'), join(dir, '.writing')].map(modeOf)),
    Array(4).fill('700'),
  )
  t.equal(await modeOf(join(dir, 'mbx_1', 'msg_1')), '600')
})

t.test('a link has the same bytes once on the disk', async (t) => {
  const { blobs, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('to both'))
  await blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_2', id: 'msg_2' })
  t.equal((await stat(join(dir, 'mbx_2', 'msg_2'))).ino, (await stat(join(dir, 'mbx_1', 'msg_1'))).ino)
})

t.test('a sweep removes empty folders and what was cut off while it was written', async (t) => {
  const { blobs, clock, dir } = await open(t)
  for (const id of ['kept', 'orphan']) await blobs.put(`mbx_${id}`, id, Buffer.from(id))
  await writeFile(join(dir, '.writing', 'cut-off'), 'half')
  await blobs.sweep(clock.now(), nobody)
  t.same(await readdir(join(dir, '.writing')), ['cut-off'], 'it may be being written')
  clock.advance(HOUR + 60_000)
  t.same(await blobs.sweep(clock.now(), async (_owner, id) => id === 'kept'), { orphans: 1, removed: 0 })
  t.same((await readdir(dir)).sort(), ['.trash', '.writing', 'mbx_kept'])
  t.same(await readdir(join(dir, '.writing')), [])
})

t.test('the age of a file is that of its bytes: a link does not make it younger', async (t) => {
  const { blobs, clock, dir } = await open(t)
  await blobs.put('mbx_1', 'kept', Buffer.from('x'))
  await blobs.link({ owner: 'mbx_1', id: 'kept' }, { owner: 'mbx_1', id: 'orphan' })
  const written = (await stat(join(dir, 'mbx_1', 'orphan'))).mtimeMs
  clock.advance(3 * DAY)
  const isReferenced = async (_owner: string, id: string): Promise<boolean> => id === 'kept'
  const sweep = (storeBornAt: number) => blobs.sweep(clock.now(), isReferenced, storeBornAt)
  await t.rejects(sweep(written + DAY + 1), /1 of 1 unreferenced files are older than this store/)
  t.same(await sweep(written + DAY), { orphans: 1, removed: 0 }, 'a clock may have been set meanwhile')
})

t.test('what is not ours in the folder is left alone', async (t) => {
  const { blobs, clock, dir } = await open(t)
  await mkdir(join(dir, 'lost+found'))
  await writeFile(join(dir, 'README'), 'x')
  await mkdir(join(dir, 'mbx_1'))
  await writeFile(join(dir, 'mbx_1', 'a.b'), 'x')
  clock.advance(30 * DAY)
  t.same(await blobs.sweep(clock.now(), nobody), { orphans: 0, removed: 0 })
  t.same((await readdir(dir)).sort(), ['.trash', '.writing', 'README', 'lost+found', 'mbx_1'])
})

t.test('for reading a missing folder has no blobs, and nothing is created', async (t) => {
  const dir = join(t.testdir(), 'blobs')
  const blobs = readBlobs(dir, new ManualClock())
  t.equal(await blobs.size('mbx_1', 'msg_1'), undefined)
  t.equal(await blobs.read('mbx_1', 'msg_1'), undefined)
  for await (const blob of blobs.list()) t.fail(`there is ${blob.id}`)
  await t.rejects(readdir(dir), { code: 'ENOENT' })
})
