import t, { type Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import { dayOf } from '../../src/accounts/outcomes.js'
import { charge, giveBack } from '../../src/accounts/recipients.js'
import { accountPartition } from '../../src/accounts/record.js'
import type { Accounts } from '../../src/accounts/types.js'
import type { AccountMailbox } from '../../src/accounts/usage.js'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { ServiceError } from '../../src/lib/errors.js'
import { sha256Hex } from '../../src/lib/ids.js'
import { putKey } from '../../src/accounts/keys.js'
import type { Engine } from '../../src/store/engine.js'
import { decode, encode, key } from '../../src/store/keys.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import type { Store, Transaction } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { reaching, type Reach } from '../support/recipients.js'

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1_000_000,
  requestsPerMinute: 600,
  recipientsPerMessage: 50,
  messageBytes: 2_000_000,
  attachmentsPerMessage: 20,
  longPollSeconds: 60,
}

interface Setting {
  accounts: Accounts
  reach: Reach
  store: Store
  clock: ManualClock
  mailboxes: Map<string, AccountMailbox>
}

function setting(t: Test, engine: Engine = memoryEngine(), operator?: string): Setting {
  const store = createStore(engine)
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const mailboxes = new Map<string, AccountMailbox>()
  const accounts = createAccounts({ store, clock, limits: LIMITS, mailbox: async (id) => mailboxes.get(id), operator })
  return { accounts, reach: reaching({ store, clock, accounts }), store, clock, mailboxes }
}

const mailbox = (changes: Partial<AccountMailbox> = {}): AccountMailbox => ({
  status: 'pending',
  createdAt: Date.UTC(2026, 0, 1),
  accountId: null,
  usedBytes: 0,
  sentCount: 0,
  receivedCount: 0,
  today: { date: '2026-01-01', sent: 0, received: 0 },
  ...changes,
})

/** Changes an account as staff or the growth of trust would. */
async function change({ store }: Setting, id: string, fields: object): Promise<void> {
  await store.write(`account/${id}`, async (tx) => {
    const bytes = await tx.get(key('account'))
    if (bytes) tx.put(key('account'), encode({ ...decode<object>(bytes), ...fields }))
  })
}

const people = (count: number, of = 'person'): string[] =>
  Array.from({ length: count }, (_, i) => `${of}${i}@example.com`)

const engines: [string, (t: Test) => Engine][] = [
  ['memory', () => memoryEngine({ conflicts: 0.3 })],
  ['lmdb', (t) => openLmdb({ path: t.testdir() })],
]

void t.test('a key opens its mailbox; anything else opens nothing', async (t) => {
  const s = setting(t)
  const account = await s.accounts.ensure('ana@example.org')
  const pending = `rst_pending_${'a'.repeat(43)}`
  await putKey(s.store, sha256Hex(pending), { keyId: 'key_1', mailboxId: 'mbx_1', createdAt: 0 })
  t.equal(await s.accounts.authenticate(pending), undefined, 'the mailbox is gone')

  s.mailboxes.set('mbx_1', mailbox())
  t.match(await s.accounts.authenticate(pending), {
    keyId: 'key_1',
    mailboxId: 'mbx_1',
    mailboxStatus: 'pending',
    account: undefined,
  })
  s.mailboxes.set('mbx_1', mailbox({ status: 'claimed', accountId: account.id }))
  t.match(await s.accounts.authenticate(pending), {
    mailboxStatus: 'claimed',
    account: { id: account.id, status: 'active' },
  })

  for (const wrong of [
    '',
    'rst_pending_',
    pending.slice(0, -1),
    `${pending}a`,
    ` ${pending}`,
    pending.toUpperCase(),
    'x'.repeat(1e6),
  ]) {
    t.equal(await s.accounts.authenticate(wrong), undefined, wrong.slice(0, 80))
  }
})

