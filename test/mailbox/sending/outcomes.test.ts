import t from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import { readDays } from '../../../src/accounts/outcome-counting.js'
import { NO_OUTCOMES, type OutcomeCounts } from '../../../src/accounts/outcomes.js'
import { accountPartition } from '../../../src/accounts/record.js'
import type { Accounts } from '../../../src/accounts/types.js'
import { DAY } from '../../../src/lib/clock.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { blocksOf, isBadAddress, outcomesOf } from '../../../src/mailbox/decisions/counted-outcomes.js'
import type { Recipient } from '../../../src/mailbox/objects/objects.js'
import type { RecipientResult } from '../../../src/mailbox/sending/outbound-mail.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import {
  deliveryOf,
  eventsOf,
  letter,
  makeWorld,
  onEveryEngine,
  present,
  SEND,
  suppressionKey,
  tasksOf,
  USAGE_LIMITS,
  type World,
} from '../world.js'

/** Real accounts over the world's store, as its mailboxes have them. */
async function counted(world: World): Promise<{ accounts: Accounts; week(): Promise<object> }> {
  const { store, clock, account } = world
  await store.write(accountPartition(account.id), (tx) => tx.put(key('account'), encode(account)))
  const accounts = createAccounts({ store, clock, limits: USAGE_LIMITS, mailbox: async () => undefined })
  return { accounts, week: async () => (await accounts.usage(account.id)).outcomes.last_7_days }
}

const to = (...addresses: string[]) => ({ to: addresses.map((address) => ({ address, name: '' })) })

const result = (address: string, changes: Partial<RecipientResult> = {}): RecipientResult => ({
  address,
  status: 'delivered',
  smtpCode: 250,
  detail: '2.0.0 taken',
  nextAttemptAt: null,
  ...changes,
})
const bounce = (address: string, detail = '5.1.1 no such user'): RecipientResult =>
  result(address, { status: 'bounced', smtpCode: 550, detail })

const days = ({ store, account }: World) => store.read(accountPartition(account.id), readDays)

onEveryEngine('what becomes of recipients is counted once, whatever is repeated', async (t, world) => {
  const { week } = await counted(world)
  const { id } = await world.send(to('ada@example.org', 'bob@example.org', 'eve@example.org', 'full@example.org'))
  const results = [
    result('ada@example.org'),
    bounce('bob@example.org'),
    result('eve@example.org', { status: 'deferred', smtpCode: 451, nextAttemptAt: world.clock.now() + DAY }),
    bounce('full@example.org', '5.7.1 looks like spam'),
  ]
  await world.mailboxes.outbound.recordAttempt(world.id, id, results)
  await world.mailboxes.outbound.recordAttempt(world.id, id, results)
  t.match(await week(), { sent: 3, delivered: 1, bounced: 1, complaints: 0, blocks: 0, active_days: 1 })
})

onEveryEngine('a late bounce takes the delivery back, a complaint does not', async (t, world) => {
  const { week } = await counted(world)
  const { id } = await world.send(to('ada@example.org', 'bob@example.org'))
  await world.mailboxes.outbound.recordAttempt(world.id, id, [result('ada@example.org'), result('bob@example.org')])
  world.clock.advance(DAY)
  const report = { smtpCode: null, detail: '5.1.1 unknown' }
  await world.mailboxes.outbound.recordReport(world.id, id, [
    { address: 'ada@example.org', kind: 'bounced', ...report },
  ])
  await world.mailboxes.outbound.recordReport(world.id, id, [
    { address: 'ada@example.org', kind: 'bounced', ...report },
  ])
  await world.mailboxes.outbound.recordReport(world.id, id, [
    { address: 'bob@example.org', kind: 'complained', ...report },
  ])
  t.match(await week(), { sent: 2, delivered: 1, bounced: 1, complaints: 1, active_days: 1 })
})

onEveryEngine(
  'mail within the server and to the simulator counts for nothing, and so does what an operator deletes',
  async (t, world) => {
    await counted(world)
    const local = ['friend@agents.example', 'bounce@simulator.agents.example', 'complaint@simulator.agents.example']
    const { id } = await world.send(to(...local, 'ada@example.org'))
    await world.mailboxes.outbound.recordAttempt(world.id, id, [
      result(local[0] ?? ''),
      bounce(local[1] ?? ''),
      result(local[2] ?? ''),
    ])
    await world.mailboxes.outbound.recordReport(world.id, id, [
      { address: local[2] ?? '', kind: 'complained', smtpCode: null, detail: 'simulated' },
    ])
    await world.mailboxes.outbound.recordDeletion(world.id, id, 'example.org')
    t.same(await days(world), [])
  },
)

