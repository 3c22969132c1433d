import t from 'tap'
import { encode, key } from '../../../src/store/keys.js'
import { ANSWERED, DELETED, FLAGGED, keywordOf, labelOfKeyword, SEEN } from '../../../src/mailbox/folders/flags.js'
import { foldersOf, labelFolder, transferOf, type FolderKey } from '../../../src/mailbox/folders/folder.js'
import { nameKey, readFolderRows, readIndex } from '../../../src/mailbox/folders/index-rows.js'
import { IndexWriter, MAX_LABEL_FOLDERS } from '../../../src/mailbox/folders/index-writer.js'
import { labelForName, mailboxIdOf } from '../../../src/mailbox/folders/names.js'
import { UidSet } from '../../../src/mailbox/folders/uid-set.js'
import { eventsRange, foldersPartition, mailboxPartition } from '../../../src/mailbox/keys.js'
import { clearRange } from '../../../src/mailbox/record.js'
import { continueNumbering, markRestored } from '../../../src/mailbox/retention/continue-numbering.js'
import { eventsOf, onEveryEngine, present, SEND, type World } from '../world.js'
import { randomFrom } from '../../support/random.js'
import { Client, contentOf, keywordsOf, openFolder } from './client.js'

const uidsIn = async (w: World, name: string): Promise<number[]> => [...(await openFolder(w, name)).uids]
const names = async (w: World): Promise<string[]> => (await w.mailboxes.folders.list(w.id)).map(({ name }) => name)
const number = async (w: World, name: string): Promise<number> => (await openFolder(w, name)).row.number
const SYSTEM = ['INBOX', 'Drafts', 'Sent', 'Junk', 'Trash', 'Archive']

t.test('keywords and their labels, both ways', async (t) => {
  for (const [keyword, label] of [
    ['$Forwarded', '$forwarded'],
    ['$forwarded', '$forwarded'],
    ['NonJunk', '$:nonjunk'],
    ['$Label1', '$label1'],
    ['my_tag', '$:my_tag'],
    ['&AOk-', '$:=26aok-'],
    ['a:b', '$:a=3ab'],
    ['$:x', '$=3ax'],
    ['$', '$:=24'],
  ] as const) {
    t.equal(labelOfKeyword(keyword), label)
    t.equal(keywordOf(label)?.toLowerCase(), keyword.toLowerCase())
  }
  t.equal(keywordOf('$nonjunk'), '$nonjunk')
  t.equal(keywordOf('$:nonjunk'), 'NonJunk', 'with its usual capitals')
  for (const label of ['$:a=20b', '$=28', '$:=0d=0a', '$x=5d']) t.equal(keywordOf(label), undefined, 'not an atom')
  for (const keyword of ['a b', '(x)', 'x]', 'a"', '*', 'é']) t.equal(labelOfKeyword(keyword), undefined, 'not an atom')
  for (const keyword of ['$Held', '$Flagged', '$filed', 'x'.repeat(63)]) t.equal(labelOfKeyword(keyword), undefined)
  for (const label of ['work', '$flagged', '$answered', '$filed']) t.equal(keywordOf(label), undefined)
})

t.test('labels for names of folders', async (t) => {
  t.equal(labelForName('work/2026', new Set()), 'work/2026')
  t.equal(labelForName('Été à Paris', new Set()), 'ete-a-paris')
  t.match(labelForName('请假', new Set()), /^folder-[0-9a-f]{8}$/)
  t.match(labelForName('Work', new Set(['work'])), /^work-[0-9a-f]{8}$/)
  t.match(labelForName('bounce', new Set()), /^bounce-[0-9a-f]{8}$/, 'a label of the service')
  t.equal(labelForName('x'.repeat(90), new Set()).length, 64)
})

