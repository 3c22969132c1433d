import t, { type Test } from 'tap'
import { FLAGGED } from '../../../src/mailbox/folders/flags.js'
import { type FolderRow, folderRowKey, pageKey } from '../../../src/mailbox/folders/index-rows.js'
import { Page, packPage } from '../../../src/mailbox/folders/entries.js'
import { createFolderViews, type FolderView } from '../../../src/mailbox/folders/view.js'
import { foldersPartition } from '../../../src/mailbox/keys.js'
import { decode, encode } from '../../../src/store/keys.js'
import { makeWorld, present, type World } from '../world.js'
import { ENGINES } from '../../store/engines.js'
import { openFolder } from './client.js'

/** Three pages: UIDs 1 to 127, 128 to 255, and some more. */
const MESSAGES = 260

async function filled(t: Test): Promise<World> {
  const w = await makeWorld(t, present(ENGINES[0]).openStore(t))
  for (let i = 0; i < MESSAGES; i++) await w.deliver()
  return w
}

const pagesOf = (view: FolderView): Page[] => [...view.pages()]

/** The same as one who reads all pages has. */
async function sameAsRead(t: Test, w: World, view: FolderView): Promise<void> {
  const read = present(await createFolderViews(w.store).view(w.id, view.row.number))
  t.same([...view.entries()], [...read.entries()])
  t.same([...view.uids], [...read.uids])
  t.equal(view.modseq, read.modseq)
}

t.test('the next view has the pages of the last one but for those that were written', async (t) => {
  const w = await filled(t)
  const { folders } = w.mailboxes
  const first = await openFolder(w, 'INBOX')
  const { number } = first.row
  const { uids } = first
  t.equal(pagesOf(first).length, 3)
  await folders.flag(w.id, number, [200], { mode: 'add', flags: FLAGGED, keywords: [] })
  const second = await openFolder(w, 'INBOX')
  t.same(
    pagesOf(second).map((page, i) => page === pagesOf(first)[i]),
    [true, false, true],
  )
  t.equal(second.uids, uids, 'its UIDs are the same')
  t.equal((present(second.entry(200)).flags & FLAGGED) !== 0, true)
  t.equal((present(first.entry(200)).flags & FLAGGED) !== 0, false, 'the last view stays as it was')
  await sameAsRead(t, w, second)

  await w.deliver()
  await folders.transfer(w.id, number, [5], 'trash', true)
  const third = await openFolder(w, 'INBOX')
  t.same(
    pagesOf(third).map((page, i) => page === pagesOf(second)[i]),
    [false, true, false],
  )
  t.equal(third.uids.has(5), false)
  t.equal(third.uids.has(MESSAGES + 1), true)
  await sameAsRead(t, w, third)
})

t.test('a page that has become empty is gone', async (t) => {
  const w = await filled(t)
  const first = await openFolder(w, 'INBOX')
  const second = Array.from({ length: 128 }, (_, i) => 128 + i)
  await w.mailboxes.folders.transfer(w.id, first.row.number, second, 'archive', true)
  const view = await openFolder(w, 'INBOX')
  t.same(
    pagesOf(view).map((page) => pagesOf(first).indexOf(page)),
    [0, 2],
  )
  await sameAsRead(t, w, view)
})

t.test('after more changes than a folder notes all pages are read', async (t) => {
  const w = await filled(t)
  const { number } = (await openFolder(w, 'INBOX')).row
  const views = createFolderViews(w.store)
  const look = async (): Promise<FolderView> => present(await views.view(w.id, number))
  const flag = (uid: number) =>
    w.mailboxes.folders.flag(w.id, number, [uid], { mode: 'add', flags: FLAGGED, keywords: [] })
  let before = await look()
  let uid = 1
  for (const [changes, isShared] of [
    [16, true],
    [17, false],
  ] as const) {
    for (let i = 0; i < changes; i++) await flag(uid++)
    const view = await look()
    t.same(
      pagesOf(view).map((page) => pagesOf(before).includes(page)),
      [false, isShared, isShared],
      `${changes} changes`,
    )
    await sameAsRead(t, w, view)
    before = view
  }
})

t.test('a change by a daemon that notes none is seen, also after one that is noted', async (t) => {
  const w = await filled(t)
  const { folders } = w.mailboxes
  const { number } = (await openFolder(w, 'INBOX')).row
  await folders.flag(w.id, number, [1], { mode: 'add', flags: FLAGGED, keywords: [] })
  for (const isNotedAfter of [false, true]) {
    const before = await openFolder(w, 'INBOX')
    const uid = isNotedAfter ? 131 : 130
    // What the release before writes: the page, and the row with its fields as they were.
    await w.store.write(foldersPartition(w.id), async (tx) => {
      const page = new Page(present(await tx.get(pageKey(number, 1))))
      const modseq = before.modseq + 1
      const entries = page.entries().map((entry) => (entry.uid === uid ? { ...entry, flags: FLAGGED, modseq } : entry))
      tx.put(pageKey(number, 1), packPage(entries))
      const row = decode<FolderRow>(present(await tx.get(folderRowKey(number))))
      tx.put(folderRowKey(number), encode({ ...row, changed: modseq }))
    })
    if (isNotedAfter) for (let i = 0; i < 3; i++) await w.deliver()
    const view = await openFolder(w, 'INBOX')
    t.equal(present(view.entry(uid)).flags, FLAGGED, isNotedAfter ? 'noted after it' : 'nothing after it')
    await sameAsRead(t, w, view)
  }
})
