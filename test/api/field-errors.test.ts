import t from 'tap'
import { z } from 'zod'
import { deliveryOf } from '../mailbox/world.js'
import { accountWorld } from './support/account-world.js'
import { startApi } from './support/api-server.js'

const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), fields: z.array(z.object({ field: z.string() })) }),
})

t.test('one answer lists everything that is wrong with a request', async (t) => {
  const api = await startApi(t)
  const file = { filename: 'a.txt', content: '' }
  const many = Array.from({ length: 6 }, (_, i) => `a${i}@example.org`)
  const words = { to: 'ada@example.org', subject: 's', text: 't' }
  const wrong: [path: string, body: unknown, fields: string[]][] = [
    ['/v1/send?colour=1', { to: 'nobody', bcc: 7, subject: 'a\nb' }, ['bcc', 'colour', 'subject', 'text', 'to']],
    ['/v1/send', {}, ['subject', 'text', 'to']],
    ['/v1/send', { ...words, text: 7, size: 1 }, ['size', 'text']],
    ['/v1/send', { to: 'nobody', subject: 's', attachments: [file] }, ['to']],
    ['/v1/send', null, ['body']],
    ['/v1/send', [], ['body']],
    [
      '/v1/send',
      { ...words, to: many, attachments: [file, file, file], tls: 'optional', require_tls: true },
      ['attachments', 'tls', 'to'],
    ],
    ['/v1/send', { ...words, to: [], tls: 'required', require_tls: true }, ['tls', 'to']],
    ['/v1/drafts', { to: many, attachments: [file, file, file] }, ['attachments', 'to']],
    ['/v1/keys?a=1', { name: 7, scopes: ['x'] }, ['a', 'name', 'scopes.0']],
  ]
  for (const [path, json, fields] of wrong) {
    const name = `${path} ${JSON.stringify(json)}`
    const answer = await api.call('POST', path, { json })
    t.equal(answer.status, 400, name)
    const { error } = refusal.parse(answer.json)
    t.equal(error.code, 'invalid_request', name)
    t.strictSame([...new Set(error.fields.map(({ field }) => field))].sort(), fields, name)
    for (const field of fields.slice(0, 5)) t.match(error.message, field.split('.')[0] ?? '', name)
  }
  const key = await api.call('POST', '/v1/send', { json: { ...words, to: 'x' }, headers: { 'Idempotency-Key': 'ü' } })
  t.strictSame(
    refusal.parse(key.json).error.fields.map(({ field }) => field),
    ['to', 'Idempotency-Key'],
  )
})

t.test('a nonce may be a number that JSON has exactly', async (t) => {
  const api = await startApi(t)
  const claim = (nonce: unknown) => api.call('POST', '/v1/claim', { json: { name: 'robot', challenge: 'c', nonce } })
  for (const nonce of ['12345', 12345, 0, Number.MAX_SAFE_INTEGER])
    t.equal((await claim(nonce)).status, 201, `${nonce}`)
  for (const nonce of [-1, 1.5, 2 ** 53, 1e300, null, true, {}]) {
    const answer = await claim(nonce)
    t.match(answer, { status: 400, json: { error: { fields: [{ field: 'nonce' }] } } }, JSON.stringify(nonce))
  }
})

