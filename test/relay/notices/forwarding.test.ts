/** Mail for the operator is passed on as it came, under a seal, and never in circles. */
import { createHash, X509Certificate } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import builtIn from 'smtp-server/lib/tls-options'
import t, { type Test } from 'tap'
import { courierOf } from '../../support/relay.js'
import { withFollowUp } from '../../../src/mailbox/delivery/follow-up.js'
import { createResolver } from '../../../src/dns/resolver.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { HOUR, ManualClock, SECOND, systemClock } from '../../../src/lib/clock.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { Delivery } from '../../../src/mailbox/delivery/deliver.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { startForwarding } from '../../../src/relay/notices/forwarding.js'
import { createStore } from '../../../src/store/store.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { rsa2048 } from '../../authentication/signing.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { startPeer, type PeerBehaviour } from '../../support/peers/peer-server.js'
import { tasksIn } from '../../support/store/tasks.js'

const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }
const AS_SENT = 'From: Carol <carol@peer.test>\r\nTo: abuse@agents.test\r\nSubject: a complaint\r\n\r\nWords \xe4.\r\n'
const TRACE =
  'Return-Path: <carol@peer.test>\r\nAuthentication-Results: mx.agents.test;\r\n spf=pass smtp.mailfrom=carol@peer.test\r\nReceived: from a by mx.agents.test; x\r\n'

const AUTH: NonNullable<Delivery['auth']> = {
  spf: { result: 'pass', domain: 'peer.test' },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
}

async function setUp(t: Test, behaviour: PeerBehaviour = {}) {
  // What is passed on may have 8-bit text in it.
  const peer = await startPeer({ extensions: ['8BITMIME', 'PIPELINING'], ...behaviour })
  const dns = await startDnsServer({
    'mx.elsewhere.test': { A: ['127.0.0.1'] },
    'elsewhere.test': { MX: [{ priority: 10, exchange: 'mx.elsewhere.test' }] },
  })
  /** The zone is signed, and names the certificate of its MX. */
  const sign = (): void => {
    const tlsa = `_${peer.port}._tcp.mx.elsewhere.test`
    const certificate = createHash('sha256')
      .update(new X509Certificate(String(builtIn().cert)).raw)
      .digest()
    dns.set(tlsa, 'TLSA', [{ usage: 3, selector: 0, matchingType: 1, certificate }])
    for (const name of ['elsewhere.test', 'mx.elsewhere.test', tlsa]) dns.sign(name)
  }
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const clock = new ManualClock()
  const store = createStore(memoryEngine())
  const queue = createWorkQueue({ store, clock })
  const stored = new Map<string, Delivery>()
  const { log, lines } = captureLog()
  const get = (id: string): Delivery => {
    const delivery = stored.get(id)
    if (!delivery) throw new ServiceError('not_found', 'no such message', 'look at the list')
    return delivery
  }
  const world = {
    peer,
    clock,
    queue,
    stored,
    lines,
    sign,
    fails: false,
    /** How many tasks there are once nobody works on any. */
    async left(): Promise<number> {
      for (;;) {
        const tasks = await tasksIn(queue, 'forward', 1000)
        if (tasks.every(({ leased, due }) => !leased && due > clock.now())) return tasks.length
        await nextTurn()
      }
    },
    later(ms: number): void {
      clock.advance(ms)
      queue.poke()
    },
  }
  const courier = courierOf({
    queue,
    resolver,
    hostname: 'mx.agents.test',
    port: peer.port,
    dane: true,
    allowPrivateAddresses: true,
    timeouts: { connectMs: 2000, responseMs: 5000 },
    stopGraceMs: 2000,
    log,
  })
  const forwarding = startForwarding({
    queue,
    courier,
    mailboxes: {
      reading: {
        message: async (_mailbox, id) => {
          const { auth, parsed, requireTls = false } = get(id)
          return { id, auth: auth && { arc: auth.arc.result }, from: parsed.from, require_tls: requireTls } as Message
        },
        raw: async (_mailbox, id) => get(id).raw,
      },
    },
    operatorMailboxId: 'mbx_operator',
    to: 'me@elsewhere.test',
    primaryDomain: 'agents.test',
    signingKeys: (domain) => [{ domain, selector: 'r1', algorithm: 'rsa-sha256', privateKey: rsa2048.privateKey }],
    signer: { sign: async (raw, domain) => Buffer.concat([Buffer.from(`DKIM-Signature: d=${domain}\r\n`), raw]) },
    isLocalDomain: (domain) => domain === 'agents.test',
    jitter: () => 0,
    clock,
    log,
  })
  t.teardown(async () => {
    await forwarding.stop()
    resolver.close()
    await dns.close()
    await peer.close()
  })
  async function deliver(change: Partial<Delivery> = {}): Promise<void> {
    const raw = change.raw ?? Buffer.from(TRACE + AS_SENT, 'latin1')
    const coming: Delivery = {
      mailboxId: 'mbx_operator',
      raw,
      parsed: await parseMessage(raw, LIMITS),
      auth: AUTH,
      virus: 'unscanned',
      spam: { score: 0, verdict: 'ham', reasons: [] },
      labels: [],
      envelopeFrom: 'carol@peer.test',
      recipients: ['abuse@agents.test'],
      ...change,
    }
    const delivery = withFollowUp(coming, forwarding.followUp)
    await store.write('mailbox/mbx_operator', (tx) => {
      delivery.also?.(tx)
      if (world.fails) throw new Error('disk on fire')
    })
    stored.set(delivery.messageId ?? `kept ${stored.size}`, delivery)
  }
  return Object.assign(world, { deliver })
}

