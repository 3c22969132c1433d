import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { HOUR } from '../../../src/lib/clock.js'
import { simulatedBy } from '../../../src/mailbox/decisions/simulator.js'
import { tlsNeeds } from '../../../src/relay/routing/tls-needs.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import {
  accepted,
  dryRun,
  eventsOf,
  letter,
  LIMITS,
  onEveryEngine,
  PARSE_LIMITS,
  present,
  SEND,
  tasksOf,
  type World,
} from '../world.js'

const to = (...addresses: string[]) => addresses.map((address) => ({ address, name: '' }))
const addressesOf = (addresses: Message['to']): string[] => addresses.map(({ address }) => address)
const answer = { text: 'An answer.', html: null, attachments: [], all: false }
const OWN = 'agent@agents.example'
const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('file content') }

const headersOf = async ({ mailboxes, id }: World, messageId: string) =>
  (await parseMessage(await mailboxes.reading.raw(id, messageId), PARSE_LIMITS)).headers

onEveryEngine('an accepted message is stored, checked, told of and waits to be delivered', async (t, world) => {
  const { mailboxes, id } = world
  const {
    id: messageId,
    thread_id,
    status,
  } = await world.send({
    cc: to('bob@example.org', 'ADA@example.org'),
    bcc: to('carol@example.org'),
    subject: 'Grüße',
    html: '<p>Good <b>morning</b>.</p>',
    attachments: [file],
    labels: ['work'],
  })
  t.equal(status, 'queued')
  const message = await mailboxes.reading.message(id, messageId)
  t.match(message, {
    thread_id,
    direction: 'outbound',
    status: 'queued',
    from: { address: 'agent@agents.example', name: 'Agent' },
    subject: 'Grüße',
    text: 'Good morning.',
    labels: ['sent', 'work'],
    unread: false,
    untrusted: false,
    check: { decision: 'send', reviewed_by: null },
    sent_at: null,
    message_id: `${messageId.slice(4).toLowerCase()}@agents.example`,
  })
  t.same(
    message.recipients.map(({ address, status }) => [address, status]),
    [
      ['ada@example.org', 'queued'],
      ['bob@example.org', 'queued'],
      ['carol@example.org', 'queued'],
    ],
  )
  t.same(message.bcc, [{ address: 'carol@example.org', name: null }])
  t.notOk((await mailboxes.reading.raw(id, messageId)).includes('carol'), 'nobody else learns of Bcc')
  const content = await mailboxes.reading.attachment(id, messageId, message.attachments[0]?.id ?? '')
  t.match(content, { filename: 'a.txt', contentType: 'text/plain', content: file.content })
  t.match(await eventsOf(world), [
    { type: 'message.status', data: { message_id: messageId, thread_id, status: 'checking', check: null } },
    {
      type: 'message.status',
      data: { message_id: messageId, thread_id, status: 'queued', check: { decision: 'send' } },
    },
  ])
  t.same(await tasksOf(world, 'relay'), [`${messageId}:example.org`])
  t.match(await world.record(), { sentCount: 1, messageCount: 1, today: { sent: 1 } })
})

onEveryEngine('what cannot be sent is refused, with a reason, and stores nothing', async (t, world) => {
  const { mailboxes, id } = world
  const many = Array.from({ length: 6 }, (_, i) => `r${i}@example.org`)
  const cases = [
    { to: [] },
    { to: to(...many) },
    { to: to('agent@agents.example') },
    { to: to('Agent+tag@agents.example', 'ada@example.org') },
    { labels: ['No'] },
    { labels: ['sent'] },
    { labels: Array.from({ length: 50 }, (_, i) => `l${i}`) },
  ]
  for (const request of cases) {
    await t.rejects(
      mailboxes.sending.send(id, letter(request), {}),
      { code: 'invalid_request' },
      JSON.stringify(request),
    )
  }
  const large = { ...file, content: Buffer.alloc(LIMITS.messageBytes) }
  await t.rejects(world.send({ attachments: [large] }), { code: 'payload_too_large' })
  await t.rejects(world.send({ text: 'x'.repeat(LIMITS.messageBytes) }), { code: 'payload_too_large' })
  await t.rejects(mailboxes.sending.send('mbx_unknown', letter(), {}), { code: 'not_found' })
  const pending = await world.addMailbox('pending-agent', 'pending')
  await t.rejects(mailboxes.sending.send(pending, letter(), {}), { code: 'claim_pending' })
  world.account.status = 'suspended'
  await t.rejects(world.send(), { code: 'account_suspended' })
  world.account.status = 'deletion_pending'
  await t.rejects(world.send(), { code: 'account_deletion_pending' })
  t.match(await world.record(), { messageCount: 0, seq: 0 })
  t.same(await tasksOf(world, 'relay'), [])
})

