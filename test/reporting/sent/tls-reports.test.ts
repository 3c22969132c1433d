/** From what sessions found of TLS to the report that the other side's postmaster reads (RFC 8460). */
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import builtIn from 'smtp-server/lib/tls-options'
import { courierOf, unscannedLocal } from '../../support/relay.js'
import t, { type Test } from 'tap'
import { createAuthenticator } from '../../../src/authentication/verify.js'
import { openDkimKeys } from '../../../src/authentication/keys.js'
import { secretFolder } from '../../../src/lib/secret-files.js'
import { createSigner } from '../../../src/authentication/sign.js'
import { createResolver } from '../../../src/dns/resolver.js'
import { DAY, HOUR, ManualClock, systemClock } from '../../../src/lib/clock.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { createTlsCounts } from '../../../src/reporting/sent/tls-counts.js'
import type { TlsResult } from '../../../src/relay/tls/tls-results.js'
import { startTlsReports, type TlsReportsDeps } from '../../../src/reporting/sent/tls-reports.js'
import { createStore } from '../../../src/store/store.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { textResolver } from '../../support/peers/fake-resolver.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'
import { mailboxRecord } from '../../support/store/mailbox-record.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { startPeer, type PeerBehaviour } from '../../support/peers/peer-server.js'
import { listenAnywhere } from '../../support/ports.js'
import { tasksIn } from '../../support/store/tasks.js'

const STS: TlsResult = {
  domain: 'peer.test',
  policy: {
    type: 'sts',
    strings: ['version: STSv1', 'mode: testing', 'mx: *.peer.test', 'max_age: 86400'],
    mxHosts: ['*.peer.test'],
  },
  mxHost: 'mx.peer.test',
  receivingIp: '192.0.2.7',
  outcome: 'success',
  detail: null,
}
const EXPIRED: TlsResult = { ...STS, outcome: 'certificate-expired', detail: 'certificate has expired' }
const NO_POLICY: TlsResult = { ...STS, policy: { type: 'no-policy-found', strings: [], mxHosts: [] } }
const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }

async function setUp(t: Test, behaviour: PeerBehaviour = {}, change: Partial<TlsReportsDeps> = {}) {
  const peer = await startPeer(behaviour)
  const dns = await startDnsServer({ 'mx.peer.test': { A: ['127.0.0.1'] }, 'mx.agents.test': { A: ['198.51.100.3'] } })
  dns.set('peer.test', 'MX', [{ priority: 10, exchange: 'mx.peer.test' }])
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12))
  const store = createStore(memoryEngine())
  const queue = createWorkQueue({ store, clock })
  const isLocalDomain = (domain: string) => domain === 'agents.test'
  const { log, lines } = captureLog()
  const counts = createTlsCounts({ store, clock, isLocalDomain, log })
  const keys = await openDkimKeys({ files: secretFolder(t.testdir({})), clock })
  const made = await keys.generate('agents.test')
  const courier = courierOf({
    queue,
    local: unscannedLocal({
      mailboxes: {
        directory: { resolve: async () => mailboxRecord({}) },
        delivery: { deliver: async () => ({}) as Message },
      },
      isLocalDomain,
      hostname: 'mx.agents.test',
      clock,
      log,
    }),
    resolver,
    hostname: 'mx.agents.test',
    port: peer.port,
    allowPrivateAddresses: true,
    timeouts: { connectMs: 2000, responseMs: 5000 },
    stopGraceMs: 2000,
    log,
  })
  const deps: TlsReportsDeps = {
    queue,
    courier,
    counts,
    resolver,
    signer: createSigner(keys, clock),
    hostname: 'mx.agents.test',
    primaryDomain: 'agents.test',
    allowPrivateAddresses: true,
    random: () => 0.5,
    clock,
    log,
    ...change,
  }
  const reports = startTlsReports(deps)
  t.teardown(async () => {
    await reports.stop()
    await counts.stop()
    resolver.close()
    await dns.close()
    await peer.close()
    await store.close()
  })
  const never = new AbortController().signal
  /** Has the hourly job run so long after the day of the results, and the queue work what is due. */
  const passes = async (ms: number) => {
    clock.advance(ms)
    const done = await reports.queueEnded(never)
    queue.poke()
    return done
  }
  /** Resolves when nothing is due any more. */
  const idle = async () => {
    for (;;) {
      const tasks = await tasksIn(queue, 'tls-report', 100)
      if (!tasks.some(({ leased, due }) => leased || due <= clock.now())) return tasks
      await nextTurn()
    }
  }
  return { peer, dns, clock, store, queue, counts, reports, made, lines, passes, idle }
}

