/** Limits of one client, held by several daemons over one store. */
import t, { type Test } from 'tap'
import { createAudit } from '../../../src/audit/audit.js'
import { MAX_ENTRIES_A_DAY } from '../../../src/audit/limits.js'
import type { NewEntry } from '../../../src/audit/types.js'
import { createRateLimits } from '../../../src/http/limits/limits.js'
import { DAY, ManualClock, MINUTE, SECOND, utcDay } from '../../../src/lib/clock.js'
import { createClientLimits, NO_RATES } from '../../../src/mx/intake/client-limits.js'
import { clientOf } from '../../../src/smtp/server/networks.js'
import { createQuota } from '../../../src/oauth/quota.js'
import { REFUSED_PER_NETWORK_AND_HOUR, refusedBytesAllowed } from '../../../src/receipts/bounds.js'
import { dayPartition, receiptsRange } from '../../../src/receipts/keys.js'
import { createReceipts } from '../../../src/receipts/receipts.js'
import type { Receipts } from '../../../src/receipts/types.js'
import { startOfDay } from '../../../src/store/days.js'
import { keyParts, prefixRange } from '../../../src/store/keys.js'
import { startSharedCounts } from '../../../src/store/nodes/shared-counts.js'
import { pagesOf } from '../../../src/store/pages.js'
import { createStore } from '../../../src/store/store.js'
import { captureLog } from '../../support/log.js'
import { receiptAt } from '../../support/receipts.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

function cluster(t: Test, engine = memoryEngine()) {
  const clock = new ManualClock()
  const ids: string[] = []
  const errors: unknown[] = []
  const node = (id: string) => {
    ids.push(id)
    const store = createStore(engine)
    const counts = startSharedCounts({
      store,
      nodes: { id, peers: () => ids.filter((other) => other !== id) },
      clock,
      onError: (error) => errors.push(error),
      every: () => () => undefined,
    })
    t.teardown(() => counts.stop())
    return { counts, store }
  }
  return { clock, ids, errors, node }
}

t.test('requests of a key over two nodes are limited as one, within a fifth', async (t) => {
  const { clock, node } = cluster(t)
  const [a, b] = [node('a'), node('b')]
  const nodes = [a, b].map(({ counts }) => createRateLimits({ perKey: 600, perAccount: 6000 }, counts))
  let admitted = 0
  for (let second = 0; second < 20; second++) {
    for (const rates of nodes)
      for (let i = 0; i < 50; i++) {
        try {
          rates.countCaller({ keyId: 'key_1', account: undefined })
          admitted++
        } catch (error) {
          t.match(error, { code: 'rate_limited' })
        }
      }
    clock.advance(SECOND)
    await Promise.all([a.counts.exchange(), b.counts.exchange()])
    await Promise.all([a.counts.exchange(), b.counts.exchange()])
  }
  t.ok(admitted >= 600 && admitted <= 720, `${admitted} of 2000`)
  t.match(nodes[0]?.countClient('203.0.113.9'), { remaining: 599 }, 'others go on')
})

