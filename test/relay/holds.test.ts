/** The operator's rules and commands over a real queue: what is held, what goes on, and what a crash leaves. */
import t, { type Test } from 'tap'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { createHoldRules } from '../../src/relay/queue/holds.js'
import { StartedOperatorQueue } from '../../src/relay/operator/operator.js'
import { createStore } from '../../src/store/store.js'
import type { RelayTask } from '../../src/mailbox/tasks.js'
import { type WorkQueue, HELD } from '../../src/queue/types.js'
import type { Store } from '../../src/store/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'

const MESSAGES = ['A', 'B', 'C', 'D'].map((letter) => `msg_${'0'.repeat(25)}${letter}`)
const [A = '', B = '', C = '', D = ''] = MESSAGES
const ALICE = `mbx_${'0'.repeat(25)}A`
const BOB = `mbx_${'0'.repeat(25)}B`

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

async function world(t: Test, before?: { store: Store; queue: WorkQueue; clock: ManualClock }) {
  const clock = before?.clock ?? new ManualClock()
  const store = before?.store ?? createStore(memoryEngine())
  const queue = before?.queue ?? createWorkQueue({ store, clock })
  const holds = createHoldRules({ store })
  const told: string[] = []
  const { log, lines } = captureLog()
  const tell = (what: string) => async (mailboxId: string, id: string, domain: string) => {
    told.push(`${what} ${mailboxId === ALICE ? 'alice' : 'bob'} ${id.slice(-1)} ${domain}`)
    return 1
  }
  const operator = new StartedOperatorQueue({
    queue,
    holds,
    clock,
    log,
    route: async () => null,
    mailboxes: {
      events: async () => ({ data: [], has_more: false, next_after: 0 }),
      outbound: {
        recordHold: tell('hold'),
        recordRelease: tell('release'),
        async recordDeletion(mailboxId, id, domain) {
          await store.write(`mailbox/${mailboxId}`, (tx) => queue.finish(tx, 'relay', `${id}:${domain}`))
          return tell('delete')(mailboxId, id, domain)
        },
        keepDeliveries: (_messageId, fn) => fn(false),
        async envelope(mailboxId, messageId) {
          const domains = ['dead.test', 'sub.dead.test', 'other.test']
          const recipients = domains.map((domain) => {
            const at = '2026-01-01T00:00:00.000Z'
            const waits = { smtp_code: null, detail: null, attempts: 0, next_attempt_at: null, at }
            return { address: `x@${domain}`, status: 'queued' as const, ...waits }
          })
          const times = { createdAt: 0, sentAt: null, firstEvent: 1 }
          return {
            messageId,
            mailboxId,
            from: 'alice@agents.test',
            status: 'queued',
            sizeBytes: 1000,
            recipients,
            ...times,
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
  t.teardown(() => operator.stop())
  const put = async (messageId: string, domain: string, mailboxId = ALICE, wait = HOUR): Promise<void> => {
    const payload: RelayTask = { mailbox_id: mailboxId, message_id: messageId, domain }
    await queue.enqueue('relay', { id: `${messageId}:${domain}`, payload, due: clock.now() + wait })
  }
  const dueOf = async (id: string): Promise<number | undefined> => (await queue.get('relay', id))?.due
  return { clock, store, queue, holds, operator, told, lines, put, dueOf }
}

t.test('a domain is held with its subdomains, now and for what comes, and let go without the others', async (t) => {
  const { operator, put, told, dueOf, holds, clock } = await world(t)
  await put(A, 'dead.test')
  await put(B, 'sub.dead.test', BOB)
  await put(C, 'undead.test')
  t.match(await operator.hold({ domain: 'Dead.Test' }, { reason: 'moving', by: 'root' }), {
    changed: 2,
    finished: true,
  })
  t.equal(await dueOf(`${A}:dead.test`), HELD)
  t.equal(await dueOf(`${B}:sub.dead.test`), HELD)
  t.not(await dueOf(`${C}:undead.test`), HELD)
  t.same(told.sort(), ['hold alice A dead.test', 'hold bob B sub.dead.test'])
  const comes = { id: `${D}:mx.dead.test`, messageId: D, mailboxId: ALICE, domain: 'mx.dead.test' }
  t.match(await holds.matches(comes), { kind: 'domain', value: 'dead.test' })
  t.equal(await holds.matches({ ...comes, domain: 'undead.test' }), undefined)
  t.match(await operator.holds(), [{ kind: 'domain', name: 'dead.test', reason: 'moving', by: 'root' }])
  t.match(await operator.release({ domain: 'dead.test' }), { changed: 2 })
  t.ok(((await dueOf(`${A}:dead.test`)) ?? HELD) <= clock.now() + 1000)
  t.same(await operator.holds(), [])
})

t.test('what two rules hold is let go when both are released', async (t) => {
  const { operator, put, dueOf } = await world(t)
  await put(A, 'dead.test')
  await operator.hold({ mailbox: 'alice@agents.test' }, {})
  await operator.hold({ domain: 'dead.test' }, {})
  t.match(await operator.release({ domain: 'dead.test' }), { changed: 0 })
  t.equal(await dueOf(`${A}:dead.test`), HELD)
  t.match(await operator.release({ mailbox: 'alice@agents.test' }), { changed: 1 })
})

t.test('a release that a crash cut off is finished at the next start', async (t) => {
  const first = await world(t)
  await first.put(A, 'dead.test')
  await first.operator.hold({ domain: 'dead.test' }, {})
  await first.holds.release('domain', 'dead.test')
  await first.operator.stop()
  const again = await world(t, first)
  await again.operator.retry({})
  t.not(await again.dueOf(`${A}:dead.test`), HELD, 'a run waits for those before it')
  t.same(again.told, ['release alice A dead.test'])
})

t.test('rules outlive the process', async (t) => {
  const first = await world(t)
  await first.put(A, 'dead.test')
  await first.operator.hold({ id: A }, { reason: 'odd' })
  const again = await world(t, first)
  t.match(await again.operator.holds(), [{ kind: 'message', value: A, reason: 'odd' }])
})

t.test('a message is deleted and its sender told; one that is being delivered is refused whole', async (t) => {
  const { operator, put, told, queue, clock } = await world(t)
  await put(A, 'dead.test')
  await put(A, 'other.test', ALICE, 0)
  const began = deferred()
  const end = deferred()
  const worker = queue.run(
    'relay',
    async () => {
      began.resolve()
      await end.promise
      return { done: true }
    },
    { concurrency: 1, onError: (error) => t.fail(String(error)) },
  )
  await began.promise
  t.match(await operator.list({ limit: 10 }), {
    data: [{ id: `${A}:other.test`, state: 'sending', next_attempt_at: null }, {}],
  })
  await t.rejects(operator.delete({ id: A }), { message: /is being delivered right now/, hint: /Ask again/ })
  t.same(told, [], 'nothing of it was deleted')
  end.resolve()
  await worker.stop()
  clock.advance(1)
  t.match(await operator.delete({ id: `${A}:dead.test` }), { changed: 1 })
  t.same(told, ['delete alice A dead.test'])
  t.equal(await queue.get('relay', `${A}:dead.test`), undefined)
})

t.test('what is not there is said with what to do', async (t) => {
  const { operator, put } = await world(t)
  await put(A, 'dead.test')
  await t.rejects(operator.hold({ id: B }, {}), { code: 'not_found', hint: /--mailbox ADDRESS/ })
  await t.rejects(operator.hold({ id: 'nonsense' }, {}), { code: 'invalid_request', hint: /msg_…/ })
  await t.rejects(operator.hold({}, {}), { code: 'invalid_request' })
  await t.rejects(operator.hold({ id: A, domain: 'dead.test' }, {}), { message: /More than one/ })
  await t.rejects(operator.hold({ mailbox: 'eve@agents.test' }, {}), { code: 'not_found' })
  await t.rejects(operator.hold({ domain: 'no domain' }, {}), { code: 'invalid_request' })
  await t.rejects(operator.release({ domain: 'dead.test' }), { code: 'not_found', hint: /queue holds/ })
  await t.rejects(operator.delete({}), { code: 'invalid_request' })
  await operator.hold({ domain: 'dead.test' }, {})
  await t.rejects(operator.release({ id: A }), {
    code: 'not_found',
    hint: /restante queue release --domain dead\.test/,
  })
  await t.rejects(operator.retry({ id: A }), { message: /is held/ })
})

t.test('a long queue is listed in order, page by page, each task once', async (t) => {
  const { operator, put, clock, queue } = await world(t)
  for (let i = 0; i < 60; i++)
    await put(A, `d${String((i * 7) % 60).padStart(2, '0')}.test`, ALICE, HOUR + ((i * 7) % 60))
  await queue.reschedule('relay', `${A}:d00.test`, HELD)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await operator.list({ limit: 7, cursor })
    t.ok(page.data.length <= 7)
    seen.push(...page.data.map(({ domain }) => domain))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  t.equal(seen.length, 60)
  t.equal(seen.at(-1), 'd00.test', 'what is held comes last')
  t.same(seen.slice(0, 59), [...seen.slice(0, 59)].sort())
  t.match(await operator.stats(), {
    tasks: 60,
    states: { held: 1, queued: 59 },
    tasks_elsewhere: 40,
    destinations: { length: 20 },
  })
  t.match(await operator.stats({ domain: 'd01.test' }), { tasks: 1 })
  t.equal(clock.now(), Date.UTC(2026, 0, 1))
})

t.test(
  'a rule holds, and is limited and released, on every node from the moment that one of them has made it',
  async (t) => {
    const engine = memoryEngine()
    const [a, b] = [createHoldRules({ store: createStore(engine) }), createHoldRules({ store: createStore(engine) })]
    const task = { id: `${A}:dead.test`, messageId: A, mailboxId: ALICE, domain: 'dead.test' }
    const rule = { kind: 'domain' as const, value: 'dead.test', name: 'dead.test', reason: null, by: null, at: 1 }
    t.equal(await b.matches(task), undefined)
    await a.add(rule)
    t.match(await b.matches(task), rule)
    await a.release('domain', 'dead.test')
    t.equal(await b.matches(task), undefined)
    await b.add({ ...rule, reason: 'again' })
    await a.forget(rule)
    t.match(await a.matches(task), { reason: 'again' }, 'one that was added again is not forgotten')
    t.equal(await a.release('domain', 'dead.test'), true)
    t.equal(await b.release('domain', 'dead.test'), false, 'already released by another')
  },
)