t.test('a transfer leads to the folder it names, and a move out of the one it came from', async (t) => {
  const all: FolderKey[] = ['inbox', 'sent', 'junk', 'trash', 'archive', 'label:work', 'label:home']
  for (const direction of ['inbound', 'outbound'] as const)
    for (const labels of [
      [],
      ['inbox'],
      ['spam'],
      ['work'],
      ['inbox', 'work'],
      ['work', 'home', '$archived'],
      ['work', '$filed'],
      ['$filed'],
    ])
      for (const trashed of [undefined, { at: 1, seq: 1 }]) {
        const state = { direction, labels, ...(trashed && { trashed }) }
        for (const from of foldersOf(state))
          for (const to of all)
            for (const leaves of [true, false]) {
              const transfer = transferOf(state, from, to, leaves)
              const what = `${direction} [${labels.join(' ')}]${trashed ? ' in Trash' : ''}: ${leaves ? 'move' : 'copy'} ${from} → ${to}`
              const mayBe =
                (to !== 'sent' || direction === 'outbound') && (to !== 'junk' || direction === 'inbound' || from === to)
              t.equal(transfer !== undefined, mayBe, what)
              if (!transfer || from === to) continue
              if (to === 'trash') {
                t.same(transfer, { delete: true }, what)
                continue
              }
              const { addLabels = [], removeLabels = [], restore = false } = transfer
              t.equal(restore, trashed !== undefined, what)
              const after = [...new Set([...labels, ...addLabels])].filter((label) => !removeLabels.includes(label))
              const kept = addLabels.includes('spam') ? after.filter((label) => label !== 'inbox') : after
              const there = foldersOf({
                direction,
                labels: kept.filter((label) => !(label === 'spam' && addLabels.includes('inbox'))),
              })
              t.ok(there.includes(to), `${what}: is in ${there.join(', ')}`)
              if (leaves) t.notOk(there.includes(from), `${what}: is in ${there.join(', ')}`)
              else if (from !== 'junk' && from !== 'trash' && to !== 'junk')
                t.ok(there.includes(from), `${what}: is in ${there.join(', ')}`)
            }
      }
})

t.test('sets of UIDs know numbers both ways', async (t) => {
  const uids = [2, 3, 4, 9, 11, 12, 40]
  const set = UidSet.of(uids)
  t.same([...set], uids)
  t.same([set.count, set.last, set.bytes], [7, 40, 48])
  for (const [i, uid] of uids.entries()) t.same([set.uidOf(i + 1), set.seqOf(uid)], [uid, i + 1])
  for (const uid of [1, 5, 10, 13, 41]) t.equal(set.seqOf(uid), undefined)
  t.same([set.uidOf(0), set.uidOf(8)], [undefined, undefined])
  t.same([...set.between(3, 11)], [3, 4, 9, 11])
  t.same([...set.between(5, 8)], [])
  t.same([...set.missingIn(UidSet.of([3, 9, 12]))], [2, 4, 11, 40])
  t.same([...UidSet.EMPTY, UidSet.EMPTY.last], [0])
})

t.test('sets of UIDs: of runs as of single ones, and what one has that another does not', async (t) => {
  const random = randomFrom(5)
  for (let round = 0; round < 300; round++) {
    const share = random()
    const some = (): number[] => Array.from({ length: 40 }, (_, i) => i + 1).filter(() => random() < share)
    const [uids, others] = [some(), some()]
    const set = UidSet.of(uids)
    const ofRuns = UidSet.ofRuns(set.runs())
    t.same([[...ofRuns], ofRuns.count, ofRuns.bytes], [uids, uids.length, set.bytes])
    const missing = uids.filter((uid) => !others.includes(uid))
    t.same([...set.missingIn(UidSet.of(others))], missing, `${uids.join()} in ${others.join()}`)
  }
  const touching = UidSet.ofRuns([
    [1, 3],
    [4, 4],
    [6, 7],
  ])
  t.same([[...touching], touching.count, touching.bytes], [[1, 2, 3, 4, 6, 7], 6, 24])
})

onEveryEngine('a new mailbox has the folders of the service', async (t, w) => {
  t.same(await names(w), SYSTEM)
  t.same(await uidsIn(w, 'INBOX'), [])
  t.equal(await w.mailboxes.folders.find(w.id, 'inbox').then((folder) => folder?.name), 'INBOX')
  t.equal(await w.mailboxes.folders.find(w.id, 'sent'), undefined)
})