t.test('refused mail at two nodes fills the share of one network, and the day of one node', async (t) => {
  const { clock, node } = cluster(t)
  // At the first moment of a day, when the least is allowed.
  clock.advance(startOfDay(utcDay(clock.now())) + DAY - clock.now())
  const nodes = [node('a'), node('b')].map(({ counts, store }) => {
    const { log } = captureLog()
    const receipts = createReceipts({ store, clock, retentionMs: 30 * DAY, log, shared: counts })
    t.teardown(() => receipts.stop())
    return { counts, store, receipts }
  })
  const refuse = (receipts: Receipts, address: string, text = ''): void => {
    const recipients = Array.from({ length: text === '' ? 1 : 100 }, (_, i) => ({
      address: `${text}${i}@agents.test`,
      mailbox: null,
      refusal: { code: 550, enhanced: '5.1.1', text: `no such mailbox ${text}` },
    }))
    receipts.add(receiptAt(clock.now(), { outcome: 'refused', recipients, client: { address, name: null } }))
  }
  const settle = async (): Promise<void> => {
    for (const { receipts } of nodes) await receipts.flush()
    for (let i = 0; i < 2; i++) await Promise.all(nodes.map(({ counts }) => counts.exchange()))
  }
  for (let second = 0; second < 20; second++) {
    for (const { receipts } of nodes) for (let i = 0; i < 20; i++) refuse(receipts, '192.0.2.7')
    await settle()
  }
  const [first] = nodes
  if (!first) throw new Error('no nodes')
  t.equal(await first.receipts.count(9999), REFUSED_PER_NETWORK_AND_HOUR, 'of 800')

  for (let n = 0; n < 100; n++) {
    for (const [i, { receipts }] of nodes.entries())
      for (let each = 0; each < 4; each++) refuse(receipts, `198.51.${n}.${10 * i + each}`, 'x'.repeat(200))
    await settle()
  }
  let bytes = 0
  const day = utcDay(clock.now())
  for await (const rows of pagesOf(first.store, dayPartition(day), receiptsRange))
    for (const [, value] of rows) bytes += value.length
  const allowed = refusedBytesAllowed(startOfDay(day), clock.now())
  t.ok(bytes > 0.9 * allowed && bytes < 1.1 * allowed, `${bytes} of ${allowed}`)
})

t.test('one account fills a day of the audit log once, however many nodes it uses', async (t) => {
  const { clock, node } = cluster(t)
  const nodes = [node('a'), node('b')].map(({ counts, store }) => {
    const { log } = captureLog()
    return { counts, audit: createAudit({ store, clock, retentionMs: 30 * DAY, log, shared: counts }) }
  })
  const entry: NewEntry = {
    action: 'key.made',
    actor: { type: 'key', id: 'key_1', name: null },
    from: null,
    subject: { account_id: 'acc_1' },
  }
  for (let second = 0; second < 15; second++) {
    for (let i = 0; i < 100; i++) for (const { audit } of nodes) await audit.record(entry)
    for (let i = 0; i < 2; i++) await Promise.all(nodes.map(({ counts }) => counts.exchange()))
  }
  const [first] = nodes
  t.equal(await first?.audit.count(9999), MAX_ENTRIES_A_DAY)
  const { not_kept: notKept = 0 } = (await first?.audit.list({ action: 'account.suspended', limit: 1 })) ?? {}
  t.ok(notKept >= 900 && notKept <= 1000, `${notKept} of 1000 that were left out, at either node`)
})

t.test('every count comes once to each of the others, and none comes back', async (t) => {
  const { node, errors } = cluster(t, memoryEngine({ conflicts: 0.3 }))
  const all = ['a', 'b', 'c'].map((id) => {
    const taken: [string, number][] = []
    const { counts } = node(id)
    return { taken, counts, tell: counts.join('claims', (name, count) => taken.push([name, count])) }
  })
  const [a, b, c] = all
  if (!a || !b || !c) throw new Error('no nodes')
  const exchange = async (): Promise<void> => {
    for (let i = 0; i < 2; i++) await Promise.all(all.map(({ counts }) => counts.exchange()))
  }
  a.tell('x', 1)
  a.tell('x', 2)
  a.tell('y', 1)
  a.tell('y', -1)
  b.tell('x', 5)
  await exchange()
  await exchange()
  a.tell('x', 7)
  await exchange()
  t.strictSame(a.taken, [['x', 5]])
  t.strictSame(b.taken, [
    ['x', 3],
    ['x', 7],
  ])
  t.same(
    c.taken.filter(([, count]) => count !== 5),
    [
      ['x', 3],
      ['x', 7],
    ],
  )
  t.equal(c.taken.length, 3)
  t.strictSame(errors, [])
})

t.test('a node alone asks the store for nothing and collects nothing', async (t) => {
  const asked: string[] = []
  const refuse = (): never => {
    asked.push('asked')
    throw new Error('the store is asked')
  }
  const { node } = cluster(t, { ...memoryEngine(), commit: refuse, read: refuse, versions: refuse })
  const { counts } = node('a')
  const tell = counts.join('claims', () => undefined)
  tell('x', 1)
  await counts.exchange()
  t.strictSame(asked, [])
})

