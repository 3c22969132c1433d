import t, { type Test } from 'tap'
import fc from 'fast-check'
import { ServiceError } from '../../../src/lib/errors.js'
import type { Thread } from '../../../src/mailbox/objects/objects.js'
import type { MessageChange } from '../../../src/mailbox/labels.js'
import type { ThreadQuery } from '../../../src/mailbox/search/message-filter.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { createStore } from '../../../src/store/store.js'
import { eventsOf, makeWorld, onEveryEngine, type World } from '../world.js'

/** Every page of a listing; `between` runs after each page. */
async function pages(
  { mailboxes, id }: World,
  query: Omit<ThreadQuery, 'limit'> & { limit?: number },
  between: () => Promise<unknown> = async () => undefined,
): Promise<Thread[]> {
  const all: Thread[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await mailboxes.reading.threads(id, { limit: 10, ...query, cursor })
    all.push(...page.data)
    if (!page.has_more) return all
    cursor = page.next_cursor ?? undefined
    await between()
  }
}

const subjects = (threads: Thread[]): string[] => threads.map(({ subject }) => subject)

onEveryEngine('threads come newest activity first, all or unread or by label', async (t, world) => {
  const { mailboxes, id } = world
  const a = await world.deliver({ subject: 'A', headers: ['Message-ID: <a@x.example>'] })
  const b = await world.deliver({ subject: 'B' })
  await world.deliver({ subject: 'C', labels: ['spam'] })
  t.same(subjects(await pages(world, {})), ['B', 'A'])
  await world.deliver({ subject: 'Re: A', headers: ['In-Reply-To: <a@x.example>'] })
  t.same(subjects(await pages(world, {})), ['A', 'B'])
  t.same(subjects(await pages(world, { label: 'spam' })), ['C'])
  t.same(subjects(await pages(world, { includeSpam: true })), ['A', 'C', 'B'])
  await mailboxes.labels.updateMessage(id, b.id, { unread: false, addLabels: ['todo'] })
  t.same(subjects(await pages(world, { unread: true })), ['A'])
  await mailboxes.labels.updateThread(id, a.thread_id, { addLabels: ['todo'] })
  t.same(subjects(await pages(world, { label: 'todo' })), ['A', 'B'])
  t.same(subjects(await pages(world, { label: 'todo', unread: true })), ['A'])
  t.same(subjects(await pages(world, { label: 'nothing' })), [])
  const [first] = await pages(world, {})
  t.match(first, { message_count: 2, unread_count: 2, labels: ['inbox', 'todo'], has_attachments: false })
  t.notOk(first && 'messages' in first)
})

onEveryEngine('1,000 conversations in pages: each once while mail arrives, in all lists', async (t, world) => {
  const { mailboxes, id } = world
  for (let i = 0; i < 1000; i++) await world.deliver({ subject: `S${i}`, headers: [`Message-ID: <${i}@x.example>`] })
  const expected = Array.from({ length: 1000 }, (_, i) => `S${999 - i}`)
  for (const query of [{}, { unread: true }, { label: 'inbox' }]) {
    const start = await mailboxes.reading.threads(id, { limit: 100 })
    let arrived = 0
    const listed = await pages(world, { limit: 100, ...query }, async () => {
      // To conversations that were listed, to some that are still to come, and new ones.
      for (const i of [990 - arrived, 5 + arrived]) await world.deliver({ headers: [`In-Reply-To: <${i}@x.example>`] })
      await world.deliver({ subject: `New ${arrived++}` })
    })
    t.ok(arrived >= 9)
    t.same(subjects(listed.slice(0, 100)), subjects(start.data))
    t.same(
      subjects(listed)
        .filter((subject) => subject.startsWith('S'))
        .sort(),
      [...expected].sort(),
    )
    t.equal((await mailboxes.reading.threads(id, { limit: 100 })).data[0]?.subject, `New ${arrived - 1}`)
  }
})

