/**
 * A process of its own that commits until the disk is full, tells of it, and shows that it goes on: `fill.ts FOLDER`. Writers commit side
 * by side, so that several share the commit that fails.
 */
import { writeSync } from 'node:fs'
import { encode, key, prefixRange } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/lmdb.js'
import { createStore } from '../../../src/store/store.js'

const [path = ''] = process.argv.slice(2)
const store = createStore(openLmdb({ path }))
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)

const ends = await Promise.all(
  Array.from({ length: 5 }, async (_, writer) => {
    for (let n = 1; n <= 1_000; n++) {
      try {
        await store.write(`writer/${writer}`, (tx) => tx.put(key('row', n), encode('x'.repeat(20_000))))
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
  say({ writer, error, allAreThere, lastIsThere: inside !== undefined, failedIsThere: outside !== undefined })
}
await store.close()
say({ closed: true })
