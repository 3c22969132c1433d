/** The tools over a real mailbox. */
import t, { type Test } from 'tap'
import { createKeptToolAnswers } from '../../../src/api/mcp/kept-answers.js'
import { createStore } from '../../../src/store/store.js'
import { fakes } from '../support/fakes.js'
import { makeWorld, present, type World } from '../../mailbox/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { runTool, textOf, toolDeps, type CallToolResult } from './run-tool.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any

interface Inbox {
  world: World
  /** How often conversations were listed. */
  lists(): number
  /** The answer of a tool call that must succeed. */
  call(name: string, args?: object): Promise<{ text: string; data: Data; answer: CallToolResult }>
  /** The words of an error. */
  refused(name: string, args?: object): Promise<string>
}

async function inbox(t: Test): Promise<Inbox> {
  const store = createStore(memoryEngine())
  const world = await makeWorld(t, store)
  let lists = 0
  const { reading } = world.mailboxes
  const counted: typeof reading = {
    ...reading,
    threads(...given) {
      lists++
      return reading.threads(...given)
    },
  }
  const deps = {
    ...toolDeps({ ...fakes(), mailboxes: { ...world.mailboxes, reading: counted } }),
    keepAnswer: createKeptToolAnswers(store),
  }
  return {
    world,
    lists: () => lists,
    async call(name, args = {}) {
      const answer = await runTool(deps, name, args, world.id)
      const text = textOf(answer)
      if (answer.isError) throw new Error(`${name}: ${text}`)
      return { text, data: answer.structuredContent, answer }
    },
    async refused(name, args = {}) {
      const answer = await runTool(deps, name, args, world.id)
      t.ok(answer.isError, name)
      return textOf(answer)
    },
  }
}

t.test('a conversation is read in pages, the newest messages first to come, each page oldest first', async (t) => {
  const { world, call, refused } = await inbox(t)
  const first = await world.deliver({ subject: 'Plan', text: 'Number 1.' })
  for (let n = 2; n <= 5; n++) {
    world.clock.advance(1000)
    await world.deliver({ subject: 'Re: Plan', text: `Number ${n}.`, headers: [`References: <${first.message_id}>`] })
  }
  const thread_id = first.thread_id
  const newest = await call('read_conversation', { thread_id, limit: 3 })
  const texts = (data: Data): string[] => data.messages.map((each: Data) => /Number \d/.exec(each.untrusted.text)?.[0])
  t.strictSame(texts(newest.data), ['Number 3', 'Number 4', 'Number 5'])
  const older = await call('read_conversation', { thread_id, limit: 3, cursor: newest.data.next_cursor })
  t.strictSame(texts(older.data), ['Number 1', 'Number 2'])
  t.equal(older.data.next_cursor, undefined)
  t.match(await refused('read_conversation', { thread_id: 'thr_nope' }), /^not_found: [^]*Next: Take the id from/)
  await world.mailboxes.trash.deleteThread(world.id, thread_id)
  t.match(await refused('read_conversation', { thread_id }), /^not_found: [^]*trash/)
})

t.test('a list is made once while the mailbox stays as it is, and each answer has a fence of its own', async (t) => {
  const { world, call, lists } = await inbox(t)
  await world.deliver({ subject: 'Plan', text: 'Number 1.' })
  const first = await call('check_inbox')
  const second = await call('check_inbox')
  t.equal(lists(), 1)
  t.same(second.data, first.data)
  const markOf = ({ answer }: { answer: CallToolResult }) => String(answer._meta?.['restante/fence'])
  t.match([markOf(first), markOf(second)], [/^[0-9a-f]{16}$/, /^[0-9a-f]{16}$/])
  t.not(markOf(second), markOf(first))
  t.equal(second.text, first.text.replaceAll(markOf(first), markOf(second)))
  await call('check_inbox', { limit: 5 })
  t.equal(lists(), 2, 'other arguments are another list')
  await world.deliver({ subject: 'Other', text: 'Number 2.' })
  t.equal((await call('check_inbox')).data.threads.length, 2)
  await call('mark_read', { thread_id: first.data.threads[0].thread_id })
  t.equal((await call('check_inbox')).data.threads.length, 1)
  t.equal(lists(), 4)
})

