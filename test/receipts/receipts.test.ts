import t, { type Test } from 'tap'
import { DAY, HOUR, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { newId } from '../../src/lib/ids.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { MAX_RECIPIENTS, REFUSED_PER_NETWORK_AND_HOUR } from '../../src/receipts/bounds.js'
import { placeOf } from '../../src/receipts/keys.js'
import { isAccepted, packReceipt, unpackReceipt } from '../../src/receipts/record.js'
import { createReceipts } from '../../src/receipts/receipts.js'
import type { Receipt } from '../../src/receipts/types.js'
import type { Engine } from '../../src/store/engine.js'
import { createStore } from '../../src/store/store.js'
import { captureLog } from '../support/log.js'
import { BOX, receiptAt } from '../support/receipts.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { ENGINES } from '../store/engines.js'

const signal = new AbortController().signal
const EVERYTHING = { gte: new Uint8Array(0), lt: Uint8Array.of(0xff) }
const NO_SUCH = { code: 550, enhanced: '5.1.1', text: 'no such mailbox here' }

function setting(t: Test, store = createStore(memoryEngine({ conflicts: 0.1 }))) {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 23))
  const { log, lines } = captureLog()
  const metrics = createMetrics()
  const receipts = createReceipts({ store, clock, retentionMs: 30 * DAY, log, metrics })
  t.teardown(async () => {
    await receipts.stop()
    await store.close()
  })
  const add = (change: Partial<Receipt> = {}): Receipt => {
    const receipt = receiptAt(clock.now(), change)
    receipts.add(receipt)
    return receipt
  }
  return { store, clock, receipts, lines, metrics, add }
}

const refused: Partial<Receipt> = {
  outcome: 'refused',
  reply: NO_SUCH,
  recipients: [{ address: 'nobody@agents.test', mailbox: null, refusal: NO_SUCH }],
}

const manyRecipients = (): Receipt['recipients'] =>
  Array.from({ length: 100 }, (_, i) => ({
    address: `${'x'.repeat(300)}${i}@agents.test`,
    mailbox: null,
    refusal: { ...NO_SUCH, text: 'x'.repeat(255) },
  }))

t.test('a receipt is found by its number, in whatever day and however long its attempt took', async (t) => {
  const { receipts, clock, add } = setting(t)
  const begun = newId('rcp', clock.now())
  for (let i = 0; i < 3; i++) add()
  clock.advance(HOUR - MINUTE)
  const slow = add({ id: begun })
  clock.advance(2 * MINUTE)
  const next = add()
  t.strictSame(await receipts.find(begun), slow, 'an hour after its number was given, and over midnight')
  t.strictSame(await receipts.find(next.id), next)
  t.strictSame((await receipts.list({ id: next.id, limit: 1 })).data, [next])
  t.equal(await receipts.find(newId('rcp', clock.now())), undefined)
  t.equal(await receipts.find('rcp_nonsense'), undefined)
  clock.advance(31 * DAY)
  t.equal(await receipts.find(next.id), undefined, 'past its time')
})

