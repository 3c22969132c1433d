/** An account goes through all of it on the real store, by a clock, and then nothing of it is found in any partition or file. */
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import t from 'tap'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { sha256Hex } from '../../../src/lib/ids.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { deliveryOf } from '../../mailbox/world.js'
import { approved, fill, FRIEND, makeWorld, OWNER, receipt, recipient } from './world.js'
import { tasksIn } from '../../support/store/tasks.js'

/** Every row of the store and every file, as one line each: where it is and what it holds. */
async function everything(dir: string): Promise<string[]> {
  const found: string[] = []
  // A copy: the library has one environment for all who open the same folder.
  const copy = await mkdtemp(join(tmpdir(), 'store-'))
  await copyFile(join(dir, 'store', 'data.mdb'), join(copy, 'data.mdb'))
  const db = open<Buffer, Buffer>({ path: copy, noSubdir: false, encoding: 'binary', keyEncoding: 'binary' })
  for (const { key, value } of db.getRange({}))
    found.push(`row ${key.toString('latin1')} = ${value.toString('latin1')}`)
  await db.close()
  await rm(copy, { recursive: true })
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (path.startsWith(join(dir, 'store'))) continue
    found.push(`file ${path} = ${entry.isFile() ? (await readFile(path)).toString('latin1') : ''}`)
  }
  return found
}

const naming = (lines: string[], needle: string): string[] =>
  lines.filter((line) => line.toLowerCase().includes(needle.toLowerCase())).map((line) => line.slice(0, 300))

void t.test(
  '30 days after a deletion was asked for, and 7 more for the trash, nothing of the account is anywhere',
  async (t) => {
    const dir = t.testdir()
    const engine = openLmdb({ path: join(dir, 'store') })
    const w = await makeWorld(t, engine, { dir })
    t.teardown(() => w.store.close())
    const box = await approved(w, 'zanzibar')
    const second = await approved(w, 'madagascar')
    const other = await approved(w, 'bystander', 'else@example.com')
    t.equal(second.accountId, box.accountId)
    const { sent, session, furtherKey } = await fill(w, box)
    await fill(w, second)
    // One attempt for several: what is of the others stays.
    w.receipts.add(receipt(w, { from: 'list@example.com', recipients: [recipient(box), recipient(other)] }))
    await w.exports.request(box.accountId)
    await w.runExports()
    t.match(await w.exports.list(box.accountId), [{ state: 'ready' }])
    w.clock.advance(10_000)

    const needles = [
      'zanzibar',
      'madagascar',
      OWNER,
      FRIEND,
      box.accountId,
      box.mailboxId,
      second.mailboxId,
      sent,
      'subject-echidna',
      'passkey-narwhal',
      sha256Hex(box.key),
      sha256Hex(furtherKey),
    ]
    const before = await everything(dir)
    for (const needle of needles) t.not(naming(before, needle).length, 0, `${needle} is there at first`)

    const { endsAt } = await w.deletion.start(box.accountId, { kind: 'key', id: box.keyId })
    t.equal(endsAt, w.clock.now() + 30 * DAY)
    w.clock.advance(10_000)
    await w.runDeletions()
    await w.mailboxes.delivery.deliver(
      await deliveryOf(box.mailboxId, { to: box.address, from: FRIEND, text: 'Still there?' }),
    )
    t.equal((await w.mailboxes.directory.get(box.mailboxId))?.receivedCount, 3, 'mail still arrives')
    t.equal((await w.sessions.find(session))?.accountId, box.accountId, 'its human may still sign in')
    t.match(w.letters.get(`deletion-scheduled:${box.accountId}:${endsAt - 30 * DAY}`), { to: OWNER })

    w.clock.advance(30 * DAY - 10_001)
    t.equal(await w.runDeletions(), 0, 'not a moment too early')
    t.ok(await w.mailboxes.directory.get(box.mailboxId))
    w.clock.advance(1)
    // One attempt that ended while all of it went.
    await w.runClaims()
    await w.runDeletions()
    t.same(w.deleted, [box.accountId])
    t.equal(await w.mailboxes.directory.get(box.mailboxId), undefined)
    t.equal(await w.mailboxes.directory.resolve(box.address), undefined)
    t.equal(await w.accounts.authenticate(box.key), undefined)
    t.equal(await w.accounts.authenticate(furtherKey), undefined)
    t.equal(await w.sessions.find(session), undefined)
    t.match(w.letters.get(`deleted:${box.accountId}:${endsAt - 30 * DAY}`), { to: OWNER })
    t.match(await tasksIn(w.queue, 'deletion-webhook', 10), [
      { payload: { account_id: box.accountId, deleted_at: endsAt } },
    ])
    await w.queue.remove('deletion-webhook', `${box.accountId}:${endsAt - 30 * DAY}`)
    // It was accepted before the mailbox went, and its receipt is written after that.
    w.receipts.add(receipt(w, { recipients: [recipient(box)] }))
    await w.indexer.indexMailbox(box.mailboxId)

    w.clock.advance(HOUR)
    t.equal(await w.runDeletions(), 1, 'all is looked through once more')
    t.same(await tasksIn(w.queue, 'deletion', 10), [])
    await w.blobs.sweep(w.clock.now(), async () => true)
    w.clock.advance(7 * DAY)
    t.ok(await w.blobs.emptyTrash(w.clock.now()), 'what was in the trash has gone')
    t.equal(await w.blobs.countTrash(), 0)

    const after = await everything(dir)
    t.not(after.length, 0)
    for (const needle of needles.filter((each) => each !== FRIEND))
      t.same(naming(after, needle), [], `${needle} is nowhere`)
    // Whom the other mailbox knows is no business of this one.
    t.same(naming(after, FRIEND), [])
    t.equal((await w.receipts.list({ limit: 10, address: other.address, since: 0 })).data.length, 0, 'past their time')
    t.ok(await w.accounts.authenticate(other.key))
    t.ok(await w.mailboxes.directory.resolve(other.address))
    t.not((await approved(w, 'zanzibar')).accountId, box.accountId, 'the name is free, and its owner starts anew')
  },
)
