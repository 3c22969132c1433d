/** What is deleted is nowhere but in the trash, comes back as it was, and leaves nothing behind when its time is over. */
import t, { type Test } from 'tap'
import fc from 'fast-check'
import { sweepsOf } from '../../../src/jobs/retention.js'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { mailboxPartition, searchPartition } from '../../../src/mailbox/keys.js'
import { isRawReferenced } from '../../../src/mailbox/raw.js'
import { sweepTrash } from '../../../src/mailbox/retention/purge.js'
import { asBuffer, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { ENGINES } from '../../store/engines.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { deliveryOf, eventsOf, makeWorld, onEveryEngine, present, type World } from '../world.js'

const LARGE = 'x'.repeat(100_000)

/** Every row of a partition but the event log, the mailbox's record and what is kept for later mail of the same people. */
async function rowsOf({ store }: World, partition: string): Promise<Record<string, string>> {
  const { gte, lt } = prefixRange()
  const rows = await store.read(partition, (view) => view.range({ gte, lt, limit: 10_000 }))
  return Object.fromEntries(rows.map(([row, value]) => [asBuffer(row).toString('latin1'), asBuffer(value).toString()]))
}

async function listed({ mailboxes, id }: World, query: { q?: string; unread?: boolean; label?: string } = {}) {
  return (await mailboxes.reading.threads(id, { limit: 100, ...query })).data
}

const trashOf = async ({ mailboxes, id }: World) => (await mailboxes.trash.list(id, { limit: 100 })).data

const sweep = (world: World) => sweepTrash(world, world.id, world.clock.now())

onEveryEngine(
  'what is deleted leaves lists, counts, previews and search, and comes back as it was',
  async (t, world) => {
    const { mailboxes, id, clock } = world
    const first = await world.deliver({ subject: 'Plan', text: 'apples', headers: ['Message-ID: <1@x.example>'] })
    const second = await world.deliver({
      subject: 'Re: Plan',
      text: 'pears',
      from: 'Eve <eve@example.net>',
      headers: ['In-Reply-To: <1@x.example>'],
    })
    await world.deliver({ subject: 'Other', text: 'nuts' })
    await mailboxes.labels.updateMessage(id, second.id, { addLabels: ['todo'] })
    const before = await mailboxes.reading.thread(id, first.thread_id)
    const state = await mailboxes.reading.message(id, second.id)

    const deleted = await mailboxes.trash.deleteMessage(id, second.id)
    t.same(deleted, {
      id: second.id,
      object: 'message',
      deleted: true,
      thread_id: first.thread_id,
      deleted_at: new Date(clock.now()).toISOString(),
      purge_at: new Date(clock.now() + 7 * DAY).toISOString(),
    })
    t.match(await mailboxes.reading.thread(id, first.thread_id), {
      message_count: 1,
      unread_count: 1,
      preview: 'apples',
      labels: ['inbox'],
      last_message_id: first.id,
      participants: [{ address: 'ada@example.org' }],
      messages: [{ id: first.id }],
    })
    t.same(
      (await listed(world)).map(({ subject, participants }) => [subject, participants.length]),
      [
        ['Other', 1],
        ['Plan', 1],
      ],
      'the thread stands where its last message is',
    )
    t.same(await listed(world, { label: 'todo' }), [])
    t.same(await listed(world, { q: 'pears' }), [], 'at once')
    t.equal((await listed(world, { q: 'apples' })).length, 1)
    t.equal((await mailboxes.reading.message(id, second.id)).deleted_at, deleted.deleted_at, 'it can be read by its id')
    t.ok((await mailboxes.reading.raw(id, second.id)).includes('pears'))
    for (const refused of [
      () => mailboxes.labels.updateMessage(id, second.id, { unread: false }),
      () => mailboxes.sending.reply(id, second.id, { text: 'x', html: null, attachments: [], all: false }, {}),
    ])
      await t.rejects(refused, { code: 'not_found', hint: /restore/ })
    t.match(await trashOf(world), [
      { id: second.id, object: 'trashed_message', subject: 'Re: Plan', preview: 'pears', purge_at: deleted.purge_at },
    ])
    clock.advance(HOUR)
    t.same(await mailboxes.trash.deleteMessage(id, second.id), deleted, 'deleting it again changes nothing')

    const restored = await mailboxes.trash.restoreMessage(id, second.id)
    t.same(
      { ...restored, updated_at: '' },
      { ...state, updated_at: '' },
      'labels, place and whether it was read come back',
    )
    const after = await mailboxes.reading.thread(id, first.thread_id)
    t.same({ ...after, messages: [] }, { ...before, messages: [] })
    t.same(
      after.messages.map((message) => message.id),
      before.messages.map((message) => message.id),
    )
    t.same(
      (await listed(world)).map(({ subject }) => subject),
      ['Other', 'Plan'],
    )
    t.equal((await listed(world, { label: 'todo' })).length, 1)
    t.equal((await listed(world, { q: 'pears' })).length, 1)
    t.same(await trashOf(world), [])
    t.same(await mailboxes.trash.restoreMessage(id, second.id), restored, 'restoring it again changes nothing')
    t.same(
      (await eventsOf(world)).slice(-2).map(({ type, data }) => [type, data.message_id, data.permanent, data.restored]),
      [
        ['message.deleted', second.id, false, undefined],
        ['message.updated', second.id, undefined, true],
      ],
    )
  },
)

onEveryEngine(
  'a conversation in the trash is a conversation again when an answer comes, or when it is restored',
  async (t, world) => {
    const { mailboxes, id } = world
    const first = await world.deliver({ subject: 'Plan', text: 'apples', headers: ['Message-ID: <1@x.example>'] })
    await world.deliver({ headers: ['In-Reply-To: <1@x.example>', 'Message-ID: <2@x.example>'], text: 'pears' })
    const before = await mailboxes.reading.thread(id, first.thread_id)
    t.same(await mailboxes.trash.deleteThread(id, first.thread_id), {
      id: first.thread_id,
      object: 'thread',
      deleted: true,
      message_count: 2,
    })
    t.match(await mailboxes.trash.deleteThread(id, first.thread_id), { message_count: 0 })
    t.same(await listed(world), [])
    t.same(await listed(world, { unread: true }), [])
    t.same(await listed(world, { q: 'apples' }), [])
    await t.rejects(mailboxes.reading.thread(id, first.thread_id), {
      code: 'not_found',
      hint: /threads\/thr_\w+\/restore/,
    })
    await t.rejects(mailboxes.labels.updateThread(id, first.thread_id, { unread: false }), { code: 'not_found' })

    const third = await world.deliver({
      headers: ['In-Reply-To: <2@x.example>'],
      text: 'nuts',
      from: 'eve@example.net',
    })
    t.equal(third.thread_id, first.thread_id)
    t.match(await listed(world), [
      { message_count: 1, unread_count: 1, preview: 'nuts', participants: [{ address: 'eve@example.net' }] },
    ])
    t.match(await mailboxes.trash.restoreThread(id, first.thread_id), {
      message_count: 3,
      unread_count: 3,
      preview: 'nuts',
    })
    const after = await mailboxes.reading.thread(id, first.thread_id)
    t.same(
      after.messages.map((message) => message.id),
      [...before.messages.map((message) => message.id), third.id],
      'in their old order',
    )
    t.equal((await listed(world)).length, 1)
    t.equal((await mailboxes.trash.restoreThread(id, first.thread_id)).message_count, 3)
  },
)

onEveryEngine('what is gone for good leaves no row, no byte of the quota, and no file', async (t, world) => {
  const { mailboxes, id, blobs } = world
  const kept = await world.deliver({ subject: 'Kept', text: 'stays' })
  await mailboxes.reading.threads(id, { limit: 1, q: 'stays' })
  const empty = await world.record()
  const rows = Object.keys(await rowsOf(world, mailboxPartition(id)))
  const small = await world.deliver({ subject: 'Small', text: 'turnips', headers: ['Message-ID: <s@x.example>'] })
  const large = await world.deliver({ subject: 'Large', text: LARGE })
  await mailboxes.reading.threads(id, { limit: 1, q: 'turnips' })
  await t.rejects(mailboxes.trash.purge(id, small.id), { code: 'not_found', hint: /DELETE \/v1\/messages/ })
  for (const each of [small, large]) await mailboxes.trash.deleteMessage(id, each.id)
  t.equal((await world.record()).usedBytes, empty.usedBytes + small.size_bytes + large.size_bytes, 'until it is gone')

  t.match(await mailboxes.trash.purge(id, large.id), { deleted: true, permanent: true })
  t.equal((await world.record()).usedBytes, empty.usedBytes + small.size_bytes)
  t.equal(await blobs.stream(id, large.id), undefined)
  t.equal(await blobs.countTrash(), 1, 'its file has been let go of')
  await t.rejects(mailboxes.trash.purge(id, large.id), { code: 'not_found' })
  await t.rejects(mailboxes.reading.message(id, large.id), { code: 'not_found' })
  await t.rejects(mailboxes.trash.restoreMessage(id, large.id), { code: 'not_found' })

  t.same(await mailboxes.trash.empty(id), { deleted: 1, has_more: false })
  t.match(await world.record(), { usedBytes: empty.usedBytes, messageCount: 1 })
  t.match(
    (await eventsOf(world)).slice(-2).map(({ type, data }) => [type, data.message_id, data.permanent]),
    [
      ['message.deleted', large.id, true],
      ['message.deleted', small.id, true],
    ],
  )
  const left = Object.keys(await rowsOf(world, mailboxPartition(id)))
  const known = (row: string): boolean => rows.includes(row) || /^\x02(event|subject|correspondent)\x00/.test(row)
  t.same(
    left.filter((row) => !known(row)),
    [],
  )
  t.same(await listed(world, { q: 'turnips' }), [])
  t.notMatch(JSON.stringify(await rowsOf(world, searchPartition(id))), small.thread_id, 'the index has no place for it')
  t.equal((await mailboxes.reading.message(id, kept.id)).subject, 'Kept')
  const again = await world.deliver({ subject: 'Small', text: 'turnips', headers: ['Message-ID: <s@x.example>'] })
  const answer = await world.deliver({ subject: 'Else', headers: ['In-Reply-To: <s@x.example>'] })
  t.not(again.thread_id, small.thread_id)
  t.equal(answer.thread_id, again.thread_id, 'its Message-ID is free again')
})

onEveryEngine('after 7 days the sweep takes away what is in the trash, and nothing younger', async (t, world) => {
  const { mailboxes, id, clock } = world
  const ids: string[] = []
  for (let i = 0; i < 60; i++) ids.push((await world.deliver({ text: `Message ${i}` })).id)
  for (const each of ids.slice(0, 55)) await mailboxes.trash.deleteMessage(id, each)
  clock.advance(3 * DAY)
  for (const each of ids.slice(55, 58)) await mailboxes.trash.deleteMessage(id, each)
  clock.advance(4 * DAY - 1)
  t.equal(await sweep(world), 0)
  clock.advance(1)
  t.equal(await sweep(world), 55, 'in more than one step')
  t.same(
    (await trashOf(world)).map((each) => each.id),
    ids.slice(55, 58).reverse(),
  )
  clock.advance(3 * DAY)
  t.equal(await sweep(world), 3)
  t.match(await world.record(), { messageCount: 2 })
  t.equal(await sweepTrash(world, 'mbx_gone', clock.now()), 0, 'a mailbox that is gone has none')
  await mailboxes.trash.deleteMessage(id, present(ids[58]))
  clock.advance(7 * DAY)
  const [daily] = sweepsOf({ ...world, receipts: { sweep: async () => 0 }, retention: { eventsMs: 365 * DAY } })
  t.same(await daily?.run(new AbortController().signal), { removed: 1 }, 'by the clock')
})

onEveryEngine('of a large message to several mailboxes, each has its own', async (t, world) => {
  const { mailboxes, id, blobs } = world
  const other = await world.addMailbox('other')
  const delivery = await deliveryOf(id, { text: LARGE })
  const mine = await mailboxes.delivery.deliver(delivery)
  const theirs = await mailboxes.delivery.deliver({ ...delivery, mailboxId: other })
  await mailboxes.trash.deleteMessage(id, mine.id)
  await mailboxes.trash.empty(id)
  t.same(await mailboxes.reading.raw(other, theirs.id), delivery.raw)
  await blobs.sweep(world.clock.now() + 100 * DAY, async () => true)
  t.same(await mailboxes.reading.raw(other, theirs.id), delivery.raw, 'also when the file trash was emptied')
  await t.rejects(
    mailboxes.trash.deleteMessage(id, theirs.id),
    { code: 'not_found' },
    'nobody deletes what is not theirs',
  )
  await mailboxes.trash.deleteMessage(other, theirs.id)
  await mailboxes.trash.purge(other, theirs.id)
  t.equal(await blobs.stream(other, theirs.id), undefined)
})

onEveryEngine('what is on its way cannot be deleted, alone or with its conversation', async (t, world) => {
  const { mailboxes, id } = world
  const question = await world.deliver({ subject: 'Plan', headers: ['Message-ID: <1@x.example>'] })
  const reply = await mailboxes.sending.reply(
    id,
    question.id,
    { text: 'x', html: null, attachments: [], all: false },
    {},
  )
  if ('dry_run' in reply) throw new Error('That was a dry run')
  const refused = {
    code: 'message_on_its_way',
    status: 409,
    message: /queued/,
    hint: /\/cancel, or wait for the message\.status/,
  }
  await t.rejects(mailboxes.trash.deleteMessage(id, reply.id), refused)
  await t.rejects(mailboxes.trash.deleteThread(id, question.thread_id), refused)
  t.equal((await mailboxes.reading.thread(id, question.thread_id)).message_count, 2, 'nothing was moved')
  const result = { status: 'delivered' as const, smtpCode: 250, detail: 'ok', nextAttemptAt: null }
  await mailboxes.outbound.recordAttempt(id, reply.id, [{ address: 'ada@example.org', ...result }])
  await mailboxes.trash.deleteThread(id, question.thread_id)
  const bounce = { address: 'ada@example.org', kind: 'bounced' as const, smtpCode: 550, detail: 'gone' }
  t.match(await mailboxes.outbound.recordReport(id, reply.id, [bounce]), { status: 'bounced', deleted_at: String })
  t.match(await mailboxes.trash.restoreThread(id, question.thread_id), { message_count: 2 })
  t.equal((await mailboxes.reading.message(id, reply.id)).status, 'bounced', 'what came back meanwhile is known')
})

onEveryEngine('local mail that was read and deleted for good does not arrive a second time', async (t, world) => {
  const { mailboxes, id } = world
  const first = await world.deliver({ text: LARGE, deliveryId: 'once' })
  await mailboxes.trash.deleteMessage(id, first.id)
  await mailboxes.trash.purge(id, first.id)
  t.equal((await world.deliver({ text: LARGE, deliveryId: 'once' })).id, first.id)
  t.same(await listed(world), [])
  t.match(await world.record(), { usedBytes: 0, messageCount: 0 })
})

onEveryEngine('the trash is listed in pages while more is deleted', async (t, world) => {
  const { mailboxes, id } = world
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await world.deliver({ text: `Message ${i}` })).id)
  for (const each of ids.slice(0, 4)) await mailboxes.trash.deleteMessage(id, each)
  const page = await mailboxes.trash.list(id, { limit: 2 })
  await mailboxes.trash.deleteMessage(id, present(ids[4]))
  const next = await mailboxes.trash.list(id, { limit: 2, cursor: present(page.next_cursor) })
  t.same(
    [...page.data, ...next.data].map((each) => each.id),
    ids.slice(0, 4).reverse(),
  )
  t.same([page.has_more, next.has_more, next.next_cursor], [true, false, null])
  await t.rejects(mailboxes.trash.list(id, { limit: 2, cursor: 'x' }), { code: 'invalid_request' })
})

