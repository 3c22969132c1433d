/**
 * The description of the API is what the daemon does: every operation is called with its own example, then with some thousand requests made
 * from its schemas, good ones and broken ones; every answer has to be one that the description has, with a body that its schema takes.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { parse } from 'yaml'
import { readApi, type Json, type OpenApi, type Operation } from '../../clients/openapi.js'
import { approvedAgent, claim, request, solve, waitForEvent, type Agent, type Answer } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { broken, drawing, valueFor } from '../../support/json-schema.js'

const SEED = 20261122
const REQUESTS_EACH = 50
/** Ends the account with all that later calls need; called last, with its example. */
const LAST = ['deleteAccount', 'cancelAccountDeletion']

interface Call extends Operation {
  method: string
  path: string
}

/** Of what the examples name there is none in this story; that is said as described too. */
const REFUSED: Record<string, number> = { removeSuppression: 404 }

t.test('the description is what the daemon does', async (t) => {
  const daemon = await startDaemon({
    'domains.names': 'agents.example',
    'limits.requests_per_minute': '1000000',
    'limits.new_recipients_per_day': '100000',
  })
  t.teardown(() => daemon.remove())
  const api = readApi(parse((await request(`${daemon.url}/v1/openapi.yaml`, 'GET')).body))
  const calls: Call[] = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const contract = contractOf(api)

  await t.test('with the examples', async (t) => {
    const world = await startWorld(daemon)
    const inOrder = calls.filter(({ operationId }) => !LAST.includes(operationId))
    // What makes things goes first, so that there is something to look at; what removes them goes last.
    const rank = ({ method }: Call) => ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'].indexOf(method)
    for (const call of [...inOrder.sort((a, b) => rank(a) - rank(b)), ...LAST.map((id) => named(calls, id))]) {
      const answer = await world.callExample(call)
      const said = `${call.operationId}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`
      t.ok(answer.status < 300 || answer.status === REFUSED[call.operationId], said)
      t.same(contract(call, answer), [], call.operationId)
    }
  })

  await t.test('with generated requests', async (t) => {
    const agent = await approvedAgent(daemon, 'eve.agent', 'eve@example.org')
    const draw = drawing(SEED)
    const resolve = (ref: string): Json => api.components.schemas[String(ref.split('/').at(-1))] ?? {}
    const statuses = new Map<number, number>()
    for (const call of calls.filter(({ operationId }) => !LAST.includes(operationId))) {
      const problems = new Set<string>()
      for (let i = 0; i < REQUESTS_EACH; i++) {
        const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String(parameter(call, name)?.example ?? 'x')),
        )
        const query = new URLSearchParams()
        for (const { name, in: place, schema } of call.parameters ?? []) {
          // Waiting is another test's.
          if (place !== 'query' || name === 'wait' || draw.next() < 0.6) continue
          const value = valueFor(draw, schema, resolve, name)
          query.set(name, String(draw.next() < 0.3 ? broken(draw, value) : value))
        }
        if (draw.next() < 0.05) query.set('surely_unknown', '1')
        const schema = call.requestBody?.content['application/json']?.schema
        const good = schema && valueFor(draw, schema, resolve)
        const body = good !== undefined && draw.next() < 0.5 ? broken(draw, good) : good
        const answer = await agent.call(call.method, `${path}?${query.toString()}`, body)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        for (const problem of contract(call, answer)) {
          problems.add(`${problem} ← ${path}?${query.toString()} ${JSON.stringify(body)?.slice(0, 500)}`)
        }
      }
      t.same([...problems].slice(0, 3), [], call.operationId)
    }
    t.equal(statuses.get(500), undefined)
    t.ok((statuses.get(200) ?? 0) > 100 && (statuses.get(400) ?? 0) > 100, JSON.stringify([...statuses]))
    t.equal((await request(`${daemon.url}/healthz`, 'GET')).status, 200)
  })
})

interface World {
  callExample(call: Call): Promise<Answer>
}

