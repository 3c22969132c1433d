import { DELETED, DRAFT, SEEN } from '../../../src/mailbox/folders/flags.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { prefixRange } from '../../../src/store/keys.js'
import { blobsOfMailbox } from '../../../src/ops/backup/blob-refs.js'
import { verifyMailbox } from '../../../src/ops/verify/mailbox.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { openFolder } from '../folders/client.js'
import { onEveryEngine, PARSE_LIMITS, present, type World } from '../world.js'
import { given, oldMail } from './mail.js'

const FILE = Buffer.from('one file\n')
const DRAFT_MAIL = oldMail({
  from: 'Agent <agent@agents.example>',
  to: 'Ada <ada@example.org>, half-an-address',
  subject: 'Lünch',
  headers: [
    'Cc: bob@example.org',
    'Bcc: secret@example.org',
    'Reply-To: Team <team@example.org>',
    'In-Reply-To: <question@example.org>',
    'References: <first@example.org> <question@example.org>',
    'X-Mozilla-Draft-Info: internal/draft; vcard=0',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
  ],
  text: [
    '--b',
    'Content-Type: multipart/alternative; boundary=c',
    '',
    '--c',
    '',
    'At one?',
    '--c',
    'Content-Type: text/html',
    '',
    '<p>At <b>one</b>?</p>',
    '--c--',
    '--b',
    'Content-Disposition: attachment; filename=a.txt',
    'Content-Transfer-Encoding: base64',
    '',
    FILE.toString('base64'),
    '--b--',
  ].join('\n'),
})

async function onlyDraft(w: World) {
  const view = await openFolder(w, 'Drafts')
  const [entry] = [...view.entries()]
  return { view, entry: present(entry), id: present([...view.drafts.values()][0]) }
}

const faultsOf = async (w: World): Promise<string[]> => {
  const faults: string[] = []
  await verifyMailbox({ store: w.store, blobs: w.blobs, hash: true } as never, w.id, (kind, where, what) =>
    faults.push(`${kind} ${where} ${what}`),
  )
  return faults
}

const filesLeft = async (w: World): Promise<{ rows: number; blobs: number }> => {
  const rows = await w.store.read(mailboxPartition(w.id), (view) => view.range(prefixRange('draft-file')))
  let blobs = 0
  for await (const _ of blobsOfMailbox(w.store, w.id)) blobs++
  return { rows: rows.length, blobs }
}

onEveryEngine('a draft of a mail program is a draft of the human, and stays as it was written', async (t, w) => {
  const { importing, drafts, folders, writing } = w.mailboxes
  const question = await w.deliver({ headers: ['Message-ID: <question@example.org>'] })
  const appended = await importing.append(w.id, 'drafts', given(DRAFT_MAIL, { flags: DRAFT | SEEN }))
  const { view, entry, id } = await onlyDraft(w)
  t.same(appended, { validity: view.row.validity, uid: entry.uid })
  t.equal(entry.flags, DRAFT | SEEN)
  const draft = await drafts.get(w.id, id)
  t.match(draft, {
    ...{ subject: 'Lünch', composed_by: 'human', thread_id: question.thread_id, in_reply_to: question.id },
    to: [{ address: 'ada@example.org', name: 'Ada' }],
    cc: [{ address: 'bob@example.org' }],
    bcc: [{ address: 'secret@example.org' }],
    reply_to: [{ address: 'team@example.org', name: 'Team' }],
    text: /At one\?/,
    html: /<b>one<\/b>/,
    attachments: [{ filename: 'a.txt', size_bytes: FILE.length }],
  })
  t.equal(draft.to.length, 1, 'half an address is left out')
  t.ok(draft.size_bytes > DRAFT_MAIL.length, 'the message counts too')
  t.equal((await folders.draftRaw(w.id, id)).toString(), DRAFT_MAIL.toString())
  await t.rejects(drafts.update(w.id, id, { subject: 'Mine' }), { code: 'draft_of_human' })
  await t.rejects(drafts.delete(w.id, id), { code: 'draft_of_human' })
  await t.rejects(w.mailboxes.sending.sendDraft(w.id, id, {}), { code: 'draft_of_human' })
  t.same(await filesLeft(w), { rows: 2, blobs: 0 })
  t.same(await faultsOf(w), [])

  const opened = await writing.open(w.id, id)
  t.ok(opened.isSigned, 'no signature is added')
  const saved = await writing.save(w.id, id, { revision: 1, form: 'f', change: { subject: 'Dinner' } })
  t.match(saved, { draft: { revision: 2 } })
  t.same(await filesLeft(w), { rows: 1, blobs: 0 }, 'the message as it was is gone')
  const raw = await folders.draftRaw(w.id, id)
  t.not(raw.toString(), DRAFT_MAIL.toString())
  t.match(await parseMessage(raw, PARSE_LIMITS), {
    ...{ subject: 'Dinner', inReplyTo: 'question@example.org', bcc: [{ address: 'secret@example.org' }] },
    references: ['first@example.org', 'question@example.org'],
    from: { address: 'agent@agents.example', name: 'Agent' },
    attachments: [{ filename: 'a.txt', sizeBytes: FILE.length }],
  })
  const sent = await writing.send(w.id, id, { revision: 2, isAnyway: false, requestId: 'r' })
  t.match(sent, { sent: { thread_id: question.thread_id } })
  t.same(await filesLeft(w), { rows: 0, blobs: 0 })
  t.same(await faultsOf(w), [])
})

