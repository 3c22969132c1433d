/** A store whose spam stands in the inbox, as versions up to 0.1.0 wrote it, in the form of this version. */
import t from 'tap'
import { spamOutOfInbox } from '../../src/daemon/migrate-spam.js'
import { createIndexer } from '../../src/mailbox/indexer.js'
import { listKey, mailboxPartition, messageKey, threadKey } from '../../src/mailbox/keys.js'
import { readState } from '../../src/mailbox/message.js'
import { readThread } from '../../src/mailbox/thread.js'
import { encode } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { verifyMailbox } from '../../src/verify/mailbox.js'
import { makeWorld, present } from '../mailbox/world.js'
import type { World } from '../mailbox/world.js'
import { memoryEngine } from '../support/memory-engine.js'

/** Puts the label beside `inbox`, and into the thread's one count. */
async function asItWas({ store, id }: World, messageId: string): Promise<void> {
  await store.write(mailboxPartition(id), async (tx) => {
    const state = present(await readState(tx, messageId))
    tx.put(messageKey(messageId), encode({ ...state, labels: ['inbox', 'spam'] }))
    if (state.trashed) return
    const thread = present(await readThread(tx, state.threadId))
    const counts = new Map(thread.labels)
    counts.set('spam', (counts.get('spam') ?? 0) + 1)
    tx.put(threadKey(thread.id), encode({ ...thread, labels: [...counts] }))
    tx.put(listKey('label:spam', thread.lastSeq, thread.id), new Uint8Array(0))
  })
}

async function migrate(store: Store, crashAfter = Infinity): Promise<void> {
  let cursor: string | undefined = ''
  for (let steps = 0; cursor !== undefined && steps < crashAfter; steps++) cursor = await spamOutOfInbox(store, cursor)
}

t.test('spam leaves the inbox, and its conversation counts it apart; again changes nothing', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  const { mailboxes, id } = world
  await world.addMailbox('other')
  await world.deliver({ subject: 'Plan', text: 'Our plan.', headers: ['Message-ID: <1@x.example>'] })
  const mixed = await world.deliver({ subject: 'Re: Plan', text: 'Buy.', headers: ['In-Reply-To: <1@x.example>'] })
  const gone = await world.deliver({ subject: 'Gone' })
  await mailboxes.deleteMessage(id, gone.id)
  const alone = []
  for (let i = 0; i < 25; i++) alone.push(await world.deliver({ subject: `Offer ${i}` }))
  for (const message of [mixed, gone, ...alone]) await asItWas(world, message.id)
  await createIndexer(world).indexMailbox(id)

  await migrate(store, 1)
  await migrate(store)
  const whole = async () => {
    const found: unknown[] = []
    await verifyMailbox({ store, blobsDir: '', quick: true }, id, (...finding) => found.push(finding))
    t.same(found, [])
    const { data } = await mailboxes.listThreads(id, { limit: 100 })
    t.match(data, [{ subject: 'Plan', labels: ['inbox'], unread_count: 1, message_count: 1, preview: 'Our plan.' }])
    t.equal(data.length, 1)
    t.equal((await mailboxes.listThreads(id, { limit: 100, label: 'spam' })).data.length, 26)
    t.equal((await mailboxes.listMessages(id, { limit: 100 })).data.length, 1, 'the index knows it')
    t.equal((await mailboxes.listMessages(id, { limit: 100, label: 'spam' })).data.length, 26)
    t.same((await mailboxes.getMessage(id, mixed.id)).labels, ['spam'])
    t.same((await mailboxes.getMessage(id, gone.id)).labels, ['spam'], 'in the trash')
  }
  await whole()
  await migrate(store)
  await whole()
})
