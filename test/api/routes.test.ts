import t from 'tap'
import { routes } from '../../src/api/v1-routes.js'
import { ServiceError } from '../../src/lib/errors.js'
import { startApi, type Api } from './support/api-server.js'
import { raw } from '../http/client.js'
import { ATTACHMENT, MAILBOX, MESSAGE, THREAD } from './support/fakes.js'
import { testDriver } from '../http/test-driver.js'

interface Good {
  route: string
  path: string
  key?: string | null
  json?: unknown
  status: number
}

const change = { add_labels: ['x'], unread: false }
const GOOD: Good[] = [
  { route: 'GET /', path: '/', key: null, status: 200 },
  { route: 'GET /healthz', path: '/healthz', key: null, status: 200 },
  { route: 'GET /v1/openapi.yaml', path: '/v1/openapi.yaml', key: null, status: 200 },
  { route: 'GET /v1/openapi.json', path: '/v1/openapi.json', key: null, status: 200 },
  { route: 'GET /v1/claim/challenge', path: '/v1/claim/challenge', key: null, status: 200 },
  {
    route: 'POST /v1/claim',
    path: '/v1/claim',
    key: null,
    json: { name: 'agent', challenge: 'c', nonce: '1' },
    status: 201,
  },
  { route: 'GET /v1/claim/status', path: '/v1/claim/status', key: 'pending', status: 200 },
  {
    route: 'POST /v1/claim/notify',
    path: '/v1/claim/notify',
    key: 'pending',
    json: { to: 'ana@people.test', note: 'Hello' },
    status: 202,
  },
  { route: 'GET /v1/threads', path: '/v1/threads?unread=1&q=a%20b&label=inbox&limit=2&cursor=x', status: 200 },
  { route: 'GET /v1/threads/{id}', path: `/v1/threads/${THREAD}`, status: 200 },
  { route: 'PATCH /v1/threads/{id}', path: `/v1/threads/${THREAD}`, json: change, status: 200 },
  { route: 'GET /v1/messages', path: '/v1/messages?from=a@b.org&has_attachment=0&limit=2', status: 200 },
  { route: 'GET /v1/messages/{id}', path: `/v1/messages/${MESSAGE}`, status: 200 },
  { route: 'PATCH /v1/messages/{id}', path: `/v1/messages/${MESSAGE}`, json: change, status: 200 },
  { route: 'GET /v1/messages/{id}/raw', path: `/v1/messages/${MESSAGE}/raw`, status: 200 },
  {
    route: 'GET /v1/messages/{id}/attachments/{attachment_id}',
    path: `/v1/messages/${MESSAGE}/attachments/${ATTACHMENT}`,
    status: 200,
  },
  { route: 'GET /v1/messages/{id}/parts', path: `/v1/messages/${MESSAGE}/parts`, status: 200 },
  { route: 'GET /v1/messages/{id}/parts/{part}', path: `/v1/messages/${MESSAGE}/parts/0`, status: 200 },
  { route: 'PATCH /v1/messages', path: '/v1/messages', json: { ids: [MESSAGE, 'msg_x'], unread: true }, status: 200 },
  { route: 'PATCH /v1/threads', path: '/v1/threads', json: { ids: [THREAD, 'thr_x'], ...change }, status: 200 },
  { route: 'DELETE /v1/messages/{id}', path: `/v1/messages/${MESSAGE}`, status: 200 },
  { route: 'POST /v1/messages/{id}/restore', path: `/v1/messages/${MESSAGE}/restore`, status: 200 },
  { route: 'DELETE /v1/threads/{id}', path: `/v1/threads/${THREAD}`, status: 200 },
  { route: 'POST /v1/threads/{id}/restore', path: `/v1/threads/${THREAD}/restore`, status: 200 },
  { route: 'GET /v1/trash', path: '/v1/trash?limit=2', status: 200 },
  { route: 'DELETE /v1/trash/{id}', path: `/v1/trash/${MESSAGE}`, status: 200 },
  { route: 'DELETE /v1/trash', path: '/v1/trash', status: 200 },
  { route: 'GET /v1/suppressions', path: '/v1/suppressions?limit=2', status: 200 },
  { route: 'DELETE /v1/suppressions/{address}', path: '/v1/suppressions/gone%40example.org', status: 200 },
  { route: 'POST /v1/send', path: '/v1/send', json: { to: 'a@b.org', subject: 's', text: 't' }, status: 202 },
  { route: 'POST /v1/messages/{id}/reply', path: `/v1/messages/${MESSAGE}/reply`, json: { text: 't' }, status: 202 },
  {
    route: 'POST /v1/messages/{id}/reply-all',
    path: `/v1/messages/${MESSAGE}/reply-all`,
    json: { text: 't' },
    status: 202,
  },
  {
    route: 'POST /v1/messages/{id}/forward',
    path: `/v1/messages/${MESSAGE}/forward`,
    json: { to: 'a@b.org' },
    status: 202,
  },
  { route: 'GET /v1/events', path: '/v1/events?after=0&wait=30', status: 200 },
  { route: 'GET /v1/mailbox', path: '/v1/mailbox', status: 200 },
  { route: 'PATCH /v1/mailbox', path: '/v1/mailbox', json: { display_name: 'Scout' }, status: 200 },
  { route: 'GET /v1/mailboxes', path: '/v1/mailboxes', status: 200 },
  { route: 'POST /v1/mailboxes', path: '/v1/mailboxes', json: { name: 'second-one' }, status: 201 },
  { route: 'DELETE /v1/mailboxes/{id}', path: `/v1/mailboxes/${MAILBOX}`, status: 202 },
  { route: 'GET /v1/domains', path: '/v1/domains', status: 200 },
  { route: 'POST /v1/domains', path: '/v1/domains', json: { domain: 'example.org' }, status: 201 },
  { route: 'GET /v1/domains/{domain}', path: '/v1/domains/example.org', status: 200 },
  { route: 'POST /v1/domains/{domain}/verify', path: '/v1/domains/example.org/verify', json: {}, status: 200 },
  { route: 'DELETE /v1/domains/{domain}', path: '/v1/domains/example.org', status: 200 },
  { route: 'GET /v1/aliases', path: '/v1/aliases', status: 200 },
  { route: 'POST /v1/aliases', path: '/v1/aliases', json: { address: 'alias@agents.localhost' }, status: 201 },
  { route: 'DELETE /v1/aliases/{address}', path: '/v1/aliases/alias%40agents.localhost', status: 200 },
  { route: 'GET /v1/keys', path: '/v1/keys', status: 200 },
  { route: 'POST /v1/keys', path: '/v1/keys', json: { name: 'key', scopes: ['mail:read'] }, status: 201 },
  { route: 'PATCH /v1/keys/{id}', path: '/v1/keys/key_1', json: { name: 'key' }, status: 200 },
  { route: 'POST /v1/keys/{id}/rotate', path: '/v1/keys/key_1/rotate', json: {}, status: 201 },
  { route: 'DELETE /v1/keys/{id}', path: '/v1/keys/key_1', status: 200 },
  { route: 'GET /v1/lists/{direction}/{type}', path: '/v1/lists/send/allow?limit=2', status: 200 },
  {
    route: 'POST /v1/lists/{direction}/{type}',
    path: '/v1/lists/receive/block',
    json: { entry: 'example.org' },
    status: 201,
  },
  {
    route: 'GET /v1/lists/{direction}/{type}/{entry}',
    path: '/v1/lists/send/block/a%40example.org',
    status: 200,
  },
  {
    route: 'DELETE /v1/lists/{direction}/{type}/{entry}',
    path: '/v1/lists/send/block/a%40example.org',
    status: 200,
  },
  { route: 'GET /v1/account/usage', path: '/v1/account/usage', status: 200 },
  { route: 'GET /v1/account', path: '/v1/account', status: 200 },
  { route: 'POST /v1/account/export', path: '/v1/account/export', json: {}, status: 202 },
  { route: 'GET /v1/account/exports', path: '/v1/account/exports', status: 200 },
  { route: 'GET /v1/account/exports/{id}', path: '/v1/account/exports/exp_1', status: 200 },
  { route: 'DELETE /v1/account', path: '/v1/account', status: 202 },
  { route: 'POST /v1/account/deletion/cancel', path: '/v1/account/deletion/cancel', status: 200 },
]

