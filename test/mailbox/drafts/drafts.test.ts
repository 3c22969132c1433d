import { present, accepted, dryRun, eventsOf, LIMITS, onEveryEngine, tasksOf, type World } from '../world.js'
import { HOUR } from '../../../src/lib/clock.js'
import { isRawReferenced } from '../../../src/mailbox/raw.js'
import { MAX_DRAFTS } from '../../../src/mailbox/sending/draft-room.js'
import { removeMailbox } from '../../../src/mailbox/record.js'

const to = (...addresses: string[]) => addresses.map((address) => ({ address, name: '' }))
const shownTo = (...addresses: string[]) => addresses.map((address) => ({ address, name: null }))
const file = (name: string, bytes: number) => ({
  filename: name,
  contentType: 'text/plain',
  content: Buffer.alloc(bytes, name),
})
const SMALL = file('small.txt', 100)
const LARGE = file('large.txt', 100_000)
const NO_KEY = {}

const used = async (world: World): Promise<number> => (await world.record()).usedBytes
const draftIds = async ({ mailboxes, id }: World): Promise<string[]> =>
  (await mailboxes.drafts.list(id, { limit: 100 })).data.map((draft) => draft.id)

onEveryEngine('a draft is made in steps, and sent as a message when it is complete', async (t, w) => {
  const { mailboxes, id } = w
  const { drafts } = mailboxes
  const made = await drafts.create(id, { text: 'Shall we say ten?' }, NO_KEY)
  t.match(made, { object: 'draft', mailbox_id: id, to: [], subject: '', text: 'Shall we say ten?', html: null })
  await t.rejects(mailboxes.sending.sendDraft(id, made.id, {}), { code: 'invalid_request', fields: [{ field: 'to' }] })

  w.clock.advance(HOUR)
  const changed = await drafts.update(id, made.id, {
    to: to('ada@example.org'),
    bcc: to('bob@example.org'),
    subject: 'Friday',
    labels: ['work'],
    attachments: [SMALL, LARGE],
  })
  t.match(changed, { to: shownTo('ada@example.org'), text: 'Shall we say ten?', created_at: made.created_at })
  t.ok(changed.updated_at > made.updated_at)
  t.match(changed.attachments, [{ filename: 'small.txt', size_bytes: 100 }, { filename: 'large.txt' }])
  t.same(await drafts.get(id, made.id), changed)
  t.match(dryRun(await mailboxes.sending.sendDraft(id, made.id, { dryRun: true })), { decision: 'send' })

  const sent = accepted(await mailboxes.sending.sendDraft(id, made.id, {}))
  t.equal(sent.status, 'queued')
  const message = await mailboxes.reading.message(id, sent.id)
  t.match(message, { subject: 'Friday', labels: ['sent', 'work'], to: shownTo('ada@example.org') })
  t.match(message.attachments, [{ filename: 'small.txt' }, { filename: 'large.txt', size_bytes: 100_000 }])
  t.same(await tasksOf(w, 'relay'), [`${sent.id}:example.org`])
  t.equal(await used(w), message.size_bytes, 'the room of the draft is given back')
  t.same(await draftIds(w), [])
  await t.rejects(drafts.get(id, made.id), { code: 'not_found' })
  await t.rejects(mailboxes.sending.sendDraft(id, made.id, {}), { code: 'not_found' })
})

onEveryEngine('a draft answers a message: its people, its subject, its conversation', async (t, w) => {
  const { mailboxes, id } = w
  const original = await w.deliver({ subject: 'Ten?', headers: ['Cc: carol@example.org'] })
  const one = await mailboxes.drafts.create(id, { inReplyTo: original.id, text: 'Yes.' }, NO_KEY)
  t.match(one, { to: [{ address: 'ada@example.org' }], cc: [], subject: 'Re: Ten?' })
  t.match(one, { thread_id: original.thread_id, in_reply_to: original.id })
  const all = await mailboxes.drafts.create(id, { inReplyTo: original.id, replyAll: true, subject: 'Other' }, NO_KEY)
  t.match(all, { cc: [{ address: 'carol@example.org' }], subject: 'Other' })
  const sent = accepted(await mailboxes.sending.sendDraft(id, one.id, {}))
  t.equal(sent.thread_id, original.thread_id)
  t.match(await mailboxes.reading.message(id, sent.id), { in_reply_to: original.message_id })
  const absent = 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R2'
  await t.rejects(mailboxes.drafts.create(id, { inReplyTo: absent }, NO_KEY), { code: 'not_found' })
  const other = await w.addMailbox('other')
  await t.rejects(mailboxes.drafts.get(other, all.id), { code: 'not_found' }, 'a draft is its mailbox’s own')
  await t.rejects(mailboxes.drafts.create(other, { inReplyTo: original.id }, NO_KEY), { code: 'not_found' })
})