t.test('the results of a day arrive as one signed report, field by field as the standard shows it', async (t) => {
  const world = await setUp(t)
  const { counts, peer, dns, passes, clock, made } = world
  dns.set('_smtp._tls.peer.test', 'TXT', ['v=TLSRPTv1; rua=mailto:tls%2Dreports@peer.test'])
  for (const result of [STS, { ...STS, domain: 'PEER.test' }, EXPIRED, EXPIRED, NO_POLICY]) counts.record(result)
  t.same(await passes(HOUR), { queued: 0 }, 'the day has not ended')
  t.same(await passes(11 * HOUR + 1), { queued: 1 })
  t.match(await world.idle(), [{ due: Date.UTC(2026, 10, 21, 2) }], 'at some time of the next four hours')
  t.same(await passes(HOUR), { queued: 1 }, 'the next hour finds it queued')
  await passes(HOUR)
  await peer.count(1)

  const [mail] = peer.mail
  t.match(mail, { from: '', to: ['tls-reports@peer.test'] })
  const raw = Buffer.from(mail?.raw ?? '', 'latin1')
  t.match(mail?.raw, /\r\nTLS-Report-Domain: peer\.test\r\nTLS-Report-Submitter: agents\.test\r\nTLS-Required: No\r\n/)
  t.match(mail?.raw, /\r\nContent-Type: multipart\/report; report-type="tlsrpt";\r\n\tboundary=/)
  t.match(mail?.raw, /h=[^;]*TLS-Report-Domain/)
  const records = Object.fromEntries(made.map(({ recordName, recordValue }) => [recordName, recordValue]))
  const authenticator = createAuthenticator({ resolver: textResolver(records), authservId: 'mx.peer.test', clock })
  const { results } = await authenticator.verify({ raw, ip: '198.51.100.3', helo: 'x', mailFrom: '', fromCount: 1 })
  t.match(results.dkim, { result: 'pass', domain: 'agents.test' })

  const parsed = await parseMessage(raw, LIMITS)
  t.equal(
    parsed.subject,
    'Report Domain: peer.test Submitter: agents.test Report-ID: <2026-11-20.peer.test@agents.test>',
  )
  const [attachment] = parsed.attachments
  t.match(attachment, {
    filename: `agents.test!peer.test!${Date.UTC(2026, 10, 20) / 1000}!${Date.UTC(2026, 10, 21) / 1000 - 1}.json.gz`,
    contentType: 'application/tlsrpt+gzip',
  })
  const base64 = /tlsrpt\+gzip[^]*?\r\n\r\n([^-]*)\r\n--=_/.exec(mail?.raw ?? '')?.[1] ?? ''
  const report: unknown = JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString())
  t.same(report, {
    'organization-name': 'agents.test',
    'date-range': { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' },
    'contact-info': 'postmaster@agents.test',
    'report-id': '2026-11-20.peer.test@agents.test',
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: testing', 'mx: *.peer.test', 'max_age: 86400'],
          'policy-domain': 'peer.test',
          'mx-host': ['*.peer.test'],
        },
        summary: { 'total-successful-session-count': 2, 'total-failure-session-count': 2 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '198.51.100.3',
            'receiving-mx-hostname': 'mx.peer.test',
            'receiving-ip': '192.0.2.7',
            'failed-session-count': 2,
            'failure-reason-code': 'certificate has expired',
          },
        ],
      },
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'peer.test' },
        summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 },
      },
    ],
  })
  await world.idle()
  t.same(await passes(HOUR), { queued: 0 }, 'and only once')
  t.same(await counts.endedDays(), [])
})

t.test('who does not ask for reports gets none, and our own domains are not counted', async (t) => {
  const { counts, peer, passes, idle } = await setUp(t)
  counts.record(EXPIRED)
  counts.record({ ...EXPIRED, domain: 'agents.test' })
  await passes(18 * HOUR)
  t.same(await idle(), [])
  t.equal(peer.connections, 0)
  await passes(HOUR)
  t.same(await counts.endedDays(), [])
})