onEveryEngine('the guard is told what is in an archive, whether it is sent or tried out', async (t, world) => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('a program'), 'invoice.exe')
  zip.end()
  const content = await buffer(zip.outputStream)
  const attachments = [file, { ...file, filename: 'invoice.zip', contentType: 'application/zip', content }]
  await world.send({ attachments })
  await world.mailboxes.sending.send(world.id, letter({ attachments }), { dryRun: true })
  for (const asked of world.guard.asked.slice(-2)) {
    t.match(asked.attachments, [
      { filename: file.filename, archive: undefined },
      { filename: 'invoice.zip', archive: { encrypted: false, names: ['invoice.exe'] } },
    ])
  }
})

onEveryEngine('sent mail counts against the quota', async (t, world) => {
  const attachments = [{ ...file, content: Buffer.alloc(300_000) }]
  await world.send({ attachments })
  await world.send({ attachments })
  await t.rejects(world.send({ attachments }), { code: 'quota_exceeded' })
})

onEveryEngine('a retry with the same key gives the first answer, and sends nothing twice', async (t, world) => {
  const first = await world.send({ attachments: [file] }, 'key')
  t.same(await world.send({ attachments: [{ ...file, content: Buffer.from('file content') }] }, 'key'), first)
  await t.rejects(world.send({ attachments: [{ ...file, content: Buffer.from('file Content') }] }, 'key'), {
    code: 'idempotency_mismatch',
  })
  await t.rejects(world.mailboxes.sending.reply(world.id, first.id, answer, { idempotencyKey: 'key' }), {
    code: 'idempotency_mismatch',
  })
  t.not((await world.send({ attachments: [file] }, 'other key')).id, first.id)
  t.equal((await world.record()).sentCount, 2)
  world.clock.advance(24 * HOUR)
  t.not((await world.send({ attachments: [file] }, 'key')).id, first.id)
})

onEveryEngine('retries that run at once are one message with one answer', async (t, world) => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => world.send({}, 'key')))
  t.equal(new Set(answers.map((one) => JSON.stringify(one))).size, 1)
  t.match(await world.record(), { sentCount: 1, messageCount: 1, seq: 2 })
  t.equal((await tasksOf(world, 'relay')).length, 1)
  const mixed = await Promise.allSettled([world.send({ text: 'a' }, 'k2'), world.send({ text: 'b' }, 'k2')])
  t.same(mixed.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.equal((await world.record()).sentCount, 2)
})

onEveryEngine('an answer goes to Reply-To or From, and carries on the conversation', async (t, world) => {
  const { mailboxes, id } = world
  const plain = await world.deliver({
    subject: 'Question',
    headers: ['Message-ID: <q@x.example>', 'References: <p@x.example>', 'Cc: bob@example.org, agent+x@agents.example'],
  })
  const reply = accepted(await mailboxes.sending.reply(id, plain.id, answer, {}))
  t.equal(reply.thread_id, plain.thread_id)
  const message = await mailboxes.reading.message(id, reply.id)
  t.match(message, { subject: 'Re: Question', in_reply_to: 'q@x.example', text: 'An answer.' })
  t.same(message.references, ['p@x.example', 'q@x.example'])
  t.same([addressesOf(message.to), addressesOf(message.cc)], [['ada@example.org'], []])
  t.equal((await headersOf(world, reply.id))['in-reply-to'], '<q@x.example>')

  const all = accepted(await mailboxes.sending.reply(id, plain.id, { ...answer, all: true }, {}))
  const toAll = await mailboxes.reading.message(id, all.id)
  t.same([addressesOf(toAll.to), addressesOf(toAll.cc)], [['ada@example.org'], ['bob@example.org']], 'without oneself')

  const list = await world.deliver({
    headers: ['Reply-To: list@example.org', 'Message-ID: <l@x.example>', 'In-Reply-To: <k@x.example>'],
  })
  const toList = await mailboxes.reading.message(
    id,
    accepted(await mailboxes.sending.reply(id, list.id, answer, {})).id,
  )
  t.same(addressesOf(toList.to), ['list@example.org'])
  t.same(toList.references, ['k@x.example', 'l@x.example'], 'In-Reply-To stands in for References (RFC 5322 §3.6.4)')
})