// That every one does, over the real domain, is what scenarios/operations/35-description shows.
t.test('declared routes answer, in the form they are described in', async (t) => {
  const api = await startApi(t)
  for (const good of GOOD) {
    const [method = ''] = good.route.split(' ')
    const route = routes.find((each) => `${each.method} ${each.path}` === good.route)
    const answer = await api.call(method, good.path, { key: good.key, json: good.json })
    t.equal(answer.status, good.status, good.route)
    const spec = route?.responses[answer.status]
    t.ok(spec, `${good.route}: ${answer.status} is declared`)
    if (spec?.schema) t.same(spec.schema.safeParse(answer.json).error, undefined, good.route)
  }
  t.same(api.errors, [])
})

t.test('without a good key nothing of a mailbox is shown', async (t) => {
  const api = await startApi(t)
  const refusals = [
    [null, 401, 'unauthorized'],
    ['wrong', 401, 'unauthorized'],
    ['pending', 403, 'claim_pending'],
    ['suspended', 403, 'account_suspended'],
    ['deleted', 403, 'account_deletion_pending'],
  ] as const
  const guarded = routes.filter(({ auth }) => auth === 'mailbox')
  t.ok(guarded.length > 50)
  for (const { method, path, example } of guarded) {
    const there = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? 'x'))
    for (const [key, status, code] of refusals) {
      const json = example.body === undefined ? {} : { json: example.body }
      const answer = await api.call(method, there, { key, ...json })
      t.equal(answer.status, status, `${method} ${there} as ${key}`)
      t.match(answer.json, { error: { code } })
      t.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer realm="restante"' : undefined)
    }
  }
  t.same(api.fakes.calls, [])
})