onEveryEngine('a cursor that is not of this list is refused', async (t, world) => {
  const { mailboxes, id } = world
  for (let i = 0; i < 3; i++) await world.deliver({ text: 'word' })
  const { next_cursor } = await mailboxes.reading.threads(id, { limit: 1 })
  const wrong = [
    { cursor: 'nonsense' },
    { cursor: '' },
    { cursor: 'x'.repeat(5000) },
    { cursor: Buffer.from('{"list":"all","start":-1,"end":1}').toString('base64url') },
    { cursor: next_cursor ?? '', unread: true },
    { cursor: next_cursor ?? '', q: 'word' },
  ]
  for (const query of wrong) {
    await t.rejects(
      mailboxes.reading.threads(id, { limit: 1, ...query }),
      { code: 'invalid_request' },
      JSON.stringify(query),
    )
  }
  await t.rejects(mailboxes.reading.threads(id, { limit: 1, label: 'No Label' }), { code: 'invalid_request' })
  await t.rejects(mailboxes.reading.threads('mbx_unknown', { limit: 1 }), { code: 'not_found' })
})

onEveryEngine('labels and unread change in one commit, with one event a message', async (t, world) => {
  const { mailboxes, id } = world
  const first = await world.deliver({ subject: 'S' })
  const second = await world.deliver({ subject: 'S' })
  const seq = (await world.record()).seq
  const thread = await mailboxes.labels.updateThread(id, first.thread_id, {
    unread: false,
    addLabels: ['done'],
    removeLabels: ['inbox'],
  })
  t.match(thread, { unread_count: 0, labels: ['done'] })
  const events = await eventsOf(world, seq)
  t.same(
    events.map(({ type, data }) => [type, data.message_id, data.labels, data.unread]),
    [first, second].map((message) => ['message.updated', message.id, ['done'], false]),
  )
  t.same((await mailboxes.reading.message(id, second.id)).labels, ['done'])
  const before = await world.store.version(`mailbox/${id}`)
  await mailboxes.labels.updateThread(id, first.thread_id, { unread: false, addLabels: ['done'] })
  await mailboxes.labels.updateMessage(id, first.id, {})
  t.equal(await world.store.version(`mailbox/${id}`), before, 'what changes nothing commits nothing')
})

onEveryEngine('a label that is none, is not yours, or is one too many is refused', async (t, world) => {
  const { mailboxes, id } = world
  const { id: messageId, thread_id } = await world.deliver()
  const wrong: MessageChange[] = [
    { addLabels: ['Upper'] },
    { addLabels: [''] },
    { addLabels: ['two words'] },
    { addLabels: ['x'.repeat(65)] },
    { removeLabels: ['ü'] },
    { addLabels: ['sent'] },
    { addLabels: Array.from({ length: 50 }, (_, i) => `l${i}`) },
  ]
  for (const change of wrong) {
    await t.rejects(
      mailboxes.labels.updateMessage(id, messageId, change),
      { code: 'invalid_request' },
      JSON.stringify(change),
    )
    await t.rejects(mailboxes.labels.updateThread(id, thread_id, change), { code: 'invalid_request' })
  }
  const labels = ['__proto__', 'constructor', 'a-_./:9', 'x'.repeat(64)]
  await mailboxes.labels.updateMessage(id, messageId, { addLabels: labels })
  t.same((await mailboxes.reading.thread(id, thread_id)).labels, ['inbox', ...labels])
  t.equal((await pages(world, { label: '__proto__' })).length, 1)
})

onEveryEngine('an id that is unknown, foreign or malformed is not found', async (t, world) => {
  const { mailboxes, id } = world
  const other = await world.addMailbox('other-agent')
  const theirs = await world.deliver({ mailboxId: other })
  for (const messageId of [theirs.id, 'msg_01J00000000000000000000000', '', 'x'.repeat(5000), 'msg_\0']) {
    await t.rejects(mailboxes.reading.message(id, messageId), { code: 'not_found' })
    await t.rejects(mailboxes.reading.raw(id, messageId), { code: 'not_found' })
    await t.rejects(mailboxes.reading.attachment(id, messageId, 'att_x'), { code: 'not_found' })
    await t.rejects(mailboxes.labels.updateMessage(id, messageId, { unread: false }), { code: 'not_found' })
    await t.rejects(
      mailboxes.sending.reply(id, messageId, { text: 'x', html: null, attachments: [], all: false }, {}),
      {
        code: 'not_found',
      },
    )
  }
  for (const threadId of [theirs.thread_id, 'thr_x', 'x'.repeat(5000)]) {
    await t.rejects(mailboxes.reading.thread(id, threadId), { code: 'not_found' })
    await t.rejects(mailboxes.labels.updateThread(id, threadId, { unread: false }), { code: 'not_found' })
  }
})

