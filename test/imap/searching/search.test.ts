import t, { type Test } from 'tap'
import { DELETED, FLAGGED, SEEN } from '../../../src/mailbox/folders/flags.js'
import { UidSet } from '../../../src/mailbox/folders/uid-set.js'
import type { FolderView } from '../../../src/mailbox/folders/view.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { readStateAt } from '../../../src/mailbox/message-rows.js'
import * as fields from '../../../src/mime/fields.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import type { ParsedMessage } from '../../../src/mime/types.js'
import type { SearchKey } from '../../../src/imap/grammar/search-keys.js'
import { parseNumberSet, type SequenceSet } from '../../../src/imap/wire/sequence-set.js'
import { readsOf } from '../reads.js'
import { createSearching, type Searching, type SearchScope } from '../../../src/imap/searching/searching.js'
import { createStore } from '../../../src/store/store.js'
import { keywordsOf, openFolder } from '../../mailbox/folders/client.js'
import { makeWorld, onEveryEngine, PARSE_LIMITS, present, type World } from '../../mailbox/world.js'
import { below, pick, type Random, randomFrom } from '../../support/random.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { message, needle } from './mail.js'
import { isFound, type NaiveFolder, type NaiveMessage } from './naive.js'

const DAY = 24 * 60 * 60 * 1000
const SEED = Number(process.env.SEED ?? 1)
const never = new AbortController().signal

const inMemory = (test: Test): Promise<World> => makeWorld(test, createStore(memoryEngine()))
const searchingIn = (w: World): Searching => createSearching({ searched: readsOf(w) })
const scopeOf = (w: World, view: FolderView, more: Partial<SearchScope> = {}): SearchScope => ({
  mailboxId: w.id,
  view,
  uids: view.uids,
  signal: never,
  ...more,
})
const text = (where: (SearchKey & { key: 'text' })['in'], value: string): SearchKey => ({
  key: 'text',
  in: where,
  value,
})
const set = (numbers: string): SequenceSet => present(parseNumberSet(numbers))

/** All of INBOX as a session sees it that knows only some of its messages, and some that are gone. */
async function naiveOf(
  w: World,
  view: FolderView,
  uids: UidSet,
  parsed: Map<number, ParsedMessage>,
): Promise<NaiveMessage[]> {
  const all: NaiveMessage[] = []
  for (const entry of view.entries()) {
    if (!uids.has(entry.uid)) continue
    const state = present(await w.store.read(mailboxPartition(w.id), (v) => readStateAt(v, entry.place)))
    const own = present(parsed.get(entry.place))
    all.push({
      entry,
      keywords: keywordsOf(view, entry.keywords),
      state,
      parsed: own,
      sentDay: sentDay(own.headers['date']) ?? entry.date * 1000,
      sequence: uids.seqOf(entry.uid),
    })
  }
  return all
}

/** Of the dates of mail.ts. */
function sentDay(date: string | undefined): number | undefined {
  const [, day, year] = /(\d+) Jan (\d+)/.exec(date ?? '') ?? []
  return day === undefined
    ? undefined
    : Date.UTC(Number(year) < 100 ? 2000 + Number(year) : Number(year), 0, Number(day))
}

