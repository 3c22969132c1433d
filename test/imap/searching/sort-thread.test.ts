import t, { type Test } from 'tap'
import { TimedTurns } from '../../../src/mailbox/search/turns.js'
import type { SortKey } from '../../../src/imap/grammar/search.js'
import { baseSubjectOf, collationKey } from '../../../src/imap/searching/base-subject.js'
import { orderedSubjectThreads } from '../../../src/imap/searching/ordered-subject-threads.js'
import { referencesThreads } from '../../../src/imap/searching/references-threads.js'
import { readsOf } from '../reads.js'
import { createSearching } from '../../../src/imap/searching/searching.js'
import { sortInTurns } from '../../../src/imap/searching/sort-in-turns.js'
import type { ThreadFacts } from '../../../src/imap/searching/thread-facts.js'
import { type ThreadNode, threadText, withUids } from '../../../src/imap/searching/thread-nodes.js'
import { createStore } from '../../../src/store/store.js'
import { openFolder } from '../../mailbox/folders/client.js'
import { makeWorld, type World } from '../../mailbox/world.js'
import { below, randomFrom } from '../../support/random.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const never = new AbortController().signal
const turns = (): TimedTurns => new TimedTurns(never)

/** `id: reference reference` with a subject; dates are in the order given, unless a day is. */
interface Mail {
  id?: string
  references?: string[]
  subject?: string
  day?: number
}

const factsOf = (mails: readonly Mail[]): ThreadFacts[] =>
  mails.map(({ id, references = [], subject = '', day }, position) => {
    const { base, isReply } = baseSubjectOf(subject)
    return {
      position,
      messageId: id ?? null,
      references,
      sentMs: day ?? position,
      subject: collationKey(base),
      isReply,
    }
  })

const written = (threads: readonly ThreadNode[]): string =>
  threadText(
    withUids(threads, (position) => position + 1),
    (uid) => uid,
  )
const byReferences = async (mails: readonly Mail[]): Promise<string> =>
  written(await referencesThreads(factsOf(mails), turns()))

t.test('threads are written as in RFC 5256 §4', async (t) => {
  const leaf = (uid: number, ...children: ThreadNode[]): ThreadNode => ({ position: uid - 1, children })
  t.equal(
    written([leaf(2), leaf(3, leaf(6, leaf(4, leaf(23)), leaf(44, leaf(7, leaf(96)))))]),
    '(2)(3 6 (4 23)(44 7 96))',
  )
  t.equal(written([{ position: undefined, children: [leaf(3), leaf(5)] }]), '((3)(5))')
  t.equal(written([]), '')
})

t.test('REFERENCES, step by step', async (t) => {
  const cases: [string, Mail[], string][] = [
    ['a reply', [{ id: 'a' }, { id: 'b', references: ['a'] }], '(1 2)'],
    [
      'a reply that comes first',
      [
        { id: 'b', references: ['a'], day: 2 },
        { id: 'a', day: 1 },
      ],
      '(2 1)',
    ],
    [
      'siblings by date',
      [{ id: 'a' }, { id: 'b', references: ['a'], day: 9 }, { id: 'c', references: ['a'], day: 5 }],
      '(1 (3)(2))',
    ],
    [
      'a missing parent has two children',
      [
        { id: 'b', references: ['a'] },
        { id: 'c', references: ['a'] },
      ],
      '((1)(2))',
    ],
    ['a missing parent has one child', [{ id: 'b', references: ['x', 'a'] }], '(1)'],
    [
      'a missing message in between',
      [{ id: 'a' }, { id: 'c', references: ['a', 'b'] }, { id: 'd', references: ['a', 'b'] }],
      '(1 (2)(3))',
    ],
    ['two messages with one id', [{ id: 'a' }, { id: 'a' }, { id: 'b', references: ['a'] }], '(1 3)(2)'],
    ['a message that refers to itself', [{ id: 'a', references: ['a'] }], '(1)'],
    [
      'a loop',
      [
        { id: 'a', references: ['b'] },
        { id: 'b', references: ['a'] },
      ],
      '(2 1)',
    ],
    [
      'what a message says of its parent is right',
      [{ id: 'a' }, { id: 'x' }, { id: 'c', references: ['a', 'b'] }, { id: 'b', references: ['x'] }],
      '(1)(2 4 3)',
    ],
    [
      'a message without references has no parent',
      [{ id: 'c', references: ['a', 'b'] }, { id: 'b' }, { id: 'a' }],
      '(2 1)(3)',
    ],
    ['one subject', [{ subject: 'A' }, { subject: 'Re: a' }, { subject: 'B' }], '(1 2)(3)'],
    ['one subject, the reply is older', [{ subject: 'Re: A' }, { subject: 'a' }], '(2 1)'],
    ['one subject, no reply', [{ subject: 'A' }, { subject: 'a' }, { subject: 'A' }], '((1)(2)(3))'],
    ['no subject', [{ subject: 'Re:' }, { subject: '' }], '(1)(2)'],
    [
      'one subject of dummies',
      [
        { id: 'b', references: ['a'], subject: 'S' },
        { id: 'c', references: ['a'], subject: 'S' },
        { id: 'e', references: ['d'], subject: 'S' },
        { id: 'f', references: ['d'], subject: 'S' },
        { subject: 'S' },
      ],
      '((1)(2)(3)(4)(5))',
    ],
    ['roots by date', [{ day: 3 }, { day: 1 }, { day: 2 }], '(2)(3)(1)'],
  ]
  for (const [name, mails, wanted] of cases) t.equal(await byReferences(mails), wanted, name)
})

