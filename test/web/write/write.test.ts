/** Writing mail on the pages, without a browser: new, reply, forward, drafts, the guard's word, undo, and what goes wrong. */
import t from 'tap'
import { createHash } from 'node:crypto'
import { MINUTE, SECOND } from '../../../src/lib/clock.js'
import { reserveAddress } from '../../../src/mailbox/addresses.js'
import { changeMailbox } from '../../../src/mailbox/record.js'
import type { FormFile } from '../../../src/web/page/multipart.js'
import { eventsOf, LIMITS, present, SEND } from '../../mailbox/world.js'
import { EVIL, linkTo, makeInbox, TOKEN, type InboxWorld, type Opened } from '../inbox/world.js'

type Fields = Record<string, string | string[]>

/** Values of the fields on the page; ticked boxes alone. */
function fieldsOn({ text }: Opened): Fields {
  const found: Record<string, string[]> = {}
  const unescaped = (value: string): string =>
    value
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  const form = /<form[^>]*data-write[\s\S]*?<\/form>/.exec(text)?.[0] ?? ''
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1]
    if (name === undefined || name === 'files' || name === 'mark') continue
    ;(found[name] ??= []).push(unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ''))
  }
  const words = /<textarea name="text"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(form)?.[1]
  const box = /<select name="mailbox">[\s\S]*?<option value="([^"]*)"\s+selected/.exec(form)?.[1]
  return {
    ...found,
    ...(words !== undefined && { text: unescaped(words) }),
    ...(box !== undefined && { mailbox: box }),
  }
}

async function addAlias({ store, clock, id }: InboxWorld, address: string): Promise<void> {
  await reserveAddress(store, address, id, clock.now())
  await changeMailbox(store, id, async (_tx, mailbox) => void (mailbox.aliases = [{ address, createdAt: clock.now() }]))
}

const one = (value: string | string[] | undefined): string => [value].flat()[0] ?? ''