onEveryEngine('files and people that only a deleted message had are gone from its conversation', async (t, world) => {
  const { mailboxes, id } = world
  const first = await world.deliver({ subject: 'Plan', headers: ['Message-ID: <1@x.example>'] })
  const raw = [
    'From: eve@example.net',
    'To: agent@agents.example, ada@example.org',
    'Subject: Re: Plan',
    'In-Reply-To: <1@x.example>',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Disposition: attachment; filename=a.pdf',
    '',
    '%PDF',
    '',
  ].join('\r\n')
  const second = await world.deliver({ raw: Buffer.from(raw) })
  t.match(await mailboxes.reading.thread(id, first.thread_id), { has_attachments: true, participants: { length: 2 } })
  await world.deliver({ headers: ['In-Reply-To: <1@x.example>'] })
  await mailboxes.trash.deleteMessage(id, second.id)
  const after = await mailboxes.reading.thread(id, first.thread_id)
  t.equal(after.has_attachments, false)
  t.same(
    after.participants.map(({ address }) => address),
    ['ada@example.org'],
  )
})

t.test('the index is made anew when a good part of it is of mail that is gone', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine({ lateness: 0, conflicts: 0 })))
  const { mailboxes, id } = world
  for (let i = 0; i < 30; i++) await world.deliver({ text: 'rhubarb' })
  await listed(world, { q: 'rhubarb' })
  const words = async () => JSON.stringify(await rowsOf(world, searchPartition(id)))
  t.match(await words(), /rhubarb/)
  for (const { id: threadId } of await listed(world)) await mailboxes.trash.deleteThread(id, threadId)
  t.match(await words(), /rhubarb/, 'what is in the trash can come back')
  t.match(await mailboxes.trash.empty(id), { deleted: 30 })
  t.same(await listed(world, { q: 'rhubarb' }), [])
  t.notMatch(await words(), /rhubarb/)
})

