/**
 * A process of its own that commits until the disk is full, tells of it, and shows that it goes on: `fill.ts FOLDER apart|together`. Writers commit side by
 * side, so that several share the commit that fails; together they count in one partition too, so that they stand in one line.
 */
import { writeSync } from 'node:fs'
import { decode, encode, key, prefixRange } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../../src/store/store.js'
import type { Transaction } from '../../../src/store/types.js'

const [path = '', how = 'apart'] = process.argv.slice(2)
const store = createStore(openLmdb({ path }))
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)
const together = how === 'together'
const [writers, bytes] = together ? [64, 1_000] : [5, 20_000]
const COUNT = key('count')

async function counted(tx: Pick<Transaction, 'get'>): Promise<number> {
  return decode<number>((await tx.get(COUNT)) ?? encode(0))
}

async function writeOne(writer: number, n: number): Promise<void> {
  const own = `writer/${writer}`
  await store.write(together ? ['shared', own] : own, async (tx) => {
    if (together) tx.in('shared').put(COUNT, encode((await counted(tx.in('shared'))) + 1))
    tx.in(own).put(key('row', n), encode('x'.repeat(bytes)))
  })
}

const ends = await Promise.all(
  Array.from({ length: writers }, async (_, writer) => {
    for (let n = 1; n <= 1_000; n++) {
      try {
        await writeOne(writer, n)
      } catch (error) {
        return { writer, committed: n - 1, error: error instanceof Error ? error.message : String(error) }
      }
    }
    return { writer, committed: 1_000, error: 'none' }
  }),
)
for (const { writer, committed, error } of ends) {
  const rows = await store.read(`writer/${writer}`, (view) => view.range(prefixRange('row')))
  const [inside, outside] = await store.read(`writer/${writer}`, (view) =>
    view.getMany([key('row', committed), key('row', committed + 1)]),
  )
  const allAreThere = committed > 0 && committed === rows.length
  say({
    writer,
    committed,
    error,
    allAreThere,
    lastIsThere: inside !== undefined,
    failedIsThere: outside !== undefined,
  })
}
const shared = await store.read('shared', counted)
// The disk stays full, and what deletions free is used: row by row, as one who makes room.
const freed = ends
  .slice(1)
  .flatMap(({ writer, committed }) =>
    Array.from({ length: committed }, (_, i) => ({ own: `writer/${writer}`, row: key('row', i + 1) })),
  )
for (const { own, row } of freed) await store.write(own, (tx) => tx.delete(row))
for (let n = 1; n <= freed.length / 4; n++)
  await store.write('after', (tx) => tx.put(key('row', n), encode('x'.repeat(bytes))))
const after = (await store.read('after', (view) => view.range(prefixRange('row')))).length
await store.close()
say({ closed: true, shared, after: after === Math.floor(freed.length / 4) })