t.test(
  'what only the server knows is told in the same answer, and a request that is right elsewhere is told the same',
  async (t) => {
    const w = await accountWorld(t)
    const raw = Buffer.from(
      'From: ada@example.org\r\nTo: agent@agents.example\r\nSubject: s\r\nMessage-ID: <1@x>\r\n\r\nt\r\n',
    )
    const { id } = await w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: 'ada@example.org', raw }))
    const draft = z.object({ id: z.string() }).parse((await w.call('POST', '/v1/drafts', {})).json).id
    const file = { filename: 'a.txt', content: '' }
    const six = Array.from({ length: 6 }, (_, i) => `a${i}@example.org`)
    const soon = new Date(w.clock.now() + 1000).toISOString()
    const files = Array.from({ length: 6 }, () => file)
    const words = { to: 'ada@example.org', subject: 's', text: 't' }
    const own = { from: 'eve@example.org', cc: 'agent@agents.example', send_at: soon, labels: ['sent'] }
    const wrong: [call: string, body: object, fields: string[]][] = [
      ['POST /v1/send', { ...words, ...own }, ['from', 'labels', 'send_at', 'to']],
      ['POST /v1/send', { ...words, ...own, subject: 7 }, ['from', 'labels', 'send_at', 'subject', 'to']],
      ['POST /v1/send?colour=1', { ...words, ...own, text: 7 }, ['colour', 'from', 'labels', 'send_at', 'text', 'to']],
      [
        'POST /v1/send',
        { ...words, ...own, to: six, attachments: files },
        ['attachments', 'from', 'labels', 'send_at', 'to'],
      ],
      // Nothing is said of a field that is not well-formed but that.
      [
        'POST /v1/send',
        { ...words, from: 'nobody', send_at: 'soon', labels: ['Upper'] },
        ['from', 'labels.0', 'send_at'],
      ],
      ['POST /v1/send', { ...words, to: 'nobody', labels: ['inbox', 'spam', 'sent'] }, ['labels', 'to']],
      [
        'POST /v1/send?dry_run=1',
        { ...words, ...own, tls: 'optional', require_tls: true },
        ['from', 'labels', 'send_at', 'tls', 'to'],
      ],
      [`POST /v1/messages/${id}/reply`, { text: 7, from: own.from, send_at: soon }, ['from', 'send_at', 'text']],
      [`POST /v1/messages/${id}/reply-all`, { text: 't', from: own.from, send_at: soon }, ['from', 'send_at']],
      [`POST /v1/messages/${id}/forward`, { to: 'x', from: own.from, send_at: soon }, ['from', 'send_at', 'to']],
      [
        'POST /v1/drafts',
        { to: six, labels: ['sent'], attachments: files, subject: 7 },
        ['attachments', 'labels', 'subject', 'to'],
      ],
      [`PATCH /v1/drafts/${draft}`, { labels: ['sent'], html: 7 }, ['html', 'labels']],
      [
        `PATCH /v1/messages/${id}`,
        { add_labels: ['sent'], remove_labels: ['sent'], unread: 7 },
        ['add_labels', 'remove_labels', 'unread'],
      ],
      [`PATCH /v1/messages/${id}`, { add_labels: ['sent'], remove_labels: ['sent'] }, ['add_labels', 'remove_labels']],
      ['PATCH /v1/messages', { ids: 7, add_labels: ['inbox', 'spam'] }, ['add_labels', 'ids']],
      ['PATCH /v1/threads', { ids: [], add_labels: ['sent'] }, ['add_labels', 'ids']],
      ['POST /v1/lists/send/allow', { entry: 'a b', reason: 'x\ny' }, ['entry', 'reason']],
      ['POST /v1/lists/send/allow', { entry: 7, reason: 'x\ny' }, ['entry', 'reason']],
      ['POST /v1/keys', { name: '\u200b', expires_at: '2001-01-01T00:00:00Z' }, ['expires_at', 'name']],
      ['POST /v1/keys', { name: '\u200b', scopes: ['x'] }, ['name', 'scopes.0']],
      [
        'PATCH /v1/mailbox',
        { display_name: 'PayPal <service@paypal.com>', signature: { text: '\u0007' } },
        ['display_name', 'signature.text'],
      ],
      ['PATCH /v1/mailbox', { display_name: 'a\nb', send_only_allowed: 7 }, ['display_name', 'send_only_allowed']],
    ]
    const before = await w.store.version(`mailbox/${w.id}`)
    for (const [call, json, fields] of wrong) {
      const [method = '', path = ''] = call.split(' ')
      const answer = await w.call(method, path, json)
      const name = `${call} ${JSON.stringify(json).slice(0, 200)}`
      t.equal(answer.status, 400, name)
      const given = refusal.safeParse(answer.json).data?.error.fields ?? []
      t.strictSame([...new Set(given.map(({ field }) => field))].sort(), fields, name)
    }
    t.equal(await w.store.version(`mailbox/${w.id}`), before, 'nothing was changed')
  },
)

t.test('what is too large is that, alone, and one more problem beside others', async (t) => {
  const w = await accountWorld(t)
  const file = { filename: 'a.bin', content: Buffer.alloc(1_200_000).toString('base64') }
  const words = { to: 'ada@example.org', subject: 's', text: 't', attachments: [file] }
  t.match(await w.call('POST', '/v1/send', words), { status: 413, json: { error: { code: 'payload_too_large' } } })
  t.match(await w.call('POST', '/v1/send', { ...words, labels: ['sent'] }), {
    status: 400,
    json: { error: { code: 'invalid_request', fields: [{ field: 'labels' }, { field: 'attachments' }] } },
  })
})

t.test('the URL of a webhook is looked at beside the rest', async (t) => {
  const api = await startApi(t)
  const json = { url: 'https://127.0.0.1/', events: ['x'] }
  const { error } = refusal.parse((await api.call('POST', '/v1/webhooks', { json })).json)
  t.strictSame(error.fields.map(({ field }) => field).sort(), ['events.0', 'url'])
})
