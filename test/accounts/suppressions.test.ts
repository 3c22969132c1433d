import t, { type Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import { accountPartition } from '../../src/accounts/record.js'
import { createSuppressions, MAX_SUPPRESSIONS, type NewSuppression } from '../../src/accounts/suppressions.js'
import { ManualClock, MINUTE } from '../../src/lib/clock.js'
import { ServiceError } from '../../src/lib/errors.js'
import type { Engine } from '../../src/store/engine.js'
import { encode, key } from '../../src/store/keys.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { reaching } from '../support/recipients.js'

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1,
  requestsPerMinute: 1,
  recipientsPerMessage: 50,
  messageBytes: 1,
  attachmentsPerMessage: 1,
  longPollSeconds: 1,
}

async function setting(t: Test, engine: Engine = memoryEngine()) {
  const store = createStore(engine)
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const accounts = createAccounts({ store, clock, limits: LIMITS, mailbox: async () => undefined })
  const { id } = await accounts.ensure('ada@example.com')
  const suppressions = createSuppressions({ store, clock })
  const suppress = (entries: NewSuppression[]): Promise<void> =>
    store.write(accountPartition(id), (tx) => suppressions.suppress(tx, entries))
  return { store, clock, accounts, reach: reaching({ store, clock, accounts }), suppressions, suppress, id }
}

const gone = (address = 'gone@example.org', change: Partial<NewSuppression> = {}): NewSuppression => ({
  address,
  reason: 'bounce',
  messageId: 'msg_1',
  detail: '550 5.1.1 no such user',
  ...change,
})

for (const [name, engine] of [
  ['memory', () => memoryEngine({ conflicts: 0.3 })],
  ['lmdb', (t: Test) => openLmdb({ path: t.testdir() })],
] as const) {
  t.test(`the list shows the newest first, page by page (${name})`, async (t) => {
    const { suppressions, suppress, clock, id } = await setting(t, engine(t))
    for (let i = 0; i < 5; i++) {
      clock.advance(MINUTE)
      await suppress([gone(`Person${i}@Example.org`)])
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await suppressions.list(id, { limit: 2, cursor })
      seen.push(...page.data.map(({ address }) => address))
      t.equal(page.has_more, page.next_cursor !== null)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    t.same(
      seen,
      [4, 3, 2, 1, 0].map((i) => `person${i}@example.org`),
    )
    const { data } = await suppressions.list(id, { limit: 1 })
    t.same(data, [
      {
        id: 'person4@example.org',
        object: 'suppression',
        address: 'person4@example.org',
        reason: 'bounce',
        message_id: 'msg_1',
        detail: '550 5.1.1 no such user',
        created_at: '2026-01-01T12:05:00.000Z',
      },
    ])
  })
}

t.test('an address beyond ASCII is suppressed however it is spelled', async (t) => {
  const { accounts, reach, suppressions, suppress, id } = await setting(t)
  await suppress([gone('Jose\u0301@example.org')])
  t.match((await suppressions.list(id, { limit: 1 })).data, [{ id: 'jos\u00e9@example.org' }])
  for (const spelled of ['jos\u00e9@example.org', 'JOS\u00c9@example.org', 'jose\u0301@example.org'])
    await t.rejects(reach(id, 'msg_2', [spelled], []), { code: 'recipient_suppressed' }, spelled)
  t.same(await accounts.previewRecipients(id, ['jose@example.org'], []), { fresh: ['jose@example.org'], left: 25 })
})

t.test('a suppressed address cannot be written to, and the error names the call that changes it', async (t) => {
  const { accounts, reach, suppress, id } = await setting(t)
  await suppress([gone()])
  const refusals = [
    () => reach(id, 'msg_2', ['fine@example.org', 'GONE@example.org'], []),
    () => reach(id, 'msg_2', ['gone@example.org'], ['gone@example.org']),
    () => accounts.previewRecipients(id, ['gone@example.org'], []),
  ]
  for (const refusal of refusals) {
    const error = await refusal().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof ServiceError)) throw new Error('it was let through')
    t.match(error, { code: 'recipient_suppressed', status: 403, message: /^gone@example\.org .*msg_1/ })
    t.match(error.hint, /DELETE \/v1\/suppressions\/gone%40example\.org/)
  }
  t.same(await reach(id, 'msg_3', ['fine@example.org'], []), { fresh: ['fine@example.org'] })
  const other = await accounts.ensure('bob@example.com')
  t.same(await accounts.previewRecipients(other.id, ['gone@example.org'], []), {
    fresh: ['gone@example.org'],
    left: 25,
  })
})

t.test('mail goes on once the address is taken off', async (t) => {
  const { reach, suppressions, suppress, id } = await setting(t)
  await reach(id, 'msg_1', ['gone@example.org'], [])
  await suppress([gone()])
  t.match(await suppressions.remove(id, 'Gone@Example.org'), { address: 'gone@example.org' })
  await t.rejects(suppressions.remove(id, 'gone@example.org'), { code: 'not_found', hint: /GET \/v1\/suppressions/ })
  t.same(await reach(id, 'msg_2', ['gone@example.org'], []), { fresh: [] })
  t.same(await suppressions.list(id, { limit: 10 }), { data: [], has_more: false, next_cursor: null })
})

t.test('a complaint takes the place of a bounce, and not the other way round', async (t) => {
  const { suppressions, suppress, id } = await setting(t)
  await suppress([gone()])
  const complaint = gone('gone@example.org', { reason: 'complaint', detail: 'complaint (abuse)' })
  await suppress([complaint])
  await suppress([complaint, gone()])
  t.match(await suppressions.list(id, { limit: 10 }), { data: [{ reason: 'complaint' }], has_more: false })
})

t.test('the list is bounded: past its end the oldest make room', async (t) => {
  const { store, suppressions, suppress, clock, accounts, id } = await setting(t)
  await suppress([gone('oldest@example.org')])
  await store.write(`account/${id}`, (tx) => tx.put(key('suppressed-count'), encode(MAX_SUPPRESSIONS)))
  clock.advance(MINUTE)
  await suppress([gone('newest@example.org')])
  t.match(await suppressions.list(id, { limit: 10 }), { data: [{ address: 'newest@example.org' }], has_more: false })
  t.match(await accounts.previewRecipients(id, ['oldest@example.org'], []), { fresh: ['oldest@example.org'] })
})
