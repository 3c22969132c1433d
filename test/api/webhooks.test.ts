/** Webhooks over the API. */
import t from 'tap'
import { z } from 'zod'
import { webhookRoutes } from '../../src/api/v1/webhooks/webhooks.js'
import { deliverySchema, webhookSchema, webhookWithSecretSchema } from '../../src/mailbox/webhooks/objects.js'
import type { Answer } from '../http/client.js'
import { startApi, type Api } from './support/api-server.js'

const withSecret = ({ json }: Answer) => webhookWithSecretSchema.parse(json)
const webhooksIn = ({ json }: Answer) => z.object({ data: z.array(webhookSchema) }).parse(json).data
const deliveriesIn = ({ json }: Answer) => z.object({ data: z.array(deliverySchema) }).parse(json).data
const refusedFields = ({ json }: Answer) =>
  z.object({ error: z.object({ fields: z.array(z.object({ field: z.string() })) }) }).parse(json).error.fields

const URL = 'https://hooks.example.org/restante'

async function made(api: Api): Promise<string> {
  const answer = await api.call('POST', '/v1/webhooks', { json: { url: URL } })
  return withSecret(answer).id
}

t.test('a webhook is made, shown without its secret, changed and removed', async (t) => {
  const api = await startApi(t)
  const answer = await api.call('POST', '/v1/webhooks', {
    json: { url: URL, events: ['message.received', 'message.received'], description: 'Inbox' },
  })
  t.equal(answer.status, 201)
  t.match(answer.json, { object: 'webhook', url: URL, events: ['message.received'], enabled: true, created_by: 'good' })
  const { id, secret } = withSecret(answer)
  t.match(secret, /^whsec_/)
  const shown = await api.call('GET', `/v1/webhooks/${id}`)
  t.match(shown.json, { id, public_keys: [{ key: /^whpk_/, signs_until: null }] })
  t.notMatch(shown.text, 'whsec_')
  t.match((await api.call('GET', '/v1/webhooks')).json, { data: [{ id }], has_more: false })

  const changed = await api.call('PATCH', `/v1/webhooks/${id}`, { json: { enabled: false, events: ['*'] } })
  t.match(changed.json, { enabled: false, disabled: { reason: 'asked' }, events: ['*'], description: 'Inbox' })
  t.match((await api.call('PATCH', `/v1/webhooks/${id}`, { json: { enabled: true } })).json, { disabled: null })
  t.match((await api.call('DELETE', `/v1/webhooks/${id}`)).json, { id, deleted: true })
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
  ] as const) {
    const gone = await api.call(method, `/v1/webhooks/${id}${path}`, method === 'POST' ? { json: {} } : {})
    t.match(
      gone,
      { status: 404, json: { error: { code: 'not_found', hint: /GET \/v1\/webhooks/ } } },
      `${method} ${path}`,
    )
  }
})

t.test('what cannot be used is named', async (t) => {
  const api = await startApi(t)
  const id = await made(api)
  for (const [json, field] of [
    [{}, 'url'],
    [{ url: 'http://hooks.example.org/' }, 'url'],
    [{ url: 'https://127.0.0.1/' }, 'url'],
    [{ url: URL, events: [] }, 'events'],
    [{ url: URL, events: ['message.eaten'] }, 'events'],
    [{ url: URL, secret: 'mine' }, 'secret'],
    [{ url: URL, description: 'a\nb' }, 'description'],
  ] as const) {
    const answer = await api.call('POST', '/v1/webhooks', { json })
    t.match(answer, { status: 400, json: { error: { code: 'invalid_request' } } }, JSON.stringify(json))
    t.ok(
      refusedFields(answer).some((each) => each.field.startsWith(field)),
      answer.text,
    )
  }
  t.equal((await api.call('PATCH', `/v1/webhooks/${id}`, { json: {} })).status, 400)
  const skipping = await api.call('PATCH', `/v1/webhooks/${id}`, { json: { skip_missed: true } })
  t.match(skipping.json, { error: { fields: [{ field: 'skip_missed' }] } })
})

t.test('who may not read mail may not have it sent anywhere', async (t) => {
  const api = await startApi(t)
  const answer = await api.call('POST', '/v1/webhooks', { key: 'only-account.manage', json: { url: URL } })
  t.match(answer, { status: 403, json: { error: { code: 'insufficient_scope', message: /mail:read/ } } })
  t.equal((await api.call('GET', '/v1/webhooks', { key: 'only-mail.read' })).status, 200)
})

t.test('a creation is repeated under its Idempotency-Key without a second webhook or the secret', async (t) => {
  const api = await startApi(t)
  const options = { json: { url: URL }, headers: { 'Idempotency-Key': 'one' } }
  const first = await api.call('POST', '/v1/webhooks', options)
  t.equal(first.status, 201)
  const again = await api.call('POST', '/v1/webhooks', options)
  t.match(again, { status: 409, json: { error: { code: 'secret_shown_once', message: withSecret(first).id } } })
  t.equal(webhooksIn(await api.call('GET', '/v1/webhooks')).length, 1)
})

t.test('deliveries are listed, shown, made again and replayed', async (t) => {
  const api = await startApi(t)
  const id = await made(api)
  const list = await api.call('GET', `/v1/webhooks/${id}/deliveries?status=waiting`)
  t.match(list.json, { data: [{ object: 'webhook_delivery', status: 'waiting', last_attempt: { status_code: 500 } }] })
  t.same(deliveriesIn(await api.call('GET', `/v1/webhooks/${id}/deliveries?status=failed`)), [])
  const [delivery] = deliveriesIn(list)
  if (!delivery) throw new Error('there is no delivery')
  const path = `/v1/webhooks/${id}/deliveries/${delivery.id}`
  t.match((await api.call('GET', path)).json, {
    id: delivery.id,
    attempt_log: [{}],
    body: { type: 'message.received' },
  })
  t.match((await api.call('POST', `${path}/redeliver`, { json: {} })).json, { status: 'succeeded', attempts: 2 })
  t.equal((await api.call('GET', `/v1/webhooks/${id}/deliveries/dlv_x`)).status, 404)

  const seq = delivery.event.seq
  const replayed = await api.call('POST', `/v1/webhooks/${id}/replay`, { json: { after: seq - 1 } })
  t.match(replayed, { status: 202, json: { deliveries: { last_seq: seq - 1, events_waiting: 1 } } })
  t.equal((await api.call('POST', `/v1/webhooks/${id}/replay`, { json: { after: seq + 1 } })).status, 400)
  t.match((await api.call('POST', `/v1/webhooks/${id}/test`, { json: {} })).json, { taken: true })
  const rotated = await api.call('POST', `/v1/webhooks/${id}/rotate-secret`, { json: {} })
  t.match(withSecret(rotated).secret, /^whsec_/)
  t.equal(withSecret(rotated).public_keys.length, 2)
})

t.test('the examples of the description are such as the schemas take', async (t) => {
  for (const { operationId, responses, body, example } of webhookRoutes) {
    for (const response of Object.values(responses)) {
      t.ok(response.example, operationId)
      if (response.schema) t.same(response.schema.parse(response.example), response.example, operationId)
    }
    if (body) t.doesNotThrow(() => body.parse(example.body), operationId)
  }
})