t.test('the key of a mailbox that waits opens its claim and nothing else', async (t) => {
  const open = routes.filter(({ auth }) => auth === 'pending').map(({ method, path }) => `${method} ${path}`)
  t.same(open.sort(), ['GET /v1/claim/status', 'POST /v1/claim/notify'])
})

t.test('an invite is turned down by a click of its reader, and by nothing that only looks', async (t) => {
  const api = await startApi(t)
  const path = '/claim/invite/not-me'
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const looked = await api.call('GET', path, { key: null })
  t.match(looked, { status: 200, headers: { 'content-type': /html/, 'cache-control': 'no-store' } })
  await api.call('HEAD', path, { key: null })
  const foreign = { ...form, Origin: 'https://evil.example' }
  t.equal((await api.call('POST', path, { key: null, headers: foreign, body: '' })).status, 400)
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const crossed = { ...multipart, Origin: 'https://evil.example' }
  t.equal((await api.call('POST', path, { key: null, headers: crossed, body: '' })).status, 400)
  t.same(api.fakes.calls, [])

  const clicked = await api.call('POST', path, { key: null, headers: form, body: 'List-Unsubscribe=One-Click' })
  t.match(clicked, { status: 200, headers: { 'content-type': /html/ } })
  const parts = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  t.equal((await api.call('POST', path, { key: null, headers: multipart, body: parts })).status, 200)
  t.same(
    api.fakes.calls.map(({ args }) => args),
    [['invite'], ['invite']],
  )
  t.equal((await api.call('POST', '/claim/token/not-me', { key: null, headers: form, body: '' })).status, 404)
  t.equal((await api.call('POST', path, { key: null, headers: form, body: 'x'.repeat(20_000) })).status, 413)
})

t.test('what the domain is asked is what the caller wrote', async (t) => {
  const api = await startApi(t)
  const last = (): unknown[] => api.fakes.calls.at(-1)?.args ?? []
  await api.call('GET', '/v1/threads?unread=1&q=+two+words+&label=inbox&limit=2&cursor=x')
  t.same(last(), [MAILBOX, { unread: true, q: 'two words', label: 'inbox', limit: 2, cursor: 'x' }])
  await api.call('GET', '/v1/threads?unread=0')
  t.strictSame(JSON.stringify(last()), JSON.stringify([MAILBOX, { limit: 25 }]))
  await api.call('GET', '/v1/messages?from=+ada&has_attachment=0&after=2026-01-01T01:00:00%2B01:00&thread_id=thr_1&to=')
  const after = Date.UTC(2026, 0, 1)
  t.match(last(), [MAILBOX, { from: 'ada', hasAttachment: false, after, threadId: 'thr_1', to: undefined, limit: 25 }])

  await api.call('POST', '/v1/send?dry_run=1', {
    headers: { 'Idempotency-Key': 'once' },
    json: {
      to: 'a@b.org',
      cc: ['Ada <ada@example.com>', { address: 'c@d.org' }],
      bcc: { address: 'e@F.org', name: 'E' },
      reply_to: 'r@b.org',
      subject: 'Grüße',
      html: '<p>t</p>',
      attachments: [{ filename: 'ä.txt', content_type: 'text/plain', content: 'aGk=' }],
      labels: ['x'],
    },
  })
  t.match(last(), [
    MAILBOX,
    {
      to: [{ address: 'a@b.org', name: '' }],
      cc: [
        { address: 'ada@example.com', name: 'Ada' },
        { address: 'c@d.org', name: '' },
      ],
      bcc: [{ address: 'e@f.org', name: 'E' }],
      replyTo: [{ address: 'r@b.org', name: '' }],
      subject: 'Grüße',
      text: '',
      html: '<p>t</p>',
      attachments: [{ filename: 'ä.txt', contentType: 'text/plain', content: Buffer.from('hi') }],
      labels: ['x'],
    },
    { idempotencyKey: 'once', dryRun: true },
  ])
  await api.call('POST', `/v1/messages/${MESSAGE}/reply-all`, { json: { text: 't' } })
  t.match(last(), [MAILBOX, MESSAGE, { text: 't', html: null, all: true }, {}])
  await api.call('POST', `/v1/messages/${MESSAGE}/forward`, { json: { to: ['a@b.org'], include_attachments: false } })
  t.match(last(), [MAILBOX, MESSAGE, { text: '', includeAttachments: false, cc: [], bcc: [] }, {}])
  const tls = { text: 't', require_tls: true }
  await api.call('POST', '/v1/send', { json: { ...tls, to: 'a@b.org', subject: 's' } })
  t.match(last(), [MAILBOX, { requireTls: true }])
  await api.call('POST', `/v1/messages/${MESSAGE}/reply`, { json: tls })
  t.match(last(), [MAILBOX, MESSAGE, { requireTls: true }])
  await api.call('POST', `/v1/messages/${MESSAGE}/forward`, { json: { ...tls, to: 'a@b.org' } })
  t.match(last(), [MAILBOX, MESSAGE, { requireTls: true }])
  await api.call('POST', '/v1/send', { json: { ...tls, to: 'a@b.org', subject: 's', require_tls: false } })
  t.notOk(Object.hasOwn(Object(last()[1]), 'requireTls'), 'false is the same request as one without it')
  await api.call('POST', `/v1/messages/${MESSAGE}/forward`, { json: { to: 'a@b.org', require_tls: false } })
  t.match(last(), [MAILBOX, MESSAGE, { requireTls: false }], 'but not of a forward, whose message may ask for it')
  await api.call('POST', `/v1/messages/${MESSAGE}/forward`, { json: { to: 'a@b.org' } })
  t.notOk(Object.hasOwn(Object(last()[2]), 'requireTls'))
  await api.call('GET', '/v1/claim/challenge', { key: null })
  t.same(last(), ['127.0.0.1'])
})

