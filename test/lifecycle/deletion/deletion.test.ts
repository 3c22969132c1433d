import t, { type Test } from 'tap'
import { DAY, timestamp } from '../../../src/lib/clock.js'
import type { RelayTask } from '../../../src/mailbox/tasks.js'
import { deliveryOf, letter } from '../../mailbox/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { approved, FRIEND, makeWorld, OWNER, type World } from './world.js'
import { tasksIn } from '../../support/store/tasks.js'

const newWorld = (t: Test) => makeWorld(t, memoryEngine({ conflicts: 0.05 }), { dir: t.testdir() })
const types = async (w: World, mailboxId: string) => (await w.events(mailboxId)).map(({ type }) => type)

async function pending(t: Test) {
  const w = await newWorld(t)
  const box = await approved(w, 'zanzibar')
  const { endsAt } = await w.deletion.start(box.accountId, { kind: 'key', id: box.keyId })
  await w.runClaims()
  w.clock.advance(10_000)
  await w.runDeletions()
  return { w, box, endsAt }
}

void t.test('from the moment a deletion is asked for nothing can be sent, and mail still arrives', async (t) => {
  const w = await newWorld(t)
  const box = await approved(w, 'zanzibar')
  const { startedAt, endsAt } = await w.deletion.start(box.accountId, { kind: 'key', id: box.keyId })
  t.equal(endsAt, startedAt + 30 * DAY)
  await t.rejects(w.mailboxes.sending.send(box.mailboxId, letter(), {}), { code: 'account_deletion_pending' })
  await w.mailboxes.delivery.deliver(await deliveryOf(box.mailboxId, { to: box.address }))
  t.equal((await w.mailboxes.directory.get(box.mailboxId))?.receivedCount, 1)
  w.clock.advance(10)
  t.same(
    await w.deletion.start(box.accountId, { kind: 'operator' }),
    { startedAt, endsAt, by: { kind: 'key', id: box.keyId } },
    'asking again changes nothing',
  )
  t.equal((await tasksIn(w.queue, 'deletion', 10)).length, 1)
})

void t.test('every mailbox and the owner are told once of a deletion, and once of its being cancelled', async (t) => {
  const { w, box, endsAt } = await pending(t)
  t.same((await w.events(box.mailboxId)).at(-1)?.data, { account_id: box.accountId, ends_at: timestamp(endsAt) })
  t.match([...w.letters.values()], [{ to: OWNER, subject: /will be deleted on/ }])
  await w.deletion.cancel(box.accountId, { kind: 'session', id: 'ses_1' })
  w.clock.advance(10_000)
  await w.runDeletions()
  t.same((await types(w, box.mailboxId)).slice(-2), ['account.deletion_scheduled', 'account.deletion_cancelled'])
  t.match([...w.letters.values()].at(-1), { to: OWNER, subject: /stays/ })
  t.same(await tasksIn(w.queue, 'deletion', 10), [])
  t.equal((await w.accounts.get(box.accountId))?.status, 'active')
  w.clock.advance(31 * DAY)
  await w.runDeletions()
  t.ok(await w.mailboxes.directory.get(box.mailboxId), 'what was cancelled stays')
  await w.deletion.start(box.accountId, { kind: 'operator' })
  w.clock.advance(10_000)
  await w.runDeletions()
  t.equal((await types(w, box.mailboxId)).at(-1), 'account.deletion_scheduled', 'a later one is told again')
})

void t.test(
  'of the keys only the one that asked for it may cancel; people who are signed in and the operator may',
  async (t) => {
    const { w, box } = await pending(t)
    await t.rejects(w.deletion.cancel(box.accountId, { kind: 'key', id: 'key_other' }), {
      code: 'account_deletion_pending',
    })
    for (const by of [
      { kind: 'key', id: box.keyId },
      { kind: 'session', id: 'ses_1' },
      { kind: 'operator' },
    ] as const) {
      await w.deletion.start(box.accountId, { kind: 'key', id: box.keyId })
      await w.deletion.cancel(box.accountId, by)
      t.equal(await w.deletion.pending(box.accountId), undefined)
      w.clock.advance(1)
    }
    await w.deletion.cancel(box.accountId, { kind: 'key', id: 'key_other' })
    t.pass('where nothing is pending nothing happens')
  },
)

void t.test('in the last moment of the 30 days it can be cancelled, and after it not any more', async (t) => {
  const { w, box, endsAt } = await pending(t)
  w.clock.advance(endsAt - w.clock.now())
  await t.rejects(w.deletion.cancel(box.accountId, { kind: 'operator' }), { code: 'account_deletion_pending' })
  const other = await pending(t)
  other.w.clock.advance(other.endsAt - other.w.clock.now() - 1)
  await other.w.deletion.cancel(other.box.accountId, { kind: 'operator' })
  other.w.clock.advance(1)
  await other.w.runDeletions()
  t.ok(await other.w.mailboxes.directory.get(other.box.mailboxId))
})

