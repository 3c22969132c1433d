/** Reports on TLS out of the real daemon: mail goes out, the day ends, and the domain that asks for it reads what was found. */
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { createAuthenticator } from '../../../src/authentication/verify.js'
import { DAY, HOUR, ManualClock, SECOND, utcDay } from '../../../src/lib/clock.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { endOfDay } from '../../../src/store/days.js'
import { approvedAgent, waitForEvent, type Agent } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { textResolver } from '../../support/peers/fake-resolver.js'
import { startPeer } from '../../support/peers/peer-server.js'

const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }

async function deliver(agent: Agent, to: string): Promise<void> {
  const sent = await agent.call('POST', '/v1/send', { to, subject: 'Hello', text: 'Good morning.' })
  await waitForEvent(agent, ({ data }) => data.message_id === sent.body.id && data.status === 'delivered')
}

async function dkimRecords(daemon: Daemon): Promise<Record<string, string>> {
  const keys: { record_name: string; record_value: string }[] = JSON.parse(
    (await daemon.cli('dkim', 'list', '--json')).stdout,
  )
  return Object.fromEntries(keys.map((key) => [key.record_name, key.record_value]))
}

/** What the report in a mail says. */
function reportIn(raw: string): unknown {
  const base64 = /tlsrpt\+gzip[^]*?\r\n\r\n([^-]*)\r\n--=_/.exec(raw)?.[1] ?? ''
  return JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString())
}

t.test('a domain that asks for reports on TLS gets one of each day that mail went there, signed', async (t) => {
  const peer = await startPeer({ starttls: 'works' })
  const dns = await startDnsServer({
    'peer.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
    // A host of its own, since sessions are counted and one that is open is used again.
    'quiet.test': { MX: [{ priority: 10, exchange: 'mx.quiet.test' }] },
    'mx.peer.test': { A: ['127.0.0.1'] },
    'mx.quiet.test': { A: ['127.0.0.1'] },
    '_smtp._tls.peer.test': { TXT: ['v=TLSRPTv1; rua=mailto:tls-reports@peer.test'] },
  })
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'relay.port': String(peer.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(async () => {
    await daemon.remove()
    await dns.close()
    await peer.close()
  })
  const list = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await daemon.cli('tls-reports', 'list', '--json', ...words)).stdout)

  t.match(await daemon.cli('tls-reports', 'list'), {
    code: 0,
    stderr: 'Nothing is counted and no report is on its way.\n',
  })
  const agent = await approvedAgent(daemon, 'ada.agent')
  const day = utcDay(Date.now())
  await deliver(agent, 'bob@peer.test')
  await deliver(agent, 'bob@quiet.test')
  const counted = {
    day,
    state: 'counting',
    policies: ['no-policy-found'],
    sessions_ok: 1,
    sessions_failed: 0,
    to: null,
  }
  t.match(await list(), [
    { ...counted, domain: 'peer.test' },
    { ...counted, domain: 'quiet.test' },
  ])
  const shown = await daemon.cli('tls-reports', 'list', '--limit', '1')
  t.match(shown.stdout, new RegExp(`^DAY .*\\n${day}\\s+peer\\.test\\s+counting\\s+no-policy-found\\s+1\\s+0\\n$`))
  t.match(shown.stderr, /There are more/)
  t.match(await daemon.cli('tls-reports', 'send'), { code: 0, stdout: '', stderr: /no day with results has ended/ })
  t.equal(peer.mail.length, 2)

  await daemon.end('SIGTERM')
  // Just after midnight: by itself the report would leave some time in the next hours.
  await daemon.start(endOfDay(day) - Date.now() + SECOND)
  t.match(await list('peer.test'), [{ day, domain: 'peer.test', sessions_ok: 1 }])
  t.match(await daemon.cli('tls-reports', 'send'), { code: 0 })
  await peer.count(3)
  const mail = peer.mail[2]
  t.match(mail, { from: '', to: ['tls-reports@peer.test'] })
  t.match(mail?.raw, /\r\nContent-Type: application\/tlsrpt\+gzip/)
  t.match(reportIn(mail?.raw ?? ''), {
    'organization-name': 'agents.test',
    'report-id': `${day}.peer.test@agents.test`,
    'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
    policies: [{ summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 } }],
  })
  const raw = Buffer.from(mail?.raw ?? '', 'latin1')
  t.equal((await parseMessage(raw, LIMITS)).from?.address, 'postmaster@agents.test')
  const resolver = textResolver(await dkimRecords(daemon))
  const authenticator = createAuthenticator({
    resolver,
    authservId: 'mx.peer.test',
    clock: new ManualClock(endOfDay(day) + HOUR),
  })
  const { results } = await authenticator.verify({ raw, ip: '127.0.0.1', helo: 'x', mailFrom: '', fromCount: 1 })
  t.match(results.dkim, { result: 'pass', domain: 'agents.test' })
  t.same(await list('peer.test'), [], 'it is told once')

  await deliver(agent, 'bob@peer.test')
  await daemon.end('SIGTERM')
  await daemon.start(2 * DAY + 5 * HOUR)
  await peer.count(5)
  t.match(peer.mail[4], { from: '', to: ['tls-reports@peer.test'] }, 'what is due leaves at the start, unasked')
  t.match(reportIn(peer.mail[4]?.raw ?? ''), { 'report-id': `${utcDay(endOfDay(day))}.peer.test@agents.test` })
})

t.test('the operator sees which policies are kept, and is told what to do where there is none', async (t) => {
  const daemon = await startDaemon({ 'relay.tls_reports': 'false' })
  t.teardown(() => daemon.remove())
  t.match(await daemon.cli('mta-sts', 'list'), { code: 0, stderr: 'No policy is cached.\n' })
  t.match(await daemon.cli('mta-sts', 'show', 'peer.test'), {
    code: 1,
    stderr: /There is no cached MTA-STS policy of peer\.test\. The first mail to it fetches one/,
  })
  t.match(await daemon.cli('mta-sts', 'forget', 'peer.test'), { code: 1 })
  t.match(await daemon.cli('mta-sts', 'forget', 'peer/test'), { code: 64, stderr: /is no domain/ })
  t.match(await daemon.cli('tls-reports', 'list'), { code: 1, stderr: /relay\.tls_reports/ })
})