t.test('a dry run is answered with 200 and what would happen', async (t) => {
  const api = await startApi(t)
  const answer = await api.call('POST', `/v1/messages/${MESSAGE}/reply?dry_run=true`, { json: { text: 't' } })
  t.equal(answer.status, 200)
  t.match(answer.json, { dry_run: true, decision: 'send' })
})

interface Bad {
  what: string
  path?: string
  json?: unknown
  headers?: Record<string, string>
  field: string
  says: RegExp
}

const send = (change: Record<string, unknown>): Record<string, unknown> => ({
  to: 'a@b.org',
  subject: 's',
  text: 't',
  ...change,
})
const file = (change: Record<string, unknown>): Record<string, unknown> =>
  send({ attachments: [{ filename: 'f', content: 'aGk=', ...change }] })
const BAD: Bad[] = [
  { what: 'no recipient', json: send({ to: undefined }), field: 'to', says: /a string, an object or an array/ },
  { what: 'an empty list', json: send({ to: [] }), field: 'to', says: /at least 1/ },
  { what: 'no address', json: send({ to: 'ada' }), field: 'to', says: /name@example\.com/ },
  { what: 'one bad address of two', json: send({ to: ['a@b.org', 'x@'] }), field: 'to.1', says: /name@example\.com/ },
  {
    what: 'a line break in an address',
    json: send({ to: 'a@b.org\r\nBcc: c@d.org' }),
    field: 'to',
    says: /Not an email address/,
  },
  {
    what: 'a line break in a name',
    json: send({ cc: { address: 'a@b.org', name: 'A\nB' } }),
    field: 'cc.name',
    says: /line breaks/,
  },
  { what: 'a number for an address', json: send({ bcc: 5 }), field: 'bcc', says: /a string, an object or an array/ },
  { what: 'too many recipients', json: send({ cc: Array(5).fill('a@b.org') }), field: 'to', says: /at most 5/ },
  {
    what: '2,000 recipients',
    json: send({ to: Array(2000).fill('a@b.org') }),
    field: 'to',
    says: /at most 1000 entries/,
  },
  { what: 'no subject', json: send({ subject: undefined }), field: 'subject', says: /missing/ },
  {
    what: 'a line break in the subject',
    json: send({ subject: 'a\r\nBcc: x@y.org' }),
    field: 'subject',
    says: /line breaks/,
  },
  {
    what: 'a long subject',
    json: send({ subject: 'x'.repeat(999) }),
    field: 'subject',
    says: /at most 998 characters/,
  },
  { what: 'nothing to say', json: send({ text: '  ' }), field: 'text', says: /nothing to send/ },
  { what: 'text of a wrong type', json: send({ text: 1 }), field: 'text', says: /must be a string/ },
  { what: 'an unknown field', json: send({ txt: 'x' }), field: 'txt', says: /no such field.*subject/ },
  {
    what: '__proto__',
    json: JSON.parse('{"to":"a@b.org","subject":"s","text":"t","__proto__":{"x":1}}'),
    field: '__proto__',
    says: /no such field/,
  },
  { what: 'an array for a body', json: [], field: 'body', says: /must be an object/ },
  { what: 'broken base64', json: file({ content: 'a!==' }), field: 'attachments.0.content', says: /base64/ },
  {
    what: 'base64 with a line break',
    json: file({ content: 'aGk\n' }),
    field: 'attachments.0.content',
    says: /base64/,
  },
  { what: 'a path as filename', json: file({ filename: '../x' }), field: 'attachments.0.filename', says: /slashes/ },
  {
    what: 'a line break in a type',
    json: file({ content_type: 'a/b\r\nx: y' }),
    field: 'attachments.0.content_type',
    says: /media type/,
  },
  {
    what: 'too many files',
    json: send({ attachments: Array(3).fill({ filename: 'f', content: '' }) }),
    field: 'attachments',
    says: /at most 2/,
  },
  { what: 'a label with a space', json: send({ labels: ['a b'] }), field: 'labels.0', says: /1 to 64/ },
  {
    what: 'a long idempotency key',
    json: send({}),
    headers: { 'Idempotency-Key': 'x'.repeat(256) },
    field: 'Idempotency-Key',
    says: /1 to 255/,
  },
  {
    what: 'an unknown parameter',
    path: '/v1/threads?unraed=1',
    field: 'unraed',
    says: /no such query parameter.*unread/,
  },
  { what: 'a flag of its own kind', path: '/v1/threads?unread=yes', field: 'unread', says: /one of "0", "1"/ },
  { what: 'a status that there is not', path: '/v1/messages?status=read', field: 'status', says: /one of "received"/ },
  {
    what: 'a time without a zone',
    path: '/v1/messages?after=2026-01-01T00:00:00',
    field: 'after',
    says: /2026-01-31T/,
  },
  { what: 'a query that is too long', path: `/v1/messages?q=${'a'.repeat(501)}`, field: 'q', says: /500/ },
  { what: 'a limit of 0', path: '/v1/threads?limit=0', field: 'limit', says: /at least 1/ },
  { what: 'a limit of 101', path: '/v1/threads?limit=101', field: 'limit', says: /at most 100/ },
  { what: 'no number', path: '/v1/events?after=x', field: 'after', says: /a number/ },
  { what: 'a negative number', path: '/v1/events?after=-1', field: 'after', says: /at least 0/ },
  { what: 'too long a wait', path: '/v1/events?wait=61', field: 'wait', says: /at most 60/ },
  { what: 'a parameter twice', path: '/v1/events?after=1&after=2', field: 'after', says: /twice/ },
  { what: 'broken percent-encoding', path: '/v1/threads?q=%zz', field: 'q', says: /percent-encoding/ },
]