onEveryEngine('files that are named stay, the others go, and the quota follows', async (t, w) => {
  const { mailboxes, id, store, blobs } = w
  const { drafts } = mailboxes
  const made = await drafts.create(id, { attachments: [SMALL, LARGE] }, NO_KEY)
  t.equal(await used(w), made.size_bytes)
  t.ok(made.size_bytes > 100_100)
  const [small, large] = made.attachments.map((attachment) => attachment.id)
  t.ok(await isRawReferenced(store, id, present(large)), 'the sweep of files leaves it alone')
  const changed = await drafts.update(id, made.id, { attachments: [{ id: present(small) }, file('b.txt', 70_000)] })
  t.match(changed.attachments, [
    { id: small, filename: 'small.txt' },
    { filename: 'b.txt', size_bytes: 70_000 },
  ])
  t.equal(await used(w), changed.size_bytes)
  t.notOk(await isRawReferenced(store, id, present(large)))
  await t.rejects(blobs.get(id, present(large)))
  for (const attachments of [[{ id: present(large) }], [{ id: present(small) }, { id: present(small) }]])
    await t.rejects(drafts.update(id, made.id, { attachments }), { code: 'invalid_request' })
  t.same((await drafts.get(id, made.id)).attachments, changed.attachments)

  const full = file('full.txt', LIMITS.messageBytes / 2)
  await drafts.create(id, { attachments: [full] }, NO_KEY)
  await drafts.create(id, { attachments: [full] }, NO_KEY)
  await t.rejects(drafts.create(id, { attachments: [full, full] }, NO_KEY), { code: 'payload_too_large' })
  await t.rejects(
    drafts
      .create(id, { attachments: [full], subject: 'X' }, NO_KEY)
      .then(() => drafts.create(id, { attachments: [full] }, NO_KEY)),
    {
      code: 'quota_exceeded',
    },
  )
  for (const draftId of await draftIds(w)) await drafts.delete(id, draftId)
  t.equal(await used(w), 0)
  t.equal((await w.record()).draftCount, 0)
})

onEveryEngine('drafts are listed from the newest, in pages, up to a limit', async (t, w) => {
  const { drafts } = w.mailboxes
  const ids: string[] = []
  for (let i = 0; i < MAX_DRAFTS; i++) ids.unshift((await drafts.create(w.id, { subject: `No. ${i}` }, NO_KEY)).id)
  await t.rejects(drafts.create(w.id, {}, NO_KEY), { code: 'quota_exceeded', hint: /DELETE/ })
  const first = await drafts.list(w.id, { limit: 100 })
  const second = await drafts.list(w.id, { limit: 100, cursor: present(first.next_cursor) })
  t.same(
    [...first.data, ...second.data].map((draft) => draft.id),
    ids,
  )
  t.match([first.has_more, second.has_more, second.next_cursor], [true, false, null])
  t.notOk('text' in present(first.data[0]), 'lists have no texts')
  await t.rejects(drafts.list(w.id, { limit: 1, cursor: 'x' }), { code: 'invalid_request' })
  await drafts.delete(w.id, present(ids[0]))
  await drafts.create(w.id, {}, NO_KEY)
})

onEveryEngine('a draft that is asked for again is made once; so is the message that is sent of it', async (t, w) => {
  const { mailboxes, id } = w
  const { drafts } = mailboxes
  const key = { idempotencyKey: 'k' }
  const wanted = { to: to('ada@example.org'), text: 'Once.', attachments: [LARGE] }
  const [first, second] = await Promise.all([drafts.create(id, wanted, key), drafts.create(id, wanted, key)])
  t.same(first, second)
  await drafts.update(id, first.id, { subject: 'Changed' })
  t.same(await drafts.create(id, wanted, key), first, 'the first answer again')
  await t.rejects(drafts.create(id, { text: 'Twice.' }, key), { code: 'idempotency_mismatch' })
  await t.rejects(mailboxes.sending.sendDraft(id, first.id, key), { code: 'idempotency_mismatch' })
  t.same(await draftIds(w), [first.id])

  const sendKey = { idempotencyKey: 'send' }
  const answers = await Promise.all([
    mailboxes.sending.sendDraft(id, first.id, sendKey),
    mailboxes.sending.sendDraft(id, first.id, sendKey),
  ])
  t.same(answers[0], answers[1])
  t.same(await mailboxes.sending.sendDraft(id, first.id, sendKey), answers[0], 'though the draft is gone')
  t.equal((await w.record()).sentCount, 1)

  const long = { text: 'x'.repeat(20_000) }
  const made = await drafts.create(id, long, { idempotencyKey: 'long' })
  t.same(await drafts.create(id, long, { idempotencyKey: 'long' }), made)
  await drafts.delete(id, made.id)
  await t.rejects(drafts.create(id, long, { idempotencyKey: 'long' }), { code: 'not_found' }, 'it is not made again')
})

onEveryEngine('of two who send one draft one does, and what is refused leaves the draft as it was', async (t, w) => {
  const { mailboxes, id, account } = w
  const draft = await mailboxes.drafts.create(id, { to: to('ada@example.org'), text: 'Hi.' }, NO_KEY)
  account.status = 'suspended'
  await t.rejects(mailboxes.sending.sendDraft(id, draft.id, {}), { code: 'account_suspended' })
  account.status = 'active'
  t.same(await draftIds(w), [draft.id])
  const both = await Promise.allSettled([
    mailboxes.sending.sendDraft(id, draft.id, {}),
    mailboxes.sending.sendDraft(id, draft.id, {}),
  ])
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.equal((await w.record()).sentCount, 1)
  t.equal((await eventsOf(w)).filter(({ data }) => data['status'] === 'queued').length, 1)
})

onEveryEngine('drafts go with their mailbox, files and all', async (t, w) => {
  const { mailboxes, id, store, blobs } = w
  const draft = await mailboxes.drafts.create(id, { attachments: [LARGE] }, NO_KEY)
  const blob = present(draft.attachments[0]).id
  t.ok(await blobs.get(id, blob))
  await removeMailbox({ store, blobs }, id)
  await t.rejects(blobs.get(id, blob))
  t.equal(await isRawReferenced(store, id, blob), false)
})