t.test('a long message is read to its end, and a conversation tells of what it leaves out', async (t) => {
  const { world, call } = await inbox(t)
  const line = 'All work and no play makes a dull day. 😀\r\n'
  const { id, thread_id, text: whole } = await world.deliver({ text: line.repeat(700) })
  const short = await call('read_conversation', { thread_id })
  t.equal(short.data.messages[0].left_out, 'rest')
  t.match(short.text, `(cut; read_message ${id} shows all)`)
  let read = ''
  for (let offset: number | undefined = 0, pages = 0; offset !== undefined && pages < 20; pages++) {
    const { data, text }: { data: Data; text: string } = await call('read_message', { message_id: id, offset })
    const fenced = /^<<<mail \w+>>>\n([^]*)\n<<<end \w+>>>$/.exec(data.untrusted.text)
    read += present(fenced)[1]
    offset = data.next_offset
    if (offset !== undefined) t.match(text, `More: call read_message with offset ${offset}.`)
  }
  t.equal(read, whole)
  const beyond = await call('read_message', { message_id: id, offset: 1_000_000 })
  t.equal(beyond.data.next_offset, undefined)
})

t.test('quoted text stays out of a conversation and is in the message', async (t) => {
  const { world, call } = await inbox(t)
  const text = 'Fine with me.\r\n\r\nOn Thu, 1 Jan 2026, Agent wrote:\r\n> Shall we say ten?\r\n'
  const { id, thread_id } = await world.deliver({ text })
  const { data, text: words } = await call('read_conversation', { thread_id })
  t.equal(data.messages[0].left_out, 'quoted')
  t.notMatch(words, 'Shall we say ten')
  t.match((await call('read_message', { message_id: id })).text, 'Shall we say ten')
})

t.test('mail is marked as read, and labelled', async (t) => {
  const { world, call, refused } = await inbox(t)
  const { id, thread_id } = await world.deliver()
  t.equal((await call('check_inbox')).data.threads.length, 1)
  const marked = await call('mark_read', { message_ids: [id, 'msg_nope'] })
  t.strictSame(marked.data, { changed: 1, not_found: ['msg_nope'] })
  t.match((await call('check_inbox')).text, /^No unread mail/)
  t.equal((await call('mark_read', { thread_id, unread: true })).data.changed, 1)
  t.equal((await call('check_inbox')).data.threads[0].unread, 1)
  t.strictSame((await call('label', { message_id: id, add_labels: ['invoices'] })).data, {
    labels: ['inbox', 'invoices'],
  })
  t.strictSame((await call('check_inbox', { label: 'invoices' })).data.threads[0].labels, ['invoices'])
  t.strictSame((await call('label', { thread_id, remove_labels: ['invoices'] })).data, { labels: ['inbox'] })
  t.match(await refused('label', { message_id: id, add_labels: ['No Label'] }), /^invalid_request: [^]*add_labels.0/)
  t.match(await refused('label', { message_id: id }), /add_labels: It is empty/)
  for (const args of [{}, { message_id: id, thread_id, add_labels: ['a'] }])
    t.match(await refused('label', args), /Give exactly one of message_id, thread_id/)
  t.match(await refused('mark_read'), /Give exactly one of message_ids, thread_id/)
})

t.test('a draft is made once for a key, changed, checked, and sent', async (t) => {
  const { world, call, refused } = await inbox(t)
  const mail = await world.deliver({ from: 'Ada <ada@example.org>', subject: 'Plan' })
  const args = {
    in_reply_to: mail.id,
    text: 'Ten it is.',
    idempotency_key: 'k',
    attachments: [{ filename: 'a.txt', text: 'x' }],
  }
  const made = await call('save_draft', args)
  t.match(made.data, { in_reply_to: mail.id, untrusted: { to: ['Ada <ada@example.org>'], subject: 'Re: Plan' } })
  const { draft_id } = made.data
  t.equal((await call('save_draft', args)).data.draft_id, draft_id)
  t.match(await refused('save_draft', { ...args, text: 'Other.' }), /^idempotency_mismatch: [^]*idempotency_key/)
  const file = String(made.data.untrusted.attachments[0]).split(' ')[0]
  const files = [{ attachment_id: file }, { filename: 'b.bin', base64: 'AAEC', content_type: 'application/pdf' }]
  const changed = await call('save_draft', { draft_id, text: 'Eleven it is.', attachments: files })
  t.equal(changed.data.untrusted.attachments.length, 2)
  t.match((await call('list_drafts')).data.drafts, [{ draft_id, untrusted: { text: 'Eleven it is.' } }])
  t.match((await call('list_drafts', { draft_id })).text, 'Eleven it is.')
  t.match(await refused('save_draft', { draft_id }), /draft_id: Give something to change/)
  t.match(
    await refused('save_draft', { draft_id, in_reply_to: mail.id }),
    /in_reply_to: The answered message cannot change/,
  )
  t.match(await refused('save_draft', { reply_all: true }), /reply_all: It needs in_reply_to/)

  t.match((await call('check_before_sending', { draft_id })).data, { decision: 'send', reasons: ['no_findings'] })
  t.equal((await call('list_drafts')).data.drafts.length, 1, 'nothing was sent')
  const sent = await call('send_draft', { draft_id, idempotency_key: 's' })
  t.equal(sent.data.thread_id, mail.thread_id)
  t.equal((await call('send_draft', { draft_id, idempotency_key: 's' })).data.message_id, sent.data.message_id)
  t.match(await refused('send_draft', { draft_id }), /^not_found: [^]*Next: Take the id from list_drafts/)
  t.match((await call('list_drafts')).text, /^No drafts/)
  const message = await world.mailboxes.reading.message(world.id, sent.data.message_id)
  t.match(message.attachments, [{ filename: 'a.txt' }, { filename: 'b.bin', content_type: 'application/pdf' }])
  const { data } = await call('save_draft', { text: 'To nobody.' })
  t.match(await refused('send_draft', { draft_id: data.draft_id }), /to: [^]*Next: Add what is missing with save_draft/)
})