/** Everything that counts, lists and rows included, but no times. */
async function standing(world: World): Promise<unknown> {
  const { usedBytes, messageCount } = await world.record()
  const threads = (await listed(world)).map(({ subject, message_count, unread_count, preview }) => ({
    subject,
    message_count,
    unread_count,
    preview,
  }))
  const rows = Object.entries(await rowsOf(world, mailboxPartition(world.id)))
    .filter(([row]) => /^\x02(thread-message|thread-trash|trash|raw|content|message|list|thread)\x00/.test(row))
    .map(([row]) => /^\x02([\w-]+)/.exec(row)?.[1])
  const counts = Object.fromEntries(
    [...new Set(rows)].map((name) => [name, rows.filter((each) => each === name).length]),
  )
  return { usedBytes, messageCount, threads, trash: (await trashOf(world)).length, counts }
}

for (const { name, open } of ENGINES) {
  for (const moment of ['before', 'after'] as const) {
    t.test(
      `a crash ${moment} any commit of deleting, restoring and purging leaves one state or the next (${name})`,
      async (t) => {
        let expected: unknown
        let crashes = 0
        for (let at = 0; ; at++) {
          const ends: (() => Promise<void>)[] = []
          const scope = { testdir: () => t.testdir(), teardown: (fn: () => Promise<void>) => void ends.push(fn) }
          const engine = open(scope)
          const process = mortal(engine, at, moment)
          const life = await makeWorld(t, createStore(process.engine))
          const first = await life.deliver({ subject: 'Plan', text: 'apples', headers: ['Message-ID: <1@x.example>'] })
          const large = await life.deliver({ text: LARGE, headers: ['In-Reply-To: <1@x.example>'] })
          const work = async ({ mailboxes, id }: World): Promise<void> => {
            const unlessGone = (error: unknown): void => {
              // The call before the crash did all of it.
              if (!(error instanceof Error && 'code' in error && error.code === 'not_found')) throw error
            }
            await mailboxes.trash.deleteThread(id, first.thread_id)
            await mailboxes.trash.restoreMessage(id, first.id)
            await mailboxes.trash.deleteMessage(id, large.id).catch(unlessGone)
            await mailboxes.trash.purge(id, large.id).catch(unlessGone)
          }
          if (at > 0) process.arm()
          await work(life).catch((error: unknown) => error)
          const died = process.died()
          if (died) crashes++

          const world = await makeWorld(t, createStore(engine), life)
          // A caller who got no answer asks again; what was done stays done.
          if (at > 0) await work(world)
          await world.blobs.sweep(Date.now() + 2 * HOUR, (owner, id) => isRawReferenced(world.store, owner, id))
          const now = await standing(world)
          expected ??= now
          t.same(now, expected, `crash at commit ${at}`)
          t.equal(
            await world.blobs.stream(world.id, large.id),
            undefined,
            'its file is let go of, whenever the process died',
          )
          for (const end of ends) await end()
          if (at > 0 && !died) break
        }
        t.ok(crashes >= 3, `${crashes} places to crash at`)
      },
    )
  }
}

