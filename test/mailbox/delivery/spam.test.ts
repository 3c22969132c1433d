/** What is judged to be spam: where it is, who hears of it, and how a person's mark moves it there and back. */
import type { Test } from 'tap'
import type { EventQuery } from '../../../src/mailbox/events.js'
import { verifyMailbox } from '../../../src/ops/verify/mailbox.js'
import { onEveryEngine, present, type World } from '../world.js'

const never = new AbortController().signal

const eventsOf = (world: World, query: Partial<EventQuery> = {}) =>
  world.mailboxes.events(
    world.id,
    { after: 0, limit: 100, waitMs: 0, filter: { withoutSpam: true }, ...query },
    query.waitMs === undefined ? never : AbortSignal.timeout(20_000),
  )

async function threads(world: World, query: object = {}) {
  const { data } = await world.mailboxes.reading.threads(world.id, { limit: 100, ...query })
  return data.map(({ subject, labels, unread_count, message_count, preview }) => ({
    subject,
    labels,
    unread: unread_count,
    messages: message_count,
    preview,
  }))
}

async function subjects(world: World, query: object = {}): Promise<string[]> {
  const { data } = await world.mailboxes.reading.messages(world.id, { limit: 100, ...query })
  return data.map(({ subject }) => subject)
}

/** Counts, lists and rows are what a recount gives. */
async function isWhole(t: Test, { store, id, blobs }: World): Promise<void> {
  const found: unknown[] = []
  await verifyMailbox({ store, blobs, quick: true }, id, (...finding) => found.push(finding))
  t.same(found, [])
}

onEveryEngine('spam is not in the inbox, and in no list that does not ask for it', async (t, world) => {
  const ham = await world.deliver({ subject: 'Ham' })
  const spam = await world.deliver({ subject: 'Spam', labels: ['spam'] })
  t.same([ham.labels, spam.labels], [['inbox'], ['spam']])
  t.same(await subjects(world), ['Ham'])
  t.same(await subjects(world, { unread: true }), ['Ham'])
  t.same(await subjects(world, { includeSpam: true }), ['Spam', 'Ham'])
  t.same(await subjects(world, { label: 'spam' }), ['Spam'])
  t.same(await subjects(world, { label: 'inbox' }), ['Ham'])
  t.same(await subjects(world, { q: 'hello' }), ['Ham'])
  t.same(await subjects(world, { q: 'hello in:spam' }), ['Spam'])
  t.same(await subjects(world, { q: 'hello -label:spam' }), ['Ham'])
  t.same(await subjects(world, { threadId: spam.thread_id }), ['Spam'], 'a conversation of spam alone was asked for')
  const one = { unread: 1, messages: 1, preview: 'Hello.' }
  for (const query of [{}, { unread: true }, { q: 'hello' }, { label: 'inbox' }])
    t.same(await threads(world, query), [{ subject: 'Ham', labels: ['inbox'], ...one }])
  for (const query of [{ label: 'spam' }, { label: 'spam', unread: true }, { q: 'in:spam' }])
    t.same(await threads(world, query), [{ subject: 'Spam', labels: ['spam'], ...one }])
  t.equal((await threads(world, { includeSpam: true })).length, 2)
  t.same((await world.mailboxes.reading.thread(world.id, spam.thread_id)).messages.length, 1)
})

onEveryEngine('a rule of its owner that labels mail as spam takes it out of the inbox', async (t, world) => {
  const rule = { from: 'ada@example.org', labels: ['spam', 'noise'], markRead: false }
  await world.mailboxes.settings.change(world.id, { autoLabels: [rule] })
  t.same((await world.deliver({ subject: 'X' })).labels, ['spam', 'noise'])
  t.same(await threads(world), [])
})

onEveryEngine('spam in a conversation changes nothing of what its lists show', async (t, world) => {
  const { mailboxes, id } = world
  const ham = await world.deliver({ subject: 'Plan', text: 'Our plan.', headers: ['Message-ID: <1@x.example>'] })
  await world.deliver({ subject: 'Later', text: 'Later.' })
  const before = await threads(world)
  const headers = ['In-Reply-To: <1@x.example>']
  const spam = await world.deliver({ subject: 'Re: Plan', text: 'Buy now.', labels: ['spam'], headers })
  t.equal(spam.thread_id, ham.thread_id)
  t.same(await threads(world), before, 'neither its place nor its preview')
  t.match(await threads(world, { includeSpam: true }), [
    { subject: 'Plan', labels: ['inbox', 'spam'], unread: 2, messages: 2, preview: 'Buy now.' },
    { subject: 'Later' },
  ])
  t.match(await threads(world, { label: 'spam' }), [{ subject: 'Plan', unread: 1, messages: 1, preview: 'Buy now.' }])
  const read = await mailboxes.reading.thread(id, ham.thread_id)
  t.same([read.message_count, read.messages.map(({ text }) => text.trim())], [1, ['Our plan.']])
  const all = await mailboxes.reading.thread(id, ham.thread_id, { includeSpam: true })
  t.same([all.message_count, all.messages.map(({ text }) => text.trim())], [2, ['Our plan.', 'Buy now.']])
  t.same(await subjects(world, { threadId: ham.thread_id }), ['Plan'])
  await isWhole(t, world)
})