t.test('what comes for the operator goes on unchanged, under a seal, and is kept too', async (t) => {
  const world = await setUp(t)
  await world.deliver()
  t.equal(world.stored.size, 1)
  world.later(SECOND)
  await world.peer.count(1)
  const [mail] = world.peer.mail
  t.match(mail, { from: 'postmaster+forwarded@agents.test', to: ['me@elsewhere.test'] })
  const raw = mail?.raw ?? ''
  t.match(
    raw,
    /^ARC-Seal: [\s\S]*?\r\nARC-Message-Signature: [\s\S]*?\r\nARC-Authentication-Results: i=1; mx\.agents\.test;\r\n spf=pass /,
  )
  t.match(raw, /\r\nDelivered-To: postmaster\+forwarded@agents\.test\r\nAuthentication-Results: mx\.agents\.test;/)
  t.notMatch(raw, /^Return-Path/m)
  t.ok(raw.endsWith(AS_SENT), 'to the last octet')
  t.equal(await world.left(), 0)

  await world.deliver({ envelopeFrom: '' })
  world.later(SECOND)
  await world.peer.count(2)
  t.equal(world.peer.mail[1]?.from, '', 'a bounce goes on as a bounce')
})

t.test('mail of a mailbox of this server goes on with its signature', async (t) => {
  const world = await setUp(t)
  const raw = Buffer.from(
    'Return-Path: <ada@agents.test>\r\nReceived: by x; y\r\nFrom: ada@agents.test\r\n\r\nHello.\r\n',
  )
  await world.deliver({ auth: null, raw, recipients: ['postmaster@agents.test'] })
  world.later(SECOND)
  await world.peer.count(1)
  t.match(
    world.peer.mail[0]?.raw,
    /^DKIM-Signature: d=agents\.test\r\nDelivered-To: [^\r]*\r\nReceived: by x; y\r\nFrom: /,
  )
})

t.test('what is spam, goes round, bounces or is for somebody else stays here', async (t) => {
  const world = await setUp(t)
  const round = Buffer.from(`${TRACE}Delivered-To: Postmaster+Forwarded@agents.test\r\n${AS_SENT}`)
  await world.deliver({ labels: ['spam'] })
  await world.deliver({ raw: round })
  await world.deliver({ recipients: ['postmaster+forwarded@agents.test'], envelopeFrom: '' })
  await world.deliver({ mailboxId: 'mbx_ada', recipients: ['ada@agents.test', 'abuse@agents.test'] })
  await world.deliver({ recipients: ['ada@agents.test'] })
  t.equal(world.stored.size, 5, 'all of it was taken in')
  t.equal((await tasksIn(world.queue, 'forward', 10)).length, 0)
  await world.deliver({ recipients: ['postmaster'] })
  await world.deliver({ recipients: ['Abuse+eu@agents.test'] })
  t.equal((await tasksIn(world.queue, 'forward', 10)).length, 2)
})

t.test('mail that may travel under TLS alone goes on so, and stays here where it cannot', async (t) => {
  const world = await setUp(t, { starttls: 'works', extensions: ['8BITMIME', 'PIPELINING', 'REQUIRETLS'] })
  await world.deliver({ requireTls: true })
  world.later(SECOND)
  t.equal(await world.left(), 0)
  t.equal(world.stored.size, 1, 'it is kept')
  t.same(world.peer.mail, [], 'nobody proves that this is the right server')
  t.match(world.lines.at(-1), { level: 'warn', status: 'failed', detail: /^5\.7\.10 / })

  const safe = await setUp(t, { starttls: 'works', extensions: ['8BITMIME', 'PIPELINING', 'REQUIRETLS'] })
  safe.sign()
  await safe.deliver({ requireTls: true })
  await safe.deliver()
  safe.later(SECOND)
  await safe.peer.count(2)
  t.same(
    safe.peer.mail.map(({ encrypted }) => encrypted),
    [true, true],
  )
  const asked = safe.peer.commands.filter((line) => line.startsWith('MAIL')).map((line) => / REQUIRETLS/.test(line))
  t.same(asked.sort(), [false, true], 'and only that')
})

t.test('a server that is busy is asked again by the schedule, and one that refuses is not', async (t) => {
  const answers = ['451 4.2.0 come again', undefined, '550 5.1.1 nobody here']
  const world = await setUp(t, { rcpt: () => answers.shift() })
  await world.deliver()
  world.later(SECOND)
  t.equal(await world.left(), 1)
  world.later(61 * SECOND)
  await world.peer.count(1)
  t.equal(await world.left(), 0)
  await world.deliver()
  world.later(SECOND)
  t.equal(await world.left(), 0)
  t.match(world.lines, [
    { attempt: 1, status: 'deferred', again: true },
    { attempt: 2, status: 'delivered' },
    { attempt: 1, status: 'failed', code: 550, again: false, detail: /nobody here/ },
  ])
})

t.test('a message that could not be stored is not passed on', async (t) => {
  const world = await setUp(t)
  world.fails = true
  await t.rejects(world.deliver(), /disk on fire/)
  world.later(61 * SECOND)
  t.equal(await world.left(), 0)
  t.equal(world.peer.connections, 0)
})

t.test('a flood stays in the mailbox', async (t) => {
  const world = await setUp(t)
  for (let i = 0; i < 203; i++) await world.deliver()
  t.equal(world.stored.size, 203)
  await world.peer.count(200)
  t.equal(await world.left(), 0)
  t.equal(world.lines.filter(({ limit }) => limit === 200).length, 1, 'and is told of once')
  world.clock.advance(HOUR)
  await world.deliver()
  await world.peer.count(201)
})