t.test('bad input is refused with the field and what would be right, and nothing is done', async (t) => {
  const api = await startApi(t)
  for (const bad of BAD) {
    const answer = await api.call(bad.path ? 'GET' : 'POST', bad.path ?? '/v1/send', {
      json: bad.json,
      ...(bad.headers && { headers: bad.headers }),
    })
    t.equal(answer.status, 400, bad.what)
    t.match(
      answer.json,
      { error: { code: 'invalid_request', hint: String, fields: [{ field: bad.field, problem: bad.says }] } },
      bad.what,
    )
  }
  const claim = await api.call('POST', '/v1/claim', { key: null, json: { name: 5 } })
  t.match(claim.json, {
    error: { fields: [{ field: 'name' }, { field: 'challenge', problem: /missing/ }, { field: 'nonce' }] },
  })
  const change = await api.call('PATCH', `/v1/messages/${MESSAGE}`, { json: {} })
  t.match(change.json, { error: { fields: [{ field: 'body', problem: /at least one of add_labels/ }] } })
  t.same(api.fakes.calls, [])
  t.same(api.errors, [])
})

t.test('a body that is no JSON is told where it breaks', async (t) => {
  const api = await startApi(t)
  const headers = { 'Content-Type': 'application/json' }
  const cases: [string, string | Buffer, RegExp][] = [
    ['nothing', '', /empty/],
    ['a missing value', '{"to":\n}', /line 2, column 1/],
    ['a comma too many', '{"to":"x",}', /line 1, column 11/],
    ['half an object', '{"to":"x"', /line 1, column 10/],
    ['bytes that are no UTF-8', Buffer.from('7b22746f223a22ff227d', 'hex'), /UTF-8 \(at byte 7\)/],
    ['too deep', '['.repeat(100), /deeper than 32 levels \(at byte 32\)/],
    ['too many values', `[${'1,'.repeat(30_000)}1]`, /more than 20000 values/],
  ]
  for (const [what, body, says] of cases) {
    const answer = await api.call('POST', '/v1/send', { headers, body })
    t.equal(answer.status, 400, what)
    t.match(answer.json, { error: { code: 'invalid_request', message: says } }, what)
  }
  const deepString = JSON.stringify({ to: 'a@b.org', subject: 's', text: '[{,\\"'.repeat(50_000) })
  t.equal(
    (await api.call('POST', '/v1/send', { headers, body: deepString })).status,
    202,
    'brackets in a string are text',
  )
})

t.test('only JSON in UTF-8 is taken', async (t) => {
  const api = await startApi(t)
  const body = JSON.stringify({ to: 'a@b.org', subject: 's', text: 't' })
  const types: Record<string, string>[] = [
    {},
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
  ]
  for (const headers of types) {
    const answer = await api.call('POST', '/v1/send', { headers, body })
    t.equal(answer.status, 415, JSON.stringify(headers))
    t.match(answer.json, { error: { code: 'unsupported_media_type' } })
  }
  const good = { 'Content-Type': 'Application/JSON; charset="UTF-8"' }
  t.equal((await api.call('POST', '/v1/send', { headers: good, body })).status, 202)
})

t.test('a body over its cap is 413: small for claims, large for mail', async (t) => {
  const api = await startApi(t)
  const claim = await api.call('POST', '/v1/claim', { key: null, json: { name: 'x'.repeat(20_000) } })
  t.equal(claim.status, 413)
  t.equal(
    (await api.call('POST', '/v1/send', { json: { to: 'a@b.org', subject: 's', text: 'x'.repeat(1_900_000) } })).status,
    202,
  )
  t.equal(
    (await api.call('POST', '/v1/send', { json: { to: 'a@b.org', subject: 's', text: 'x'.repeat(2_100_000) } })).status,
    413,
  )
})