onEveryEngine('mail shows in the folders of its labels, also mail from before a program looked', async (t, w) => {
  await w.deliver()
  await w.deliver({ labels: ['spam'] })
  const client = new Client(w)
  await client.look(t)
  t.same(await uidsIn(w, 'INBOX'), [1])
  t.same(await uidsIn(w, 'Junk'), [1])
  const third = await w.deliver({ labels: ['work'] })
  await w.send()
  w.guard.verdict = { ...SEND, decision: 'hold' }
  await w.send()
  await client.look(t)
  t.same(await uidsIn(w, 'INBOX'), [1, 2])
  t.same(await uidsIn(w, 'work'), [1])
  const sent = await openFolder(w, 'Sent')
  t.same(
    [...sent.entries()].map(({ flags, keywords }) => [flags, keywordsOf(sent, keywords)]),
    [
      [SEEN, []],
      [SEEN, ['$Held']],
    ],
  )
  await w.mailboxes.labels.updateMessage(w.id, third.id, { removeLabels: ['inbox', 'work'] })
  await client.look(t)
  t.same([await uidsIn(w, 'INBOX'), await uidsIn(w, 'Archive')], [[1], [1]])
  t.same(await names(w), SYSTEM, 'a label without messages is no folder')
  await w.mailboxes.labels.updateMessage(w.id, third.id, { addLabels: ['inbox'] })
  await client.look(t)
  t.same(await uidsIn(w, 'INBOX'), [1, 3], 'it comes back as a new message')
})

onEveryEngine('flags are labels, and an event tells of each change', async (t, w) => {
  const { id } = await w.deliver()
  const { folders } = w.mailboxes
  const inbox = await number(w, 'INBOX')
  await folders.flag(w.id, inbox, [1], {
    mode: 'add',
    flags: SEEN | FLAGGED | ANSWERED | DELETED,
    keywords: ['$Forwarded', 'NonJunk'],
  })
  const message = await w.mailboxes.reading.message(w.id, id)
  t.same([message.unread, message.labels], [false, ['inbox', '$forwarded', '$:nonjunk', '$flagged', '$answered']])
  const view = await openFolder(w, 'INBOX')
  t.same(contentOf(view).get(1), {
    place: 1,
    flags: SEEN | FLAGGED | ANSWERED | DELETED,
    keywords: ['$Forwarded', 'NonJunk'],
  })
  t.equal((await eventsOf(w)).length, 2)
  await folders.flag(w.id, inbox, [1, 7], { mode: 'add', flags: SEEN, keywords: [] })
  t.equal((await eventsOf(w)).length, 2, 'nothing changed')
  await folders.flag(w.id, inbox, [1], { mode: 'replace', flags: FLAGGED, keywords: ['$Held', 'other'] })
  t.same((await w.mailboxes.reading.message(w.id, id)).labels, ['inbox', '$flagged', '$:other'])
  await folders.flag(w.id, inbox, [1], { mode: 'remove', flags: FLAGGED, keywords: ['OTHER'] })
  t.same((await w.mailboxes.reading.message(w.id, id)).labels, ['inbox'])
  await t.rejects(folders.flag(w.id, inbox, [1], { mode: 'add', flags: 0, keywords: ['$Held'] }), {
    code: 'invalid_request',
  })
  await w.mailboxes.labels.updateMessage(w.id, id, { addLabels: ['$flagged'], unread: false })
  t.equal(contentOf(await openFolder(w, 'INBOX')).get(1)?.flags, FLAGGED | SEEN, 'the other way')
  await new Client(w).look(t)
})

onEveryEngine('a change is made only to what has not changed since', async (t, w) => {
  const first = await w.deliver()
  await w.deliver()
  const view = await openFolder(w, 'INBOX')
  await w.mailboxes.labels.updateMessage(w.id, first.id, { unread: false })
  const add = { mode: 'add', flags: FLAGGED, keywords: [] } as const
  t.same((await w.mailboxes.folders.flag(w.id, view.row.number, [1, 2], add, view.modseq)).left, [1])
  const after = await openFolder(w, 'INBOX')
  t.same(
    [...after.entries()].map(({ uid, flags }) => [uid, flags]),
    [
      [1, SEEN],
      [2, FLAGGED],
    ],
  )
  t.same(
    [...after.entries(view.modseq)].map(({ uid }) => uid),
    [1, 2],
  )
})

