import fc from 'fast-check'
import t from 'tap'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { searchPartition } from '../../../src/mailbox/keys.js'
import { clearPartition } from '../../../src/mailbox/record.js'
import { sweepMailbox } from '../../../src/mailbox/retention/sweep.js'
import { termsOf, tokensOf } from '../../../src/mailbox/mail-work/tokens.js'
import { DAY } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { makeWorld, onEveryEngine, type World } from '../world.js'

async function find({ mailboxes, id }: World, q: string, limit = 100): Promise<string[]> {
  return (await mailboxes.reading.threads(id, { limit, q })).data.map(({ subject }) => subject)
}

onEveryEngine('a message is found as soon as it is visible, by all words of the query', async (t, world) => {
  await world.deliver({
    subject: 'Invoice for March',
    text: 'Please pay 120 euros.',
    from: 'Grace Hopper <grace@navy.example>',
  })
  t.same(await find(world, 'invoice'), ['Invoice for March'])
  await world.deliver({ subject: 'Lunch', text: 'Invoice is attached? No, only lunch.' })
  t.same(await find(world, 'INVOICE'), ['Lunch', 'Invoice for March'])
  t.same(await find(world, 'invoice pay'), ['Invoice for March'])
  t.same(await find(world, 'pay lunch'), [], 'words of two messages do not make a match')
  t.same(await find(world, 'euro'), ['Invoice for March'], 'the last word may be unfinished')
  t.same(await find(world, 'euro pay'), [], 'only the last one')
  t.same(await find(world, 'hopper'), ['Invoice for March'])
  t.same(await find(world, 'grace@navy.example'), ['Invoice for March'])
  t.same(await find(world, ''), [])
  t.same(await find(world, '?! …'), [])
  t.same(await find(world, 'nowhere'), [])
})

onEveryEngine('what was sent is found too, by its recipients and files', async (t, world) => {
  await world.send({
    subject: 'Offer',
    bcc: [{ address: 'hidden@example.net', name: '' }],
    attachments: [{ filename: 'price-list.pdf', contentType: 'application/pdf', content: Buffer.from('x') }],
  })
  for (const q of ['hidden', 'price list', 'ada@example.org', 'good morning'])
    t.same(await find(world, q), ['Offer'], q)
})

onEveryEngine('all scripts are searched, without regard to case and width', async (t, world) => {
  await world.deliver({ subject: 'Straße', text: '東京都に行きます。 ภาษาไทย हिन्दी ＦＵＬＬ Σίσυφος' })
  for (const q of ['STRASSE', 'strasse', '東京', '京都', '京', '行きます', 'ภาษา', 'हिन्दी', 'full', 'ΣΊΣΥΦΟΣ']) {
    t.same(await find(world, q), ['Straße'], q)
  }
  t.same(await find(world, '都東'), [])
})

onEveryEngine('found conversations come by their newest match, each once, in stable pages', async (t, world) => {
  const { mailboxes, id } = world
  for (let i = 0; i < 60; i++) {
    const headers = [`Message-ID: <${i}@x.example>`]
    await world.deliver({ subject: `S${i}`, text: i % 3 === 0 ? 'apple pear' : 'apple', headers })
  }
  for (let i = 0; i < 30; i++) await world.deliver({ text: 'apple pear', headers: [`In-Reply-To: <${i}@x.example>`] })
  const all = (await mailboxes.reading.threads(id, { limit: 100, q: 'pear apple' })).data.map((thread) => thread.id)
  t.equal(all.length, 30 + 10)
  const paged: string[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await mailboxes.reading.threads(id, { limit: 7, q: 'pear apple', cursor })
    paged.push(...page.data.map((thread) => thread.id))
    if (!page.has_more) break
    cursor = page.next_cursor ?? undefined
    await world.deliver({ text: 'apple pear', headers: ['In-Reply-To: <59@x.example>'] })
    await world.deliver({ text: 'apple pear', headers: ['In-Reply-To: <57@x.example>'] })
    await world.deliver({ text: 'apple pear' })
  }
  t.same(paged, all)
})

onEveryEngine('filters narrow what is found', async (t, world) => {
  const a = await world.deliver({ subject: 'A', text: 'word' })
  await world.deliver({ subject: 'B', text: 'word', labels: ['spam'] })
  await world.mailboxes.labels.updateMessage(world.id, a.id, { unread: false })
  const { mailboxes, id } = world
  const subjects = async (query: object): Promise<string[]> =>
    (await mailboxes.reading.threads(id, { limit: 10, q: 'word', ...query })).data.map(({ subject }) => subject)
  t.same(await subjects({ unread: true, includeSpam: true }), ['B'])
  t.same(await subjects({ unread: true }), [], 'spam is left out')
  t.same(await subjects({ label: 'spam' }), ['B'])
  t.same(await subjects({ q: 'word in:spam' }), ['B'])
  t.same(await subjects({ label: 'inbox' }), ['A'])
  t.same(await subjects({ includeSpam: true }), ['B', 'A'])
})