t.test('an unknown id, path or method is told so', async (t) => {
  const api = await startApi(t)
  const ids = ['msg_01J9Z6Y2V5C7Q3H8K4M0N1P2RZ', 'x', '%00', '..%2f..%2fetc', 'x'.repeat(5000), '%zz', '%ff']
  for (const id of ids) {
    const answer = await api.call('GET', `/v1/messages/${id}`)
    t.equal(answer.status, 404, id.slice(0, 40))
    t.match(answer.json, { error: { code: 'not_found' } })
  }
  t.equal((await api.call('GET', '/v1/nothing')).status, 404)
  t.equal((await api.call('GET', '/v1/threads/')).status, 404)

  const wrong = await api.call('DELETE', '/v1/events')
  t.equal(wrong.status, 405)
  t.equal(wrong.headers.allow, 'GET, HEAD, OPTIONS')
  t.match(wrong.json, { error: { code: 'method_not_allowed' } })
  const options = await api.call('OPTIONS', '/v1/messages/x', { key: null })
  t.equal(options.status, 204)
  t.equal(options.headers.allow, 'DELETE, GET, HEAD, OPTIONS, PATCH')
  t.equal((await api.call('HEAD', '/v1/threads')).status, 200)
  t.same(api.errors, [])
})

t.test("the domain's refusals and faults keep their form", async (t) => {
  const api = await startApi(t)
  api.fakes.fail(new ServiceError('new_recipient_limit', 'Used up.', 'Wait.', { retryAfterSeconds: 3600.2 }))
  const limited = await api.call('POST', '/v1/send', { json: { to: 'a@b.org', subject: 's', text: 't' } })
  t.equal(limited.status, 429)
  t.equal(limited.headers['retry-after'], '3601')
  t.same(limited.json, { error: { code: 'new_recipient_limit', message: 'Used up.', hint: 'Wait.' } })
  api.fakes.fail(new Error('inside'))
  const fault = await api.call('GET', `/v1/threads/${THREAD}`)
  t.equal(fault.status, 500)
  t.match(fault.json, { error: { code: 'internal', request_id: fault.headers['x-request-id'] } })
  t.match(api.errors, [{ message: 'inside' }])
  t.match(
    (await api.call('POST', '/v1/claim', { key: null, json: { name: 'taken', challenge: 'c', nonce: '1' } })).json,
    {
      error: { code: 'name_taken' },
    },
  )
})

t.test('files come as downloads that no browser shows, whatever they are called', async (t) => {
  const api = await startApi(t)
  const path = `/v1/messages/${MESSAGE}/attachments/${ATTACHMENT}`
  const names: [string, string, string, string][] = [
    ['report.pdf', 'application/pdf', 'application/pdf', 'attachment; filename="report.pdf"'],
    [
      'Grüße "1%".txt',
      'text/html',
      'text/html',
      `attachment; filename="Gr__e _1__.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%25%22.txt`,
    ],
    ['a\r\nSet-Cookie: x=1', 'x\r\ny: z', 'application/octet-stream', 'attachment; filename="aSet-Cookie: x=1"'],
    ['../../etc/\ud800', 'text/plain; charset=utf-8', 'application/octet-stream', 'attachment; filename="_.._etc__"'],
    ['..', 'text/plain', 'text/plain', 'attachment; filename="file"'],
    // RFC 6266 §5: what turns a name around, or can't be seen, hides its extension.
    ['invoice\u202efdp.exe', 'text/plain', 'text/plain', 'attachment; filename="invoicefdp.exe"'],
    ['a\u2066b\u200bc\u2028d.txt ', 'text/plain', 'text/plain', 'attachment; filename="abcd.txt"'],
    [
      'it\'s (1)*; x="y\\z',
      'text/plain',
      'text/plain',
      `attachment; filename="it's (1)*; x=_y_z"; filename*=UTF-8''it%27s%20%281%29%2A%3B%20x%3D%22y_z`,
    ],
  ]
  for (const [filename, contentType, type, disposition] of names) {
    Object.assign(api.fakes.file, { filename, contentType })
    const answer = await api.call('GET', path)
    t.equal(answer.status, 200)
    t.equal(answer.headers['content-type'], type)
    t.equal(answer.headers['content-disposition'], disposition)
    t.match(answer.headers['content-security-policy'], /sandbox/)
    t.equal(answer.headers['x-content-type-options'], 'nosniff')
    t.equal(answer.headers['set-cookie'], undefined)
  }
  const raw = await api.call('GET', `/v1/messages/${MESSAGE}/raw`)
  t.equal(raw.headers['content-type'], 'message/rfc822')
  t.equal(raw.headers['content-disposition'], `attachment; filename="${MESSAGE}.eml"`)
  t.match(raw.text, /^Subject: Hello\r\n/)
})

/** Resolves when so many requests are at work. */
async function atWork(api: Api, count: number): Promise<void> {
  while (api.server.openRequests !== count) await new Promise((resolve) => setImmediate(resolve))
}