t.test('what is sent twice under one key is sent once, by every tool that sends', async (t) => {
  const { world, call } = await inbox(t)
  const { id } = await world.deliver({ headers: ['Cc: bob@example.org'] })
  const sends: [string, object][] = [
    ['send_email', { to: 'ada@example.org', subject: 's', text: 't', attachments: [{ filename: 'a.txt', text: 'x' }] }],
    ['reply', { message_id: id, text: 't' }],
    ['reply', { message_id: id, text: 't', reply_all: true }],
    ['forward', { message_id: id, to: ['carol@example.org'] }],
  ]
  for (const [name, args] of sends) {
    const key = `${name} ${'reply_all' in args}`
    const first = await call(name, { ...args, idempotency_key: key })
    const second = await call(name, { ...args, idempotency_key: key })
    t.equal(second.data.message_id, first.data.message_id, name)
    t.not((await call(name, args)).data.message_id, first.data.message_id, `${name} without a key sends again`)
  }
  const all = await call('reply', { message_id: id, text: 't', reply_all: true })
  const { to, cc } = await world.mailboxes.reading.message(world.id, all.data.message_id)
  t.strictSame([...to, ...cc].map(({ address }) => address).sort(), ['ada@example.org', 'bob@example.org'])
})

t.test('an answer takes a time, an address of its own and files; what is deleted comes back', async (t) => {
  const { world, call } = await inbox(t)
  const { id, thread_id } = await world.deliver({ from: 'Ada <ada@example.org>', subject: 'Plan' })
  const at = new Date(world.clock.now() + 3_600_000).toISOString()
  const { address } = present(await world.mailboxes.directory.get(world.id))
  const from = address.replace('@', '+orders@')
  const attachments = [{ filename: 'a.txt', text: 'x' }]
  const { data } = await call('reply', { message_id: id, text: 'Ten.', send_at: at, from, attachments })
  t.equal(data.status, 'scheduled')
  t.match(await world.mailboxes.reading.message(world.id, data.message_id), {
    from: { address: from },
    send_at: at,
    attachments: [{ filename: 'a.txt' }],
  })
  const dry = await call('trash', { action: 'delete', message_id: id, dry_run: true })
  t.match(dry.text, /^1 message would go to the trash\. Nothing was changed\./)
  t.match((await call('list_trash')).text, 'The trash is empty.')
  await call('trash', { action: 'delete', message_id: id })
  t.match((await call('list_trash')).data.messages, [{ message_id: id, untrusted: { subject: 'Plan' } }])
  t.match((await call('trash', { action: 'restore', thread_id })).data, { changed: 2 })
  t.match((await call('list_trash')).data.messages, [])
})

t.test('scheduled mail waits, says so, and can be stopped', async (t) => {
  const { world, call, refused } = await inbox(t)
  const at = new Date(world.clock.now() + 3_600_000).toISOString()
  const sent = await call('send_email', { to: ['ada@example.org'], subject: 's', text: 't', send_at: at })
  const { message_id } = sent.data
  t.equal(sent.data.status, 'scheduled')
  t.match((await call('get_message_status', { message_id })).data, { status: 'scheduled', send_at: at })
  t.strictSame((await call('cancel_send', { message_id })).data, { message_id, status: 'cancelled' })
  t.match((await call('get_message_status', { message_id })).text, /is cancelled/)
  const { id } = await world.deliver()
  t.match(await refused('cancel_send', { message_id: id }), /^too_late: [^]*Next: get_message_status/)
  const wrong = { to: ['ada@example.org'], subject: 's', text: 't', send_at: 'tomorrow' }
  t.match(await refused('send_email', wrong), /send_at: It must be a time such as/)
})