async function startOf(world: InboxWorld, path = '/inbox/write'): Promise<Fields> {
  const page = await world.get(path)
  if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`)
  return fieldsOn(page)
}

const LETTER = { to: 'Ada <ada@example.org>', subject: 'Lunch', text: 'Shall we say noon?' }
const post = (world: InboxWorld, fields: Fields, act: string, files: FormFile[] = []): Promise<Opened> =>
  world.postFiles('/inbox/write', { ...fields, do: act }, files)
const locationOf = ({ headers }: Opened): string => String(headers['Location'])

async function messages(world: InboxWorld) {
  const { data } = await world.mailboxes.reading.messages(world.id, { limit: 50 })
  return Promise.all(data.map(({ id }) => world.mailboxes.reading.message(world.id, id)))
}
const drafts = async (world: InboxWorld) => (await world.mailboxes.drafts.list(world.id, { limit: 50 })).data

t.test('a mail is written, waits ten seconds, goes, and says that a human wrote it', async (t) => {
  const world = await makeInbox(t)
  const start = await startOf(world)
  t.same(await drafts(world), [], 'opening the page stores nothing')
  const answer = await post(
    world,
    { ...start, ...LETTER, cc: 'bob@example.org; "Doe, Jane" <jane@example.org>' },
    'send',
  )
  t.equal(answer.status, 303, answer.text)
  const [message] = await messages(world)
  t.match(message, {
    ...{ status: 'scheduled', composed_by: 'human', subject: 'Lunch', text: 'Shall we say noon?' },
    to: [{ address: 'ada@example.org', name: 'Ada' }],
    cc: [{ address: 'bob@example.org' }, { address: 'jane@example.org', name: 'Doe, Jane' }],
  })
  t.equal(Date.parse(message?.send_at ?? '') - world.clock.now(), 10 * SECOND)
  t.same(await drafts(world), [])
  const page = await world.get(locationOf(answer))
  t.match(page.text, /It goes out in 10 seconds\.[\s\S]*Undo/)
  t.notMatch(page.text, 'Sent.')
  t.match(page.text, /<dt>Written by<\/dt>\s*<dd>a human<\/dd>/)
  world.clock.advance(10 * SECOND)
  await world.mailboxes.outbound.runScheduled(world.id, present(message).id)
  t.equal((await messages(world))[0]?.status, 'queued')
  const later = await world.get(locationOf(answer))
  t.notMatch(later.text, 'Undo')
  t.match(later.text, /Sent\./)
})

t.test('the audit log has what a human sent, took back and withdrew, once and without its content', async (t) => {
  const world = await makeInbox(t)
  const start = await startOf(world)
  const form = { ...start, ...LETTER, cc: 'bob@example.org' }
  const session = { type: 'session', id: 'ses_1', name: 'eve@example.net' }
  await post(world, form, 'save')
  t.same(await world.audited(), [], 'a draft is not in it')
  const sent = await post(world, { ...form, revision: '1', form: 'b'.repeat(22) }, 'send')
  const message = present((await messages(world))[0])
  await post(world, { ...form, revision: '1', form: 'b'.repeat(22) }, 'send')
  const subject = { account_id: world.account.id, mailbox_id: world.id, message_id: message.id }
  t.match(await world.audited(), [
    { action: 'message.sent', actor: session, subject: { ...subject, recipients: '2' }, reason: null, result: 'done' },
  ])
  t.notMatch(JSON.stringify(await world.audited()), /Lunch|noon|example\.org/)
  t.equal(sent.status, 303)
  const undone = await world.post(`/inbox/${world.id}/${message.id}/undo`, {})
  await world.post(`/inbox/${world.id}/${message.id}/undo`, {})
  const draft = fieldsOn(await world.get(locationOf(undone)))
  await post(world, draft, 'send')
  const again = present((await messages(world))[0])
  await world.post(`/inbox/${world.id}/${again.id}/withdraw`, {})
  await world.post(`/inbox/${world.id}/${again.id}/withdraw`, {})
  t.match((await world.audited()).slice(1), [
    { action: 'message.recalled', actor: session, subject },
    { action: 'message.sent', actor: session, subject: { message_id: again.id, recipients: '2' } },
    { action: 'message.withdrawn', actor: session, subject: { mailbox_id: world.id, message_id: again.id } },
  ])
  t.equal((await world.audited()).length, 4)
})

t.test('undo makes it the draft that it was, with its files, and once', async (t) => {
  const world = await makeInbox(t)
  await world.mailboxes.settings.change(world.id, { signature: { text: 'Eve of Agents' } })
  const received = await world.deliver({ headers: ['Message-ID: <q@example.org>'], subject: 'A question' })
  const start = await startOf(world, `/inbox/write?reply=${world.id}/${received.id}`)
  const large = Buffer.alloc(100_000, 'large ')
  const files = [
    { filename: 'small.txt', contentType: 'text/plain', content: Buffer.from('small') },
    { filename: 'large.bin', contentType: 'application/octet-stream', content: large },
  ]
  await post(world, { ...start, text: 'An answer', bcc: 'boss@example.org' }, 'send', files)
  const message = present((await messages(world)).find(({ direction }) => direction === 'outbound'))
  t.match(message.text, /An answer\n\n-- \nEve of Agents/)
  const before = await world.record()
  const undone = await world.post(`/inbox/${world.id}/${message.id}/undo`, {})
  t.equal(undone.status, 303)
  const page = await world.get(locationOf(undone))
  t.match(page.text, 'It was not sent, and is a draft again.')
  const [draft, ...more] = await drafts(world)
  t.same(more, [])
  t.match(draft, {
    ...{ composed_by: 'human', subject: 'Re: A question', in_reply_to: received.id, thread_id: received.thread_id },
    to: [{ address: 'ada@example.org' }],
    bcc: [{ address: 'boss@example.org' }],
    attachments: [
      { filename: 'small.txt', size_bytes: 5 },
      { filename: 'large.bin', size_bytes: large.length },
    ],
  })
  t.equal(fieldsOn(page)['text'], 'An answer\n\n-- \nEve of Agents')
  t.notMatch(page.text, 'Your signature is added')
  t.same(
    (await messages(world)).map(({ id }) => id),
    [received.id],
    'the message is gone',
  )
  t.same((await world.mailboxes.trash.list(world.id, { limit: 10 })).data, [])
  const after = await world.record()
  t.equal(after.scheduledCount, 0)
  t.equal(after.draftCount, 1)
  t.equal(after.messageCount, before.messageCount - 1)
  t.equal(after.usedBytes, received.size_bytes + present(draft).size_bytes)
  const twice = await world.post(`/inbox/${world.id}/${message.id}/undo`, {})
  t.equal(locationOf(twice), locationOf(undone))
  t.equal((await drafts(world)).length, 1)
  world.clock.advance(MINUTE)
  await world.mailboxes.outbound.runScheduled(world.id, message.id)
  t.equal((await messages(world)).length, 1, 'its time comes, and nothing is sent')

  // Sent again, it has one signature and answers the same message.
  const sent = await post(world, fieldsOn(page), 'send')
  t.equal(sent.status, 303, sent.text)
  const again = present((await messages(world)).find(({ direction }) => direction === 'outbound'))
  t.equal(again.text.match(/Eve of Agents/g)?.length, 1)
  t.equal(again.thread_id, received.thread_id)
  t.equal(again.in_reply_to, 'q@example.org')
  const file = present(again.attachments[1])
  const { content } = await world.mailboxes.reading.attachment(world.id, again.id, file.id)
  const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  t.equal(sha(content), sha(large))
})

t.test('undo comes too late, or is not for mail of an agent', async (t) => {
  const world = await makeInbox(t)
  await post(world, { ...(await startOf(world)), ...LETTER }, 'send')
  const [message] = await messages(world)
  world.clock.advance(10 * SECOND)
  await world.mailboxes.outbound.runScheduled(world.id, present(message).id)
  const late = await world.post(`/inbox/${world.id}/${present(message).id}/undo`, {})
  t.equal(late.status, 409)
  t.match(late.text, 'It is too late')
  const { id } = await world.send({ sendAt: world.clock.now() + 5 * MINUTE })
  t.equal((await world.post(`/inbox/${world.id}/${id}/undo`, {})).status, 409)
  t.equal((await world.mailboxes.reading.message(world.id, id)).status, 'scheduled')
  t.equal((await world.post(`/inbox/${world.theirs}/${id}/undo`, {})).status, 404)
})

t.test('the same form sent twice sends once, one after the other and at once', async (t) => {
  const world = await makeInbox(t)
  const first = { ...(await startOf(world)), ...LETTER }
  const [a, b] = [await post(world, first, 'send'), await post(world, first, 'send')]
  t.equal(locationOf(a), locationOf(b))
  t.equal((await messages(world)).length, 1)
  t.same(await drafts(world), [])
  const second = { ...(await startOf(world)), ...LETTER, text: 'Another one' }
  const answers = await Promise.all([
    post(world, second, 'send'),
    post(world, second, 'send'),
    post(world, second, 'send'),
  ])
  t.same([...new Set(answers.map(locationOf))].length, 1, answers.map(({ text }) => text).join())
  t.equal((await messages(world)).length, 2)
  t.same(await drafts(world), [])
})

t.test(
  'a reply goes to who asked, from the alias they wrote to, in the same conversation, and quotes nothing',
  async (t) => {
    const world = await makeInbox(t)
    const received = await world.deliver({
      from: 'Ada <ada@example.org>',
      to: 'agent@agents.example, bob@example.org',
      headers: ['Message-ID: <q@example.org>', 'Cc: carol@example.org'],
      ...{ subject: 'A question', text: 'What is it?' },
    })
    const item = `${world.id}/${received.id}`
    const conversation = await world.get(`/inbox/${world.id}/${received.thread_id}`)
    t.equal(linkTo(conversation, 'Reply'), `/inbox/write?reply=${item}`)
    t.match(conversation.text, /data-key="a"[\s\S]*data-key="f"/)
    const page = await world.get(`/inbox/write?reply=${item}`)
    t.match(fieldsOn(page), { to: ['Ada <ada@example.org>'], cc: [''], subject: ['Re: A question'], text: '' })
    t.match(page.text, /What it answers[\s\S]*What is it\?/)
    t.match(fieldsOn(await world.get(`/inbox/write?all=${item}`)), {
      to: ['Ada <ada@example.org>'],
      cc: ['bob@example.org, carol@example.org'],
    })
    await post(world, { ...fieldsOn(page), text: 'This.' }, 'send')
    const [reply] = await messages(world)
    t.match(reply, { thread_id: received.thread_id, in_reply_to: 'q@example.org', references: ['q@example.org'] })
    t.equal(reply?.text.trimEnd(), 'This.')
  },
)

const ALIAS = 'sales@agents.example'
const options = ({ text }: Opened): [string, string][] =>
  [...text.matchAll(/<option value="(mbx_[^"]*)"(\s+selected)?/g)].map(([, value = '', chosen]) => [
    value,
    chosen ? 'chosen' : '',
  ])

t.test('new mail, replies and forwards go from the mailbox or one of its aliases, as chosen', async (t) => {
  const world = await makeInbox(t)
  const [main, alias] = [world.id, `${world.id}/${ALIAS}`]
  t.same(options(await world.get('/inbox/write')), [], 'with one address there is nothing to choose')
  await addAlias(world, ALIAS)
  const authors = async () =>
    (await messages(world)).flatMap(({ direction, from }) => (direction === 'outbound' ? [from] : []))

  const page = await world.get('/inbox/write')
  t.same(options(page), [
    [main, 'chosen'],
    [alias, ''],
  ])
  const chosen = { ...fieldsOn(page), ...LETTER, mailbox: alias }
  const draft = await world.get(locationOf(await post(world, chosen, 'save')))
  t.same(
    options(draft),
    [
      [main, ''],
      [alias, 'chosen'],
    ],
    'the draft keeps it',
  )
  await post(world, fieldsOn(draft), 'send')
  t.same(await authors(), [{ address: ALIAS, name: 'Agent' }])

  const received = await world.deliver({ to: `sales+shop@agents.example` })
  const item = `${world.id}/${received.id}`
  const reply = await world.get(`/inbox/write?reply=${item}`)
  const tagged = `${world.id}/sales+shop@agents.example`
  t.same(
    options(reply),
    [
      [main, ''],
      [alias, ''],
      [tagged, 'chosen'],
    ],
    'a reply goes from where it came to',
  )
  await post(world, { ...fieldsOn(reply), text: 'Yes.' }, 'send')
  t.match((await authors())[0], { address: 'sales+shop@agents.example' })
  await post(world, { ...(await startOf(world, `/inbox/write?reply=${item}`)), text: 'Yes.', mailbox: main }, 'send')
  t.match((await authors())[0], { address: 'agent@agents.example' })
  const forward: Fields = { ...(await startOf(world, `/inbox/write?forward=${item}`)), to: 'bob@example.org' }
  t.equal(one(forward['mailbox']), main)
  await post(world, { ...forward, mailbox: alias }, 'send')
  t.match((await authors())[0], { address: ALIAS })
})

t.test('with several mailboxes the aliases of all can be chosen, and an undone mail keeps its own', async (t) => {
  const world = await makeInbox(t)
  const other = await world.addMailbox('other')
  await addAlias(world, ALIAS)
  const page = await world.get('/inbox/write?mailbox=other@agents.example')
  t.same(options(page), [
    [world.id, ''],
    [`${world.id}/${ALIAS}`, ''],
    [other, 'chosen'],
  ])
  await post(world, { ...fieldsOn(page), ...LETTER, mailbox: `${world.id}/${ALIAS}` }, 'send')
  const [message] = await messages(world)
  t.match(message?.from, { address: ALIAS })
  const undone = await world.post(`/inbox/${world.id}/${present(message).id}/undo`, {})
  const draft = await world.get(locationOf(undone))
  t.same(
    options(draft),
    [
      [world.id, ''],
      [`${world.id}/${ALIAS}`, 'chosen'],
    ],
    'its mailbox is fixed by now',
  )
  await post(world, { ...fieldsOn(draft), mailbox: world.id }, 'send')
  t.match((await messages(world))[0]?.from, { address: 'agent@agents.example' })
})

t.test('nothing goes from an address that is not, or no more, of the mailbox; what was typed stays', async (t) => {
  const world = await makeInbox(t)
  await addAlias(world, ALIAS)
  const start = await startOf(world)
  for (const foreign of ['theirs@agents.example', 'sales+\r\nBcc: x@agents.example', EVIL, '', 'a'.repeat(5000)]) {
    const refused = await post(world, { ...start, ...LETTER, mailbox: `${world.id}/${foreign}` }, 'send')
    t.equal(refused.status, 400, foreign)
    t.match(refused.text, /none of this mailbox&#39;s addresses/)
    t.equal(one(fieldsOn(refused)['subject']), 'Lunch')
    t.notMatch(refused.text, EVIL)
  }
  t.same([await drafts(world), await messages(world)], [[], []])
  const chosen = { ...start, ...LETTER, mailbox: `${world.id}/${ALIAS}` }
  await post(world, chosen, 'save')
  await changeMailbox(world.store, world.id, async (_tx, mailbox) => void (mailbox.aliases = []))
  const late = await post(world, { ...chosen, revision: '1', form: 'c'.repeat(22) }, 'send')
  t.equal(late.status, 400)
  t.match(late.text, /It was not sent, and is saved as a draft\./)
  t.same(options(late), [
    [world.id, ''],
    [`${world.id}/${ALIAS}`, 'chosen'],
  ])
  t.same(await messages(world), [])
})

t.test('a forward has the words and files of the original, and starts a conversation', async (t) => {
  const world = await makeInbox(t)
  const raw = [
    ...['From: Ada <ada@example.org>', 'To: agent@agents.example', 'Subject: Papers', 'MIME-Version: 1.0'],
    ...['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Type: text/plain', '', 'Here they are.'],
    ...['--b', 'Content-Type: text/plain; name=a.txt', 'Content-Disposition: attachment; filename=a.txt', '', 'aaa'],
    ...['--b', 'Content-Type: text/plain; name=b.txt', 'Content-Disposition: attachment; filename=b.txt', '', 'bbb'],
    ...['--b--', ''],
  ]
  const received = await world.deliver({ raw: Buffer.from(raw.join('\r\n')) })
  const start = await startOf(world, `/inbox/write?forward=${world.id}/${received.id}`)
  t.match(start, { subject: ['Fwd: Papers'], text: /Forwarded message[\s\S]*Here they are\./ })
  t.equal([start['take']].flat().length, 2)
  const [a = ''] = [start['take']].flat()
  await post(world, { ...start, take: a ?? '', to: 'bob@example.org' }, 'send')
  const [sent] = await messages(world)
  t.match(sent, { subject: 'Fwd: Papers', in_reply_to: null, attachments: [{ filename: 'a.txt' }] })
  t.equal(sent?.attachments.length, 1)
  t.not(sent?.thread_id, received.thread_id)
})

t.test('a draft is saved, listed as yours, opened again, changed and discarded', async (t) => {
  const world = await makeInbox(t)
  const file = { filename: 'notes.txt', contentType: 'text/plain', content: Buffer.from('notes') }
  const saved = await post(world, { ...(await startOf(world)), subject: 'Later', text: 'Half of' }, 'save', [file])
  t.equal(saved.status, 303, saved.text)
  const page = await world.get(locationOf(saved))
  t.match(page.text, 'Saved.')
  t.match(page.text, 'notes.txt')
  const list = await world.get('/inbox?view=drafts')
  t.match(list.text, 'yours')
  t.match(list.text, /href="\/inbox\/write\?draft=mbx_\w+\/drf_\w+"/)
  const fields = fieldsOn(page)
  await post(world, { ...fields, text: 'Half of it', keep: [] }, 'save')
  t.match(await drafts(world), [{ preview: 'Half of it', attachments: [], revision: 2, composed_by: 'human' }])
  const stale = await post(world, fields, 'discard')
  t.equal(stale.status, 503, 'another window has changed it')
  const gone = await post(world, fieldsOn(await world.get(locationOf(saved))), 'discard')
  t.match((await world.get(locationOf(gone))).text, 'The draft is discarded.')
  t.same(await drafts(world), [])
  t.equal((await world.record()).usedBytes, 0)
})

t.test('a draft that was changed in another window is not overwritten unseen', async (t) => {
  const world = await makeInbox(t)
  const saved = locationOf(await post(world, { ...(await startOf(world)), ...LETTER }, 'save'))
  const [mine, other] = [await startOf(world, saved), await startOf(world, saved)]
  await post(world, { ...other, text: 'Theirs' }, 'save')
  const page = await post(world, { ...mine, text: 'Mine' }, 'send')
  t.equal(page.status, 409)
  t.match(page.text, 'changed in another window')
  t.equal(fieldsOn(page)['text'], 'Mine', 'what was typed is there')
  t.match(await drafts(world), [{ preview: 'Theirs' }])
  t.same(await messages(world), [])
  await post(world, fieldsOn(page), 'send')
  t.match(await messages(world), [{ text: 'Mine' }])
  const late = await post(world, { ...mine, form: 'b'.repeat(22), text: 'Too late' }, 'save')
  t.match(locationOf(late), /sent=msg_/, 'it was sent by now')
})

t.test('a draft that was discarded in another window comes back by saving', async (t) => {
  const world = await makeInbox(t)
  const saved = locationOf(await post(world, { ...(await startOf(world)), ...LETTER }, 'save'))
  const mine = await startOf(world, saved)
  await post(world, await startOf(world, saved), 'discard')
  const page = await post(world, { ...mine, text: 'Mine' }, 'save')
  t.equal(page.status, 404)
  t.match(page.text, 'Saving makes a new one.')
  await post(world, fieldsOn(page), 'save')
  t.match(await drafts(world), [{ preview: 'Mine' }])
})

t.test('what the guard would hold is told before it is sent, and goes to the staff if the human wants', async (t) => {
  const world = await makeInbox(t)
  world.guard.verdict = {
    ...SEND,
    decision: 'hold',
    reasons: [{ code: 'asks', detail: `It asks for a password ${EVIL}` }],
  }
  const page = await post(world, { ...(await startOf(world)), ...LETTER }, 'send')
  t.equal(page.status, 200)
  t.match(page.text, /Not sent yet\.[\s\S]*It asks for a password &lt;script&gt;[\s\S]*Send anyway/)
  t.same(await messages(world), [])
  t.match(await drafts(world), [{ subject: 'Lunch' }])
  const fields = fieldsOn(page)
  t.equal((await post(world, fields, 'anyway')).status, 303)
  const [message] = await messages(world)
  world.clock.advance(10 * SECOND)
  await world.mailboxes.outbound.runScheduled(world.id, present(message).id)
  t.equal((await messages(world))[0]?.status, 'held')

  world.guard.verdict = { ...world.guard.verdict, decision: 'block' }
  const blocked = await post(world, { ...(await startOf(world)), ...LETTER }, 'send')
  t.match(blocked.text, 'it would not be sent')
  t.notMatch(blocked.text, 'Send anyway')
})

t.test('mail that always needs approval needs none from the human who would give it', async (t) => {
  const world = await makeInbox(t)
  await world.mailboxes.settings.change(world.id, { requiresApproval: true })
  await post(world, { ...(await startOf(world)), ...LETTER }, 'send')
  t.match(await messages(world), [{ status: 'scheduled' }])
  t.same(
    (await eventsOf(world)).filter(({ type }) => type.startsWith('draft.')),
    [],
    'no agent is told of an approval',
  )
})

t.test('no agent sends, changes or deletes what a human writes', async (t) => {
  const world = await makeInbox(t)
  await post(world, { ...(await startOf(world)), ...LETTER, text: 'Not finished' }, 'save')
  const { id } = present((await drafts(world))[0])
  const { drafts: ofAgents, sending } = world.mailboxes
  for (const by of [undefined, { type: 'key' as const, id: 'key_1', requiresApproval: false }]) {
    await t.rejects(sending.sendDraft(world.id, id, { by }), { code: 'draft_of_human' })
    await t.rejects(sending.sendDraft(world.id, id, { by, dryRun: true }), { code: 'draft_of_human' })
    await t.rejects(sending.sendDraft(world.id, id, { by, requiresApproval: true }), { code: 'draft_of_human' })
  }
  await t.rejects(ofAgents.update(world.id, id, { text: 'Mine' }), { code: 'draft_of_human' })
  await t.rejects(ofAgents.delete(world.id, id), { code: 'draft_of_human' })
  t.equal((await ofAgents.get(world.id, id)).text, 'Not finished', 'reading it is fine')
  const made = await ofAgents.create(
    world.id,
    { to: [{ address: 'ada@example.org', name: '' }], text: 'By an agent' },
    {},
  )
  const page = await world.get(`/inbox/write?draft=${world.id}/${made.id}`)
  t.equal(locationOf(page), `/review/${world.id}/${made.id}`, 'and the human decides on those of agents')
  const taken = await post(world, { ...(await startOf(world)), draft: made.id, revision: '1', ...LETTER }, 'save')
  t.equal(taken.status, 404)
  t.equal((await ofAgents.get(world.id, made.id)).text, 'By an agent')
})

t.test('mail is scheduled in UTC, and can be taken back until then', async (t) => {
  const world = await makeInbox(t)
  const due = new Date(world.clock.now() + 60 * MINUTE).toISOString().slice(0, 16)
  const answer = await post(world, { ...(await startOf(world)), ...LETTER, send_at: due }, 'send')
  const [message] = await messages(world)
  t.equal(message?.send_at, `${due}:00.000Z`)
  const page = await world.get(locationOf(answer))
  t.match(page.text, `Scheduled: it goes`)
  const draft = await world.get(locationOf(await world.post(`/inbox/${world.id}/${present(message).id}/undo`, {})))
  t.equal(one(fieldsOn(draft)['subject']), 'Lunch')
  for (const wrong of ['soon', '2026-99-99T10:00', '2020-01-01T10:00']) {
    const page = await post(world, { ...(await startOf(world)), ...LETTER, send_at: wrong }, 'send')
    t.equal(page.status, 400, wrong)
    t.equal(one(fieldsOn(page)['send_at']), wrong)
  }
})

t.test('hostile input is refused in words, keeps what was typed, and changes nothing outside its draft', async (t) => {
  const world = await makeInbox(t)
  const wrong: [string, Fields, RegExp][] = [
    ['a header in the subject', { subject: 'Hi\r\nBcc: x@example.org' }, /Subject:.*line breaks/],
    ['a header in an address', { to: 'ada@example.org\r\nBcc: x@example.org' }, /is not an email address/],
    ['a header in a name', { to: '"A\r\nBcc: x@example.org" <ada@example.org>' }, /is not an email address/],
    ['no address', { to: EVIL }, /is not an email address/],
    [
      '300 recipients',
      { to: Array.from({ length: 300 }, (_, i) => `p${i}@example.org`).join(',') },
      /at most 5 together/,
    ],
    ['a million quotes', { to: '"'.repeat(1_000_000) }, /too long/],
    ['too long a text', { text: 'x'.repeat(1_000_001) }, /at most 1,000,000 characters/],
    ['too long a subject', { subject: 'x'.repeat(999) }, /at most 998/],
    ['the mailbox itself', { to: 'agent@agents.example' }, /cannot send mail to itself/],
    ['nobody', { to: '' }, /is not complete/],
  ]
  for (const [name, fields, words] of wrong) {
    const page = await post(world, { ...(await startOf(world)), ...LETTER, ...fields }, 'send')
    t.equal(page.status, 400, name)
    t.match(page.text, words, name)
    t.notMatch(page.text, '<script>alert', name)
    for (const [field, value] of Object.entries(fields)) {
      if (field === 'text' || String(value).length > 5000) continue
      t.equal(one(fieldsOn(page)[field]).replace(/\r/g, ''), String(value).trim().replace(/\r/g, ''), name)
    }
  }
  t.same(await messages(world), [])
  const megabyte = await post(world, { ...(await startOf(world)), ...LETTER, text: 'word '.repeat(100_000) }, 'save')
  t.equal(megabyte.status, 303, 'half a megabyte is a draft')
  const large = { filename: 'a', contentType: 'text/plain', content: Buffer.alloc(LIMITS.messageBytes) }
  const page = await post(world, { ...(await startOf(world)), ...LETTER }, 'send', [large])
  t.equal(page.status, 413)
  t.equal(one(fieldsOn(page)['subject']), 'Lunch')
  t.same(await messages(world), [])
  const many = Array.from({ length: 51 }, (_, i) => ({ ...large, filename: String(i), content: Buffer.from('x') }))
  t.match((await post(world, { ...(await startOf(world)), ...LETTER }, 'send', many)).text, /Files:.*at most 50/)
  const forged: Fields[] = [
    { draft: 'drf_1' },
    { revision: '-1' },
    { revision: '1e99' },
    { form: '' },
    { form: '../../x' },
  ]
  for (const fields of forged) {
    t.equal(
      (await post(world, { ...(await startOf(world)), ...LETTER, ...fields }, 'save')).status,
      400,
      JSON.stringify(fields),
    )
  }
})

t.test('only the own mailboxes, with the mark, by those who are signed in', async (t) => {
  const world = await makeInbox(t)
  const start = await startOf(world)
  t.equal((await post(world, { ...start, ...LETTER, mailbox: world.theirs }, 'send')).status, 404)
  t.equal((await post(world, { ...start, ...LETTER, mark: 'x' }, 'send')).status, 400)
  t.equal((await world.open('/inbox/write', { form: { ...start, do: 'send' }, files: [] })).status, 401)
  const elsewhere = { session: TOKEN, form: start, files: [], headers: { origin: 'https://evil.example' } }
  t.equal((await world.open('/inbox/write', elsewhere)).status, 400)
  t.equal(
    (await world.post('/inbox/write', { ...start, do: 'send' })).status,
    415,
    'a form without files is no such form',
  )
  for (const query of [
    `draft=${world.theirs}/drf_1`,
    `reply=${world.id}/msg_1`,
    'forward=x',
    `draft=${world.id}/drf_1`,
  ]) {
    t.equal((await world.get(`/inbox/write?${query}`)).status, 404, query)
  }
  world.account.status = 'suspended'
  t.equal((await world.get('/inbox/write')).status, 403)
  t.equal((await post(world, { ...start, ...LETTER }, 'send')).status, 403)
  t.same(await messages(world), [])
})

t.test('addresses used before are offered, spam and own ones are not', async (t) => {
  const world = await makeInbox(t)
  await world.deliver({ from: '"Doe, Jane" <jane@example.org>' })
  await world.deliver({ from: 'spammer@example.org', labels: ['spam'] })
  await world.send({ to: [{ address: 'bob@example.org', name: '' }] })
  const { text } = await world.get('/inbox/write')
  const offered = [...text.matchAll(/<option value="([^"]*)"><\/option>/g)].map(([, value]) => value)
  t.same(offered, ['bob@example.org', '&quot;Doe, Jane&quot; &lt;jane@example.org&gt;'])
})

t.test('with several mailboxes one chooses from which; the draft stays there', async (t) => {
  const world = await makeInbox(t)
  const desk = await world.addMailbox('desk')
  t.equal((await startOf(world, '/inbox/write?mailbox=desk@agents.example'))['mailbox'], desk)
  const saved = await post(world, { ...(await startOf(world)), ...LETTER, mailbox: desk }, 'save')
  t.match(locationOf(saved), desk)
  t.same(await startOf(world, locationOf(saved)).then(({ mailbox }) => mailbox), [desk])
})

t.test('the script saves what can be read, and hears of another window', async (t) => {
  const world = await makeInbox(t)
  const start = await startOf(world)
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }
  const auto = async (fields: Fields, files: FormFile[] = []): Promise<Record<string, unknown>> => {
    const answer = await post(world, fields, 'auto', files)
    return { status: answer.status, ...(JSON.parse(answer.text) as Record<string, unknown>) }
  }
  const first = await auto({ ...start, ...LETTER, to: 'ada@exa' }, [file])
  t.match(first, { status: 200, revision: 1, unread: ['To'], files: [{ filename: 'a.txt' }] })
  t.match(await drafts(world), [{ to: [], subject: 'Lunch' }])
  const repeated = await auto({ ...start, ...LETTER, to: 'ada@exa' }, [file])
  t.match(repeated, { status: 200, revision: 1 }, 'the same form again changes nothing')
  t.match(await auto({ ...start, form: 'c'.repeat(22), ...LETTER }), { status: 409, problem: /another window/ })
  const [{ id: keep = '' } = {}] = first['files'] as { id: string }[]
  const next = { ...start, ...LETTER, keep, revision: '1', form: String(first['form']) }
  t.match(await auto(next), { status: 200, revision: 2, unread: [] })
  t.equal((await post(world, { ...next, revision: '2', form: 'd'.repeat(22) }, 'send')).status, 303)
  t.match(await auto({ ...next, form: 'e'.repeat(22) }), { status: 409, problem: /sent in another window/ })
})