function randomKey(random: Random, messages: readonly NaiveMessage[], depth: number): SearchKey {
  const one = pick(random, messages)
  const inner = (): SearchKey => randomKey(random, messages, depth - 1)
  const relation = pick(random, ['BEFORE', 'ON', 'SINCE'] as const)
  const { subject, from, to, cc, text: body, headers, attachments } = one.parsed
  const names = [...(from ? [from] : []), ...to, ...cc].flatMap(({ name, address }) => [name, address])
  const texts = [subject, body, ...names, ...attachments.map(({ filename }) => filename)].filter((each) => each !== '')
  const string = (): string => needle(random, texts)
  const numbers = (): SequenceSet => {
    const number = (): string => (random() < 0.1 ? '*' : String(1 + below(random, messages.length + 5)))
    return random() < 0.1
      ? { kind: 'saved' }
      : set(
          Array.from(
            { length: 1 + below(random, 3) },
            () => `${number()}${random() < 0.5 ? `:${number()}` : ''}`,
          ).join(),
        )
  }
  const kinds: (() => SearchKey)[] = [
    () => ({ key: pick(random, ['all', 'recent', 'new', 'old', 'saved date supported'] as const) }),
    () => ({
      key: 'flag',
      flag: pick(random, ['\\Seen', '\\Flagged', '\\Deleted', '\\Draft'] as const),
      isSet: random() < 0.5,
    }),
    () => ({ key: 'keyword', keyword: pick(random, ['$Forwarded', 'todo', 'TODO', 'other']), isSet: random() < 0.5 }),
    () => ({
      key: 'size',
      is: pick(random, ['LARGER', 'SMALLER'] as const),
      bytes: one.entry.size + below(random, 3) - 1,
    }),
    () => ({ key: 'age', is: pick(random, ['OLDER', 'YOUNGER'] as const), seconds: below(random, 200) }),
    () => ({ key: pick(random, ['sequence', 'uid'] as const), set: numbers() }),
    () => ({ key: 'modseq', modseq: one.entry.modseq, entry: undefined }),
    () => ({ key: 'email id', id: one.state.id }),
    () => ({ key: 'thread id', id: one.state.threadId }),
    () => ({ key: 'date', of: 'internal', is: relation, dateMs: Math.floor((one.entry.date * 1000) / DAY) * DAY }),
    () => ({ key: 'date', of: 'saved', is: relation, dateMs: Math.floor(one.state.createdAt / DAY) * DAY }),
    () => ({ key: 'date', of: 'sent', is: relation, dateMs: Math.floor(one.sentDay / DAY) * DAY }),
    () => ({
      key: 'header',
      name: pick(random, ['X-Note', 'x-empty', 'Subject', 'Message-ID', 'References', 'X-None']),
      value: random() < 0.3 ? '' : pick(random, [needle(random, Object.values(headers)), '@EXAMPLE']),
    }),
    ...Array.from(
      { length: 12 },
      () => () => text(pick(random, ['TEXT', 'BODY', 'SUBJECT', 'FROM', 'TO', 'CC', 'BCC'] as const), string()),
    ),
    ...(depth === 0
      ? []
      : Array.from({ length: 2 }, () => [
          (): SearchKey => ({ key: 'not', not: inner() }),
          (): SearchKey => ({ key: 'or', either: inner(), or: inner() }),
          (): SearchKey => ({ key: 'and', keys: Array.from({ length: 1 + below(random, 4) }, inner) }),
        ]).flat()),
  ]
  return pick(random, kinds)()
}

t.test('every search finds what its definition says, for random mail and keys', { timeout: 300_000 }, async (t) => {
  const w = await inMemory(t)
  const random = randomFrom(SEED)
  const parsed = new Map<number, ParsedMessage>()
  const deliver = async (raw: Buffer): Promise<void> => {
    const { id } = await w.deliver({ raw, envelopeFrom: 'x@example.org' })
    const seq = present(await readsOf(w).placeOf(w.id, id))
    parsed.set(seq, await parseMessage(raw, PARSE_LIMITS))
    w.clock.advance(below(random, 2 * 60 * 60 * 1000))
  }
  for (let i = 0; i < 200; i++) await deliver(message(random, i))
  const many = Array.from({ length: 1500 }, (_, i) => `word${i}`).join(' ')
  await deliver(Buffer.from(`From: <ada@example.org>\r\nSubject: Many words\r\n\r\n${many} theLastInvoice\r\n`))
  await deliver(Buffer.from(`From: <ada@example.org>\r\nSubject: Long\r\n\r\n${'a b '.repeat(26_000)}endOfReport\r\n`))
  const first = await openFolder(w, 'INBOX')
  const inbox = first.row.number
  const some = (share: number): number[] => [...first.uids].filter(() => random() < share)
  await w.mailboxes.folders.flag(w.id, inbox, some(0.3), { mode: 'add', flags: SEEN, keywords: ['todo'] })
  await w.mailboxes.folders.flag(w.id, inbox, some(0.2), { mode: 'add', flags: FLAGGED, keywords: ['$Forwarded'] })
  await w.mailboxes.folders.flag(w.id, inbox, some(0.1), { mode: 'add', flags: DELETED, keywords: [] })
  // Some are gone, and the session was not told; others came that it does not know.
  await w.mailboxes.folders.expunge(w.id, inbox, new Set([...first.uids].slice(0, 60)))
  const known = UidSet.of(first.uids)
  for (let i = 200; i < 210; i++) await deliver(message(random, i))
  const view = await openFolder(w, 'INBOX')
  const messages = await naiveOf(w, view, known, parsed)
  const saved = UidSet.of(messages.map(({ entry }) => entry.uid).filter(() => random() < 0.3))
  const folder: NaiveFolder = { now: w.clock.now(), count: known.count, lastUid: known.last, saved: new Set(saved) }
  const searching = searchingIn(w)
  let wrong = 0
  let nonempty = 0
  for (let i = 0; i < 1500 && wrong < 3; i++) {
    const key = randomKey(random, messages, 3)
    const found = await searching.search(scopeOf(w, view, { uids: known, saved }), key)
    const wanted = messages.filter((each) => isFound(key, each, folder)).map(({ entry }) => entry.uid)
    if (JSON.stringify(found.uids) !== JSON.stringify(wanted)) {
      wrong++
      t.same(found.uids, wanted, `seed ${SEED}, key ${i}: ${JSON.stringify(key)}`)
    }
    if (wanted.length > 0 && wanted.length < messages.length) nonempty++
  }
  t.equal(wrong, 0, 'no search is wrong')
  t.ok(nonempty > 500, `${nonempty} searches found some messages, and not all`)
})