onEveryEngine('mail that answers in a conversation of spam brings only itself into the inbox', async (t, world) => {
  const spam = await world.deliver({ subject: 'Offer', text: 'Buy.', labels: ['spam'], headers: ['Message-ID: <1@x>'] })
  const ham = await world.deliver({ subject: 'Re: Offer', text: 'A real answer.', headers: ['In-Reply-To: <1@x>'] })
  t.equal(ham.thread_id, spam.thread_id)
  t.match(await threads(world), [{ labels: ['inbox'], unread: 1, messages: 1, preview: 'A real answer.' }])
  t.match(await threads(world, { label: 'spam' }), [{ labels: ['spam'], unread: 1, messages: 1, preview: 'Buy.' }])
  await isWhole(t, world)
})

onEveryEngine(
  'marked as spam, and not spam after all: label, lists, counts and index move together',
  async (t, world) => {
    const { mailboxes, id } = world
    const first = await world.deliver({ subject: 'Plan', text: 'One.', headers: ['Message-ID: <1@x.example>'] })
    const headers = ['In-Reply-To: <1@x.example>']
    const second = await world.deliver({ subject: 'Re: Plan', text: 'Two.', from: 'Eve <eve@example.net>', headers })
    const sent = await mailboxes.sending.reply(
      id,
      first.id,
      { text: 'Three.', html: null, attachments: [], all: false },
      {},
    )
    const before = await threads(world)

    const marked = await mailboxes.labels.updateMessage(id, second.id, { addLabels: ['spam'] })
    t.same(marked.labels, ['spam'])
    t.match(await threads(world), [{ messages: 2, unread: 1, labels: ['inbox', 'sent'] }])
    t.notMatch(JSON.stringify(await mailboxes.reading.threads(id, { limit: 5 })), 'eve@example.net')
    t.same(await subjects(world, { q: 'two' }), [])
    t.same(await subjects(world, { label: 'spam' }), ['Re: Plan'])
    await isWhole(t, world)

    const cleared = await mailboxes.labels.updateMessage(id, second.id, { removeLabels: ['spam'] })
    t.same(cleared.labels, ['inbox'])
    t.same(await threads(world), before)
    t.same(await threads(world, { label: 'spam' }), [])
    t.same(await subjects(world, { q: 'two' }), ['Re: Plan'])

    const thread = await mailboxes.labels.updateThread(id, first.thread_id, { addLabels: ['spam'] })
    t.match(thread, { labels: ['spam', 'sent'], message_count: 3 }, 'all of it is shown, as there is nothing else')
    t.same([await threads(world), await threads(world, { unread: true })], [[], []])
    await isWhole(t, world)
    await mailboxes.labels.updateThread(id, first.thread_id, { addLabels: ['inbox'] })
    t.match(await threads(world), [{ messages: 3, unread: 2 }])
    t.same((await mailboxes.reading.message(id, second.id)).labels, ['inbox'])

    await mailboxes.labels.updateThread(id, first.thread_id, { addLabels: ['spam'], removeLabels: ['inbox'] })
    await mailboxes.labels.updateThreads(id, [first.thread_id], { removeLabels: ['spam', 'inbox'] })
    t.same((await mailboxes.reading.message(id, second.id)).labels, [], 'archived')
    t.ok('id' in sent)
    await t.rejects(mailboxes.labels.updateMessage(id, first.id, { addLabels: ['inbox', 'spam'] }), {
      code: 'invalid_request',
    })
    await isWhole(t, world)
  },
)

onEveryEngine('events of spam are passed over, and the cursor moves past them', async (t, world) => {
  const { mailboxes, id } = world
  const spam = await world.deliver({ subject: 'Spam', labels: ['spam'] })
  t.match(await eventsOf(world), { data: [], has_more: false, next_after: 1 })
  t.equal((await eventsOf(world, { filter: {} })).data.length, 1, 'the log has it')

  const waiting = eventsOf(world, { after: 0, waitMs: 20_000 })
  await world.deliver({ subject: 'More spam', labels: ['spam'] })
  await mailboxes.labels.updateMessage(id, spam.id, { unread: false })
  const ham = await world.deliver({ subject: 'Ham' })
  t.match(await waiting, { data: [{ seq: 4, data: { message_id: ham.id } }], next_after: 4 })

  for (let i = 0; i < 30; i++) await world.deliver({ subject: `S${i}`, labels: ['spam'] })
  await world.deliver({ subject: 'At last' })
  t.match(await eventsOf(world, { after: 4, limit: 5 }), { data: [{ data: { subject: 'At last' } }], next_after: 35 })

  await mailboxes.labels.updateMessage(id, ham.id, { addLabels: ['spam'] })
  await mailboxes.labels.updateMessage(id, ham.id, { unread: false })
  await mailboxes.trash.deleteMessage(id, ham.id)
  await mailboxes.trash.restoreMessage(id, ham.id)
  await mailboxes.labels.updateMessage(id, ham.id, { removeLabels: ['spam'] })
  const { data } = await eventsOf(world, { after: 35 })
  t.match(data, [
    { type: 'message.updated', data: { labels: ['spam'], was_spam: false } },
    { type: 'message.updated', data: { labels: ['inbox'], was_spam: true } },
  ])
  t.equal(data.length, 2)
})

