import fc from 'fast-check'
import t from 'tap'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { mailboxPartition, messageKey, searchPartition } from '../../../src/mailbox/keys.js'
import { type Message, type MessageSummary, messageSummarySchema } from '../../../src/mailbox/objects/objects.js'
import type { MessageFilter, MessageQuery } from '../../../src/mailbox/search/message-filter.js'
import { encode, key } from '../../../src/store/keys.js'
import { newIndex, putIndexRow } from '../../../src/mailbox/search/segments.js'
import { readState } from '../../../src/mailbox/message-rows.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { makeWorld, onEveryEngine, type World } from '../world.js'

/** Every page of a listing. */
async function pages(
  { mailboxes, id }: World,
  query: MessageFilter & { limit?: number },
  between: () => Promise<unknown> = async () => undefined,
): Promise<MessageSummary[]> {
  const all: MessageSummary[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await mailboxes.reading.messages(id, { limit: 7, ...query, cursor })
    all.push(...page.data)
    if (!page.has_more) return all
    cursor = page.next_cursor ?? undefined
    await between()
  }
}

const subjects = (messages: MessageSummary[]): string[] => messages.map(({ subject }) => subject)

onEveryEngine('messages are listed newest first, without what they say', async (t, world) => {
  const { mailboxes, id } = world
  const first = await world.deliver({ subject: 'First', text: 'Good morning. '.repeat(50) })
  await world.send({ subject: 'Second' })
  await world.deliver({ subject: 'Third' })
  const { data, has_more, next_cursor } = await mailboxes.reading.messages(id, { limit: 3 })
  t.same(subjects(data), ['Third', 'Second', 'First'])
  t.equal(has_more, false)
  t.equal(next_cursor, null)
  const [, sent, received] = data
  t.match(sent, { direction: 'outbound', labels: ['sent'], recipients: [{ address: 'ada@example.org' }] })
  const same = messageSummarySchema.parse(await mailboxes.reading.message(id, first.id))
  t.same(received, same, 'what a list says is what the message says')
  t.notOk(received && ('text' in received || 'headers' in received))
  await t.rejects(mailboxes.reading.messages('mbx_unknown', { limit: 3 }), { code: 'not_found' })
})

