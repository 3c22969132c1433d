/** The database's file, read without its library: what is whole passes whatever was done to it, and no damage does. */
import { copyFile, mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openLmdb, type LmdbEngine } from '../../../../src/store/engines/lmdb/lmdb.js'
import { checkPages, checkTop, readLmdbFile } from '../../../../src/store/engines/lmdb/lmdb-pages.js'
import { present } from '../../../mailbox/world.js'
import { below, randomFrom } from '../../../support/random.js'

const PAGE = 4096
const WHOLE = { faults: [], more: 0 }

/** Rows of all sizes, put, replaced and deleted in any order. */
async function change(engine: LmdbEngine, seed: number, commits: number): Promise<void> {
  const random = randomFrom(seed)
  for (let i = 0; i < commits; i++) {
    const partition = `p/${below(random, 20)}`
    const ops = Array.from({ length: 1 + below(random, 20) }, () => ({
      partition,
      key: Buffer.from(`k${below(random, 300)}`),
      value:
        below(random, 3) === 0
          ? null
          : Buffer.alloc(below(random, 10) === 0 ? below(random, 60_000) : below(random, 900), 'v'),
    }))
    const unique = [...new Map(ops.map((op) => [op.key.toString(), op])).values()]
    await engine.commit([], unique, 'mark')
  }
}

async function filled(t: Test): Promise<string> {
  const dir = t.testdir()
  const engine = openLmdb({ path: join(dir, 'store') })
  await change(engine, 1, 150)
  await engine.close()
  return join(dir, 'store', 'data.mdb')
}

t.test('a database passes after any changes, while it is open, copied, and emptied', async (t) => {
  const dir = t.testdir()
  const engine = openLmdb({ path: join(dir, 'store') })
  const path = join(dir, 'store', 'data.mdb')
  t.match(readLmdbFile(path), { rows: { root: undefined, entries: 0 } }, 'a new one')
  t.strictSame(checkPages(path), WHOLE)
  for (let seed = 1; seed <= 8; seed++) {
    await change(engine, seed, 60)
    t.strictSame(checkPages(path), WHOLE)
    checkTop(path)
    const { counted, walked } = engine.countEntries()
    t.equal(counted, walked)
    t.equal(readLmdbFile(path)?.rows.entries, counted)
  }
  await mkdir(join(dir, 'copy'))
  await engine.copy(join(dir, 'copy'))
  t.strictSame(checkPages(join(dir, 'copy', 'data.mdb')), WHOLE)
  for (let partition = 0; partition < 20; partition++) {
    const name = `p/${partition}`
    const rows = await engine.read((reader) =>
      reader.range(name, { gte: new Uint8Array(0), lt: Buffer.of(255), limit: 1000 }),
    )
    await engine.commit(
      [],
      rows.map(([key]) => ({ partition: name, key, value: null })),
      'mark',
    )
  }
  t.strictSame(checkPages(path), WHOLE)
  await engine.close()
  t.equal(readLmdbFile(join(dir, 'nothing')), undefined)
  await writeFile(join(dir, 'empty'), '')
  t.equal(readLmdbFile(join(dir, 'empty')), undefined)
})

t.test('of a page that is overwritten, it is told which one; of a free one nothing is', async (t) => {
  const path = await filled(t)
  const whole = await readFile(path)
  const random = randomFrom(7)
  let faults = 0
  for (let page = 2; page < whole.length / PAGE; page++) {
    const file = await open(path, 'r+')
    const garbage =
      page % 2 === 0 ? Buffer.alloc(PAGE) : Buffer.from(Array.from({ length: PAGE }, () => below(random, 256)))
    await file.write(garbage, 0, PAGE, page * PAGE)
    const found = checkPages(path)
    if (found.faults.length > 0) faults++
    await file.write(whole, page * PAGE, PAGE, page * PAGE)
    await file.close()
  }
  t.strictSame(checkPages(path), WHOLE)
  const { rows, free } = present(readLmdbFile(path))
  // Of a large value only the first page has a header.
  const least = rows.branchPages + rows.leafPages + free.leafPages
  t.ok(faults >= least, `${faults} of at least ${least}`)
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(PAGE), 0, PAGE, (rows.root ?? 0) * PAGE)
  await file.close()
  t.throws(() => checkTop(path), { name: 'DamagedStoreError', message: `page ${rows.root} is not what was written` })
  t.match(checkPages(path).faults, [/is not what was written/, /counts \d+ entries of its rows, but 0 can be reached/])
})

t.test('a file that is cut anywhere is refused', async (t) => {
  const path = await filled(t)
  const whole = readLmdbFile(path)
  if (!whole) throw new Error('There is no database')
  const end = (whole.lastPage + 1) * PAGE
  const cut = `${path}.cut`
  for (const left of [1, 100, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1, end / 2, end - PAGE, end - 1]) {
    await copyFile(path, cut)
    await truncate(cut, left)
    t.throws(() => readLmdbFile(cut), { name: 'DamagedStoreError', message: /^it was cut short/ }, String(left))
  }
  await copyFile(path, cut)
  await truncate(cut, end)
  t.same({ ...readLmdbFile(cut), inode: 0 }, { ...whole, sizeBytes: end, inode: 0 }, 'room at the end is no part of it')
})

t.test('a meta page with anything else in it is refused, or followed to what is there', async (t) => {
  const path = await filled(t)
  const whole = await readFile(path)
  const torn = `${path}.torn`
  const random = randomFrom(3)
  let refused = 0
  for (let i = 0; i < 400; i++) {
    const bytes = Buffer.from(whole)
    const at = (i % 2) * PAGE + 24 + below(random, 136)
    for (let n = 0; n < 1 + (i % 8); n++) bytes[at + n] = below(random, 256)
    await writeFile(torn, bytes)
    try {
      readLmdbFile(torn)
      checkPages(torn)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'DamagedStoreError') throw error
      refused++
    }
  }
  t.ok(refused > 100, `${refused} of 400`)
})