onEveryEngine('words, parts of words and strings of several words are found where they are', async (t, w) => {
  const searching = searchingIn(w)
  const bodies = Array.from({ length: 25 }, (_, i) => `filler ${i}`)
  for (const body of [...bodies, 'The quarterly reports.', 'A report is due', 'due: a REPORT', 'transport'])
    await w.deliver({ text: body, subject: 'x' })
  await w.deliver({ subject: 'Report', text: 'nothing', from: 'Reporter <news@example.org>' })
  await w.deliver({ text: 'nothing', headers: ['Cc: port <port@example.org>'] })
  const view = await openFolder(w, 'INBOX')
  const find = async (where: Parameters<typeof text>[0], value: string): Promise<number[]> =>
    (await searching.search(scopeOf(w, view), text(where, value))).uids
  t.same(await find('BODY', 'report'), [26, 27, 28], 'not where a header has it')
  t.same(await find('BODY', 'port'), [26, 27, 28, 29], 'within a word')
  t.same(await find('TEXT', 'report'), [26, 27, 28, 30])
  t.same(await find('TEXT', 'port'), [26, 27, 28, 29, 30, 31])
  t.same(await find('BODY', 'port is d'), [27], 'words at the ends are parts of words')
  t.same(await find('BODY', 'a report'), [27, 28])
  t.same(await find('BODY', ': a rep'), [28], 'with punctuation')
  t.same(await find('BODY', 'ly reports.'), [26])
  t.same(await find('BODY', 'report a'), [], 'in their order')
  t.same(await find('FROM', 'reporter <news@'), [30])
  t.same(await find('CC', 'port'), [31])
  t.same(await find('TO', 'port'), [])
  t.same(await find('TEXT', ''), [...view.uids])
  t.same(await find('BODY', '...'), [], 'without a word')
  t.same(await find('BODY', '.'), [26])
})

t.test('the beginning of a Greek word is found, whatever its sigma', async (t) => {
  const w = await inMemory(t)
  for (let i = 0; i < 30; i++) await w.deliver({ text: i === 7 ? 'η οδοσήμανση' : i === 8 ? 'ΟΔΟΣ' : 'filler' })
  const view = await openFolder(w, 'INBOX')
  for (const value of ['ΟΔΟΣ', 'οδος', 'οδοσ'])
    t.same((await searchingIn(w).search(scopeOf(w, view), text('BODY', value))).uids, [8, 9], value)
})

t.test('of a word longer than 64 characters the first 64 are found', async (t) => {
  const w = await inMemory(t)
  for (let i = 0; i < 30; i++) await w.deliver({ text: i === 7 ? `${'a'.repeat(64)}tail is long` : 'filler' })
  const view = await openFolder(w, 'INBOX')
  const find = async (value: string): Promise<number[]> =>
    (await searchingIn(w).search(scopeOf(w, view), text('BODY', value))).uids
  t.same(await find('a'.repeat(20)), [8])
  t.same(await find(`${'a'.repeat(64)}tail is`), [8])
  t.same(await find('tail'), [], 'as docs/mail-programs.md says')
  t.same(await find('g'), [8])
})

