/** A store with a row of every family, each as it has to be. Mail and search are made by the code that makes them; the rest is put there row by row. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ensureRecord } from '../../../src/accounts/record.js'
import { HOUR, MINUTE, timestamp } from '../../../src/lib/clock.js'
import { newId, sha256Hex } from '../../../src/lib/ids.js'
import { createSealer } from '../../../src/lib/sealing.js'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { encode, key } from '../../../src/store/keys.js'
import { createExpiring } from '../../../src/store/expiring.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { receiptKey } from '../../../src/receipts/keys.js'
import { packReceipt } from '../../../src/receipts/record.js'
import { repair } from '../../../src/ops/verify/repair.js'
import type { Verified } from '../../../src/ops/verify/families/types.js'
import { verify } from '../../../src/ops/verify/verify.js'
import { deliveryOf, makeWorld, type World } from '../../mailbox/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { receiptAt } from '../../support/receipts.js'

export interface Whole {
  world: World
  blobsDir: string
  look(): Promise<Verified>
  mend(found: Verified): Promise<void>
}

const NOTHING = new Uint8Array(0)
const EVERYTHING = { gte: NOTHING, lt: Uint8Array.of(0xff) }

export async function wholeStore(t: Test): Promise<Whole> {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  const root = await mkdtemp(join(tmpdir(), 'verify-'))
  t.teardown(() => rm(root, { recursive: true, force: true }))
  const blobsDir = join(root, 'blobs')
  const world = await makeWorld(t, store, undefined, blobsDir)
  await mail(world)
  await others(world)
  await createIndexer({ store }).indexMailbox(world.id)
  const queue = createWorkQueue({ store, clock: world.clock })
  const { clock, blobs } = world
  return {
    world,
    blobsDir,
    look: () => verify({ store, queue, clock, blobs, live: false }),
    mend: (found) => repair({ store, queue, clock, blobs }, found.findings),
  }
}

async function mail(world: World): Promise<void> {
  const { mailboxes, id } = world
  const first = await world.deliver({ subject: 'Plan', text: 'one', headers: ['Message-ID: <1@x.example>'] })
  await world.deliver({ subject: 'Re: Plan', text: 'two', headers: ['In-Reply-To: <1@x.example>'] })
  await mailboxes.labels.updateMessage(id, first.id, { addLabels: ['todo'] })
  await mailboxes.delivery.deliver({
    ...(await deliveryOf(id, { subject: 'Local', text: 'three' })),
    deliveryId: 'local-1',
  })
  const gone = await world.deliver({ subject: 'Gone', text: 'x' })
  await mailboxes.trash.deleteMessage(id, gone.id)
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a file') }
  await mailboxes.drafts.create(id, { subject: 'A draft', text: 'x', attachments: [file] }, {})
  const old = { raw: Buffer.from('From: ada@example.org\r\nSubject: Old\r\n\r\nfour\r\n'), flags: 0, keywords: [] }
  await mailboxes.importing.importOnce(id, 'archive', old)
  await mailboxes.folders.create(id, 'Projects')
  const { uid } = await mailboxes.importing.append(id, 'label:projects', old)
  const projects = await mailboxes.folders.find(id, 'Projects')
  await mailboxes.folders.transfer(id, projects?.row?.number ?? 0, [uid], 'archive', true)
  await world.send({ to: [{ address: 'eve@example.net', name: '' }] }, 'a-retry')
  for (const decision of ['hold', 'block'] as const) {
    world.guard.verdict = { category: 'spam', scores: {}, decision, reasons: [{ code: 'x', detail: 'x' }] }
    await world.send({ to: [{ address: 'mallory@example.net', name: '' }], subject: decision })
  }
}

type Rows = [row: Uint8Array, value: unknown][]

/** @param value undefined is no value, other than null */
const put = (store: Store, partition: string, rows: Rows): Promise<void> =>
  store.write(partition, (tx) =>
    rows.forEach(([row, value]) => tx.put(row, value === undefined ? NOTHING : encode(value))),
  )

