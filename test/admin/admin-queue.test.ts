/** The operator's queue over the admin listener, on a real queue: what is asked wrongly, long lists while mail moves, mail that is at work. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { HOUR, ManualClock, MINUTE } from '../../src/lib/clock.js'
import type { RelayTask } from '../../src/mailbox/tasks.js'
import { createHoldRules } from '../../src/relay/queue/holds.js'
import { pageSchema } from '../../src/relay/operator/types.js'
import { StartedOperatorQueue } from '../../src/relay/operator/operator.js'
import { createStore } from '../../src/store/store.js'
import { HELD } from '../../src/queue/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { captureLog } from '../support/log.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { startFakedAdmin, TOKEN } from './start.js'
import { ask } from '../http/client.js'
import { tasksIn } from '../support/store/tasks.js'

const ALICE = `mbx_${'0'.repeat(25)}A`
const A = `msg_${'0'.repeat(25)}A`
const B = `msg_${'0'.repeat(25)}B`

async function start(t: Test) {
  const clock = new ManualClock()
  const store = createStore(memoryEngine({ lateness: 0 }))
  const queue = createWorkQueue({ store, clock })
  const holds = createHoldRules({ store })
  const deleted: string[] = []
  const done = async (): Promise<number> => 1
  const operator = new StartedOperatorQueue({
    queue,
    holds,
    clock,
    log: captureLog().log,
    route: async () => null,
    mailboxes: {
      events: async () => ({ data: [], has_more: false, next_after: 0 }),
      outbound: {
        recordHold: done,
        recordRelease: done,
        async recordDeletion(mailboxId, messageId, domain) {
          deleted.push(`${messageId}:${domain}`)
          await store.write(`mailbox/${mailboxId}`, (tx) => queue.finish(tx, 'relay', `${messageId}:${domain}`))
          return 1
        },
        keepDeliveries: (_messageId, fn) => fn(false),
        async envelope(mailboxId, messageId) {
          const at = '2026-01-01T00:00:00.000Z'
          const waits = { smtp_code: null, detail: null, attempts: 0, next_attempt_at: null, at }
          return {
            messageId,
            mailboxId,
            from: 'alice@agents.test',
            status: 'queued',
            sizeBytes: 1000,
            recipients: ['dead.test', 'other.test'].map((domain) => ({
              address: `x@${domain}`,
              status: 'queued' as const,
              ...waits,
            })),
            createdAt: 0,
            sentAt: null,
            firstEvent: 1,
          }
        },
      },
      directory: {
        resolve: async (address) =>
          address === 'alice@agents.test' ? mailboxRecord({ id: ALICE, address }) : undefined,
        get: async () => undefined,
      },
    },
  })
  const { server } = await startFakedAdmin(t, { queue: operator })
  t.teardown(async () => {
    await server.close(0)
    await operator.stop()
  })
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
  return {
    clock,
    queue,
    holds,
    deleted,
    get: (path: string) => ask(server.port, path, { method: 'GET', headers }),
    post: (action: string, body: unknown) =>
      ask(server.port, `/queue/${action}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    async put(messageId: string, domain: string, wait = HOUR) {
      const payload: RelayTask = { mailbox_id: ALICE, message_id: messageId, domain }
      await queue.enqueue('relay', { id: `${messageId}:${domain}`, payload, due: clock.now() + wait })
    },
    /** Takes what is due and keeps it until `end`. */
    async work(outcome: { done: true } | { done: false; retryAt: number }) {
      let end: () => void = () => undefined
      const ended = new Promise<void>((resolve) => (end = resolve))
      let began: () => void = () => undefined
      const begun = new Promise<void>((resolve) => (began = resolve))
      const worker = queue.run<RelayTask>(
        'relay',
        async () => {
          began()
          await ended
          return outcome
        },
        { concurrency: 10, onError: (error) => t.fail(String(error)) },
      )
      await begun
      return async () => {
        end()
        await worker.stop()
      }
    },
  }
}

t.test('what is asked wrongly is answered with what to do instead, and changes nothing', async (t) => {
  const { get, post, put, queue, holds } = await start(t)
  await put(A, 'dead.test')
  const before = await queue.get('relay', `${A}:dead.test`)
  for (const action of ['hold', 'release', 'retry', 'delete']) {
    for (const id of [
      'nonsense',
      'msg_',
      `${A.toLowerCase()}`,
      '../../etc/passwd',
      `tsk_${'!'.repeat(26)}`,
      ':dead.test',
    ]) {
      const answer = await post(action, { id })
      t.ok(answer.status === 400 || answer.status === 404, `${action} ${id}: ${answer.status}`)
      t.match(answer.json, { error: { hint: /\w/ } }, `${action} ${id} has a hint`)
    }
    t.match(await post(action, { id: B }), { status: 404, json: { error: { code: 'not_found', hint: String } } })
    for (const domain of ['no domain', 'a@b@c', 'http://dead.test', '%64ead.test', '-', '.'.repeat(250)]) {
      const answer = await post(action, { domain })
      t.ok(answer.status === 400 || answer.status === 404, `${action} ${domain}: ${answer.status}`)
      t.match(answer.json, { error: { hint: /\w/ } })
    }
    t.match(await post(action, { mailbox: 'eve@agents.test' }), { status: 404 })
    t.match(await post(action, { id: 'x'.repeat(401) }), { status: 400 })
    t.match(await post(action, { id: A, surprise: true }), { status: 400 })
    t.match(await post(action, []), { status: 400 })
  }
  for (const action of ['hold', 'release']) {
    t.match(await post(action, {}), { status: 400, json: { error: { message: 'Nothing is named.' } } })
    t.match(await post(action, { id: A, domain: 'dead.test' }), {
      status: 400,
      json: { error: { message: 'More than one thing is named.' } },
    })
    t.match(await post(action, { mailbox: 'alice@agents.test', domain: 'dead.test' }), { status: 400 })
  }
  t.match(await post('delete', {}), { status: 400 })
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=ten',
    'limit=0x10',
    'limit=1e1',
    'state=lost',
    'cursor=nonsense',
    'cursor=WzEsMl0',
    'sort=id',
  ])
    t.match(await get(`/queue?${query}`), { status: 400, json: { error: { code: 'invalid_request' } } }, query)
  t.match(await get('/queue/message?id=nonsense'), { status: 400 })
  t.match(await get(`/queue/message?id=${B}`), { status: 404 })
  t.same(await queue.get('relay', `${A}:dead.test`), before)
  t.same(await holds.list(), [])
})