onEveryEngine('an answer to one’s own message goes to whom that went', async (t, world) => {
  const { mailboxes, id } = world
  const sent = await world.send({
    to: to('ada@example.org', 'bob@example.org'),
    cc: to('carol@example.org'),
    bcc: to('dan@example.org'),
  })
  const again = await mailboxes.reading.message(
    id,
    accepted(await mailboxes.sending.reply(id, sent.id, { ...answer, all: true }, {})).id,
  )
  t.same(
    [addressesOf(again.to), addressesOf(again.cc)],
    [['ada@example.org', 'bob@example.org'], ['carol@example.org']],
  )
  t.equal(again.thread_id, sent.thread_id)
})

onEveryEngine('a message without anybody to answer is refused', async (t, world) => {
  for (const headers of [['Reply-To: agent@agents.example'], ['Reply-To: broken@']]) {
    const message = await world.deliver({ from: 'agent@agents.example', headers })
    await t.rejects(world.mailboxes.sending.reply(world.id, message.id, answer, {}), { code: 'invalid_request' })
  }
})

onEveryEngine('a Reply-To that cannot be mailed is as good as none', async (t, world) => {
  const message = await world.deliver({ headers: ['Reply-To: reply here'] })
  const reply = accepted(await world.mailboxes.sending.reply(world.id, message.id, answer, {}))
  t.same(addressesOf((await world.mailboxes.reading.message(world.id, reply.id)).to), ['ada@example.org'])
})

onEveryEngine('nobody answers the null sender', async (t, world) => {
  const notice = await world.deliver({ envelopeFrom: '' })
  const refused = world.mailboxes.sending.reply(world.id, notice.id, answer, {})
  await t.rejects(refused, { code: 'invalid_request', hint: /POST \/v1\/send/ })
})

onEveryEngine('long References keep their first and their newest', async (t, world) => {
  const ids = Array.from({ length: 40 }, (_, i) => `<r${i}@x.example>`)
  const message = await world.deliver({ headers: ['Message-ID: <last@x.example>', `References: ${ids.join('\r\n ')}`] })
  const reply = accepted(await world.mailboxes.sending.reply(world.id, message.id, answer, {}))
  const { references } = await world.mailboxes.reading.message(world.id, reply.id)
  t.same(
    [references.length, references[0], references[1], references.at(-1)],
    [20, 'r0@x.example', 'r22@x.example', 'last@x.example'],
  )
})

onEveryEngine('a forward carries the original’s words and files, in a conversation of its own', async (t, world) => {
  const { mailboxes, id } = world
  const boundary = 'b1'
  const raw = Buffer.from(
    [
      'From: Ada <ada@example.org>',
      'To: agent@agents.example',
      'Subject: Plans',
      'Message-ID: <plans@x.example>',
      `Content-Type: multipart/mixed; boundary=${boundary}`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain',
      '',
      'See the file.',
      `--${boundary}`,
      'Content-Type: application/pdf; name=plan.pdf',
      'Content-Disposition: attachment; filename=plan.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-1.7 plan').toString('base64'),
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  )
  const original = await world.deliver({ raw })
  const request = { to: to('carol@example.org'), cc: [], bcc: [], text: 'For you.', includeAttachments: true }
  const forward = await mailboxes.reading.message(
    id,
    accepted(await mailboxes.sending.forward(id, original.id, request, {})).id,
  )
  t.equal(forward.subject, 'Fwd: Plans')
  t.match(
    forward.text,
    /^For you\.\n\n-+ Forwarded message -+\nFrom: Ada <ada@example\.org>\nDate: .*\nSubject: Plans\nTo: .*\n\nSee the file\./,
  )
  t.not(forward.thread_id, original.thread_id)
  const attachment = present(forward.attachments[0])
  t.match(attachment, { filename: 'plan.pdf', content_type: 'application/pdf' })
  t.same((await mailboxes.reading.attachment(id, forward.id, attachment.id)).content, Buffer.from('%PDF-1.7 plan'))
  const bare = accepted(await mailboxes.sending.forward(id, original.id, { ...request, includeAttachments: false }, {}))
  t.same((await mailboxes.reading.message(id, bare.id)).attachments, [])
})

