/** The audit log over the store: what is written when, what a crash leaves, how much one account can write, and how it ends. */
import t, { type Test } from 'tap'
import { createAudit } from '../../src/audit/audit.js'
import { MAX_ENTRIES_A_DAY } from '../../src/audit/limits.js'
import { BY_ITSELF, type Actor, type NewEntry } from '../../src/audit/types.js'
import { DAY, HOUR, ManualClock } from '../../src/lib/clock.js'
import { ServiceError } from '../../src/lib/errors.js'
import { derivedId } from '../../src/lib/ids.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { createStore } from '../../src/store/store.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const signal = new AbortController().signal
const OPERATOR: Actor = { type: 'operator', id: null, name: 'grace' }
const KEY: Actor = { type: 'key', id: 'key_1', name: null }
const FROM = { address: '192.0.2.7', user_agent: 'curl/8' }

function setting(t: Test) {
  const store = createStore(memoryEngine({ conflicts: 0.1 }))
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 23))
  const { log, lines } = captureLog()
  const metrics = createMetrics()
  const audit = createAudit({ store, clock, retentionMs: 400 * DAY, log, metrics })
  t.teardown(() => store.close())
  const all = async () => (await audit.list({ limit: 500 })).data
  return { store, clock, lines, metrics, audit, all }
}

const made: NewEntry = {
  action: 'key.made',
  actor: KEY,
  from: FROM,
  subject: { account_id: 'acc_1', mailbox_id: 'mbx_1' },
}

t.test('a change has its entry before it is made, and what came of it afterwards', async (t) => {
  const { audit, all, lines, metrics } = setting(t)
  await audit.around(
    made,
    async () => {
      t.match(await all(), [{ action: 'key.made', result: 'unknown' }], 'a crash in the middle leaves this')
      return 'key_2'
    },
    (id) => ({ subject: { key_id: id } }),
  )
  t.match(await all(), [
    {
      action: 'key.made',
      result: 'done',
      actor: KEY,
      from: FROM,
      subject: { account_id: 'acc_1', mailbox_id: 'mbx_1', key_id: 'key_2' },
    },
  ])
  t.match(lines, [
    { msg: 'audit', action: 'key.made', result: 'done', actor: 'key', actor_id: 'key_1', key_id: 'key_2' },
  ])
  t.match((await metrics.render()).body, 'restante_audit_entries_total{action="key.made",result="done"} 1')
})

t.test(
  'what the operator is refused is kept with the code, what others are refused is not, and the error is theirs',
  async (t) => {
    const { audit, all } = setting(t)
    const refuse = async () => {
      throw new ServiceError('not_found', 'There is no such key.', 'List them.')
    }
    await t.rejects(audit.around(made, refuse), { code: 'not_found' })
    t.same(await all(), [])
    await t.rejects(audit.around({ ...made, actor: OPERATOR }, refuse), { code: 'not_found' })
    t.match(await all(), [{ result: 'refused', code: 'not_found' }])
    const fail = async () => {
      throw new Error('disk')
    }
    await t.rejects(audit.around(made, fail), { message: 'disk' })
    t.match((await all())[0], { result: 'failed', code: 'internal' }, 'how far it came nobody knows')
    await audit.around(
      { ...made, actor: OPERATOR },
      async () => 1,
      () => ({ isNothing: true }),
    )
    t.equal((await all()).length, 2, 'of what changed nothing there is nothing')
    t.equal(await audit.count(9_999), 2)
  },
)

t.test('what is told twice under one id is one entry', async (t) => {
  const { audit, all, lines } = setting(t)
  const at = Date.UTC(2026, 10, 20, 22)
  const entry: NewEntry = {
    id: derivedId('aud', 'account.suspended acc_1', at),
    at,
    action: 'account.suspended',
    actor: BY_ITSELF,
    subject: { account_id: 'acc_1' },
    reason: 'bounces over 10 %',
  }
  await audit.record(entry)
  await audit.record(entry)
  t.match(await all(), [{ at: '2026-11-20T22:00:00.000Z', reason: 'bounces over 10 %', result: 'done' }])
  t.equal(lines.length, 1)
})