onEveryEngine(
  'a message that the guard blocks is a block, and one that block@ of the simulator asked for is none',
  async (t, world) => {
    await counted(world)
    await world.send(to('block@simulator.agents.example', 'ada@example.org'))
    t.same(await days(world), [])
    world.guard.verdict = { ...SEND, category: 'phishing', decision: 'block' }
    await world.send(to('delivered@simulator.agents.example'))
    t.same(await days(world), [])
    await world.send(to('ada@example.org', 'bob@example.org'), 'same')
    await world.send(to('ada@example.org', 'bob@example.org'), 'same')
    t.match(await days(world), [{ sent: 0, blocks: 1 }])
    t.end()
  },
)

void t.test(
  'an outcome is one commit: recipients, event, suppression, counts and the end of its task, or nothing of them',
  async (t) => {
    const task = { id: 'task', payload: {}, due: 0 }
    const results = [result('ada@example.org'), bounce('bob@example.org')]
    for (let at = 1; ; at++) {
      for (const moment of ['before', 'after'] as const) {
        const engine = memoryEngine({ conflicts: 0 })
        const dying = mortal(engine, at, moment)
        const first = await makeWorld(t, createStore(dying.engine))
        await counted(first)
        const { id } = await first.send(to('ada@example.org', 'bob@example.org'))
        await first.queue.enqueue('relay', task)
        const seq = (await eventsOf(first)).length
        dying.arm()
        const life = (world: World): Promise<unknown> =>
          world.mailboxes.outbound.recordAttempt(world.id, id, results, { finishes: task.id })
        await life(first).catch((error: unknown) => {
          if (!dying.died()) throw error
        })
        if (!dying.died()) {
          t.equal(at, 2, 'it is one commit')
          return
        }
        const world = await makeWorld(t, createStore(engine), first)
        const { week } = await counted(world)
        const isThere = moment === 'after'
        const { recipients } = present(await world.mailboxes.outbound.envelope(world.id, id))
        t.same(
          recipients.map(({ status }) => status),
          isThere ? ['delivered', 'bounced'] : ['queued', 'queued'],
        )
        t.equal((await eventsOf(world)).length - seq, isThere ? 2 : 0)
        t.match(await week(), isThere ? { sent: 2, delivered: 1, bounced: 1 } : { sent: 0 })
        const isSuppressed = (): Promise<boolean> =>
          world.store.read(
            accountPartition(world.account.id),
            async (view) => (await view.get(suppressionKey('bob@example.org'))) !== undefined,
          )
        t.equal(await isSuppressed(), isThere)
        await life(world)
        t.ok(await isSuppressed())
        t.notOk((await tasksOf(world, 'relay')).includes(task.id))
        t.match(await week(), { sent: 2, delivered: 1, bounced: 1 }, 'once, however often it is repeated')
      }
    }
  },
)

void t.test("a neighbour's message and its sender's outcome are one commit", async (t) => {
  for (const moment of ['before', 'after'] as const) {
    const engine = memoryEngine({ conflicts: 0 })
    const dying = mortal(engine, 1, moment)
    const first = await makeWorld(t, createStore(dying.engine))
    const neighbour = await first.addMailbox('friend')
    const address = 'friend@agents.example'
    const { id } = await first.send(to(address))
    const life = async (world: World): Promise<unknown> => {
      const delivery = await world.mailboxes.delivery.prepare(await deliveryOf(neighbour, {}))
      const deliveries = [{ addresses: [address], delivery }]
      return world.mailboxes.outbound.recordAttempt(world.id, id, [result(address)], { deliveries })
    }
    dying.arm()
    await t.rejects(life(first), /died/)
    const world = await makeWorld(t, createStore(engine), first)
    const seen = async () => ({
      status: present(await world.mailboxes.outbound.envelope(world.id, id)).recipients[0]?.status,
      received: present(await world.mailboxes.directory.get(neighbour)).receivedCount,
    })
    t.same(await seen(), moment === 'after' ? { status: 'delivered', received: 1 } : { status: 'queued', received: 0 })
    await life(world)
    t.same(await seen(), { status: 'delivered', received: 1 }, 'once, however often it is repeated')
  }
})