onEveryEngine('filters, alone and together', async (t, world) => {
  const { mailboxes, id, clock } = world
  const pdf = [{ filename: 'march-prices.pdf', contentType: 'application/pdf', content: Buffer.from('x') }]
  const a = await world.deliver({ subject: 'Invoice 12 for March', from: 'Ada Lovelace <ada@example.org>' })
  clock.advance(60_000)
  const middle = clock.now()
  await world.deliver({ subject: 'March: the invoice 12', from: 'Bob <bob@sub.example.org>', labels: ['spam'] })
  clock.advance(60_000)
  await world.send({ subject: 'Prices', to: [{ address: 'Carla@example.net', name: 'Carla' }], attachments: pdf })
  await world.send({ subject: 'Hidden', cc: [{ address: 'dora@example.net', name: '' }] })
  await mailboxes.labels.updateMessage(id, a.id, { unread: false, addLabels: ['todo'] })
  const cases: [MessageFilter, string[]][] = [
    [{}, ['Hidden', 'Prices', 'March: the invoice 12', 'Invoice 12 for March']],
    [{ from: 'ada@example.org' }, ['Invoice 12 for March']],
    [{ from: 'ADA@Example.org' }, ['Invoice 12 for March']],
    [{ from: 'example.org' }, ['March: the invoice 12', 'Invoice 12 for March']],
    [{ from: '@example.org' }, ['Invoice 12 for March']],
    [{ from: 'lovelace' }, ['Invoice 12 for March']],
    [{ from: 'love' }, ['Invoice 12 for March']],
    [{ from: 'ada@example.orgx' }, []],
    [{ to: 'carla@example.net' }, ['Prices']],
    [{ to: 'dora' }, ['Hidden']],
    [{ to: 'agent@agents.example' }, ['March: the invoice 12', 'Invoice 12 for March']],
    [{ from: 'agent@agents.example' }, ['Hidden', 'Prices']],
    [{ subject: 'INVOICE 12' }, ['March: the invoice 12', 'Invoice 12 for March']],
    [{ subject: 'invoice 1' }, ['March: the invoice 12', 'Invoice 12 for March']],
    [{ subject: 'invoice for' }, []],
    [{ subject: 'invoice 12 for' }, ['Invoice 12 for March']],
    [{ label: 'todo' }, ['Invoice 12 for March']],
    [{ label: 'spam' }, ['March: the invoice 12']],
    [{ direction: 'outbound' }, ['Hidden', 'Prices']],
    [{ direction: 'inbound' }, ['March: the invoice 12', 'Invoice 12 for March']],
    [{ status: 'received' }, ['March: the invoice 12', 'Invoice 12 for March']],
    [{ status: 'queued' }, ['Hidden', 'Prices']],
    [{ status: 'held' }, []],
    [{ hasAttachment: true }, ['Prices']],
    [{ hasAttachment: false, direction: 'outbound' }, ['Hidden']],
    [{ unread: true }, ['March: the invoice 12']],
    [{ unread: false, direction: 'inbound' }, ['Invoice 12 for March']],
    [{ before: middle }, ['Invoice 12 for March']],
    [{ after: middle }, ['Hidden', 'Prices', 'March: the invoice 12']],
    [{ after: middle, before: middle + 1 }, ['March: the invoice 12']],
    [{ threadId: a.thread_id }, ['Invoice 12 for March']],
    [{ threadId: 'thr_nothing' }, []],
    [{ q: 'march' }, ['Prices', 'March: the invoice 12', 'Invoice 12 for March']],
    [{ q: '"march prices"' }, ['Prices']],
    [{ q: '"prices march"' }, []],
    [{ q: 'march -from:bob' }, ['Prices', 'Invoice 12 for March']],
    [{ q: 'march -"invoice 12"' }, ['Prices']],
    [{ q: 'march -has:attachment -label:spam' }, ['Invoice 12 for March']],
    [{ q: '-march' }, ['Hidden']],
    [{ q: 'in:inbox is:read' }, ['Invoice 12 for March']],
    [{ q: 'in:sent subject:hid' }, ['Hidden']],
    [{ q: `-after:${new Date(middle).toISOString()}` }, ['Invoice 12 for March']],
    [{ q: 'invoice', before: middle, label: 'inbox', from: 'ada' }, ['Invoice 12 for March']],
    [{ q: '?!' }, []],
  ]
  for (const [given, wanted] of cases) {
    const filter = { includeSpam: true, ...given }
    t.same(subjects(await pages(world, filter)), wanted, JSON.stringify(filter))
    const threads = await mailboxes.reading.threads(id, { limit: 100, ...filter })
    t.same(threads.data.map(({ subject }) => subject).sort(), [...wanted].sort(), `threads: ${JSON.stringify(filter)}`)
    const isAsked = given.label === 'spam' || /(?:^| )(?:in|label):spam/.test(given.q ?? '')
    const rest = isAsked ? wanted : wanted.filter((subject) => subject !== 'March: the invoice 12')
    t.same(subjects(await pages(world, given)), rest, `spam is left out of ${JSON.stringify(given)}`)
  }
})

onEveryEngine('pages are stable while mail comes in', async (t, world) => {
  for (let i = 0; i < 60; i++) await world.deliver({ subject: `S${i}`, text: i % 3 === 0 ? 'apple' : 'pear' })
  const all = Array.from({ length: 60 }, (_, i) => `S${59 - i}`)
  const more = async () => world.deliver({ subject: 'New', text: 'apple' })
  t.same(subjects(await pages(world, {}, more)), all)
  const apples = all.filter((subject) => Number(subject.slice(1)) % 3 === 0)
  t.same(
    subjects(await pages(world, { q: 'apple', before: world.clock.now() + 1 }, more)).filter((s) => s !== 'New'),
    apples,
  )
  const { next_cursor } = await world.mailboxes.reading.messages(world.id, { limit: 1 })
  const wrong: MessageQuery[] = [
    { limit: 1, cursor: next_cursor ?? '', q: 'apple' },
    { limit: 1, cursor: 'nonsense' },
    { limit: 1, cursor: Buffer.from('{"query":"x","end":-1}').toString('base64url') },
  ]
  for (const query of wrong) {
    await t.rejects(world.mailboxes.reading.messages(world.id, query), { code: 'invalid_request' }, query.cursor ?? '')
  }
  await t.rejects(world.mailboxes.reading.threads(world.id, { limit: 1, cursor: next_cursor ?? '' }), {
    code: 'invalid_request',
  })
})