t.test('deep and hostile references end', { timeout: 60_000 }, async (t) => {
  const chain = Array.from({ length: 20_000 }, (_, i) => ({ id: `m${i}`, ...(i > 0 && { references: [`m${i - 1}`] }) }))
  t.equal((await byReferences(chain)).split(' ').length, 20_000)
  const backwards = Array.from({ length: 2000 }, (_, i) => ({ id: `m${i}`, references: [`m${i + 1}`] }))
  t.equal((await byReferences(backwards)).split(' ').length, 2000)
  // Each branches once: as deep in lists.
  const branches = chain.slice(0, 10_000).flatMap((mail) => [mail, { ...mail, id: `${mail.id}b` }])
  t.ok((await byReferences(branches)).length > 20_000)
  const random = randomFrom(3)
  const mess = Array.from({ length: 2000 }, () => ({
    id: `m${below(random, 2000)}`,
    references: Array.from({ length: 40 }, () => `m${below(random, 4000)}`),
  }))
  const numbers = (await byReferences(mess)).match(/\d+/g) ?? []
  t.equal(new Set(numbers).size, 2000, 'every message is in one thread')
  t.equal(numbers.length, 2000)
})

t.test('ORDEREDSUBJECT', async (t) => {
  const mails = [
    { subject: 'B', day: 5 },
    { subject: 'A', day: 3 },
    { subject: 'Re: b', day: 1 },
    { subject: '[x] B', day: 4 },
    { subject: 'a', day: 3 },
  ]
  t.equal(written(await orderedSubjectThreads(factsOf(mails), turns())), '(3 (4)(1))(2 5)')
})

t.test('a sort in turns is that of the language', async (t) => {
  const random = randomFrom(1)
  for (const length of [0, 1, 511, 512, 513, 3000]) {
    const values = Array.from({ length }, () => below(random, 50))
    const compare = (a: number, b: number): number => (values[a] ?? 0) - (values[b] ?? 0)
    const order = [...values.keys()]
    t.same(await sortInTurns(order, compare, turns()), [...order].sort(compare), `${length}`)
  }
})

async function sorting(t: Test): Promise<{ w: World; sort: (...criteria: string[]) => Promise<number[]> }> {
  const w = await makeWorld(t, createStore(memoryEngine()))
  const searching = createSearching({ searched: readsOf(w) })
  return {
    w,
    async sort(...words) {
      const view = await openFolder(w, 'INBOX')
      const criteria: SortKey[] = []
      for (const [i, word] of words.entries())
        if (word !== 'REVERSE') criteria.push({ by: word as SortKey['by'], reverse: words[i - 1] === 'REVERSE' })
      const scope = { mailboxId: w.id, view, uids: view.uids, signal: never }
      return (await searching.sort(scope, { key: 'all' }, criteria)).uids
    },
  }
}

t.test('SORT by each criterion, and by several', async (t) => {
  const { w, sort } = await sorting(t)
  const deliver = (from: string, to: string, subject: string, date: string, more = ''): Promise<unknown> => {
    w.clock.advance(1000)
    return w.deliver({
      raw: Buffer.from(`From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n${date}${more}\r\nx\r\n`),
    })
  }
  await deliver('Zoe <bob@x.example>', 'c@x.example', 'Re: banana', 'Date: 3 Jan 2026 10:00 +0000\r\n')
  await deliver(
    'Ann <Carl@x.example>',
    'A@x.example, z@x.example',
    'Apple',
    'Date: 1 Jan 2026 10:00 +0000\r\n',
    'Cc: b@x.example\r\n',
  )
  await deliver('<ada@z.example>', 'b@x.example', '[l] banana', 'Date: 1 Jan 2026 09:00 -0300\r\n', 'X: 1\r\n')
  await deliver('<bob@a.example>', '', '=?utf-8?q?=C3=89t=C3=A9?=', '')
  t.same(await sort('ARRIVAL'), [1, 2, 3, 4])
  t.same(await sort('REVERSE', 'ARRIVAL'), [4, 3, 2, 1])
  t.same(await sort('FROM'), [3, 1, 4, 2])
  t.same(await sort('REVERSE', 'FROM'), [2, 1, 4, 3], 'equal ones stay in the order of the folder')
  t.same(await sort('TO'), [4, 2, 3, 1])
  t.same(await sort('CC'), [1, 3, 4, 2])
  t.same(await sort('SUBJECT'), [2, 1, 3, 4])
  t.same(await sort('SUBJECT', 'REVERSE', 'ARRIVAL'), [2, 3, 1, 4])
  t.same(
    (await sort('DATE')).filter((uid) => uid !== 4),
    [2, 3, 1],
    'in UTC',
  )
  t.same((await sort('SIZE')).length, 4)
})