onEveryEngine(
  'a dry run says the category, scores and reasons, counts nothing and is remembered nowhere',
  async (t, world) => {
    world.guard.verdict = {
      category: 'bulk',
      scores: { bulk: 0.7, legitimate: 0.3 },
      decision: 'hold',
      reasons: [{ code: 'many_recipients', detail: 'Two' }],
    }
    const before = await world.store.version(mailboxPartition(world.id))
    const answer = await world.mailboxes.sending.send(world.id, letter(to('ada@example.org')), { dryRun: true })
    t.match(answer, {
      dry_run: true,
      decision: 'hold',
      category: 'bulk',
      scores: { bulk: 0.7, legitimate: 0.3 },
      reasons: [{ code: 'many_recipients' }],
      new_recipients: ['ada@example.org'],
      new_recipients_left: 1000,
    })
    t.equal(await world.store.version(mailboxPartition(world.id)), before)
  },
)

onEveryEngine(
  'the guard is told how many messages read like this one, if it is long enough to tell',
  async (t, world) => {
    world.recipients.similar = { messages: 7, newRecipients: 3 }
    const text =
      'We have looked at your request and can offer you a place in the course that begins in March. Please tell us until Friday whether you take it.'
    await world.send({ text })
    await world.mailboxes.sending.send(world.id, letter({ text }), { dryRun: true })
    await world.send({ text: 'Good morning.' })
    await world.send({ text, ...to('delivered@simulator.agents.example') })
    t.match(
      world.guard.asked.map(({ similar }) => similar),
      [{ messages: 7, newRecipients: 3 }, { messages: 7, newRecipients: 3 }, undefined, undefined],
    )
  },
)

const recipient = (changes: Partial<Recipient>): Recipient => ({
  address: 'ada@example.org',
  status: 'queued',
  smtp_code: null,
  detail: null,
  attempts: 0,
  next_attempt_at: null,
  at: '2026-01-01T00:00:00.000Z',
  ...changes,
})

void t.test('a bounce is an address that is no good, as its server says, and nothing else', (t) => {
  for (const [code, detail, expected] of [
    [550, '5.1.1 no such user', true],
    [550, '550 5.1.1 <x@y.example>: Recipient address rejected: User unknown', true],
    [550, '5.2.1 The email account that you tried to reach is disabled', true],
    [550, '5.4.1 Recipient address rejected: Access denied', true],
    [550, '550 No such user here', true],
    [550, 'user unknown', true],
    [553, 'sorry, no mailbox here by that name', true],
    [551, 'User not local; address unknown', true],
    [550, '5.1.8 sender domain does not exist', false],
    [550, '5.7.1 message content rejected', false],
    [552, '5.2.2 mailbox full', false],
    [550, 'blocked by policy, unknown user reputation', false],
    [550, 'Message looks like spam', false],
    [554, '5.7.26 unauthenticated mail', false],
    [null, '5.1.2 the domain does not exist', false],
    [451, '4.7.1 try later (given up after 2 days)', false],
  ] as const) {
    t.equal(isBadAddress({ smtp_code: code, detail }, false), expected, detail)
  }
  t.equal(isBadAddress({ smtp_code: null, detail: '5.1.1 no such user' }, true), true, 'a report needs no code')
  t.end()
})

void t.test('what is counted follows a recipient from state to state', (t) => {
  const isLocalDomain = (domain: string): boolean => domain === 'agents.example'
  const table: [Partial<Recipient>, Partial<Recipient>, Partial<OutcomeCounts>][] = [
    [{}, { status: 'deferred' }, {}],
    [{}, { status: 'delivered' }, { sent: 1, delivered: 1 }],
    [{ status: 'deferred' }, { status: 'bounced', detail: 'given up' }, { sent: 1 }],
    [{ status: 'delivered' }, { status: 'bounced', detail: '5.1.1' }, { delivered: -1, bounced: 1 }],
    [{ status: 'delivered' }, { status: 'complained' }, { complaints: 1 }],
    [{}, { status: 'complained' }, { sent: 1, delivered: 1, complaints: 1 }],
    [{ status: 'delivered' }, { status: 'delivered', detail: 'delayed on its way' }, {}],
  ]
  for (const [before, after, expected] of table) {
    const counts = outcomesOf([recipient(before)], [recipient(after)], { isLocalDomain, cameBack: true })
    t.same(counts, { ...NO_OUTCOMES, ...expected }, `${before.status ?? 'queued'} → ${after.status}`)
  }
  const blocked = { decision: 'block' as const }
  t.equal(blocksOf(blocked, undefined, ['ada@agents.example'], isLocalDomain).blocks, 1, 'to a mailbox here too')
  t.end()
})
