/** What is whole has no findings; each thing that is broken is found; what can be made anew is made as it was; a repair may be cut off anywhere. */
import { readFile, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { HOUR } from '../../../src/lib/clock.js'
import { bodyKey, eventKey, mailboxPartition, placeKey, searchPartition, threadKey } from '../../../src/mailbox/keys.js'
import { saveLists, statusList } from '../../../src/mailbox/lists.js'
import { putMailbox } from '../../../src/mailbox/mailbox-rows.js'
import { readState } from '../../../src/mailbox/message-rows.js'
import { packThread, readThread } from '../../../src/mailbox/threads/thread-rows.js'
import { mailboxOf } from '../../../src/mailbox/record.js'
import { INDEX_VERSION, newIndex, putIndexRow, readIndexRow } from '../../../src/mailbox/search/segments.js'
import { entriesOf, packChunks } from '../../../src/mailbox/search/chunks.js'
import { releaseAddress } from '../../../src/mailbox/addresses.js'
import { continueNumbering, markRestored } from '../../../src/mailbox/retention/continue-numbering.js'
import type { ThreadRecord } from '../../../src/mailbox/threads/thread.js'
import { asBuffer, encode, key, keyParts, prefixRange } from '../../../src/store/keys.js'
import { present } from '../../mailbox/world.js'
import { createStore } from '../../../src/store/store.js'
import { readBlobs } from '../../../src/store/blobs/blobs.js'
import type { Store, Transaction } from '../../../src/store/types.js'
import { partitionOf, taskRange } from '../../../src/queue/rows.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { repair } from '../../../src/ops/verify/repair.js'
import type { Verified } from '../../../src/ops/verify/families/types.js'
import { verify } from '../../../src/ops/verify/verify.js'
import { LARGE, makeFolder, type Folder } from '../backup/folder.js'
import { ensureRecord } from '../../../src/accounts/record.js'
import { mortal } from '../../support/store/mortal-engine.js'

interface Made extends Folder {
  ids: { first: string; second: string; large: string; queued: string; held: string; thread: string }
}

/** Mail of each kind, and an account that fits. */
async function made(t: Test): Promise<Made> {
  const folder = await makeFolder(t)
  const { world } = folder
  const { store, id, mailboxes, account } = world
  await store.write(`account/${account.id}`, (tx) => ensureRecord(tx, account.id, null, world.clock.now()))
  await store.write('meta', (tx) => tx.put(key('operator-account'), encode(account.id)))
  await store.write(`account/${account.id}`, (tx) => tx.put(key('mailbox', id), encode(1)))
  const first = await world.deliver({ subject: 'Plan', text: 'one', headers: ['Message-ID: <1@x.example>'] })
  const second = await world.deliver({ subject: 'Re: Plan', text: 'two', headers: ['In-Reply-To: <1@x.example>'] })
  await mailboxes.labels.updateMessage(id, first.id, { addLabels: ['todo'], unread: false })
  const large = await world.deliver({ subject: 'Large', text: LARGE })
  const gone = await world.deliver({ subject: 'Gone', text: 'x' })
  await mailboxes.trash.deleteMessage(id, gone.id)
  await mailboxes.drafts.create(id, { subject: 'A draft', text: 'x' }, {})
  const queued = await world.send({ to: [{ address: 'eve@example.net', name: '' }] })
  world.guard.verdict = { category: 'spam', scores: {}, decision: 'hold', reasons: [{ code: 'x', detail: 'x' }] }
  const held = await world.send({ to: [{ address: 'mallory@example.net', name: '' }] })
  await mailboxes.reading.threads(id, { limit: 10, q: 'plan' })
  const ids = {
    first: first.id,
    second: second.id,
    large: large.id,
    queued: queued.id,
    held: held.id,
    thread: first.thread_id,
  }
  return { ...folder, ids }
}

function look(
  { dataDir, world }: Folder,
  store: Store = world.store,
  { live = false, quick = false, partitionsAtOnce = 1 } = {},
): Promise<Verified> {
  const queue = createWorkQueue({ store, clock: world.clock })
  return verify({
    store,
    queue,
    clock: world.clock,
    blobs: readBlobs(join(dataDir, 'blobs'), world.clock),
    live,
    quick,
    partitionsAtOnce,
    pauseMs: 1,
  })
}

const mend = ({ world }: Folder, found: Verified, store: Store = world.store): Promise<void> =>
  repair(
    { store, queue: createWorkQueue({ store, clock: world.clock }), clock: world.clock, blobs: world.blobs },
    found.findings,
  )

async function dump({ world: { store, id } }: Folder): Promise<Record<string, string>> {
  const rows = await store.read(mailboxPartition(id), (view) => view.range({ ...prefixRange(), limit: 10_000 }))
  return Object.fromEntries(rows.map(([row, value]) => [asBuffer(row).toString('latin1'), asBuffer(value).toString()]))
}

t.test('what is whole has no findings', async (t) => {
  const folder = await made(t)
  t.same((await look(folder)).findings, [])
  t.match(await look(folder), { mailboxes: 1, messages: 6, threads: 5, files: 1, tasks: 1 })
})

t.test('partitions that are checked at once have the same counts and findings', async (t) => {
  const folder = await made(t)
  const { store, id } = folder.world
  const account = `account/${folder.world.account.id}`
  for (const partition of [mailboxPartition(id), searchPartition(id), account, 'meta'])
    await store.write(partition, (tx) => tx.put(key('stray', partition), encode(1)))
  const reading = new Map<string, number>()
  let most = 0
  const read = store.read.bind(store)
  store.read = async (partition, fn) => {
    reading.set(partition, (reading.get(partition) ?? 0) + 1)
    most = Math.max(most, [...reading.values()].filter((count) => count > 0).length)
    await nextTurn()
    const result = await read(partition, fn)
    reading.set(partition, (reading.get(partition) ?? 0) - 1)
    return result
  }
  const byPlace = (a: { where: string; what: string }, b: { where: string; what: string }): number =>
    `${a.where} ${a.what}` < `${b.where} ${b.what}` ? -1 : 1
  const alone = await look(folder, store)
  t.equal(most, 1)
  t.ok(alone.findings.length >= 4, JSON.stringify(alone.findings))
  const together = await look(folder, store, { partitionsAtOnce: 3 })
  t.equal(most, 3)
  t.same(
    { ...together, findings: together.findings.sort(byPlace) },
    { ...alone, findings: alone.findings.sort(byPlace) },
  )
})

t.test('a task of a backup of a shared database is where that had it', async (t) => {
  const folder = await made(t)
  const { store } = folder.world
  const [one, other] = [partitionOf('relay', 0), partitionOf('relay', 11)]
  const rows = await store.read(one, (view) => view.range(taskRange))
  await store.write([one, other], (tx) => {
    for (const [row, value] of rows) {
      tx.delete(row)
      tx.in(other).put(row, value)
    }
  })
  t.equal(rows.length, 1)
  t.same((await look(folder)).findings, [])
})

t.test('the gap in the numbers that a restore leaves is none', async (t) => {
  const folder = await made(t)
  const { world } = folder
  await markRestored(world.store, world.clock.now())
  await continueNumbering(world.store)
  t.same((await look(folder)).findings, [], 'before the next event')
  await world.deliver({ subject: 'After it' })
  t.same((await look(folder)).findings, [])
  await world.mailboxes.reading.threads(world.id, { limit: 10, q: 'plan' })
  t.same((await look(folder)).findings, [], 'and once it is indexed')
})

async function threadOf(tx: Transaction, threadId: string): Promise<ThreadRecord> {
  return present(await readThread(tx, threadId))
}

async function seqOf(tx: Transaction, messageId: string): Promise<number> {
  return present(await readState(tx, messageId)).seq
}

type Break = (tx: Transaction, made: Made) => void | Promise<void>

/** What follows from the rest: broken in the mailbox's partition, and made anew. */
const mended: Record<string, { kinds: string[]; breaks: Break }> = {
  'a conversation lacks one of its messages': {
    kinds: ['thread-wrong'],
    breaks: async (tx, { ids }) => {
      const thread = await threadOf(tx, ids.thread)
      tx.put(threadKey(ids.thread), packThread({ ...thread, places: thread.places.slice(1) }))
    },
  },
  'a conversation has a message that is not there': {
    kinds: ['thread-wrong'],
    breaks: async (tx, { ids }) => {
      const thread = await threadOf(tx, ids.thread)
      tx.put(threadKey(ids.thread), packThread({ ...thread, places: [...thread.places, 99] }))
    },
  },
  'a conversation is lost': {
    kinds: ['thread-missing', 'list-row'],
    breaks: (tx, { ids }) => tx.delete(threadKey(ids.thread)),
  },
  'a conversation counts wrongly': {
    kinds: ['thread-wrong', 'list-row'],
    breaks: async (tx, { ids }) =>
      tx.put(
        threadKey(ids.thread),
        packThread({ ...(await threadOf(tx, ids.thread)), unreadCount: 0, messageCount: 7 }),
      ),
  },
  'a message is not found by its id': { kinds: ['place-row'], breaks: (tx, { ids }) => tx.delete(placeKey(ids.first)) },
  'a conversation is missing in a list': {
    kinds: ['list-row'],
    breaks: async (tx, { ids }) => {
      const { lastSeq: seq } = await threadOf(tx, ids.thread)
      await saveLists(tx, 'thread', { seq, names: ['label:todo'] }, undefined)
    },
  },
  'a list has more than it should': {
    kinds: ['list-row'],
    breaks: (tx) => saveLists(tx, 'thread', undefined, { seq: 3, names: ['label:none'] }),
  },
  'a message is in a list that it does not belong to': {
    kinds: ['list-row'],
    breaks: (tx) => saveLists(tx, 'message', undefined, { seq: 1, names: ['label:none'] }),
  },
  'a held message is not listed': {
    kinds: ['list-row'],
    breaks: async (tx, { ids }) =>
      saveLists(tx, 'message', { seq: await seqOf(tx, ids.held), names: [statusList('held')] }, undefined),
  },
  'the counts of the mailbox are wrong': {
    kinds: ['counter'],
    breaks: async (tx) => {
      const mailbox = present(await mailboxOf(tx))
      putMailbox(tx, mailbox, { ...mailbox, messageCount: 1, usedBytes: 1, draftCount: 9 })
    },
  },
}
for (const [what, { kinds, breaks }] of Object.entries(mended))
  t.test(`${what}: found, and made as it was`, async (t) => {
    const folder = await made(t)
    const before = await dump(folder)
    await folder.world.store.write(mailboxPartition(folder.world.id), (tx) => breaks(tx, folder))
    const found = await look(folder)
    t.same([...new Set(found.findings.map(({ kind }) => kind))].sort(), [...kinds].sort())
    t.ok(found.findings.every((finding) => finding.repair === 'repair'))
    await mend(folder, found)
    t.same((await look(folder)).findings, [])
    t.same(await dump(folder), before)
  })

t.test('a repair that dies at any commit is finished by the next', async (t) => {
  const folder = await made(t)
  const { world, engine } = folder
  const before = await dump(folder)
  // Without its record others have nothing to break.
  const all = Object.values(mended).sort(
    (a, b) => Number(a.kinds.includes('thread-missing')) - Number(b.kinds.includes('thread-missing')),
  )
  for (const moment of ['before', 'after'] as const) {
    let died = true
    for (let at = 1; died; at++) {
      for (const { breaks } of all) await world.store.write(mailboxPartition(world.id), (tx) => breaks(tx, folder))
      const failing = mortal(engine, at, moment)
      failing.arm()
      await mend(folder, await look(folder), createStore(failing.engine)).catch(() => undefined)
      died = failing.died()
      await mend(folder, await look(folder))
      t.same((await look(folder)).findings, [], `${moment} ${at}`)
      t.same(await dump(folder), before)
    }
  }
})

t.test('tasks, addresses and the index are made anew; files that nothing names go to the trash', async (t) => {
  const folder = await made(t)
  const { world, ids, dataDir } = folder
  const { store, queue, id } = world
  await queue.remove('relay', `${ids.queued}:example.net`)
  await releaseAddress(store, 'agent@agents.example', id)
  await store.write(searchPartition(id), (tx) => putIndexRow(tx, { ...newIndex(INDEX_VERSION), seq: 9999 }))
  await world.blobs.put(id, 'msg_nobody', Buffer.from('x'))
  // The file is of this moment; the clock goes past its hour.
  world.clock.advance(Date.now() - world.clock.now() + 2 * HOUR)
  const found = await look(folder)
  t.same(
    found.findings.map(({ kind, repair }) => `${kind} ${repair}`),
    ['address repair', 'task-missing repair', 'index-wrong repair', 'file-orphan repair'],
  )
  await mend(folder, found)
  t.same((await look(folder)).findings, [])
  t.ok(await queue.get('relay', `${ids.queued}:example.net`))
  t.equal((await world.mailboxes.reading.threads(id, { limit: 10, q: 'plan' })).data.length, 1)
  t.equal(await world.blobs.countTrash(), 1)
  t.ok((await world.mailboxes.reading.raw(id, ids.large)).length > 0, join(dataDir, 'blobs'))
})

t.test('what only a backup has is told, and a repair leaves it alone', async (t) => {
  const folder = await made(t)
  const { world, ids, dataDir } = folder
  const { store, id } = world
  const file = join(dataDir, 'blobs', id, ids.large)
  await truncate(file, 10)
  t.match((await look(folder)).findings, [{ kind: 'file-size', repair: 'restore' }])
  await unlink(file)
  await store.write(mailboxPartition(id), async (tx) => {
    const body = present(await tx.get(bodyKey(await seqOf(tx, ids.first))))
    tx.put(bodyKey(await seqOf(tx, ids.first)), body.subarray(0, -1))
    tx.delete(bodyKey(await seqOf(tx, ids.second)))
    tx.delete(eventKey(2))
  })
  await store.write(`account/${world.account.id}`, (tx) => tx.delete(key('account')))
  world.clock.advance(HOUR)
  const found = await look(folder)
  t.same(found.findings.map(({ kind, repair }) => `${kind} ${repair}`).sort(), [
    'account-missing restore',
    'content-missing restore',
    'event-gap none',
    'file-missing restore',
    'raw-missing restore',
  ])
  const before = await dump(folder)
  await mend(folder, found)
  t.same(await dump(folder), before)
  await store.write(mailboxPartition(id), (tx) => tx.put(bodyKey(1), Buffer.from('cut off')))
  const { findings } = await look(folder)
  t.match(
    findings.find(({ kind }) => kind === 'unreadable'),
    { where: mailboxPartition(id), repair: 'restore' },
  )
})

t.test('a file with other bytes of the same length is found, but for --quick', async (t) => {
  const folder = await made(t)
  const { world, ids, dataDir } = folder
  const file = join(dataDir, 'blobs', world.id, ids.large)
  t.match(await look(folder), { files: 1, hashed: 1 })
  const bytes = await readFile(file)
  bytes[50_000] = (bytes[50_000] ?? 0) ^ 1
  await writeFile(file, bytes)
  t.match((await look(folder)).findings, [{ kind: 'file-hash', where: world.id, repair: 'restore' }])
  t.same((await look(folder, world.store, { quick: true })).findings, [])
})

t.test('a message that lost a word of its index is found, but for --quick', async (t) => {
  const folder = await made(t)
  const { store, id, mailboxes } = folder.world
  await mailboxes.reading.threads(id, { limit: 10, q: 'plan' })
  const partition = searchPartition(id)
  const { rows, index } = await store.read(partition, async (view) => ({
    rows: await view.range(prefixRange('chunk')),
    index: present(await readIndexRow(view)),
  }))
  const [row] = rows
  if (!row) throw new Error('there is no index')
  // One word less, and all that is said of its size right.
  const entries = [...entriesOf(row[1])]
  const [chunk] = packChunks(entries.toSpliced(5, 1))
  const less = row[1].length - (chunk?.bytes.length ?? 0)
  await store.write(partition, (tx) => {
    tx.put(row[0], chunk?.bytes ?? new Uint8Array(0))
    const part = index.segments.find((segment) => BigInt(segment.id) === keyParts(row[0])[1])
    if (part) part.bytes -= less
    putIndexRow(tx, index)
  })
  const found = await look(folder)
  t.match(found.findings, [{ kind: 'index-wrong', where: id, repair: 'repair' }])
  t.same((await look(folder, store, { quick: true })).findings, [])
  await mend(folder, found)
  await mailboxes.reading.threads(id, { limit: 10, q: 'plan' })
  t.same((await look(folder)).findings, [])
})

t.test('beside others who write nothing is found that is not so', async (t) => {
  const folder = await made(t)
  const { world } = folder
  let ended = false
  const writing = (async () => {
    for (let i = 0; !ended; i++) {
      const { id } = await world
        .deliver({ subject: `no. ${i % 3}`, text: i % 5 === 0 ? LARGE : 'x' })
        .catch(() => ({ id: '' }))
      if (id !== '') await world.mailboxes.trash.deleteMessage(world.id, id)
      if (id !== '') await world.mailboxes.trash.purge(world.id, id)
    }
  })()
  for (let i = 0; i < 5; i++) t.same((await look(folder, world.store, { live: true })).findings, [])
  ended = true
  await writing
})