/** An agent with mail, who has one of everything that the examples name by its id. */
async function startWorld(daemon: Daemon): Promise<World> {
  const pending = await claim(daemon, 'pending.agent')
  const ben = await approvedAgent(daemon, 'ben.agent', 'ben@example.org')
  const ada = await approvedAgent(daemon, 'ada.agent', 'ada@example.org')
  /** What was seen last of each kind of id. */
  const seen = new Map<string, string>()
  const notice = (body: unknown) => {
    for (const [id, kind] of JSON.stringify(body).matchAll(/\b([a-z]{2,4})_[0-9A-HJKMNP-TV-Z]{26}\b/g)) {
      if (kind !== undefined) seen.set(kind, id)
    }
  }
  const withOwnIds = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(
        /\b([a-z]{2,4})_01K7E8[0-9A-HJKMNP-TV-Z]{20}\b/g,
        (id: string, kind: string) => seen.get(kind) ?? id,
      ),
    )

  /** A message from somebody else, with a file. */
  async function receive(): Promise<void> {
    const { seq } = (await ada.call('GET', '/v1/events?limit=100')).body.data.at(-1) ?? { seq: 0 }
    await ben.call('POST', '/v1/send', {
      to: ada.address,
      subject: 'Invoice',
      text: 'Here is the invoice for October.',
      attachments: [{ filename: 'invoice.txt', content_type: 'text/plain', content: 'SW52b2ljZQ==' }],
    })
    const { data } = await waitForEvent(ada, (event) => event.type === 'message.received', seq)
    notice((await ada.call('GET', `/v1/messages/${data.message_id}`)).body)
  }
  const make = async (path: string, body: unknown) => notice((await ada.call('POST', path, body)).body)
  const PREPARED: Record<string, () => Promise<unknown>> = {
    restoreMessage: async () => ada.call('DELETE', `/v1/messages/${seen.get('msg')}`),
    restoreThread: async () => ada.call('DELETE', `/v1/threads/${seen.get('thr')}`),
    deleteMessage: receive,
    deleteThread: receive,
    purgeMessage: async () => receive().then(() => ada.call('DELETE', `/v1/messages/${seen.get('msg')}`)),
    getMessage: receive,
    getAttachment: receive,
    listMessageParts: receive,
    getMessagePart: receive,
    cancelMessage: () => {
      const later = new Date(Date.now() + 3_600_000).toISOString()
      return make('/v1/send', { to: ben.address, subject: 'Friday', text: 'Shall we say ten?', send_at: later })
    },
    redeliverWebhook: async () => {
      await receive()
      for (;;) {
        const { body } = await ada.call('GET', `/v1/webhooks/${seen.get('whk')}/deliveries`)
        notice(body)
        if (body.data.length > 0) return
      }
    },
    rotateKey: () => make('/v1/keys', { name: 'another' }),
    revokeKey: () => make('/v1/keys', { name: 'another' }),
    deleteMailbox: () => make('/v1/mailboxes', { name: 'another-one' }),
    updateDraft: () => make('/v1/drafts', { subject: 'Friday' }),
    sendDraft: () => make('/v1/drafts', { to: ben.address, subject: 'Friday', text: 'Shall we say ten?' }),
    getDraft: () => make('/v1/drafts', { subject: 'Friday' }),
    deleteDraft: () => make('/v1/drafts', { subject: 'Friday' }),
  }
  await receive()
  return {
    async callExample(call) {
      await PREPARED[call.operationId]?.()
      const example = withOwnIds({
        params: Object.fromEntries((call.parameters ?? []).map(({ name, example }) => [name, example])),
        body: call.requestBody?.content['application/json']?.example,
      })
      const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(example.params[name])),
      )
      const query = new URLSearchParams()
      for (const { name, in: place } of call.parameters ?? []) {
        // A cursor is of one list at one time.
        if (place === 'query' && name !== 'cursor' && example.params[name] !== undefined)
          query.set(name, String(example.params[name]))
      }
      if (call.operationId === 'replayWebhook') example.body = { after: 0 }
      if (call.operationId === 'claimMailbox') {
        const { challenge, difficulty } = (await request(`${daemon.url}/v1/claim/challenge`, 'GET')).body
        example.body = { ...Object(example.body), challenge, nonce: solve(challenge, difficulty) }
      }
      const agent: Agent = /^(inviteApprover|getClaimStatus)$/.test(call.operationId) ? pending : ada
      const answer = await agent.call(call.method, `${path}?${query.toString()}`, example.body)
      if (call.method !== 'DELETE') notice(answer.body)
      return answer
    },
  }
}

function named(calls: Call[], id: string): Call {
  const found = calls.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

function parameter({ parameters = [] }: Call, name: string) {
  return parameters.find((each) => each.name === name)
}

/** What is wrong with an answer by the description; empty when nothing is. */
function contractOf(api: OpenApi): (call: Call, answer: Answer) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(Object(closed(api)), 'api')
  return (call, { status, headers, body }) => {
    const described = call.responses[String(status)]
    if (!described) return [`${status} is not described: ${JSON.stringify(body).slice(0, 300)}`]
    if (headers.get('x-request-id') === null) return ['no X-Request-Id']
    const type = headers.get('content-type')?.split(';')[0]
    if (!described.content) return body === '' ? [] : [`${status} has a body`]
    if (
      type === undefined ||
      !(type in described.content || '*/*' in described.content || 'application/octet-stream' in described.content)
    )
      return [`${status} has the type ${type}`]
    if (type !== 'application/json') return []
    const problems: string[] = []
    const pointer = [
      'paths',
      call.path,
      call.method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    ]
    const check = ajv.getSchema(
      `api#/${pointer.map((each) => encodeURIComponent(each.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
    )
    if (!check) return [`${status} has no schema`]
    if (!check(body))
      problems.push(`${status}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body).slice(0, 300)}`)
    if (status >= 400) {
      const examples = described.content[type]?.examples ?? {}
      if (!(body.error.code in examples)) problems.push(`${status} ${body.error.code} is not described`)
      if ((status === 429 || status === 503) && headers.get('retry-after') === null)
        problems.push(`${status} without Retry-After`)
    }
    return problems
  }
}

/** The description with every object of an answer closed, so that a field it does not name is seen. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]))
  const isObject = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy)
  return isObject ? { ...copy, additionalProperties: false } : copy
}