onEveryEngine('what is changed is listed as it is now', async (t, world) => {
  const { mailboxes, id } = world
  const a = await world.deliver({ subject: 'A' })
  await world.deliver({ subject: 'B' })
  const listed = async (filter: MessageFilter) => subjects(await pages(world, filter))
  t.same(await listed({ unread: true }), ['B', 'A'])
  await mailboxes.labels.updateMessage(id, a.id, { unread: false, addLabels: ['x'], removeLabels: ['inbox'] })
  t.same(await listed({ unread: true }), ['B'])
  t.same(await listed({ label: 'inbox' }), ['B'])
  t.same(await listed({ label: 'x' }), ['A'])
  await mailboxes.labels.updateMessage(id, a.id, { unread: true, removeLabels: ['x'] })
  t.same(await listed({ unread: true }), ['B', 'A'])
  t.same(await listed({ label: 'x' }), [])
  const { id: sent } = await world.send({ subject: 'C' })
  const result = { smtpCode: 250, detail: 'ok', nextAttemptAt: null }
  await mailboxes.outbound.recordAttempt(id, sent, [{ address: 'ada@example.org', status: 'delivered', ...result }])
  t.same(await listed({ status: 'queued' }), [])
  t.same(await listed({ status: 'delivered' }), ['C'])
})

onEveryEngine('what is deleted leaves all lists, and comes back to its place', async (t, world) => {
  const { mailboxes, id } = world
  const a = await world.deliver({ subject: 'A', text: 'word' })
  await world.deliver({ subject: 'B', text: 'word' })
  const filters: MessageFilter[] = [{}, { q: 'word' }, { unread: true }, { label: 'inbox' }, { direction: 'inbound' }]
  for (const filter of filters) t.same(subjects(await pages(world, filter)), ['B', 'A'])
  await mailboxes.trash.deleteMessage(id, a.id)
  for (const filter of filters) t.same(subjects(await pages(world, filter)), ['B'], JSON.stringify(filter))
  await mailboxes.trash.restoreMessage(id, a.id)
  for (const filter of filters) t.same(subjects(await pages(world, filter)), ['B', 'A'], JSON.stringify(filter))
})

