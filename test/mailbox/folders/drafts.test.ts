/** Drafts as messages of a folder: sizes, and flags that are labels. */
import { ANSWERED, DELETED, DRAFT, FLAGGED, SEEN } from '../../../src/mailbox/folders/flags.js'
import { given, oldMail } from '../importing/mail.js'
import { onEveryEngine, present, type World } from '../world.js'
import { keywordsOf, openFolder } from './client.js'

const entriesOf = async (w: World) => {
  const view = await openFolder(w, 'Drafts')
  return {
    view,
    entries: [...view.entries()].map((entry) => ({
      ...entry,
      id: present(view.drafts.get(entry.uid)),
      words: keywordsOf(view, entry.keywords),
    })),
  }
}

onEveryEngine('the size of a draft is that of its message, composed or as a program wrote it', async (t, w) => {
  const { drafts, folders, importing } = w.mailboxes
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.alloc(200_000, 'a') }
  const made = await drafts.create(w.id, { subject: 'Plän', text: 'Words', attachments: [file] }, {})
  await importing.append(w.id, 'drafts', given(oldMail()))
  const { view, entries } = await entriesOf(w)
  t.equal(entries.length, 2)
  for (const { id, size } of entries) t.equal(size, (await folders.draftRaw(w.id, id)).length)
  t.equal(
    view.row.bytes,
    entries.reduce((sum, { size }) => sum + size, 0),
    'STATUS SIZE',
  )
  await drafts.update(w.id, made.id, { text: 'More words' })
  const after = await entriesOf(w)
  t.same(
    after.entries.map(({ uid }) => uid),
    [2, 3],
  )
  t.equal(after.entries[1]?.size, (await folders.draftRaw(w.id, made.id)).length)
})

onEveryEngine('a draft that comes while a program stores another is entered with its size', async (t, w) => {
  const { drafts, folders, importing } = w.mailboxes
  await folders.sync(w.id)
  let isMade = false
  // Between the sync and the commit of the import.
  w.store.write = (
    (write) =>
    async (...args: Parameters<typeof write>) => {
      if (!isMade && Array.isArray(args[0]) && args[0].length === 2) {
        isMade = true
        await drafts.create(w.id, { text: 'Meanwhile' }, {})
      }
      return write(...args)
    }
  )(w.store.write.bind(w.store)) as typeof w.store.write
  await importing.append(w.id, 'drafts', given(oldMail()))
  const { entries } = await entriesOf(w)
  t.equal(entries.length, 2)
  for (const { id, size } of entries) t.equal(size, (await folders.draftRaw(w.id, id)).length)
})

onEveryEngine('flags and keywords of a draft are its labels, and stay with it', async (t, w) => {
  const { drafts, folders, importing } = w.mailboxes
  const made = await drafts.create(w.id, { text: 'Words' }, {})
  const first = await entriesOf(w)
  const { number } = first.view.row
  t.match(first.entries, [{ flags: DRAFT | SEEN, words: [] }])
  const change = { flags: FLAGGED | ANSWERED | DELETED, keywords: ['$Forwarded', 'Later'] }
  await folders.flag(w.id, number, [1], { mode: 'add', ...change })
  const flagged = await entriesOf(w)
  t.match(flagged.entries, [
    { uid: 1, flags: DRAFT | SEEN | FLAGGED | ANSWERED | DELETED, words: ['$Forwarded', 'later'] },
  ])
  t.ok(flagged.view.modseq > first.view.modseq)
  const stored = await drafts.get(w.id, made.id)
  t.equal(stored.revision, 1, 'what would be sent is the same')
  t.same(stored.labels.sort(), ['$:later', '$answered', '$flagged', '$forwarded'])
  await folders.flag(w.id, number, [1], { mode: 'replace', flags: FLAGGED, keywords: [] })
  t.match((await entriesOf(w)).entries, [{ uid: 1, flags: DRAFT | SEEN | FLAGGED, words: [] }])
  t.same((await folders.flag(w.id, number, [1], { mode: 'remove', flags: FLAGGED, keywords: [] }, 1)).left, [1])
  await drafts.update(w.id, made.id, { text: 'Other words' })
  t.match((await entriesOf(w)).entries, [{ uid: 2, flags: DRAFT | SEEN | FLAGGED }], 'a changed draft keeps them')
  await drafts.update(w.id, made.id, { labels: ['$answered'] })
  t.match((await entriesOf(w)).entries, [{ uid: 3, flags: DRAFT | SEEN | ANSWERED }], 'an agent may set them')
  await importing.append(w.id, 'drafts', given(oldMail(), { flags: FLAGGED | DRAFT, keywords: ['Mine'] }))
  const last = present((await entriesOf(w)).entries.at(-1))
  t.match(last, { flags: DRAFT | SEEN | FLAGGED, words: ['mine'] })
  await folders.flag(w.id, number, [last.uid], { mode: 'remove', flags: FLAGGED, keywords: [] })
  t.equal((await folders.draftRaw(w.id, last.id)).toString(), oldMail().toString(), 'the octets stay')
})