t.test('a conversation shows its newest 100 messages, and takes 500', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  const ids = []
  for (let i = 0; i < 501; i++) ids.push(await world.deliver({ subject: 'Long' }))
  const thread = await world.mailboxes.reading.thread(world.id, ids[0]?.thread_id ?? '')
  t.equal(thread.message_count, 500)
  t.same(
    thread.messages.map(({ id }) => id),
    ids.slice(400, 500).map(({ id }) => id),
  )
  t.not(ids[500]?.thread_id, thread.id)
  const read = await world.mailboxes.labels.updateThread(world.id, thread.id, { unread: false })
  t.equal(read.unread_count, 0)
})

t.test(
  'a conversation is read in stretches, whatever the size of its messages and whatever is deleted meanwhile',
  async (t) => {
    const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
    t.teardown(() => store.close())
    const world = await makeWorld(t, store)
    const { mailboxes, id: mailboxId } = world
    const head = 'From: ada@example.org\r\nSubject: Long\r\n'
    const small = Buffer.from(`${head}\r\nshort\r\n`)
    // Its text is stored beside its HTML.
    const large = Buffer.from(`${head}Content-Type: text/html\r\n\r\n<p>${'word '.repeat(8_000)}</p>\r\n`)
    const ids: string[] = []
    let threadId = ''
    for (let i = 0; i < 120; i++) {
      const message = await world.deliver({ raw: i < 20 ? large : small })
      ids.push(message.id)
      threadId = message.thread_id
    }
    const read: string[] = []
    const stretches: number[] = []
    let before: string | undefined
    for (let older = 1; older > 0;) {
      const stretch = await mailboxes.reading.stretch(mailboxId, threadId, { before })
      const shown = stretch.messages.map(({ id }) => id)
      t.equal(stretch.message_count, 120 - (before === undefined ? 0 : 1))
      read.unshift(...shown)
      stretches.push(shown.length)
      older = stretch.older
      // Where a page ends may go to the trash before the next one is asked for.
      if (before === undefined) await mailboxes.trash.deleteMessage(mailboxId, shown[0] ?? '')
      before = shown[0]
    }
    t.same(read, ids)
    t.equal(stretches[0], 100)
    t.ok(stretches.length > 2, `${stretches.join(', ')}: large messages are fewer on a page`)
    await t.rejects(mailboxes.reading.stretch(mailboxId, threadId, { before: ids[0] }), { code: 'not_found' })
    const other = await world.deliver({ subject: 'Other' })
    await t.rejects(mailboxes.reading.stretch(mailboxId, threadId, { before: other.id }), { code: 'not_found' })
  },
)

type Step =
  | { do: 'deliver'; subject: number; spam: boolean }
  | { do: 'send'; subject: number }
  | { do: 'message'; pick: number; change: MessageChange }
  | { do: 'thread'; pick: number; change: MessageChange }
  | { do: 'delete'; pick: number }
  | { do: 'restore'; pick: number }

const labels = fc
  .uniqueArray(fc.constantFrom('inbox', 'spam', 'a', 'b'), { maxLength: 2 })
  .filter((given) => !(given.includes('inbox') && given.includes('spam')))
const change: fc.Arbitrary<MessageChange> = fc.record({
  addLabels: labels,
  removeLabels: labels,
  unread: fc.option(fc.boolean(), { nil: undefined }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('deliver' as const), subject: fc.nat(2), spam: fc.boolean() }),
  fc.record({ do: fc.constant('send' as const), subject: fc.nat(2) }),
  fc.record({ do: fc.constant('message' as const), pick: fc.nat(30), change }),
  fc.record({ do: fc.constant('thread' as const), pick: fc.nat(30), change }),
  fc.record({ do: fc.constant('delete' as const), pick: fc.nat(30) }),
  fc.record({ do: fc.constant('restore' as const), pick: fc.nat(30) }),
)

function onItsWay(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'message_on_its_way')) throw error
}

function isInTrash(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
}

