import t from 'tap'
import { parseNumberSet } from '../../../src/imap/wire/sequence-set.js'
import { ResponseLine } from '../../../src/imap/wire/response.js'
import { matcher } from '../../../src/imap/session/mailboxes.js'
import { Selected } from '../../../src/imap/session/selected.js'
import { Page, packPage, type Entry } from '../../../src/mailbox/folders/entries.js'
import { newFolder } from '../../../src/mailbox/folders/index-rows.js'
import { FolderView } from '../../../src/mailbox/folders/view.js'

t.test('patterns of LIST', async (t) => {
  for (const [pattern, name, fits] of [
    ['*', 'a/b', true],
    ['%', 'a', true],
    ['%', 'a/b', false],
    ['%/%', 'a/b', true],
    ['%/%', 'a/b/c', false],
    ['a*', 'a/b/c', true],
    ['*c', 'a/b/c', true],
    ['a%c', 'a/c', false],
    ['a%c', 'abc', true],
    ['a*%c', 'a/b/c', true],
    ['%%%%', 'abc', true],
    ['%*%', 'a/b', true],
    ['inbox', 'INBOX', true],
    ['InBox', 'INBOX', true],
    ['inbox', 'inbox', false],
    ['', 'a', false],
    ['abc', 'ab', false],
    ['**a', 'ba', true],
  ] as const)
    t.equal(matcher([pattern])(name), fits, `${pattern} ${fits ? 'fits' : 'does not fit'} ${name}`)
})

t.test('a response is taken in pieces, and is the same', async (t) => {
  const whole = new ResponseLine({ utf8: false })
    .raw('* 1 FETCH (A ')
    .string('x'.repeat(2000))
    .raw(' B ')
    .string('y')
    .raw(')')
  const line = new ResponseLine({ utf8: false }).raw('* 1 FETCH (A ').string('x'.repeat(2000))
  t.ok(line.bytes > 2000)
  const taken = line.take()
  t.equal(line.bytes, 0)
  line.raw(' B ').string('y').raw(')')
  t.same(Buffer.concat([...taken, ...line.end()]), Buffer.concat(whole.end()))
})

t.test('all messages of a large folder are one set', async (t) => {
  const count = 300_000
  const entry = (uid: number): Entry => ({ uid, size: 1, date: 0, flags: 0, keywords: [0, 0], place: uid, modseq: 1 })
  const pages = Array.from({ length: Math.ceil(count / 128) + 1 }, (_, number) => {
    const uids = Array.from({ length: 128 }, (_, i) => 128 * number + i).filter((uid) => uid > 0 && uid <= count)
    return { number, page: new Page(packPage(uids.map(entry))) }
  })
  const view = new FolderView({ ...newFolder(1, 'inbox', 1), exists: count }, [], 1, pages, new Map())
  const selected = new Selected(view, 'INBOX', false)
  for (const isUid of [true, false]) {
    const set = parseNumberSet('1:*')
    if (!set) throw new Error('That is a set')
    t.equal(selected.resolve(set, isUid, []).length, count)
  }
})
