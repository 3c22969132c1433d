/** Mail is read with `mail:read` and in no other way: every call, made with every other scope, against a mailbox whose mail is full of one word. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { z } from 'zod'
import { SCOPES, type Scope } from '../../src/accounts/types.js'
import { callTool } from '../../src/api/mcp/server/call.js'
import { createOpenCalls } from '../../src/api/mcp/server/open-calls.js'
import { TOOLS } from '../../src/api/mcp/tools/tools.js'
import { routes } from '../../src/api/v1-routes.js'
import { HOUR } from '../../src/lib/clock.js'
import { deliveryOf } from '../mailbox/world.js'
import { accountWorld, type AccountWorld } from './support/account-world.js'
import { fakes } from './support/fakes.js'
import { toolDeps } from './mcp/run-tool.js'

const WORD = 'kanarienvogel'
const FROM = `${WORD}@example.org`
const UNREADING: readonly (readonly Scope[])[] = [
  ...SCOPES.filter((scope) => scope !== 'mail:read').map((scope) => [scope]),
  SCOPES.filter((scope) => scope !== 'mail:read'),
]

const rawMail = (): Buffer => {
  const unique = randomUUID()
  return Buffer.from(
    [
      `From: The ${WORD} <${FROM}>`,
      'To: agent@agents.example',
      `Cc: ${WORD}-too@example.net`,
      `Subject: About the ${WORD} ${unique}`,
      `X-Bird: ${WORD}`,
      `Message-ID: <${unique}.${WORD}@example.org>`,
      'Date: Thu, 01 Jan 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      `Your code is 493817, says the ${WORD}: https://${WORD}.example.org/`,
      '--b',
      `Content-Type: text/plain; name=${WORD}.txt`,
      'Content-Disposition: attachment',
      '',
      WORD,
      '--b--',
      '',
    ].join('\r\n'),
  )
}

/** Mail of each kind, made afresh, since calls change and delete it. */
async function fill(w: AccountWorld) {
  const deliver = async () => w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: FROM, raw: rawMail() }))
  const message = await deliver()
  const trashed = await deliver()
  await w.mailboxes.trash.deleteMessage(w.id, trashed.id)
  const words = { subject: WORD, text: WORD }
  const to = [{ address: FROM, name: WORD }]
  const draft = await w.mailboxes.drafts.create(w.id, { ...words, to }, { idempotencyKey: undefined })
  const later = { cc: [], bcc: [], replyTo: [], html: null, attachments: [], labels: [], sendAt: w.clock.now() + HOUR }
  const scheduled = await w.mailboxes.sending.send(w.id, { ...words, to, ...later }, {})
  if (!('id' in scheduled)) throw new Error('it was not scheduled')
  return { message, trashed, draft, scheduled: scheduled.id }
}
type Filled = Awaited<ReturnType<typeof fill>>

const BODIES: Record<string, (mail: Filled) => object> = {
  updateMessages: ({ message }) => ({ ids: [message.id], unread: false }),
  updateThreads: ({ message }) => ({ ids: [message.thread_id], unread: false }),
  createDraft: ({ message }) => ({ in_reply_to: message.id, reply_all: true, text: 'Yes.' }),
  updateDraft: () => ({ text: 'No.' }),
  sendMessage: () => ({ to: 'ada@example.org', subject: 'Hello', text: 'Hello.' }),
  createKey: () => ({ name: 'one more' }),
  createMailbox: () => ({ name: `box-${randomUUID().slice(0, 8)}` }),
}

function pathOf(path: string, { message, trashed, draft, scheduled }: Filled): string {
  const id = path.endsWith('/cancel')
    ? scheduled
    : path.startsWith('/v1/drafts')
      ? draft.id
      : path.startsWith('/v1/trash') || path.endsWith('/messages/{id}/restore')
        ? trashed.id
        : path.startsWith('/v1/threads')
          ? (path.endsWith('/restore') ? trashed : message).thread_id
          : message.id
  return path
    .replace('{id}', id)
    .replace('{attachment_id}', message.attachments[0]?.id ?? '')
    .replace('{part}', '0')
    .replace(/\{\w+\}/g, 'x')
}