t.test('a key may hold so many waiting requests, and others are not touched by that', async (t) => {
  const api = await startApi(t)
  const gone = new AbortController()
  const first = api.call('GET', '/v1/events?after=7&wait=30', { signal: gone.signal })
  const second = api.call('GET', '/v1/events?after=7&wait=30')
  await atWork(api, 2)
  const third = await api.call('GET', '/v1/events?after=7&wait=30')
  t.equal(third.status, 429)
  t.ok(third.headers['retry-after'])
  t.equal((await api.call('GET', '/v1/events?after=7')).status, 200, 'not waiting is free')
  const other = api.call('GET', '/v1/events?after=7&wait=30', { key: 'good-2' })
  await atWork(api, 3)

  gone.abort()
  await t.rejects(first)
  await atWork(api, 2)
  const again = api.call('GET', '/v1/events?after=7&wait=30')
  await atWork(api, 3)
  await api.server.close(10_000)
  for (const answer of await Promise.all([second, other, again])) {
    t.equal(answer.status, 200)
    t.same(answer.json, { data: [], has_more: false, next_after: 7 }, 'a stop answers as the end of the wait would')
  }
})

t.test('healthz is 200 only while the service is ready, and is not limited', async (t) => {
  let ready = false
  const api = await startApi(t, { ready: () => ready, limits: { requestsPerMinute: 1 } })
  const early = await api.call('GET', '/healthz', { key: null })
  t.equal(early.status, 503)
  t.ok(early.headers['retry-after'])
  ready = true
  for (let i = 0; i < 3; i++) t.equal((await api.call('GET', '/healthz', { key: null })).status, 200)
  t.same((await api.call('GET', '/healthz', { key: null })).json, { status: 'ready', disk: 'ok' })
  const verbose = await api.call('GET', '/healthz?verbose', { key: null })
  t.same(verbose.json, { status: 'ready', disk: 'ok', http_driver: testDriver().name })
})

t.test('requests are counted by key, and by network without a good one', async (t) => {
  const api = await startApi(t, { limits: { requestsPerMinute: 3 } })
  const first = await api.call('GET', '/v1/mailbox')
  t.equal(first.headers['x-ratelimit-limit'], '3')
  t.equal(first.headers['x-ratelimit-remaining'], '2')
  t.match(first.headers['x-ratelimit-reset'], /^\d+$/)
  await api.call('GET', '/v1/mailbox')
  await api.call('GET', '/v1/mailbox')
  const over = await api.call('GET', '/v1/mailbox')
  t.equal(over.status, 429)
  t.equal(over.headers['retry-after'], over.headers['x-ratelimit-reset'])
  t.equal(over.headers['x-ratelimit-remaining'], '0')
  t.match(over.json, { error: { code: 'rate_limited' } })
  t.equal((await api.call('GET', '/v1/mailbox', { key: 'good-2' })).status, 200, 'another key has its own count')

  for (const key of ['wrong-1', 'wrong-2', null]) t.equal((await api.call('GET', '/v1/mailbox', { key })).status, 401)
  t.equal(
    (await api.call('GET', '/v1/mailbox', { key: 'wrong-3' })).status,
    429,
    'failed keys count against the network',
  )
  t.equal((await api.call('GET', '/v1/claim/challenge', { key: null })).status, 429)
  t.equal((await api.call('GET', '/v1/mailbox', { key: 'good-3' })).status, 200, 'a good key from there still works')
})

t.test('the claim page shows what strangers wrote as text, and runs nothing', async (t) => {
  const api = await startApi(t)
  const page = await api.call('GET', '/claim/token', { key: null })
  t.equal(page.status, 200)
  t.match(page.headers['content-type'], /^text\/html/)
  t.match(page.headers['content-security-policy'], /^default-src 'none'/)
  t.match(page.headers['x-robots-tag'], /noindex/)
  t.match(page.text, /restante claim approve agent@agents\.localhost/)
  t.match(page.text, /&lt;script&gt;/)
  t.notMatch(page.text, /<script/)
  t.equal((await api.call('GET', '/claim/other', { key: null })).status, 404)
})

t.test('a mounted web-standard handler gets a Request and streams its Response', async (t) => {
  let gone: (() => void) | undefined
  const wasCancelled = new Promise<void>((resolve) => (gone = resolve))
  const api = await startApi(t, {
    mounts: [
      {
        path: '/mcp',
        auth: 'pending',
        maxBodyBytes: 1000,
        async fetch(request, { caller }) {
          if (request.method === 'GET') {
            const stream = new ReadableStream<Uint8Array>({
              start: (controller) => controller.enqueue(Buffer.from('data: first\n\n')),
              cancel: () => gone?.(),
            })
            return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } })
          }
          const seen = [new URL(request.url).pathname, await request.text(), caller?.keyId, request.headers.get('x-a')]
          return Response.json(seen, { status: 202 })
        },
      },
    ],
  })
  t.equal((await api.call('POST', '/mcp', { key: null })).status, 401)
  t.equal((await api.call('POST', '/mcp', { body: Buffer.alloc(1001) })).status, 413)
  const answer = await api.call('POST', '/mcp', { body: 'hello', headers: { 'X-A': '1' }, key: 'pending' })
  t.equal(answer.status, 202)
  t.same(answer.json, ['/mcp', 'hello', 'pending', '1'])

  const leaving = new AbortController()
  const left = api.call('GET', '/mcp', { signal: leaving.signal })
  await atWork(api, 1)
  leaving.abort()
  await t.rejects(left)
  await wasCancelled
  await atWork(api, 0)

  const stream = api.call('GET', '/mcp')
  await atWork(api, 1)
  await api.server.close(10_000)
  t.equal((await stream).text, 'data: first\n\n', 'a stop ends an event stream')
  t.same(api.errors, [])
})