t.test('two words that are common but never together are looked for in bounded steps', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  t.teardown(() => store.close())
  const world = await makeWorld(t, store)
  for (let i = 0; i < 300; i++) await world.deliver({ text: i % 2 === 0 ? 'black' : 'white' })
  t.same(await find(world, 'black white'), [])
})

onEveryEngine('the index is rebuilt when it is gone, also when the events are', async (t, world) => {
  const { store, id, clock } = world
  for (let i = 0; i < 50; i++) await world.deliver({ subject: `S${i}`, text: 'word' })
  t.equal((await find(world, 'word')).length, 50)
  await clearPartition(store, searchPartition(id))
  clock.advance(31 * DAY)
  await world.deliver({ subject: 'unseen', text: 'word' })
  clock.advance(31 * DAY)
  await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY })
  t.equal((await find(world, 'word')).length, 51, 'from the messages themselves')
  await world.deliver({ subject: 'dropped before it was indexed', text: 'word' })
  clock.advance(31 * DAY)
  await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY })
  await world.deliver({ subject: 'newest', text: 'word' })
  t.equal((await find(world, 'word')).length, 53)
})

onEveryEngine('indexers that run at once make one index', async (t, world) => {
  for (let i = 0; i < 45; i++) await world.deliver({ text: `word number${i}` })
  const indexers = [createIndexer(world), createIndexer(world), createIndexer(world)]
  await Promise.all(indexers.map((indexer) => indexer.indexMailbox(world.id)))
  t.equal((await find(world, 'word')).length, 45)
  t.equal((await find(world, 'number44')).length, 1)
  const version = await world.store.version(searchPartition(world.id))
  await createIndexer(world).indexMailbox(world.id)
  t.equal(await world.store.version(searchPartition(world.id)), version, 'nothing is written when nothing is new')
  await createIndexer(world).indexMailbox('mbx_unknown')
  t.equal(await world.store.version(searchPartition('mbx_unknown')), 0n)
})

t.test('words are cut in one way for texts and queries', async (t) => {
  t.same(tokensOf(["Don't panic", 'panic'], 10), ['don', 't', 'panic'])
  t.same(tokensOf(['a b c d'], 2), ['a', 'b'])
  t.same(tokensOf(['x日本語y'], 10), ['x', '日本', '本語', '語', 'y'])
  t.same(tokensOf([`${'a'.repeat(100)}`], 10), ['a'.repeat(64)])
  t.same(termsOf('日本 foo', true), [
    { token: '日本', prefix: false },
    { token: 'foo', prefix: true },
  ])
  t.same(termsOf('日 x', true), [
    { token: '日', prefix: true },
    { token: 'x', prefix: true },
  ])
  t.same(termsOf('one two one', false), [
    { token: 'one', prefix: false },
    { token: 'two', prefix: false },
  ])
})

t.test('words are the same whatever stands beside them', async (t) => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 200 })
  fc.assert(
    fc.property(ascii, (text) => {
      const beside = tokensOf([`${text} é`], 1000).filter((token) => token !== 'é')
      return JSON.stringify(tokensOf([text], 1000)) === JSON.stringify(beside)
    }),
    { numRuns: 500 },
  )
  const unicode = fc.string({ unit: 'grapheme', maxLength: 50 })
  fc.assert(
    fc.property(unicode, unicode, (one, other) => {
      const together = tokensOf([`${one} ${other}`], 1000)
      return JSON.stringify(together) === JSON.stringify(tokensOf([one, other], 1000))
    }),
    { numRuns: 500 },
  )
  t.pass()
})

onEveryEngine('mail that comes in bursts and one by one is found alike', async (t, world) => {
  const words = ['red', 'green', 'blue', 'black', 'white']
  const texts: string[] = []
  for (let i = 0; i < 40; i++) {
    const text = words.filter((_, bit) => ((i * 7 + 3) >> bit) % 2 === 1).join(' ')
    texts.push(text)
    await world.deliver({ subject: `S${i}`, text })
    // Batches of one, of two, of three and so on.
    if ([0, 2, 5, 9, 14, 20, 27].includes(i)) await createIndexer(world).indexMailbox(world.id)
    // All of one by one: enough small pieces to be merged, while the mailbox is searched.
    if (i > 27) await Promise.all([createIndexer(world).mergeIndex(world.id), find(world, 'red')])
  }
  for (const one of words) {
    for (const other of words) {
      const wanted = texts.filter((text) => text.includes(one) && text.includes(other)).length
      const found = await world.mailboxes.reading.threads(world.id, { limit: 100, q: `${one} ${other}` })
      t.equal(found.data.length, wanted, `${one} ${other}`)
    }
  }
})
