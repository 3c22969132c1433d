import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { DAY, HOUR, ManualClock } from '../../../src/lib/clock.js'
import { openBlobs } from '../../../src/store/blobs/blobs.js'
import { sha256Hex } from '../../../src/lib/ids.js'
import type { Blobs, WrittenBlob } from '../../../src/store/types.js'

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

t.test('a blob comes back as it was put, also after opening the folder again', async (t) => {
  const { blobs, clock, dir } = await open(t)
  const data = Buffer.alloc(300_000, 'mail')
  await blobs.put('mbx_1', 'msg_1', data)
  await blobs.put('mbx_1', 'msg_2', Buffer.alloc(0))
  t.same(await blobs.get('mbx_1', 'msg_1'), data)
  t.same(await (await openBlobs({ dir, clock })).get('mbx_1', 'msg_2'), Buffer.alloc(0))
  await t.rejects(blobs.get('mbx_2', 'msg_1'), /There is no blob mbx_2\/msg_1/)
})

t.test('a blob that is not what was written is not handed out, whole or in pieces', async (t) => {
  const dir = join(t.testdir(), 'blobs')
  const told: string[] = []
  const blobs = await openBlobs({
    dir,
    clock: new ManualClock(Date.now()),
    onDamaged: ({ owner, id }) => told.push(`${owner}/${id}`),
  })
  // Three pieces, so that one in the middle counts too.
  const data = Buffer.alloc(2_500_000, 'mail')
  const wrote = { bytes: data.length, sha256: sha256Hex(data) }
  const path = join(dir, 'mbx_1', 'msg_1')
  const read = async (expected: WrittenBlob | undefined): Promise<Buffer> => {
    const stream = await blobs.stream('mbx_1', 'msg_1', expected)
    if (!stream) throw new Error('it is there')
    return buffer(stream)
  }
  await blobs.put('mbx_1', 'msg_1', data)
  for (const expected of [wrote, { bytes: data.length }, undefined]) {
    t.ok((await blobs.get('mbx_1', 'msg_1', expected)).equals(data))
    t.ok((await read(expected)).equals(data))
  }
  const refused = async (what: RegExp): Promise<void> => {
    const error = { name: 'DamagedBlobError', message: what }
    await t.rejects(blobs.get('mbx_1', 'msg_1', wrote), error)
    await t.rejects(read(wrote), error)
    t.strictSame(told.splice(0), ['mbx_1/msg_1', 'mbx_1/msg_1'])
  }
  for (const at of [0, 1_200_000, data.length - 1]) {
    const changed = Buffer.from(data)
    changed[at] = 0
    await writeFile(path, changed)
    await refused(/blob mbx_1\/msg_1 is damaged: its bytes differ.* backup/)
  }
  await writeFile(path, data.subarray(0, 1_000_000))
  await refused(/has 1000000 bytes instead of 2500000/)
  await writeFile(path, Buffer.concat([data, Buffer.alloc(1)]))
  await refused(/has 2500001 bytes/)
  await writeFile(path, '')
  await refused(/has 0 bytes/)
})

t.test('putting a blob again after a cut-off try is no error', async (t) => {
  const { blobs, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('one'))
  await blobs.put('mbx_1', 'msg_1', Buffer.from('one'))
  t.same(await blobs.get('mbx_1', 'msg_1'), Buffer.from('one'))
  t.same(await readdir(join(dir, '.writing')), [])
})

t.test('nobody but the service can read blobs', async (t) => {
  const { blobs, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('secret'))
  t.same(
    await Promise.all([dir, join(dir, 'mbx_1'), join(dir, '.trash'), join(dir, '.writing')].map(modeOf)),
    Array(4).fill('700'),
  )
  t.equal(await modeOf(join(dir, 'mbx_1', 'msg_1')), '600')
})

t.test('a link gives another owner the same bytes once on the disk, and outlives the first owner', async (t) => {
  const { blobs, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('to both'))
  const link = (): Promise<void> => blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_2', id: 'msg_2' })
  await link()
  await link()
  t.equal((await stat(join(dir, 'mbx_2', 'msg_2'))).ino, (await stat(join(dir, 'mbx_1', 'msg_1'))).ino)
  await blobs.delete('mbx_1', 'msg_1')
  t.same(await blobs.get('mbx_2', 'msg_2'), Buffer.from('to both'))
  await t.rejects(blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_3', id: 'msg_3' }), /no blob mbx_1\/msg_1/)
  await blobs.put('mbx_1', 'msg_9', Buffer.from('another'))
  await t.rejects(blobs.link({ owner: 'mbx_1', id: 'msg_9' }, { owner: 'mbx_2', id: 'msg_2' }), { code: 'EEXIST' })
})

t.test('a deleted blob is gone at once, and its file after seven days', async (t) => {
  const { blobs, clock, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  await blobs.delete('mbx_1', 'msg_1')
  await blobs.delete('mbx_1', 'msg_1')
  await blobs.delete('mbx_9', 'msg_9')
  await t.rejects(blobs.get('mbx_1', 'msg_1'), /no blob/)
  clock.advance(7 * DAY - 1)
  t.same(await blobs.sweep(clock.now(), nobody), { orphans: 0, removed: 0 })
  t.equal((await readdir(join(dir, '.trash'))).length, 1)
  clock.advance(1)
  t.same(await blobs.sweep(clock.now(), nobody), { orphans: 0, removed: 1 })
  t.same(await readdir(join(dir, '.trash')), [])
})

t.test('a sweep takes what nobody references after an hour, and nothing else', async (t) => {
  const { blobs, clock, dir } = await open(t)
  for (const id of ['kept', 'orphan']) await blobs.put('mbx_1', id, Buffer.from(id))
  await blobs.put('mbx_2', 'orphan', Buffer.from('x'))
  await writeFile(join(dir, '.writing', 'cut-off'), 'half')
  const asked: string[] = []
  const isReferenced = async (owner: string, id: string): Promise<boolean> => {
    asked.push(`${owner}/${id}`)
    return id === 'kept'
  }
  t.same(await blobs.sweep(Date.now() + HOUR - 60_000, isReferenced), { orphans: 0, removed: 0 })
  t.same(asked, [])
  clock.advance(HOUR + 60_000)
  t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 2, removed: 0 })
  t.same(asked.sort(), ['mbx_1/kept', 'mbx_1/orphan', 'mbx_2/orphan'])
  t.same(await blobs.get('mbx_1', 'kept'), Buffer.from('kept'))
  await t.rejects(blobs.get('mbx_1', 'orphan'), /no blob/)
  t.same((await readdir(dir)).sort(), ['.trash', '.writing', 'mbx_1'], 'an empty folder is removed')
  t.same(await readdir(join(dir, '.writing')), [], 'what was cut off while it was written is removed')
  clock.advance(7 * DAY)
  t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 0, removed: 2 })
})