/** A mail of many small parts, as anybody can send one. */
function manyFiles(count: number): Buffer {
  const part = (i: number): string[] => [
    '--b1',
    `Content-Type: application/octet-stream; name=${i}.bin`,
    'Content-Disposition: attachment',
    '',
    `file ${i}`,
  ]
  const parts = Array.from({ length: count }, (_, i) => part(i)).flat()
  const head = ['From: ada@example.org', 'To: agent@agents.example', 'Subject: Files', 'Message-ID: <many@x.example>']
  return Buffer.from([...head, 'Content-Type: multipart/mixed; boundary=b1', '', ...parts, '--b1--', ''].join('\r\n'))
}

onEveryEngine('a forward reads the structure of its original once, however many files that has', async (t, world) => {
  const { mailboxes, id } = world
  const original = await world.deliver({ raw: manyFiles(40) })
  world.structures.read = 0
  const request = { to: to('bob@example.org'), cc: [], bcc: [], text: '', includeAttachments: true }
  const forward = await mailboxes.reading.message(
    id,
    accepted(await mailboxes.sending.forward(id, original.id, request, {})).id,
  )
  // The original, and what was composed of it.
  t.equal(world.structures.read, 2)
  t.same(
    forward.attachments.map(({ filename }) => filename),
    original.attachments.map(({ filename }) => filename),
  )
  const last = present(forward.attachments.at(-1))
  t.same((await mailboxes.reading.attachment(id, forward.id, last.id)).content, Buffer.from('file 39'))
})

onEveryEngine('a forward takes along no more files than a message may have', async (t, world) => {
  const { mailboxes, id } = world
  const original = await world.deliver({ raw: manyFiles(990) })
  world.structures.read = 0
  const request = { to: to('bob@example.org'), cc: [], bcc: [], text: '', includeAttachments: true }
  const refused = {
    code: 'invalid_request',
    fields: [{ field: 'include_attachments', problem: 'It must be false for this message.' }],
  }
  await t.rejects(mailboxes.sending.forward(id, original.id, request, { dryRun: true }), refused)
  await t.rejects(mailboxes.sending.forward(id, original.id, request, {}), refused)
  t.equal(world.structures.read, 0, 'the raw message is not looked at')
  t.match(
    await mailboxes.sending.forward(id, original.id, { ...request, includeAttachments: false }, { dryRun: true }),
    {
      dry_run: true,
    },
  )
})

onEveryEngine('a dry run says what would happen and stores nothing', async (t, world) => {
  world.recipients.limit = 7
  await world.recipients.know('ada@example.org')
  world.guard.verdict = { ...SEND, decision: 'hold', reasons: [{ code: 'x', detail: 'y' }] }
  const before = await world.record()
  const answer = dryRun(
    await world.mailboxes.sending.send(world.id, letter({ cc: to('bob@example.org') }), {
      dryRun: true,
      idempotencyKey: 'key',
    }),
  )
  t.same(answer, {
    dry_run: true,
    require_tls: false,
    requires_approval: false,
    decision: 'hold',
    category: 'legitimate',
    scores: { legitimate: 1 },
    reasons: [{ code: 'x', detail: 'y' }],
    new_recipients: ['bob@example.org'],
    new_recipients_left: 7,
  })
  t.same(await world.record(), before)
  t.same(await tasksOf(world, 'relay'), [])
  t.match(world.guard.asked, [{ kind: 'outbound', recipientCount: 2, newRecipientCount: 1, trust: 0 }])
  await t.rejects(world.mailboxes.sending.send(world.id, letter({ to: [] }), { dryRun: true }), {
    code: 'invalid_request',
  })
})