t.test('a DNS that is down delays a report; one that stays down ends it', async (t) => {
  const { counts, dns, peer, passes, idle } = await setUp(t)
  dns.behave('_smtp._tls.peer.test', 'servfail')
  counts.record(EXPIRED)
  await passes(18 * HOUR)
  t.match(await idle(), [{ attempts: 1 }])
  dns.behave('_smtp._tls.peer.test', undefined)
  dns.set('_smtp._tls.peer.test', 'TXT', ['v=TLSRPTv1;rua=mailto:r@peer.test'])
  await passes(HOUR)
  await peer.count(1)

  counts.record({ ...EXPIRED, domain: 'other.test' })
  dns.behave('_smtp._tls.other.test', 'servfail')
  for (let hours = 0; hours < 90; hours += 10) {
    await passes(10 * HOUR)
    await idle()
  }
  t.equal(peer.mail.length, 1)
  t.same(await counts.endedDays(), [])
})

t.test('a report that is refused for now is tried again', async (t) => {
  let refused = 0
  const { counts, dns, peer, passes, idle } = await setUp(t, {
    mail: () => (refused++ === 0 ? '451 4.3.0 later' : undefined),
  })
  dns.set('_smtp._tls.peer.test', 'TXT', ['v=TLSRPTv1; rua=mailto:r@peer.test'])
  counts.record(EXPIRED)
  await passes(18 * HOUR)
  t.match(await idle(), [{ attempts: 1 }])
  await passes(HOUR)
  await peer.count(1)
})

t.test('a report is posted to an https address, and a redirect leads nowhere', async (t) => {
  const { counts, dns, passes, idle, lines } = await setUp(t)
  const posts: { type: string | undefined; report: unknown }[] = []
  const paths: string[] = []
  const server: Server = createServer(builtIn(), (request, response) => {
    paths.push(request.url ?? '')
    if (request.url === '/moved') return void response.writeHead(301, { Location: '/reports' }).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const report: unknown = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString())
      posts.push({ type: request.headers['content-type'], report })
      response.writeHead(201).end()
    })
  })
  const port = await listenAnywhere(server)
  t.teardown(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  dns.set('reports.peer.test', 'A', ['127.0.0.1'])
  const uris = [`https://reports.peer.test:${port}/reports`, `https://reports.peer.test:${port}/moved`]
  dns.set('_smtp._tls.peer.test', 'TXT', [`v=TLSRPTv1; rua=${uris.join(',')}`])
  counts.record(EXPIRED)
  await passes(18 * HOUR)
  t.same(await idle(), [])
  t.match(posts, [{ type: 'application/tlsrpt+gzip', report: { policies: [{ policy: { 'policy-type': 'sts' } }] } }])
  t.same(paths.sort(), ['/moved', '/reports'])
  t.match(
    lines
      .filter(({ msg }) => msg === 'report on TLS')
      .map(({ status }) => status)
      .sort(),
    ['delivered', 'failed'],
  )
})

t.test('an https address on the inside, by its name or by itself, is not posted to', async (t) => {
  const { counts, dns, passes, idle, lines } = await setUp(t, {}, { allowPrivateAddresses: false })
  const touched: unknown[] = []
  const server = createServer(builtIn(), (request) => touched.push(request.url))
  server.on('connection', () => touched.push('connection'))
  const port = await listenAnywhere(server)
  t.teardown(() => server.close())
  dns.set('inside.peer.test', 'A', ['127.0.0.1'])
  for (const [i, uris] of [
    'https://inside.peer.test/,https://127.0.0.1/',
    `https://inside.peer.test:${port}/,https://[::ffff:127.0.0.1]/`,
    'https://2130706433/,https://[64:ff9b::7f00:1]/',
  ].entries()) {
    dns.set(`_smtp._tls.d${i}.test`, 'TXT', [`v=TLSRPTv1; rua=${uris}`])
    counts.record({ ...EXPIRED, domain: `d${i}.test` })
  }
  await passes(18 * HOUR)
  t.same(await idle(), [])
  t.equal(lines.filter(({ msg, status }) => msg === 'report on TLS' && status === 'failed').length, 6)
  t.same(touched, [])
})