for (const engine of ENGINES) {
  t.test(`a receipt is found again as it was, by time and by every address of it (${engine.name})`, async (t) => {
    const { receipts, clock, add } = setting(t, engine.openStore(t))
    const first = add()
    clock.advance(HOUR)
    const second = add({ ...refused, from: 'Eve@Peer.test' })
    clock.advance(HOUR)
    const third = add({ from: '' })
    const ids = async (query: { address?: string; since?: number; until?: number }): Promise<string[]> =>
      (await receipts.list({ limit: 10, ...query })).data.map(({ id }) => id)
    t.strictSame((await receipts.list({ limit: 10 })).data, [third, second, first], 'the newest first, over two days')
    t.strictSame(await ids({ address: 'BOB@peer.test' }), [first.id], 'sender')
    t.strictSame(await ids({ address: 'eve@peer.test' }), [second.id], 'sender in another case')
    t.strictSame(await ids({ address: 'ada+news@agents.test' }), [third.id, first.id], 'recipient as it was given')
    t.strictSame(await ids({ address: 'ada@agents.test' }), [third.id, first.id], 'mailbox')
    t.strictSame(await ids({ address: 'nobody@agents.test' }), [second.id], 'refused recipient')
    t.strictSame(await ids({ address: 'stranger@agents.test' }), [])
    const [one = 0, two = 0] = [first, second].map(({ at }) => Date.parse(at))
    t.strictSame(await ids({ since: two }), [third.id, second.id], 'since is inclusive')
    t.strictSame(await ids({ until: two }), [first.id], 'until is exclusive')
    t.strictSame(await ids({ since: one + 1, until: two + 1, address: 'eve@peer.test' }), [second.id])
    t.strictSame(await ids({ until: -5 }), [])
  })
}

t.test('an accepted message is one row of its day, and nothing else is written', async (t) => {
  const { store, receipts, add } = setting(t)
  const { id, at } = add({ recipients: [{ address: 'x@agents.test', mailbox: BOX, refusal: null }] })
  await receipts.flush()
  t.same(await store.partitions('', 10), ['receipts/2026-11-20'])
  const rows = await store.read('receipts/2026-11-20', (view) => view.range(EVERYTHING))
  t.same(
    rows.map(([row]) => placeOf(row)),
    [{ at: Date.parse(at), id }],
  )
})

t.test('every field of a receipt is stored, whatever it has or lacks', async (t) => {
  const auth = {
    spf: 'pass',
    spf_domain: 'peer.test',
    dkim: 'none',
    dkim_domain: null,
    dmarc: 'fail',
    dmarc_domain: 'peer.test',
    dmarc_policy: 'reject',
    arc: 'none',
  }
  const whole = receiptAt(Date.UTC(2026, 10, 20), {
    client: { address: '2001:db8::1', name: 'mail.peer.test' },
    tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
    recipients: [
      { address: 'ada@agents.test', mailbox: BOX, refusal: null },
      { address: 'Ada+x@agents.test', mailbox: BOX, refusal: NO_SUCH },
      { address: 'zoë@agents.test', mailbox: null, refusal: { ...NO_SUCH, reason: 'unknown' } },
    ],
    auth,
    spam: { score: 7.5, verdict: 'spam', reasons: ['A', 'B'] },
    labels: ['spam'],
    reply: { code: 550, enhanced: '5.7.1', text: 'no', reason: 'spam' },
  })
  const bare = receiptAt(Date.UTC(2026, 10, 20), {
    recipients: [],
    size_bytes: null,
    virus: null,
    reply: null,
    from: '',
  })
  for (const outcome of ['accepted', 'refused', 'deferred', 'abandoned'] as const)
    for (const receipt of [whole, bare].map((each) => ({ ...each, outcome }))) {
      const place = { at: Date.parse(receipt.at), id: receipt.id }
      const packed = packReceipt(receipt)
      t.same(unpackReceipt(place, packed), receipt)
      t.ok(packed.length < JSON.stringify(receipt).length * 0.75, `${packed.length} bytes`)
      t.equal(isAccepted(packed), outcome === 'accepted')
    }
  t.throws(() => unpackReceipt({ at: 0, id: 'rcp_x' }, Buffer.of(9)), SyntaxError)
})

t.test('the limit of a day holds after a start too: it is counted again from what is stored', async (t) => {
  const store = createStore(memoryEngine({ conflicts: 0 }))
  const first = setting(t, store)
  first.clock.advance(2 * HOUR)
  const long = { ...refused, recipients: manyRecipients() }
  for (let i = 0; i < 180; i++) first.add({ ...long, client: { address: `198.51.100.${i}`, name: null } })
  const { data, not_kept } = await first.receipts.list({ limit: 1000 })
  t.ok(not_kept > 0)
  const again = createReceipts({ store, clock: first.clock, retentionMs: DAY, log: captureLog().log })
  again.add(receiptAt(first.clock.now(), { ...long, client: { address: '203.0.113.1', name: null } }))
  again.add(receiptAt(first.clock.now(), {}))
  const list = await again.list({ limit: 1000 })
  t.equal(list.data.length, data.length + 1, 'the accepted one')
  t.equal(list.not_kept, not_kept + 1)
  await again.stop()
})