t.test(
  'strangers fill neither memory nor store; the highest counts are told first, and the others later',
  async (t) => {
    const { clock, node } = cluster(t)
    const [a, b] = [node('a'), node('b')]
    const taken = new Map<string, number>()
    b.counts.join('claims', (name, count) => void taken.set(name, count))
    const tell = a.counts.join('claims', () => undefined)
    for (let i = 0; i < 50_000; i++) tell(`network ${i}`, 1)
    for (let i = 0; i < 10; i++) tell('network 5000', 1)
    await a.counts.exchange()
    await b.counts.exchange()
    t.equal(taken.get('network 5000'), 11)
    t.equal(taken.size, 1000)
    for (let i = 0; i < 30; i++) {
      clock.advance(SECOND)
      await a.counts.exchange()
      await b.counts.exchange()
    }
    t.equal(taken.size, 10_000)
    const rows = await b.store.read('cluster/rates/a', (view) => view.range(prefixRange('counts')))
    t.ok(rows.length <= 10)
  },
)

t.test('a store that fails loses no counts, and rows of a node that has gone are removed', async (t) => {
  const hook = { fails: false }
  const engine = memoryEngine()
  const { clock, ids, node, errors } = cluster(t, {
    ...engine,
    async commit(checks, ops, mark) {
      if (hook.fails) throw new Error('no answer')
      return engine.commit(checks, ops, mark)
    },
  })
  const [a, b] = [node('a'), node('b')]
  const tell = a.counts.join('claims', () => undefined)
  const taken: number[] = []
  b.counts.join('claims', (_name, count) => taken.push(count))
  hook.fails = true
  tell('x', 1)
  await a.counts.exchange()
  t.match(errors, [{ message: 'no answer' }])
  hook.fails = false
  tell('x', 2)
  await a.counts.exchange()
  await b.counts.exchange()
  t.strictSame(taken, [3])

  ids.splice(ids.indexOf('a'), 1)
  clock.advance(2 * MINUTE)
  await node('c').counts.exchange()
  t.equal(await b.store.version('cluster/rates/a'), 0n)
})

t.test('a node that stops leaves no rows', async (t) => {
  const { node } = cluster(t)
  const [a, b] = [node('a'), node('b')]
  a.counts.join('claims', () => undefined)('x', 1)
  await a.counts.exchange()
  const [row] = await b.store.read('cluster/rates/a', (view) => view.range(prefixRange('counts')))
  t.equal(row && keyParts(row[0])[0], 'counts')
  await a.counts.stop()
  t.equal(await b.store.version('cluster/rates/a'), 0n)
})

t.test('SMTP clients and OAuth clients meet the limits of all nodes', async (t) => {
  const { clock, node } = cluster(t)
  const [a, b] = [node('a'), node('b')]
  const exchange = async (): Promise<void> => {
    await a.counts.exchange()
    await b.counts.exchange()
  }
  const rates = {
    ...NO_RATES,
    connectionsPerMinute: { address: 3, network: 0 },
    badRecipientsPerHour: { address: 2, network: 0 },
  }
  const [here, there] = [a, b].map(({ counts }) => createClientLimits({ rates, clock, shared: counts }))
  if (!here || !there) throw new Error('no limits')
  const client = clientOf('203.0.113.9')
  for (let i = 0; i < 3; i++) t.equal(here.connection(client), undefined)
  here.recipientUnknown(client)
  here.recipientUnknown(client)
  here.connectionPaid(client)
  await exchange()
  t.equal(there.connection(client), undefined, 'one of the three has brought mail')
  t.match(there.connection(client), { reason: 'connection_rate' })
  t.match(there.recipientNamed(client), { reason: 'bad_recipients_hour' })

  const quotas = [a, b].map(({ counts }) =>
    createQuota({ perNetwork: 2, inAll: 3 }, clock, { counts, name: 'registrations' }),
  )
  t.ok(quotas[0]?.take('203.0.113.9'))
  t.ok(quotas[0]?.take('203.0.113.9'))
  await exchange()
  t.notOk(quotas[1]?.take('203.0.113.9'))
  t.ok(quotas[1]?.take('198.51.100.1'))
  t.notOk(quotas[1]?.take('198.51.100.2'), 'all together')
})