t.test('one account fills a day only so far, and the operator is not kept out by it', async (t) => {
  const { audit, clock } = setting(t)
  for (let i = 0; i < MAX_ENTRIES_A_DAY + 5; i++) await audit.record(made)
  await audit.record({ ...made, actor: OPERATOR })
  t.equal(await audit.count(9_999), MAX_ENTRIES_A_DAY + 1)
  t.equal((await audit.list({ limit: 1 })).not_kept, 5)
  clock.advance(2 * HOUR)
  await audit.record(made)
  t.equal(await audit.count(9_999), MAX_ENTRIES_A_DAY + 2, 'the next day is another')
})

t.test('entries are found by time, action, actor and what they are about, page by page', async (t) => {
  const { audit, clock } = setting(t)
  await audit.record(made)
  clock.advance(2 * HOUR)
  await audit.record({ action: 'key.revoked', actor: OPERATOR, subject: { mailbox_id: 'mbx_1', key_id: 'key_9' } })
  clock.advance(HOUR)
  const now = clock.now()
  await audit.record({ action: 'domain.added', actor: KEY, subject: { domain: 'Example.org', account_id: 'acc_2' } })
  const actions = async (query: Partial<Parameters<typeof audit.list>[0]>) =>
    (await audit.list({ limit: 10, ...query })).data.map(({ action }) => action)
  t.same(await actions({}), ['domain.added', 'key.revoked', 'key.made'], 'the newest first, over two days')
  t.same(await actions({ action: 'key' }), ['key.revoked', 'key.made'])
  t.same(await actions({ action: 'key.made' }), ['key.made'])
  t.same(await actions({ actor: 'grace' }), ['key.revoked'])
  t.same(await actions({ actor: 'key' }), ['domain.added', 'key.made'])
  t.same(await actions({ subjects: [['mbx_1']] }), ['key.revoked', 'key.made'])
  t.same(await actions({ subjects: [['mbx_1'], ['key_9', 'x']] }), ['key.revoked'])
  t.same(await actions({ subjects: [['example.ORG']] }), ['domain.added'])
  t.same(await actions({ since: now }), ['domain.added'])
  t.same(await actions({ until: now }), ['key.revoked', 'key.made'])
  const pages: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof audit.list>> = await audit.list({ limit: 1, cursor: cursor ?? undefined })
    pages.push(...page.data.map(({ action }) => action))
    cursor = page.next_cursor
  } while (cursor !== null)
  t.same(pages, ['domain.added', 'key.revoked', 'key.made'])
  await t.rejects(audit.list({ limit: 1, cursor: 'x' }), { code: 'invalid_request' })
})

t.test('a deleted account leaves ids, and no name, address or network', async (t) => {
  const { audit, all } = setting(t)
  const subject = { account_id: 'acc_1', address: 'ada@agents.test' }
  await audit.record({ ...made, actor: { type: 'session', id: 'ses_1', name: 'ada@owner.test' }, subject })
  await audit.record({ ...made, subject: { mailbox_id: 'mbx_1', address: 'ada@agents.test' } })
  await audit.record({
    action: 'account.suspended',
    actor: OPERATOR,
    subject: { account_id: 'acc_1' },
    reason: 'ada spams',
  })
  await audit.record({ ...made, subject: { account_id: 'acc_2', address: 'bob@agents.test' } })
  await audit.forget('acc_1', ['mbx_1'])
  await audit.forget('acc_1', ['mbx_1'])
  const left = JSON.stringify(await all())
  t.notMatch(left, /ada@|ada spams/)
  t.match(left, 'bob@agents.test')
  t.match(left, 'grace')
  t.equal((await all()).length, 4)
  t.same(
    (await all()).map(({ from }) => from?.address ?? null),
    ['192.0.2.7', null, null, null],
  )
})

t.test('whole days go when their time is over', async (t) => {
  const { audit, clock, store } = setting(t)
  await audit.record(made)
  clock.advance(2 * HOUR)
  await audit.record(made)
  clock.advance(399 * DAY + 23 * HOUR)
  t.equal(await audit.sweep(signal), 1, 'an entry is one row')
  t.equal(await audit.count(9_999), 1)
  clock.advance(2 * DAY)
  await audit.sweep(signal)
  t.same(await store.partitions('', 10), [])
})