onEveryEngine('copies and moves are labels; UIDs tell what became what', async (t, w) => {
  const client = new Client(w)
  for (let i = 0; i < 3; i++) await w.deliver()
  const { folders } = w.mailboxes
  await folders.create(w.id, 'Projects')
  t.same(await names(w), [...SYSTEM, 'Projects'])
  const inbox = await number(w, 'INBOX')
  t.same((await folders.transfer(w.id, inbox, [1, 3], 'label:projects', false)).uids, [
    [1, 1],
    [3, 2],
  ])
  await client.look(t)
  t.same(await uidsIn(w, 'INBOX'), [1, 2, 3])
  t.same((await folders.transfer(w.id, inbox, [2], 'label:projects', true)).uids, [[2, 3]])
  t.same(await uidsIn(w, 'INBOX'), [1, 3])
  t.same((await folders.transfer(w.id, inbox, [1], 'trash', true)).uids, [[1, 1]])
  await client.look(t)
  t.same(
    [await uidsIn(w, 'INBOX'), await uidsIn(w, 'Trash'), await uidsIn(w, 'Projects')],
    [[3], [1], [2, 3]],
    'what is in the trash is nowhere else',
  )
  const trash = await number(w, 'Trash')
  t.same((await folders.transfer(w.id, trash, [1], 'archive', true)).uids, [[1, 1]])
  await client.look(t)
  t.same([await uidsIn(w, 'INBOX'), await uidsIn(w, 'Archive')], [[3], [1]])
  t.same((await folders.transfer(w.id, inbox, [3], 'junk', true)).uids, [[3, 1]])
  t.same(await uidsIn(w, 'Projects'), [3], 'what is in Junk is nowhere else')
  await client.look(t)
  const sent = await w.send()
  const message = await w.mailboxes.reading.message(w.id, sent.id)
  t.equal(message.status, 'queued')
  const inSent = await number(w, 'Sent')
  await t.rejects(folders.transfer(w.id, inSent, [1], 'trash', true), { code: 'message_on_its_way' })
  await t.rejects(folders.transfer(w.id, inSent, [1], 'junk', true), { code: 'invalid_request' })
  await t.rejects(
    folders.transfer(w.id, inbox, [1], 'drafts', true).then(() => folders.transfer(w.id, inSent, [1], 'drafts', true)),
    { code: 'invalid_request' },
  )
  await folders.transfer(w.id, inSent, [1], 'label:projects', true)
  t.same([await uidsIn(w, 'Sent'), await uidsIn(w, 'Projects')], [[], [3, 4]])
  await client.look(t)
})

onEveryEngine('expunged mail goes to Trash, unless it is in other folders; from Trash for good', async (t, w) => {
  const client = new Client(w)
  await w.deliver()
  const second = await w.deliver({ labels: ['work'] })
  const { folders } = w.mailboxes
  const inbox = await number(w, 'INBOX')
  const mark = { mode: 'add', flags: DELETED, keywords: [] } as const
  await folders.flag(w.id, inbox, [1, 2], mark)
  await client.look(t)
  t.same(
    [...(await openFolder(w, 'work')).entries()].map(({ flags }) => flags),
    [0],
    'marked in one folder only',
  )
  t.same(await folders.expunge(w.id, inbox, new Set([9])), [])
  t.same(await uidsIn(w, 'INBOX'), [1, 2], 'not among those')
  t.same(await folders.expunge(w.id, inbox), [])
  await client.look(t)
  t.same([await uidsIn(w, 'INBOX'), await uidsIn(w, 'work'), await uidsIn(w, 'Trash')], [[], [1], [1]])
  await w.mailboxes.labels.updateMessage(w.id, second.id, { addLabels: ['inbox'] })
  t.same(
    [...(await openFolder(w, 'INBOX')).entries()].map(({ flags }) => flags),
    [0],
    'it comes back without the mark',
  )
  const trash = await number(w, 'Trash')
  await folders.flag(w.id, trash, [1], { mode: 'add', flags: DELETED | SEEN, keywords: [] })
  await client.look(t)
  await folders.expunge(w.id, trash)
  await client.look(t)
  t.same(await uidsIn(w, 'Trash'), [])
  t.equal((await w.record()).messageCount, 1)
  const sent = await w.send()
  const inSent = await number(w, 'Sent')
  await folders.flag(w.id, inSent, [1], mark)
  t.same(await folders.expunge(w.id, inSent), [1], `${sent.id} is on its way`)
})

