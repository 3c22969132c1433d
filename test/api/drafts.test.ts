import t from 'tap'
import { startApi } from './support/api-server.js'
import { DRAFT, MAILBOX, MESSAGE } from './support/fakes.js'

t.test('a draft is made, changed, read, listed, sent and deleted', async (t) => {
  const api = await startApi(t)
  const headers = { 'Idempotency-Key': 'once' }
  const content = Buffer.from('file').toString('base64')
  const made = await api.call('POST', '/v1/drafts', {
    headers,
    json: { to: 'Ada <ada@example.com>', in_reply_to: MESSAGE, attachments: [{ filename: 'a.txt', content }] },
  })
  t.match([made.status, made.json], [201, { id: DRAFT, object: 'draft' }])
  t.match(api.fakes.calls.at(-1), {
    name: 'createDraft',
    args: [
      MAILBOX,
      { to: [{ address: 'ada@example.com', name: 'Ada' }], inReplyTo: MESSAGE, attachments: [{ filename: 'a.txt' }] },
      { idempotencyKey: 'once' },
    ],
  })
  const changed = await api.call('PATCH', `/v1/drafts/${DRAFT}`, {
    json: { html: null, attachments: [{ id: 'att_1' }, { filename: 'b.txt', content }] },
  })
  t.match([changed.status, changed.json], [200, { id: DRAFT }])
  t.match(api.fakes.calls.at(-1)?.args[2], { html: null, attachments: [{ id: 'att_1' }, { filename: 'b.txt' }] })
  t.match((await api.call('GET', `/v1/drafts/${DRAFT}`)).json, { id: DRAFT, text: 'Good morning' })
  const listed = await api.call('GET', '/v1/drafts?limit=5')
  t.match(listed.json, { data: [{ id: DRAFT }], has_more: false })
  const sent = await api.call('POST', `/v1/drafts/${DRAFT}/send`, { headers })
  t.match([sent.status, sent.json], [202, { id: MESSAGE }], 'without a body')
  t.match(api.fakes.calls.at(-1)?.args, [MAILBOX, DRAFT, { idempotencyKey: 'once' }])
  t.match((await api.call('POST', `/v1/drafts/${DRAFT}/send?dry_run=1`)).json, { dry_run: true })
  t.match((await api.call('DELETE', `/v1/drafts/${DRAFT}`)).json, { id: DRAFT })
  t.equal((await api.call('GET', '/v1/drafts/drf_2')).status, 404)
})

t.test('what cannot be a draft is named', async (t) => {
  const api = await startApi(t)
  for (const [json, field] of [
    [{ reply_all: true }, 'reply_all'],
    [{ sender: 'x' }, 'sender'],
    [{ to: 'nobody' }, 'to'],
    [{ to: Array.from({ length: 6 }, (_, i) => `a${i}@example.com`) }, 'to'],
    [{ attachments: [{ id: 'att_1' }] }, 'attachments'],
    [{ subject: 'a\nb' }, 'subject'],
  ] as const) {
    const answer = await api.call('POST', '/v1/drafts', { json })
    t.equal(answer.status, 400, field)
    t.match(JSON.stringify(answer.json), new RegExp(`"field":"${field}`))
  }
  t.equal((await api.call('PATCH', `/v1/drafts/${DRAFT}`, { json: {} })).status, 400)
  t.equal(api.fakes.calls.length, 0)
})

t.test('who may write may draft, and who may send may send', async (t) => {
  const api = await startApi(t)
  const json = { text: 'x' }
  t.equal((await api.call('POST', '/v1/drafts', { key: 'only-mail.write', json })).status, 201)
  t.equal((await api.call('POST', `/v1/drafts/${DRAFT}/send`, { key: 'only-mail.write' })).status, 403)
  t.equal((await api.call('POST', `/v1/drafts/${DRAFT}/send`, { key: 'only-mail.send' })).status, 202)
  t.equal((await api.call('GET', '/v1/drafts', { key: 'only-mail.send' })).status, 403)
  t.equal((await api.call('POST', '/v1/drafts', { key: 'pending', json })).status, 403)
})

t.test('a time to send at is taken as RFC 3339 with any offset, and a message is cancelled', async (t) => {
  const api = await startApi(t)
  const json = { to: 'ada@example.com', subject: 'Hi', text: 'Hi', send_at: '2026-01-02T10:00:00+01:00' }
  t.equal((await api.call('POST', '/v1/send', { json })).status, 202)
  t.match(api.fakes.calls.at(-1)?.args[1], { sendAt: Date.UTC(2026, 0, 2, 9) })
  await api.call('POST', `/v1/messages/${MESSAGE}/reply`, { json: { text: 'Hi', send_at: '2026-01-02T09:00:00Z' } })
  t.match(api.fakes.calls.at(-1)?.args[2], { sendAt: Date.UTC(2026, 0, 2, 9) })
  await api.call('POST', '/v1/drafts', { json: { send_at: null } })
  t.match(api.fakes.calls.at(-1)?.args[1], { sendAt: null })
  for (const send_at of ['tomorrow', '2026-01-02', 1_767_344_400, '2026-13-01T00:00:00Z'])
    t.equal((await api.call('POST', '/v1/send', { json: { ...json, send_at } })).status, 400, String(send_at))
  const cancelled = await api.call('POST', `/v1/messages/${MESSAGE}/cancel`)
  t.match([cancelled.status, cancelled.json], [200, { id: MESSAGE }])
  t.equal((await api.call('POST', `/v1/messages/msg_1/cancel`)).status, 404)
  t.equal((await api.call('POST', `/v1/messages/${MESSAGE}/cancel`, { key: 'only-mail.read' })).status, 403)
})

t.test('what is asked of TLS is said once', async (t) => {
  const api = await startApi(t)
  const json = { to: 'ada@example.com', subject: 'Hi', text: 'Hi' }
  for (const [given, handed] of [
    [{ tls: 'optional' }, { anyTls: true }],
    [{ tls: 'required' }, { requireTls: true }],
    [{ require_tls: true }, { requireTls: true }],
  ] as const) {
    t.equal((await api.call('POST', '/v1/send', { json: { ...json, ...given } })).status, 202)
    t.match(api.fakes.calls.at(-1)?.args[1], handed)
  }
  const both = await api.call('POST', '/v1/send', { json: { ...json, tls: 'optional', require_tls: true } })
  t.match([both.status, both.json], [400, { error: { fields: [{ field: 'tls' }] } }])
  await api.call('POST', `/v1/messages/${MESSAGE}/forward`, { json: { to: json.to, require_tls: false } })
  t.match(api.fakes.calls.at(-1)?.args[2], { requireTls: false })
})