t.test('pages go on where the one before ended, also among receipts of one moment', async (t) => {
  const { receipts, clock, add } = setting(t)
  const all: string[] = []
  for (let i = 0; i < 25; i++) {
    all.unshift(add().id)
    if (i % 10 === 9) clock.advance(HOUR)
  }
  for (const address of [undefined, 'bob@peer.test']) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await receipts.list({ limit: 7, cursor, address })
      t.ok(page.data.length <= 7)
      seen.push(...page.data.map(({ id }) => id))
      t.equal(page.has_more, page.next_cursor !== null)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    t.strictSame(seen, all)
  }
  await t.rejects(receipts.list({ limit: 7, cursor: 'nonsense' }), { code: 'invalid_request' })
})

t.test('after 30 days a receipt is not told of any more, and a sweep takes its whole day away', async (t) => {
  const { receipts, clock, store, add } = setting(t)
  const old = add()
  clock.advance(20 * DAY)
  const young = add()
  const ids = async (): Promise<string[]> => (await receipts.list({ limit: 10 })).data.map(({ id }) => id)
  clock.advance(10 * DAY)
  t.strictSame(await ids(), [young.id, old.id], '30 days to the millisecond')
  clock.advance(1)
  t.strictSame(await ids(), [young.id])
  t.equal(await receipts.sweep(signal), 0, 'the day is not over for all of its receipts')
  clock.advance(2 * HOUR)
  t.ok((await receipts.sweep(signal)) > 0)
  t.equal(await receipts.sweep(signal), 0)
  const rows = await store.read('receipts/2026-11-20', (view) => view.range(EVERYTHING))
  t.strictSame(rows, [], 'nothing is left of the day')
  t.strictSame(await ids(), [young.id])
  const again = add()
  t.strictSame(await ids(), [again.id, young.id])
})

t.test(
  'a stranger who is refused again and again leaves a bounded number of receipts, and it is counted',
  async (t) => {
    const { receipts, clock, metrics, add } = setting(t)
    for (let i = 0; i < REFUSED_PER_NETWORK_AND_HOUR + 50; i++) add(refused)
    add()
    add({ ...refused, client: { address: '192.0.2.8', name: null } })
    const list = await receipts.list({ limit: 1000 })
    t.equal(list.data.length, REFUSED_PER_NETWORK_AND_HOUR + 2, 'accepted mail and other networks go on')
    t.equal(list.not_kept, 50)
    t.match((await metrics.render()).body, /receipts_dropped_total\{limit="network"\} 50/)
    clock.advance(HOUR)
    add(refused)
    t.equal((await receipts.list({ limit: 1000 })).data.length, REFUSED_PER_NETWORK_AND_HOUR + 3, 'the next hour')
  },
)

t.test('many strangers together fill a bounded part of the disk a day', async (t) => {
  const { store, receipts, clock, add } = setting(t, createStore(memoryEngine({ lateness: 0, conflicts: 0 })))
  clock.advance(2 * HOUR)
  const many = manyRecipients()
  for (let i = 0; i < 180; i++) {
    add({ ...refused, recipients: many, client: { address: `198.51.100.${i}`, name: null } })
    if (i % 50 === 0) await receipts.flush()
  }
  const list = await receipts.list({ limit: 1000 })
  const rows = await store.read('receipts/2026-11-21', (view) => view.range(EVERYTHING))
  const bytes = rows.reduce((sum, [row, value]) => sum + row.length + value.length, 0)
  t.ok(bytes < 9 * 1024 * 1024, 'within what the first hours of a day allow')
  t.ok(list.data.length > 50)
  t.equal(list.data.length + list.not_kept, 180)
  add()
  t.equal(
    (await receipts.list({ limit: 1 })).data[0]?.outcome,
    'accepted',
    'accepted mail has its receipt all the same',
  )
})