onEveryEngine('folders are made, renamed with those below, removed, subscribed to', async (t, w) => {
  const { folders } = w.mailboxes
  const client = new Client(w)
  await folders.create(w.id, 'Été')
  await folders.create(w.id, 'Été/Paris')
  const message = await w.deliver({ labels: ['ete/paris'] })
  t.same((await names(w)).slice(6), ['Été', 'Été/Paris'])
  t.same(await uidsIn(w, 'Été/Paris'), [1])
  await client.look(t)
  await folders.rename(w.id, 'Été', 'Summer')
  t.same((await names(w)).slice(6), ['Summer', 'Summer/Paris'])
  t.same((await w.mailboxes.reading.message(w.id, message.id)).labels.sort(), ['inbox', 'summer/paris'])
  await client.look(t)
  await folders.rename(w.id, 'Summer', 'SUMMER')
  t.same((await names(w)).slice(6), ['SUMMER', 'SUMMER/Paris'], 'only in its capitals')
  await folders.remove(w.id, 'SUMMER/Paris')
  t.same((await w.mailboxes.reading.message(w.id, message.id)).labels, ['inbox'])
  t.same((await names(w)).slice(6), ['SUMMER'])
  await folders.subscribe(w.id, 'SUMMER', false)
  t.same((await folders.find(w.id, 'SUMMER'))?.subscribed, false)
  await folders.subscribe(w.id, 'SUMMER', true)
  t.same((await folders.find(w.id, 'SUMMER'))?.subscribed, true)
  for (const name of ['', 'a//b', '/a', 'a/', ' a', 'a\u0007', 'x'.repeat(201)])
    await t.rejects(folders.create(w.id, name), { code: 'invalid_request' }, name)
  for (const name of ['Inbox', 'summer', 'TRASH']) await t.rejects(folders.create(w.id, name), { code: 'name_taken' })
  for (const name of ['INBOX', 'Sent']) {
    await t.rejects(folders.remove(w.id, name), { code: 'invalid_request' })
    await t.rejects(folders.rename(w.id, name, 'other'), { code: 'invalid_request' })
  }
  await t.rejects(folders.rename(w.id, 'SUMMER', 'SUMMER/below'), { code: 'invalid_request' })
  await t.rejects(folders.remove(w.id, 'nowhere'), { code: 'not_found' })
  await client.look(t)
})

onEveryEngine('a label that is named like a folder of the service has another name', async (t, w) => {
  await w.deliver({ labels: ['trash', 'a//b'] })
  t.same((await names(w)).slice(6), ['a/-/b', 'trash (label)'])
})

onEveryEngine('drafts are messages that vanish when they change', async (t, w) => {
  const { drafts, folders } = w.mailboxes
  const words = {
    to: [],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'One',
    text: 'x',
    html: null,
    attachments: [],
    labels: [],
  }
  const draft = await drafts.create(w.id, words, {})
  const first = await openFolder(w, 'Drafts')
  t.same([...first.uids], [1])
  t.equal(first.drafts.get(1), draft.id)
  await drafts.create(w.id, { ...words, subject: 'Two' }, {})
  const second = await openFolder(w, 'Drafts')
  t.same([...second.uids], [1, 2])
  t.same(
    [...second.entries(first.modseq)].map(({ uid }) => uid),
    [2],
  )
  await drafts.update(w.id, draft.id, { subject: 'Changed' })
  const third = await openFolder(w, 'Drafts')
  t.same([...third.uids], [2, 3])
  t.same(await folders.vanished(w.id, third, second.modseq), [1])
  await folders.flag(w.id, third.row.number, [3], { mode: 'add', flags: DELETED, keywords: [] })
  const fourth = await openFolder(w, 'Drafts')
  t.same(
    [...fourth.entries(third.modseq)].map(({ uid }) => uid),
    [3],
  )
  await folders.expunge(w.id, third.row.number)
  t.same([...(await openFolder(w, 'Drafts')).uids], [2])
  await t.rejects(drafts.get(w.id, draft.id), { code: 'not_found' })
})

