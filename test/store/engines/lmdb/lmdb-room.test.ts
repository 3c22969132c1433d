/** Room in the file before it is needed. How a full disk ends is in test/store/processes and test/scenarios/mail/13-full-disk. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createRoom, neededFor } from '../../../../src/store/engines/lmdb/lmdb-room.js'
import { openLmdb } from '../../../../src/store/engines/lmdb/lmdb.js'
import { readLmdbFile } from '../../../../src/store/engines/lmdb/lmdb-pages.js'

const MIB = 1024 * 1024

async function fileOf(t: Test, bytes: Buffer) {
  const path = join(t.testdir(), 'data.mdb')
  await writeFile(path, bytes)
  const use = { endBytes: bytes.length, freeBytes: 0 }
  let looks = 0
  const room = createRoom(path, () => {
    looks++
    return use
  })
  return { path, use, room, looks: () => looks, size: async () => (await stat(path)).size }
}

t.test('the file grows in whole steps, beyond what was in it, and is looked at once a step', async (t) => {
  const content = Buffer.alloc(3 * 4_096, 7)
  const { path, room, looks, size } = await fileOf(t, content)
  for (let n = 0; n < 10; n++) {
    room.take({ bytes: 50_000, deletes: false })
    room.ended({ bytes: 50_000, deletes: false })
  }
  t.equal(await size(), MIB)
  t.equal(looks(), 1)
  t.same((await readFile(path)).subarray(0, content.length), content)
  t.ok((await readFile(path)).subarray(content.length).every((octet) => octet === 0))
})

t.test('commits that go on at once have room each, and what has ended counts as used from then on', async (t) => {
  const { use, room, size } = await fileOf(t, Buffer.alloc(4_096))
  for (let n = 0; n < 30; n++) room.take({ bytes: 100_000, deletes: false })
  t.ok((await size()) >= 30 * 100_000)
  t.ok((await size()) < 30 * 100_000 + 2 * MIB)
  for (let n = 0; n < 30; n++) room.ended({ bytes: 100_000, deletes: false })
  use.endBytes = await size()
  const before = await size()
  for (let n = 0; n < 20; n++) {
    room.take({ bytes: 100_000, deletes: false })
    room.ended({ bytes: 100_000, deletes: false })
  }
  t.ok((await size()) > before, 'the room that was used is made again')
})

t.test('a large commit has its room in one go', async (t) => {
  const { room, size } = await fileOf(t, Buffer.alloc(4_096))
  room.take({ bytes: 30 * MIB, deletes: false })
  t.ok((await size()) > 30 * MIB)
})

t.test('another error than a full disk is told as it is', async (t) => {
  const room = createRoom(join(t.testdir(), 'none', 'data.mdb'), () => ({ endBytes: 0, freeBytes: 0 }))
  t.throws(() => room.take({ bytes: 1, deletes: false }), { code: 'ENOENT' }, 'ENOENT')
})

t.test('what a commit needs: values in whole pages and a page each, little for a deletion', (t) => {
  t.same(neededFor([]), { bytes: 4 * 4_096, deletes: false })
  t.same(neededFor([Buffer.alloc(1), Buffer.alloc(4_096), Buffer.alloc(4_097)]), {
    bytes: (4 + 2 + 2 + 3) * 4_096,
    deletes: false,
  })
  t.same(neededFor(Array.from({ length: 80 }, () => null)), { bytes: (4 + 10) * 4_096, deletes: true })
  t.end()
})

t.test('a store has room beyond its last page at every commit', async (t) => {
  const path = t.testdir()
  const engine = openLmdb({ path })
  const file = join(path, 'data.mdb')
  for (let n = 0; n < 60; n++) {
    await engine.commit([], [{ partition: 'p', key: Buffer.from(`k${n}`), value: Buffer.alloc(40_000, n) }], 'c')
    const now = readLmdbFile(file)
    if (!now || now.sizeBytes <= (now.lastPage + 1) * now.pageBytes || now.sizeBytes % MIB !== 0)
      t.fail(`no room after commit ${n}`)
  }
  await engine.close()
  t.pass()
})