async function play(t: Test, steps: Step[]): Promise<void> {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0.1 }))
  const world = await makeWorld(t, store)
  const { mailboxes, id } = world
  const known: { id: string; thread_id: string }[] = []
  for (const next of steps) {
    const picked = 'pick' in next ? known[next.pick % Math.max(known.length, 1)] : undefined
    if (next.do === 'deliver')
      known.push(await world.deliver({ subject: `S${next.subject}`, labels: next.spam ? ['spam'] : [] }))
    else if (next.do === 'send') known.push(await world.send({ subject: `S${next.subject}` }))
    else if (!picked) continue
    else if (next.do === 'restore') await mailboxes.trash.restoreMessage(id, picked.id)
    else if (next.do === 'delete') await mailboxes.trash.deleteMessage(id, picked.id).catch(onItsWay)
    else if (next.do === 'message') await mailboxes.labels.updateMessage(id, picked.id, next.change).catch(isInTrash)
    else await mailboxes.labels.updateThread(id, picked.thread_id, next.change).catch(isInTrash)
  }
  const messages = await Promise.all(known.map((message) => mailboxes.reading.message(id, message.id)))
  const here = messages.filter((message) => message.deleted_at === undefined)
  const sides = {
    mail: here.filter((message) => !message.labels.includes('spam')),
    spam: here.filter((message) => message.labels.includes('spam')),
    all: here,
  }
  for (const message of here) t.notOk(message.labels.includes('inbox') && message.labels.includes('spam'))
  const lists = {
    mail: await pages(world, { limit: 3 }),
    spam: await pages(world, { label: 'spam', limit: 3 }),
    all: await pages(world, { includeSpam: true, limit: 3 }),
  }
  for (const side of ['mail', 'spam', 'all'] as const) {
    for (const thread of lists[side]) {
      const own = sides[side].filter(({ thread_id }) => thread_id === thread.id)
      const last = own.at(-1)
      t.equal(thread.message_count, own.length)
      t.equal(thread.unread_count, own.filter(({ unread }) => unread).length)
      t.same([...thread.labels].sort(), [...new Set(own.flatMap((message) => message.labels))].sort())
      t.equal(thread.last_message_id, last?.id)
      t.equal(thread.preview, last?.preview)
    }
    t.same(
      lists[side].map((thread) => thread.id),
      [...new Set([...sides[side]].reverse().map(({ thread_id }) => thread_id))],
      `in the order of their last messages: ${side}`,
    )
  }
  for (const label of ['inbox', 'sent', 'a', 'b']) {
    const expected = lists.mail.filter((thread) => thread.labels.includes(label))
    t.same(await pages(world, { label, limit: 2 }), expected)
  }
  t.same(
    await pages(world, { unread: true, limit: 2 }),
    lists.mail.filter(({ unread_count }) => unread_count > 0),
  )
  t.same(
    await pages(world, { label: 'spam', unread: true, limit: 2 }),
    lists.spam.filter(({ unread_count }) => unread_count > 0),
  )
  const record = await world.record()
  t.equal(record.messageCount, messages.length)
  t.equal(
    record.usedBytes,
    messages.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  )
  t.equal(record.sentCount, messages.filter(({ direction }) => direction === 'outbound').length)
  t.equal(record.receivedCount, messages.filter(({ direction }) => direction === 'inbound').length)
  t.same(
    (await eventsOf(world)).map(({ seq }) => seq),
    Array.from({ length: record.seq }, (_, i) => i + 1),
  )
  await store.close()
}

t.test('after any operations, counters and lists are what a recount gives', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), (steps) => play(t, steps)),
    { numRuns: 30, seed: 1 },
  )
})

