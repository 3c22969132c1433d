/** SORT and THREAD of the same messages, here and in Dovecot. */
import t from 'tap'
import type { SortKey } from '../../../src/imap/grammar/search.js'
import { readsOf } from '../reads.js'
import { createSearching, type SearchScope } from '../../../src/imap/searching/searching.js'
import { threadText } from '../../../src/imap/searching/thread-nodes.js'
import { formatDateTime } from '../../../src/imap/wire/dates.js'
import { createStore } from '../../../src/store/store.js'
import { openFolder } from '../../mailbox/folders/client.js'
import { makeWorld, present } from '../../mailbox/world.js'
import { dovecotPeer, startDovecot } from '../../support/peers/dovecot.js'
import { below, pick, type Random, randomFrom } from '../../support/random.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const MESSAGES = 120
const SUBJECTS = [
  'Lunch',
  'lunch',
  '[list] Lunch',
  'Dinner (fwd)',
  'dinner',
  '[fwd: Supper]',
  'Supper',
  '[a] [b]',
  'Tea [x]',
  '',
]
const PEOPLE = [
  'Ada <ada@x.example>',
  'bob@y.example',
  'Zoe <Carl@x.example>',
  '"D, E" <dora@x.example>',
  'ÿ <eve@x.example>',
]

function message(random: Random, number: number): Buffer {
  const marks = pick(random, ['', '', 'Re: ', 'RE: re: ', 'Fwd: ', 'Re[2]: ', '[list] Re: '])
  const ids = Array.from({ length: below(random, 4) }, () => `<${below(random, MESSAGES + 20)}@x.example>`)
  const day = 1 + below(random, 28)
  const zone = pick(random, ['+0000', '-0800', '+0530'])
  const lines = [
    `From: ${pick(random, PEOPLE)}`,
    `To: ${pick(random, PEOPLE)}, ${pick(random, PEOPLE)}`,
    ...(random() < 0.5 ? [`Cc: ${pick(random, PEOPLE)}`] : []),
    `Subject: ${marks}${pick(random, SUBJECTS)}`,
    ...(random() < 0.9 ? [`Message-ID: <${random() < 0.05 ? below(random, number + 1) : number}@x.example>`] : []),
    ...(ids.length === 0 ? [] : [`${random() < 0.8 ? 'References' : 'In-Reply-To'}: ${ids.join(' ')}`]),
    ...(random() < 0.95
      ? [`Date: ${day} Jan 2026 ${10 + below(random, 14)}:${10 + below(random, 50)}:00 ${zone}`]
      : []),
  ]
  return Buffer.from([...lines, '', 'x'.repeat(below(random, 30)), ''].join('\r\n'))
}

t.test('SORT and THREAD are as in Dovecot', { timeout: 120_000, ...dovecotPeer() }, async (t) => {
  const random = randomFrom(Number(process.env.SEED ?? 7))
  const w = await makeWorld(t, createStore(memoryEngine()))
  const dovecot = await startDovecot()
  t.teardown(() => dovecot.stop())
  for (let i = 0; i < MESSAGES; i++) {
    const raw = message(random, i)
    await w.deliver({ raw })
    await dovecot.append(raw, formatDateTime(w.clock.now()))
    w.clock.advance(below(random, 3) * 1000)
  }
  await dovecot.ask('NOOP')
  const view = await openFolder(w, 'INBOX')
  const searching = createSearching({ searched: readsOf(w) })
  const scope: SearchScope = { mailboxId: w.id, view, uids: view.uids, signal: new AbortController().signal }
  const answer = async (line: string, kind: string): Promise<string> => {
    const response = present((await dovecot.ask(line)).find((each) => each.startsWith(`* ${kind}`)))
    return response.slice(`* ${kind} `.length)
  }
  for (const by of ['ARRIVAL', 'CC', 'DATE', 'FROM', 'SIZE', 'SUBJECT', 'TO'] satisfies SortKey['by'][])
    for (const reverse of [false, true]) {
      const { uids } = await searching.sort(scope, { key: 'all' }, [{ by, reverse }])
      const theirs = await answer(`UID SORT (${reverse ? 'REVERSE ' : ''}${by}) UTF-8 ALL`, 'SORT')
      t.equal(uids.join(' '), theirs, `${reverse ? 'REVERSE ' : ''}${by}`)
    }
  for (const algorithm of ['REFERENCES', 'ORDEREDSUBJECT'] as const) {
    const threads = await searching.thread(scope, { key: 'all' }, algorithm)
    t.equal(
      threadText(threads, (uid) => uid),
      await answer(`UID THREAD ${algorithm} UTF-8 ALL`, 'THREAD'),
      algorithm,
    )
  }
})
