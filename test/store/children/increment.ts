/** A process of its own that counts up in a shared folder: `increment.ts FOLDER TIMES`. */
import { decode, encode, key } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../../src/store/store.js'

const [path = '', times = '0'] = process.argv.slice(2)
const store = createStore(openLmdb({ path }))
const counter = key('count')

for (let i = 0; i < Number(times); i++) {
  await store.write('shared', async (tx) => {
    const bytes = await tx.get(counter)
    tx.put(counter, encode((bytes ? decode<number>(bytes) : 0) + 1))
  })
}
await store.close()
