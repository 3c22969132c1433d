/** Mail between two mailboxes of one server: the same way as to the world, without the network. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'

t.test('cc, bcc, html and attachments arrive; the answer joins the conversation; bcc stays secret', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const ben = await approvedAgent(daemon, 'ben.agent', 'ben@example.org')
  const cleo = await approvedAgent(daemon, 'cleo.agent', 'cleo@example.org')
  const dora = await approvedAgent(daemon, 'dora.agent', 'dora@example.org')

  const pdf = Buffer.from('%PDF-1.4 not really')
  const body = {
    to: `Ben <${ben.address}>`,
    cc: [cleo.address],
    bcc: [{ address: dora.address, name: 'Dora' }],
    subject: 'Plan für morgen',
    text: 'The plan.',
    html: '<p>The <b>plan</b>.</p>',
    attachments: [{ filename: 'plan.pdf', content_type: 'application/pdf', content: pdf.toString('base64') }],
  }
  const headers = { 'idempotency-key': 'plan-1' }
  const sent = await ada.call('POST', '/v1/send', body, headers)
  t.equal(sent.status, 202)
  t.same((await ada.call('POST', '/v1/send', body, headers)).body, sent.body, 'the same key sends once')
  const other = await ada.call('POST', '/v1/send', { ...body, text: 'Another.' }, headers)
  t.equal(other.status, 409)
  t.equal(other.body.error.code, 'idempotency_mismatch')

  const received = []
  for (const reader of [ben, cleo, dora]) {
    const event = await waitForEvent(reader, (e) => e.type === 'message.received')
    received.push((await reader.call('GET', `/v1/messages/${event.data.message_id}`)).body)
  }
  await waitForEvent(ada, (e) => e.data.message_id === sent.body.id && e.data.status === 'delivered')
  for (const message of received) {
    t.match(message, { subject: 'Plan für morgen', text: /The plan\./, bcc: [] })
    t.notMatch(JSON.stringify(message.headers), /dora/)
    t.match(message.attachments, [{ filename: 'plan.pdf', content_type: 'application/pdf', size_bytes: pdf.length }])
  }
  const [first] = received
  const file = await fetch(`${daemon.url}/v1/messages/${first.id}/attachments/${first.attachments[0].id}`, {
    headers: { authorization: `Bearer ${ben.key}` },
  })
  t.same(Buffer.from(await file.arrayBuffer()), pdf)
  t.match(file.headers.get('content-disposition'), /^attachment/)
  const raw = await ben.call('GET', `/v1/messages/${first.id}/raw`)
  t.match(raw.body, /^Subject: /m)
  t.notMatch(raw.body, /^bcc:/im)

  const answer = await ben.call('POST', `/v1/messages/${first.id}/reply-all`, { text: 'Fine by me.' })
  t.equal(answer.status, 202)
  const event = await waitForEvent(ada, (e) => e.type === 'message.received')
  t.equal(event.data.thread_id, sent.body.thread_id, 'the answer is in the same conversation')
  await waitForEvent(cleo, (e) => e.type === 'message.received' && e.data.from.address === ben.address)

  const forwarded = await cleo.call('POST', `/v1/messages/${received[1].id}/forward`, { to: dora.address, text: 'FYI' })
  t.equal(forwarded.status, 202)
  const arrived = await waitForEvent(dora, (e) => e.type === 'message.received' && e.data.from.address === cleo.address)
  const copy = (await dora.call('GET', `/v1/messages/${arrived.data.message_id}`)).body
  t.match(copy.subject, /^Fwd: /)
  t.equal(copy.attachments[0].filename, 'plan.pdf')
})

t.test('labels, unread, search and paging', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const ben = await approvedAgent(daemon, 'ben.agent')
  for (let i = 0; i < 7; i++) {
    const sent = await ben.call('POST', '/v1/send', {
      to: ada.address,
      subject: `Report ${i}`,
      text: `zebra number${i}`,
    })
    await waitForEvent(ben, (e) => e.data.message_id === sent.body.id && e.data.status === 'delivered')
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const page = (await ada.call('GET', `/v1/threads?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).body
    seen.push(...page.data.map((thread: { subject: string }) => thread.subject))
    cursor = page.next_cursor ?? ''
    t.equal(page.has_more, cursor !== '')
  } while (cursor)
  t.same(
    seen,
    [6, 5, 4, 3, 2, 1, 0].map((i) => `Report ${i}`),
  )

  const found = (await ada.call('GET', '/v1/threads?q=zebra%20number4')).body.data
  t.same(
    found.map((thread: { subject: string }) => thread.subject),
    ['Report 4'],
  )
  const id = found[0].last_message_id
  const changed = await ada.call('PATCH', `/v1/messages/${id}`, { add_labels: ['todo'], unread: false })
  t.equal(changed.status, 200)
  t.ok(changed.body.labels.includes('todo'))
  t.equal((await ada.call('GET', '/v1/threads?unread=1')).body.data.length, 6)
  t.equal((await ada.call('GET', '/v1/threads?label=todo')).body.data.length, 1)
  t.equal((await ben.call('GET', `/v1/messages/${id}`)).status, 404, "another mailbox's id does not exist")
  const usage = (await ada.call('GET', '/v1/account/usage')).body
  t.match(usage, { messages: { received: 7 }, new_recipients: { limit: 25 } })
})
