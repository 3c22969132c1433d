/**
 * A process of its own that commits until it is killed: `commit.ts FOLDER`. Eight writers each change four keys of their own partition
 * to one number, and print `<writer> <number>` when the commit is acknowledged.
 */
import { writeSync } from 'node:fs'
import { decode, encode, key } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../../src/store/store.js'

const [path = ''] = process.argv.slice(2)
const store = createStore(openLmdb({ path }))

async function writer(name: number): Promise<never> {
  const before = await store.read(`writer/${name}`, (view) => view.get(key('a')))
  for (let n = (before ? decode<number>(before) : 0) + 1; ; n++) {
    await store.write(`writer/${name}`, (tx) => {
      for (const part of ['a', 'b', 'c']) tx.put(key(part), encode(n))
      // Large enough to lie on pages of its own.
      tx.put(key('large'), encode(`${n} ${'x'.repeat(20_000)}`))
      tx.put(key('log', n), encode(n))
      if (n > 50) tx.delete(key('log', n - 50))
    })
    // Not process.stdout: what is acknowledged has to be out before the next commit begins.
    writeSync(1, `${name} ${n}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