t.test('what a stranger wrote is cut to a size and cannot break a line', async (t) => {
  const { receipts, add } = setting(t)
  const recipients = Array.from({ length: 300 }, (_, i) => ({
    address: `r${i}@agents.test`,
    mailbox: i < 250 ? BOX : null,
    refusal: i < 250 ? null : NO_SUCH,
  }))
  add({ helo: `a\r\nb\u0000${'x'.repeat(2000)}`, from: `${'y'.repeat(5000)}@peer.test`, recipients })
  const [kept] = (await receipts.list({ limit: 1 })).data
  t.equal(kept?.helo.length, 255)
  t.match(kept?.helo, /^a b x/)
  t.equal(kept?.from.length, 320)
  t.equal(kept?.recipients.length, MAX_RECIPIENTS)
  t.equal(kept?.recipients_left_out, 200)
  t.equal(kept?.recipients.filter(({ refusal }) => refusal).length, 50, 'refused ones are not among those left out')
})

t.test('many receipts share a commit, and nobody waits for it', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  let commits = 0
  const counting: Engine = {
    ...engine,
    commit(checks, ops, mark) {
      if (ops.some(({ partition }) => partition.startsWith('receipts/'))) commits++
      return engine.commit(checks, ops, mark)
    },
  }
  const { receipts, add } = setting(t, createStore(counting))
  for (let i = 0; i < 150; i++) add()
  t.equal(commits, 0, 'add returns before anything is written')
  await receipts.flush()
  t.equal(commits, 1)
  t.equal((await receipts.list({ limit: 500 })).data.length, 150)
})

t.test('while the store does not write, receipts wait in bounded memory, and are written when it does', async (t) => {
  const engine = memoryEngine({ lateness: 0, conflicts: 0 })
  let full = true
  const failing: Engine = {
    ...engine,
    commit: (checks, ops, mark) => (full ? Promise.reject(new Error('disk full')) : engine.commit(checks, ops, mark)),
  }
  const { receipts, lines, add } = setting(t, createStore(failing))
  const recipients = Array.from({ length: 100 }, (_, i) => ({
    address: `${'r'.repeat(300)}${i}@agents.test`,
    mailbox: BOX,
    refusal: null,
  }))
  for (let i = 0; i < 600; i++) add({ recipients })
  await receipts.flush()
  t.match(lines.at(-1), { level: 'warn', err: { message: 'disk full' } })
  full = false
  const list = await receipts.list({ limit: 1000 })
  t.ok(list.data.length > 100 && list.data.length < 600)
  t.equal(list.data.length + list.not_kept, 600, 'what did not fit is counted')
})

t.test('stop writes what is left, and says what could not be written', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  const store = createStore(engine)
  const { receipts, add } = setting(t, store)
  add()
  await receipts.stop()
  const again = createReceipts({
    store,
    clock: new ManualClock(Date.UTC(2026, 10, 21)),
    retentionMs: DAY,
    log: captureLog().log,
  })
  t.equal((await again.list({ limit: 5 })).data.length, 1)

  const { log, lines } = captureLog()
  const broken: Engine = { ...memoryEngine(), commit: () => Promise.reject(new Error('disk full')) }
  const lost = createReceipts({ store: createStore(broken), clock: new ManualClock(), retentionMs: DAY, log })
  lost.add(receiptAt(Date.UTC(2026, 0, 1), {}))
  await lost.stop()
  t.match(lines.at(-1), { level: 'error', lost: 1 })
})
