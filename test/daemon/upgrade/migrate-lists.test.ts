/** Lists that had rows of their own, in the rows that they share now; whatever cuts that off. */
import t, { type Test } from 'tap'
import { upgrade } from '../../../src/daemon/upgrade/upgrade.js'
import { ManualClock } from '../../../src/lib/clock.js'
import { listKey, mailboxListKey, mailboxPartition } from '../../../src/mailbox/keys.js'
import { newestListed, STRETCH } from '../../../src/mailbox/lists.js'
import { encode, key, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { dyingAtEachCommit } from '../../support/store/mortal-engine.js'

const MAILBOXES = ['mbx_1', 'mbx_2', 'mbx_3']
/** Where each list has something, in the first place of some stretches: threads and messages. */
const STANDING: Record<string, { threads: number[]; messages: number[] }> = {
  all: { threads: [0, 1, 300], messages: Array.from({ length: 301 }, (_, i) => i) },
  'label:inbox': { threads: [0, 300], messages: [0, 7, 300] },
  'label:sent': { threads: [1], messages: [1] },
  unread: { threads: [300], messages: [300] },
}

async function oldRows(store: Store): Promise<void> {
  await store.write('meta', (tx) => {
    for (const id of MAILBOXES) tx.put(mailboxListKey(id), new Uint8Array(0))
    tx.put(key('schema'), encode({ version: 8, by: '0.2.0' }))
  })
  // The last one has no mail.
  for (const id of MAILBOXES.slice(0, 2))
    await store.write(mailboxPartition(id), (tx) => {
      for (const [name, { threads, messages }] of Object.entries(STANDING))
        for (const stretch of new Set([...threads, ...messages])) {
          const bits = threads.includes(stretch) ? [1, 1] : [0]
          tx.put(listKey(name, stretch), Uint8Array.from(messages.includes(stretch) ? [...bits, 1] : bits))
        }
    })
}

const upgradeOf = (store: Store): Promise<boolean> =>
  upgrade({ store, dataDir: '/data', entries: 9, version: '9.9.9', clock: new ManualClock(0), log: captureLog().log })

async function check(t: Test, store: Store): Promise<void> {
  for (const id of MAILBOXES.slice(0, 2))
    await store.read(mailboxPartition(id), async (view) => {
      for (const [name, { threads, messages }] of Object.entries(STANDING)) {
        const places = (stretches: number[]): number[] => stretches.map((one) => one * STRETCH).reverse()
        t.same(await newestListed(view, name, 'thread', 1e9, 1000), places(threads), `${id} ${name}`)
        t.same(await newestListed(view, name, 'message', 1e9, 1000), places(messages), `${id} ${name}`)
      }
      const rows = await view.range({ ...prefixRange('list'), limit: 1000 })
      t.equal(rows.length, 302, 'one for each stretch, and the one of what is unread')
    })
  t.equal(await store.version(mailboxPartition('mbx_3')), 0n)
}

t.test('every place stays in its lists, and three lists share their rows', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  await oldRows(store)
  await upgradeOf(store)
  await upgradeOf(store)
  await check(t, store)
})

t.test('a kill at any commit loses none, and the next start goes on', async (t) => {
  await dyingAtEachCommit(() => memoryEngine({ lateness: 0, conflicts: 0 }), {
    prepare: (engine) => oldRows(createStore(engine)),
    run: async (engine) => void (await upgradeOf(createStore(engine))),
    async check(engine) {
      const store = createStore(engine)
      await upgradeOf(store)
      await check(t, store)
    },
  })
})