t.test('a mounted handler that takes JSON gets none that is slow to parse', async (t) => {
  const mount = { path: '/mcp', auth: 'none' as const, maxBodyBytes: 1_000_000, json: true }
  const api = await startApi(t, {
    mounts: [{ ...mount, fetch: async (_request, { json }) => Response.json(await json()) }],
  })
  for (const bomb of ['['.repeat(1000), `[${'1,'.repeat(50_000)}1]`, '{"a":'.repeat(1000), '{},'.repeat(50_000)]) {
    const answer = await api.call('POST', '/mcp', { body: bomb })
    t.match(answer, { status: 400, json: { error: { code: 'invalid_request', message: /nested|values/ } } })
  }
  t.same((await api.call('POST', '/mcp', { body: '{"text":"[[[[,,,,"}' })).json, { text: '[[[[,,,,' })
})

t.test('a client that leaves during a wait is not waited for', async (t) => {
  const api = await startApi(t)
  const gone = new AbortController()
  const waiting = api.call('GET', '/v1/events?after=7&wait=60', { signal: gone.signal })
  await atWork(api, 1)
  gone.abort()
  await t.rejects(waiting)
  await atWork(api, 0)
  t.same(api.errors, [])
})

t.test('events come as server-sent events to who asks for them, from where they left off', async (t) => {
  const api = await startApi(t)
  const stream = (path: string, headers: Record<string, string> = {}, key = 'good') =>
    raw(
      api.server.port,
      [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, 'Accept: text/event-stream']
        .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
        .join('\r\n') + '\r\n\r\n',
    )
  const first = stream('/v1/events')
  const head = await first.until('\n\n')
  t.match(head, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(head, /\r\nContent-Type: text\/event-stream\r\n/)
  const event = await first.until('"data":{}}\n\n')
  t.match(event, /\nid: 7\nevent: message\.received\ndata: \{"seq":7,/)
  const second = stream('/v1/events?after=0', { 'Last-Event-ID': '7' })
  await second.until(': nothing new\n\n')
  t.notMatch(second.received(), /id: 7/, 'the header counts more than the query')
  t.match(
    await stream('/v1/events').until('rate_limited'),
    /^HTTP\/1\.1 429 .*Retry-After/s,
    'streams are counted as waits',
  )
  first.socket.destroy()
  await atWork(api, 1)
  const other = stream('/v1/events')
  await other.until('id: 7')
  await api.server.close(10_000)
  t.match(await second.closed, /\r\n0\r\n\r\n$/, 'a stop ends a stream as its end would')
  await other.closed
  t.same(api.errors, [])
})

t.test('a stream of events is refused before it begins, as JSON', async (t) => {
  const api = await startApi(t)
  const ask = (path: string, headers: Record<string, string> = {}) =>
    api.call('GET', path, { headers: { Accept: 'text/event-stream', ...headers } })
  t.match(await ask('/v1/events?wait=5'), { status: 400, json: { error: { fields: [{ field: 'wait' }] } } })
  for (const id of ['x', '-1', '1.5', '99999999999999999999'])
    t.match(await ask('/v1/events', { 'Last-Event-ID': id }), {
      status: 400,
      json: { error: { fields: [{ field: 'Last-Event-ID' }] } },
    })
  api.fakes.fail(new ServiceError('events_expired', 'Gone.', 'Read on.', { oldestSeq: 5 }))
  const gone = await ask('/v1/events?after=1')
  t.match(gone, { status: 410, json: { error: { code: 'events_expired', oldest_seq: 5 } } })
  // None of them keeps a place: there are two.
  for (let i = 0; i < 3; i++)
    t.equal((await api.call('HEAD', '/v1/events', { headers: { Accept: 'text/event-stream' } })).status, 200)
  const json = await api.call('GET', '/v1/events', { headers: { Accept: 'application/json, text/event-stream' } })
  t.equal(json.headers['content-type'], 'application/json', 'who takes both gets JSON')
})

t.test('events are asked for by what they have to be', async (t) => {
  const api = await startApi(t)
  const path =
    '/v1/events?types=message.received,%20message.status&from=%40example.org&subject_contains=code&thread_id=thr_1'
  t.equal((await api.call('GET', path)).status, 200)
  t.match(api.fakes.calls[0]?.args[1], {
    filter: {
      types: new Set(['message.received', 'message.status']),
      from: '@example.org',
      subjectContains: 'code',
      threadId: 'thr_1',
    },
  })
  t.match(await api.call('GET', '/v1/events?types=message.received,message.recieved'), {
    status: 400,
    json: {
      error: {
        fields: [{ field: 'types', problem: /no event type "message\.recieved"\. There are: message\.received/ }],
      },
    },
  })
})