async function others({ store, queue, clock, id, account: { id: accountId } }: World): Promise<void> {
  const now = clock.now()
  await store.write(`account/${accountId}`, (tx) => ensureRecord(tx, accountId, null, now))
  const long = now - 2 * HOUR
  const keyHash = sha256Hex('a key')
  const wbh = 'whk_1'
  const startedAt = now - MINUTE
  await put(store, 'own-domains', [[key('domain', 'own.example'), { accountId, isVerified: true }]])
  await put(store, 'meta', [
    [key('operator-account'), accountId],
    [key('account-owner', 'ada@example.org'), 'acc_2'],
    [key('account-ownerless', 'acc_3'), 'acc_3'],
    [key('identity', 'github', sha256Hex('7')), { accountId, owner: null }],
    [key('pending-claim', 'clm_1'), 1],
    [key('webhooks', id), undefined],
    [key('own-domain-holder', 'own.example'), accountId],
    [key('own-domain-wanted', 'own.example', accountId), 1],
    [
      key('hold', 'domain', 'x.example'),
      { kind: 'domain', value: 'x.example', name: 'x', reason: null, by: null, at: now },
    ],
    [key('schema'), { version: 1, by: '0.1.0' }],
    [key('migration', 2), { cursor: 'x' }],
    [key('restored'), { at: 1 }],
  ])
  await store.write('account/acc_2', (tx) => ensureRecord(tx, 'acc_2', 'ada@example.org', now))
  await store.write('account/acc_3', (tx) => ensureRecord(tx, 'acc_3', null, now))
  await put(store, `account/${accountId}`, [
    [key('mailbox', id), now],
    [key('key', id, 'key_1'), keyHash],
    [key('leaving', 'mbx_gone'), { id: 'mbx_gone', address: null, claimId: null }],
    [key('deletion'), { startedAt, endsAt: now + HOUR, by: { kind: 'operator' } }],
    [key('approval-letter'), 1],
    [key('passkey', 'cred'), { id: 'cred', name: 'Phone', createdAt: now }],
    [key('picture-senders'), [{ address: 'a@x.example', at: now }]],
    [key('trust'), {}],
    [key('outcomes', 20_000), {}],
    [key('similar'), []],
    [key('new-recipients'), { day: 20_000, used: 1 }],
    [key('known', sha256Hex('a')), 1],
    [key('suppressed', sha256Hex('b')), { address: 'b', reason: 'bounce', created_at: timestamp(long) }],
    [key('suppressed-on', long, sha256Hex('b')), undefined],
    [key('suppressed-count'), 1],
    [key('identity', 'github', sha256Hex('7')), { provider: 'github', subject: '7', firstAt: now, lastAt: now }],
    [key('session', 'ses_1'), {}],
    [key('device', 'dev_1'), {}],
    [key('connection', 'con_1'), { id: 'con_1', mailboxId: id }],
    [key('own-domain', 'own.example'), { domain: 'own.example', status: 'verified' }],
    [key('export', 'exp_1'), { id: 'exp_1' }],
  ])
  await queue.enqueue('deletion', {
    id: `${accountId}:${startedAt}:start`,
    payload: { account_id: accountId, started_at: startedAt, step: 'start' },
    due: now,
  })
  await queue.enqueue('export', { id: 'exp_1', payload: { account_id: accountId, export_id: 'exp_1' }, due: now })
  await put(store, `key/${keyHash}`, [
    [key('key'), { keyId: 'key_1', mailboxId: id, createdAt: long }],
    [key('used'), now],
  ])
  // `address/` has its row from the making of the mailbox, an hour ago by now.
  await put(store, 'address/agent@agents.example', [[key('owner'), { mailboxId: id, reservedAt: long }]])
  await put(store, 'claim/clm_1', [
    [key('claim'), { id: 'clm_1', state: 'pending' }],
    [key('invite', 'inv_1'), { id: 'inv_1' }],
  ])
  await queue.enqueue('claim', { id: 'clm_1', payload: { claim_id: 'clm_1' }, due: now })
  await put(store, `token/${sha256Hex('link')}`, [[key('claim'), { claimId: 'clm_1' }]])
  await createExpiring(store, 'session').put('a', { accountId, sessionId: 'ses_1' }, now + HOUR)
  await put(store, 'challenges', [[key('spent', now + MINUTE, 'aa'), 1]])
  await put(store, 'invites', [
    [key('on', now, 'inv_1'), { net: 'n', human: 'h' }],
    [key('network', 'n', now, 'inv_1'), 1],
    [key('human', 'h', now, 'inv_1'), 1],
  ])
  await put(store, 'mail-sign-ins', [
    [key('on', now, 'id'), { address: 'a', network: 'n' }],
    [key('address', 'a', now, 'id'), 1],
    [key('network', 'n', now, 'id'), 1],
  ])
  await put(store, `webhooks/${id}`, [
    [key('webhook', wbh), { id: wbh, createdAt: now }],
    [key('state', wbh), { cursor: 0, epoch: 0, reached: 0, kept: 1, waiting: 1 }],
    [key('delivery', wbh, ULID), { id: `dlv_${ULID}`, status: 'waiting', dueAt: now }],
    [key('due', wbh, now, ULID), undefined],
  ])
  await put(store, `mailbox/${id}`, [
    [key('deletion-told'), now],
    [key('suspension-told'), now],
    [key('paused-task', 'msg_1:example.net'), { at: now, pause: 1 }],
    [key('settings'), {}],
    [key('entry', 'incoming', 'block', 'x.example'), { pattern: 'x.example' }],
    [key('entry-count', 'incoming', 'block'), 1],
  ])
  await put(store, 'review', [
    [key('log', 'rev_2'), { id: 'rev_2' }],
    [key('untold', 'rev_2'), undefined],
  ])
  await put(store, 'receipts/2026-01-01', [[key('day'), { notKept: 1 }]])
  await store.write('receipts/2026-01-01', (tx) => {
    const id = newId('rcp', now)
    tx.put(receiptKey(now, id), packReceipt(receiptAt(now, { id })))
  })
  await put(store, 'operator-mail', [
    [key('notice', 'disk-low'), { at: now, text: 'the disk is nearly full', digest: 1 }],
    [key('digest-state'), { next: 2, lastAt: now, left: 0 }],
  ])
  await put(store, 'audit/2026-01-01', [
    [key('day'), { notKept: 1 }],
    [key('entry', now, 'aud_1'), { id: 'aud_1', action: 'key.made', result: 'done', subject: {} }],
  ])
  await put(store, 'reports/2026-01-01', [
    [key('day'), { reports: 1, rows: 1, reporters: {} }],
    [key('report', 'rep_1'), { id: 'rep_1', rows: 1 }],
    [key('rows', 'rep_1', 0), [{}]],
  ])
  await put(store, 'greylist/3', [
    [key('e', 'hash'), { at: now, until: now + HOUR }],
    [key('u', now + HOUR, 'hash'), 1],
    [key('n'), 1],
  ])
  for (const list of ['tls-results', 'dmarc-results']) {
    await put(store, `${list}/2026-01-01`, [
      [key('day'), { domains: 1, reports: 0 }],
      [key('domain', 'x.example'), { policies: [] }],
      [key('row', 'x.example', 'one'), {}],
      [key('organisation', 'x.example'), {}],
    ])
  }
  await put(store, 'mta-sts', [
    [key('policy', 'x.example'), { policy: {}, fetchedAt: now }],
    [key('age', now, 'x.example'), undefined],
    [key('count'), 1],
  ])
  await put(store, 'guard', [
    [key('correction'), { version: 1, salt: 'aa' }],
    [key('lesson', 'hash'), {}],
  ])
  await put(store, 'cluster/members', [[key('member', 'folder'), { id: 'folder', host: 'mx1', pid: 1 }]])
  await put(store, 'cluster/shards', [[key('shard', 'relay', 0), 'folder']])
  await put(store, 'cluster/fence/folder', [[key('fence'), '1.0.0']])
  await put(store, 'cluster/beat/folder', [[key('beat'), { count: 1, seen: '1' }]])
  await put(store, 'blobs', [[key('mark'), { id: 'folder', place: 's3://bucket' }]])
  await put(store, 'queue/check/0', [[key('note', 'tsk_1'), {}]])
  const { seal } = createSealer(Buffer.alloc(32), 'vault')
  await store.write('cluster/vault', (tx) => {
    tx.put(key('seal'), seal('seal', Buffer.from('seal')))
    tx.put(key('secret', 'secrets/web_key'), seal('secrets/web_key', Buffer.alloc(64)))
    tx.put(key('imported', 'hash'), encode(1))
  })
  await put(store, 'cluster/settings', [[key('settings'), { host: 'mx1', at: '', values: {} }]])
  await put(store, 'acme-challenges', [[key('challenge', 'token'), { answer: 'token.thumb', endsAt: now }]])
  await put(store, 'cluster/rates/other', [[key('counts', now), [['requests of a key', 'key_1', 3]]]])
  await put(store, 'sweeps', [
    [key('sweep', 'mailboxes'), { at: now, done: {} }],
    [key('due', 'mailboxes'), now],
  ])
  await tasks(queue, now)
}