onEveryEngine('where events are no longer kept, all messages are compared', async (t, w) => {
  const client = new Client(w)
  const messages = []
  for (let i = 0; i < 5; i++) messages.push(await w.deliver())
  await client.look(t)
  await w.mailboxes.labels.updateMessage(w.id, present(messages[0]).id, { unread: false })
  await w.mailboxes.labels.updateMessage(w.id, present(messages[1]).id, { removeLabels: ['inbox'] })
  await w.mailboxes.trash.deleteMessage(w.id, present(messages[2]).id)
  await w.mailboxes.trash.purge(w.id, present(messages[2]).id)
  await w.deliver()
  await clearRange(w.store, mailboxPartition(w.id), eventsRange)
  await client.look(t)
  t.same(await uidsIn(w, 'INBOX'), [1, 4, 5, 6])
  await w.deliver()
  await client.look(t)
})

onEveryEngine('after a restore UIDVALIDITY is another', async (t, w) => {
  const client = new Client(w)
  await w.deliver()
  await client.look(t)
  const before = await openFolder(w, 'INBOX')
  w.clock.advance(1000)
  await markRestored(w.store, w.clock.now())
  await continueNumbering(w.store)
  const after = await openFolder(w, 'INBOX')
  t.ok(after.row.validity > before.row.validity)
  t.same([...after.uids], [1])
  await w.deliver()
  await client.look(t)
  t.same(await uidsIn(w, 'INBOX'), [1, 2])
})

onEveryEngine('an index of another form is built anew, with another UIDVALIDITY', async (t, w) => {
  await w.deliver()
  await w.mailboxes.folders.create(w.id, 'Projects')
  const before = await openFolder(w, 'INBOX')
  await w.store.write(foldersPartition(w.id), async (tx) => {
    const row = JSON.parse(Buffer.from(present(await tx.get(key('index')))).toString()) as object
    tx.put(key('index'), Buffer.from(JSON.stringify({ ...row, version: 0 })))
  })
  const after = await openFolder(w, 'INBOX')
  t.ok(after.row.validity > before.row.validity)
  t.same([...after.uids], [1])
  t.same(await names(w), [...SYSTEM, 'Projects'], 'names stay')
  await new Client(w).look(t)
})