onEveryEngine('a message that has to go over TLS says so, and its retry has to say it too', async (t, world) => {
  const { mailboxes, id } = world
  const key = 'key'
  const request = { to: to('bob@example.org'), requireTls: true as const }
  const first = await world.send(request, key)
  t.equal((await mailboxes.reading.message(id, first.id)).require_tls, true)
  t.equal((await world.send(request, key)).id, first.id)
  await t.rejects(world.send({ to: to('bob@example.org') }, key), { code: 'idempotency_mismatch' })
  const plain = await world.send({ to: to('bob@example.org') })
  t.equal((await mailboxes.reading.message(id, plain.id)).require_tls, false)
  const answered = accepted(await mailboxes.sending.reply(id, plain.id, { ...answer, requireTls: true }, {}))
  t.equal((await mailboxes.reading.message(id, answered.id)).require_tls, true)
  const forwarded = accepted(
    await mailboxes.sending.forward(
      id,
      plain.id,
      { to: to('carol@example.org'), cc: [], bcc: [], text: '', includeAttachments: true, requireTls: true },
      {},
    ),
  )
  t.equal((await mailboxes.reading.message(id, forwarded.id)).require_tls, true)
  t.match(await mailboxes.sending.reply(id, plain.id, { ...answer, requireTls: true }, { dryRun: true }), {
    require_tls: true,
  })
})

onEveryEngine('a forward asks for the TLS that its message asked for, unless the agent says no', async (t, world) => {
  const { mailboxes, id } = world
  const original = await world.deliver({ requireTls: true })
  t.equal((await mailboxes.reading.message(id, original.id)).require_tls, true, 'the agent sees that it was asked for')
  const request = { to: to('dan@example.org'), cc: [], bcc: [], text: '', includeAttachments: true }
  const forward = async (more: { requireTls?: boolean }) =>
    mailboxes.sending.forward(id, original.id, { ...request, ...more }, { dryRun: true })
  t.match(await forward({}), { require_tls: true })
  t.match(await forward({ requireTls: true }), { require_tls: true })
  t.match(await forward({ requireTls: false }), { require_tls: false })
  t.match(
    await mailboxes.sending.reply(id, original.id, answer, { dryRun: true }),
    { require_tls: false },
    'an answer holds the words of the agent alone, who may ask for it',
  )
  const key = { idempotencyKey: 'forward' }
  const sent = accepted(await mailboxes.sending.forward(id, original.id, request, key))
  t.equal((await mailboxes.reading.message(id, sent.id)).require_tls, true)
  t.equal(accepted(await mailboxes.sending.forward(id, original.id, request, key)).id, sent.id)
  await t.rejects(mailboxes.sending.forward(id, original.id, { ...request, requireTls: false }, key), {
    code: 'idempotency_mismatch',
  })
})

onEveryEngine(
  'mail that may go in the clear says so in its header, and a forward of what required TLS may too',
  async (t, w) => {
    const { mailboxes, id } = w
    const needsOf = async (messageId: string) =>
      tlsNeeds(await mailboxes.reading.message(id, messageId), await mailboxes.reading.raw(id, messageId))
    const plain = await w.send()
    t.same(await needsOf(plain.id), { requireTls: false, anyTls: false })
    const any = await w.send({ anyTls: true })
    t.same(await needsOf(any.id), { requireTls: false, anyTls: true })
    const strict = await w.send({ requireTls: true })
    const request = { to: to('bob@example.org'), cc: [], bcc: [], text: '', includeAttachments: false }
    const forwarded = accepted(await mailboxes.sending.forward(id, strict.id, { ...request, anyTls: true }, {}))
    t.same(await needsOf(forwarded.id), { requireTls: false, anyTls: true })
  },
)

onEveryEngine('a mailbox that writes to itself is told how to test its settings', async (t, w) => {
  const refused = await w.mailboxes.sending.send(w.id, letter({ to: to(OWN) }), {}).catch((error: unknown) => error)
  const advice = `To test sending, write to delivered@simulator.agents.example; to test receiving, write to ${OWN} from another mailbox.`
  t.match(refused, {
    code: 'invalid_request',
    message: 'A mailbox cannot send mail to itself.',
    hint: `Leave out ${OWN}. ${advice}`,
    fields: [{ field: 'to', problem: `${OWN} is this mailbox. ${advice}` }],
  })
  const [address = ''] = /delivered@[^;]+/.exec(advice) ?? []
  const sent = await w.mailboxes.sending.send(w.id, letter({ to: to(address) }), {})
  t.match(sent, { status: 'queued' }, 'that address takes it')
  t.equal(simulatedBy(address), 'delivered')
})