t.test('rows of the trash tell what a list shows', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const sent = await world.send({
    to: Array.from({ length: 5 }, (_, i) => ({ address: `p${i}@example.org`, name: '' })),
    subject: 'To all',
  })
  const done = { status: 'delivered' as const, smtpCode: 250, detail: 'ok', nextAttemptAt: null }
  await world.mailboxes.outbound.recordAttempt(
    world.id,
    sent.id,
    Array.from({ length: 5 }, (_, i) => ({ address: `p${i}@example.org`, ...done })),
  )
  await world.mailboxes.trash.deleteMessage(world.id, sent.id)
  t.match(await trashOf(world), [
    { direction: 'outbound', subject: 'To all', to: { length: 5 }, from: { address: 'agent@agents.example' } },
  ])
  const rows = Object.entries(await rowsOf(world, mailboxPartition(world.id)))
  const row = rows.find(([key]) => key.startsWith('\x02trash'))
  t.ok(present(row)[1].length < 10, 'what it shows is in the row of the message')
})

onEveryEngine('a conversation that falls behind while it is listed is listed once all the same', async (t, world) => {
  const { mailboxes, id } = world
  const start = async (name: string) =>
    (await world.deliver({ subject: name, headers: [`Message-ID: <${name}@x.example>`] })).thread_id
  const answer = async (name: string) => (await world.deliver({ headers: [`In-Reply-To: <${name}@x.example>`] })).id
  await start('A')
  await start('B')
  const early = await answer('A')
  await start('C')
  const b = await answer('B')
  const a = await answer('A')
  const names = async (page: { data: { subject: string }[] }) => page.data.map(({ subject }) => subject)
  const first = await mailboxes.reading.threads(id, { limit: 2 })
  t.same(await names(first), ['A', 'B'])
  for (const each of [a, b, early]) await mailboxes.trash.deleteMessage(id, each)
  const next = await mailboxes.reading.threads(id, { limit: 2, cursor: present(first.next_cursor) })
  t.same(await names(next), ['C'])
  t.same(
    await names(await mailboxes.reading.threads(id, { limit: 9 })),
    ['C', 'B', 'A'],
    'the next listing has it where it stands',
  )
})

