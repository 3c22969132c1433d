import t from 'tap'
import { z } from 'zod'
import { startApi } from './api-server.js'

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