t.test('drafts are searched, sorted and threaded too', async (t) => {
  const w = await inMemory(t)
  const draft = {
    ...{ to: [{ address: 'ada@example.org', name: 'Ada' }], cc: [], bcc: [], replyTo: [], subject: 'Plan B' },
    ...{ text: 'Shall we meet?', html: null, attachments: [], labels: [] },
  }
  const { id } = await w.mailboxes.drafts.create(w.id, draft, {})
  await w.mailboxes.drafts.create(w.id, { ...draft, subject: 'Another', text: 'No', to: [] }, {})
  const view = await openFolder(w, 'Drafts')
  const searching = searchingIn(w)
  const keys: [SearchKey, number[]][] = [
    [text('BODY', 'meet'), [1]],
    [text('TEXT', 'ada <ada@'), [1]],
    [text('SUBJECT', 'plan b'), [1]],
    [{ key: 'header', name: 'To', value: '' }, [1]],
    [{ key: 'email id', id }, [1]],
    [{ key: 'flag', flag: '\\Draft', isSet: true }, [1, 2]],
    [{ key: 'date', of: 'sent', is: 'SINCE', dateMs: 0 }, [1, 2]],
    [{ key: 'not', not: text('TEXT', 'plan') }, [2]],
  ]
  for (const [key, uids] of keys)
    t.same((await searching.search(scopeOf(w, view), key)).uids, uids, JSON.stringify(key))
  t.same((await searching.sort(scopeOf(w, view), { key: 'all' }, [{ by: 'SUBJECT', reverse: false }])).uids, [2, 1])
  t.same(await searching.thread(scopeOf(w, view), { key: 'all' }, 'REFERENCES'), [
    { uid: 1, children: [] },
    { uid: 2, children: [] },
  ])
})

t.test('fields that are not stored decoded are found in the raw message', async (t) => {
  const w = await inMemory(t)
  await w.deliver({ headers: ['Received: from relay.example by mx.example', 'X-Long: ' + 'y'.repeat(10_100) + ' end'] })
  await w.deliver()
  const view = await openFolder(w, 'INBOX')
  for (const [name, value, uids] of [
    ['Received', 'RELAY.example', [1]],
    ['DKIM-Signature', '', []],
    ['X-Long', 'y end', [1]],
    ['From', '', [1, 2]],
  ] as const)
    t.same((await searchingIn(w).search(scopeOf(w, view), { key: 'header', name, value })).uids, uids, name)
})

t.test('the highest modseq of what was found, if it was asked for', async (t) => {
  const w = await inMemory(t)
  for (let i = 0; i < 3; i++) await w.deliver({})
  const before = await openFolder(w, 'INBOX')
  await w.mailboxes.folders.flag(w.id, before.row.number, [2], { mode: 'add', flags: SEEN, keywords: [] })
  const view = await openFolder(w, 'INBOX')
  const { search, sort } = searchingIn(w)
  const changed: SearchKey = { key: 'modseq', modseq: before.modseq + 1, entry: undefined }
  t.same(await search(scopeOf(w, view), changed), { uids: [2], modseq: view.entry(2)?.modseq })
  t.same(await search(scopeOf(w, view), { key: 'and', keys: [changed, { key: 'uid', set: set('1') }] }), {
    uids: [],
    modseq: undefined,
  })
  t.same(await search(scopeOf(w, view), { key: 'all' }), { uids: [1, 2, 3], modseq: undefined })
  t.equal((await sort(scopeOf(w, view), changed, [{ by: 'SIZE', reverse: false }])).modseq, view.entry(2)?.modseq)
})

t.test('a search ends when its session does', async (t) => {
  const w = await inMemory(t)
  for (let i = 0; i < 30; i++) await w.deliver({})
  const view = await openFolder(w, 'INBOX')
  const searching = searchingIn(w)
  const reason = new Error('The session has ended')
  await t.rejects(searching.search(scopeOf(w, view, { signal: AbortSignal.abort(reason) }), { key: 'all' }), reason)
  const session = new AbortController()
  const ended = searching.search(scopeOf(w, view, { signal: session.signal }), { key: 'header', name: 'x', value: '' })
  session.abort(reason)
  await t.rejects(ended, reason)
})

t.test('messages that the index does not have yet are read', async (t) => {
  const w = await inMemory(t)
  for (let i = 0; i < 30; i++) await w.deliver({ text: i % 10 === 3 ? 'needle' : 'hay' })
  const view = await openFolder(w, 'INBOX')
  const { createMessageReads } = await import('../../../src/mailbox/search/message-reads.js')
  const indexer = { indexMailbox: async () => undefined }
  const raws = { read: async () => Buffer.alloc(0) }
  const searching = createSearching({
    searched: createMessageReads({ store: w.store, raws, indexer, clock: w.clock, fields }),
  })
  t.same((await searching.search(scopeOf(w, view), text('BODY', 'needle'))).uids, [4, 14, 24])
})