t.test('what became of a mail: who has it, who will not, and what to do', async (t) => {
  const { world, call, refused } = await inbox(t)
  const { data } = await call('send_email', { to: ['ada@example.org', 'bob@example.org'], subject: 's', text: 't' })
  const { message_id } = data
  const next = world.clock.now() + 60_000
  await world.mailboxes.outbound.recordAttempt(world.id, message_id, [
    { address: 'ada@example.org', status: 'bounced', smtpCode: 550, detail: '5.1.1 No such user', nextAttemptAt: null },
    {
      address: 'bob@example.org',
      status: 'deferred',
      smtpCode: 451,
      detail: '4.7.1 Come back later',
      nextAttemptAt: next,
    },
  ])
  const status = await call('get_message_status', { message_id })
  t.match(status.data, {
    status: 'sending',
    recipients: [
      {
        status: 'bounced',
        meaning: /no such mailbox/,
        untrusted: { address: 'ada@example.org', answer: /^550 5\.1\.1/ },
      },
      { status: 'deferred', meaning: /try later/, next_attempt_at: /Z$/ },
    ],
  })
  t.match(status.text, /Next: Wait: the service retries it/)
  const { id } = await world.deliver()
  t.match(await refused('get_message_status', { message_id: id }), /^invalid_request: [^]*received/)
  world.guard.verdict = {
    category: 'phishing',
    scores: {},
    decision: 'hold',
    reasons: [
      { code: 'lure', detail: 'It lures.', class: 'credentials' },
      { code: 'words', detail: 'It reads so.' },
    ],
  }
  const held = await call('send_email', { to: ['eve@example.org'], subject: 's', text: 't' })
  t.match((await call('get_message_status', { message_id: held.data.message_id })).data, {
    status: 'held',
    reasons: ['lure', 'words'],
    next_step: /Do not send it again/,
    untrusted: { details: ['It lures.', 'It reads so.'] },
  })
  const shown = await call('get_message_status', { message_id: held.data.message_id })
  t.match(shown.text, 'lure (credentials): It lures.')
  t.match(shown.text, 'words: It reads so.')
  const check = await call('check_before_sending', { to: ['new@example.org'], subject: 's', text: 't' })
  t.match(check.data, {
    decision: 'hold',
    untrusted: {
      new_recipients: ['new@example.org'],
      details: ['lure (credentials): It lures.', 'words: It reads so.'],
    },
  })
  for (const args of [{}, { to: ['a@b.example'], in_reply_to: id }])
    t.match(await refused('check_before_sending', args), /Give exactly one of draft_id, in_reply_to, to/)
})

t.test('waiting gives the mail itself, and the next call goes on behind it', async (t) => {
  const { world, call } = await inbox(t)
  const waiting = call('wait_for_mail', { timeout_seconds: 60 })
  // The wait begins where the mailbox stands when it is asked.
  await new Promise((resolve) => setImmediate(resolve))
  await world.deliver({ subject: 'First', text: 'The first words.' })
  const arrived = await waiting
  t.match(arrived.text, 'The first words.')
  await world.deliver({ subject: 'Second', text: 'The second words.' })
  const next = await call('wait_for_mail', { after_seq: arrived.data.next_after_seq })
  t.match(next.data, { timed_out: false, messages: [{ untrusted: { subject: 'Second' } }] })
})

t.test('a mail that is made to be long in every way stays short in an answer', async (t) => {
  const { world, call } = await inbox(t)
  const people = Array.from({ length: 500 }, (_each, i) => `"${'N'.repeat(200)}" <${'a'.repeat(60)}${i}@example.org>`)
  const files = Array.from({ length: 300 }, (_each, i) =>
    [
      '--b',
      'Content-Type: text/plain',
      `Content-Disposition: attachment; filename="${'f'.repeat(200)}${i}.txt"`,
      '',
      'x',
    ].join('\r\n'),
  )
  const links = Array.from({ length: 300 }, (_each, i) => `<a href="https://example.org/${'l'.repeat(900)}${i}">x</a>`)
  const raw = [
    'From: Ada <ada@example.org>',
    `To: ${people.join(',\r\n ')}`,
    `Subject: ${'s'.repeat(900)}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ['--b', 'Content-Type: text/html', '', links.join('\r\n'), ...files, '--b--', ''].join('\r\n'),
  ].join('\r\n')
  const { id, thread_id } = await world.deliver({ raw: Buffer.from(raw) })
  const short = await call('read_conversation', { thread_id })
  t.ok(JSON.stringify(short.answer).length < 40_000, 'among others')
  t.match(short.text, 'And 280 attachments more.')
  t.equal(short.data.messages[0].untrusted.to.at(-1), 'and 490 more')
  const alone = await call('read_message', { message_id: id })
  t.ok(JSON.stringify(alone.answer).length < 200_000, 'alone')
  t.equal(alone.data.attachments.length, 100)
  t.ok(JSON.stringify((await call('check_inbox')).answer).length < 4_000)
})