void t.test(
  'mail that waits to be sent ends as bounced and says why, and is not sent when the deletion is cancelled',
  async (t) => {
    const w = await newWorld(t)
    const statusOf = async (mailboxId: string, messageId: string) =>
      (await w.mailboxes.outbound.message(mailboxId, messageId))?.accountStatus
    const box = await approved(w, 'zanzibar')
    const sent = await w.mailboxes.sending.send(box.mailboxId, letter({ to: [{ address: FRIEND, name: '' }] }), {})
    if ('dry_run' in sent) throw new Error('That was a dry run')
    w.clock.advance(10_000)
    await w.runChecks()
    const [task] = await tasksIn<RelayTask>(w.queue, 'relay', 10)
    if (!task) throw new Error('Nothing waits to be sent')
    t.equal(
      await w.endOfDeleted(task.payload, await statusOf(box.mailboxId, sent.id)),
      false,
      'an active account sends',
    )
    await w.deletion.start(box.accountId, { kind: 'operator' })
    w.clock.advance(10_000)
    await w.runDeletions()
    t.same(await tasksIn(w.queue, 'relay', 10), [])
    t.match(await w.mailboxes.reading.message(box.mailboxId, sent.id), {
      status: 'bounced',
      recipients: [{ status: 'bounced', detail: /deletion of its account/ }],
    })
    t.match((await w.events(box.mailboxId)).filter(({ type }) => type === 'message.status').at(-1)?.data, {
      status: 'bounced',
    })
    await w.deletion.cancel(box.accountId, { kind: 'operator' })
    t.equal((await w.mailboxes.reading.message(box.mailboxId, sent.id)).status, 'bounced')
  },
)

void t.test('what is being attempted when the deletion is asked for is not attempted again', async (t) => {
  const w = await newWorld(t)
  const statusOf = async (mailboxId: string, messageId: string) =>
    (await w.mailboxes.outbound.message(mailboxId, messageId))?.accountStatus
  const box = await approved(w, 'zanzibar')
  const sent = await w.mailboxes.sending.send(box.mailboxId, letter({ to: [{ address: FRIEND, name: '' }] }), {})
  if ('dry_run' in sent) throw new Error('That was a dry run')
  w.clock.advance(10_000)
  await w.runChecks()
  await w.deletion.start(box.accountId, { kind: 'operator' })
  const task: RelayTask = { mailbox_id: box.mailboxId, message_id: sent.id, domain: 'example.org' }
  t.equal(await w.endOfDeleted(task, await statusOf(box.mailboxId, sent.id)), true)
  t.equal((await w.mailboxes.reading.message(box.mailboxId, sent.id)).status, 'bounced')
})

void t.test("the operator's own account can't be deleted, and neither can one that does not exist", async (t) => {
  const w = await newWorld(t)
  await t.rejects(w.deletion.start(w.operator.accountId, { kind: 'operator' }), { code: 'invalid_request' })
  await t.rejects(w.deletion.start('acc_none', { kind: 'operator' }), { code: 'not_found' })
  await t.rejects(w.deletion.cancel('acc_none', { kind: 'operator' }), { code: 'not_found' })
  t.same(await tasksIn(w.queue, 'deletion', 10), [])
})

void t.test(
  'a process that dies between the task and the commit leaves an account as it was, and no task for ever',
  async (t) => {
    const w = await newWorld(t)
    const box = await approved(w, 'zanzibar')
    const payload = { account_id: box.accountId, started_at: w.clock.now(), step: 'start' }
    await w.queue.enqueue('deletion', { id: `${box.accountId}:${w.clock.now()}:start`, payload, due: w.clock.now() })
    for (let looks = 0; looks < 30; looks++) {
      await w.runDeletions()
      w.clock.advance(3000)
    }
    t.same(await tasksIn(w.queue, 'deletion', 10), [])
    t.equal((await w.accounts.get(box.accountId))?.status, 'active')
    t.same(
      (await types(w, box.mailboxId)).filter((type) => type.startsWith('account.')),
      [],
    )
  },
)

void t.test('nothing joins an account that is gone', async (t) => {
  const { w, box, endsAt } = await pending(t)
  w.clock.advance(endsAt - w.clock.now())
  await w.runDeletions()
  await t.rejects(w.accounts.addMailbox(box.accountId, 'mbx_late'), /missing/)
})