void t.test('knowing who calls costs two reads and the mailbox, and no write', async (t) => {
  const engine = memoryEngine({ conflicts: 0, lateness: 0 })
  let reads = 0
  let commits = 0
  const counted: Engine = {
    ...engine,
    read: (fn) =>
      engine.read((reader) =>
        fn({
          ...reader,
          getMany: (partition, keys) => (reads++, reader.getMany(partition, keys)),
          range: (partition, range) => (reads++, reader.range(partition, range)),
        }),
      ),
    commit: (checks, ops, mark) => (commits++, engine.commit(checks, ops, mark)),
  }
  const s = setting(t, counted)
  const account = await s.accounts.ensure(null)
  for (let i = 0; i < 30; i++) await s.accounts.addMailbox(account.id, `mbx_${i}`)
  s.mailboxes.set('mbx_1', mailbox({ status: 'claimed', accountId: account.id }))
  const made = await s.accounts.createKey('mbx_1')
  await s.accounts.authenticate(made.text)
  reads = commits = 0
  s.clock.advance(HOUR - 1)
  t.match(await s.accounts.authenticate(made.text), { account: { id: account.id } })
  t.equal(reads, 2)
  t.equal(commits, 0)
  s.clock.advance(1)
  await Promise.all(Array.from({ length: 10 }, () => s.accounts.authenticate(made.text)))
  t.equal(commits, 1, 'that it is in use is noted once an hour')
})

void t.test('a claimed mailbox can have further keys, a pending or unknown one not', async (t) => {
  const s = setting(t)
  const account = await s.accounts.ensure(null)
  s.mailboxes.set('mbx_1', mailbox({ status: 'claimed', accountId: account.id }))
  s.mailboxes.set('mbx_2', mailbox())
  const [a, b] = [await s.accounts.createKey('mbx_1'), await s.accounts.createKey('mbx_1')]
  t.match(a.text, /^rst_[0-9A-Za-z]{43}$/)
  t.not(a.text, b.text)
  t.match(await s.accounts.authenticate(a.text), { keyId: a.key.id, mailboxId: 'mbx_1' })
  t.match(await s.accounts.authenticate(b.text), { keyId: b.key.id, mailboxId: 'mbx_1' })
  await t.rejects(s.accounts.createKey('mbx_2'), { code: 'claim_pending' })
  await t.rejects(s.accounts.createKey('mbx_3'), { code: 'not_found' })
})

for (const [name, engine] of engines) {
  void t.test(`one owner has one account, however many ask at once (${name})`, async (t) => {
    const s = setting(t, engine(t), 'Op@Example.org')
    const made = await Promise.all(
      [...'aaaa'].map((_, i) => s.accounts.ensure(i % 2 ? 'Ana@Example.org' : 'ana@example.org')),
    )
    t.equal(new Set(made.map(({ id }) => id)).size, 1)
    t.match(made[0], { owner: 'ana@example.org', status: 'active', trust: 0 })
    t.strictSame(await s.accounts.get(made[0]?.id ?? ''), made[0])
    const operator = await s.accounts.ensure(null)
    t.equal(operator.owner, null)
    t.equal((await s.accounts.ensure('op@example.org')).id, operator.id, 'the operator’s email is the operator')
    t.equal(await s.accounts.get('acc_none'), undefined)
  })

  void t.test(`the day’s limit is exact under concurrency (${name})`, async (t) => {
    const s = setting(t, engine(t))
    const { id } = await s.accounts.ensure('ana@example.org')
    const sends = people(40).map((address, i) => s.reach(id, `msg_${i}`, [address], []))
    const results = await Promise.allSettled(sends)
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 25)
    t.match(await s.accounts.usage(id), { new_recipients: { used: 25, limit: 25, left: 0 } })
  })
}

void t.test('only people never written to count, each once, however they are spelled', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  const first = await s.reach(id, 'msg_1', ['a@example.com', 'A@Example.COM', 'b@example.com'], [])
  t.strictSame(first.fresh, ['a@example.com', 'b@example.com'])
  const second = await s.reach(id, 'msg_2', ['A@EXAMPLE.com', 'c@example.com'], [])
  t.strictSame(second.fresh, ['c@example.com'])
  t.match(await s.accounts.usage(id), { new_recipients: { used: 3, left: 22 } })
})

