/** The rows that 0.1.0 wrote, of a real folder, in the form of this version; whatever cuts that off, and whatever can't be read. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MIGRATIONS } from '../../../src/daemon/upgrade/migrations.js'
import { upgrade } from '../../../src/daemon/upgrade/upgrade.js'
import { ManualClock } from '../../../src/lib/clock.js'
import { unpackBody } from '../../../src/mailbox/body-row.js'
import { bodyKey, mailboxPartition } from '../../../src/mailbox/keys.js'
import { listMailboxes } from '../../../src/mailbox/all-mailboxes.js'
import { readStates } from '../../../src/mailbox/message-rows.js'
import type { Engine } from '../../../src/store/engine.js'
import { asBuffer, decode, key, keyParts, prefixRange } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../../src/store/store.js'
import { readBlobs } from '../../../src/store/blobs/blobs.js'
import type { Store } from '../../../src/store/types.js'
import { faultOfIndex } from '../../../src/ops/verify/search.js'
import { verifyMailbox } from '../../../src/ops/verify/mailbox.js'
import { run } from '../../support/daemon.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { dumpStore, restoreStore } from '../../ops/verify/whole.js'

const NOW = Date.UTC(2026, 11, 1)

type Rows = Awaited<ReturnType<typeof dumpStore>>

async function rowsOfFolder(t: Test): Promise<Rows> {
  const dir = await mkdtemp(join(tmpdir(), 'rows-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  t.equal((await run('tar', ['-xzf', join(process.cwd(), 'test/data-folders/0.1.0.tar.gz'), '-C', dir])).code, 0)
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  const rows = await dumpStore(store)
  await store.close()
  return rows
}

async function engineWith(rows: Rows): Promise<Engine> {
  const engine = memoryEngine()
  await restoreStore(createStore(engine), rows)
  return engine
}

function bring(engine: Engine): { done: Promise<boolean>; store: Store; lines: unknown[] } {
  const store = createStore(engine)
  const { log, lines } = captureLog()
  const deps = { store, dataDir: '/data', entries: 1, version: '9.9.9', clock: new ManualClock(NOW), log }
  return { done: upgrade({ ...deps, migrations: MIGRATIONS }), store, lines }
}

async function faults(store: Store): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { id } of await listMailboxes(store)) {
    await verifyMailbox(
      { store, blobs: readBlobs('/nowhere', new ManualClock()), quick: true },
      id,
      (kind, ...rest) => {
        // The files of the folder are not here.
        if (kind !== 'file-missing') found.push([kind, ...rest])
      },
    )
    const fault = await faultOfIndex({ store, quick: false }, id)
    if (fault !== undefined) found.push([id, fault])
  }
  return found
}

/** Rows that depend on when the upgrade ran, or how often. */
const withoutTimes = (rows: Rows): Rows => new Map([...rows].filter(([partition]) => !/^(meta|audit)/.test(partition)))

t.test('a folder comes to the same wherever the process dies, and what it says is whole', async (t) => {
  const rows = await rowsOfFolder(t)
  const whole = bring(await engineWith(rows))
  await whole.done
  t.same(await faults(whole.store), [])
  const wanted = withoutTimes(await dumpStore(whole.store))
  const mailboxes = [...wanted.keys()].filter((partition) => partition.startsWith('mailbox/'))
  t.ok(mailboxes.length >= 2)
  for (const partition of mailboxes) {
    const families = new Set(
      [...(wanted.get(partition)?.keys() ?? [])].map((row) => keyParts(Buffer.from(row, 'latin1'))[0]),
    )
    for (const old of ['content', 'raw', 'thread-message', 'thread-trash', 'held']) t.notOk(families.has(old), old)
  }
  let deaths = 0
  for (const moment of ['before', 'after'] as const) {
    // Each seventh commit, and all of them over the moments and the stages.
    for (let at = 1, died = true; died; at += 7) {
      const engine = await engineWith(rows)
      const failing = mortal(engine, at, moment)
      failing.arm()
      await bring(failing.engine).done.catch(() => undefined)
      died = failing.died()
      if (died) deaths++
      const again = bring(engine)
      await again.done
      t.same(withoutTimes(await dumpStore(again.store)), wanted, `${moment} ${at}`)
    }
  }
  t.ok(deaths > 10)
})

t.test('the text of a plain message is stored once, and reads as it did', async (t) => {
  const rows = await rowsOfFolder(t)
  const before = createStore(await engineWith(rows))
  const texts = new Map<string, string>()
  for (const partition of rows.keys()) {
    if (!partition.startsWith('mailbox/')) continue
    const contents = await before.read(partition, (view) => view.range({ ...prefixRange('content'), limit: 1000 }))
    for (const [row, value] of contents) texts.set(String(keyParts(row)[1]), decode<{ text: string }>(value).text)
  }
  t.ok(texts.size > 3)
  const { done, store } = bring(await engineWith(rows))
  await done
  let once = 0
  for (const { id, seq } of await listMailboxes(store)) {
    const seqs = Array.from({ length: seq }, (_, i) => i + 1)
    for (const state of await store.read(mailboxPartition(id), (view) => readStates(view, seqs))) {
      const body = await store.read(mailboxPartition(id), (view) => view.get(bodyKey(state.seq)))
      if (!body) throw new Error(`${state.id} has no body`)
      t.equal(unpackBody(body).content.text, texts.get(state.id))
      const text = texts.get(state.id) ?? ''
      if (!asBuffer(body).subarray(0, asBuffer(body).readUInt32BE()).includes(text)) once++
    }
  }
  t.ok(once > 0, 'of some the text takes no room of its own')
})

t.test('what cannot be read is kept aside and named, and all else is there', async (t) => {
  const rows = await rowsOfFolder(t)
  const partition =
    [...rows.keys()].find((name) => name.startsWith('mailbox/') && (rows.get(name)?.size ?? 0) > 30) ?? ''
  const own = rows.get(partition) ?? new Map<string, string>()
  const rowOf = (family: string): string => {
    const start = Buffer.from(key(family)).toString('latin1')
    return [...own.keys()].find((row) => row.startsWith(start)) ?? ''
  }
  const cut = ['content', 'thread', 'event', 'message-id'].map(rowOf)
  for (const row of cut) own.set(row, '{"cut off')
  const { done, store, lines } = bring(await engineWith(rows))
  await done
  const aside = await store.read('aside', (view) => view.range(prefixRange()))
  t.equal(aside.length, 4, 'an event, and a message with its content and its raw text')
  t.equal(JSON.stringify(lines).split('kept aside').length - 1, 4)
  const found = await faults(store)
  t.match(found.map(String).join(), /counter|event-gap/)
  t.notMatch(found.map(String).join(), /unreadable|content-missing|thread-missing/)
})
