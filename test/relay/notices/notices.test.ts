import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { courierOf, unscannedLocal } from '../../support/relay.js'
import { createResolver } from '../../../src/dns/resolver.js'
import { ManualClock, systemClock } from '../../../src/lib/clock.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { Delivery } from '../../../src/mailbox/delivery/deliver.js'
import { composeDeliveryNotice, type DeliveryNotice } from '../../../src/mime/compose/delivery-notice.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { startNotices, type Notices } from '../../../src/relay/notices/notices.js'
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
  notices: Notices
  peer: Peer
  clock: ManualClock
  queue: WorkQueue
  delivered: Delivery[]
  /** Resolves with the next line of the log. */
  logged(): Promise<Record<string, unknown>>
}

async function setUp(t: Test, behaviour: PeerBehaviour = {}): Promise<World> {
  const peer = await startPeer(behaviour)
  const dns = await startDnsServer({ 'mx.peer.test': { A: ['127.0.0.1'] } })
  dns.set('peer.test', 'MX', [{ priority: 10, exchange: 'mx.peer.test' }])
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const clock = new ManualClock()
  const queue = createWorkQueue({ store: createStore(memoryEngine()), clock })
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
  const local = unscannedLocal({
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
    isLocalDomain: (domain) => domain === 'agents.test',
    hostname: 'mx.agents.test',
    clock,
    log: listening,
  })
  const courier = courierOf({
    queue,
    local,
    resolver,
    hostname: 'mx.agents.test',
    port: peer.port,
    allowPrivateAddresses: true,
    timeouts: { connectMs: 2000, responseMs: 5000 },
    stopGraceMs: 2000,
    log: listening,
  })
  const notices = startNotices({
    queue,
    courier,
    signer: { sign: async (raw, domain) => Buffer.concat([Buffer.from(`DKIM-Signature: d=${domain}\r\n`), raw]) },
    hostname: 'mx.agents.test',
    primaryDomain: 'agents.test',
    jitter: () => 0,
    clock,
    log: listening,
  })
  t.teardown(async () => {
    await notices.stop()
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
  return { notices, peer, clock, queue, delivered, logged }
}

const NOTICE: DeliveryNotice = {
  to: 'carol@peer.test',
  envelopeId: 'QQ+314159',
  recipients: [{ address: 'alice@agents.test', original: 'rfc822;old+alice@peer.test' }],
  raw: Buffer.from('From: carol@peer.test\r\nSubject: hello\r\n\r\nThe secret text.\r\n'),
  arrivedAt: Date.UTC(2026, 0, 1),
}

t.test('a notice of delivery comes from the null sender, with what was asked and nothing of the text', async (t) => {
  const world = await setUp(t)
  await world.notices.delivered(NOTICE)
  await world.peer.count(1)
  const [mail] = world.peer.mail
  t.match(mail, { from: '', to: ['carol@peer.test'] })
  const raw = mail?.raw ?? ''
  t.ok(raw.startsWith('DKIM-Signature: d=agents.test\r\nFrom: Mail Delivery System <postmaster@agents.test>\r\n'))
  t.match(raw, /\r\nContent-Type: multipart\/report; report-type=delivery-status;\r\n\tboundary=/)
  t.match(
    raw,
    'Reporting-MTA: dns; mx.agents.test\r\nOriginal-Envelope-Id: QQ+314159\r\nArrival-Date: Thu, 01 Jan 2026 00:00:00 +0000\r\n\r\n' +
      'Original-Recipient: rfc822;old+alice@peer.test\r\nFinal-Recipient: rfc822; alice@agents.test\r\nAction: delivered\r\nStatus: 2.0.0\r\n',
  )
  t.match(raw, 'Subject: hello\r\n')
  t.notMatch(raw, 'secret')
  const parsed = await parseMessage(Buffer.from(raw), { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 })
  t.match(parsed, { from: { address: 'postmaster@agents.test' }, text: /delivered by mx\.agents\.test/ })
})

t.test('a notice that is refused for now is tried again, and dropped in the end', async (t) => {
  const world = await setUp(t, { rcpt: () => '451 4.2.0 come again' })
  await world.notices.delivered(NOTICE)
  const attempts: unknown[] = []
  for (;;) {
    const line = await world.logged()
    attempts.push(line.attempt)
    if (line.again !== true) break
    // It goes back to the queue a moment after its line is written.
    while ((await tasksIn(world.queue, 'notice', 1))[0]?.leased !== false) await nextTurn()
    world.clock.advance(5 * 60 * 60_000)
    world.queue.poke()
  }
  t.same(attempts, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  while ((await tasksIn(world.queue, 'notice', 1)).length > 0) await nextTurn()
})

t.test('a sender of this server gets its notice without the network', async (t) => {
  const world = await setUp(t)
  await world.notices.delivered({ ...NOTICE, to: 'bob@agents.test' })
  const stored = await world.logged()
  t.match(stored, {
    task_id: /^tsk_/,
    message_id: 'msg_stored',
    mailbox_id: 'mbx_alice',
  })
  t.match(await world.logged(), { status: 'delivered', task_id: stored['task_id'] })
  t.match(world.delivered[0], { mailboxId: 'mbx_alice', envelopeFrom: '', parsed: { automation: 'auto-reply' } })
})

t.test('a long header and one beyond ASCII are told as far as they go', async (t) => {
  const world = await setUp(t, { extensions: ['8BITMIME', 'PIPELINING'] })
  const fields = Array.from({ length: 1000 }, (_, i) => `X-Field-${i}: grüße und mehr\r\n`).join('')
  await world.notices.delivered({ ...NOTICE, raw: Buffer.from(`${fields}\r\ntext`) })
  await world.peer.count(1)
  const raw = world.peer.mail[0]?.raw ?? ''
  t.match(raw, 'Content-Transfer-Encoding: 8bit')
  t.ok(raw.length < 20_000)
  t.match(raw, /mehr\r\n\r\n--=_/, 'cut at the end of a field')
})

t.test('a message without a header is told of without a word of its text', async (t) => {
  const sender = { hostname: 'mx.test', address: 'postmaster@test', now: 0 }
  const notice = {
    to: 'carol@peer.test',
    envelopeId: undefined,
    recipients: [{ address: 'a@test', original: undefined }],
  }
  const said = (raw: string): string =>
    composeDeliveryNotice({ ...notice, raw: Buffer.from(raw), arrivedAt: 0 }, sender).toString()
  t.notMatch(said('SECRET words at once, and no header.\r\n'), /SECRET/)
  t.notMatch(said('\r\nSECRET\r\n\r\nwords\r\n'), /SECRET/)
  t.match(said('Subject: told\r\n\r\nSECRET'), /\r\n\r\nSubject: told\r\n\r\n--/)
  t.match(said('Subject: told\r\n'), /\r\n\r\nSubject: told\r\n\r\n--/)
})