onEveryEngine('random changes from both sides: a program that looks now and then knows all', async (t, w) => {
  let seed = 20261127
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return Math.floor((seed / 2 ** 32) * n)
  }
  const clients = [new Client(w), new Client(w), new Client(w)]
  const { folders, trash } = w.mailboxes
  const ids: string[] = []
  const pick = <T>(all: readonly T[]): T => present(all[below(all.length)])
  const flags = [SEEN, FLAGGED, ANSWERED, DELETED, SEEN | DELETED]
  await folders.create(w.id, 'Work')
  for (let i = 0; i < 250; i++) {
    const folder = pick(await folders.list(w.id))
    const view = folder.key !== 'drafts' ? await folders.view(w.id, folder.row.number) : undefined
    const uids = view ? [...view.uids].filter(() => below(3) === 0) : []
    switch (below(9)) {
      case 0:
      case 1:
        ids.push((await w.deliver({ labels: below(4) === 0 ? ['spam'] : below(3) === 0 ? ['home'] : [] })).id)
        break
      case 2:
        if (ids.length > 0)
          await w.mailboxes.labels.updateMessages(w.id, [pick(ids), pick(ids)], {
            [below(2) === 0 ? 'addLabels' : 'removeLabels']: [pick(['work', 'home', 'spam', '$flagged', '$forwarded'])],
            unread: below(2) === 0,
          })
        break
      case 3:
        if (ids.length > 0) await trash.deleteMessage(w.id, pick(ids)).catch(notFound)
        break
      case 4:
        if (ids.length > 0) await trash.restoreMessage(w.id, pick(ids)).catch(notFound)
        break
      case 5:
      case 6:
        if (view)
          await folders.flag(w.id, view.row.number, uids, {
            mode: pick(['add', 'remove', 'replace']),
            flags: pick(flags),
            keywords: below(2) === 0 ? ['$Forwarded', 'tag'] : [],
          })
        break
      case 7:
        if (view && uids.length > 0) {
          const to = pick(['inbox', 'junk', 'archive', 'label:work', 'trash'] as const)
          const { uids: pairs } = await folders.transfer(w.id, view.row.number, uids, to, below(2) === 0)
          const there = await folders.list(w.id).then((all) => all.find(({ key }) => key === to)?.row)
          const after = there && present(await folders.view(w.id, there.number))
          for (const [, uid] of pairs) t.ok(after?.uids.has(uid), 'COPYUID names what is there')
          t.equal(pairs.length, uids.length)
        }
        break
      default:
        if (view) await folders.expunge(w.id, view.row.number)
    }
    if (below(10) === 0) await clearRange(w.store, mailboxPartition(w.id), eventsRange)
    if (below(4) === 0) await pick(clients).look(t)
  }
  for (const client of clients) await client.look(t)
})

onEveryEngine('what leaves after a look is not told as gone before it', async (t, w) => {
  const { folders, trash } = w.mailboxes
  const message = await w.deliver()
  await w.deliver()
  const view = await openFolder(w, 'INBOX')
  await trash.deleteMessage(w.id, message.id)
  await folders.sync(w.id)
  t.same(await folders.vanished(w.id, view, 0), [], 'the view has it')
  t.same(await folders.vanished(w.id, await openFolder(w, 'INBOX'), view.modseq), [1])
})

onEveryEngine('folders of labels that no message has any more make room for others', async (t, w) => {
  const { folders } = w.mailboxes
  const partition = foldersPartition(w.id)
  const rows = async () => (await w.store.read(partition, readFolderRows)).length
  const fill = (name: string, isMade: boolean): Promise<void> =>
    w.store.write(partition, async (tx) => {
      const writer = await IndexWriter.open(tx, present(await readIndex(tx)), w.clock.now())
      for (let i = 0; i < MAX_LABEL_FOLDERS; i++) {
        if (!(await writer.need(labelFolder(`${name}-${i}`)))) break
        if (isMade) tx.put(nameKey(labelFolder(`${name}-${i}`)), encode({ created: true }))
      }
      await writer.finish()
    })
  await folders.create(w.id, 'kept')
  const { id } = await w.deliver({ labels: ['used', 'left'] })
  await folders.list(w.id)
  await w.mailboxes.labels.updateMessage(w.id, id, { removeLabels: ['left'] })
  await fill('old', false)
  t.equal(await rows(), MAX_LABEL_FOLDERS)
  const { id: next } = await w.deliver({ labels: ['new'] })
  t.same(await names(w), [...SYSTEM, 'kept', 'new', 'used'])
  t.equal(await rows(), MAX_LABEL_FOLDERS)
  t.equal((await openFolder(w, 'used')).exists, 1)
  await w.mailboxes.labels.updateMessage(w.id, next, { removeLabels: ['new'], addLabels: ['left'] })
  t.same(await names(w), [...SYSTEM, 'kept', 'left', 'used'], 'and they come back')
  await fill('made', true)
  await t.rejects(folders.create(w.id, 'one more'), { code: 'limit_reached' })
})

function notFound(error: unknown): void {
  if ((error as { code?: string }).code !== 'not_found') throw error as Error
}