t.test('whatever is asked of whatever mail, what is listed is what a look at each message finds', async (t) => {
  const words = ['red', 'green', 'blue', 'redder', '東京', '京都', 'über']
  const people = ['ada@example.org', 'bob@example.org', 'carla@example.net']
  const word = fc.constantFrom(...words)
  const mail = fc.record({
    text: fc.array(word, { minLength: 1, maxLength: 6 }),
    subject: fc.array(word, { minLength: 1, maxLength: 3 }),
    from: fc.constantFrom(...people),
    spam: fc.boolean(),
    read: fc.boolean(),
    wait: fc.nat(3),
    index: fc.nat(3),
  })
  /** A piece of `q`, and what it means; the last word may go on. */
  type Asked = { q: string; is: (message: Message, isLast: boolean) => boolean }
  const all = (message: Message): string[][] => [
    message.subject.split(' '),
    [message.from?.address ?? ''],
    message.text.trim().split(' '),
  ]
  const inARow = (texts: string[], phrase: string[]): boolean =>
    texts.some((_, at) => phrase.every((each, i) => texts[at + i] === each))
  const piece: fc.Arbitrary<Asked> = fc.oneof(
    word.map((each) => ({
      q: `${each}.`,
      is: (m: Message, isLast: boolean) =>
        all(m)
          .flat()
          .some((text) => text === each || (isLast && text.startsWith(each))),
    })),
    fc.tuple(word, word).map((both) => ({
      q: `"${both.join(' ')}"`,
      is: (m: Message) => all(m).some((texts) => inARow(texts, both)),
    })),
    fc.constantFrom(...people).map((who) => ({ q: `from:${who}`, is: (m: Message) => m.from?.address === who })),
    word.map((each) => ({
      q: `subject:"${each}"`,
      is: (m: Message) => m.subject.split(' ').includes(each),
    })),
    fc.constant({ q: 'is:unread', is: (m: Message) => m.unread }),
    fc.constant({ q: 'in:spam', is: (m: Message) => m.labels.includes('spam') }),
    fc.nat(60).map((minute) => ({
      q: `before:${new Date(BEGIN + minute * 60_000).toISOString()}`,
      is: (m: Message) => Date.parse(m.created_at) < BEGIN + minute * 60_000,
    })),
  )
  const asked = fc
    .tuple(piece, fc.boolean())
    .map(([one, not]): Asked => (not ? { q: `-${one.q}`, is: (m) => !one.is(m, false) } : one))
  const BEGIN = (await bareWorld()).clock.now()
  async function bareWorld(): Promise<World> {
    const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
    t.teardown(() => store.close())
    return makeWorld(t, store)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(mail, { minLength: 5, maxLength: 40 }),
      fc.array(fc.array(asked, { minLength: 1, maxLength: 4 }), { minLength: 8, maxLength: 8 }),
      async (mails, queries) => {
        const world = await bareWorld()
        const indexer = createIndexer(world)
        const stored: Message[] = []
        for (const { text, subject, from, spam, read, wait, index } of mails) {
          world.clock.advance(wait * 60_000)
          const labels = spam ? ['spam'] : []
          const message = await world.deliver({ text: text.join(' '), subject: subject.join(' '), from, labels })
          if (read) await world.mailboxes.labels.updateMessage(world.id, message.id, { unread: false })
          stored.unshift({ ...message, unread: !read })
          if (index === 0) await indexer.indexMailbox(world.id)
          if (index === 1) await indexer.mergeIndex(world.id)
        }
        for (const query of queries) {
          const q = query.map((each) => each.q).join(' ')
          const wanted = stored
            .filter((message) => query.every(({ is }, at) => is(message, at === query.length - 1)))
            .filter((message) => /(?:^| )in:spam/.test(q) || !message.labels.includes('spam'))
            .map(({ id }) => id)
          const found = (await pages(world, { q, limit: 3 })).map(({ id }) => id)
          if (found.join() !== wanted.join()) throw new Error(`${q}: ${found.length} found, ${wanted.length} wanted`)
        }
      },
    ),
    { numRuns: 30 },
  )
  t.pass()
})

t.test('an index of an earlier version is made anew, and nothing of it stays', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  for (let i = 0; i < 5; i++) await world.deliver({ subject: `S${i}` })
  const old = key('place', 999)
  await store.write(searchPartition(world.id), (tx) => {
    putIndexRow(tx, { ...newIndex(3), seq: 5 })
    tx.put(old, encode('thr_of_then'))
  })
  t.equal((await pages(world, {})).length, 5)
  t.equal((await pages(world, { unread: true })).length, 5)
  t.equal((await pages(world, { q: 'S1' })).length, 1)
  t.equal(await store.read(searchPartition(world.id), (view) => view.get(old)), undefined)
})

t.test('a message that is gone is left out', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  const a = await world.deliver({ subject: 'A' })
  await world.deliver({ subject: 'B' })
  await pages(world, {})
  await store.write(mailboxPartition(world.id), async (tx) => {
    tx.delete(messageKey((await readState(tx, a.id))?.seq ?? 0))
  })
  t.same(subjects(await pages(world, {})), ['B'])
})

t.test('hostile queries end in pages of bounded work, and go on to the end', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  const count = 1500
  for (let i = 0; i < count; i++)
    await world.deliver({ text: `the of and ${i === 3 ? 'of the needle' : 'the end of'}` })
  const hostile = [
    '-nothing -"of the" -zebra',
    '"of the needle"',
    '"and of the end the"',
    '-the',
    'is:unread -in:inbox',
  ]
  for (const q of [...hostile, Array.from({ length: 60 }, (_, i) => `-x${i}`).join(' ')]) {
    let [turns, seen] = [0, 0]
    let cursor: string | undefined
    for (;;) {
      const page = await world.mailboxes.reading.messages(world.id, { limit: 100, q, cursor })
      seen += page.data.length
      turns++
      if (!page.has_more) break
      t.not(page.next_cursor, cursor, 'each page comes further')
      cursor = page.next_cursor ?? undefined
    }
    const wanted = q.includes('-x1')
      ? count
      : ({ '-nothing -"of the" -zebra': count - 1, '"of the needle"': 1 }[q] ?? 0)
    t.equal(seen, wanted, q)
    t.ok(turns <= count / 50, `${turns} pages for ${q}`)
  }
})