type Step =
  { do: 'deliver'; thread: number; from: number; file: boolean } | { do: (typeof DOINGS)[number]; pick: number }
const DOINGS = ['delete', 'delete thread', 'restore', 'restore thread', 'purge', 'empty', 'label', 'read'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('deliver' as const),
    thread: fc.nat(1),
    from: fc.nat(3),
    file: fc.nat(4).map((n) => n === 0),
  }),
  fc.record({ do: fc.constantFrom(...DOINGS, 'delete', 'delete', 'restore'), pick: fc.nat(30) }),
)

interface Known {
  id: string
  thread: string
  from: string
  file: boolean
  bytes: number
  unread: boolean
  labelled: boolean
  at: 'standing' | 'trash' | 'gone'
}

/** Does a step, to the mailbox and to what should be there. */
async function take(world: World, known: Known[], trash: string[], next: Step): Promise<void> {
  const { mailboxes, id } = world
  const unlessGone = (error: unknown): void => {
    if (!(error instanceof Error && 'code' in error && error.code === 'not_found')) throw error
  }
  if (next.do === 'deliver') {
    const from = `p${next.from}@example.org`
    const type = next.file ? ['Content-Disposition: attachment; filename=a.txt'] : []
    const arrived = await world.deliver({
      from,
      subject: `S${next.thread}`,
      to: 'agent@agents.example, all@x.example',
      headers: type,
    })
    const { id: messageId, thread_id: thread, size_bytes: bytes } = arrived
    known.push({ id: messageId, thread, from, file: next.file, bytes, unread: true, labelled: false, at: 'standing' })
    return
  }
  const picked = known[next.pick % Math.max(known.length, 1)]
  if (!picked) return
  const own = known.filter(({ thread }) => thread === picked.thread)
  const move = (moved: Known[], at: Known['at']): void => {
    for (const each of moved) {
      if (each.at === 'trash') trash.splice(trash.indexOf(each.id), 1)
      each.at = at
      if (at === 'trash') trash.push(each.id)
    }
  }
  switch (next.do) {
    case 'delete':
      await mailboxes.trash.deleteMessage(id, picked.id).catch(unlessGone)
      return move(
        [picked].filter(({ at }) => at === 'standing'),
        'trash',
      )
    case 'delete thread':
      await mailboxes.trash.deleteThread(id, picked.thread).catch(unlessGone)
      return move(
        own.filter(({ at }) => at === 'standing'),
        'trash',
      )
    case 'restore':
      await mailboxes.trash.restoreMessage(id, picked.id).catch(unlessGone)
      return move(
        [picked].filter(({ at }) => at === 'trash'),
        'standing',
      )
    case 'restore thread':
      await mailboxes.trash.restoreThread(id, picked.thread).catch(unlessGone)
      return move(
        own.filter(({ at }) => at === 'trash'),
        'standing',
      )
    case 'purge':
      await mailboxes.trash.purge(id, picked.id).catch(unlessGone)
      return move(
        [picked].filter(({ at }) => at === 'trash'),
        'gone',
      )
    case 'empty':
      await mailboxes.trash.empty(id)
      return move(
        known.filter(({ at }) => at === 'trash'),
        'gone',
      )
    case 'label':
    case 'read':
      await mailboxes.labels
        .updateMessage(id, picked.id, next.do === 'label' ? { addLabels: ['x'] } : { unread: false })
        .catch(unlessGone)
      if (picked.at !== 'standing') return
      if (next.do === 'label') picked.labelled = true
      else picked.unread = false
  }
}