t.test('results survive a restart, and a day that is long over is dropped', async (t) => {
  const { counts, store, clock, passes, peer, dns } = await setUp(t)
  counts.record(EXPIRED)
  await counts.stop()
  const { log } = captureLog()
  const again = createTlsCounts({ store, clock, isLocalDomain: () => false, log })
  again.record(EXPIRED)
  await again.flush()
  t.match(await again.counts('2026-11-20', 'peer.test'), { policies: [{ failures: 2, details: [{ count: 2 }] }] })
  dns.set('_smtp._tls.peer.test', 'TXT', ['v=TLSRPTv1; rua=mailto:r@peer.test'])
  t.same(await passes(4 * DAY), { queued: 0 })
  t.same(await again.endedDays(), [])
  t.equal(await again.counts('2026-11-20', 'peer.test'), undefined)
  t.equal(peer.connections, 0)
})

t.test('what strangers answer is counted whole and kept in bounds', async (t) => {
  const { counts, store, clock } = await setUp(t)
  const long = 'x'.repeat(100_000)
  for (let i = 0; i < 300; i++) {
    counts.record({ ...EXPIRED, mxHost: `mx${i}.${long}`, detail: `${i}\u0000\n${long}` })
    counts.record({
      ...EXPIRED,
      policy: { type: 'sts', strings: Array.from({ length: 500 }, () => `${i}${long}`), mxHosts: [] },
    })
  }
  await counts.flush()
  const found = await counts.counts('2026-11-20', 'peer.test')
  t.equal(found?.policies.length, 8)
  t.match(found?.policies[0], { failures: 300, details: { length: 32 } })
  t.ok(JSON.stringify(found).length < 100_000)
  const { log, lines } = captureLog()
  const other = createTlsCounts({ store, clock, isLocalDomain: () => false, log })
  for (let i = 0; i < 6000; i++) other.record({ ...STS, domain: `d${i}.test` })
  await other.flush()
  t.match(lines, [{ results: 1000 }])
})

t.test('the operator sees what is counted and what is on its way, and has it leave sooner', async (t) => {
  const answers = ['451 4.2.0 come again', undefined]
  const world = await setUp(t, { rcpt: () => answers.shift() })
  const { counts, peer, dns, passes, clock, reports } = world
  dns.set('_smtp._tls.peer.test', 'TXT', ['v=TLSRPTv1; rua=mailto:tls-reports@peer.test'])
  for (const result of [STS, EXPIRED, NO_POLICY, { ...STS, domain: 'quiet.test' }]) counts.record(result)
  const day = '2026-11-20'
  const list = async (domain?: string, limit = 10) => reports.list({ domain, limit })
  t.match(await list(), {
    data: [
      { day, domain: 'peer.test', state: 'counting', policies: ['sts', 'no-policy-found'], next_at: null },
      { day, domain: 'quiet.test', state: 'counting', sessions_ok: 1, sessions_failed: 0 },
    ],
    has_more: false,
  })
  t.match(await list('peer.test'), { data: [{ sessions_ok: 2, sessions_failed: 1 }] })
  t.match(await list(undefined, 1), { data: [{ domain: 'peer.test' }], has_more: true })
  t.same(await reports.sendNow(undefined), { sent: 0 }, 'a report is about a whole day')

  await passes(12 * HOUR + 1)
  t.match((await list('peer.test')).data, [{ state: 'waiting', next_at: '2026-11-21T02:00:00.000Z' }])
  t.same(await reports.sendNow('else.test'), { sent: 0 })
  t.same(await reports.sendNow('peer.test'), { sent: 1 })
  await world.idle()
  const [sending, ...others] = (await list('peer.test')).data
  t.match(sending, { day, state: 'sending', to: 'peer.test', attempts: 1, sessions_ok: null })
  t.same(others, [], 'what is on its way is counted no more')
  t.ok(Date.parse(sending?.next_at ?? '') > clock.now())
  t.match((await list()).data, [{ state: 'sending' }, { domain: 'quiet.test', state: 'waiting' }])
  t.match(await list(undefined, 1), { has_more: true })
  t.same(await reports.sendNow('peer.test'), { sent: 1 })
  await peer.count(1)
  await world.idle()
  t.same((await list('peer.test')).data, [])
  t.match(
    (await world.idle()).map(({ id }) => id),
    [`${day}:quiet.test`],
    'the other leaves at its time',
  )
})
