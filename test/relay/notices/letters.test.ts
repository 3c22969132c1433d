import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { courierOf, unscannedLocal } from '../../support/relay.js'
import type { Letter, Letters } from '../../../src/accounts/letters.js'
import { createResolver } from '../../../src/dns/resolver.js'
import { ManualClock, systemClock } from '../../../src/lib/clock.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { Delivery } from '../../../src/mailbox/delivery/deliver.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { createLetters, startLetters } from '../../../src/relay/notices/letters.js'
import { createStore } from '../../../src/store/store.js'
import type { WorkQueue } from '../../../src/queue/types.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'
import { mailboxRecord } from '../../support/store/mailbox-record.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { startPeer, type Peer, type PeerBehaviour } from '../../support/peers/peer-server.js'
import { tasksIn } from '../../support/store/tasks.js'

interface World {
  letters: Letters
  stop(): Promise<void>
  peer: Peer
  clock: ManualClock
  queue: WorkQueue
  delivered: Delivery[]
  /** Resolves with the next line of the log. */
  logged(): Promise<Record<string, unknown>>
}

async function setUp(t: Test, behaviour: PeerBehaviour = {}, isOpen = true): Promise<World> {
  const peer = await startPeer(behaviour)
  const dns = await startDnsServer({ 'mx.peer.test': { A: ['127.0.0.1'] } })
  dns.set('peer.test', 'MX', [{ priority: 10, exchange: 'mx.peer.test' }])
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const clock = new ManualClock()
  const store = createStore(memoryEngine())
  const queue = createWorkQueue({ store, clock })
  const delivered: Delivery[] = []
  const { log } = captureLog()
  const lines: Record<string, unknown>[] = []
  let wake = (): void => undefined
  const listening = Object.assign(Object.create(log) as typeof log, {
    info(line: Record<string, unknown>) {
      lines.push(line)
      wake()
    },
  })
  const common = {
    store,
    queue,
    clock,
    serviceAddress: 'restante@agents.test',
    isLocalDomain: (domain: string) => domain === 'agents.test',
    log: listening,
  }
  const letters = createLetters({ ...common, isOpen })
  const local = unscannedLocal({
    ...common,
    mailboxes: {
      directory: {
        resolve: async () => mailboxRecord({ id: 'mbx_alice' }),
      },
      delivery: {
        async deliver(delivery) {
          delivered.push(delivery)
          return { id: 'msg_stored' } as Message
        },
      },
    },
    hostname: 'mx.agents.test',
  })
  const courier = startLetters({
    ...common,
    courier: courierOf({
      queue,
      local,
      resolver,
      hostname: 'mx.agents.test',
      port: peer.port,
      allowPrivateAddresses: true,
      timeouts: { connectMs: 2000, responseMs: 5000 },
      stopGraceMs: 2000,
      log: listening,
    }),
    signer: { sign: async (raw, domain) => Buffer.concat([Buffer.from(`DKIM-Signature: d=${domain}\r\n`), raw]) },
    jitter: () => 0,
  })
  t.teardown(async () => {
    await courier.stop()
    resolver.close()
    await dns.close()
    await peer.close()
  })
  const logged = async (): Promise<Record<string, unknown>> => {
    for (let line = lines.shift(); ; line = lines.shift()) {
      if (line) return line
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { letters, stop: () => courier.stop(), peer, clock, queue, delivered, logged }
}

const LETTER: Letter = { to: 'ana@peer.test', subject: 'Hello', parts: [{ kind: 'text', text: 'Good morning.' }] }

t.test('a letter leaves signed, from where its answers and bounces reach the operator', async (t) => {
  const world = await setUp(t)
  await world.letters.post('inv_1', LETTER)
  await world.peer.count(1)
  const [mail] = world.peer.mail
  t.match(mail, { from: 'restante@agents.test', to: ['ana@peer.test'] })
  t.match(mail?.raw, /^DKIM-Signature: d=agents\.test\r\nAuto-Submitted: auto-generated\r\n/)
  const parsed = await parseMessage(Buffer.from(mail?.raw ?? ''), {
    maxHeaderBytes: 65536,
    maxParts: 100,
    maxDepth: 10,
  })
  t.match(parsed, { from: { address: 'restante@agents.test' }, text: /Good morning/, messageId: /@agents\.test$/ })
})

t.test('a letter that is posted again arrives once, also when the first has arrived', async (t) => {
  const world = await setUp(t)
  await Promise.all([world.letters.post('inv_1', LETTER), world.letters.post('inv_1', LETTER)])
  t.match(await world.logged(), { task_id: 'inv_1', status: 'delivered' })
  while ((await tasksIn(world.queue, 'letter', 1)).length > 0) await nextTurn()
  await world.letters.post('inv_1', LETTER)
  t.strictSame(await tasksIn(world.queue, 'letter', 1), [])
  await world.letters.post('inv_2', LETTER)
  t.match(await world.logged(), { task_id: 'inv_2', status: 'delivered' })
  t.equal(world.peer.mail.length, 2)
})

t.test('a letter is tried again by the schedule, and not once it is of no use', async (t) => {
  const world = await setUp(t, { rcpt: () => '451 4.2.0 come again' })
  await world.letters.post('inv_1', { ...LETTER, notAfter: world.clock.now() + 5 * 60_000 })
  t.match(await world.logged(), { attempt: 1, status: 'deferred', again: true })
  while ((await tasksIn(world.queue, 'letter', 1))[0]?.leased !== false) await nextTurn()
  world.clock.advance(5 * 60_000)
  world.queue.poke()
  t.match(await world.logged(), { attempt: 2, status: 'failed', again: false })
  t.equal(await world.letters.isRefused('ana@peer.test'), false)
})

t.test('an address that refuses a letter is known for a week', async (t) => {
  const world = await setUp(t, { rcpt: () => '550 5.1.1 no such user' })
  await world.letters.post('inv_1', LETTER)
  t.match(await world.logged(), { status: 'failed', code: 550 })
  while ((await tasksIn(world.queue, 'letter', 1)).length > 0) await nextTurn()
  t.equal(await world.letters.isRefused('ANA@peer.test'), true)
  world.clock.advance(8 * 24 * 60 * 60_000)
  t.equal(await world.letters.isRefused('ana@peer.test'), false)
})

t.test('where no mail may leave, only this server’s own mailboxes get letters', async (t) => {
  const world = await setUp(t, {}, false)
  t.equal(world.letters.canReach('ana@peer.test'), false)
  t.equal(world.letters.canReach('bob@agents.test'), true)
  await world.letters.post('inv_1', LETTER)
  t.strictSame(await tasksIn(world.queue, 'letter', 1), [])
  await world.letters.post('inv_2', { ...LETTER, to: 'bob@agents.test' })
  t.match(await world.logged(), { task_id: 'inv_2', message_id: 'msg_stored' })
  t.match(await world.logged(), { task_id: 'inv_2', status: 'delivered' })
  t.match(world.delivered, [{ envelopeFrom: 'restante@agents.test', recipients: ['bob@agents.test'] }])
})