t.test('what two names have in common is retried or deleted: the mail of a mailbox to a domain', async (t) => {
  const { post, put, queue, deleted } = await start(t)
  await put(A, 'dead.test')
  await put(B, 'other.test')
  const both = { mailbox: 'alice@agents.test', domain: 'dead.test' }
  t.match((await post('retry', both)).json, { changed: 1, finished: true })
  t.match((await post('delete', both)).json, { changed: 1 })
  t.same(deleted, [`${A}:dead.test`])
  t.ok(await queue.get('relay', `${B}:other.test`))
})

t.test('a thousand tasks are listed page by page while some move: who stays is there once', async (t) => {
  const { get, queue, clock, put } = await start(t)
  const ids = Array.from({ length: 1000 }, (_, i) => `msg_${String(i).padStart(26, '0')}`)
  await Promise.all(ids.map((id, i) => put(id, 'dead.test', MINUTE + ((i * 7919) % 1000) * 1000)))
  const seen = new Map<string, number>()
  const moved = new Set<string>()
  let cursor: string | null = null
  let pages = 0
  do {
    const answer = await get(`/queue?limit=90${cursor === null ? '' : `&cursor=${cursor}`}`)
    t.equal(answer.status, 200)
    const json = pageSchema.parse(answer.json)
    for (const { id } of json.data) seen.set(id, (seen.get(id) ?? 0) + 1)
    // Between two pages some are tried and wait anew, some leave, and new ones come.
    for (let i = 0; i < 30; i++) {
      const id = `${ids[(pages * 30 + i) * 3] ?? ''}:dead.test`
      moved.add(id)
      if (i % 3 === 0) await queue.remove('relay', id)
      else await queue.reschedule('relay', id, clock.now() + (i % 3 === 1 ? 0 : 2 * HOUR))
    }
    await put(`msg_NEW${String(pages).padStart(23, '0')}`, 'dead.test', 0)
    pages++
    cursor = json.next_cursor
    t.equal(json.has_more, cursor !== null)
  } while (cursor !== null && pages < 100)
  t.ok(pages >= 9 && pages < 20, `${pages} pages`)
  const stayed = ids.map((id) => `${id}:dead.test`).filter((id) => !moved.has(id))
  t.same(
    stayed.filter((id) => seen.get(id) !== 1),
    [],
  )
  t.ok(stayed.length > 600)
})

t.test('what was just being taken when its rule was released is let go all the same', async (t) => {
  const { post, put, queue, holds, clock, work } = await start(t)
  await put(A, 'dead.test', 0)
  await post('hold', { domain: 'other.test' })
  const end = await work({ done: false, retryAt: HELD })
  // It was at work when the rule came, and asked after its rules before the release.
  t.match((await post('hold', { domain: 'dead.test' })).json, { changed: 0, busy: 1 })
  t.match((await post('release', { domain: 'dead.test' })).json, { changed: 0, busy: 1, finished: true })
  await end()
  t.equal((await queue.get('relay', `${A}:dead.test`))?.due, HELD, 'the relay holds it, and nobody would let it go')
  while ((await holds.released()).length > 0) await nextTurn()
  t.ok(((await queue.get('relay', `${A}:dead.test`))?.due ?? HELD) <= clock.now() + 1000)
  t.match(await holds.list(), [{ value: 'other.test' }])
})

t.test('a message that is being delivered is not deleted, nor is the rest of it; afterwards it can be', async (t) => {
  const { post, put, queue, deleted, work, clock, get } = await start(t)
  await put(A, 'dead.test', 0)
  await put(A, 'other.test')
  const end = await work({ done: false, retryAt: clock.now() + HOUR })
  t.match((await get('/queue?state=sending')).json, { data: [{ id: `${A}:dead.test` }] })
  t.match(await post('delete', { id: A }), {
    status: 400,
    json: { error: { message: `${A}:dead.test is being delivered right now.`, hint: /hold keeps it from another/ } },
  })
  t.match((await post('retry', { id: A })).json, { changed: 1, busy: 1 })
  t.same(deleted, [])
  await end()
  t.match((await post('delete', { id: A })).json, { changed: 2, busy: 0 })
  t.same(deleted.sort(), [`${A}:dead.test`, `${A}:other.test`])
  t.same(await tasksIn(queue, 'relay', 10), [])
})