/** Calls that show mail to who may read it, and are open to who may not. */
const SHOWING: Record<string, Scope> = {
  updateMessage: 'mail:write',
  updateThread: 'mail:write',
  updateThreads: 'mail:write',
  restoreMessage: 'mail:write',
  restoreThread: 'mail:write',
  createDraft: 'mail:write',
  updateDraft: 'mail:write',
  deleteDraft: 'mail:write',
  cancelMessage: 'mail:send',
}

t.test('no call of the API gives mail to a key without mail:read', async (t) => {
  const w = await accountWorld(t)
  const sample = await fill(w)
  for (const scopes of [...UNREADING, SCOPES]) {
    const { text: key } = await w.accounts.createKey(w.id, { scopes: [...scopes] })
    // What ends the account or this very key comes last, if at all.
    for (const route of routes.filter(({ auth, operationId }) => auth !== 'none' && operationId !== 'revokeKey')) {
      const { method, operationId, body, scopes: needed } = route
      if (scopes === SCOPES && !(operationId in SHOWING)) continue
      if (needed.some((scope) => !scopes.includes(scope))) {
        const refused = await w.call(method, pathOf(route.path, sample), body && {}, key)
        t.equal(refused.status, 403, `${operationId} with ${scopes.join(' ')}`)
        continue
      }
      const mail = await fill(w)
      const path = pathOf(route.path, mail)
      const json = body || method === 'POST' ? (BODIES[operationId]?.(mail) ?? route.example.body ?? {}) : undefined
      const variants = 'dry_run' in (route.query?.shape ?? {}) ? ['', '?dry_run=1'] : ['']
      for (const query of variants) {
        const name = `${operationId}${query} with ${scopes.join(' ')}`
        if (scopes === SCOPES) {
          t.match(
            (await w.call(method, path + query, json, key)).text,
            WORD,
            `${name} shows it, so the word is looked for well`,
          )
          continue
        }
        const { status, text } = await w.call(method, path + query, json, key)
        t.notMatch(text.replaceAll(encodeURIComponent(FROM), ''), WORD, name)
        t.notMatch(text, '493817', name)
        const scope = SHOWING[operationId]
        if (scope !== undefined && scopes.includes(scope)) t.ok(status < 300, `${name} is answered`)
      }
    }
  }
})

/** Whether an object with an id begins with that and what it is. What has no id is no object of its own, and has no `object` either. */
function beginsRight(names: readonly string[]): boolean {
  if (!names.includes('id') && !names.includes('object')) return true
  // An event has its place in the log first, which is its cursor.
  const [id, object] = names[0] === 'seq' ? names.slice(1) : names
  return id === 'id' && object === 'object'
}