void t.test('answering somebody who wrote first costs nothing, then or later', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  t.strictSame((await s.reach(id, 'msg_1', ['a@example.com'], ['A@example.com'])).fresh, [])
  t.strictSame((await s.reach(id, 'msg_2', ['a@example.com'], [])).fresh, [])
  t.match(await s.accounts.usage(id), { new_recipients: { used: 0 } })
})

void t.test('what a message cost is given back and counted again, but for whom another has reached', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  const used = async () => (await s.accounts.usage(id)).new_recipients.used
  const within = <T>(fn: (tx: Transaction) => Promise<T>): Promise<T> => s.store.write(accountPartition(id), fn)
  const day = dayOf(s.clock)
  const first = ['a@example.com', 'b@example.com']
  await s.reach(id, 'msg_1', first)
  // Whom another message reaches meanwhile costs that one nothing, and so stays paid for.
  t.strictSame((await s.reach(id, 'msg_2', ['b@example.com'])).fresh, [])
  await within((tx) => giveBack(tx, 'msg_1', { fresh: first, day }, s.clock))
  t.equal(await used(), 1)
  t.strictSame((await s.reach(id, 'msg_3', ['a@example.com'])).fresh, ['a@example.com'])
  await within((tx) => giveBack(tx, 'msg_3', { fresh: ['a@example.com'], day }, s.clock))
  const others = people(24)
  await s.reach(id, 'msg_4', others)
  t.equal(await used(), 25)
  await within((tx) => charge(tx, 'msg_1', first, s.clock))
  t.equal(await used(), 26, 'a person let it go: it is counted and not refused')
  await within((tx) => charge(tx, 'msg_3', ['a@example.com'], s.clock))
  t.equal(await used(), 26, 'its recipient is known by then')
  s.clock.advance(24 * HOUR)
  await s.reach(id, 'msg_5', ['c@example.com'])
  await within((tx) => giveBack(tx, 'msg_4', { fresh: others, day }, s.clock))
  t.equal(await used(), 1, 'what another day has counted takes nothing off this one')
})

void t.test('of a send to somebody known the account has one row to write, or none', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  let rows = 0
  const commit: Engine['commit'] = (checks, ops, mark) => {
    rows += ops.length
    return engine.commit(checks, ops, mark)
  }
  const s = setting(t, { ...engine, commit })
  const { id } = await s.accounts.ensure('ana@example.org')
  const written: number[] = []
  for (let n = 0; n < 5; n++) {
    rows = 0
    await s.reach(id, `msg_${n}`, ['a@example.com'], [], n === 4 ? { high: 1, low: 1 } : undefined)
    written.push(rows)
  }
  t.strictSame(written, [2, 1, 0, 0, 1], 'known and counted; known for good; then how it reads alone')
})

void t.test('past the limit nothing is counted, and the error says when and what to do', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  await s.reach(id, 'msg_1', people(20), [])
  const refused = await s.reach(id, 'msg_2', people(6, 'other'), []).catch((error: unknown) => error)
  t.ok(refused instanceof ServiceError)
  t.match(refused, {
    code: 'new_recipient_limit',
    status: 429,
    message: /6 new recipients, and 5 of today's 25/,
    hint: /GET \/v1\/account\/usage/,
    retryAfterSeconds: 12 * 3600,
  })
  t.strictSame((await s.reach(id, 'msg_3', people(5, 'other'), [])).fresh.length, 5)
  await s.reach(id, 'msg_4', people(20), [])
  await t.rejects(s.reach(id, 'msg_5', people(26, 'many'), []), {
    code: 'new_recipient_limit',
    hint: /at most 25 new recipients/,
  })
})