onEveryEngine('one change to many messages is one commit, and names what is not there', async (t, world) => {
  const { mailboxes, id } = world
  const other = await world.addMailbox('other')
  const a = await world.deliver({ subject: 'A', headers: ['Message-ID: <a@x.example>'] })
  const b = await world.deliver({ subject: 'Re: A', headers: ['In-Reply-To: <a@x.example>'] })
  const c = await world.deliver({ subject: 'C' })
  const trashed = await world.deliver({ subject: 'D' })
  const theirs = await world.deliver({ subject: 'E', mailboxId: other })
  await mailboxes.trash.deleteMessage(id, trashed.id)
  const before = await world.store.version(`mailbox/${id}`)
  const change = { addLabels: ['todo'], unread: false }
  const ids = [a.id, b.id, a.id, c.id, trashed.id, theirs.id, 'msg_x']
  t.same(await mailboxes.labels.updateMessages(id, ids, change), {
    updated: [a, b, c].map((each) => ({
      id: each.id,
      object: 'message',
      thread_id: each.thread_id,
      labels: ['inbox', 'todo'],
      unread: false,
    })),
    not_found: [trashed.id, theirs.id, 'msg_x'],
  })
  t.same(await pages(world, { unread: true }), [])
  t.match(await pages(world, { label: 'todo' }), [
    { subject: 'C', message_count: 1 },
    { subject: 'A', message_count: 2, unread_count: 0 },
  ])
  t.equal((await mailboxes.reading.message(other, theirs.id)).unread, true)
  const after = await world.store.version(`mailbox/${id}`)
  await mailboxes.labels.updateMessages(id, ids, change)
  t.equal(await world.store.version(`mailbox/${id}`), after, 'the same again changes nothing')
  t.ok(after > before)
  t.equal((await eventsOf(world)).filter(({ type }) => type === 'message.updated').length, 3)

  const many = { addLabels: Array.from({ length: 49 }, (_, i) => `l${i}`) }
  await mailboxes.labels.updateMessage(id, c.id, { removeLabels: ['todo', 'inbox'] })
  await t.rejects(mailboxes.labels.updateMessages(id, [c.id, a.id], many), { code: 'invalid_request' })
  t.same((await mailboxes.reading.message(id, c.id)).labels, [], 'all or none')
})

onEveryEngine('one change to many conversations, however many messages they have together', async (t, world) => {
  const { mailboxes, id } = world
  const threads: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const first = await world.deliver({ subject: name, headers: [`Message-ID: <${name}@x.example>`] })
    threads.push(first.thread_id)
    for (let i = 0; i < 200; i++) await world.deliver({ headers: [`In-Reply-To: <${name}@x.example>`] })
  }
  const empty = await world.deliver({ subject: 'D' })
  await mailboxes.trash.deleteThread(id, empty.thread_id)
  const done = await mailboxes.labels.updateThreads(id, [...threads, empty.thread_id, 'thr_x', ...threads], {
    unread: false,
  })
  t.match(
    done.updated.map((thread) => [thread.id, thread.unread_count, thread.message_count]),
    threads.map((thread) => [thread, 0, 201]),
  )
  t.same(done.not_found, [empty.thread_id, 'thr_x'])
  t.same(await pages(world, { unread: true }), [])
})

onEveryEngine('an answer finds what was sent from here, also once that is deleted for good', async (t, world) => {
  const { mailboxes, id, clock } = world
  const sent = await world.send({ to: [{ address: 'eve@example.net', name: '' }], subject: 'Plan', text: 'One.' })
  const { message_id: messageId } = await mailboxes.reading.message(id, sent.id)
  const answer = (subject: string) =>
    world.deliver({ subject, from: 'eve@example.net', headers: [`In-Reply-To: <${messageId}>`] })
  t.equal((await answer('Other words')).thread_id, sent.thread_id)
  // Nobody draws a conversation away by repeating its id.
  const thief = await world.deliver({ subject: 'Mine', headers: [`Message-ID: <${messageId}>`] })
  t.not(thief.thread_id, sent.thread_id)
  t.equal((await answer('More words')).thread_id, sent.thread_id)
  const others = String(messageId).replace(/@.*/, '@elsewhere.example')
  t.not(
    (await world.deliver({ subject: 'Else', from: 'x@y.example', headers: [`In-Reply-To: <${others}>`] })).thread_id,
    sent.thread_id,
    'an id of somebody else',
  )
  const ended = { status: 'delivered' as const, smtpCode: 250, detail: 'ok', nextAttemptAt: null }
  await mailboxes.outbound.recordAttempt(id, sent.id, [{ address: 'eve@example.net', ...ended }])
  await mailboxes.trash.deleteMessage(id, sent.id)
  await mailboxes.trash.purge(id, sent.id)
  clock.advance(1)
  t.equal((await answer('Last words')).thread_id, sent.thread_id)
})