onEveryEngine('a large draft is a file on disk, until it changes or is deleted', async (t, w) => {
  const { importing, folders, writing } = w.mailboxes
  const large = oldMail({ text: 'x'.repeat(200 * 1024) })
  await importing.append(w.id, 'drafts', given(large))
  const first = await onlyDraft(w)
  t.equal((await folders.draftRaw(w.id, first.id)).length, large.length)
  t.same(await filesLeft(w), { rows: 1, blobs: 1 })
  t.same(await faultsOf(w), [])
  await writing.save(w.id, first.id, { revision: 1, form: 'f', change: { text: 'y' } })
  t.same(await filesLeft(w), { rows: 0, blobs: 0 })
  const second = await importing.append(w.id, 'drafts', given(large))
  const used = (await w.record()).usedBytes
  const { row } = await openFolder(w, 'Drafts')
  await folders.flag(w.id, row.number, [second.uid], { mode: 'add', flags: DELETED, keywords: [] })
  await folders.expunge(w.id, row.number)
  t.same(await filesLeft(w), { rows: 0, blobs: 0 })
  t.ok((await w.record()).usedBytes < used - large.length)
  t.same(await faultsOf(w), [])
})

onEveryEngine('a composed draft has the same octets for the same revision', async (t, w) => {
  const { folders, drafts } = w.mailboxes
  const draft = await drafts.create(
    w.id,
    {
      to: [],
      bcc: [{ address: 'secret@example.org', name: '' }],
      subject: 'Ünfinished',
      text: 'Dear',
      html: '<p>Dear</p>',
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: FILE, contentId: undefined }],
    },
    {},
  )
  const first = await folders.draftRaw(w.id, draft.id)
  w.clock.advance(60_000)
  await w.mailboxes.settings.change(w.id, { displayName: 'Another name' } as never)
  t.equal((await folders.draftRaw(w.id, draft.id)).toString(), first.toString())
  t.match(first.toString(), /^Bcc: secret@example\.org\r$/m)
  t.match(
    first.toString(),
    new RegExp(`^Message-ID: <${draft.id.slice(4).toLowerCase()}\\.1@agents\\.example>\\r$`, 'm'),
  )
  const plain = await drafts.create(w.id, { text: 'Only words' }, {})
  t.equal((await folders.draftRaw(w.id, plain.id)).toString(), (await folders.draftRaw(w.id, plain.id)).toString())
  await drafts.update(w.id, draft.id, { text: 'Dear Ada' })
  t.not((await folders.draftRaw(w.id, draft.id)).toString(), first.toString())
  await t.rejects(folders.draftRaw(w.id, 'drf_01K7E8GQ5M1T9Q4Y7RZV3B2XNB'), { code: 'not_found' })
})

onEveryEngine('drafts have their limits', async (t, w) => {
  const { importing } = w.mailboxes
  const parts = Array.from({ length: 51 }, () => '--b\nContent-Disposition: attachment; filename=a\n\nx').join('\n')
  const many = oldMail({
    headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
    text: `${parts}\n--b--`,
  })
  await t.rejects(importing.append(w.id, 'drafts', given(many)), { code: 'invalid_request' })
  for (let i = 0; i < 2; i++)
    await importing.appendAll(
      w.id,
      'drafts',
      Array.from({ length: 100 }, () => given(oldMail({ text: '' }))),
    )
  await t.rejects(importing.append(w.id, 'drafts', given()), { code: 'quota_exceeded' })
  t.equal((await openFolder(w, 'Drafts')).exists, 200)
})