t.test('a sweep takes a tenth of the files at the most, and the next one goes on', async (t) => {
  const { blobs, clock } = await open(t)
  for (let i = 0; i < 160; i++) await blobs.put(`mbx_${i % 7}`, `msg_${i}`, Buffer.from('x'))
  clock.advance(HOUR + 60_000)
  const isReferenced = async (_owner: string, id: string): Promise<boolean> => Number(id.slice(4)) >= 40
  t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 16, removed: 0, left: 24 })
  t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 15, removed: 0, left: 9 })
  t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 9, removed: 0 })
  t.same(await blobs.get('mbx_6', 'msg_41'), Buffer.from('x'))
})

t.test('a sweep that would take most files takes none, says so, and keeps the trash', async (t) => {
  const dir = join(t.testdir(), 'blobs')
  const clock = new ManualClock(Date.now())
  const told: boolean[] = []
  const blobs = await openBlobs({ dir, clock, onSweep: (stopped) => told.push(stopped) })
  for (let i = 0; i < 22; i++) await blobs.put('mbx_1', `msg_${i}`, Buffer.from('x'))
  await blobs.delete('mbx_1', 'msg_21')
  clock.advance(8 * DAY)
  const stopped = {
    name: 'SweepStoppedError',
    message: /^11 of 21 files are referenced by no message: the store is older.*restore a backup/,
  }
  await t.rejects(
    blobs.sweep(clock.now(), async (_owner, id) => Number(id.slice(4)) < 10),
    stopped,
  )
  await t.rejects(blobs.sweep(clock.now(), nobody), /21 of 21 files are referenced/)
  t.equal((await readdir(join(dir, 'mbx_1'))).length, 21)
  t.equal(await blobs.emptyTrash(clock.now()), 0, 'what was swept before may be wanted back')
  t.equal(await blobs.countTrash(), 1)
  t.same(await blobs.sweep(clock.now(), async () => true), { orphans: 0, removed: 1 })
  t.strictSame(told, [true, true, false])
})

t.test('a store that is younger than a file which it does not name has no say over it', async (t) => {
  const { blobs, clock, dir } = await open(t)
  for (const id of ['kept', 'orphan']) await blobs.put('mbx_1', id, Buffer.from(id))
  const written = (await stat(join(dir, 'mbx_1', 'orphan'))).mtimeMs
  clock.advance(3 * DAY)
  const isReferenced = async (_owner: string, id: string): Promise<boolean> => id === 'kept'
  const sweep = (storeBornAt: number) => blobs.sweep(clock.now(), isReferenced, storeBornAt)
  await t.rejects(sweep(written + DAY + 1), /1 of 1 unreferenced files are older than this store/)
  t.same(await sweep(written + DAY), { orphans: 1, removed: 0 }, 'a clock may have been set meanwhile')
})

t.test('a fresh link to an old blob is not swept before it can be committed', async (t) => {
  const { blobs, dir } = await open(t)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  await blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_2', id: 'msg_2' })
  const { ctimeMs } = await stat(join(dir, 'mbx_2', 'msg_2'))
  t.same(await blobs.sweep(ctimeMs + HOUR - 1, nobody), { orphans: 0, removed: 0 })
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

t.test('names that would lead out of the folder are refused', async (t) => {
  const { blobs } = await open(t)
  const x = Buffer.from('x')
  for (const bad of [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    '/etc',
    'a\0b',
    '.trash',
    'a.b',
    '-rf',
    'ü',
    'a'.repeat(101),
    'a\n',
  ]) {
    await t.rejects(blobs.put(bad, 'id', x), RangeError, `owner ${JSON.stringify(bad)}`)
    await t.rejects(blobs.put('owner', bad, x), RangeError, `id ${JSON.stringify(bad)}`)
    await t.rejects(blobs.get('owner', bad), RangeError)
    await t.rejects(blobs.delete(bad, 'id'), RangeError)
    await t.rejects(blobs.link({ owner: 'owner', id: 'id' }, { owner: 'owner', id: bad }), RangeError)
  }
})
