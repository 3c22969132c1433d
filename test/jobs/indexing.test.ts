/** Indexing by a node that gains its shards while the database is away. */
import t from 'tap'
import { ownAll } from '../../src/cluster/alone.js'
import { startIndexing } from '../../src/jobs/indexing.js'
import { createMailbox } from '../../src/mailbox/record.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

t.test('mailboxes of a shard that was gained while the database was away are indexed later', async (t) => {
  const engine = memoryEngine()
  let isAway = false
  const store = createStore({
    ...engine,
    read: async (fn) => {
      if (isAway) throw new Error('the database is away')
      return engine.read(fn)
    },
  })
  t.teardown(() => store.close())
  await createMailbox(store, {
    id: 'mbx_1',
    address: 'ada@agents.example',
    agentName: null,
    claimId: 'clm_1',
    status: 'pending',
    accountId: null,
    now: 0,
  })
  isAway = true
  const indexed = new Promise<string>((resolve) => {
    const indexing = startIndexing({
      store,
      shards: ownAll(),
      indexer: { indexMailbox: async (id) => resolve(id), mergeIndex: async () => undefined },
      concurrency: 1,
      quietMs: 1,
      retryMs: 1,
      onError: () => (isAway = false),
    })
    t.teardown(() => indexing.stop())
  })
  t.equal(await indexed, 'mbx_1')
})