async function tasks(queue: World['queue'], now: number): Promise<void> {
  await queue.enqueue('notice', { id: 'waits', payload: {}, due: now + HOUR })
}

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Every row of every partition, by name. */
export async function dumpStore(store: Store): Promise<Map<string, Map<string, string>>> {
  const all = new Map<string, Map<string, string>>()
  for (const partition of await store.partitions('', 10_000)) {
    const rows = await store.read(partition, (view) => view.range({ ...EVERYTHING, limit: 10_000 }))
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
    all.set(partition, new Map(rows.map(([row, value]) => [text(row), text(value)])))
  }
  return all
}

/** Brings the store back to what it was. */
export async function restoreStore(store: Store, wanted: Map<string, Map<string, string>>): Promise<void> {
  const now = await dumpStore(store)
  for (const partition of new Set([...now.keys(), ...wanted.keys()])) {
    const [is, was] = [
      now.get(partition) ?? new Map<string, string>(),
      wanted.get(partition) ?? new Map<string, string>(),
    ]
    const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
    await store.write(partition, (tx) => {
      for (const row of is.keys()) if (!was.has(row)) tx.delete(bytes(row))
      for (const [row, value] of was) if (is.get(row) !== value) tx.put(bytes(row), bytes(value))
    })
  }
}