onEveryEngine('a message whose folders are too many is in Archive, until there is room', async (t, w) => {
  const { folders, labels, trash } = w.mailboxes
  const partition = foldersPartition(w.id)
  await folders.list(w.id)
  await w.store.write(partition, async (tx) => {
    const writer = await IndexWriter.open(tx, present(await readIndex(tx)), w.clock.now())
    for (let i = 0; await writer.need(labelFolder(`made-${i}`)); i++)
      tx.put(nameKey(labelFolder(`made-${i}`)), encode({ created: true }))
    await writer.finish()
  })
  const one = await w.deliver({ labels: ['late'] })
  const two = await w.deliver({ labels: ['late', 'later'] })
  for (const { id } of [one, two]) await labels.updateMessage(w.id, id, { removeLabels: ['inbox'] })
  t.same(await uidsIn(w, 'Archive'), [1, 2])
  t.same(await uidsIn(w, 'INBOX'), [])
  await labels.updateMessage(w.id, one.id, { unread: false })
  const flags = async () => [...(await openFolder(w, 'Archive')).entries()].map(({ uid, flags: bits }) => [uid, bits])
  t.same(
    await flags(),
    [
      [1, SEEN],
      [2, 0],
    ],
    'with its UID while it changes',
  )
  const archive = await number(w, 'Archive')
  const mark = { mode: 'add', flags: DELETED, keywords: [] } as const
  await folders.flag(w.id, archive, [1, 2], mark)
  t.same(
    await flags(),
    [
      [1, SEEN | DELETED],
      [2, DELETED],
    ],
    'and can be marked',
  )
  t.same(await folders.expunge(w.id, archive, new Set([2])), [])
  t.same(await uidsIn(w, 'Archive'), [1])
  t.same(await uidsIn(w, 'Trash'), [1], 'expunged, it is in Trash: it is in no other folder')
  t.equal((await trash.list(w.id, { limit: 10 })).data.length, 1)
  await folders.remove(w.id, 'made-7')
  await labels.updateMessage(w.id, one.id, { unread: true })
  t.same(await uidsIn(w, 'late'), [1])
  t.same(await uidsIn(w, 'Archive'), [])
})

onEveryEngine(
  'a renamed folder keeps its id, with a UIDVALIDITY of its own, and its old name has another',
  async (t, w) => {
    const { folders } = w.mailboxes
    const rowOf = async (name: string) => present(await folders.find(w.id, name)).row
    const known = async (name: string) => {
      const row = await rowOf(name)
      return { id: mailboxIdOf(row), validity: row.validity }
    }
    await folders.create(w.id, 'One')
    await folders.create(w.id, 'One/Below')
    await w.deliver({ labels: ['one'] })
    const [one, below] = [await known('One'), await known('One/Below')]
    await folders.rename(w.id, 'One', 'Two')
    const [two, belowTwo] = [await known('Two'), await known('Two/Below')]
    t.equal(two.id, one.id)
    t.equal(belowTwo.id, below.id)
    t.equal(new Set([one, below, two, belowTwo].map(({ validity }) => validity)).size, 4)
    await folders.create(w.id, 'One')
    const again = await known('One')
    t.notOk([two.id, belowTwo.id].includes(again.id), 'the old name has an id of its own')
    t.not(again.validity, one.validity)
    await folders.rename(w.id, 'One', 'Three')
    await folders.rename(w.id, 'Two', 'One')
    const back = await known('One')
    t.equal(back.id, two.id)
    t.notOk([one, two, again].some(({ validity }) => validity === back.validity))
    t.equal((await known('Three')).id, again.id)
    await folders.rename(w.id, 'One', 'ONE')
    t.same(await known('ONE'), back, 'in other capitals it is the same')
  },
)

onEveryEngine('what cannot be in a folder is refused with what to do instead', async (t, w) => {
  const { folders } = w.mailboxes
  await w.deliver()
  await w.send()
  const [inbox, sent] = [await number(w, 'INBOX'), await number(w, 'Sent')]
  const refusal = (from: number, to: FolderKey): Promise<unknown> =>
    folders.transfer(w.id, from, [1], to, true).catch((error: unknown) => error)
  t.match(await refusal(inbox, 'drafts'), { hint: /forward it or edit it as new, and save that as a draft/ })
  t.match(await refusal(inbox, 'sent'), { hint: /^Move it to Archive/ })
  t.match(await refusal(sent, 'junk'), { hint: /^Move it to Trash or Archive/ })
})