/** Places of objects that do not begin as they have to. */
function misplaced(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => misplaced(each, `${place}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  const names = Object.keys(value)
  return [
    ...(beginsRight(names) ? [] : [`${place}: ${names.slice(0, 3).join()}`]),
    ...Object.entries(value).flatMap(([name, inner]) => misplaced(inner, `${place}.${name}`)),
  ]
}

const described = z.looseObject({ properties: z.record(z.string(), z.unknown()) })

/** The same of what the description promises, of every answer whether a test gets it or not. */
function misdescribed(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const names = Object.keys(described.safeParse(schema).data?.properties ?? {})
  return [
    ...(beginsRight(names) ? [] : [`${place}: ${names.slice(0, 3).join()}`]),
    ...Object.entries(schema).flatMap(([name, inner]) => misdescribed(inner, `${place}.${name}`)),
  ]
}

t.test('every answer is described as beginning with its id and what it is', async (t) => {
  for (const { operationId, responses } of routes) {
    for (const { schema, example } of Object.values(responses)) {
      if (schema) t.strictSame(misdescribed(z.toJSONSchema(schema, { io: 'output' }), operationId), [], operationId)
      t.strictSame(misplaced(example, operationId), [], `the example of ${operationId}`)
    }
  }
  t.strictSame(misplaced([{ address: 'a', object: 'alias' }, { object: 'x', id: 'y' }, { id: 'y' }], 'p').length, 3)
})

t.test('every object begins with its id and what it is', async (t) => {
  const w = await accountWorld(t)
  let answered = 0
  for (const { method, operationId, path, body, auth } of routes) {
    if (auth === 'none' || /^(?:revokeKey|deleteAccount|deleteMailbox)$/.test(operationId)) continue
    const mail = await fill(w)
    const json = body ? (BODIES[operationId]?.(mail) ?? {}) : undefined
    const answer = await w.call(method, pathOf(path, mail), json)
    if (answer.status < 300) answered++
    t.strictSame(misplaced(answer.json, operationId), [], operationId)
  }
  t.ok(answered > 25, `${answered} calls were answered`)
})

t.test('what is answered without mail:read says how a thing stands', async (t) => {
  const w = await accountWorld(t)
  const { text: key } = await w.accounts.createKey(w.id, { scopes: ['mail:write', 'mail:send'] })
  const { message, draft, scheduled } = await fill(w)
  const patched = await w.call('PATCH', `/v1/messages/${message.id}`, { add_labels: ['seen'], unread: false }, key)
  t.strictSame(patched.json, {
    id: message.id,
    object: 'message',
    mailbox_id: w.id,
    thread_id: message.thread_id,
    direction: 'inbound',
    status: 'received',
    labels: ['inbox', 'seen'],
    unread: false,
    created_at: message.created_at,
    updated_at: z.object({ updated_at: z.string() }).parse(patched.json).updated_at,
  })
  t.strictSame((await w.call('PATCH', `/v1/threads/${message.thread_id}`, { unread: true }, key)).json, {
    id: message.thread_id,
    object: 'thread',
    mailbox_id: w.id,
    labels: ['inbox', 'seen'],
    unread_count: 1,
    message_count: 1,
  })
  t.match((await w.call('POST', `/v1/messages/${scheduled}/cancel`, {}, key)).json, { status: 'cancelled' })
  t.match((await w.call('DELETE', `/v1/drafts/${draft.id}`, undefined, key)).json, { id: draft.id, object: 'draft' })
})

t.test('who may not read cannot have what others wrote sent to somebody', async (t) => {
  const w = await accountWorld(t)
  const { message, draft } = await fill(w)
  const { text: key } = await w.accounts.createKey(w.id, { scopes: ['mail:write', 'mail:send'] })
  const elsewhere = { to: 'mallory@example.net' }
  const refused = { status: 403, json: { error: { code: 'insufficient_scope', message: /mail:read/ } } }
  t.match(await w.call('PATCH', `/v1/drafts/${draft.id}`, elsewhere, key), refused)
  t.match(await w.call('PATCH', `/v1/drafts/${draft.id}`, { bcc: [] }, key), refused)
  t.match(await w.call('POST', '/v1/drafts', { in_reply_to: message.id, cc: 'mallory@example.net' }, key), refused)
  t.match(await w.call('POST', `/v1/messages/${message.id}/forward`, elsewhere, key), refused)
  t.equal((await w.call('PATCH', `/v1/drafts/${draft.id}`, { text: 'Mine.' }, key)).status, 200)
  t.equal((await w.call('POST', '/v1/drafts', { ...elsewhere, text: 'Mine.' }, key)).status, 201)
  t.equal((await w.call('PATCH', `/v1/drafts/${draft.id}`, elsewhere)).status, 200, 'who may read can')
})

t.test('a repetition is answered by the scopes of who repeats', async (t) => {
  const w = await accountWorld(t)
  const { message } = await fill(w)
  const { text: writer } = await w.accounts.createKey(w.id, { scopes: ['mail:write'] })
  const again = { 'Idempotency-Key': 'once' }
  const body = { in_reply_to: message.id, text: 'Yes.' }
  const first = await w.call('POST', '/v1/drafts', body, w.key, again)
  const second = await w.call('POST', '/v1/drafts', body, writer, again)
  const id = z.object({ id: z.string() })
  t.equal(id.parse(second.json).id, id.parse(first.json).id)
  t.match(first.text, WORD)
  t.notMatch(second.text, WORD)
})

t.test('who may not read is not told whom an answer would go to', async (t) => {
  const w = await accountWorld(t)
  const { message, draft } = await fill(w)
  const { text: sender } = await w.accounts.createKey(w.id, { scopes: ['mail:send'] })
  const answers = await w.call('POST', `/v1/messages/${message.id}/reply-all?dry_run=1`, { text: 'Yes.' })
  t.match(answers.text, `${WORD}-too@example.net`, 'who may read is')
  await w.call('POST', '/v1/lists/send/block', { entry: FROM })
  const paths = [
    `/v1/messages/${message.id}/reply`,
    `/v1/messages/${message.id}/reply-all`,
    `/v1/drafts/${draft.id}/send`,
  ]
  for (const path of paths) {
    const body = path.includes('drafts') ? {} : { text: 'Yes.' }
    const refused = await w.call('POST', path, body, sender)
    t.match(refused, { status: 403, json: { error: { code: 'recipient_blocked', hint: /mail:read/ } } }, path)
    t.notMatch(refused.text, WORD, path)
    t.match((await w.call('POST', path, body)).text, FROM, 'others are')
    const dry = await w.call('POST', `${path}?dry_run=1`, body, sender)
    t.match(dry, { status: 403, json: { error: { code: 'insufficient_scope', message: /mail:read/ } } })
  }
})

const SHOWING_TOOLS = ['save_draft']

t.test('nor does any tool of MCP', async (t) => {
  const w = await accountWorld(t)
  const deps = { ...toolDeps({ ...fakes(), mailboxes: w.mailboxes }), accounts: w.accounts }
  for (const scopes of [...UNREADING, SCOPES]) {
    const { text: key } = await w.accounts.createKey(w.id, { scopes: [...scopes] })
    const caller = await w.accounts.authenticate(key)
    if (!caller) throw new Error('the key is good')
    const found: string[] = []
    for (const tool of TOOLS) {
      if (scopes === SCOPES && !SHOWING_TOOLS.includes(tool.name)) continue
      for (const args of argumentsOf(tool.name, await fill(w))) {
        const calling = { caller, requestId: 'req_1', hold: AbortSignal.timeout(1000), openCalls: createOpenCalls() }
        const answer = await callTool(tool, args, deps, calling, { id: 1, notify: async () => undefined })
        const text = JSON.stringify(answer)
        if (text.includes(WORD)) found.push(tool.name)
        if (scopes.includes('mail:write') && ['save_draft', 'label', 'mark_read'].includes(tool.name))
          t.notOk(answer.isError, `${tool.name} ${text}`)
      }
    }
    if (scopes !== SCOPES) t.strictSame(found, [], scopes.join(' '))
    else
      t.strictSame(
        SHOWING_TOOLS.filter((name) => !found.includes(name)),
        [],
        'well looked for',
      )
  }
})

/** Whatever a tool takes to do something with the mail that is there. */
function argumentsOf(tool: string, { message, draft, scheduled }: Filled): object[] {
  const message_id = message.id
  const thread_id = message.thread_id
  switch (tool) {
    case 'reply':
      return [
        { message_id, text: 'Yes.' },
        { message_id, text: 'Yes.', reply_all: true },
      ]
    case 'trash':
      return [
        { action: 'delete', message_id, dry_run: true },
        { action: 'delete', message_id },
        { action: 'restore', message_id },
        { action: 'delete', thread_id, dry_run: true },
      ]
    case 'label':
      return [
        { message_id, add_labels: ['seen'] },
        { thread_id, add_labels: ['seen'] },
      ]
    case 'mark_read':
      return [{ message_ids: [message_id] }, { thread_id }]
    case 'save_draft':
      return [
        { in_reply_to: message_id, reply_all: true, text: 'Yes.' },
        { draft_id: draft.id, html: null },
      ]
    case 'check_before_sending':
      return [
        { in_reply_to: message_id, reply_all: true, text: 'Yes.' },
        { draft_id: draft.id },
        { to: ['ada@example.org'], text: 'Yes.' },
      ]
    case 'send_draft':
      return [{ draft_id: draft.id }]
    case 'cancel_send':
      return [{ message_id: scheduled }]
    case 'read_conversation':
      return [{ thread_id }]
    case 'search_mail':
      return [{ query: WORD.slice(0, 8) }]
    case 'wait_for_mail':
      return [{ after_seq: 0, timeout_seconds: 1 }]
    case 'list_drafts':
      return [{ draft_id: draft.id }, {}]
    case 'get_attachment':
      return [{ message_id, attachment_id: message.attachments[0]?.id }]
    case 'forward':
      return [{ message_id, to: ['ada@example.org'] }]
    default:
      return [{}, { message_id }, { thread_id }]
  }
}