void t.test('the limit starts anew at midnight UTC', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  await s.reach(id, 'msg_1', people(25), [])
  t.match(await s.accounts.usage(id), { new_recipients: { resets_at: '2026-01-02T00:00:00.000Z' } })
  s.clock.advance(12 * HOUR - 1)
  await t.rejects(s.reach(id, 'msg_2', ['x@example.com'], []), {
    code: 'new_recipient_limit',
    retryAfterSeconds: 1,
  })
  s.clock.advance(1)
  t.match(await s.accounts.usage(id), { new_recipients: { used: 0, left: 25 } })
  await s.reach(id, 'msg_2', ['x@example.com'], [])
})

void t.test('trust doubles the limit with each level, and usage says what earns the next', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  t.match(await s.accounts.usage(id), {
    trust_level: 0,
    next_level: { level: 1, new_recipients_per_day: 50, requires: /50 delivered/ },
  })
  await change(s, id, { trust: 2 })
  await s.reach(id, 'msg_1', people(100), [])
  await t.rejects(s.reach(id, 'msg_2', ['x@example.com'], []), { code: 'new_recipient_limit' })
  await change(s, id, { trust: 6 })
  t.match(await s.accounts.usage(id), { trust_level: 6, new_recipients: { limit: 1600 }, next_level: null })
})

void t.test('an account that is suspended or being deleted sends to nobody', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  for (const [status, code] of [
    ['suspended', 'account_suspended'],
    ['deletion_pending', 'account_deletion_pending'],
  ]) {
    await change(s, id, { status, suspension: status === 'suspended' ? { at: 1, reason: 'Bulk mail.' } : null })
    await t.rejects(s.reach(id, 'msg_1', ['a@example.com'], ['a@example.com']), { code })
    await t.rejects(s.accounts.previewRecipients(id, ['a@example.com'], []), { code })
  }
})

void t.test('a preview says what a send would cost and stores nothing', async (t) => {
  const s = setting(t)
  const { id } = await s.accounts.ensure('ana@example.org')
  await s.reach(id, 'msg_1', people(3), [])
  const asked = [...people(3), 'new@example.com', 'first@example.com']
  const version = await s.store.version(`account/${id}`)
  t.strictSame(await s.accounts.previewRecipients(id, asked, ['first@example.com']), {
    fresh: ['new@example.com'],
    left: 22,
  })
  t.equal(
    (await s.accounts.previewRecipients(id, people(30, 'other'), [])).fresh.length,
    30,
    'over the limit is no error',
  )
  t.strictSame((await s.accounts.previewRecipients(id, ['new@example.com'], [])).fresh, ['new@example.com'])
  t.match(await s.accounts.usage(id), { new_recipients: { used: 3 } })
  t.equal(await s.store.version(`account/${id}`), version)
})

void t.test('usage adds up all mailboxes of the account, however many', async (t) => {
  const s = setting(t, memoryEngine({ conflicts: 0, lateness: 0 }))
  const { id } = await s.accounts.ensure('ana@example.org')
  for (let i = 0; i < 520; i++) {
    const date = i % 2 ? '2026-01-01' : '2025-12-31'
    s.mailboxes.set(
      `mbx_${i}`,
      mailbox({ usedBytes: 10, sentCount: 2, receivedCount: 3, today: { date, sent: 1, received: 2 } }),
    )
    await s.accounts.addMailbox(id, `mbx_${i}`)
    await s.accounts.addMailbox(id, `mbx_${i}`)
  }
  s.mailboxes.delete('mbx_0')
  t.equal((await s.accounts.mailboxes(id)).length, 520)
  t.match(await s.accounts.usage(id), {
    plan: 'free',
    mailboxes: 519,
    storage: { used_bytes: 5190, limit_bytes: 1_000_000 },
    messages: { sent: 1038, received: 1557, sent_today: 260, received_today: 520 },
    requests_per_minute: 600,
    limits: {
      recipients_per_message: 50,
      message_bytes: 2_000_000,
      attachments_per_message: 20,
      long_poll_seconds: 60,
    },
  })
})