async function play(t: Test, steps: Step[]): Promise<void> {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0.1 }))
  const world = await makeWorld(t, store)
  const { mailboxes, id } = world
  const known: Known[] = []
  const trash: string[] = []
  for (const [i, next] of steps.entries()) {
    await take(world, known, trash, next)
    // The index follows in pieces, as it does in life.
    if (i % 5 === 4) await listed(world, { q: 'hello' })
  }
  const standing = known.filter(({ at }) => at === 'standing')
  const held = known.filter(({ at }) => at !== 'gone')
  const threads = [...new Set(standing.toReversed().map(({ thread }) => thread))].map((thread) => {
    const own = standing.filter((each) => each.thread === thread)
    return {
      id: thread,
      message_count: own.length,
      unread_count: own.filter(({ unread }) => unread).length,
      labels: own.some(({ labelled }) => labelled) ? ['inbox', 'x'] : ['inbox'],
      has_attachments: own.some(({ file }) => file),
      participants: ['all@x.example', ...new Set(own.map(({ from }) => from))].sort(),
      last_message_id: own.at(-1)?.id,
    }
  })
  const shown = (await listed(world)).map((thread) => ({
    id: thread.id,
    message_count: thread.message_count,
    unread_count: thread.unread_count,
    labels: [...thread.labels].sort(),
    has_attachments: thread.has_attachments,
    participants: thread.participants.map(({ address }) => address).sort(),
    last_message_id: thread.last_message_id,
  }))
  t.same(shown, threads)
  t.same((await listed(world, { unread: true })).length, threads.filter((thread) => thread.unread_count > 0).length)
  t.same((await listed(world, { label: 'x' })).length, threads.filter(({ labels }) => labels.includes('x')).length)
  const ids = (await mailboxes.reading.messages(id, { limit: 100 })).data.map((message) => message.id)
  t.same(ids, standing.map((each) => each.id).reverse())
  t.same(
    (await trashOf(world)).map((each) => each.id),
    trash.toReversed(),
  )
  t.match(await world.record(), {
    usedBytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
    messageCount: held.length,
  })
  await store.close()
}

t.test('after any operations, threads, lists, trash and quota are what a recount gives', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50, size: 'max' }), (steps) => play(t, steps)),
    { numRuns: 40, seed: 1 },
  )
})

onEveryEngine('the list of the trash says what is spam', async (t, world) => {
  const { mailboxes, id } = world
  const ham = await world.deliver({ subject: 'Ham' })
  const spam = await world.deliver({ subject: 'Spam', labels: ['spam', 'noise'] })
  for (const each of [ham, spam]) await mailboxes.trash.deleteMessage(id, each.id)
  const labels = async () => (await trashOf(world)).map((each) => [each.subject, each.labels])
  const wanted = [
    ['Spam', ['spam', 'noise']],
    ['Ham', ['inbox']],
  ]
  t.same(await labels(), wanted)
})