onEveryEngine('spam in the trash is in no list, and comes back as spam', async (t, world) => {
  const { mailboxes, id } = world
  const spam = await world.deliver({ subject: 'Spam', labels: ['spam'] })
  await mailboxes.trash.deleteMessage(id, spam.id)
  for (const query of [{}, { includeSpam: true }, { label: 'spam' }]) {
    t.same(await subjects(world, query), [])
    t.same(await threads(world, query), [])
  }
  await t.rejects(mailboxes.reading.thread(id, spam.thread_id), { code: 'not_found', message: /trash/ })
  t.same((await mailboxes.trash.restoreMessage(id, spam.id)).labels, ['spam'])
  t.same([await threads(world), (await threads(world, { label: 'spam' })).length], [[], 1])
  await isWhole(t, world)
  await mailboxes.trash.deleteThread(id, spam.thread_id)
  await mailboxes.trash.purge(id, spam.id)
  t.equal(present(await mailboxes.directory.get(id)).messageCount, 0)
  await isWhole(t, world)
})

onEveryEngine('pages go on over conversations whose messages turn out to be spam', async (t, world) => {
  const { mailboxes, id } = world
  for (let i = 0; i < 6; i++) await world.deliver({ subject: `S${i}`, headers: [`Message-ID: <${i}@x.example>`] })
  const headers = ['In-Reply-To: <0@x.example>']
  const late = await world.deliver({ subject: 'Re: S0', headers })
  const first = await mailboxes.reading.threads(id, { limit: 2 })
  t.same(
    first.data.map(({ subject }) => subject),
    ['S0', 'S5'],
  )
  await mailboxes.labels.updateMessage(id, late.id, { addLabels: ['spam'] })
  await world.deliver({ subject: 'Re: S3', labels: ['spam'], headers: ['In-Reply-To: <3@x.example>'] })
  const rest = await mailboxes.reading.threads(id, { limit: 10, cursor: present(first.next_cursor) })
  t.same(
    rest.data.map(({ subject }) => subject),
    ['S4', 'S3', 'S2', 'S1'],
    'each once',
  )
})

onEveryEngine('mail that came as spam and is cleared wakes whoever waits for mail, once', async (t, world) => {
  const { mailboxes, id } = world
  const types = new Set(['message.received'] as const)
  const mails = { types, withoutSpam: true }
  const spam = await world.deliver({ subject: 'Your order 17', labels: ['spam'] })
  const waiting = eventsOf(world, { after: 1, waitMs: 20_000, filter: { ...mails, from: '@example.org' } })
  const picky = eventsOf(world, { after: 1, waitMs: 20_000, filter: { ...mails, subjectContains: 'order 18' } })
  const bySpam = eventsOf(world, { after: 1, waitMs: 20_000, filter: { types } })
  await mailboxes.labels.updateMessage(id, spam.id, { unread: false })
  await mailboxes.labels.updateMessage(id, spam.id, { removeLabels: ['spam'] })
  t.match((await waiting).data, [
    {
      type: 'message.updated',
      data: {
        message_id: spam.id,
        newly_visible: true,
        was_spam: true,
        labels: ['inbox'],
        from: { address: 'ada@example.org' },
        subject: 'Your order 17',
        preview: 'Hello.',
        untrusted: true,
      },
    },
  ])

  // Who had it before is not told again: it was marked by hand, or had been cleared.
  const { seq } = present((await waiting).data[0])
  const ham = await world.deliver({ subject: 'Order 18' })
  for (const each of [spam, ham]) {
    await mailboxes.labels.updateMessage(id, each.id, { addLabels: ['spam'] })
    await mailboxes.labels.updateMessage(id, each.id, { removeLabels: ['spam'] })
  }
  t.match((await eventsOf(world, { after: seq, filter: mails })).data, [{ type: 'message.received' }])
  t.equal((await eventsOf(world, { after: seq, filter: mails })).data.length, 1)
  t.match((await picky).data, [{ data: { message_id: ham.id } }], 'and only who waits for such mail')
  t.match((await bySpam).data, [{ data: { message_id: ham.id } }], 'who asks for spam too had it when it came')

  const other = await world.deliver({ subject: 'A conversation', labels: ['spam'] })
  const next = eventsOf(world, { after: seq + 5, waitMs: 20_000, filter: { ...mails, threadId: other.thread_id } })
  await mailboxes.labels.updateThread(id, other.thread_id, { removeLabels: ['spam'] })
  t.match((await next).data, [{ data: { message_id: other.id, newly_visible: true } }], 'by its conversation too')
})
